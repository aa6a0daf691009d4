"""The sign test, exact and by the normal approximation."""

from __future__ import annotations

import numpy as np

from inexlab.progress import report
from inexlab.statistics.testing import Outcome, Sampling, grain, significance_test
from inexlab.tables import Floats


@significance_test("sign", "sign test", odd=False)
def sign(left: Floats, right: Floats, _sampling: Sampling) -> Outcome:
    """The sign test, on how many topics one system is better than the other.

    Topics without a difference are dropped; p = P(X >= wins) for X binomial over the m remaining ones
    with probability ½, exact. The statistic is the number of wins.

    It assumes nothing but independent topics. It is conservative, since it can only reject at some levels:
    at 5% it rejected a true null hypothesis in 1.1% of 200,000 simulations with 10 topics, 2.1% with 20 and
    3.2% with 50.

    Source: Ogilvie and Lalmas (2006) §3, after Hull (1993).
    """
    from scipy.special import bdtrc

    wins, losses = _wins_and_losses(left, right)
    trials = np.maximum(wins + losses, 1).astype(np.int64)
    greater = np.where(wins > 0, bdtrc(np.maximum(wins - 1, 0), trials, 0.5), 1.0)
    less = np.where(losses > 0, bdtrc(np.maximum(losses - 1, 0), trials, 0.5), 1.0)
    return Outcome(wins, greater, less)


@significance_test("sign-normal", "sign test (normal approximation)", approximation=True)
def sign_normal(left: Floats, right: Floats, _sampling: Sampling) -> Outcome:
    """The sign test by the normal approximation, without continuity correction.

    T = (2 · wins - m) / √m over the m topics with a difference, taken as standard normal; the statistic
    is T. It is the form that Hull gives. With few topics it is liberal or conservative by turns, since T
    takes few values: at a level of 5% it rejected a true null hypothesis in 5.6% of 200,000 simulations
    with 10 topics, 5.8% with 20 and 5.9% with 50.

    Source: Hull (1993), as used by Ogilvie and Lalmas (2006) §3.
    """
    from scipy.special import ndtr

    wins, losses = _wins_and_losses(left, right)
    trials = wins + losses
    statistic = np.divide(wins - losses, np.sqrt(trials), out=np.zeros(wins.shape), where=trials > 0)
    greater = np.where(trials > 0, ndtr(-statistic), 1.0)
    return Outcome(statistic, greater, np.where(trials > 0, ndtr(statistic), 1.0))


def _wins_and_losses(left: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Return on how many topics each left system is better than each right one, and worse."""
    tie = grain(left, right)
    wins = np.empty((len(left), len(right)))
    losses = np.empty(wins.shape)
    for i, row in enumerate(left):
        difference = row - right
        wins[i] = (difference > tie[i][:, None]).sum(axis=1)
        losses[i] = (difference < -tie[i][:, None]).sum(axis=1)
        report("comparing", (i + 1) * len(right), wins.size, "pairs")
    return wins, losses
