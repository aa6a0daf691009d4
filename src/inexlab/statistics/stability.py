"""Stability of a test: would its conclusions hold on other topics? Ogilvie and Lalmas (2006) §3.3.2.

The topics are split in two at random, many times. What the test concludes on the first half is checked
on the second: a conclusion whose difference is not positive there is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from inexlab.errors import UsageError
from inexlab.statistics.comparison import compare
from inexlab.statistics.matrix import ScoreMatrix
from inexlab.statistics.testing import Sampling


class Stability(NamedTuple):
    """What became of a test's conclusions over all splits, pooled."""

    test: str
    correction: str
    rejections: int
    errors: int
    error_rate: float
    self_agreement: float
    share: float


def stability(
    matrix: ScoreMatrix,
    tests: Sequence[str],
    corrections: Sequence[str] = ("none", "by"),
    *,
    splits: int = 50,
    alpha: float = 0.05,
    sampling: Sampling | None = None,
) -> list[Stability]:
    """Return the error rate of each test, without and with correction, over random halvings of the topics.

    `error_rate` is the share of conclusions on the first half (the smaller one, if topics are odd) with
    a mean difference <= 0 on the second, `self_agreement` the share drawn on the second half too,
    `share` the percentage of pairs of systems found different. NaN where nothing was concluded.
    """
    sampling = sampling or Sampling()
    topics = len(matrix.topics)
    if topics < 4:
        raise UsageError(f"{topics} topics cannot be split; give at least 4.")
    random = np.random.default_rng(sampling.seed)
    orders = [random.permutation(topics) for _ in range(splits)]
    results = []
    for test in tests:
        for correction in corrections:
            drawn = errors = again = 0
            for order in orders:
                first, second = _half(matrix, order[: topics // 2]), _half(matrix, order[topics // 2 :])
                concluded, repeated = (
                    compare(
                        half,
                        test=test,
                        correction=correction,
                        alpha=alpha,
                        sampling=sampling,
                        intervals=False,
                    ).better
                    for half in (first, second)
                )
                means = second.means()
                drawn += int(concluded.sum())
                errors += int((concluded & (means[:, None] - means[None, :] <= 0)).sum())
                again += int((concluded & repeated).sum())
            pairs = splits * len(matrix.systems) * (len(matrix.systems) - 1) / 2
            rates = (errors / drawn, again / drawn) if drawn else (float("nan"), float("nan"))
            results.append(Stability(test, correction, drawn, errors, *rates, 100 * drawn / pairs))
    return results


def growth(
    matrix: ScoreMatrix,
    test: str,
    correction: str = "by",
    *,
    sizes: Sequence[int] = (),
    samples: int = 20,
    alpha: float = 0.05,
    sampling: Sampling | None = None,
) -> list[tuple[int, float]]:
    """Return how the percentage of pairs found different grows with the number of topics, drawn at random."""
    sampling = sampling or Sampling()
    topics = len(matrix.topics)
    random = np.random.default_rng(sampling.seed)
    pairs = len(matrix.systems) * (len(matrix.systems) - 1) / 2
    grown = []
    if any(not 0 < size <= topics for size in sizes):
        raise UsageError(f"there are {topics} topics; samples cannot have more, or none.")
    for size in sizes or [*range(5, topics, 5), topics]:
        draws = 1 if size == topics else samples
        found = [
            compare(
                matrix if size == topics else _half(matrix, random.permutation(topics)[:size]),
                test=test,
                correction=correction,
                alpha=alpha,
                sampling=sampling,
                intervals=False,
            ).better.sum()
            for _ in range(draws)
        ]
        grown.append((size, float(100 * np.mean(found) / pairs)))
    return grown


def _half(matrix: ScoreMatrix, topics: np.ndarray[tuple[int], np.dtype[np.intp]]) -> ScoreMatrix:
    names = tuple(matrix.topics[t] for t in topics)
    return ScoreMatrix(matrix.systems, names, matrix.values[:, topics], matrix.name)
