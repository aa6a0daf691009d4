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

import pytest

from inexlab.report import tables
from inexlab.report.grids import write_grid
from inexlab.report.tables import Grid

from .conftest import WORKED_QRELS, Command, Write

EVIL = "\x1b]0;owned\x07\x9b31m\u202e"
OURS = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


def in_a_terminal(folder: Path, *arguments: str) -> bytes:
    """Run the command in a terminal, and return all that it writes there."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        script = "from inexlab.cli.start import inexlab; inexlab()"
        os.execve(
            sys.executable,
            [sys.executable, "-c", script, *arguments],
            {**os.environ, "TERM": "xterm", "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
        )
    shown = b""
    with contextlib.suppress(OSError):  # how a terminal says that nobody writes to it any more
        while piece := os.read(terminal, 65536):
            shown += piece
    os.close(terminal)
    os.waitpid(child, 0)
    return shown


def jsonl_run() -> str:
    rows = [("A", 3.0, 0, 50), ("C", 2.0, 0, 100), (f"B{EVIL}", 1.0, 0, 100)]
    lines = ({"topic": "1", "doc": d, "score": s, "start": a, "end": b} for d, s, a, b in rows)
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.mark.parametrize("output", ["table", "markdown", "csv", "json"])
@pytest.mark.parametrize("verb", ["evaluate", "check", "explain", "convert", "profile"])
def test_no_control_character_reaches_a_terminal(
    write: Write, tmp_path: Path, verb: str, output: str
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
    shown = in_a_terminal(tmp_path, *arguments)
    assert shown
    rest = OURS.sub(b"", shown).decode()
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", rest), rest
    assert b"\x1b]" not in shown
    assert "Traceback" not in rest


def test_what_is_meant_for_a_terminal_still_is(tmp_path: Path, handbook_index: Path) -> None:
    shown = in_a_terminal(tmp_path, "search", str(handbook_index), "target", "-k", "1")
    assert b"\x1b[1m" in shown
    assert b"\x1b[0m" in shown
    assert b"\x1b[" in in_a_terminal(tmp_path, "--help")


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
