"""The command `inexlab check`: what it prints, how it ends, and how it tells runs from judgements."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from pathlib import Path

import pytest

from inexlab.judgements.validate import judgement_rules
from inexlab.runs.validate import run_rules

from .conftest import WORKED_QRELS, WORKED_RUN, Command, Write
from .terminals import in_terminal

DUPLICATE = WORKED_RUN + "1 Q0 A 4 0.5 worked 0 50\n"
OVERLAP = WORKED_RUN + "1 Q0 A 4 0.5 worked 10 50\n"


def test_a_clean_run_says_nothing_on_standard_output(call: Command, worked: tuple[str, str]) -> None:
    done = call("check", *worked)
    assert (done.code, done.out) == (0, "")
    assert done.notes == [
        "checked by the rules that all tasks share; --task adds those of one: worked.txt",
        "2 files checked: nothing found",
    ]


def test_problems_are_printed_with_file_and_line_and_counted(call: Command, write: Write) -> None:
    done = call("check", write("run", DUPLICATE), write("q", WORKED_QRELS.replace("60 100", "61 100")))
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[:2] == [
        "run:4: duplicate: topic 1, result 4: 0:50 of document A is result 1 again",
        "q:1: wrong-total: topic 1, document A: rsize is 61, the passages add up to 60",
    ]
    assert [line.partition(":")[0] for line in lines[3:]] == ["1 × duplicate", "1 × wrong-total"]
    assert done.notes[-1] == "2 files checked: 2 findings, errors"


def test_remarks_are_printed_as_such_and_do_not_fail(call: Command, write: Write) -> None:
    done = call("check", write("run", WORKED_RUN.replace("3 1.0", "3 5.0")))
    assert done.code == 0
    assert done.out.startswith("run:3: remark: score-order: topic 1, result 3: score 5 after score 2\n")
    assert done.notes[-1] == "1 file checked: 1 finding, no errors"


def test_what_cannot_be_read_ends_with_2_and_the_rest_is_still_checked(call: Command, write: Write) -> None:
    done = call(
        "check", "nosuch", write("bad", "1 Q0 A 1 x r 0 5\n1 Q0 A 2 1 r 5 5\n"), write("run", DUPLICATE)
    )
    assert done.code == 2
    assert [line.split(": ")[:2] for line in done.out.splitlines()[:3]] == [
        ["nosuch", "unreadable"],
        ["bad:1", "unreadable"],
        ["run:4", "duplicate"],
    ]
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--task", "focused"), 1),
        (("--task", "Thorough"), 0),
        (("--task", "CO.Focussed"), 1),
        ((), 0),
    ],
)
def test_the_task_chooses_the_rules(
    call: Command, write: Write, arguments: tuple[str, ...], code: int
) -> None:
    assert call("check", write("run", OVERLAP), *arguments).code == code


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give at least one file"),
        (("run", "--task", "focussing"), "unknown task 'focussing'; did you mean 'focused'?"),
        (("run", "-o", "latex"), "unknown output format 'latex'"),
        (("run", "--unit", "bit"), "unknown unit 'bit'"),
        (("run", "--unit", "topics=byte"), "unknown part of --unit 'topics'"),
        (("run", "--unit", "byte"), "--unit needs the texts of the documents: give --collection DIR."),
        (("run", "--collection", "nosuch"), "nosuch: no such folder"),
        (("run", "--judgements", "nosuch"), "nosuch: no such file"),
    ],
)
def test_arguments_that_do_not_fit(
    call: Command, write: Write, arguments: tuple[str, ...], message: str
) -> None:
    write("run", WORKED_RUN)
    done = call("check", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.notes[0].startswith(message)


def test_all_problems_are_shown_and_fewer_on_request(call: Command, write: Write) -> None:
    run = write("run", WORKED_RUN + "1 Q0 A 4 0.5 worked 0 50\n" * 25)
    done = call("check", run, "--first", "10")
    assert done.out.count("run:") == 10
    assert "25 × duplicate (15 not shown): " in done.out
    for every in (call("check", run), call("check", run, "--all")):
        assert every.out.count("run:") == 25
        assert "25 × duplicate: " in every.out


def test_two_files_with_one_run_id(call: Command, write: Write) -> None:
    other = WORKED_RUN.replace("worked", "other")
    assert call("check", write("run", WORKED_RUN), write("other", other), "run").code == 0
    xml = """<inex-submission run-id="worked" participant-id="1" task="" query="">
