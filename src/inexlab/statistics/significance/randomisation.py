"""The randomisation (permutation) test."""

from __future__ import annotations

import numpy as np

from inexlab.statistics.testing import Outcome, Sampling, rounding_error, significance_test
from inexlab.tables import Floats


@significance_test("randomisation", samples=True)
def randomisation(left: Floats, right: Floats, sampling: Sampling) -> Outcome:
    """The randomisation test: how often chance gives as large a difference, if labels mean nothing.

    On each topic the two scores are swapped with probability ½, 10,000 times by default; p = (1 +
    number of times that the difference is at least the observed one) / (1 + 10,000), so never 0. With
    up to 13 topics all swaps are enumerated instead and p is exact. The statistic is the mean
    difference.

    It assumes that under the null hypothesis the labels are exchangeable, and is exact at any number of
    topics.

    Source: Fisher's randomisation test, paired; not in the INEX papers.
    """
    n = left.shape[1]
    exact = 2**n <= sampling.resamples
    if exact:
        signs = 1.0 - 2.0 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1)
    else:
        random = np.random.default_rng(sampling.seed)
        signs = random.choice((-1.0, 1.0), size=(sampling.resamples, n))
    of_left, of_right = left @ signs.T, right @ signs.T
    observed = left.sum(axis=1)[:, None] - right.sum(axis=1)[None, :]
    nothing = rounding_error(left, right)
    greater, less = np.empty(observed.shape), np.empty(observed.shape)
    for i, row in enumerate(of_left):
        difference = row - of_right
        greater[i] = np.count_nonzero(difference >= observed[i][:, None] - nothing, axis=1)
        less[i] = np.count_nonzero(difference <= observed[i][:, None] + nothing, axis=1)
    extra = 0 if exact else 1
    return Outcome(
        observed / n, (greater + extra) / (len(signs) + extra), (less + extra) / (len(signs) + extra)
    )
