"""What a significance test is: for many pairs of systems at once, how sure one is that one is better.

A test gets the scores of some systems (`left`) and of others (`right`) on the same topics, and gives
for each pair its statistic and two p-values: that of "left is no better than right" and that of "right
is no better than left".
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from inexlab.registry import Registry
from inexlab.tables import Floats


@dataclass(frozen=True)
class Sampling:
    """How tests that sample do it: how many resamples, from which seed, and whether p may be 0."""

    resamples: int = 10_000
    seed: int = 2006
    plus_one: bool = False


@dataclass(frozen=True)
class Outcome:
    """One entry per pair (left, right). `greater` is the p-value against "left is no better"."""

    statistic: Floats
    greater: Floats
    less: Floats


Run = Callable[[Floats, Floats, Sampling], Outcome]


@dataclass(frozen=True)
class SignificanceTest:
    """A named test with its manual page; `title` is its full name, for whatever people read.

    `samples` says whether it draws resamples, and `exact` of how many topics it needs none; `odd` says
    whether its statistic merely changes its sign when the two systems change places (a count of wins does
    not). An `approximation` of another test is only used where it is asked for.

    A test may have confidence intervals of its own: `intervals(left, right, alpha)` gives the two ends for
    every pair; without them they are percentiles of bootstrap resamples. `critical(topics, alpha)` is what
    the statistic, called `symbol` in tables, has to exceed.
    """

    name: str
    run: Run
    samples: bool
    odd: bool
    doc: str
    title: str = ""
    approximation: bool = False
    exact: Callable[[int, Sampling], bool] | None = None
    intervals: Callable[[Floats, Floats, float], tuple[Floats, Floats]] | None = None
    critical: Callable[[int, float], float] | None = None
    symbol: str = ""


significance_tests: Registry[SignificanceTest] = Registry(
    "significance test", "inexlab.statistics.significance", {"run": Outcome}
)


def significance_test(
    name: str, title: str = "", *, samples: bool = False, odd: bool = True, **more: Any
) -> Callable[[Run], Run]:
    """Register the decorated function `(left, right, sampling) -> Outcome`; its docstring is its page.

    `more` are further fields of `SignificanceTest`.
    """

    def register(run: Run) -> Run:
        doc = inspect.cleandoc(run.__doc__ or "")
        named = title or f"{name} test"
        significance_tests.add(name, SignificanceTest(name, run, samples, odd, doc, named, **more))
        return run

    return register


def usual_tests() -> list[str]:
    """Return the names of all tests but those that approximate another."""
    return [test.name for test in significance_tests.values() if not test.approximation]


def grain(left: Floats, right: Floats) -> Floats:
    """Return for each pair the size of a difference that rounding may make: scores so close are tied."""
    of_left, of_right = (np.abs(side).max(axis=1, initial=0.0) for side in (left, right))
    sizes: Floats = 1e-13 * np.maximum(of_left[:, None], of_right[None, :])
    return sizes


def rounding_error(left: Floats, right: Floats) -> Floats:
    """Return for each pair the size below which a sum of differences is 0: sums are rounded as they grow."""
    sizes: Floats = grain(left, right) * left.shape[1]
    return sizes
