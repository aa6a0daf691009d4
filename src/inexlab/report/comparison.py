"""A comparison in print: systems by mean with their groups, and who beats whom."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from inexlab.report.papers import comparison_table
from inexlab.report.tables import Cell, Grid, to_latex, to_markdown, to_separated, to_terminal
from inexlab.statistics import Comparison, Pair

FORMATS = ("table", "json", "csv", "tsv", "latex", "markdown")
LARGEST_MATRIX = 40


def write_comparisons(
    named: Sequence[tuple[str, Comparison]], output: str, *, top: int = 0, width: int = 100
) -> str:
    """Return several comparisons, each with a title, as text; a single one without a title as it is."""
    if len(named) == 1 and not named[0][0]:
        return write_comparison(named[0][1], output, top=top, width=width)
    if output == "json":
        return json.dumps([{"of": title, **_record(c)} for title, c in named], indent=1) + "\n"
    if output in ("csv", "tsv"):
        rows = ([title, *(_plain(cell) for cell in pair)] for title, c in named for pair in c.pairs())
        return to_separated(rows, ("of", *Pair._fields), "," if output == "csv" else "\t")
    texts = (write_comparison(c, output, top=top, width=width) for _, c in named)
    marks = {"table": "", "markdown": "## ", "latex": "% "}
    return "\n".join(
        f"{marks[output]}{title}\n\n{text}" for (title, _), text in zip(named, texts, strict=True)
    )


def write_comparison(comparison: Comparison, output: str, *, top: int = 0, width: int = 100) -> str:
    """Return the comparison as text; tables for people show the first `top` systems (0: all)."""
    if output == "json":
        return json.dumps(_record(comparison), indent=1) + "\n"
    if output in ("csv", "tsv"):
        rows = ([_plain(cell) for cell in pair] for pair in comparison.pairs())
        return to_separated(rows, Pair._fields, "," if output == "csv" else "\t")
    order = comparison.order()[: top or None]
    grids = [_systems(comparison, order)]
    if len(order) <= LARGEST_MATRIX:
        grids.append(_matrix(comparison, order))
    if output == "latex":
        return "\n".join([comparison_table(comparison, order), *(to_latex(grid) for grid in grids[1:])])
    if output == "markdown":
        return "\n".join(to_markdown(grid) for grid in grids)
    return "\n".join(to_terminal(grid, width) for grid in grids)


def _plain(cell: str | float | bool) -> Cell:
    return str(cell).lower() if isinstance(cell, bool) else None if cell != cell else cell


def _record(comparison: Comparison) -> dict[str, object]:
    means, letters = comparison.matrix.means(), comparison.letters()
    systems = [
        {
            "system": comparison.matrix.systems[s],
            "mean": float(means[s]),
            "low": _finite(float(comparison.mean_low[s])),
            "high": _finite(float(comparison.mean_high[s])),
            "letters": group,
            "wins": int(comparison.better[s].sum()),
            "ties": int((comparison.tested[s] & ~comparison.better[s] & ~comparison.better[:, s]).sum()),
            "losses": int(comparison.better[:, s].sum()),
        }
        for s, group in zip(comparison.order(), letters, strict=True)
    ]
    pairs = [
        {key: _finite(value) if isinstance(value, float) else value for key, value in pair._asdict().items()}
        for pair in comparison.pairs()
    ]
    return {"systems": systems, "pairs": pairs}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _shortened(letters: str) -> str:
    """Write runs of four and more letters as a range: abcdefz is a–fz.

    >>> _shortened("abcdefz"), _shortened("abc"), _shortened("yzAB(ab)")
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


def _systems(comparison: Comparison, order: list[int]) -> Grid:
    means, letters = comparison.matrix.means(), comparison.letters()
    level = f"{100 * (1 - comparison.alpha):g}%"
    rows: list[list[Cell]] = []
    for place, s in enumerate(order):
        wins, losses = int(comparison.better[s].sum()), int(comparison.better[:, s].sum())
        low, high = comparison.mean_low[s], comparison.mean_high[s]
        interval = "–" if math.isnan(low) else f"{low:.4f} … {high:.4f}"
        groups = _shortened(letters[place])
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
