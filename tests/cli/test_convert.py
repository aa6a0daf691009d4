"""`inexlab convert` and `inexlab formats`: from one format to another, saying what was lost."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from inexlab.api.lists import format_rows
from inexlab.runs.write import run_writers

from .conftest import WORKED_QRELS, WORKED_RUN, Command, Write

PATHS = "1 Q0 A 1 2.0 mine /article[1]/p[1]\n1 Q0 A 2 1.0 mine /article[1]/p[2]\n"
SPANS = "1 Q0 A 1 2.0 mine 0 3\n1 Q0 A 2 1.0 mine 3 3\n"
GRADED = (
    '<assessments pool="10" topic="1"><file name="A">'
    '<element path="/article[1]/p[1]" exhaustivity="1" size="3" rsize="3"/></file></assessments>'
)


@pytest.fixture
def docs(write: Write) -> str:
    write("docs/A.xml", "<article><p>one</p><p>two</p></article>")
    return "docs"


def test_a_run_there_and_back(call: Command, write: Write, docs: str, tmp_path: Path) -> None:
    paths = write("paths.txt", PATHS)
    there = call("convert", paths, "--to", "2009-fol", "--out", "spans.txt", "--collection", docs)
    assert (there.code, there.out) == (0, "")
    assert (tmp_path / "spans.txt").read_text() == SPANS
    assert there.notes == [
        "paths.txt: 2 results of 1 topic written as 2009-fol to spans.txt",
        "2 results given by paths are written as text positions: of nested elements with the same text, "
        "which one was meant is lost",
    ]
    back = call("convert", "spans.txt", "--to", "2009", "--out", "back.txt", "--collection", docs)
    assert back.notes == ["spans.txt: 2 results of 1 topic written as 2009 to back.txt"]
    assert (tmp_path / "back.txt").read_text() == PATHS


def test_judgements_there_and_back(call: Command, write: Write, tmp_path: Path) -> None:
    qrels = write("worked.qrels", WORKED_QRELS)
    done = call("convert", qrels, "--to", "jsonl", "--out", "worked.jsonl")
    assert done.notes == ["worked.qrels: 3 judged documents of 1 topic written as jsonl to worked.jsonl"]
    assert call("convert", "worked.jsonl", "--to", "qrels", "--out", "back.qrels").code == 0
    assert (tmp_path / "back.qrels").read_text() == WORKED_QRELS


def test_2005_to_2009_and_back(call: Command, handbook: Path, tmp_path: Path) -> None:
    run = str(handbook / "runs" / "in-context.xml")
    there = call("convert", run, "--to", "2009", "--out", "there.txt")
    assert there.notes[1] == (
        "not kept by format 2009: participant, task, query, topic_fields, description, collections"
    )
    about = ["--about", "participant=0", "--about", "task=RelevantInContext", "--about", "query=automatic"]
    back = call("convert", "there.txt", "--to", "2008", "--out", "back.xml", *about)
    assert len(back.notes) == 1
    again = call("convert", "back.xml", "--to", "2009", "--out", "again.txt")
    assert again.code == 0
    assert (tmp_path / "again.txt").read_bytes() == (tmp_path / "there.txt").read_bytes()
    assert (
        b'task="RelevantInContext" query="automatic" result-type="element"'
        in (tmp_path / "back.xml").read_bytes()
    )


def test_assessments_are_a_folder(call: Command, write: Write, docs: str, tmp_path: Path) -> None:
    qrels = write("j.qrels", "1 Q0 A 3 6 0 0:3\n")
    done = call("convert", qrels, "--to", "assessments-2006", "--out", "assessed", "--collection", docs)
    assert done.code == 0
    assert done.notes[1] == "exhaustivity is not known from highlights: written as 2 for every element"
    back = call("convert", "assessed", "--to", "qrels", "--out", "back", "--collection", docs)
    assert back.code == 0
    assert (tmp_path / "back").read_text() == "1 Q0 A 3 6 0 0:3\n"
    again = call("convert", "assessed", "--to", "assessments-2005", "--out", "assessed")
    assert (again.code, again.out) == (2, "")
    assert "--out assessed is the input itself" in again.err


def test_pools_can_be_chosen(call: Command, write: Write) -> None:
    write("a/10.xml", GRADED)
    write("a/11.xml", GRADED.replace('pool="10"', 'pool="11"').replace('"1" size', '"2" size'))
    assert call("convert", "a", "--to", "trec-qrels", "--out", "-").code == 2
    done = call("convert", "a", "--to", "trec-qrels", "--out", "-", "--pool", "11")
    assert done.code == 0


def test_standard_input_and_output(inexlab: Command) -> None:
    done = inexlab("convert", "-", "--to", "jsonl", "--out", "-", stdin=SPANS.encode())
    assert done.code == 0
    assert [json.loads(line)["start"] for line in done.out.splitlines()] == [0, 3]
    assert done.notes == ["standard input: 2 results of 1 topic written as jsonl to standard output"]
    back = inexlab(
        "convert", "-", "--to", "2009-fol", "--out", "-", "--run-id", "mine", stdin=done.out.encode()
    )
    assert back.out == SPANS
    judged = inexlab("convert", "-", "--to", "jsonl", "--out", "-", stdin=WORKED_QRELS.encode())
    assert json.loads(judged.out.splitlines()[0])["spans"] == [[0, 60]]


def test_a_run_from_standard_input_needs_a_name_for_columns(inexlab: Command) -> None:
    line = b'{"topic": 1, "doc": "A", "start": 0, "end": 3}\n'
    done = inexlab("convert", "-", "--to", "2009-fol", "--out", "-", stdin=line)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "inexlab: standard input: run id 'standard input' has white space or a control character in it, "
        "which separates the columns of a text format. Give another with --run-id.\n"
    )


def test_compressed(call: Command, write: Write, tmp_path: Path) -> None:
    write("run.txt.gz", gzip.compress(SPANS.encode()))
    assert call("convert", "run.txt.gz", "--to", "2009-fol", "--out", "out.gz").code == 0
    assert gzip.decompress((tmp_path / "out.gz").read_bytes()).decode() == SPANS


def test_warnings_of_the_reader_are_said(call: Command, write: Write) -> None:
    qrels = write("odd.qrels", "1 Q0 A 5 6 0 0:3 1:2\n")
    done = call("convert", qrels, "--to", "qrels", "--out", "out")
    assert (
        done.notes[0]
        == "odd.qrels: 1 judged document with overlapping highlights, each character counted once"
    )


def test_fields_that_nothing_knows_are_said(call: Command, write: Write) -> None:
    row = '{"topic": 1, "doc": "A", "spans": [[0, 1]], "bep": 0, "size": 3, "assessor": "x", "time": 7}'
    done = call("convert", write("j.jsonl", row), "--to", "qrels", "--out", "out")
    assert done.notes[1:] == ["who judged is not kept (x)", "not kept of JSON Lines: time"]


# What a file holds.


@pytest.mark.parametrize(
    ("content", "to", "message"),
    [
        (SPANS, "qrels", "f holds a run, and qrels is a format of judgements; for a run choose among"),
        (
            WORKED_QRELS,
            "2009",
            "f holds judgements, and 2009 is a format of runs; for judgements choose among",
        ),
        (GRADED, "trec", "f holds judgements, and trec is a format of runs"),
        ('{"topic": 1, "doc": "A", "spans": []}', "2009-fol", "f holds judgements"),
        ('{"topic": 1, "doc": "A", "start": 1, "end": 2}', "qrels", "f holds a run"),
        ('<inex-submission run-id="r">', "qrels", "f holds a run"),
        ("1 Q0 A 0 9\n", "2009", "f holds judgements"),
        ("1 Q0 A 1 9 7\n", "qrels", "f holds a run"),
        ("1 Q0 A 1 9 7 3 4\n", "qrels", "f holds a run"),
        ("1 Q0 A 5 9 0:5\n", "2009", "f holds judgements"),
    ],
)
def test_runs_and_judgements_are_told_apart(
    content: str, to: str, message: str, call: Command, write: Write, tmp_path: Path
) -> None:
    done = call("convert", write("f", content), "--to", to, "--out", "out")
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert not (tmp_path / "out").exists()


def test_a_forced_reader_decides(call: Command, write: Write) -> None:
    run = write("f", SPANS)
    done = call("convert", run, "--to", "jsonl", "--out", "out", "--input-format", "qrels")
    assert (done.code, done.out) == (2, "")
    assert "f, line 1: rsize" in done.err or "f, line 1: docsize" in done.err
    assert call("convert", run, "--to", "jsonl", "--out", "out", "--input-format", "text").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--to", "2010", "--out", "o"], "unknown format '2010'; did you mean '2009'"),
        (
            ["run", "--to", "2009", "--out", "o", "--input-format", "txt"],
            "unknown input format 'txt'; did you mean",
        ),
        (["run", "--to", "2009-fol", "--out", "run"], "--out run is the input itself"),
        (["run", "--to", "2009-fol", "--out", "no/where"], "cannot be written (No such file or directory)"),
        (
            ["run", "--to", "2009-fol", "--out", "o", "--pool", "1"],
            "--pool is for assessments; run holds a run",
        ),
        (
            ["qrels", "--to", "jsonl", "--out", "o", "--run-id", "x"],
            "are for runs; qrels holds judgements",
        ),
        (["run", "--to", "2009-fol", "--out", "o", "--about", "who=1"], "unknown name for --about 'who'"),
        (["run", "--to", "2009-fol", "--out", "o", "--about", "task"], "write task= and a value"),
        (["run", "--to", "2009", "--out", "o"], "gives results by offset"),
        (["run", "--to", "2009-fol", "--out", "o", "--run-id", "a b"], "run id 'a b' has white space"),
        (["missing", "--to", "2009", "--out", "o"], "missing: no such file"),
        (["run", "--to", "2009", "--out", "o", "--collection", "no"], "no: no such folder or archive"),
        (["run", "--to", "2009"], "--out"),
        (["run", "--out", "o"], "--to"),
        (["empty", "--to", "2009", "--out", "o"], "empty: is empty"),
        (["xml", "--to", "2009", "--out", "o"], "xml: is not a run in a known format"),
        (["xml", "--to", "qrels", "--out", "o"], "xml, line 1: is not judgements in a known format"),
        (["json", "--to", "jsonl", "--out", "o"], "json, line 1: is not JSON"),
    ],
)
def test_bad_commands(
    arguments: list[str], message: str, call: Command, write: Write, tmp_path: Path
) -> None:
    for name, content in (
        ("run", WORKED_RUN),
        ("qrels", WORKED_QRELS),
        ("empty", ""),
        ("xml", "<a/>"),
        ("json", "{"),
    ):
        write(name, content)
    done = call("convert", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert len(done.notes) == 1
    assert sorted(file.name for file in tmp_path.iterdir()) == ["empty", "json", "qrels", "run", "xml"]


# The list.


def test_formats(call: Command) -> None:
    done = call("formats", "-o", "json")
    rows = {(row["of"], row["format"]): row for row in json.loads(done.out)}
    assert {name for kind, name in rows if kind == "runs"} == {
        "2005",
        "2008",
        "2009",
        "2009-fol",
        "2009-bep",
        "trec",
        "jsonl",
    }
    assert {name for kind, name in rows if kind == "judgements"} == {
        "assessments-2002",
        "assessments-2004",
        "assessments-2005",
        "assessments-2006",
        "qrels",
        "qrels-nobep",
        "trec-qrels",
        "jsonl",
        "web-annotation",
    }
    assert {name for kind, name in rows if kind == "pools"} == {"pool-jsonl", "pool-xrai"}
    assert rows["runs", "2009-fol"]["read as"] == "text"
    assert rows["judgements", "trec-qrels"]["read as"] == "trec-qrels"
    assert rows["judgements", "qrels"]["years"] == "2008–2010"
    assert all(row["written"] == "yes" and row["carries"] for row in rows.values())


def test_a_plug_in_that_only_reads_is_listed() -> None:
    writer = run_writers["2005"]
    assert list(format_rows("runs", ["xml", "mine"], [writer])) == [
        ("runs", "2005", "xml", "yes", "2005", writer.carries),
        ("runs", "mine", "mine", "no", None, None),
    ]


def test_formats_as_a_table(call: Command) -> None:
    done = call("formats")
    assert done.code == 0
    assert [line.split()[:2] for line in done.out.splitlines()[2:4]] == [["runs", "2005"], ["runs", "2008"]]
    assert call("formats", "-o", "xls").code == 2
