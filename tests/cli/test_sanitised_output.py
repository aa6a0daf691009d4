"""Names with characters that a terminal would obey, a row would end at, or a spreadsheet would run."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import pty
import re
import sys
from pathlib import Path
from typing import Protocol

import pytest

from inexlab.cli.progress import Bars
from inexlab.progress import ProgressStep
from inexlab.report import tables
from inexlab.report.grids import write_grid
from inexlab.report.tables import Grid
from tests.forks import Server

from .conftest import WORKED_QRELS, Command, Write

EVIL = "\x1b]0;owned\x07\x9b31m\u202e"
OURS = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


class Show(Protocol):
    """Runs a command in a terminal, and returns all that it writes there."""

    def __call__(self, *arguments: str, command: str = "inexlab") -> bytes: ...


@pytest.fixture
def in_a_terminal(forks: Server, tmp_path: Path) -> Show:
    """A command in a terminal."""
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}

    def show(*arguments: str, command: str = "inexlab") -> bytes:
        ours, terminal = pty.openpty()
        started = forks.start(command, arguments, tmp_path, environment, [terminal] * 3)
        os.close(terminal)
        shown = b""
        with contextlib.suppress(OSError):  # how a terminal says that nobody writes to it any more
            while piece := os.read(ours, 65536):
                shown += piece
        os.close(ours)
        started.wait()
        return shown

    return show


def jsonl_run() -> str:
    rows = [("A", 3.0, 0, 50), ("C", 2.0, 0, 100), (f"B{EVIL}", 1.0, 0, 100)]
    lines = ({"topic": "1", "doc": d, "score": s, "start": a, "end": b} for d, s, a, b in rows)
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.mark.parametrize("output", ["table", "markdown", "csv", "json"])
@pytest.mark.parametrize("verb", ["evaluate", "check", "explain", "convert", "profile"])
def test_no_control_character_reaches_a_terminal(
    write: Write, in_a_terminal: Show, verb: str, output: str
) -> None:
    write("worked.qrels", WORKED_QRELS)
    write("evil.jsonl", jsonl_run())
    write(f"evil{EVIL}.jsonl", jsonl_run())
    arguments = {
        "evaluate": (
            "evaluate",
            "worked.qrels",
            "evil.jsonl",
            f"evil{EVIL}.jsonl",
            "-m",
            "MAgP",
            "-o",
            output,
        ),
        "check": ("check", "evil.jsonl", f"nothing{EVIL}", "-o", output),
        "explain": ("explain", "worked.qrels", "evil.jsonl", "-m", "iP@0.5", "--topic", "1", "-o", output),
        "convert": ("convert", "evil.jsonl", "--to", "jsonl", "--out", "-"),
        "profile": ("profile", "evil.jsonl", "-o", output),
    }[verb]
    shown = in_a_terminal(*arguments)
    assert shown
    rest = OURS.sub(b"", shown).decode()
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", rest), rest
    assert b"\x1b]" not in shown
    assert "Traceback" not in rest


def test_what_is_meant_for_a_terminal_still_is(in_a_terminal: Show, handbook_index: Path) -> None:
    shown = in_a_terminal("search", str(handbook_index), "target", "-k", "1")
    assert b"\x1b[1m" in shown
    assert b"\x1b[0m" in shown
    assert b"\x1b[" in in_a_terminal("--help")


def test_a_file_has_all_bytes(call: Command, write: Write) -> None:
    write("worked.qrels", WORKED_QRELS)
    write("run\x1b[31m.jsonl", jsonl_run())
    done = call("evaluate", "worked.qrels", "run\x1b[31m.jsonl", "-m", "MAgP", "-o", "csv")
    assert "run\x1b[31m," in done.out


GRID = Grid(
    ["run", "MAgP"],
    [
        ["two\nlines", 0.5],
        ["pipe | and \\| bar", 0.25],
        ["\r\n| forged | row |", 0.1],
        ["esc\x1b[2K\x9b", 0.0],
    ],
)


def test_a_line_end_does_not_end_a_row() -> None:
    markdown = write_grid(GRID, "markdown").splitlines()
    assert len(markdown) == 2 + len(GRID.rows)
    assert all(len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3 for line in markdown)
    assert "two\\nlines" in markdown[2]
    assert "\x1b" not in "".join(markdown)
    latex = write_grid(GRID, "latex").splitlines()
    assert len([line for line in latex if line.endswith(r"\\")]) == 1 + len(GRID.rows)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", "".join(latex))
    table = write_grid(GRID, "table").splitlines()
    assert len(table) == 2 + len(GRID.rows)
    assert "\x1b" not in "".join(table)
    for output, separator in (("csv", ","), ("tsv", "\t")):
        rows = list(csv.reader(io.StringIO(write_grid(GRID, output), newline=""), delimiter=separator))
        assert [row[0] for row in rows] == ["run", *(row[0] for row in GRID.rows)]


FORMULAS = ['=HYPERLINK("http://x")', "+1", "-1+cmd", "@SUM(A1)", "\tx", "\rx"]


@pytest.mark.parametrize("formula", FORMULAS)
def test_csv_for_spreadsheets(formula: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_formulas_as_text", False)
    grid = Grid(["run", "value"], [[formula, -0.5], ["usual=name", 2]])
    as_it_is = list(csv.reader(io.StringIO(write_grid(grid, "csv"), newline="")))
    assert as_it_is == [["run", "value"], [formula, "-0.5"], ["usual=name", "2"]]
    tables.write_formulas_as_text(True)
    safe = list(csv.reader(io.StringIO(write_grid(grid, "csv"), newline="")))
    assert safe == [["run", "value"], [f"'{formula}", "-0.5"], ["usual=name", "2"]]


def test_the_option_for_spreadsheets(call: Command, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_formulas_as_text", False)
    write("worked.qrels", WORKED_QRELS)
    write("=1+1.jsonl", jsonl_run())
    arguments = ("evaluate", "worked.qrels", "=1+1.jsonl", "-m", "MAgP", "-o", "csv")
    assert call(*arguments).out.splitlines()[1].startswith("=1+1,")
    assert call("--formulas-as-text", *arguments).out.splitlines()[1].startswith("'=1+1,")


def test_notes_of_names_with_control_characters(call: Command, write: Write) -> None:
    folder = Path(write(f"docs/evil{EVIL}.xml", "<a>")).parent
    write("docs/good.xml", "<a>words</a>")
    done = call("index", str(folder), "--out", "index")
    assert done.code == 0
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", done.err)
    assert "left out" in done.err


def test_a_note_is_one_line_whatever_names_are_in_it(call: Command, write: Write) -> None:
    """A line end in an id would let a run speak in our name; what turns text round would let it lie."""
    write("worked.qrels", WORKED_QRELS)
    forged = "B\ninexlab: all is well\u202e"
    row = {"topic": "1", "doc": "A", "score": 1.0, "start": 0, "end": 50}
    missing = {"topic": forged, "doc": forged, "score": 1.0, "start": 0, "end": 50}
    write("two\nlines.jsonl", "".join(json.dumps(line) + "\n" for line in (row, row, missing)))
    for verb in (
        ("evaluate", "worked.qrels", "two\nlines.jsonl", "-m", "MAgP"),
        ("check", "two\nlines.jsonl"),
        ("evaluate", "nothing\ninexlab: all is well", "two\nlines.jsonl"),
    ):
        done = call(*verb)
        assert done.err.splitlines()
        assert all(line.startswith("inexlab: ") for line in done.err.splitlines()), done.err
        assert "inexlab: all is well" not in done.err.splitlines()
        assert "\u202e" not in done.err
    explained = call("explain", "worked.qrels", "two\nlines.jsonl", "-m", "MAgP", "--topic", "1")
    assert explained.out.splitlines()[-1].startswith("MAgP(score=F,beta=1) of two\\nlines on topic 1: ")


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_inex_eval_shows_no_control_character(stream: str, write: Write, in_a_terminal: Show) -> None:
    write("q", WORKED_QRELS)
    runs = {"stdout": f"1 Q0 A 1 1 evil{EVIL} 0 50\n", "stderr": "1 Q0\n"}
    write(f"r{EVIL}", runs[stream])
    shown = in_a_terminal("-f", "q", f"r{EVIL}", command="inex_eval")
    assert shown
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", shown.decode()), shown
    assert b"Traceback" not in shown


class Watched(io.StringIO):
    """Standard error where somebody watches."""

    def isatty(self) -> bool:
        return True


def test_progress_names_files_without_what_a_terminal_obeys(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = write(f"[bold]run[/nothing]{EVIL}", "1\n")
    stderr = Watched()
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setenv("TERM", "xterm")
    bars = Bars()
    bars.tell(ProgressStep(f"opening {name}", 1, 2, "documents"))
    bars.show()
    bars.close()
    shown = OURS.sub(b"", stderr.getvalue().encode()).decode()
    assert "[bold]run[/nothing]" in shown.replace("\n", "")
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202e]", shown), shown
