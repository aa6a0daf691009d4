"""Corrections for many tests: the published example, the definitions, and laws."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import UnknownNameError
from inexlab.statistics import adjust
from inexlab.statistics.corrections import corrections
from inexlab.tables import Floats

EXAMPLE = np.array([0.001, 0.008, 0.02, 0.04, 0.3])
p_values = st.lists(st.integers(0, 1000).map(lambda k: k / 1000), min_size=1, max_size=30).map(np.array)
levels = st.sampled_from([0.0123457, 0.0512347, 0.1987651])  # on no line of the procedures
every_method = pytest.mark.parametrize("method", list(corrections))


def harmonic(m: int) -> float:
    return sum(1 / i for i in range(1, m + 1))


def rejected_by_definition(p: Floats, method: str, level: float) -> list[bool]:
    """The procedures as their authors state them: walk along the sorted p-values."""
    m, ordered = len(p), sorted(p)
    if method == "none":
        return [x <= level for x in p]
    if method == "bonferroni":
        return [x <= level / m for x in p]
    if method == "holm":
        limit = -1.0
        for i, x in enumerate(ordered):
            if x > level / (m - i):
                break
            limit = x
        return [x <= limit for x in p]
    factor = harmonic(m) if method == "by" else 1
    passing = [x for i, x in enumerate(ordered, start=1) if x <= i * level / (factor * m)]
    return [bool(passing) and x <= passing[-1] for x in p]


@pytest.mark.parametrize(
    ("method", "found"), [("by", 2), ("bh", 4), ("holm", 2), ("bonferroni", 2), ("none", 4)]
)
def test_how_many_of_the_example_are_found(method: str, found: int) -> None:
    assert (adjust(EXAMPLE, method) <= 0.05).sum() == found


def test_adjusted_values_of_the_example_by_hand() -> None:
    c = 1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5
    bh = np.array([0.005, 0.02, 0.1 / 3, 0.05, 0.3])
    assert adjust(EXAMPLE, "bh") == pytest.approx(bh)
    assert adjust(EXAMPLE, "by") == pytest.approx(bh * c)
    assert adjust(EXAMPLE, "holm") == pytest.approx([0.005, 0.032, 0.06, 0.08, 0.3])
    assert adjust(EXAMPLE, "bonferroni") == pytest.approx([0.005, 0.04, 0.1, 0.2, 1.0])
    assert adjust(EXAMPLE, "none").tolist() == EXAMPLE.tolist()


@pytest.mark.parametrize(("m", "c"), [(4830, 9.0599), (2970, 8.5737), (2415, 8.366877), (1485, 7.880722)])
def test_the_harmonic_factor_of_the_campaigns_of_2005(m: int, c: float) -> None:
    """70 and 55 runs, as ordered and as unordered pairs."""
    p = np.ones(m)
    p[m // 2] = 1e-6
    assert adjust(p, "by")[m // 2] == pytest.approx(c * m * 1e-6, rel=1e-5)


def test_a_hypothesis_above_its_own_line_is_found_if_a_later_one_is_below() -> None:
    p = np.array([0.04, 0.045])  # BH lines at .025 and .05
    assert (adjust(p, "bh") <= 0.05).tolist() == [True, True]
    assert (adjust(p, "holm") <= 0.05).tolist() == [False, False]


@every_method
@given(p_values, levels)
def test_by_definition(method: str, p: Floats, level: float) -> None:
    assert (adjust(p, method) <= level).tolist() == rejected_by_definition(p, method, level)


@every_method
@given(p_values)
def test_adjusted_values_rise_with_p_and_are_probabilities_no_smaller(method: str, p: Floats) -> None:
    adjusted = adjust(p, method)
    assert (np.diff(adjusted[np.argsort(p, kind="stable")]) >= 0).all()
    assert (adjusted <= 1).all()
    assert (adjusted >= p * (1 - 1e-12)).all()


@every_method
@given(p_values, st.randoms(use_true_random=False))
def test_equivariance_under_order(method: str, p: Floats, random: np.random.RandomState) -> None:
    places = list(range(len(p)))
    random.shuffle(places)
    np.testing.assert_allclose(adjust(p[places], method), adjust(p, method)[places], rtol=1e-12)


@given(p_values)
def test_from_mild_to_strict(p: Floats) -> None:
    by_strictness = [adjust(p, method) for method in ("none", "bh", "holm", "bonferroni")]
    for milder, stricter in itertools.pairwise(by_strictness):
        assert (milder <= stricter + 1e-12).all()
    assert (adjust(p, "bh") <= adjust(p, "by") + 1e-12).all()


@every_method
def test_shape_and_input_are_kept(method: str) -> None:
    p = np.array([[0.04, 0.01], [0.5, 0.02]])
    before = p.copy()
    adjusted = adjust(p, method)
    assert adjusted.shape == (2, 2)
    adjusted[:] = -1
    np.testing.assert_array_equal(p, before)


@every_method
def test_one_hypothesis_needs_no_correction_and_none_gives_none(method: str) -> None:
    assert adjust(np.array([0.03]), method).tolist() == [0.03]
    assert adjust(np.array([]), method).tolist() == []


def test_an_unknown_correction_is_told_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="unknown correction 'bonferoni'; did you mean 'bonferroni'"):
        adjust(EXAMPLE, "bonferoni")


@pytest.mark.parametrize(
    ("method", "factor"),
    [("by", 3 * (1 + 1 / 2 + 1 / 3)), ("bh", 3), ("holm", 3), ("bonferroni", 3), ("none", 1)],
)
def test_the_smallest_of_three_is_multiplied(method: str, factor: float) -> None:
    """By three for three hypotheses, and by their harmonic number where they may depend on each other."""
    assert corrections[method].strictness(3) == pytest.approx(factor, rel=1e-15)
    assert corrections[method].strictness(1) == 1
