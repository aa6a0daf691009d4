"""Any grid in any of the output formats."""

from __future__ import annotations

import json
from collections.abc import Sequence

from inexlab.errors import UnknownNameError
from inexlab.report.latex import to_latex
from inexlab.report.tables import Grid, to_markdown, to_separated, to_terminal

FORMATS = ("table", "json", "csv", "tsv", "latex", "markdown")


def known_format(output: str) -> None:
    """Refuse an unknown format before anything is computed."""
    if output not in FORMATS:
        raise UnknownNameError("output format", output, FORMATS)


def write_grid(grid: Grid, output: str, width: int = 10_000) -> str:
    """Return the grid as text; JSON is an array of objects."""
    known_format(output)
    if output == "json":
        cells = ([None if cell != cell else cell for cell in row] for row in grid.rows)
        rows = [json.dumps(dict(zip(grid.header, row, strict=True))) for row in cells]
        return "[\n" + ",\n".join(rows) + "\n]\n"
    if output in ("csv", "tsv"):
        return to_separated(iter(grid.rows), grid.header, "," if output == "csv" else "\t")
    if output == "latex":
        return to_latex(grid)
    return to_markdown(grid) if output == "markdown" else to_terminal(grid, width)


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
