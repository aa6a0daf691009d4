"""Stability of a test: would its conclusions hold on other topics? Ogilvie and Lalmas (2006) §3.3.2.

The topics are split in two at random, many times. What the test concludes on the first half is checked
on the second: a conclusion whose difference is not positive there is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inexlab.errors import UsageError
from inexlab.progress import report, reporting
from inexlab.scores import Scores
from inexlab.statistics.caveats import FEWEST_TOPICS, few_topics_warning
from inexlab.statistics.comparison import compare
from inexlab.statistics.testing import Sampling, rounding_error
from inexlab.wording import counted


class Stability(NamedTuple):
    """What became of a test's conclusions over all splits."""

    test: str
    correction: str
    rejections: int
    errors: int
    error_rate: float
    self_agreement: float
    share: float


COLUMNS = {
    "test": "the significance test",
    "correction": "how it was corrected for many hypotheses",
    "rejections": "conclusions (one system better than another) on the first halves of all splits",
    "errors": "those of them whose mean difference on the second half is not positive",
    "error_rate": "errors / rejections; undefined without rejections",
    "self_agreement": "the share of the rejections that the test repeats on the second half",
    "share": "% of the pairs of systems found different on the first halves",
}
GROWTH_COLUMNS = {
    "topics": "how many topics were drawn at random",
    "% significant": "% of the pairs of systems found different on that many topics, mean of the draws",
}


def halves_warning(topics: int, fewest_topics: int = FEWEST_TOPICS) -> str:
    """Return what to say of tests on halves of so many topics; nothing if there are enough.

    >>> halves_warning(12)
    'halves of 6 topics: too few for any test to say much'
    """
    warning = few_topics_warning(topics // 2, fewest_topics)
    return f"halves of {warning}" if warning else ""


def stability(
    matrix: Scores,
    tests: Sequence[str],
    corrections: Sequence[str] = ("none", "by"),
    *,
    splits: int = 50,
    alpha: float = 0.05,
    sampling: Sampling | None = None,
    pooled: bool = True,
    fewest_topics: int = FEWEST_TOPICS,
) -> list[Stability]:
    """Return the error rate of each test, without and with correction, over random halvings of the topics.

    `error_rate` is the share of conclusions on the first half (the smaller one, if topics are odd) with
    a mean difference <= 0 on the second, `self_agreement` the share drawn on the second half too,
    `share` the percentage of pairs of systems found different. NaN if nothing was concluded. Counts
    are pooled over the splits; else rates are means over the splits with a conclusion. Halves of fewer than
    `fewest_topics` topics allow no conclusion (see `halves_warning`). `COLUMNS` explains the fields.
    """
    sampling = sampling or Sampling()
    topics = len(matrix.topics)
    if topics < 4:
        raise UsageError(f"{counted(topics, 'topic')} cannot be split; give at least 4.")
    random = np.random.default_rng(sampling.seed)
    orders = [random.permutation(topics) for _ in range(splits)]
    pairs = splits * len(matrix.systems) * (len(matrix.systems) - 1) / 2
    halved = [(_part(matrix, order[: topics // 2]), _part(matrix, order[topics // 2 :])) for order in orders]
    contrary = [_not_positive(second) for _, second in halved]
    results = []
    chosen = list(dict.fromkeys(tests))
    for number, test in enumerate(chosen):
        tallies: dict[str, list[tuple[int, int, int]]] = {correction: [] for correction in corrections}
        for split, (halves, not_positive) in enumerate(zip(halved, contrary, strict=True), start=1):
            first, second = (
                compare(
                    half,
                    test=test,
                    correction="none",
                    alpha=alpha,
                    sampling=sampling,
                    intervals=False,
                    fewest_topics=fewest_topics,
                )
                for half in halves
            )
            for correction, tally in tallies.items():
                concluded, repeated = first.corrected(correction).better, second.corrected(correction).better
                errors, again = (concluded & not_positive).sum(), (concluded & repeated).sum()
                tally.append((int(concluded.sum()), int(errors), int(again)))
            report("splitting topics", number * splits + split, len(chosen) * splits, "splits")
        for correction, tally in tallies.items():
            drawn, errors, again = (sum(column) for column in zip(*tally, strict=True))
            tallied = [(drawn, errors, again)] if pooled else tally
            rates = [(e / d, r / d) for d, e, r in tallied if d] or [(float("nan"), float("nan"))]
            error_rate, self_agreement = (float(np.mean(rate)) for rate in zip(*rates, strict=True))
            share = 100 * drawn / pairs
            results.append(Stability(test, correction, drawn, errors, error_rate, self_agreement, share))
    return results


def _not_positive(half: Scores) -> npt.NDArray[np.bool_]:
    """Return for which ordered pairs the mean difference is not positive, but for rounding."""
    means = half.totals()
    nothing = rounding_error(half.values, half.values) / len(half.topics)
    found: npt.NDArray[np.bool_] = means[:, None] - means[None, :] <= nothing
    return found


def growth(
    matrix: Scores,
    test: str,
    correction: str = "by",
    *,
    sizes: Sequence[int] = (),
    samples: int = 20,
    alpha: float = 0.05,
    sampling: Sampling | None = None,
    fewest_topics: int = FEWEST_TOPICS,
) -> list[tuple[int, float]]:
    """Return how the percentage of pairs found different grows with the number of topics, drawn at random."""
    sampling = sampling or Sampling()
    topics = len(matrix.topics)
    random = np.random.default_rng(sampling.seed)
    pairs = len(matrix.systems) * (len(matrix.systems) - 1) / 2
    grown = []
    if any(not 0 < size <= topics for size in sizes):
        raise UsageError(f"samples cannot have more than {counted(topics, 'topic')}, or none.")
    for size in reporting(sizes or [*range(5, topics, 5), topics], "drawing topics", "sizes"):
        draws = 1 if size == topics else samples
        found = [
            compare(
                matrix if size == topics else _part(matrix, random.permutation(topics)[:size]),
                test=test,
                correction=correction,
                alpha=alpha,
                sampling=sampling,
                intervals=False,
                fewest_topics=fewest_topics,
            ).better.sum()
            for _ in range(draws)
        ]
        grown.append((size, float(100 * np.mean(found) / pairs)))
    return grown


def _part(matrix: Scores, topics: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Scores:
    names = tuple(matrix.topics[t] for t in topics)
    return Scores(matrix.systems, names, matrix.values[:, topics], matrix.name)
