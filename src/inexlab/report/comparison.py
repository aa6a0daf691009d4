"""A comparison in print: systems by mean with their groups, and who beats whom."""

from __future__ import annotations

import json
import math

from inexlab.report.tables import Cell, Grid, to_latex, to_markdown, to_separated, to_terminal
from inexlab.statistics import Comparison, Pair

FORMATS = ("table", "json", "csv", "tsv", "latex", "markdown")
_LARGEST_MATRIX = 40


def write_comparison(comparison: Comparison, output: str, *, top: int = 0, width: int = 100) -> str:
    """Return the comparison as text; tables for people show the first `top` systems (0: all)."""
    if output == "json":
        return _json(comparison)
    if output in ("csv", "tsv"):
        rows = ([_plain(cell) for cell in pair] for pair in comparison.pairs())
        return to_separated(rows, Pair._fields, "," if output == "csv" else "\t")
    order = comparison.order()[: top or None]
    grids = [_systems(comparison, order)]
    if len(order) <= _LARGEST_MATRIX:
        grids.append(_matrix(comparison, order))
    if output == "latex":
        return "\n".join(to_latex(grid) for grid in grids)
    if output == "markdown":
        return "\n".join(to_markdown(grid) for grid in grids)
    return "\n".join(to_terminal(grid, width) for grid in grids)


def _plain(cell: str | float | bool) -> Cell:
    return str(cell).lower() if isinstance(cell, bool) else None if cell != cell else cell


def _json(comparison: Comparison) -> str:
    means, letters = comparison.matrix.means(), comparison.letters()
    systems = [
        {
            "system": comparison.matrix.systems[s],
            "mean": float(means[s]),
            "low": float(comparison.mean_low[s]),
            "high": float(comparison.mean_high[s]),
            "letters": group,
            "wins": int(comparison.better[s].sum()),
            "ties": int((comparison.tested[s] & ~comparison.better[s] & ~comparison.better[:, s]).sum()),
            "losses": int(comparison.better[:, s].sum()),
        }
        for s, group in zip(comparison.order(), letters, strict=True)
    ]
    pairs = [pair._asdict() for pair in comparison.pairs()]
    for pair in pairs:
        pair["statistic"] = pair["statistic"] if math.isfinite(pair["statistic"]) else None
    return json.dumps({"systems": systems, "pairs": pairs}, indent=1) + "\n"


def _systems(comparison: Comparison, order: list[int]) -> Grid:
    means, letters = comparison.matrix.means(), comparison.letters()
    level = f"{100 * (1 - comparison.alpha):g}%"
    rows: list[list[Cell]] = []
    for place, s in enumerate(order):
        wins, losses = int(comparison.better[s].sum()), int(comparison.better[:, s].sum())
        interval = f"{comparison.mean_low[s]:.4f} … {comparison.mean_high[s]:.4f}"
        groups = letters[place] if len(letters[place]) <= 12 else letters[place][:11] + "…"
        system = comparison.matrix.systems[s]
        others = int(comparison.tested[s].sum())
        rows.append([system, float(means[s]), interval, groups, wins, others - wins - losses, losses])
    return Grid(
        ["system", "mean", f"{level} interval", "group", "better than", "no difference", "worse than"], rows
    )


def _matrix(comparison: Comparison, order: list[int]) -> Grid:
    """The stars and dashes of the thesis: `*` where the row is better than the column."""
    names = [str(i + 1) for i in range(len(order))]
    rows: list[list[Cell]] = [
        [
            f"{i + 1} {comparison.matrix.systems[a]}",
            *(_mark(comparison, a, b) for b in order),
        ]
        for i, a in enumerate(order)
    ]
    return Grid(["* row better than column", *names], rows)


def _mark(comparison: Comparison, a: int, b: int) -> str:
    if not comparison.tested[a, b]:
        return ""
    return "*" if comparison.better[a, b] else "-"
