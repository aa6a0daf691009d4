"""An explanation in print: the rows a score is made of, and the figures that lead to it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from inexlab.errors import UnknownNameError, printable
from inexlab.measures import Explanation
from inexlab.report.grids import write_grid
from inexlab.report.tables import Cell, Grid
from inexlab.spans import Span, intersection

FORMATS = ("table", "json", "csv", "tsv", "markdown")
_TEXT_SHOWN = 4_000


def write_explanation(explanation: Explanation, output: str, *, rank: int = 0) -> str:
    """Return the explanation as text; with a `rank` only that row, in a terminal as a list."""
    if output not in FORMATS:
        raise UnknownNameError("output format", output, FORMATS)
    rows = explanation.rows()
    rows = [rows[rank - 1]] if rank else rows
    if output == "json":
        return json.dumps(_record(explanation, rows), indent=1, ensure_ascii=False) + "\n"
    grid = Grid(list(explanation.columns), [list(row.values()) for row in rows])
    if output in ("csv", "tsv"):
        return write_grid(grid, output)
    if rank:
        grid = Grid(
            [explanation.by, str(rank)], [[name, cell] for name, cell in rows[0].items() if name != "rank"]
        )
    else:
        grid = _for_people(grid)
    return write_grid(grid, output) + "\n" + _ending(explanation)


_PATH_SHOWN = 34


def _for_people(grid: Grid) -> Grid:
    """Leave out offsets where there are paths, and the beginning of long paths."""
    if "path" not in grid.header:
        return grid
    places = [i for i, name in enumerate(grid.header) if name not in ("start", "end")]
    path = grid.header.index("path")
    rows = [
        [
            f"…{cell[-_PATH_SHOWN:]}" if i == path and len(cell := str(row[i])) > _PATH_SHOWN else row[i]
            for i in places
        ]
        for row in grid.rows
    ]
    return Grid([grid.header[i] for i in places], rows)


def _record(explanation: Explanation, rows: Sequence[dict[str, Cell]]) -> dict[str, object]:
    return {
        "run": explanation.run,
        "topic": explanation.topic,
        "measure": str(explanation.measure),
        "value": None if math.isnan(explanation.value) else explanation.value,
        "by": explanation.by,
        "rows": rows,
        "steps": dict(explanation.steps),
    }


def _ending(explanation: Explanation) -> str:
    """Say with which figures the number itself comes about."""
    lines = [f"{name}: {value:,.10g}" for name, value in explanation.steps]
    value = "undefined" if math.isnan(explanation.value) else f"{explanation.value:.4f}"
    whose = printable(f"{explanation.run} on topic {explanation.topic}")
    return "\n".join([*lines, f"{explanation.measure} of {whose}: {value}"]) + "\n"


def marked_text(
    text: str, span: Span, highlights: Sequence[Span], marks: tuple[str, str] = ("[[", "]]")
) -> str:
    """Return a result's text with what is highlighted in it between marks; a long text is cut.

    >>> marked_text("one two three", Span(0, 7), [Span(4, 13)])
    'one [[two]]'
    """
    stop = min(span.end, span.start + _TEXT_SHOWN, len(text))
    shown, at = [], span.start
    for start, end in intersection([Span(span.start, stop)], highlights):
        shown += [text[at:start], marks[0], text[start:end], marks[1]]
        at = end
    cut = f" … ({span.end - stop:,} more characters)" if stop < min(span.end, len(text)) else ""
    return "".join([*shown, text[at:stop]]) + cut
