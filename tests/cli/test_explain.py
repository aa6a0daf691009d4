"""`inexlab explain`: its forms, one rank with its text, and its mistakes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command, Write

Worked = tuple[str, str]


def test_table_ends_with_the_number_that_evaluate_prints(call: Command, worked: Worked) -> None:
    done = call("explain", *worked, "--topic", "1", "-m", "MAiP")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].split() == [
        *("rank", "document", "start", "end", "length", "new", "relevant", "new", "relevant"),
        *("read", "so", "far", "relevant", "so", "far", "P", "R", "score", "so", "far"),
    ]
    rows = [line.split() for line in lines[2:5]]
    assert rows[0] == ["1", "A", "0", "50", "50", "50", "50", "50", "50", "50", "1.0000", "0.5000", "0.5050"]
    assert rows[2][-3:] == ["0.3600", "0.9000", "0.6475"]
    assert lines[-2:] == [
        "relevant characters of the topic: 100",
        "MAiP of worked on topic 1: 0.6475",
    ]
    assert "0.6475" in call("evaluate", *worked, "-m", "MAiP").out


def test_json_has_all_digits(call: Command, worked: Worked) -> None:
    done = call("explain", *worked, "--topic", "1", "-m", "MAgP(score=F)", "-o", "json")
    assert (done.code, done.err) == (0, "")
    made = json.loads(done.out, parse_constant=pytest.fail)
    assert {k: v for k, v in made.items() if k not in ("rows", "value")} == {
        "run": "worked",
        "topic": "1",
        "measure": "MAgP(score=F,beta=1)",
        "by": "document",
        "steps": {"relevant documents": 2},
    }
    assert [row["document"] for row in made["rows"]] == ["A", "C", "B"]
    [row] = json.loads(call("evaluate", *worked, "-m", "MAgP(score=F)", "-o", "json").out)
    assert made["value"] == made["rows"][-1]["score so far"] == row["value"]


@pytest.mark.parametrize(("output", "separator"), [("csv", ","), ("tsv", "\t")])
def test_separated(call: Command, worked: Worked, output: str, separator: str) -> None:
    done = call("explain", *worked, "--topic", "1", "-m", "SpanP", "-o", output)
    rows = list(csv.DictReader(io.StringIO(done.out), delimiter=separator))
    assert [row["document"] for row in rows] == ["A", "C", "B"]
    assert [float(row["score so far"]) for row in rows] == [1, 50 / 150, 90 / 250]


def test_markdown(call: Command, worked: Worked) -> None:
    done = call("explain", *worked, "--topic", "1", "-m", "SpanP", "-o", "markdown")
    assert done.out.startswith("| rank | document |")
    assert done.out.endswith("\nSpanP of worked on topic 1: 0.3600\n")


def test_tables_show_thirty_ranks_and_programs_get_all(call: Command, write: Write, worked: Worked) -> None:
    long = write("long.txt", "".join(f"1 Q0 A {i} {99 - i} long {i} 1\n" for i in range(1, 41)))
    asked = ("explain", worked[0], long, "--topic", "1", "-m", "SpanR")
    table = call(*asked)
    assert table.notes == ["the first 30 ranks; --first 0 shows all"]
    assert len(table.out.splitlines()) == 2 + 30 + 3
    assert table.out.endswith("SpanR of long on topic 1: 0.4000\n")
    assert call(*asked, "--first", "0").out.count("\n") == 2 + 40 + 3
    assert call(*asked, "--first", "0").err == ""
    assert call(*asked, "--first", "2").out.count("\n") == 2 + 2 + 3
    assert len(json.loads(call(*asked, "-o", "json").out)["rows"]) == 40
    assert len(json.loads(call(*asked, "-o", "json", "--first", "5").out)["rows"]) == 5
    beyond = call(*asked, "--rank", "40")
    assert (beyond.code, beyond.err) == (0, "")
    assert beyond.out.split()[:2] == ["result", "40"]


DOCUMENT = "<article><p>one two three</p><p>four</p></article>"


@pytest.fixture
def with_text(write: Write) -> tuple[str, ...]:
    """A document in which `two three` and `fo` are highlighted, a long one, and their elements as a run."""
    write("docs/A.xml", DOCUMENT)
    write("docs/B.xml", f"<article><p>{'x' * 4500}</p></article>")
    qrels = write("q.qrels", "1 Q0 A 11 17 4 4:9 13:2\n1 Q0 B 0 4500\n")
    run = write(
        "r.txt",
        "1 Q0 A 1 3 r /article[1]/p[1]\n1 Q0 A 2 2 r /article[1]/p[2]\n1 Q0 B 3 1 r /article[1]\n",
    )
    return qrels, run, "--collection", "docs", "--topic", "1"


def test_one_rank_is_a_list_and_its_text_with_marks(call: Command, with_text: tuple[str, ...]) -> None:
    done = call("explain", *with_text, "-m", "SpanP", "--rank", "2")
    assert (done.code, done.err) == (0, "")
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[0] == ["result", "2"]
    assert ["path", "/article[1]/p[2]"] in lines
    assert ["start", "13"] in lines
    assert ["new", "relevant", "2"] in lines
    assert ["score", "so", "far", "0.6471"] in lines  # 11 of 17
    assert done.out.endswith("\n\n[[fo]]ur\n")
    assert call("explain", *with_text, "-m", "SpanP", "--rank", "1").out.endswith("\n\none [[two three]]\n")


def test_a_long_text_is_cut(call: Command, with_text: tuple[str, ...]) -> None:
    done = call("explain", *with_text, "-m", "SpanP", "--rank", "3")
    assert done.out.endswith(f"\n\n{'x' * 4000} … (500 more characters)\n")


def test_one_rank_for_programs_has_no_text(call: Command, with_text: tuple[str, ...]) -> None:
    made = json.loads(call("explain", *with_text, "-m", "SpanP", "--rank", "2", "-o", "json").out)
    assert [row["rank"] for row in made["rows"]] == [2]
    assert made["value"] == pytest.approx(11 / 4517)
    rows = list(
        csv.reader(io.StringIO(call("explain", *with_text, "-m", "SpanP", "--rank", "2", "-o", "csv").out))
    )
    assert len(rows) == 2


def test_text_needs_a_collection(call: Command, worked: Worked) -> None:
    done = call("explain", *worked, "--topic", "1", "-m", "SpanP", "--rank", "1")
    assert done.out.endswith("SpanP of worked on topic 1: 0.3600\n")


def test_grades_derived_from_highlights(call: Command, with_text: tuple[str, ...]) -> None:
    """Specificity of the first paragraph 9 / 13."""
    done = call("explain", *with_text, "-m", "MAep(quant=spec6,overlap=off)", "-o", "json")
    made = json.loads(done.out)
    assert made["rows"][0]["s"] == pytest.approx(9 / 13)
    evaluated = call("evaluate", *with_text[:4], "-m", "MAep(quant=spec6,overlap=off)", "-o", "json")
    assert json.loads(evaluated.out)[0]["value"] == made["value"]


def test_policy_limit_and_campaign_count(call: Command, worked: Worked) -> None:
    asked = ("explain", *worked, "--topic", "1", "-m", "SpanP", "-o", "json")
    assert len(json.loads(call(*asked, "--limit", "2").out)["rows"]) == 2
    assert len(json.loads(call(*asked, "--policy", "limit=1").out)["rows"]) == 1
    official = call(*asked, "--campaign", "inex2009", "--task", "focused")
    assert json.loads(official.out)["value"] == 90 / 250


def test_a_topic_that_the_run_lacks(call: Command, write: Write, worked: Worked) -> None:
    more = write("more.qrels", (Path("worked.qrels").read_text()) + "2 Q0 A 5 100 0 0:5\n")
    done = call("explain", more, worked[1], "--topic", "2", "-m", "MAiP")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("MAiP of worked on topic 2: 0.0000\n")
    made = json.loads(call("explain", more, worked[1], "--topic", "2", "-m", "MAiP", "-o", "json").out)
    assert (made["rows"], made["value"]) == ([], 0)
    none = call("explain", more, worked[1], "--topic", "2", "-m", "MAiP", "--rank", "1")
    assert none.notes == ["worked has 0 ranks on topic 2, not --rank 1."]


def test_an_undefined_score(call: Command, write: Write) -> None:
    asked = (
        "explain",
        write("q", "1 Q0 A 0 100\n"),
        write("r", "1 Q0 A 1 1.0 r 0 50\n"),
        "--topic",
        "1",
        "-m",
    )
    assert call(*asked, "MAiP").out.endswith("MAiP of r on topic 1: undefined\n")
    assert json.loads(call(*asked, "MAiP", "-o", "json").out)["value"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--topic", "9", "-m", "MAiP"), "unknown judged topic '9'. Known: 1."),
        (("--topic", "1", "-m", "MAiP", "--rank", "4"), "worked has 3 ranks on topic 1, not --rank 4."),
        (("--topic", "1", "-m", "MAiP", "--rank", "0"), "Invalid value for '--rank'"),
        (("-m", "MAiP"), "give a topic and a measure: --topic ID and -m NAME."),
        (("--topic", "1"), "give a topic and a measure: --topic ID and -m NAME."),
        (("--topic", "1", "-m", "MAIP"), "unknown measure 'MAIP'; did you mean 'MAiP'?"),
        (("--topic", "1", "-m", "MAep"), "holds no assessed elements, which these measures need"),
        (("--topic", "1", "-m", "MAiP", "-o", "latex"), "unknown output format 'latex'"),
        (("third", "--topic", "1", "-m", "MAiP"), "give judgements and one run"),
        (("--topic", "1", "-m", "MAiP", "--policy", "limit=x"), "limit"),
    ],
)
def test_mistakes_are_one_line(
    call: Command, worked: Worked, arguments: tuple[str, ...], message: str
) -> None:
    done = call("explain", *worked, *arguments)
    assert (done.code, done.out) == (2, "")
    [line] = done.notes
    assert message in line


def test_a_run_of_a_campaign_by_id_or_file(call: Command, handbook: Path) -> None:
    asked = ("--campaign-file", handbook / "campaign.toml", "--task", "focused", "--topic", "2026001")
    by_id = call("explain", "sections", *asked)
    assert by_id.code == 0, by_id.err
    assert "\niP@0.01 of sections on topic 2026001: " in by_id.out  # the task's first measure
    assert call("explain", "focused-sections.txt", *asked) == by_id
    direct = call(
        "explain",
        handbook / "judgements.qrels",
        handbook / "runs/focused-sections.txt",
        *("--topic", "2026001", "-m", "iP@0.01"),
    )
    assert direct.out == by_id.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sections",), "choose a task of"),
        (("sectio", "--task", "focused"), "unknown run of task focused 'sectio'; did you mean 'sections'?"),
        (("a", "b", "--task", "focused"), "with --campaign-file name one run of the task"),
        (("sections", "--task", "focussed"), "did you mean 'focused'?"),
        (("sections", "--task", "focused", "--collection", "x"), "do not give them as well"),
        (("sections", "--task", "focused", "--campaign", "inex2009"), "do not give them as well"),
    ],
)
def test_mistakes_with_a_campaign(
    call: Command, handbook: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = call("explain", *arguments, "--campaign-file", handbook / "campaign.toml", "--topic", "2026001")
    assert (done.code, done.out) == (2, "")
    [line] = done.notes
    assert message in line


@pytest.mark.parametrize(
    ("measure", "column"),
    [("SpanR@2", "in first 2"), ("gP@2", "in first 2"), ("P@2", "in first 2"), ("Unjudged@2", "in first 2")],
)
def test_a_cut_off_is_marked_in_the_table(call: Command, write: Write, measure: str, column: str) -> None:
    qrels = write("q", "1 Q0 A 60 100 0 0:60\n")
    run = write("r", "1 Q0 A 1 3 r 0 50\n1 Q0 B 2 2 r 0 9\n1 Q0 C 3 1 r 0 9\n")
    asked = ("explain", qrels, run, "--topic", "1", "-m", measure, "-o")
    header, _, *rows = call(*asked, "markdown").out.splitlines()
    place = header.split(" | ").index(column)
    assert [row.split(" | ")[place] for row in rows[:3]] == ["yes", "yes", "no"]
    assert column not in call(*asked, "csv").out


def test_without_a_cut_off_nothing_is_marked(call: Command, write: Write) -> None:
    qrels, run = write("q", "1 Q0 A 60 100 0 0:60\n"), write("r", "1 Q0 A 1 3 r 0 50\n")
    for measure in ("SpanR", "MAiP", "iP@0.1", "AP"):
        out = call("explain", qrels, run, "--topic", "1", "-m", measure, "-o", "markdown").out
        assert "in first" not in out.splitlines()[0]


def test_an_order_that_is_not_the_file_s_is_said(call: Command, write: Write) -> None:
    row = '{{"topic": 1, "doc": "A", "start": 0, "end": 9, "score": {}}}\n'
    run = write("r.jsonl", row.format(1) + row.format(2))
    done = call("explain", write("q", "1 Q0 A 60 100 0 0:60\n"), run, "--topic", "1", "-m", "SpanR")
    assert "2 results in 1 topic ranked by score, not in the order of the file: r (2)" in done.notes
