"""Any grid in any of the output formats."""

from __future__ import annotations

import json

from inexlab.errors import UnknownNameError
from inexlab.report.tables import Grid, to_latex, to_markdown, to_separated, to_terminal

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
