"""Correlation of rankings: how far two conditions order the systems alike.

Kendall's tau-b, Yilmaz's tau-AP, Spearman's rho and Pearson's r between the mean scores of the same
systems. Kazai and Lalmas (2005) §7, Tables 1-2; Trotman and Lalmas (2005), Tables 6-7.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from inexlab.errors import UnknownNameError, UsageError
from inexlab.scores import Scores
from inexlab.tables import Floats


def kendall(x: Floats, y: Floats) -> float:
    """Return tau-b: (concordant - discordant) pairs, over pairs not tied in each; NaN for a constant.

    >>> round(kendall(np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4])), 4)
    0.6667
    """
    a, b = (np.sign(v[:, None] - v[None, :]) for v in (x, y))
    size = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum() / size) if size else float("nan")


def tau_ap(x: Floats, y: Floats) -> float:
    """Return tau-AP of y against the truth x: tau that weighs the top of y's ranking more.

    For each system that y does not put first: of the systems that y puts above it, the share that the truth
    puts above it too, less the share it puts below. Of tied systems the mean over all their orders is taken,
    in the truth and in y (tau_ap,a of Urbano and Marrero 2017): a ranking with ties does not fully agree
    with itself. NaN for a constant.

    >>> round(tau_ap(np.array([4.0, 3, 2, 1]), np.array([4.0, 2, 3, 1])), 4)
    0.6667
    """
    if len(x) < 2 or not np.ptp(x) or not np.ptp(y):
        return float("nan")
    above = y[None, :] > y[:, None]  # above[i, j]: y puts j above i
    agreeing = np.where(above, np.sign(x[None, :] - x[:, None]), 0.0).sum(axis=1)
    better = above.sum(axis=1)
    tied = (y[None, :] == y[:, None]).sum(axis=1)  # with itself
    # In a group of t tied systems below a others each is as often at each of the ranks a + 1 … a + t, and so
    # has a … a + t - 1 systems above it. What tied systems say of each other cancels out in the mean.
    harmonic = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, len(y)))))
    first = np.maximum(better, 1)  # those on top have nothing that agrees or disagrees with them
    weight = (harmonic[better + tied - 1] - harmonic[first - 1]) / tied
    return float((agreeing * weight).sum() / (len(x) - 1))


def spearman(x: Floats, y: Floats) -> float:
    """Return Pearson's r of the ranks, ties at their mean rank."""
    return pearson(_ranks(x), _ranks(y))


def pearson(x: Floats, y: Floats) -> float:
    """Return the linear correlation; NaN for a constant."""
    if not np.ptp(x) or not np.ptp(y):
        return float("nan")
    a, b = x - x.mean(), y - y.mean()
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()))


COEFFICIENTS: dict[str, Callable[[Floats, Floats], float]] = {
    "tau": kendall,
    "tau-ap": tau_ap,
    "spearman": spearman,
    "pearson": pearson,
}


def correlations(matrices: Sequence[Scores], coefficient: str = "tau") -> Floats:
    """Return the correlation of every condition (row) with every other (column) over the systems' means."""
    if coefficient not in COEFFICIENTS:
        raise UnknownNameError("coefficient", coefficient, COEFFICIENTS)
    if len(matrices) < 2:
        raise UsageError("there is only one condition; give at least two.")
    if any(m.systems != matrices[0].systems for m in matrices):
        raise UsageError("the conditions score different systems.")
    if len(matrices[0].systems) < 2:
        raise UsageError("there is only one system; a ranking needs at least two.")
    means = [_settled(m.totals()) for m in matrices]
    return np.array([[COEFFICIENTS[coefficient](a, b) for b in means] for a in means])


class Difficulty(NamedTuple):
    """How hard a condition is: mean of the systems' scores, their standard deviation, best and worst."""

    condition: str
    systems: int
    mean: float
    deviation: float
    best: float
    worst: float


def difficulty(matrices: Sequence[Scores], top: int = 0) -> list[Difficulty]:
    """Return the summary of Trotman and Lalmas (2005), Table 7, with n - 1 in the deviation.

    They took the `top` 21 systems of each task, since tasks had different numbers of them; 0 takes all.
    """
    summary = []
    for m in matrices:
        means = np.sort(m.totals())[::-1][: top or None]
        spread = float(means.std(ddof=1)) if len(means) > 1 else float("nan")
        best, worst = float(means[0]), float(means[-1])
        summary.append(Difficulty(m.name, len(means), float(means.mean()), spread, best, worst))
    return summary


def _settled(means: Floats) -> Floats:
    """Return means in which those that differ by rounding alone are equal."""
    scale = np.abs(means).max(initial=0.0) or 1.0
    settled: Floats = np.round(means / scale, 12) * scale
    return settled


def _ranks(x: Floats) -> Floats:
    """Rank values from 1; ties share their mean rank."""
    order = np.argsort(x, kind="stable")
    _, first, counts = np.unique(x[order], return_index=True, return_counts=True)
    ranks = np.empty(len(x))
    ranks[order] = np.repeat(first + (counts + 1) / 2, counts)
    return ranks
