"""What a test cannot show: too few topics, or too few resamples for so many hypotheses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from inexlab.scores import Scores
from inexlab.statistics.corrections import corrections as known_corrections
from inexlab.statistics.testing import Sampling, significance_tests
from inexlab.wording import counted

# With fewer topics no test concludes anything: 2^-5 is the first one-tailed p of all signs alike below .05,
# and the bootstrap gives p = 0 wherever all differences have one sign, however few there are.
FEWEST_TOPICS = 5
FEW_TOPICS = 10  # with fewer, whatever uses a test has a warning


def few_topics_warning(topics: int, fewest: int = FEWEST_TOPICS) -> str:
    """Return what to say of tests on so few topics; nothing if there are enough.

    >>> few_topics_warning(4)
    '4 topics: too few to conclude anything; with fewer than 5 no difference counts as shown'
    >>> few_topics_warning(9)
    '9 topics: too few for any test to say much'
    """
    if topics < fewest:
        conclude = "too few to conclude anything; with fewer than"
        return f"{counted(topics, 'topic')}: {conclude} {fewest} no difference counts as shown"
    if topics < FEW_TOPICS:
        return f"{counted(topics, 'topic')}: too few for any test to say much"
    return ""


def comparison_warnings(
    matrix: Scores,
    test: str,
    correction: str,
    alpha: float,
    sampling: Sampling,
    hypotheses: int,
    fewest_topics: int,
) -> Iterator[str]:
    """Say what a comparison cannot show: for want of topics, or of resamples."""
    if few := few_topics_warning(len(matrix.topics), fewest_topics):
        yield few
    if len(matrix.topics) < fewest_topics:
        return  # more resamples would not help
    yield from _coarse(len(matrix.topics), test, correction, alpha, sampling, hypotheses)


def resolution_warnings(
    matrix: Scores,
    tests: Sequence[str],
    corrections: Sequence[str],
    alpha: float,
    sampling: Sampling,
    *,
    topics: int,
) -> list[str]:
    """Say for which of several tests and corrections over all ordered pairs the resamples are too few.

    `topics` is how many of them the tests are run on: with few of them randomisation is exact.
    """
    hypotheses = len(matrix.systems) * (len(matrix.systems) - 1)
    return [
        f"{test}, {correction}: {warning}"
        for test in tests
        for correction in corrections
        for warning in _coarse(topics, test, correction, alpha, sampling, hypotheses)
    ]


def _coarse(
    topics: int, test: str, correction: str, alpha: float, sampling: Sampling, hypotheses: int
) -> Iterator[str]:
    found, corrected = significance_tests[test], known_corrections[correction]
    exact = found.exact is not None and found.exact(topics, sampling)
    if found.samples and not exact:
        hypotheses = hypotheses if corrected.corrects else 1
        finest = alpha / corrected.strictness(hypotheses)
        if 1 / sampling.resamples > finest:
            enough = int(np.ceil(1 / finest))
            remedy = (
                f"`resamples={enough}` would resolve it"
                if enough <= 1_000_000
                else "fewer hypotheses (`baseline=`, `best_per=`) or `test=t` would resolve it"
            )
            yield (
                f"{sampling.resamples:,} resamples are coarser than the level ({finest:.1e}) of "
                f"the first of {counted(hypotheses, 'hypothesis', 'hypotheses')}; {remedy}"
            )