<topic topic-id="1"><result><file>A</file><path>/a[1]</path><rank>1</rank></result></topic>
</inex-submission>"""
    json_lines = '{"topic": "1", "doc": "A", "start": 0, "end": 5, "score": 1}\n'
    done = call("check", "run", "other", write("run.xml", xml), write("worked.jsonl", json_lines))
    assert done.code == 1
    assert [line for line in done.out.splitlines() if ": same-run-id: " in line] == [
        "run.xml: same-run-id: the run id 'worked' is that of run as well",
        "worked.jsonl: same-run-id: the run id 'worked' is that of run as well",
    ]


def test_formats(call: Command, write: Write) -> None:
    run = write("run", DUPLICATE)
    message = "topic 1, result 4: 0:50 of document A is result 1 again"
    row = {"file": "run", "line": 4, "kind": "duplicate", "severity": "error", "message": message}
    as_json = call("check", run, "-o", "json")
    parsed = json.loads(as_json.out)
    assert parsed["problems"] == [row]
    assert [(c["kind"], c["count"]) for c in parsed["counts"]] == [("duplicate", 1)]
    for output, separator in (("csv", ","), ("tsv", "\t")):
        done = call("check", run, "-o", output)
        assert list(csv.DictReader(io.StringIO(done.out), delimiter=separator)) == [{**row, "line": "4"}]
        assert "1 × duplicate" in done.notes
        assert done.code == as_json.code == 1
    assert f"| run | 4 | duplicate | {message} |" in call("check", run, "-o", "markdown").out
    clean = call("check", write("clean", WORKED_RUN), "-o", "json")
    assert (clean.code, json.loads(clean.out)) == (0, {"problems": [], "counts": []})


def test_kinds_are_listed(call: Command) -> None:
    done = call("check", "--kinds")
    assert done.code == 0
    for name in [*run_rules, *judgement_rules, "unreadable", "too-many-runs"]:
        assert f"{name} (" in done.out
    listed = json.loads(call("check", "--kinds", "-o", "json").out)
    assert len(listed) == 2 + len(list(run_rules)) + len(list(judgement_rules))
    assert set(listed[0]) == {"kind", "in", "severity", "meaning", "remedy"}


def test_the_demo_is_clean(call: Command, tmp_path: Path) -> None:
    assert call("demo", "--out", "demo").code == 0
    runs = sorted(str(path) for path in (tmp_path / "demo/runs").iterdir())
    against = ("--judgements", "demo/judgements.qrels", "--collection", "demo/articles")
    done = call("check", *runs, "demo/judgements.qrels", *against)
    assert (done.code, done.out) == (0, "")


def test_topics_and_lengths_come_from_judgements(
    call: Command, worked: tuple[str, str], write: Write
) -> None:
    qrels, run = worked
    outside = write("outside", WORKED_RUN.replace("0 100", "0 101", 1))
    assert call("check", outside).code == 0
    done = call("check", outside, "--judgements", qrels)
    assert done.out.startswith(
        "outside:2: outside-document: topic 1, result 2: [0, 101) reaches past the end"
    )
    assert call("check", run, "--judgements", qrels).out == ""


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (WORKED_QRELS, "judgements"),
        ("1 Q0 A 0 100\n", "judgements"),
        ("1 Q0 A 5 100 3 0:5\n", "judgements"),
        ('{"topic": "1", "doc": "A", "spans": []}\n', "judgements"),
        ("<assessments topic='1'><file name='A'/></assessments>", "judgements"),
        (WORKED_RUN, "run"),
        ("1 Q0 A 1 1500 r\n", "run"),  # looks like a judgement of the official tool
        ("1 Q0 A 1 1500 r /a[1]\n", "run"),
        ("1 Q0 A 1 1500 7 0 5\n", "run"),
        ('{"topic": "1", "doc": "A", "start": 0, "end": 5}\n', "run"),
        ("<inex-submission run-id='r'><topic topic-id='1'/></inex-submission>", "run"),
    ],
)
def test_runs_and_judgements_are_told_apart(call: Command, write: Write, content: str, kind: str) -> None:
    """What is checked as judgements is never short of results, and the other way round."""
    told = call("check", write("file", content), "--unit", "char", "-o", "json")
    found = {problem["kind"] for problem in json.loads(told.out)["problems"]}
    as_run = any("rules" in note for note in told.notes) or "holds no results" in told.out
    assert as_run == (kind == "run")
    assert found <= {"nothing-relevant", "unreadable"}


def test_a_folder_is_one_set_of_judgements(call: Command, write: Write) -> None:
    write("folder/1.qrels", WORKED_QRELS)
    write("folder/2.qrels", WORKED_QRELS.replace("1 Q0", "2 Q0"))
    assert call("check", "folder").code == 0
    write("folder/3.qrels", WORKED_QRELS)
    done = call("check", "folder", "-o", "csv")
    assert done.code == 1
    assert "3 × judged-twice" in done.notes


def test_standard_input_and_gzip(inexlab: Command, write: Write) -> None:
    assert inexlab("check", "-", stdin=DUPLICATE.encode()).out.startswith("standard input:4: duplicate: ")
    assert inexlab("check", "-", stdin=WORKED_QRELS.encode()).code == 0
    zipped = write("run.gz", gzip.compress(DUPLICATE.encode()))
    assert inexlab("check", zipped).out.startswith("run.gz:4: duplicate: ")
    damaged = inexlab("check", write("cut.gz", gzip.compress(DUPLICATE.encode() * 9)[:-12]))
    assert damaged.code == 2
    assert "unreadable: damaged gzip file" in damaged.out


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no terminals here")
def test_progress_goes_to_the_terminal_and_problems_to_the_file(write: Write, tmp_path: Path) -> None:
    write("run", DUPLICATE)
    code, out, shown = in_terminal("check", "run", folder=tmp_path)
    assert code == 1
    assert out.startswith(b"run:4: duplicate: ")
    assert b"reading run" in shown
    assert b"duplicate" not in shown


# --- offsets that count something else ---------------------------------------------------------------------


@pytest.fixture
def in_bytes(write: Write) -> tuple[str, str]:
    """A campaign whose offsets count bytes: 'ééé abc', highlighted 'abc'."""
    write("docs/A.xml", "<a>ééé abc</a>".encode())
    return write("q", "1 Q0 A 3 10 7 7:3\n"), write("run", "1 Q0 A 1 1 r 7 3\n")


def test_check_suggests_the_unit_that_mends_it(call: Command, in_bytes: tuple[str, str]) -> None:
    done = call("check", *in_bytes, "--collection", "docs")
    assert done.code == 1
    assert "q:1: byte-offsets: " in done.out
    assert "Read the file with --unit byte." in done.out
    assert call("check", *in_bytes, "--collection", "docs", "--unit", "byte").code == 0


@pytest.mark.parametrize(
    ("run", "units"),
    [
        ("1 Q0 A 1 1 r 7 3\n", ("byte",)),
        ("1 Q0 A 1 1 r 4 3\n", ("judgements=byte",)),
        ("1 Q0 A 1 1 r 7 3\n", ("judgements=byte", "runs=byte")),
    ],
)
def test_evaluate_reads_offsets_in_bytes(
    call: Command, write: Write, in_bytes: tuple[str, str], run: str, units: tuple[str, ...]
) -> None:
    qrels, _ = in_bytes
    arguments = [word for unit in units for word in ("--unit", unit)]
    measures = ("-m", "SpanP", "-m", "SpanR", "-m", "ret_size", "-m", "rel_size", "-m", "MAgP(score=BEP,n=5)")
    done = call(
        "evaluate", qrels, write("r", run), "--collection", "docs", *arguments, *measures, "-o", "json"
    )
    assert done.code == 0
    assert [row["value"] for row in json.loads(done.out)] == [1, 1, 3, 3, 1]


def test_evaluate_without_the_unit_scores_what_is_stated(call: Command, in_bytes: tuple[str, str]) -> None:
    done = call("evaluate", *in_bytes, "--collection", "docs", "-m", "SpanP", "-o", "json", "--unit", "char")
    assert json.loads(done.out)[0]["value"] == 1
    refused = call("evaluate", *in_bytes, "-m", "SpanP", "--unit", "byte")
    assert refused.code == 2
    assert refused.notes == ["--unit needs the texts of the documents: give --collection DIR."]


TOPIC_FILE = '<inex-topic-file><topic id="1"><title>bees</title></topic>{}</inex-topic-file>'


class TestTopics:
    """Topics that are asked, judged or not."""

    def test_those_that_nobody_asked(self, call: Command, write: Write) -> None:
        topics = write("topics.xml", TOPIC_FILE.format('<topic id="2"><title>honey</title></topic>'))
        run = write("run", WORKED_RUN + "7 Q0 A 1 1.0 worked 0 5\n7 Q0 A 2 1.0 worked 5 5\n")
        qrels = write("q", WORKED_QRELS + "8 Q0 A 5 100 0 0:5\n")
        done = call("check", run, qrels, "--topics", topics)
        assert done.code == 1
        assert done.out.splitlines()[:3] == [
            "run:4: unknown-topic: topic 7, result 1: no topic 7 in the topic files",
            "run: remark: unanswered-topic: topic 2 has no results",
            "q: unknown-topic: no topic 8 in the topic files",
        ]
        assert done.notes[-1] == "2 files checked: 3 findings, errors"

    def test_all_is_well(self, call: Command, write: Write, worked: tuple[str, str]) -> None:
        topics = write("topics.xml", TOPIC_FILE.format(""))
        assert call("check", *worked, "--topics", topics).notes[-1] == "2 files checked: nothing found"

    def test_judged_topics_without_results_are_said_once(self, call: Command, write: Write) -> None:
        topics = write("topics.xml", TOPIC_FILE.format('<topic id="2"><title>honey</title></topic>'))
        qrels = write("q", WORKED_QRELS + "2 Q0 A 5 100 0 0:5\n")
        done = call("check", write("run", WORKED_RUN), "--topics", topics, "--judgements", qrels)
        assert "missing-topic" in done.out
        assert "unanswered-topic" not in done.out


MANIFEST = """\
topics = ["topics.xml"]
[judgements]
a = "a.qrels"
b = "b.qrels"
[tasks.focused]
measures = ["MAiP"]
runs = ["overlap", "clean"]
[tasks.thorough]
judgements = "b"
measures = ["MAiP"]
runs = ["overlap", "twice"]
[tasks.mine]
measures = ["MAiP"]
runs = ["twice"]
"""


class TestCampaignFile:
    @pytest.fixture
    def manifest(self, write: Write) -> str:
        write("topics.xml", TOPIC_FILE.format(""))
        write("a.qrels", WORKED_QRELS)
        write("b.qrels", WORKED_QRELS.replace("60 100", "61 100"))
        write("clean", WORKED_RUN)
        write("overlap", OVERLAP.replace("worked", "overlapping"))
        write("twice", (DUPLICATE + "9 Q0 A 1 1.0 worked 0 5\n").replace("worked", "repeated"))
        return write("c.toml", MANIFEST)

    def test_judgements_and_runs_by_the_rules_of_their_tasks(self, call: Command, manifest: str) -> None:
        done = call("check", "--campaign-file", manifest, "-o", "csv")
        found = [(row["file"], row["line"], row["kind"]) for row in csv.DictReader(io.StringIO(done.out))]
        assert found == [
            ("b.qrels", "1", "wrong-total"),
            ("overlap", "4", "overlap"),
            ("twice", "4", "duplicate"),
            ("twice", "5", "unknown-topic"),
            ("twice", "", "unjudged-topic"),
        ]
        assert done.code == 1
        assert done.notes[-1] == "5 files checked: 5 findings, errors"
        assert (
            "checked by the rules that all tasks share; --task adds those of one: twice" in done.notes
        )  # `mine` is not a task of INEX

    def test_one_task(self, call: Command, manifest: str) -> None:
        done = call("check", "--campaign-file", manifest, "--task", "focused", "-o", "csv")
        found = [(row["file"], row["kind"]) for row in csv.DictReader(io.StringIO(done.out))]
        assert found == [("overlap", "overlap")]
        assert done.notes[-1] == "3 files checked: 1 finding, errors"

    def test_judgements_that_cannot_be_read(self, call: Command, write: Write, manifest: str) -> None:
        write("a.qrels", "1 Q0 A x 100\n")
        done = call("check", "--campaign-file", manifest, "--task", "focused", "-o", "csv")
        found = [(row["file"], row["kind"]) for row in csv.DictReader(io.StringIO(done.out))]
        assert found == [("a.qrels", "unreadable"), ("overlap", "overlap")]
        assert done.code == 2

    @pytest.mark.parametrize(
        "beside", [("run",), ("--judgements", "q"), ("--collection", "d"), ("--topics", "t"), ("--pool", "1")]
    )
    def test_nothing_stands_beside_it(self, call: Command, manifest: str, beside: tuple[str, ...]) -> None:
        done = call("check", *beside, "--campaign-file", manifest)
        assert (done.code, done.out) == (2, "")
        assert done.notes[0].endswith("do not give them as well.")

    def test_unknown_task(self, call: Command, manifest: str) -> None:
        done = call("check", "--campaign-file", manifest, "--task", "focussed", "-o", "json")
        assert (done.code, done.out) == (2, "")
        assert done.notes[0].startswith("unknown task of c.toml 'focussed'; did you mean 'focused'?")


def test_another_task_under_which_every_error_would_vanish_is_named(call: Command, write: Write) -> None:
    done = call("check", write("nested", OVERLAP), "--task", "focused")
    assert done.code == 1
    assert "every error would vanish under another task; try --task thorough: nested" in done.notes
    again = call("check", "nested", "--task", "thorough")
    assert (again.code, again.notes) == (0, ["1 file checked: nothing found"])


def test_entry_points_are_known_for_best_in_context(call: Command, write: Write) -> None:
    done = call("check", write("run", "1 Q0 A 1 2 r 5\n1 Q0 B 2 1 r 0\n"), "--task", "focused")
    assert done.code == 1
    assert "every error would vanish under another task; try --task best-in-context: run" in done.notes


def test_no_task_is_named_where_none_would_help(call: Command, write: Write) -> None:
    done = call("check", write("run", OVERLAP + "1 Q0 A 5 0.4 worked 0 50\n"), "--task", "focused")
    assert done.code == 1
    assert not any("another task" in note for note in done.notes)
    assert not any("another task" in note for note in call("check", write("twice", DUPLICATE)).notes)


# Participation.


def test_more_runs_of_a_participant_than_a_campaign_allows(call: Command, write: Write) -> None:
    """Participants are those that XML runs state, or that the campaign file names."""

    def run(id: str, participant: str) -> str:
        result = "<result><file>A</file><path>/article[1]</path><rank>1</rank></result>"
        return (
            f'<inex-submission participant-id="{participant}" run-id="{id}" task="Thorough">'
            f'<topic topic-id="1">{result}</topic></inex-submission>\n'
        )

    write("q", "1 Q0 A 60 100 0 0:60\n")
    for id, participant in (("a", "7"), ("b", "7"), ("c", "7"), ("d", "8")):
        write(f"{id}.xml", run(id, participant))
    write("text.txt", "1 Q0 A 1 1 t 0 10\n")
    manifest = """{}
[judgements]
q = "q"
[tasks.thorough]
measures = ["MAiP"]
runs = ["a.xml", "b.xml", "c.xml", "d.xml", {{ file = "text.txt", participant = "8" }}]
[tasks.focused]
measures = ["MAiP"]
runs = ["a.xml", "text.txt"]
"""
    write("c.toml", manifest.format("runs_per_participant = 1"))
    rows = list(csv.DictReader(io.StringIO(call("check", "--campaign-file", "c.toml", "-o", "csv").out)))
    found = [(row["file"], row["message"]) for row in rows if row["kind"] == "too-many-runs"]
    assert found == [
        ("b.xml", "run 2 of participant 7 for thorough; 1 allowed"),
        ("c.xml", "run 3 of participant 7 for thorough; 1 allowed"),
        ("text.txt", "run 2 of participant 8 for thorough; 1 allowed"),
    ]
    assert call("check", "--campaign-file", "c.toml").code == 1
    write("c.toml", manifest.format("runs_per_participant = 3"))
    assert "too-many-runs" not in call("check", "--campaign-file", "c.toml").out
    write("c.toml", manifest.format(""))
    assert "too-many-runs" not in call("check", "--campaign-file", "c.toml").out
