"""How systems were compared, in words."""

from __future__ import annotations

from inexlab.report.papers import in_words
from inexlab.statistics.procedure import Procedure
from inexlab.statistics.testing import significance_tests


def describe(procedure: Procedure) -> str:
    """Return test, tails, correction, level and, of tests that sample, the resamples.

    >>> describe(Procedure("t", "holm", 0.01))
    "Student's paired t-test, one-tailed, Holm correction, level 0.01"
    """
    test, correction = in_words(procedure.test, procedure.correction)
    sampling = procedure.sampling
    sampled = (
        f", {sampling.resamples:,} resamples, seed {sampling.seed}"
        if significance_tests[procedure.test].samples
        else ""
    )
    return f"{test}, {procedure.tail}-tailed, {correction}, level {procedure.alpha:g}{sampled}"
