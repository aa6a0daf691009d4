"""Wilcoxon's signed rank test, exact and by the normal approximation."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel, blocks
from inexlab.progress import report
from inexlab.statistics.testing import Outcome, Sampling, grain, significance_test
from inexlab.tables import Floats, Ints

_EXACT_UP_TO = 200  # topics: beyond, the distribution costs n³ and the normal one is as good


@significance_test("wilcoxon", "Wilcoxon signed-rank test", odd=False)
def wilcoxon(left: Floats, right: Floats, sampling: Sampling) -> Outcome:
    """Wilcoxon's signed rank test, on whether the larger differences are on one side.

    Topics without a difference are dropped, the others ranked by the size of the difference (ties share
    the mean rank); W = sum of the ranks of positive differences, the statistic. p = P(W >= observed)
    over all assignments of signs to the observed ranks, exact with ties too; with more than 200 topics
    by the normal approximation (`wilcoxon-normal`).

    It assumes differences that are symmetric about their median. At a level of 5% it rejected a true null
    hypothesis in 4.3% of 200,000 simulations with 10 topics, 4.9% with 20, 4.9% with 50 (normal differences).

    Source: Ogilvie and Lalmas (2006) §3, after Hull (1993).
    """
    if left.shape[1] > _EXACT_UP_TO:
        approximate = wilcoxon_normal(left, right, sampling)
        positive = _signed_ranks(left, right)[0]
        return Outcome(positive, approximate.greater, approximate.less)
    tie = grain(left, right)
    outcome = Outcome(*(np.empty(tie.shape) for _ in range(3)))
    for i in range(len(left)):
        ranked = _without_ties(left[i], right, tie[i], outcome, i)
        rest = np.flatnonzero(~ranked)
        if len(rest):
            work = _exact.for_work(60 * left.shape[1] * len(rest))
            for part in blocks(len(rest)):
                some = rest[part]
                found = work(np.ascontiguousarray(left[i : i + 1]), right[some], tie[i : i + 1, some])
                for table, row in zip((outcome.statistic, outcome.greater, outcome.less), found, strict=True):
                    table[i, some] = row[0]
        report("comparing", (i + 1) * len(right), tie.size, "pairs")
    return outcome


def _without_ties(
    one: Floats, others: Floats, tie: Floats, outcome: Outcome, row: int
) -> npt.NDArray[np.bool_]:
    """Fill in a row of the outcome where no two differences tie; return where that is.

    Ranks are whole numbers then, and the distribution of W is known from the number of topics alone.
    """
    difference = one - others
    size = np.abs(difference)
    zero = size <= tie[:, None]
    order = np.argsort(size, axis=1, kind="stable")
    ordered = np.take_along_axis(size, order, axis=1)
    dropped = zero.sum(axis=1)
    later = np.arange(1, size.shape[1])[None, :] > dropped[:, None]  # neither of the two is dropped
    tied = ((np.diff(ordered, axis=1) <= 2 * tie[:, None]) & later).any(axis=1)
    ranked: npt.NDArray[np.bool_] = ~tied
    rank = np.arange(1, size.shape[1] + 1)[None, :] - dropped[:, None]
    positive = (np.take_along_axis(difference, order, axis=1) > 0) & (rank > 0)
    sums = np.where(positive, rank, 0).sum(axis=1)
    for m in np.unique(size.shape[1] - dropped[ranked]).tolist():
        here = np.flatnonzero(ranked & (size.shape[1] - dropped == m))
        at_least, at_most = _tails(m)
        outcome.statistic[row, here] = sums[here]
        outcome.greater[row, here] = at_least[sums[here]]
        outcome.less[row, here] = at_most[sums[here]]
    return ranked


@functools.lru_cache(maxsize=_EXACT_UP_TO + 1)
def _tails(m: int) -> tuple[Floats, Floats]:
    """Return P(W >= w) and P(W <= w) for all w, with m topics and no ties."""
    spread = np.ones(1)
    for rank in range(1, m + 1):
        longer = np.zeros(len(spread) + rank)
        longer[: len(spread)] = 0.5 * spread
        longer[rank:] += 0.5 * spread
        spread = longer
    return np.minimum(1.0, np.cumsum(spread[::-1])[::-1]), np.minimum(1.0, np.cumsum(spread))


@significance_test("wilcoxon-normal", "Wilcoxon signed-rank test (normal approximation)", approximation=True)
def wilcoxon_normal(left: Floats, right: Floats, _sampling: Sampling) -> Outcome:
    """Wilcoxon's signed rank test by the normal approximation, without continuity correction.

    T = Σ R / √(Σ R²) over the signed ranks R of the differences, taken as standard normal; the statistic
    is T. It is the form that Hull gives. At a level of 5% it rejected a true null hypothesis in 5.4% of
    200,000 simulations with 10 topics, 4.9% with 20, 5.0% with 50 (normal differences).

    Source: Hull (1993), as used by Ogilvie and Lalmas (2006) §3.
    """
    from scipy.special import ndtr

    positive, negative, squares = _signed_ranks(left, right)
    some = squares > 0
    statistic = np.divide(positive - negative, np.sqrt(squares), out=np.zeros(positive.shape), where=some)
    return Outcome(statistic, np.where(some, ndtr(-statistic), 1.0), np.where(some, ndtr(statistic), 1.0))


def _signed_ranks(left: Floats, right: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the sums of positive ranks, of negative ranks, and of squared ranks of every pair."""
    work = _rank_sums.for_work(30 * left.shape[1] * len(left) * len(right))
    tie, left, right = grain(left, right), np.ascontiguousarray(left), np.ascontiguousarray(right)
    positive, negative, squares = (np.zeros(tie.shape) for _ in range(3))
    for rows in blocks(len(left)):
        positive[rows], negative[rows], squares[rows] = work(left[rows], right, tie[rows])
        report("comparing", rows.stop * len(right), tie.size, "pairs")
    return positive, negative, squares


