"""Tables: the terminal never cuts a number, Markdown stays well-formed, CSV keeps every digit."""

from __future__ import annotations

import csv
import io
import re

from hypothesis import given
from hypothesis import strategies as st

from inexlab.report.tables import Cell, Grid, to_markdown, to_separated, to_terminal
from tests.builders import calm

SCORES = Grid(
    ["run", "MAiP", "MAgP(score=F,beta=0.25)", "num_ret"],
    [["first", 0.123456, 0.5, 1500], ["second-run", 1.0, None, 7]],
)
_numbers = st.one_of(st.floats(0, 1), st.integers(0, 10**9), st.none())


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """Draw a table of scores: names of runs, then numbers, some undefined."""
    columns = draw(st.integers(1, 6))
    header = ["run", *(f"measure{number}" for number in range(columns))]
    names = draw(st.lists(st.from_regex(r"[A-Za-z0-9_\-.\[\]:]{1,25}", fullmatch=True), max_size=6))
    numbers = st.lists(_numbers, min_size=columns, max_size=columns)
    return Grid(header, [[name, *draw(numbers)] for name in names])


def _shown(cell: Cell) -> str:
    return "–" if cell is None else f"{cell:.4f}" if isinstance(cell, float) else str(cell)


# The terminal.


@calm
@given(grids(), st.integers(1, 200))
def test_every_cell_is_shown_whole_however_narrow_the_terminal(grid: Grid, width: int) -> None:
    words = to_terminal(grid, width).split()
    for cell in [*grid.header, *(cell for row in grid.rows for cell in row)]:
        assert _shown(cell) in words
        words.remove(_shown(cell))
    assert all(set(word) == {"─"} for word in words)


@calm
@given(grids(), st.integers(1, 200))
def test_a_table_is_no_wider_than_the_terminal_where_one_orientation_fits(grid: Grid, width: int) -> None:
    def widest(text: str) -> int:
        return max(map(len, text.splitlines()))

    drawn = widest(to_terminal(grid, width))
    narrowest = widest(to_terminal(grid, 1))
    assert drawn <= max(width, narrowest)


def test_a_table_that_fits_stands_upright() -> None:
    lines = to_terminal(SCORES, 100).splitlines()
    assert lines[0].split() == ["run", "MAiP", "MAgP(score=F,beta=0.25)", "num_ret"]
    assert set(lines[1].strip()) == {"─"}
    assert lines[2].split() == ["first", "0.1235", "0.5000", "1500"]
    assert lines[3].split() == ["second-run", "1.0000", "–", "7"]
    assert len(lines) == 4


def test_a_table_too_wide_is_turned() -> None:
    lines = to_terminal(SCORES, 50).splitlines()
    assert lines[0].split() == ["run", "first", "second-run"]
    assert [line.split() for line in lines[2:]] == [
        ["MAiP", "0.1235", "1.0000"],
        ["MAgP(score=F,beta=0.25)", "0.5000", "–"],
        ["num_ret", "1500", "7"],
    ]


def test_a_table_too_wide_either_way_keeps_the_narrower_one() -> None:
    wide = Grid(["run", "MAiP"], [[f"a-rather-long-name-{number}", 0.5] for number in range(9)])
    assert to_terminal(wide, 10) == to_terminal(wide, 100)


def test_numbers_end_in_line_and_names_begin_in_line() -> None:
    lines = to_terminal(SCORES, 100).splitlines()
    header, first, second = lines[0], lines[2], lines[3]
    assert first.index("first") == second.index("second-run") == header.index("run")
    assert first.index("1500") + 4 == second.index("7") + 1 == header.index("num_ret") + 7


def test_a_table_without_rows_is_its_header() -> None:
    assert to_terminal(Grid(["run", "MAiP"], []), 1).split()[:2] == ["run", "MAiP"]


