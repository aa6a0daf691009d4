"""`inexlab evaluate`: numbers on standard output, what was assumed on standard error."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import WORKED_QRELS, WORKED_RUN, Command, Outcome, Write
from .terminals import in_terminal

Numbers = dict[tuple[str, str, str], float | None]


def numbers(outcome: Outcome) -> Numbers:
    """Return the scores of a JSON output by run, topic and measure."""
    assert outcome.code == 0, outcome.err
    rows: list[dict[str, Any]] = json.loads(outcome.out)
    assert all(list(row) == ["run", "topic", "measure", "value"] for row in rows)
    found = {(row["run"], row["topic"], row["measure"]): row["value"] for row in rows}
    assert len(found) == len(rows), "a number is printed twice"
    return found


# --- the numbers -----------------------------------------------------------------------------------------


def test_worked_example_of_the_manual(inexlab: Command, worked: tuple[str, str]) -> None:
    # P = 1, 50/150, 90/250 at recall .5, .5, .9
    done = inexlab(
        "evaluate", *worked, "-m", "iP@0.5", "-m", "iP@0.9", "-m", "iP@0.91", "-m", "MAiP", "-o", "json"
    )
    assert numbers(done) == {
        ("worked", "all", "iP@0.5"): 1.0,
        ("worked", "all", "iP@0.9"): pytest.approx(0.36, abs=1e-12),
        ("worked", "all", "iP@0.91"): 0.0,
        ("worked", "all", "MAiP"): pytest.approx((51 + 40 * 0.36) / 101, abs=1e-12),
    }


def test_measure_is_named_exactly_as_given(call: Command, worked: tuple[str, str]) -> None:
    given = ["MAgP", "gP( score = BEP )@3", "iP@0.50"]
    done = call("evaluate", *worked, *(part for name in given for part in ("-m", name)), "-o", "json")
    assert [measure for _, _, measure in numbers(done)] == given


def test_per_topic_adds_every_judged_topic(call: Command, write: Write) -> None:
    qrels = write("q", WORKED_QRELS + "2 Q0 A 10 100 0 0:10\n3 Q0 A 0 100\n")
    run = write("r", WORKED_RUN)
    brief = numbers(call("evaluate", qrels, run, "-m", "iP@0.5", "-m", "num_ret", "-o", "json"))
    full = numbers(call("evaluate", qrels, run, "-m", "iP@0.5", "-m", "num_ret", "-o", "json", "-q"))
    assert full == {
        ("worked", "1", "iP@0.5"): 1.0,
        ("worked", "1", "num_ret"): 3,
        ("worked", "2", "iP@0.5"): 0.0,  # judged, missing from the run
        ("worked", "2", "num_ret"): 0,
        ("worked", "3", "iP@0.5"): None,  # nothing relevant
        ("worked", "3", "num_ret"): 0,
        ("worked", "all", "iP@0.5"): 0.5,  # the mean over topics 1 and 2
        ("worked", "all", "num_ret"): 3,  # a sum
    }
    assert brief == {key: value for key, value in full.items() if key[1] == "all"}


def test_counts_are_whole_numbers_in_json(call: Command, worked: tuple[str, str]) -> None:
    done = call("evaluate", *worked, "-m", "ret_size", "-m", "rel_ret_size", "-o", "json")
    assert re.findall(r'"value": (\S+)}', done.out) == ["250", "90"]


def test_without_measures_five_are_taken(call: Command, worked: tuple[str, str]) -> None:
    done = call("evaluate", *worked, "-o", "json")
    assert [key[2] for key in numbers(done)] == [
        "iP@0.01",
        "MAiP",
        "SpanP@10",
        "SpanR@10",
        "MAgP(score=F,beta=1)",
    ]


def test_runs_are_printed_in_the_order_given(call: Command, write: Write, worked: tuple[str, str]) -> None:
    other = write("other.txt", WORKED_RUN.replace("worked", "another"))
    done = call("evaluate", worked[0], worked[1], other, "-m", "MAiP", "-o", "json")
    assert [key[0] for key in numbers(done)] == ["worked", "another"]
    done = call("evaluate", worked[0], other, worked[1], "-m", "MAiP", "-o", "json")
    assert [key[0] for key in numbers(done)] == ["another", "worked"]


# --- output formats --------------------------------------------------------------------------------------

# A run id with everything that has a meaning in some output format.
AWKWARD = 'a_b&c%d#e$f{g}~h^i\\j|k"l,m[n]'


def _separated(text: str, delimiter: str) -> list[tuple[str, str, str, str]]:
    rows = list(csv.reader(io.StringIO(text), delimiter=delimiter))
    assert rows[0] == ["run", "topic", "measure", "value"]
    return [(row[0], row[1], row[2], row[3]) for row in rows[1:]]


def _grid(header: list[str], rows: list[list[str]]) -> list[tuple[str, str, str, str]]:
    assert header[:2] == ["run", "topic"]
    return [
        (row[0], row[1], name, value) for row in rows for name, value in zip(header[2:], row[2:], strict=True)
    ]


def _parse_csv(text: str) -> list[tuple[str, str, str, str]]:
    return _separated(text, ",")


def _parse_tsv(text: str) -> list[tuple[str, str, str, str]]:
    return _separated(text, "\t")


def _parse_table(text: str) -> list[tuple[str, str, str, str]]:
    header, rule, *rows = (
        [cell.strip() for cell in re.split(r"\s{2,}", line.strip())] for line in text.splitlines()
    )
    assert set(rule[0]) == {"─"}
    return _grid(header, rows)


def _parse_markdown(text: str) -> list[tuple[str, str, str, str]]:
    def cells(line: str) -> list[str]:
        assert line.startswith("| ")
        assert line.endswith(" |")
        parts = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        return [re.sub(r"\\(.)", r"\1", cell) if "|" in cell else cell for cell in parts]

    header, rule, *rows = text.splitlines()
    assert cells(rule)[0] == "---"
    assert {"---:"} == set(cells(rule)[2:]) <= {"---", "---:"}
    return _grid(cells(header), [cells(row) for row in rows])


def _parse_latex(text: str) -> list[tuple[str, str, str, str]]:
    def cells(line: str) -> list[str]:
        assert line.endswith(r" \\")
        cells = re.split(r"(?<!\\)&", line.removesuffix(r" \\"))
        for written, meant in (
            (r"\textbackslash{}", "\\"),
            (r"\textasciitilde{}", "~"),
            (r"\textasciicircum{}", "^"),
            (r"\textbar{}", "|"),
            (r"\textless{}", "<"),
            (r"\textgreater{}", ">"),
            (r"\char34{}", '"'),
            (r"\textasciigrave{}", "`"),
            ("-{}-", "-\0"),
        ):
            cells = [cell.replace(written, meant) for cell in cells]
        return [
            re.sub(r"\\([&%$#_{}])", r"\1", cell).replace("--", "–").replace("\0", "-").strip()
            for cell in cells
        ]

    lines = text.splitlines()
    assert lines[2].startswith(r"\caption{")
    assert lines[4] == r"\toprule"
    assert lines[6] == r"\midrule"
    assert lines[-3:] == [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return _grid(cells(lines[5]), [cells(line) for line in lines[7:-3]])


@pytest.mark.parametrize(
    ("output", "parse", "undefined", "every_digit"),
    [
        ("csv", _parse_csv, "", True),
        ("tsv", _parse_tsv, "", True),
        ("table", _parse_table, "–", False),
        ("markdown", _parse_markdown, "–", False),
        ("latex", _parse_latex, "–", False),
    ],
)
def test_formats_hold_what_the_json_holds(
    call: Command,
    write: Write,
    output: str,
    parse: Callable[[str], list[tuple[str, str, str, str]]],
    undefined: str,
    every_digit: bool,
) -> None:
    qrels = write("q", WORKED_QRELS + "2 Q0 A 7 100 0 0:7\n3 Q0 A 0 100\n")
    runs = [
        write("1.txt", WORKED_RUN),
        write("2.txt", WORKED_RUN.replace("worked", AWKWARD) + f"2 Q0 A 1 1 {AWKWARD} 3 9\n"),
    ]
    wanted = ["-m", "iP@0.9", "-m", "MAgP(score=F,beta=1)", "-m", "rel_ret_size", "-q"]
    expected = numbers(call("evaluate", qrels, *runs, *wanted, "-o", "json"))
    done = call("evaluate", qrels, *runs, *wanted, "-o", output, env={"COLUMNS": "200"})
    assert done.code == 0

    def shown(value: float | None) -> str:
        if value is None:
            return undefined
        return repr(value) if every_digit or isinstance(value, int) else f"{value:.4f}"

    assert parse(done.out) == [(*key, shown(value)) for key, value in expected.items()]


def test_a_wide_table_is_turned_and_no_number_is_cut(call: Command, worked: tuple[str, str]) -> None:
    wanted = ["-m", "iP@0.5", "-m", "MAgP(score=F,beta=1)", "-m", "MAgP(score=BEP,n=500)", "-m", "num_ret"]
    done = call("evaluate", *worked, *wanted, env={"COLUMNS": "40"})
    rows = [line.split() for line in done.out.splitlines()]
    assert rows[0] == ["run", "worked"]
    assert rows[2:] == [
        ["iP@0.5", "1.0000"],
        ["MAgP(score=F,beta=1)", "0.7013"],
        ["MAgP(score=BEP,n=500)", "0.8167"],
        ["num_ret", "3"],
    ]


@pytest.mark.parametrize("output", ["table", "json", "csv", "tsv", "latex", "markdown"])
def test_standard_output_is_data_only(inexlab: Command, worked: tuple[str, str], output: str) -> None:
    done = inexlab("evaluate", *worked, "-m", "MAiP", "-o", output, "--limit", "2")
    assert done.code == 0
    assert done.notes == [
        "means are over 1 judged topic",
        "1 result beyond rank 2 of the topic, cut: worked (1)",
        "policy: limit=2",
    ]
    assert not any(note in done.out for note in ("inexlab:", "judged topic", "policy"))
    assert "\x1b" not in done.out


# --- the topics averaged over ----------------------------------------------------------------------------

THREE_TOPICS = WORKED_QRELS + "2 Q0 A 10 100 0 0:10\n3 Q0 A 10 100 0 0:10\n"
TWO_TOPICS = WORKED_RUN + "3 Q0 A 1 1.0 worked 0 20\n9 Q0 A 1 1.0 worked 0 20\n"


@pytest.mark.parametrize(
    ("over", "mean", "notes"),
    [
        (
            "judged",
            (1 + 0 + 0.5) / 3,
            ["means are over 3 judged topics", "1 run without some topics, scored 0: worked (2)"],
        ),
        (
            "run",
            (1 + 0.5) / 2,
            [
                "means are over the topics of each run, out of 3 judged topics",
                "1 run without some topics, left out: worked (2)",
            ],
        ),
        ("list", 0.5, ["means are over 1 listed topic", "1 listed topic without judgements left out: 7"]),
    ],
)
def test_over(call: Command, write: Write, over: str, mean: float, notes: list[str]) -> None:
    write("list", "# the topics I like\n3 ignored remark\n\n7\n")
    done = call(
        "evaluate",
        write("q", THREE_TOPICS),
        write("r", TWO_TOPICS),
        "-m",
        "iP@0.5",
        "--over",
        over,
        "-o",
        "json",
    )
    assert numbers(done) == {("worked", "all", "iP@0.5"): pytest.approx(mean, abs=1e-12)}
    assert done.notes == [*notes, "topics without judgements, ignored: worked (1)"]


def test_topics_left_out_are_undefined_per_topic(call: Command, write: Write) -> None:
    arguments = (
        "evaluate",
        write("q", THREE_TOPICS),
        write("r", TWO_TOPICS),
        "-m",
        "iP@0.5",
        "-o",
        "json",
        "-q",
    )
    by_topic = {topic: value for (_, topic, _), value in numbers(call(*arguments, "--over", "run")).items()}
    assert by_topic == {"1": 1.0, "2": None, "3": 0.5, "all": 0.75}


def test_over_a_list_without_judged_topics_is_refused(
    call: Command, write: Write, worked: tuple[str, str]
) -> None:
    done = call("evaluate", *worked, "--over", write("list", "77\n78\n"))
    assert (done.code, done.out) == (2, "")
    assert done.notes == ["none of the listed topics is judged; check the list of topics."]


# --- notes: each appears with its count when and only when it should ---------------------------------------


def _notes_of(call: Command, write: Write, run: str, *options: str, qrels: str = WORKED_QRELS) -> list[str]:
    done = call("evaluate", write("q.txt", qrels), write("r.txt", run), "-m", "MAiP", *options)
    assert done.code == 0, done.err
    return done.notes


def test_a_clean_run_has_one_note(call: Command, write: Write) -> None:
    assert _notes_of(call, write, WORKED_RUN) == ["means are over 1 judged topic"]


ONE_ODD_THING = {
    "missing topics": (
        WORKED_QRELS + "".join(f"{topic} Q0 A 10 100 0 0:10\n" for topic in (2, 3, 4, 5)),
        "",
        "1 run without some topics, scored 0: worked (2, 3, 4 and 1 more)",
    ),
    "overlap": (
        WORKED_QRELS,
        "1 Q0 A 4 0 worked 40 30\n1 Q0 A 5 0 worked 0 10\n",
        "2 results overlapping earlier ones, shared text counted once: worked (2)",
    ),
    "unjudged documents": (
        WORKED_QRELS,
        "1 Q0 Z 4 0 worked 0 10\n1 Q0 Z 5 0 worked 10 10\n",
        "2 results in documents without judgement for the topic, taken as not relevant: worked (2)",
    ),
    "no length": (WORKED_QRELS, "1 Q0 A 4 0 worked 70 0\n", "1 result of no length: worked (1)"),
    "not located": (
        WORKED_QRELS,
        "1 Q0 A 4 0 worked X 0\n1 Q0 A 5 0 worked -1 -1\n",
        "2 results in no known document or element, counted as 0 characters: worked (2)",
    ),
    "nothing relevant": (
        WORKED_QRELS + "2 Q0 A 0 100\n",
        "2 Q0 A 4 0 worked 0 10\n",
        "1 topic without anything relevant: 2",
    ),
    "topics without judgements": (
        WORKED_QRELS,
        "8 Q0 A 1 0 worked 0 10\n8 Q0 A 2 0 worked 10 10\n9 Q0 A 1 0 worked 0 10\n",
        "topics without judgements, ignored: worked (2)",
    ),
    "overlapping highlights": (
        WORKED_QRELS + "1 Q0 D 15 100 0 0:10 5:10\n",
        "",
        "q.txt: 1 judged document with overlapping highlights, each character counted once",
    ),
    "another amount stated": (
        WORKED_QRELS + "1 Q0 D 11 100 0 0:10\n1 Q0 E 9 100 0 0:10\n",
        "",
        "q.txt: 2 judged documents whose highlights do not add up to the stated amount of relevant text",
    ),
    "highlights outside": (
        WORKED_QRELS + "1 Q0 D 10 100 0 95:10\n",
        "",
        "q.txt: 1 judged document with highlights beyond the stated end of the document, counted as stated",
    ),
}


@pytest.mark.parametrize("odd", ONE_ODD_THING)
def test_one_odd_thing_gives_one_note(call: Command, write: Write, odd: str) -> None:
    qrels, more, note = ONE_ODD_THING[odd]
    topics = len({line.split()[0] for line in qrels.splitlines()})
    plural = "" if topics == 1 else "s"
    some = "1 of " if odd == "nothing relevant" else ""
    found = _notes_of(call, write, WORKED_RUN + more, qrels=qrels)
    assert sorted(found) == sorted([f"means are over {some}{topics} judged topic{plural}", note])


def test_limit_cuts_and_says_so(call: Command, write: Write) -> None:
    assert _notes_of(call, write, WORKED_RUN, "--limit", "1") == [
        "means are over 1 judged topic",
        "2 results beyond rank 1 of the topic, cut: worked (2)",
        "policy: limit=1",
    ]
    assert _notes_of(call, write, WORKED_RUN, "--limit", "3") == [
        "means are over 1 judged topic",
        "policy: limit=3",
    ]


def test_limit_is_1500_unless_said_otherwise(inexlab: Command, write: Write) -> None:
    run = write(
        "r", "".join(f"1 Q0 C{i} {i} 0 long 0 1\n" for i in range(1500)) + "1 Q0 A 1501 0 long 0 60\n"
    )
    arguments = (
        "evaluate",
        write("q", WORKED_QRELS),
        run,
        "-m",
        "num_ret",
        "-m",
        "rel_ret_size",
        "-o",
        "csv",
    )
    cut = inexlab(*arguments)
    assert cut.out.split() == ["run,topic,measure,value", "long,all,num_ret,1500", "long,all,rel_ret_size,0"]
    assert "1 result beyond rank 1500 of the topic, cut: long (1)" in cut.notes
    whole = inexlab(*arguments, "--limit", "0")
    assert whole.out.split() == [
        "run,topic,measure,value",
        "long,all,num_ret,1501",
        "long,all,rel_ret_size,60",
    ]
    assert not any("cut" in note for note in whole.notes)


def test_notes_count_every_run(call: Command, write: Write) -> None:
    more = "1 Q0 Z 4 0 worked 0 10\n"
    runs = [
        write(f"{i}.txt", (WORKED_RUN + more * (i > 0) + more * (i > 1)).replace("worked", f"r{i}"))
        for i in range(3)
    ]
    notes = call("evaluate", write("q", WORKED_QRELS), *runs, "-m", "MAiP").notes
    assert (
        "3 results in documents without judgement for the topic, taken as not relevant: r1 (1), r2 (2)"
        in notes
    )
    assert "1 result overlapping earlier ones, shared text counted once: r2 (1)" in notes


def test_seen_text_can_count_again(call: Command, write: Write) -> None:
    run = write("r", "1 Q0 A 1 0 twice 0 50\n1 Q0 A 2 0 twice 0 50\n")
    arguments = ("evaluate", write("q", WORKED_QRELS), run, "-m", "ret_size", "-o", "json")
    once = call(*arguments)
    again = call(*arguments, "--policy", "seen_text=again")
    assert [list(numbers(done).values()) for done in (once, again)] == [[50], [100]]
    assert "1 result overlapping earlier ones, shared text counted again: twice (1)" in again.notes
    assert "policy: seen_text=again" in again.notes


# --- campaigns -------------------------------------------------------------------------------------------

# The official measure of each task, and the parts of measures' names that no paper at hand confirms.
OFFICIAL = {
    ("inex2007", "thorough"): ("MAiP", ["MAiP"]),
    ("inex2007", "focused"): ("iP@0.01", []),
    ("inex2007", "relevant-in-context"): ("MAgP(score=F,beta=1)", ["beta=1"]),
    ("inex2007", "best-in-context"): ("MAgP(score=BEP,n=1000)", ["n=1000"]),
    ("inex2008", "thorough"): ("MAiP", ["MAiP"]),
    ("inex2008", "focused"): ("iP@0.01", []),
    ("inex2008", "relevant-in-context"): ("MAgP(score=F,beta=1)", ["beta=1"]),
    ("inex2008", "best-in-context"): ("MAgP(score=BEP,n=500)", ["n=500"]),
    ("inex2009", "thorough"): ("MAiP", []),
    ("inex2009", "focused"): ("iP@0.01", []),
    ("inex2009", "relevant-in-context"): ("MAgP(score=F,beta=0.25)", ["beta=0.25"]),
    ("inex2009", "best-in-context"): ("MAgP(score=BEP,n=500)", ["n=500"]),
    ("inex2010", "thorough"): ("MAiP", ["MAiP"]),
    ("inex2010", "focused"): ("SpanP", ["SpanP"]),
    ("inex2010", "relevant-in-context"): ("MAgP(score=T2I,tolerance=300)", ["score=T2I", "beta=0.25"]),
    ("inex2010", "best-in-context"): ("MAgP(score=BEP,n=500)", ["n=500"]),
}
TOOL = "policy: recall_levels=floor, relevant_size=stated, empty_topics=zero, beyond=last, unlocatable=18"


@pytest.mark.parametrize(("campaign", "task"), OFFICIAL)
def test_campaigns_mark_what_is_not_verified(call: Command, handbook: Path, campaign: str, task: str) -> None:
    official, doubted = OFFICIAL[campaign, task]
    arguments = ("evaluate", handbook / "judgements.qrels", handbook / "runs/focused-sections.txt")
    asked = ("--campaign", campaign, "--task", task)
    done = call(*arguments, *asked, "-o", "json")
    names = [measure for _, _, measure in numbers(done)]
    assert names[0] == official
    assert names[-6:] == ["num_ret", "num_rel", "num_rel_ret", "ret_size", "rel_size", "rel_ret_size"]
    beginning = f"{campaign} {task}, unverified: "
    noted = [n.removeprefix(beginning).partition(":")[0] for n in done.notes if n.startswith(beginning)]
    general = ["topics averaged over", "policy"] if campaign == "inex2007" else ["topics averaged over"]
    assert noted == [*general, *doubted]
    assert [n for n in done.notes if n.startswith("policy: ")] == ([] if campaign == "inex2007" else [TOOL])
    header = call(*arguments, *asked, "-o", "markdown").out.splitlines()[0]
    marked = {cell.strip().removesuffix("?") for cell in header.split("|") if cell.strip().endswith("?")}
    assert marked == {name for name in names if any(part in name for part in doubted)}


@pytest.mark.parametrize(
    ("task", "flag", "labels"),
    [
        (
            "focused",
            "-f",
            {"iP@0.01": "iP[0.01]", "iP@0.1": "iP[0.10]", "MAiP": "MAiP", "ret_size": "ret_size"},
        ),
        (
            "relevant-in-context",
            "-r",
            {"MAgP(score=F,beta=0.25)": "MAgP", "gP(score=F,beta=0.25)@50": "gP[50]", "gR@2": "gR[2]"},
        ),
        (
            "best-in-context",
            "-b",
            {"MAgP(score=BEP,n=500)": "MAgP", "gP(score=BEP,n=500)@3": "gP[3]", "num_rel": "num_rel"},
        ),
    ],
)
def test_2009_gives_the_numbers_of_the_official_tool(
    inexlab: Command, inex_eval: Command, handbook: Path, task: str, flag: str, labels: dict[str, str]
) -> None:
    files = (handbook / "judgements.qrels", handbook / "runs/focused-articles.txt")
    ours = numbers(inexlab("evaluate", *files, "--campaign", "inex2009", "--task", task, "-o", "json"))
    lines = [line.split() for line in inex_eval(flag, "-c", *files).out.splitlines()[1:-1]]
    theirs = {name: float(value) for name, _, value in lines}
    for measure, label in labels.items():
        assert ours["articles", "all", measure] == pytest.approx(theirs[label], abs=1e-12)


def test_measures_given_win_over_the_campaigns(call: Command, worked: tuple[str, str]) -> None:
    done = call(
        "evaluate",
        *worked,
        "--campaign",
        "inex2009",
        "--task",
        "focused",
        "-m",
        "gP(score=F,beta=1)@50",
        "-o",
        "json",
    )
    # the campaign's policy stays: gP beyond the end of the list repeats the last value
    assert list(numbers(done).values()) == [pytest.approx((0.909091 + 0 + 0.571429) / 3, abs=1e-6)]


def test_options_win_over_the_campaigns_policy(call: Command, worked: tuple[str, str]) -> None:
    arguments = (
        "evaluate",
        *worked,
        "--campaign",
        "inex2009",
        "--task",
        "focused",
        "-m",
        "gP(score=F,beta=1)@50",
        "-o",
        "json",
    )
    done = call(*arguments, "--policy", "beyond=rank", "--limit", "1")
    assert list(numbers(done).values()) == [pytest.approx(0.909091 / 50, abs=1e-6)]


# --- policy ----------------------------------------------------------------------------------------------


def test_policy_help_lists_every_choice_and_value(inexlab: Command) -> None:
    done = inexlab("evaluate", "--policy", "help")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == [
        "limit=1500",
        "order=format",
        "seen_text=skip",
        "denominator=unseen",
        "recall_levels=exact",
        "relevant_size=highlights",
        "empty_topics=undefined",
        "beyond=rank",
        "unlocatable=0",
        "outside=stated",
    ]
    values = [line.strip().partition(":")[0] for line in lines if line.startswith("      ")]
    assert values == [
        *("format", "file", "score"),
        *("skip", "again"),
        *("unseen", "full"),
        *("exact", "floor"),
        *("highlights", "stated"),
        *("undefined", "zero"),
        *("rank", "last"),
        *("stated", "clip"),
    ]


@pytest.mark.parametrize(
    ("setting", "run", "measure", "default", "changed"),
    [
        ("limit=1", WORKED_RUN, "num_ret", 3, 1),
        ("seen_text=again", "1 Q0 A 1 1 p 0 50\n1 Q0 A 2 1 p 30 40\n", "rel_ret_size", 60, 80),
        ("denominator=full", "1 Q0 A 1 1 p 0 50\n1 Q0 A 2 1 p 30 40\n", "SpanP", 60 / 70, 60 / 90),
        ("recall_levels=floor", "1 Q0 A 1 1 p 0 29\n", "iP@0.29", 1.0, 0.0),
        ("relevant_size=stated", WORKED_RUN, "rel_size", 100, 101),
        ("empty_topics=zero", WORKED_RUN, "iP@0", 1.0, 0.5),
        ("beyond=last", WORKED_RUN, "gP(score=BEP,n=500)@4", 1.9 / 4, 1.9 / 3),
        ("unlocatable=18", "1 Q0 A 1 1 p 0 50\n1 Q0 A 2 1 p X 0\n", "ret_size", 50, 68),
        ("outside=clip", "1 Q0 A 1 1 p 90 50\n1 Q0 Z 2 1 p 90 50\n", "ret_size", 100, 60),
    ],
)
def test_policies_change_what_they_say(
    call: Command, write: Write, setting: str, run: str, measure: str, default: float, changed: float
) -> None:
    qrels = write("q", WORKED_QRELS.replace("B 40 100", "B 41 100") + "2 Q0 A 0 100\n")
    if setting == "recall_levels=floor":  # needs 100 relevant characters, so that 29 are exactly 0.29
        qrels = write("q", WORKED_QRELS)
    arguments = ("evaluate", qrels, write("r", run), "-m", measure, "-o", "json")
    before, after = call(*arguments), call(*arguments, "--policy", setting)
    assert list(numbers(before).values()) == [pytest.approx(default, abs=1e-12)]
    assert list(numbers(after).values()) == [pytest.approx(changed, abs=1e-12)]
    assert not any(note.startswith("policy: ") for note in before.notes)
    assert f"policy: {setting}" in after.notes


# --- inputs ----------------------------------------------------------------------------------------------


def test_the_same_run_in_every_notation(inexlab: Command, write: Write, worked: tuple[str, str]) -> None:
    """Offsets, XPaths, XML with three result bodies and JSON Lines name the same text."""
    for doc, text in (("A", "<d><p>{}</p>{}</d>"), ("B", "<d>{}{}</d>"), ("C", "<d>{}{}</d>")):
        write(f"docs/{doc}.xml", text.format("x" * 50, "y" * 50))
    paths = {"A": "/d[1]/p[1]", "C": "/d[1]", "B": "/d"}
    rows = [{"topic": "1", "doc": doc, "path": path, "score": 1} for doc, path in paths.items()]
    runs = [
        worked[1],
        write("x.txt", "".join(f"1 Q0 {doc} 0 0 xpath {path}\n" for doc, path in paths.items())),
        write("json.jsonl", "".join(json.dumps(row) + "\n" for row in rows)),
        write(
            "r.xml",
            """<inex-submission participant-id="1" run-id="xml" task="Focused"><topic topic-id="1">
            <result><file>A</file><passage start="/d[1]/p[1]" end="/d[1]/p[1]/text()[1].50"/></result>
            <result><file>C</file><path>/d[1]</path><rank>2</rank></result>
            <result><file>B</file><fol offset="0" length="100"/></result></topic></inex-submission>""",
        ),
    ]
    done = inexlab("evaluate", worked[0], *runs, "-m", "MAiP", "--collection", "docs", "-o", "json")
    found = numbers(done)
    assert {run for run, _, _ in found} == {"worked", "xpath", "json", "xml"}
    assert found == dict.fromkeys(found, pytest.approx((51 + 40 * 0.36) / 101, abs=1e-12))
    assert done.notes == ["means are over 1 judged topic"]


def test_whole_documents_take_their_length_from_the_judgements(call: Command, write: Write) -> None:
    trec = write("trec.txt", "1 Q0 A 1 3 trec\n1 Q0 B 2 2 trec\n")
    done = call(
        "evaluate", write("q", WORKED_QRELS), trec, "-m", "ret_size", "-m", "rel_ret_size", "-o", "json"
    )
    assert list(numbers(done).values()) == [200, 100]


def test_a_collection_may_be_a_folder_or_an_archive(inexlab: Command, handbook: Path, tmp_path: Path) -> None:
    articles = handbook / "articles"
    with zipfile.ZipFile(tmp_path / "articles.zip", "w") as packed:
        for article in articles.iterdir():
            packed.write(article, f"some/folder/{article.name}")
    with tarfile.open(tmp_path / "articles.tar.bz2", "w:bz2") as tar:
        tar.add(articles, "articles")
    run = handbook / "runs/focused-paragraphs.txt"
    outcomes = [
        inexlab("evaluate", handbook / "judgements.qrels", run, "--collection", collection, "-q", "-o", "csv")
        for collection in (articles, "articles.zip", "articles.tar.bz2")
    ]
    assert outcomes[0].code == 0
    assert len(outcomes[0].out.splitlines()) == 1 + 7 * 5  # six topics and all, five measures
    assert outcomes[1:] == [outcomes[0]] * 2


def test_an_element_that_is_nowhere_is_counted(call: Command, write: Write, worked: tuple[str, str]) -> None:
    write("docs/A.xml", "<d><p>text</p></d>")
    run = write(
        "r",
        "".join(
            f"1 Q0 {at}\n" for at in ("A 1 1 lost /d[1]/p[1]", "A 2 1 lost /d[1]/p[2]", "B 3 1 lost /d[1]")
        ),
    )
    done = call(
        "evaluate", worked[0], run, "-m", "ret_size", "-m", "num_ret", "--collection", "docs", "-o", "json"
    )
    assert list(numbers(done).values()) == [4, 2]
    assert done.notes == [
        "counts are over 1 judged topic",
        "2 results in no known document or element, counted as 0 characters: lost (2)",
    ]


@pytest.mark.parametrize("which", [0, 1])
def test_a_dash_is_standard_input(inexlab: Command, worked: tuple[str, str], which: int) -> None:
    content = (WORKED_QRELS, WORKED_RUN)[which].encode()
    files = ["-" if i == which else name for i, name in enumerate(worked)]
    direct = inexlab("evaluate", *worked, "-m", "MAiP")
    assert direct.code == 0
    assert inexlab("evaluate", *files, "-m", "MAiP", stdin=content) == direct
    assert inexlab("evaluate", *files, "-m", "MAiP", stdin=gzip.compress(content)) == direct


def _with_comments(text: bytes) -> bytes:
    return b"# made by hand\n\n" + text.replace(b"\n", b"\n# a remark\n", 1)


DRESSES: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "byte-order mark": lambda text: b"\xef\xbb\xbf" + text,
    "UTF-16": lambda text: text.decode().encode("utf-16"),
    "CRLF": lambda text: text.replace(b"\n", b"\r\n"),
    "tabs and spaces": lambda text: text.replace(b" ", b"\t  "),
    "comments": _with_comments,
    "no last line end": lambda text: text.rstrip(b"\n"),
}


@pytest.mark.parametrize("dress", DRESSES)
def test_text_files_in_every_dress(call: Command, write: Write, worked: tuple[str, str], dress: str) -> None:
    plain = call("evaluate", *worked, "-m", "MAiP", "-m", "MAgP", "-q", "-o", "json")
    qrels = write("dressed.qrels", DRESSES[dress](WORKED_QRELS.encode()))
    run = write("dressed.txt", DRESSES[dress](WORKED_RUN.encode()))
    dressed = call("evaluate", qrels, run, "-m", "MAiP", "-m", "MAgP", "-q", "-o", "json")
    assert numbers(dressed) == numbers(plain)
    assert dressed == plain


def test_judgements_as_json_lines(call: Command, write: Write, worked: tuple[str, str]) -> None:
    rows = [
        {"topic": "1", "doc": "A", "spans": [[0, 60]], "bep": 0, "size": 100},
        {"topic": 1, "doc": "B", "spans": [[50, 90]], "bep": 50, "assessor": {"kind": "person", "name": "x"}},
        {"topic": "1", "doc": "C", "spans": [], "bep": None},
    ]
    judgements = write("j.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    wanted = ("-m", "MAiP", "-m", "MAgP(score=BEP,n=500)", "-q", "-o", "json")
    assert call("evaluate", judgements, worked[1], *wanted) == call("evaluate", *worked, *wanted)


def test_an_input_format_can_be_forced(call: Command, write: Write, worked: tuple[str, str]) -> None:
    row = '{"topic": "1", "doc": "A", "start": 0, "end": 50}\n'
    right = call(
        "evaluate",
        worked[0],
        write("mine.jsonl", f"# mine\n{row}"),
        "-m",
        "ret_size",
        "--input-format",
        "jsonl",
        "-o",
        "json",
    )
    assert numbers(right) == {("mine", "all", "ret_size"): 50}
    wrong = call("evaluate", *worked, "-m", "ret_size", "--input-format", "jsonl")
    assert (wrong.code, wrong.out) == (2, "")
    assert wrong.notes[0].startswith("worked.txt, line 1: is not JSON")


def test_two_runs_with_one_id_are_refused(inexlab: Command, write: Write, worked: tuple[str, str]) -> None:
    other = write("other.txt", WORKED_RUN)
    done = inexlab("evaluate", worked[0], worked[1], other, "-o", "json")
    assert (done.code, done.out) == (2, "")
    assert done.notes == [
        "other.txt: has the run id 'worked', as worked.txt. "
        "Give each run an id of its own, or call runs by their files: --run-names file."
    ]


# --- pipes and terminals ---------------------------------------------------------------------------------


def test_a_reader_that_has_seen_enough_gets_no_traceback(tmp_path: Path, handbook: Path) -> None:
    command: list[str | Path] = [
        *(Path(sys.executable).with_name("inexlab"), "evaluate", handbook / "judgements.qrels"),
        *(handbook / "runs/focused-sections.txt", "-q", "-o", "csv"),
        *(part for level in range(100) for part in ("-m", f"iP@0.{level:02}")),
    ]
    reading, writing = os.pipe()
    os.close(reading)  # as `head` does when it has its lines
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run(
            command, cwd=tmp_path, stdout=closed, stderr=subprocess.PIPE, text=True, check=False
        )
    notes = Outcome(done.returncode, "", done.stderr).notes
    assert notes[0] == "means are over 6 judged topics"
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr


def test_progress_is_for_a_terminal_and_never_in_the_data(
    inexlab: Command, tmp_path: Path, write: Write
) -> None:
    write("q", WORKED_QRELS)
    runs = [write(f"{i}.txt", WORKED_RUN.replace("worked", f"run{i}")) for i in range(6)]
    arguments = ["evaluate", "q", *runs, "-m", "num_ret", "-o", "json"]
    code, out, shown = in_terminal(*arguments, folder=tmp_path)
    watched = Outcome(code, out.decode(), shown.decode())
    assert numbers(watched) == {(f"run{i}", "all", "num_ret"): 3 for i in range(6)}
    assert b"scoring" in shown
    piped = inexlab(*arguments)
    assert piped.out == watched.out
    assert piped.err == "inexlab: counts are over 1 judged topic\n"


def test_an_encoding_without_the_characters_shows_question_marks(inexlab: Command, write: Write) -> None:
    run = write("r", WORKED_RUN.replace("worked", "gewürfelt"))
    arguments = ("evaluate", write("q", WORKED_QRELS + "2 Q0 A 9 100 0 0:9\n"), run, "-m", "iP@0.5", "-q")
    plain = inexlab(*arguments)
    ascii_only = inexlab(*arguments, env={"PYTHONIOENCODING": "ascii"})
    assert (plain.code, ascii_only.code) == (0, 0)
    for given, shown in ((plain.out, ascii_only.out), (plain.err, ascii_only.err)):
        assert shown == given.encode("ascii", errors="replace").decode()
    assert "gew?rfelt" in ascii_only.out
    assert "gew?rfelt (2)" in ascii_only.err


def test_a_refusal_is_said_in_any_encoding(inexlab: Command, write: Write) -> None:
    run = write("fünf.txt", "1 Q0 A 1 1 r fünf 9\n")
    done = inexlab("evaluate", write("q", WORKED_QRELS), run, env={"PYTHONIOENCODING": "ascii"})
    assert (done.code, done.out) == (2, "")
    assert done.notes[0].startswith("f?nf.txt, line 1: offset 'f?nf' is not a whole number")


# --- curves, comments and places that are none -------------------------------------------------------------


def test_a_star_prints_the_whole_curve(call: Command, worked: tuple[str, str]) -> None:
    found = numbers(call("evaluate", *worked, "-m", "iP@*", "-m", "MAiP", "-o", "json"))
    curve = [value for (_, _, measure), value in found.items() if measure != "MAiP"]
    assert curve == pytest.approx([1.0] * 51 + [0.36] * 40 + [0.0] * 10, abs=1e-12)
    assert [measure for _, _, measure in found][:3] == ["iP@0", "iP@0.01", "iP@0.02"]


def test_comments_before_json_lines(call: Command, write: Write) -> None:
    judgement = '{"topic": "1", "doc": "A", "spans": [[0, 60]]}\n'
    result = '{"topic": "1", "doc": "A", "start": 0, "end": 50}\n'
    judgements = write("j.jsonl", f"# judged by hand\n\n{judgement}")
    run = write("chunks.jsonl", f"# chunks of 50 characters\n{result}")
    done = call("evaluate", judgements, run, "-m", "SpanR", "-o", "json")
    assert numbers(done) == {("chunks", "all", "SpanR"): pytest.approx(50 / 60, abs=1e-12)}


@pytest.mark.parametrize("path", ["//text()[1]", "/text()[1]", f"/d[{'9' * 5000}]"])
def test_a_path_that_is_none_is_not_located(
    call: Command, write: Write, worked: tuple[str, str], path: str
) -> None:
    write("docs/A.xml", "<d>text</d>")
    done = call(
        "evaluate",
        worked[0],
        write("r", f"1 Q0 A 1 1 lost {path}\n"),
        "-m",
        "ret_size",
        "--collection",
        "docs",
    )
    assert done.code == 0
    assert "1 result in no known document or element, counted as 0 characters: lost (1)" in done.notes


def test_a_folder_of_judgements(call: Command, write: Write, worked: tuple[str, str]) -> None:
    for number, line in enumerate(WORKED_QRELS.splitlines()):
        write(f"judged/{number}/part.qrels", f"{line}\n")
    wanted = ("-m", "MAiP", "-m", "MAgP", "-q", "-o", "json")
    assert call("evaluate", "judged", worked[1], *wanted) == call("evaluate", *worked, *wanted)


@pytest.mark.parametrize(
    ("task", "measure"),
    [("thorough", "MAep(quant=spec6,overlap=off)"), ("focused", "nxCG(quant=spec6,overlap=2006)@5")],
)
def test_2006_grades_elements_by_highlights(call: Command, handbook: Path, task: str, measure: str) -> None:
    done = call(
        *("evaluate", handbook / "judgements.qrels", handbook / "runs/focused-paragraphs.txt"),
        *("--collection", handbook / "articles", "--campaign", "inex2006", "--task", task, "-o", "json"),
    )
    found = numbers(done)
    assert next(iter(found)) == ("paragraphs", "all", measure)
    assert all(value is not None and 0 < value <= 1 for value in found.values())
    assert any(note.startswith(f"inex2006 {task}, unverified: links=out: ") for note in done.notes)


def test_measures_of_elements_need_the_documents_of_highlights(
    call: Command, worked: tuple[str, str]
) -> None:
    done = call("evaluate", *worked, "--campaign", "inex2006", "--task", "thorough")
    assert (done.code, done.out) == (2, "")
    assert done.notes == [
        "worked.qrels: holds no assessed elements, which these measures need. "
        "Give --collection DIR to derive them from highlights."
    ]


PAPER_QRELS = "".join(f"{t} Q0 A 60 100 0 0:60\n" for t in range(1, 9))
PAPER_RUNS = {
    "good.txt": "".join(f"{t} Q0 A 1 1.0 good 0 {58 + t % 2}\n" for t in range(1, 9)),
    "bad.txt": "".join(f"{t} Q0 A 1 1.0 bad 0 {8 + t}\n" for t in range(1, 9)),
}


def _paper(call: Command, write: Write, *options: str) -> str:
    files = [write("q", PAPER_QRELS), *(write(name, text) for name, text in PAPER_RUNS.items())]
    done = call("evaluate", *files, "-m", "SpanR", "-m", "num_ret", "-o", "latex", *options)
    assert done.code == 0, done.err
    return done.out


def test_latex_marks_what_is_worse_than_the_best(call: Command, write: Write) -> None:
    out = _paper(call, write)
    assert r"good & \textbf{0.9750} & 8 \\" in out
    assert r"bad & 0.2083$^{\downarrow}$ & 8 \\" in out
    assert "paired bootstrap test, one-tailed, Benjamini--Yekutieli correction for 2 hypotheses" in out


def test_latex_marks_against_a_baseline_by_the_test_asked_for(call: Command, write: Write) -> None:
    out = _paper(call, write, "--baseline", "bad", "--test", "sign", "--correction", "holm")
    assert r"good & \textbf{0.9750}$^{\uparrow}$ & 8 \\" in out
    assert r"bad & 0.2083 & 8 \\" in out
    assert "better than bad (sign test, one-tailed, Holm correction for 2 hypotheses" in out
    assert r"\downarrow" not in _paper(call, write, "--test", "none")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--baseline", "god"], "unknown run 'god'; did you mean 'good'?"),
        (["--test", "tt"], "unknown significance test 'tt'"),
        (["--correction", "bonferoni"], "unknown correction 'bonferoni'; did you mean 'bonferroni'?"),
    ],
)
def test_latex_with_an_unknown_choice(call: Command, write: Write, options: list[str], message: str) -> None:
    files = [write("q", PAPER_QRELS), *(write(name, text) for name, text in PAPER_RUNS.items())]
    done = call("evaluate", *files, "-m", "SpanR", "-o", "latex", *options)
    assert (done.code, done.out) == (2, "")
    assert message in done.notes[-1]
