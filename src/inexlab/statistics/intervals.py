"""Confidence intervals: those of the test itself, or percentiles of resamples where it has none."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from inexlab.scores import Scores
from inexlab.statistics.significance.bootstrap import percentiles_of_differences, resampled_means
from inexlab.statistics.testing import Sampling, significance_tests
from inexlab.tables import Floats


def intervals_of_differences(
    matrix: Scores,
    left: npt.NDArray[np.intp],
    right: npt.NDArray[np.intp],
    test: str,
    alpha: float,
    sampling: Sampling,
) -> tuple[Floats, Floats]:
    """Return confidence intervals of the mean differences."""
    if (own := significance_tests[test].intervals) is not None:
        return own(matrix.values[left], matrix.values[right], alpha)
    means = resampled_means(matrix.values, sampling)
    # of two systems that are both on the left one direction is enough: the other is its mirror
    place_on_left = np.full(len(matrix.systems), len(left))
    place_on_left[left] = np.arange(len(left))
    later = place_on_left[right]
    wanted = later[None, :] > np.arange(len(left))[:, None]
    everyone = np.arange(len(matrix.systems))
    of_left, of_right = (means if np.array_equal(side, everyone) else means[side] for side in (left, right))
    low, high = percentiles_of_differences(of_left, of_right, alpha, wanted)
    place_on_right = np.zeros(len(matrix.systems), dtype=np.intp)
    place_on_right[right] = np.arange(len(right))
    i, j = np.nonzero(wanted & (later < len(left))[None, :])
    mirror = later[j], place_on_right[left[i]]
    low[mirror], high[mirror] = -high[i, j], -low[i, j]
    return low, high


def intervals_of_means(matrix: Scores, test: str, alpha: float, sampling: Sampling) -> tuple[Floats, Floats]:
    """Return confidence intervals of the systems' means."""
    if (own := significance_tests[test].intervals) is not None:
        low, high = own(matrix.values, np.zeros((1, len(matrix.topics))), alpha)
        return low[:, 0], high[:, 0]
    means = resampled_means(matrix.values, sampling)
    zeros = np.zeros((1, means.shape[1]))
    low, high = percentiles_of_differences(means, zeros, alpha, doing="intervals of means")
    return low[:, 0], high[:, 0]
