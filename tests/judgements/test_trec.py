"""TREC qrels of whole documents: a relevant document is relevant from its first character to its last."""

from __future__ import annotations

from pathlib import Path

import pytest

from inexlab.errors import InputError
from inexlab.judgements import read_judgements, write_judgements
from tests.cli.conftest import Command, Write, call, write

__all__ = ["call", "write"]

QRELS = "1 0 A 1\n1 0 B 0\n2 0 B 2\n2 0 C -1\n"
RUN = "1 Q0 A 1 2.0 r 5 5\n1 Q0 B 2 1.0 r 0 10\n2 Q0 B 1 1.0 r 0 20\n"


@pytest.fixture(autouse=True)
def _documents(write: Write) -> None:
    for name, length in (("A", 10), ("B", 20), ("C", 5)):
        write(f"docs/{name}.xml", f"<a><p>{'x' * length}</p></a>")
    write("qrels", QRELS)
    write("run", RUN)


def test_what_is_read(tmp_path: Path) -> None:
    judged = read_judgements(tmp_path / "qrels")
    assert [(j.topic, j.doc) for j in judged] == [("1", "A"), ("1", "B"), ("2", "B"), ("2", "C")]
    assert [(passage.row, passage.start, passage.end) for passage in judged.passages] == [
        (0, "/", "/"),
        (2, "/", "/"),
    ]
    assert judged.warnings == (
        "1 judged document with a relevance above 1, which measures of text take as 1",
    )


def test_written_as_it_was_read(tmp_path: Path) -> None:
    write_judgements(read_judgements(tmp_path / "qrels"), tmp_path / "again", "trec-qrels")
    assert (tmp_path / "again").read_text() == QRELS


def test_the_whole_text_is_relevant(call: Command, write: Write) -> None:
    """As qrels that highlight everything."""
    write("spans", "1 Q0 A 10 10 0 0:10\n1 Q0 B 0 20\n2 Q0 B 20 20 0 0:20\n2 Q0 C 0 5\n")
    measures = ("-m", "MAiP", "-m", "SpanR@2", "-o", "csv", "-q")
    told = [call("evaluate", file, "run", "--collection", "docs", *measures) for file in ("qrels", "spans")]
    assert told[0].code == 0, told[0].err
    assert told[0].out == told[1].out
    made = call("convert", "qrels", "--to", "qrels-nobep", "--collection", "docs", "--out", "-")
    assert made.out == "1 Q0 A 10 10 0:10\n1 Q0 B 0 20\n2 Q0 B 20 20 0:20\n2 Q0 C 0 5\n"
    base = [
        call("recall-base", file, "--quant", "spec6", "--collection", "docs", "-o", "csv").out
        for file in ("qrels", "spans")
    ]
    assert base[0] == base[1] != ""


@pytest.mark.parametrize(
    "command",
    [
        ("evaluate", "qrels", "run"),
        ("explain", "qrels", "run", "--topic", "1", "-m", "MAiP"),
        ("recall-base", "qrels"),
        ("convert", "qrels", "--to", "qrels", "--out", "-"),
    ],
)
def test_without_lengths_it_is_refused(call: Command, command: tuple[str, ...]) -> None:
    done = call(*command)
    assert (done.code, done.out) == (2, "")
    assert done.notes[-1].startswith("qrels: ")
    assert "Give --collection DIR" in done.notes[-1]


def test_check_reads_it(call: Command) -> None:
    assert call("check", "qrels", "--collection", "docs").code == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 0 D", "qrels, line 5: 3 columns, expected 4"),
        ("1 0 D yes", "qrels, line 5: relevance 'yes' is not a whole number"),
        ("1 0 A 1", "qrels, line 5: document A is judged a second time for topic 1"),
    ],
)
def test_bad_lines(write: Write, tmp_path: Path, line: str, message: str) -> None:
    write("qrels", f"{QRELS}{line}\n")
    with pytest.raises(InputError) as error:
        read_judgements(tmp_path / "qrels")
    assert message in str(error.value)