def test_names_are_text_and_no_mark_up_of_the_terminal() -> None:
    drawn = to_terminal(Grid(["run", "MAiP"], [["[bold]x[/bold]:smile:", 0.5]]), 100)
    assert "[bold]x[/bold]:smile:" in drawn


def test_turning_twice_gives_the_numbers_back() -> None:
    grid = Grid(["run", "a", "b"], [["x", 1, None], ["y", 3, 4]], "scores")
    assert grid.transposed() == Grid(["run", "x", "y"], [["a", 1, 3], ["b", None, 4]], "scores")
    assert grid.transposed().transposed() == grid


def test_a_title_stands_above() -> None:
    titled = Grid(SCORES.header, SCORES.rows, "INEX 2009")
    assert to_terminal(titled, 100).splitlines()[0].strip() == "INEX 2009"
    assert to_markdown(titled) == "**INEX 2009**\n\n" + to_markdown(SCORES)


def test_notes_stand_below() -> None:
    noted = Grid(SCORES.header, SCORES.rows, notes=["few topics"])
    assert to_terminal(noted, 100).splitlines()[-1] == "few topics"
    assert to_markdown(noted) == to_markdown(SCORES) + "\nfew topics\n"


def test_columns_of_text_begin_in_line_and_texts_of_numbers_end_in_line() -> None:
    grid = Grid(["run", "group", "share"], [["a", "abc", "5%"], ["b", "d", "<1%"], ["c", "e", None]])
    assert to_markdown(grid).splitlines()[1] == "| --- | --- | ---: |"
    lines = to_terminal(grid, 100).splitlines()
    assert lines[2].index("abc") == lines[3].index("d")
    assert lines[2].index("%") == lines[3].index("%")


# Markdown.


def test_markdown() -> None:
    assert to_markdown(SCORES) == (
        "| run | MAiP | MAgP(score=F,beta=0.25) | num_ret |\n"
        "| --- | ---: | ---: | ---: |\n"
        "| first | 0.1235 | 0.5000 | 1500 |\n"
        "| second-run | 1.0000 | – | 7 |\n"
    )


@calm
@given(st.lists(st.text("ab|_-", min_size=1), min_size=1, max_size=4))
def test_a_bar_in_a_name_makes_no_column_in_markdown(names: list[str]) -> None:
    rows = to_markdown(Grid(["run", "MAiP"], [[name, 0.5] for name in names])).splitlines()[2:]
    for name, row in zip(names, rows, strict=True):
        cells = [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", row)]
        assert cells == ["", name, "0.5000", ""]


# CSV and TSV.


@calm
@given(
    st.lists(st.tuples(st.text(st.characters(exclude_categories=["C"])), _numbers), max_size=10),
    st.sampled_from([",", "\t"]),
)
def test_separated_values_read_back_exactly(rows: list[tuple[str, Cell]], separator: str) -> None:
    text = to_separated(iter(rows), ("run", "value"), separator)
    header, *read = csv.reader(io.StringIO(text), delimiter=separator)
    assert header == ["run", "value"]
    for (name, value), (read_name, read_value) in zip(rows, read, strict=True):
        assert read_name == name
        if value is None:
            assert read_value == ""
        elif isinstance(value, float):
            assert float(read_value) == value
        else:
            assert int(read_value) == value


def test_separators_and_quotes_in_names_are_quoted() -> None:
    assert to_separated(iter([('a,"b"', 0.1 + 0.2)]), ("run", "value"), ",") == (
        'run,value\n"a,""b""",0.30000000000000004\n'
    )


# Names at the head of columns.


@calm
@given(st.lists(st.text("ab|_-", min_size=1), min_size=1, max_size=4))
def test_a_bar_at_the_head_of_a_column_makes_no_column_in_markdown(names: list[str]) -> None:
    header, rule, row = to_markdown(Grid(["run", *names], [["x", *[0.5] * len(names)]])).splitlines()
    assert len(rule.split("|")) == len(row.split("|")) == len(names) + 3
    cells = [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", header)]
    assert cells == ["", "run", *names, ""]
