"""Any grid in any output format."""

from __future__ import annotations

import csv
import io
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import UnknownNameError
from inexlab.report.grids import FORMATS, write_grid
from inexlab.report.tables import Cell, Grid
from tests.builders import calm

GRID = Grid(["row", "% found", "recall"], [["gen5", 66.66666666666667, 1.0], ["a_b", 0.0, None]])

cells: st.SearchStrategy[Cell] = st.one_of(
    st.text("abc ,;|\"'\t%_ä", max_size=6),
    st.integers(-(10**9), 10**9),
    st.floats(allow_nan=False, allow_infinity=False),
    st.none(),
)


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """Draw a table with any cells, and columns that have different names."""
    header = draw(st.lists(st.text("abc ,\"'", min_size=1, max_size=5), min_size=2, max_size=4, unique=True))
    row = st.lists(cells, min_size=len(header), max_size=len(header))
    return Grid(header, draw(st.lists(row, max_size=4)))


@calm
@given(grids())
def test_json_is_an_array_of_objects_that_keeps_every_cell(grid: Grid) -> None:
    assert json.loads(write_grid(grid, "json")) == [
        dict(zip(grid.header, row, strict=True)) for row in grid.rows
    ]


def test_json_has_an_object_per_line() -> None:
    assert write_grid(GRID, "json") == (
        "[\n"
        '{"row": "gen5", "% found": 66.66666666666667, "recall": 1.0},\n'
        '{"row": "a_b", "% found": 0.0, "recall": null}\n'
        "]\n"
    )


@calm
@given(grids(), st.sampled_from([("csv", ","), ("tsv", "\t")]))
def test_separated_values_keep_every_digit(grid: Grid, kind: tuple[str, str]) -> None:
    output, delimiter = kind
    header, *rows = csv.reader(io.StringIO(write_grid(grid, output), newline=""), delimiter=delimiter)
    assert header == grid.header
    assert len(rows) == len(grid.rows)
    for read, row in zip(rows, grid.rows, strict=True):
        for text, cell in zip(read, row, strict=True):
            if isinstance(cell, float):
                assert math.copysign(1, float(text)) == math.copysign(1, cell)
                assert float(text) == cell
            else:
                assert text == ("" if cell is None else str(cell))


def test_a_terminal_table_shows_four_digits_and_a_dash_for_nothing() -> None:
    header, _rule, *rows = write_grid(GRID, "table").splitlines()
    assert header.split() == ["row", "%", "found", "recall"]
    assert [row.split() for row in rows] == [["gen5", "66.6667", "1.0000"], ["a_b", "0.0000", "–"]]


def test_a_wide_table_stays_upright_unless_a_width_is_given() -> None:
    wide = Grid(["row", *(f"recall of condition {i}" for i in range(30))], [["gen5", *([0.5] * 30)]])
    assert len(write_grid(wide, "table").splitlines()) == 3
    assert len(write_grid(wide, "table", width=80).splitlines()) > 30


def test_markdown() -> None:
    lines = write_grid(GRID, "markdown").splitlines()
    assert lines[0] == "| row | % found | recall |"
    assert lines[2:] == ["| gen5 | 66.6667 | 1.0000 |", "| a_b | 0.0000 | – |"]


def test_latex_escapes_what_latex_minds() -> None:
    lines = write_grid(GRID, "latex").splitlines()
    assert r"\caption{\% found, recall by row.}" in lines
    assert r"\begin{tabular}{lrr}" in lines
    assert r"row & \% found & recall \\" in lines
    assert r"a\_b & 0.0000 & -- \\" in lines
    assert lines[-2:] == [r"\end{tabular}", r"\end{table}"]


@pytest.mark.parametrize("output", FORMATS)
def test_every_format_ends_its_last_line_and_takes_an_empty_table(output: str) -> None:
    assert write_grid(GRID, output).endswith("\n")
    empty = write_grid(Grid(["row", "recall"], []), output)
    assert empty.endswith("\n")
    if output == "json":
        assert json.loads(empty) == []
    else:
        assert "row" in empty


def test_an_unknown_format_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="unknown output format 'jsn'; did you mean 'json'"):
        write_grid(GRID, "jsn")
