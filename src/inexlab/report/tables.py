"""Tables: one grid of cells, written for a terminal, for Markdown, for LaTeX, or as CSV and TSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Cell = str | int | float | None


@dataclass(frozen=True)
class Grid:
    """A table: a header, rows of the same length, and perhaps a title."""

    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    title: str = ""

    def transposed(self) -> Grid:
        """Return the table with rows and columns exchanged; the first column becomes the header."""
        columns = [[name, *(row[i] for row in self.rows)] for i, name in enumerate(self.header)]
        return Grid([shown(cell) for cell in columns[0]], columns[1:], self.title)


def to_terminal(grid: Grid, width: int) -> str:
    """Draw the table with the orientation that fits, never cutting a number."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Table

    def draw(grid: Grid) -> tuple[int, str]:
        table = Table(box=SIMPLE_HEAD, title=grid.title or None, title_justify="left", pad_edge=False)
        for i, name in enumerate(grid.header):
            numeric = any(not isinstance(row[i], str | None) for row in grid.rows)
            table.add_column(name, justify="right" if numeric else "left", no_wrap=True)
        for row in grid.rows:
            table.add_row(*(shown(cell) for cell in row))
        console = Console(width=10**7, file=io.StringIO(), highlight=False, markup=False, emoji=False)
        needed = Measurement.get(console, console.options, table).maximum
        with console.capture() as capture:
            console.print(table, width=needed, crop=False)
        lines = [line.rstrip() for line in capture.get().splitlines()]
        return needed, "\n".join(lines).strip("\n") + "\n"

    upright = draw(grid)
    if upright[0] <= width or not grid.rows:
        return upright[1]
    turned = draw(grid.transposed())
    return min(upright, turned)[1]


def to_markdown(grid: Grid) -> str:
    """Write a Markdown table."""
    rows = [[shown(cell).replace("|", "\\|") for cell in row] for row in (grid.header, *grid.rows)]
    lines = [rows[0], ["---", *("---:" for _ in grid.header[1:])], *rows[1:]]
    title = f"**{grid.title}**\n\n" if grid.title else ""
    return title + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def to_latex(grid: Grid) -> str:
    """Write a LaTeX tabular with booktabs rules."""

    def line(cells: Sequence[Cell]) -> str:
        return " & ".join(latex_text(shown(cell)) for cell in cells) + r" \\"

    body = [line(grid.header), r"\midrule", *(line(row) for row in grid.rows)]
    columns = "l" + "r" * (len(grid.header) - 1)
    title = f"% {grid.title}\n" if grid.title else ""
    return (
        "\n".join(
            [title + rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *body, r"\bottomrule", r"\end{tabular}"]
        )
        + "\n"
    )


def to_separated(rows: Iterator[Sequence[Cell]], header: Sequence[str], separator: str) -> str:
    """Write CSV or TSV with every digit; an undefined number is an empty field."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow(
            ["" if cell is None else repr(cell) if isinstance(cell, float) else cell for cell in row]
        )
    return text.getvalue()


def shown(cell: Cell) -> str:
    """Return a cell as people read it: four digits, a dash where there is nothing."""
    if cell is None:
        return "–"
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)


_LATEX = {c: rf"\{c}" for c in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
}


def latex_text(text: str) -> str:
    """Return text with all that LaTeX would obey escaped."""
    return "".join(_LATEX.get(character, "--" if character == "–" else character) for character in text)
