"""Any grid in any of the output formats.

Those of other packages come as plug-ins (entry points of the group `inexlab.report.grids`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from inexlab.registry import Registry
from inexlab.report.latex import to_latex
from inexlab.report.tables import Grid, to_markdown, to_separated, to_terminal

Write = Callable[[Grid, int], str]

FORMATS: Registry[Write] = Registry("output format", "inexlab.report.grids")


def grid_format(name: str) -> Callable[[Write], Write]:
    """Register the decorated function, from a grid and the width there is to text, as an output format."""

    def register(write: Write) -> Write:
        return FORMATS.add(name, write)

    return register


def known_format(output: str) -> None:
    """Refuse an unknown format before anything is computed."""
    FORMATS[output]


def write_grid(grid: Grid, output: str, width: int = 10_000) -> str:
    """Return the grid as text; JSON is an array of objects."""
    return FORMATS[output](grid, width)


@grid_format("table")
def _table(grid: Grid, width: int) -> str:
    return to_terminal(grid, width)


@grid_format("json")
def _json(grid: Grid, _width: int) -> str:
    cells = ([None if cell != cell else cell for cell in row] for row in grid.rows)
    rows = [json.dumps(dict(zip(grid.header, row, strict=True))) for row in cells]
    return "[\n" + ",\n".join(rows) + "\n]\n"


@grid_format("csv")
def _csv(grid: Grid, _width: int) -> str:
    return to_separated(iter(grid.rows), grid.header, ",")


@grid_format("tsv")
def _tsv(grid: Grid, _width: int) -> str:
    return to_separated(iter(grid.rows), grid.header, "\t")


@grid_format("latex")
def _latex(grid: Grid, _width: int) -> str:
    return to_latex(grid)


@grid_format("markdown")
def _markdown(grid: Grid, _width: int) -> str:
    return to_markdown(grid)


def write_grids(grids: Sequence[Grid], output: str, width: int = 10_000) -> str:
    """Return several grids as text, for programs as one: a first column `group` has the title of each."""
    if len(grids) == 1 or output not in ("json", "csv", "tsv"):
        return "\n".join(write_grid(grid, output, width) for grid in grids)
    return write_grid(together(grids), output)


def together(grids: Sequence[Grid]) -> Grid:
    """Return several grids as one, with a first column `group` of their titles; a single one as it is."""
    if len(grids) == 1:
        return grids[0]
    header = list(dict.fromkeys(name for grid in grids for name in grid.header))
    records = [
        {"group": grid.title, **dict(zip(grid.header, row, strict=True))}
        for grid in grids
        for row in grid.rows
    ]
    rows = [[record["group"], *(record.get(name) for name in header)] for record in records]
    return Grid(["group", *header], rows)