@Kernel
def _rank_sums(left: Floats, right: Floats, tie: Floats) -> tuple[Floats, Floats, Floats]:
    # a place for every pair
    positive = np.zeros((len(left), len(right)))
    negative = np.zeros((len(left), len(right)))
    squares = np.zeros((len(left), len(right)))
    for i in range(len(left)):
        for j in range(len(right)):
            differences = left[i] - right[j]
            differences = differences[np.abs(differences) > tie[i, j]]
            ranks, _ = _doubled_ranks(np.abs(differences), tie[i, j])
            for k in range(len(ranks)):
                if differences[k] > 0:
                    positive[i, j] += ranks[k] / 2
                else:
                    negative[i, j] += ranks[k] / 2
                squares[i, j] += (ranks[k] / 2) ** 2
    return positive, negative, squares


@Kernel
def _exact(left: Floats, right: Floats, tie: Floats) -> tuple[Floats, Floats, Floats]:
    # Twice the ranks of m differences, ties or not, add up to m (m + 1): there is room for so many sums, and
    # 0. No more than n differences are left; NaN values are left out with those that are 0.
    n = left.shape[1]
    statistic = np.zeros((len(left), len(right)))
    greater = np.ones((len(left), len(right)))
    less = np.ones((len(left), len(right)))
    # the distribution of 2W without ties, by number of topics, made when first needed
    known = np.zeros((n + 1, n * (n + 1) + 1))
    for i in range(len(left)):
        for j in range(len(right)):
            differences = left[i] - right[j]
            differences = differences[np.abs(differences) > tie[i, j]]
            m = len(differences)
            if m == 0:
                continue
            ranks, tied = _doubled_ranks(np.abs(differences), tie[i, j])
            positive = 0
            for k in range(m):
                if differences[k] > 0:
                    positive += ranks[k]
            total = m * (m + 1)
            if tied:
                spread = _distribution(ranks, total)
            else:
                if known[m, 0] == 0:
                    known[m, : total + 1] = _distribution(ranks, total)
                spread = known[m, : total + 1]
            statistic[i, j] = positive / 2
            greater[i, j] = min(1.0, _added_up(spread[positive:]))
            less[i, j] = min(1.0, _added_up(spread[: positive + 1]))
    return statistic, greater, less


@Kernel
def _added_up(values: Floats) -> float:
    """Return the sum, from first to last: numpy's own adds in another order than compiled code."""
    total = 0.0
    for value in values:
        total += value
    return total


@Kernel
def _doubled_ranks(size: Floats, tie: float) -> tuple[Ints, bool]:
    """Return twice the rank of each size, ties at their mean rank, and whether there are ties.

    Every size has a place, and a group of ties ends before the last one does.
    """
    ranks = np.zeros(len(size), dtype=np.int64)
    order = np.argsort(size)
    tied = False
    at = 0
    while at < len(size):
        stop = at
        while stop + 1 < len(size) and size[order[stop + 1]] - size[order[at]] <= 2 * tie:
            stop += 1
        tied = tied or stop > at
        for k in range(at, stop + 1):
            ranks[order[k]] = at + stop + 2
        at = stop + 1
    return ranks, tied


@Kernel
def _distribution(ranks: Ints, total: int) -> Floats:
    """Return the probabilities of the sums of a random half of the (doubled) ranks.

    `total` is what all ranks add up to, so there is room for every sum.
    """
    spread = np.zeros(total + 1)
    spread[0] = 1.0
    reached = 0
    for rank in ranks:
        reached += rank
        for s in range(reached, -1, -1):
            taken = spread[s - rank] if s >= rank else 0.0
            spread[s] = 0.5 * (spread[s] + taken)
    return spread
