"""Comparing systems: which differences between their means are more than chance."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from inexlab.display import Framed, draw_from
from inexlab.errors import UnknownNameError, UsageError
from inexlab.frames import Columns
from inexlab.markup import interval, table
from inexlab.scores import Scores
from inexlab.statistics.caveats import FEWEST_TOPICS, comparison_warnings, few_topics_warning
from inexlab.statistics.corrections import adjust, corrections
from inexlab.statistics.intervals import intervals_of_differences, intervals_of_means
from inexlab.statistics.letters import letters
from inexlab.statistics.names import procedure
from inexlab.statistics.testing import Sampling, significance_tests
from inexlab.tables import Floats
from inexlab.wording import counted

Tail = Literal["one", "two"]
Mask = npt.NDArray[np.bool_]
MOST_LETTERED = 200  # systems: groups of more have names that nobody reads, and take hours to find
_AT_ONCE = 65_536  # pairs turned into Python's numbers at a time


class Pair(NamedTuple):
    """One comparison: whether a is better than b (one tail), or the two differ (two tails)."""

    a: str
    b: str
    mean_a: float
    mean_b: float
    difference: float
    low: float
    high: float
    statistic: float
    p: float
    p_adjusted: float
    significant: bool


@dataclass(frozen=True, repr=False)
class Comparison(Framed):
    """The pairs compared, as columns (`a` and `b` are places in the matrix), with what was concluded.

    `a_better` says towards whom the test leans, which with tests of ranks and signs need not be the one
    with the better mean. `baselines` are the places of the systems that all others were compared with; none
    where all pairs were.
    """

    matrix: Scores
    test: str
    correction: str
    alpha: float
    tail: Tail
    a: npt.NDArray[np.intp]
    b: npt.NDArray[np.intp]
    low: Floats
    high: Floats
    statistic: Floats
    p: Floats
    p_adjusted: Floats
    significant: Mask
    a_better: Mask
    mean_low: Floats
    mean_high: Floats
    warnings: tuple[str, ...]
    fewest_topics: int = FEWEST_TOPICS
    baselines: tuple[int, ...] = ()

    @property
    def conclusive(self) -> bool:
        """Whether there are enough topics to conclude anything."""
        return len(self.matrix.topics) >= self.fewest_topics

    @property
    def few_topics(self) -> str:
        """The warning of every table and figure of it; empty if there are enough topics."""
        return few_topics_warning(len(self.matrix.topics), self.fewest_topics)

    @property
    def critical_value(self) -> float:
        """What the statistic has to exceed, before correction; NaN of tests without such a bound."""
        critical = significance_tests[self.test].critical
        if critical is None or len(self.matrix.topics) < 2:
            return float("nan")
        return critical(len(self.matrix.topics), self.alpha if self.tail == "one" else self.alpha / 2)

    @property
    def description(self) -> str:
        """What was compared, and how."""
        systems, topics = (
            counted(len(self.matrix.systems), "system"),
            counted(len(self.matrix.topics), "topic"),
        )
        how = procedure(self.test, self.tail, self.correction, self.alpha, len(self))
        return f"{systems} on {topics}; {how}"

    def __len__(self) -> int:
        return len(self.a)

    def __repr__(self) -> str:
        of = f"{self.matrix.name!r}, " if self.matrix.name else ""
        return f"Comparison({of}{self.description})"

    def as_columns(self) -> Columns:
        """Return one row per pair, as `pairs` has them."""
        names = np.array(self.matrix.systems, dtype=object)
        means = self.matrix.totals()
        of_a, of_b = means[self.a], means[self.b]
        columns = {
            **{"a": names[self.a], "b": names[self.b], "mean_a": of_a, "mean_b": of_b},
            **{"difference": of_a - of_b, "low": self.low, "high": self.high, "statistic": self.statistic},
            **{"p": self.p, "p_adjusted": self.p_adjusted, "significant": self.significant},
        }
        return {
            name: [None if cell != cell else cell for cell in column.tolist()]
            for name, column in columns.items()
        }

    def plot(self, kind: str = "ranking", system: Sequence[str] = ()) -> Any:
        """Draw a figure: ranking, significance, heatmap, topics or, of two systems, differences."""
        return draw_from(kind, {"comparison": [self], **self.matrix.material(system)}, "a comparison")

    def pairs(self) -> Iterator[Pair]:
        """Yield every comparison."""
        means, systems = self.matrix.totals(), self.matrix.systems
        for start in range(0, len(self), _AT_ONCE):
            some = slice(start, start + _AT_ONCE)
            a, b = self.a[some], self.b[some]
            of_a, of_b = means[a], means[b]
            numbers = (of_a, of_b, of_a - of_b, self.low[some], self.high[some], self.statistic[some])
            found = (self.p[some], self.p_adjusted[some], self.significant[some])
            columns = (column.tolist() for column in (a, b, *numbers, *found))
            for one, other, *cells in zip(*columns, strict=True):
                yield Pair(systems[one], systems[other], *cells)

    @functools.cached_property
    def better(self) -> Mask:
        """`better[a, b]`: a was found better than b."""
        found = np.zeros((len(self.matrix.systems),) * 2, dtype=np.bool_)
        forward, backward = self.significant & self.a_better, self.significant & ~self.a_better
        found[self.a[forward], self.b[forward]] = True
        found[self.b[backward], self.a[backward]] = True
        return found

    @functools.cached_property
    def tested(self) -> Mask:
        """`tested[a, b]`: the two were compared at all; with baselines not all pairs are."""
        compared = np.zeros((len(self.matrix.systems),) * 2, dtype=np.bool_)
        compared[self.a, self.b] = compared[self.b, self.a] = True
        return compared

    def corrected(self, correction: str) -> Comparison:
        """Return the same comparison decided under another correction."""
        adjusted, significant = _decide(self.p, correction, self.alpha, conclusive=self.conclusive)
        return replace(self, correction=correction, p_adjusted=adjusted, significant=significant)

    def _repr_html_(self) -> str:
        """Show the systems, best first, with intervals drawn and letters of groups."""
        means, letters, order = self.matrix.totals(), self.letters(), self.order()
        ends = np.concatenate((means, self.mean_low, self.mean_high))
        bounds = (float(np.nanmin(ends)), float(np.nanmax(ends)))
        rows = (
            (
                self.matrix.systems[s],
                float(means[s]),
                interval(float(self.mean_low[s]), float(means[s]), float(self.mean_high[s]), bounds),
                group,
                int(self.better[s].sum()),
                int(self.better[:, s].sum()),
            )
            for s, group in zip(order, letters, strict=True)
        )
        what = f"{self.matrix.name}: {self.description}" if self.matrix.name else self.description
        what += f". {self.few_topics}" if self.few_topics else ""
        level = f"{100 * (1 - self.alpha):g}% interval"
        header = ("system", "mean", level, "group", "better than", "worse than")
        return table(what, header, rows, len(order))

    def order(self) -> list[int]:
        """The places of the systems, best mean first."""
        return [int(i) for i in np.argsort(-self.matrix.totals(), kind="stable")]

    def letters(self) -> list[str]:
        """The letters of each system in `order`: two share one if no difference between them was found.

        There are none where not all pairs were tested, nor where nothing can be concluded, nor of more than
        200 systems.
        """
        order = self.order()
        if len(order) > MOST_LETTERED:
            return [""] * len(order)
        if not self.conclusive or not (self.tested | np.eye(len(order), dtype=np.bool_)).all():
            return [""] * len(order)
        return letters((self.better | self.better.T)[np.ix_(order, order)])


def compare(
    matrix: Scores,
    *,
    test: str = "bootstrap",
    correction: str = "by",
    alpha: float = 0.05,
    tail: Tail = "one",
    baselines: Sequence[str] = (),
    sampling: Sampling | None = None,
    intervals: bool = True,
    fewest_topics: int = FEWEST_TOPICS,
) -> Comparison:
    """Compare all pairs of systems, or some baselines with all others.

    With fewer than `fewest_topics` topics nothing is significant, whatever the p-values.

    One-tailed, each ordered pair is a hypothesis of its own ("a is better than b"): choosing the
    direction after looking at the means would be cheating. Two-tailed, each unordered pair is one.
    Intervals have the level 1 - alpha, uncorrected; they are the test's own (Student's for the t-test), or
    bootstrap percentiles, of 10,000 resamples at most, where it has none.
    """
    sampling = sampling or Sampling()
    check_choices(test, correction, alpha)
    if len(matrix.systems) < 2:
        raise UsageError("there is only one system; give at least two to compare.")
    for name in baselines:
        if name not in matrix.systems:
            raise UnknownNameError("baseline", name, matrix.systems)
    left, right = _family(matrix, baselines)
    outcome = significance_tests[test].run(matrix.values[left], matrix.values[right], sampling)
    unknown = np.full((len(left), len(right)), np.nan)
    intervals = intervals and len(matrix.topics) > 1
    low = high = unknown
    if intervals:
        low, high = intervals_of_differences(matrix, left, right, test, alpha, sampling)
    pairs = _Pairs(left, right, bool(baselines), tail)
    p = pairs.p(outcome.greater, outcome.less)
    if len(matrix.topics) == 1:
        p = np.ones(len(p))  # whatever a formula gives, one topic shows nothing
    enough = len(matrix.topics) >= fewest_topics
    adjusted, significant = _decide(p, correction, alpha, conclusive=enough)
    nobody = np.full(len(matrix.systems), np.nan)
    mean_low, mean_high = intervals_of_means(matrix, test, alpha, sampling) if intervals else (nobody, nobody)
    return Comparison(
        matrix,
        test,
        correction,
        alpha,
        tail,
        pairs.a,
        pairs.b,
        pairs.signed(low, -high),
        pairs.signed(high, -low),
        pairs.signed(outcome.statistic, pairs.reverse(test, outcome.statistic, matrix, left, right)),
        p,
        adjusted,
        significant,
        np.ones(len(p), dtype=np.bool_) if tail == "one" else pairs.leans(outcome.greater, outcome.less),
        mean_low,
        mean_high,
        tuple(comparison_warnings(matrix, test, correction, alpha, sampling, len(p), fewest_topics)),
        fewest_topics,
        tuple(int(s) for s in left) if baselines else (),
    )


def _decide(p: Floats, correction: str, alpha: float, *, conclusive: bool) -> tuple[Floats, Mask]:
    """Return the adjusted p-values, and which are significant."""
    adjusted = adjust(p, correction)
    if not conclusive:
        return adjusted, np.zeros(len(p), dtype=np.bool_)
    # a p-value exactly on its line counts, whatever rounding made of the adjusted one
    return adjusted, adjusted <= alpha * (1 + 1e-12) if corrections[correction].corrects else p < alpha


def check_choices(test: str, correction: str, alpha: float) -> None:
    """Refuse what cannot be meant, before anything is computed."""
    significance_tests[test]
    adjust(np.ones(1), correction)
    if not 0 < alpha < 1:
        raise UsageError(f"alpha is {alpha:g}, expected a level between 0 and 1, such as 0.05.")


def _family(matrix: Scores, baselines: Sequence[str]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    everyone = np.arange(len(matrix.systems))
    if not baselines:
        return everyone, everyone
    return np.array([matrix.systems.index(name) for name in dict.fromkeys(baselines)]), everyone


class _Pairs:
    """Which entries of a (left, right) table are compared, and in which directions."""

    def __init__(
        self, left: npt.NDArray[np.intp], right: npt.NDArray[np.intp], some: bool, tail: Tail
    ) -> None:
        i, j = np.nonzero(left[:, None] != right[None, :])
        if some:  # two baselines meet once
            both = np.isin(right[j], left)
            once = ~both | (left[i] < right[j])
            i, j = i[once], j[once]
        elif tail == "two":
            i, j = i[i < j], j[i < j]
        self._i, self._j = i, j
        self._mirror = some and tail == "one"  # the other direction is not in the table by itself
        self._tail = tail
        self.a = np.concatenate((left[i], right[j])) if self._mirror else left[i]
        self.b = np.concatenate((right[j], left[i])) if self._mirror else right[j]

    def signed(self, table: Floats, mirrored: Floats) -> Floats:
        """Read a table for the pairs; `mirrored` holds what the other direction has."""
        here = table[self._i, self._j]
        return np.concatenate((here, mirrored[self._i, self._j])) if self._mirror else here

    def p(self, greater: Floats, less: Floats) -> Floats:
        if self._tail == "two":
            return self.signed(np.minimum(1.0, 2 * np.minimum(greater, less)), less)
        return self.signed(greater, less)

    def leans(self, greater: Floats, less: Floats) -> Mask:
        """Whether the test speaks rather for the left than for the right system."""
        towards: Mask = greater[self._i, self._j] <= less[self._i, self._j]
        return towards

    def reverse(
        self,
        test: str,
        statistic: Floats,
        matrix: Scores,
        left: npt.NDArray[np.intp],
        right: npt.NDArray[np.intp],
    ) -> Floats:
        """The statistic of (right, left): rank and sign statistics are no mere change of sign."""
        if not self._mirror:
            return statistic
        if significance_tests[test].odd:
            return -statistic
        run = significance_tests[test].run
        return run(matrix.values[right], matrix.values[left], Sampling()).statistic.T
