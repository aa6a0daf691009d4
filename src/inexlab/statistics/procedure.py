"""How systems are compared: test, correction, level and tail in one value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from inexlab.scores import Scores
from inexlab.statistics.comparison import Comparison, Tail, check_choices, compare
from inexlab.statistics.names import procedure
from inexlab.statistics.testing import Sampling, significance_tests
from inexlab.wording import counted


@dataclass(frozen=True)
class Procedure:
    """How systems are compared; what cannot be meant is refused at once, before anything is scored."""

    test: str = "bootstrap"
    correction: str = "by"
    alpha: float = 0.05
    sampling: Sampling = field(default_factory=Sampling)
    tail: Tail = "one"

    def __post_init__(self) -> None:
        check_choices(self.test, self.correction, self.alpha)

    def description(self) -> str:
        """Return test, tails, correction, level and, of tests that sample, the resamples, in words.

        >>> Procedure("t", "holm", 0.01).description()
        "Student's paired t-test, one-tailed, Holm correction, level 0.01"
        """
        sampling = self.sampling
        drawn = f", {counted(sampling.resamples, 'resample')}, seed {sampling.seed}"
        how = procedure(self.test, self.tail, self.correction, self.alpha)
        return how + (drawn if significance_tests[self.test].samples else "")

    def compare(self, scores: Scores, baselines: Sequence[str] = (), *, intervals: bool = True) -> Comparison:
        """Compare all pairs of systems, or some baselines with all others."""
        return compare(
            scores,
            test=self.test,
            correction=self.correction,
            alpha=self.alpha,
            tail=self.tail,
            baselines=baselines,
            sampling=self.sampling,
            intervals=intervals,
        )
