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
from inexlab.statistics.testing import Sampling, rounding_error


class Stability(NamedTuple):
    """What became of a test's conclusions over all splits."""

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
    pooled: bool = True,
) -> list[Stability]:
    """Return the error rate of each test, without and with correction, over random halvings of the topics.

    `error_rate` is the share of conclusions on the first half (the smaller one, if topics are odd) with
    a mean difference <= 0 on the second, `self_agreement` the share drawn on the second half too,
    `share` the percentage of pairs of systems found different. NaN where nothing was concluded. Counts
    are pooled over the splits; else rates are means over the splits with a conclusion.
    """
    sampling = sampling or Sampling()
    topics = len(matrix.topics)
    if topics < 4:
        raise UsageError(f"{topics} topics cannot be split; give at least 4.")
    random = np.random.default_rng(sampling.seed)
    orders = [random.permutation(topics) for _ in range(splits)]
    pairs = splits * len(matrix.systems) * (len(matrix.systems) - 1) / 2
    results = []
    for test in dict.fromkeys(tests):
        tallies: dict[str, list[tuple[int, int, int]]] = {correction: [] for correction in corrections}
        for order in orders:
            halves = _part(matrix, order[: topics // 2]), _part(matrix, order[topics // 2 :])
            first, second = (
                compare(half, test=test, correction="none", alpha=alpha, sampling=sampling, intervals=False)
                for half in halves
            )
            means = halves[1].means()
            nothing = rounding_error(halves[1].values, halves[1].values) / topics
            not_positive = means[:, None] - means[None, :] <= nothing
            for correction, tally in tallies.items():
                concluded, repeated = first.corrected(correction).better, second.corrected(correction).better
                errors, again = (concluded & not_positive).sum(), (concluded & repeated).sum()
                tally.append((int(concluded.sum()), int(errors), int(again)))
        for correction, tally in tallies.items():
            drawn, errors, again = (sum(column) for column in zip(*tally, strict=True))
            counted = [(drawn, errors, again)] if pooled else tally
            rates = [(e / d, r / d) for d, e, r in counted if d] or [(float("nan"), float("nan"))]
            error_rate, self_agreement = (float(np.mean(rate)) for rate in zip(*rates, strict=True))
            share = 100 * drawn / pairs
            results.append(Stability(test, correction, drawn, errors, error_rate, self_agreement, share))
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
                matrix if size == topics else _part(matrix, random.permutation(topics)[:size]),
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


def _part(matrix: ScoreMatrix, topics: np.ndarray[tuple[int], np.dtype[np.intp]]) -> ScoreMatrix:
    names = tuple(matrix.topics[t] for t in topics)
    return ScoreMatrix(matrix.systems, names, matrix.values[:, topics], matrix.name)
