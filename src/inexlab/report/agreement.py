"""Agreement in print: for people as in Tables 3 and 4 of Ogilvie and Lalmas (2006), else a row a pair."""

from __future__ import annotations

import math
from collections.abc import Sequence

from inexlab.report.grids import write_grid
from inexlab.report.tables import Cell, Grid
from inexlab.statistics.agreement import Agreement
from inexlab.tables import Floats


def write_agreement(groups: Sequence[tuple[str, Agreement]], output: str, width: int = 10_000) -> str:
    """Return the agreement of one or several groups of conditions, each with a title, as text.

    For people: recall, then F1; the row predicts the column, with the percentage of pairs it found.
    For programs: one record for each pair of conditions, with precision as well.
    """
    if output in ("table", "latex", "markdown"):
        grids = [
            _square(f"{title}{': ' if title else ''}{what}", agreement, values, captioned=output == "latex")
            for title, agreement in groups
            for what, values in (("recall", agreement.recall), ("F1", agreement.f1))
        ]
        return "\n".join(write_grid(grid, output, width) for grid in grids)
    return write_grid(agreement_records(groups), output)


def agreement_records(groups: Sequence[tuple[str, Agreement]]) -> Grid:
    """Return one record for each pair of conditions; of several groups, with the title of each."""
    several = len(groups) > 1
    header = [*(["group"] if several else []), "row", "column", "found", "recall", "precision", "F1"]
    rows = [
        [*([title] if several else []), *record]
        for title, agreement in groups
        for record in _records(agreement)
    ]
    return Grid(header, rows)


def _square(title: str, agreement: Agreement, values: Floats, *, captioned: bool) -> Grid:
    rows: list[list[Cell]] = [
        [f"{name} – {share:.0f}%", *(None if math.isnan(v) else f"{v:.2f}" for v in row)]
        for name, share, row in zip(
            agreement.conditions, agreement.share.tolist(), values.tolist(), strict=True
        )
    ]
    caption = f"{title}; the row, with the percentage of pairs that it finds different, predicts the column"
    return Grid([title, *agreement.conditions], rows, caption if captioned else "", agreement.warnings)


def _records(agreement: Agreement) -> list[list[Cell]]:
    tables = (agreement.recall, agreement.precision, agreement.f1)
    return [
        [
            row,
            column,
            float(agreement.share[r]),
            *(None if math.isnan(t[r, c]) else float(t[r, c]) for t in tables),
        ]
        for r, row in enumerate(agreement.conditions)
        for c, column in enumerate(agreement.conditions)
        if r != c
    ]
