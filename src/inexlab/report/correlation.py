"""Correlations in print: a square of conditions, or the mean of several squares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from inexlab.report.tables import Cell, Grid
from inexlab.tables import Floats
from inexlab.wording import counted


def correlation_grid(title: str, coefficient: str, names: Sequence[str], squares: Sequence[Floats]) -> Grid:
    """Return the mean of tables of correlations; an undefined one is left out of it."""
    stacked = np.array(squares)
    counts = (~np.isnan(stacked)).sum(axis=0)
    mean = np.divide(np.nansum(stacked, axis=0), counts, out=np.full(counts.shape, np.nan), where=counts > 0)
    rows: list[list[Cell]] = [
        [name, *(None if v != v else v for v in row)] for name, row in zip(names, mean.tolist(), strict=True)
    ]
    return Grid([coefficient, *names], rows, title)


def counts_note(coefficient: str, systems: Sequence[int], squares: int) -> str:
    """Say over how many systems, and over how many tables, correlations are."""
    least, most = min(systems), max(systems)
    counts = f"{least}" if least == most else f"{least} to {most}"
    over = f", mean of {squares}" if squares > 1 else ""
    return f"{coefficient} over {counts} systems{over}"


def undefined_note(names: Sequence[str], squares: Sequence[Floats]) -> str:
    """Say where fewer correlations than there are tables went into a mean: the worst pair, and how many."""
    counts = (~np.isnan(np.array(squares))).sum(axis=0)
    pairs = [(int(counts[i, j]), i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
    lacking = [pair for pair in pairs if pair[0] < len(squares)]
    if not lacking or len(squares) < 2:
        return ""
    fewest, i, j = min(lacking)
    return (
        f"undefined correlations are left out of means, in {len(lacking)} of {counted(len(pairs), 'pair')}; "
        f"fewest defined: {fewest} of {len(squares)}, {names[i]} with {names[j]}"
    )
