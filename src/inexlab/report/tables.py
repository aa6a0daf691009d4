"""Tables: one grid of cells, written for a terminal, for Markdown, as CSV or TSV; for LaTeX see latex.py."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from inexlab.errors import printable
from inexlab.wording import SUBMITTED as SUBMITTED

Cell = str | int | float | None


@dataclass(frozen=True)
class Grid:
    """A table: a header, rows of the same length, perhaps a title above and notes below."""

    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    notes: Sequence[str] = ()

    def transposed(self) -> Grid:
        """Return the table with rows and columns exchanged; the first column becomes the header."""
        columns = [[name, *(row[i] for row in self.rows)] for i, name in enumerate(self.header)]
        return Grid([shown(cell) for cell in columns[0]], columns[1:], self.title, self.notes)


def with_tasks(grid: Grid, submitted: Mapping[str, str]) -> Grid:
    """Return a table of runs with the task of each next to its name, which is in the first column."""
    rows: list[list[Cell]] = [[row[0], submitted.get(str(row[0])) or None, *row[1:]] for row in grid.rows]
    return Grid([grid.header[0], SUBMITTED, *grid.header[1:]], rows, grid.title, grid.notes)


def to_terminal(grid: Grid, width: int) -> str:
    """Draw the table with the orientation that fits, never cutting a number."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Table

    def draw(grid: Grid) -> tuple[int, str]:
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        for i, name in enumerate(grid.header):
            table.add_column(printable(name), justify="right" if numeric(grid, i) else "left", no_wrap=True)
        for row in grid.rows:
            table.add_row(*(printable(shown(cell)) for cell in row))
        console = Console(width=10**7, file=io.StringIO(), highlight=False, markup=False, emoji=False)
        needed = Measurement.get(console, console.options, table).maximum
        with console.capture() as capture:
            console.print(table, width=needed, crop=False)
        lines = [line.rstrip() for line in capture.get().splitlines()]
        above = f"{grid.title}\n\n" if grid.title else ""
        below = "".join(f"\n{note}\n" for note in grid.notes)
        return needed, above + "\n".join(lines).strip("\n") + "\n" + below

    upright = draw(grid)
    if upright[0] <= width or not grid.rows:
        return upright[1]
    turned = draw(grid.transposed())
    return min(upright, turned)[1]


def to_markdown(grid: Grid) -> str:
    """Write a Markdown table."""
    rows = [[_markdown(shown(cell)) for cell in row] for row in (grid.header, *grid.rows)]
    rules = ["---:" if numeric(grid, i) else "---" for i in range(len(grid.header))]
    title = f"**{grid.title}**\n\n" if grid.title else ""
    notes = "".join(f"\n{note}\n" for note in grid.notes)
    return title + "".join(f"| {' | '.join(line)} |\n" for line in (rows[0], rules, *rows[1:])) + notes


def _markdown(text: str) -> str:
    """Return a text that stays in its cell."""
    return printable(text).replace("\\", "\\\\").replace("|", "\\|") if "|" in text else printable(text)


# what a spreadsheet takes for a formula, and runs
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_formulas_as_text = False


def write_formulas_as_text(wanted: bool) -> None:
    """Choose whether what a spreadsheet would run is written behind an apostrophe, in CSV and TSV."""
    global _formulas_as_text  # noqa: PLW0603 - a choice for all that a command writes
    _formulas_as_text = wanted


def separated_cell(cell: Cell) -> str | int:
    """Return a cell of CSV or TSV: every digit, an empty field for what is not defined."""
    if cell is None:
        return ""
    if isinstance(cell, str) and _formulas_as_text and cell.startswith(_FORMULA):
        return f"'{cell}"
    return repr(cell) if isinstance(cell, float) else cell


def to_separated(rows: Iterator[Sequence[Cell]], header: Sequence[str], separator: str) -> str:
    """Write CSV or TSV with every digit; an undefined number is an empty field."""
    return "".join(separated_line(row, separator) for row in (header, *rows))


def separated_line(cells: Iterable[Cell], separator: str) -> str:
    """Write a line of CSV or TSV."""
    text = io.StringIO()
    # with both characters of its own line ends, Python quotes both wherever else they are
    csv.writer(text, delimiter=separator, lineterminator="\r\n").writerow(map(separated_cell, cells))
    return text.getvalue().removesuffix("\r\n") + "\n"


def shown(cell: Cell) -> str:
    """Return a cell as people read it: four digits, a dash where a value is undefined."""
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)


_NUMBER = re.compile(r"[-+−]?<?(?:\d[\d,.]*|∞)[%*]?")


def numeric(grid: Grid, column: int) -> bool:
    """Whether a column holds numbers, which end in line; texts that are numbers count after the first."""
    cells = [row[column] for row in grid.rows if row[column] is not None]
    if any(not isinstance(cell, str) for cell in cells):
        return True
    return column > 0 and bool(cells) and all(_NUMBER.fullmatch(str(cell)) for cell in cells)


def percent(share: float) -> str:
    """Write a share as people read it; what is not nothing never shows as 0.

    >>> percent(0), percent(0.003), percent(0.126)
    ('0%', '<1%', '13%')
    """
    return "<1%" if 0 < share < 0.01 else f"{100 * share:.0f}%"


def shortened(letters: str) -> str:
    """Write runs of four and more letters as a range: abcdefz is a–fz.

    >>> shortened("abcdefz"), shortened("abc"), shortened("yzAB(ab)")
    ('a–fz', 'abc', 'yzAB(ab)')
    """
    short, at = "", 0
    while at < len(letters):
        end = at
        while letters[at].isalpha() and letters[end + 1 : end + 2] == chr(ord(letters[end]) + 1):
            end += 1
        short += f"{letters[at]}–{letters[end]}" if end - at >= 3 else letters[at : end + 1]
        at = end + 1
    return short
