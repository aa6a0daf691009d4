"""Wilcoxon's signed rank test."""

from __future__ import annotations

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.statistics.testing import Outcome, Sampling, significance_test
from inexlab.tables import Floats, Ints


@significance_test("wilcoxon")
def wilcoxon(left: Floats, right: Floats, _sampling: Sampling) -> Outcome:
    """Wilcoxon's signed rank test, on whether the larger differences are on one side.

    Topics without a difference are dropped, the others ranked by the size of the difference (ties share
    the mean rank); W = sum of the ranks of positive differences, the statistic. p = P(W >= observed)
    over all assignments of signs to the observed ranks, exact with ties too.

    It assumes differences that are symmetric about their median. At a level of 5% it rejected a true null
    hypothesis in 4.1% of 10,000 simulations with 10 topics, 4.9% with 20, 5.2% with 50 (normal differences).

    Source: Ogilvie and Lalmas (2006) §3, after Hull (1993).
    """
    work = _all_pairs.for_work(60 * left.shape[1] * len(left) * len(right))
    return Outcome(*work(np.ascontiguousarray(left), np.ascontiguousarray(right)))


@Kernel
def _all_pairs(left: Floats, right: Floats) -> tuple[Floats, Floats, Floats]:
    n = left.shape[1]
    statistic = np.zeros((len(left), len(right)))
    greater = np.ones((len(left), len(right)))
    less = np.ones((len(left), len(right)))
    # the distribution of 2W without ties, by number of topics, made when first needed
    known = np.zeros((n + 1, n * (n + 1) + 1))
    ranks = np.zeros(n, dtype=np.int64)
    for i in range(len(left)):
        for j in range(len(right)):
            differences = left[i] - right[j]
            differences = differences[differences != 0]
            m = len(differences)
            if m == 0:
                continue
            size = np.abs(differences)
            order = np.argsort(size)
            ties = False
            at = 0
            while at < m:
                stop = at
                while stop + 1 < m and size[order[stop + 1]] == size[order[at]]:
                    stop += 1
                ties = ties or stop > at
                for k in range(at, stop + 1):
                    ranks[order[k]] = at + stop + 2  # twice the mean rank
                at = stop + 1
            positive = 0
            for k in range(m):
                if differences[k] > 0:
                    positive += ranks[k]
            total = m * (m + 1)
            if ties:
                spread = _distribution(ranks[:m], total)
            else:
                if known[m, 0] == 0:
                    known[m, : total + 1] = _distribution(ranks[:m], total)
                spread = known[m, : total + 1]
            statistic[i, j] = positive / 2
            greater[i, j] = min(1.0, spread[positive:].sum())
            less[i, j] = min(1.0, spread[: positive + 1].sum())
    return statistic, greater, less


@Kernel
def _distribution(ranks: Ints, total: int) -> Floats:
    """Return the probabilities of the sums of a random half of the (doubled) ranks."""
    spread = np.zeros(total + 1)
    spread[0] = 1.0
    reached = 0
    for rank in ranks:
        reached += rank
        for s in range(reached, -1, -1):
            taken = spread[s - rank] if s >= rank else 0.0
            spread[s] = 0.5 * (spread[s] + taken)
    return spread
