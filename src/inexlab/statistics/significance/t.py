"""Student's paired t-test."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from inexlab.accelerate import blocks
from inexlab.progress import report
from inexlab.statistics.testing import Outcome, Sampling, grain, significance_test
from inexlab.tables import Floats


def mean_and_error(left: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Return mean difference and its standard error for every pair, from products of centred scores.

    Where products cancel to next to nothing, the differences are taken one by one.
    """
    n = left.shape[1]
    mean = left.mean(axis=1)[:, None] - right.mean(axis=1)[None, :]
    a, b = (m - m.mean(axis=1, keepdims=True) for m in (left, right))
    squares = (a * a).sum(axis=1)[:, None] + (b * b).sum(axis=1)[None, :]
    deviation = squares - 2 * (a @ b.T)
    tie = grain(left, right)
    for i, j in zip(*np.nonzero(deviation <= 1e-9 * squares + n * tie**2), strict=True):
        differences = left[i] - right[j]
        flat = np.ptp(differences) <= tie[i, j]
        deviation[i, j] = 0.0 if flat else ((differences - differences.mean()) ** 2).sum()
        if np.abs(differences).max() <= tie[i, j]:
            mean[i, j] = 0.0
    return mean, np.sqrt(deviation / max(1, n - 1) / n)


class PairedT(NamedTuple):
    """All that a t-test of two systems computes: `squares` are the squared deviations, summed up."""

    n: int
    sum: float
    mean: float
    squares: float
    t: float
    p: float

    @property
    def variance(self) -> float:
        """The variance of the differences."""
        return self.squares / max(1, self.n - 1)


def t_test(baseline: Floats, other: Floats) -> PairedT:
    """Test whether the other system is better than the baseline, one-tailed."""
    left, right = other[None, :], baseline[None, :]
    differences, n = other - baseline, len(other)
    _, error = mean_and_error(left, right)
    squares = float(error[0, 0] ** 2 * n * max(1, n - 1))
    outcome = paired_t(left, right, Sampling())
    mean, t, p = float(differences.mean()), float(outcome.statistic[0, 0]), float(outcome.greater[0, 0])
    return PairedT(n, float(differences.sum()), mean, squares, t, p)


def _intervals(left: Floats, right: Floats, alpha: float) -> tuple[Floats, Floats]:
    """Return Student's confidence intervals of the mean differences."""
    mean, error = mean_and_error(left, right)
    reach = critical_t(left.shape[1], alpha / 2) * error
    return mean - reach, mean + reach


def critical_t(topics: int, beyond: float) -> float:
    """Return what t exceeds with this probability, where there is no difference."""
    from scipy.special import stdtrit

    return float(stdtrit(max(1, topics - 1), 1 - beyond))


@significance_test("t", "Student's paired t-test", intervals=_intervals, critical=critical_t, symbol="t")
def paired_t(left: Floats, right: Floats, _sampling: Sampling) -> Outcome:
    """Student's t-test on the differences of paired scores.

    t = mean(D) / (s / √n), with D the differences and s² = Σ (D - mean)² / (n - 1); n - 1 degrees of
    freedom. Where all differences are equal, p is 0 if they are positive, else 1.

    It assumes differences drawn from a normal distribution; with such it holds its level exactly: at 5% it
    rejected a true null hypothesis in 5.0% of 200,000 simulations with 10 topics, 4.9% with 20, 5.0% with 50.
    With skewed differences (exponential, about their mean) it was 1.4%, 1.9% and 2.7% towards the long tail,
    and 13%, 11% and 8.6% away from it.

    Source: Cherukuri (2010), Figure 6; Ogilvie and Lalmas (2006) §3. The "s^2" printed in the former's
    Table 7 is the sum of squared deviations.
    """
    from scipy.special import stdtr

    n = left.shape[1]
    mean, error = mean_and_error(left, right)
    varies = (error > 0) & (n > 1)
    signed = np.where(mean > 0, np.inf, np.where(mean < 0, -np.inf, 0.0))
    t = np.divide(mean, error, out=signed, where=varies)
    greater, less = np.where(mean > 0, 0.0, 1.0), np.where(mean < 0, 0.0, 1.0)
    for rows in blocks(len(left)):
        for p, side in ((greater[rows], -t[rows]), (less[rows], t[rows])):
            stdtr(max(1, n - 1), side, out=p, where=varies[rows])
        report("comparing", rows.stop * len(right), mean.size, "pairs")
    if n == 1:  # one topic says nothing
        greater, less, t = np.ones_like(mean), np.ones_like(mean), np.zeros_like(mean)
    return Outcome(t, greater, less)
