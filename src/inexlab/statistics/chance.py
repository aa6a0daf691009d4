"""Agreement beyond chance: Cohen's kappa of two assessors, Krippendorff's alpha of any number.

All functions take counts, as numbers or as arrays of them, and so give a resample's value as easily as one.
"""

from __future__ import annotations

import numpy as np

from inexlab.tables import Floats

Counts = Floats | float


def _ratio(above: Counts, below: Counts) -> Floats:
    """Return a quotient, NaN where there is nothing to divide by."""
    above, below = np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64)
    shape = np.broadcast(above, below).shape
    quotient: Floats = np.divide(
        above, below, out=np.full(shape, np.nan), where=np.broadcast_to(below, shape) > 0
    )
    return quotient


def cohen_kappa(both: Counts, only_a: Counts, only_b: Counts, neither: Counts) -> Floats:
    """Return (p_o - p_e) / (1 - p_e) of two yes-or-no judgements; NaN where both always said the same.

    p_o is the share of things judged alike, p_e what would be if each said yes as often, but at random.

    Of 50 things 20 are relevant to both, 5 to A alone, 10 to B alone: p_o = 35/50, p_e = 25/50 · 30/50 +
    25/50 · 20/50 = 0.5, so kappa = 0.4.

    >>> round(float(cohen_kappa(20, 5, 10, 15)), 4)
    0.4
    """
    both, only_a, only_b, neither = (np.asarray(x, dtype=np.float64) for x in (both, only_a, only_b, neither))
    n = both + only_a + only_b + neither
    a, b = both + only_a, both + only_b
    # all times n², so that constant judgements give exactly 0 below
    expected = a * b + (n - a) * (n - b)
    return _ratio((both + neither) * n - expected, n * n - expected)


def kappa_of_table(table: Floats) -> Floats:
    """Return Cohen's kappa of a square table of counts by category, in the last two axes.

    >>> round(float(kappa_of_table(np.array([[20.0, 5.0], [10.0, 15.0]]))), 4)
    0.4
    """
    n = table.sum(axis=(-2, -1))
    alike = np.trace(table, axis1=-2, axis2=-1)
    expected = (table.sum(axis=-1) * table.sum(axis=-2)).sum(axis=-1)
    return _ratio(alike * n - expected, n * n - expected)


def krippendorff_alpha(ones: Counts, zeros: Counts, disagreement: Counts) -> Floats:
    """Return 1 - D_o / D_e of yes-or-no judgements of units that two or more judged; NaN if all are alike.

    `ones` and `zeros` count all values given; `disagreement` is the sum over units of c (m - c) / (m - 1),
    for a unit to which c of m assessors said yes. With n values in all, D_o = 2 · disagreement / n and
    D_e = 2 · ones · zeros / (n (n - 1)).

    Two assessors and four units, (1, 1), (1, 0), (0, 0), (0, 0): ones 3, zeros 5, disagreement 1, so
    alpha = 1 - (8 - 1) · 1 / (3 · 5) = 8/15.

    >>> round(float(krippendorff_alpha(3, 5, 1)), 4)
    0.5333
    """
    ones, zeros = np.asarray(ones, dtype=np.float64), np.asarray(zeros, dtype=np.float64)
    return 1 - _ratio((ones + zeros - 1) * np.asarray(disagreement, dtype=np.float64), ones * zeros)


def share(part: Counts, whole: Counts) -> Floats:
    """Return a share, NaN of nothing.

    >>> float(share(1, 4)), float(share(0, 0))
    (0.25, nan)
    """
    return _ratio(part, whole)
