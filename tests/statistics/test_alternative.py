"""The alternative annotator test, against its own definition with scipy's t-test."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import false_discovery_control, ttest_1samp

from inexlab.errors import UsageError
from inexlab.statistics.alternative import alternative_test

GENERATOR = np.random.default_rng(5)


def scores(better: float, items: int = 80) -> tuple[np.ndarray, np.ndarray]:
    """Return agreement with others: of the candidate, better by so much, and of the person."""
    person = GENERATOR.integers(0, 8, items) / 8
    return np.round((person + GENERATOR.normal(better, 0.3, items)) * 8) / 8, person


def test_as_scipy_has_it() -> None:
    given = {"anna": scores(0.2), "bob": scores(-0.1), "carl": scores(0.0)}
    result = alternative_test("model", given, epsilon=0.15)
    d = [(theirs >= ours).astype(float) - (ours >= theirs) for ours, theirs in given.values()]
    p = [ttest_1samp(each, 0.15, alternative="less").pvalue for each in d]
    assert [person.p for person in result.people] == pytest.approx(p)
    adjusted = false_discovery_control(p, method="by")
    assert [person.p_adjusted for person in result.people] == pytest.approx(adjusted)
    assert [person.won for person in result.people] == [bool(value <= 0.05) for value in adjusted]
    assert result.winning_rate == pytest.approx(np.mean(adjusted <= 0.05))
    assert result.advantage == pytest.approx(
        np.mean([(ours >= theirs).mean() for ours, theirs in given.values()])
    )


def test_one_like_the_people_passes_and_a_bad_one_does_not() -> None:
    same = np.linspace(0, 1, 60)
    equal = alternative_test("model", {"a": (same, same), "b": (same, same)})
    assert (equal.winning_rate, equal.advantage, equal.passed) == (1, 1, True)
    worse = alternative_test("model", {"a": (same - 1, same), "b": (same - 1, same)})
    assert (worse.winning_rate, worse.advantage, worse.passed) == (0, 0, False)
    strict = alternative_test("model", {"a": (same, same), "b": (same, same)}, epsilon=0.0)
    assert not strict.passed  # no worse by nothing at all cannot be shown of equals


def test_what_is_too_little_is_refused_with_a_reason() -> None:
    many, few = np.ones(60), np.ones(49)
    with pytest.raises(UsageError, match=r"needs 2 people with 50 items each; there are 1 \(.*bob 49\)"):
        alternative_test("model", {"anna": (many, many), "bob": (few, few)})
    with pytest.raises(UsageError, match="there are 0"):
        alternative_test("model", {})
    with pytest.raises(UsageError, match=r"`epsilon=` is 1\.5"):
        alternative_test("model", {"a": (many, many), "b": (many, many)}, epsilon=1.5)
