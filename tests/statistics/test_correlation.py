"""Correlation of rankings: Kendall's tau-b, tau-AP, Spearman and Pearson, and how hard a condition is."""

from __future__ import annotations

import itertools
import math
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from inexlab.errors import UnknownNameError, UsageError
from inexlab.scores import Scores
from inexlab.statistics.correlation import (
    COEFFICIENTS,
    correlations,
    difficulty,
    kendall,
    pearson,
    spearman,
    tau_ap,
)
from inexlab.tables import Floats
from tests.builders import calm
from tests.examples import examples


def scores(*values: float) -> Floats:
    return np.array(values, dtype=np.float64)


@st.composite
def two_scorings(draw: st.DrawFn, *, ties: bool = True, most: int = 12) -> tuple[Floats, Floats]:
    """Draw scores of the same systems under two conditions, k/64; many tie, or none."""
    size = draw(st.integers(2, most))
    largest = draw(st.sampled_from([2, 5, 64])) if ties else 64
    column = st.lists(st.integers(0, largest), min_size=size, max_size=size, unique=not ties)
    return scores(*draw(column)) / 64, scores(*draw(column)) / 64


def varies(x: Floats) -> bool:
    return bool(np.ptp(x) > 0)


# Against scipy.


@calm
@given(two_scorings())
def test_kendall_is_tau_b(both: tuple[Floats, Floats]) -> None:
    x, y = both
    assume(varies(x) and varies(y))
    assert kendall(x, y) == pytest.approx(stats.kendalltau(x, y, variant="b").statistic, abs=1e-12)


@calm
@given(two_scorings())
def test_spearman_gives_ties_their_mean_rank(both: tuple[Floats, Floats]) -> None:
    x, y = both
    assume(varies(x) and varies(y))
    assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)


@calm
@given(two_scorings())
def test_pearson(both: tuple[Floats, Floats]) -> None:
    x, y = both
    assume(varies(x) and varies(y))
    assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-12)


# Worked examples.


def test_kendall_counts_swaps() -> None:
    """One swap of neighbours among four: 5 pairs agree, 1 does not."""
    assert kendall(scores(4, 3, 2, 1), scores(4, 2, 3, 1)) == pytest.approx((5 - 1) / 6)


def test_kendall_leaves_ties_out_of_its_divisor() -> None:
    """Of 3 pairs one is tied in x, none in y: 2 agree, over sqrt(2 · 3)."""
    assert kendall(scores(1, 1, 2), scores(1, 2, 3)) == pytest.approx(2 / math.sqrt(6))


@pytest.mark.parametrize(("size", "rho", "tau"), [(20, 0.5009, 0.0256), (10, 0.5038, 0.0526)])
def test_two_groups_with_the_order_reversed_inside_each(size: int, rho: float, tau: float) -> None:
    """Systems clearly in two groups, and nothing else agrees; 20 is the size of a group."""
    truth = scores(*range(2 * size))
    other = scores(*reversed(range(size)), *reversed(range(size, 2 * size)))
    assert spearman(truth, other) == pytest.approx(rho, abs=5e-5)
    assert kendall(truth, other) == pytest.approx(tau, abs=5e-5)
    assert kendall(truth, other) == pytest.approx(1 / (2 * size - 1))
    assert spearman(truth, other) == pytest.approx(1 - 2 * (size**2 - 1) / (4 * size**2 - 1))


@pytest.mark.parametrize("coefficient", ["tau", "spearman", "pearson"])
def test_a_constant_has_no_correlation(coefficient: str) -> None:
    constant, rising = scores(0.5, 0.5, 0.5), scores(0.25, 0.5, 0.75)
    for pair in ((constant, rising), (rising, constant), (constant, constant)):
        assert math.isnan(COEFFICIENTS[coefficient](*pair))


# tau-AP.


def by_definition(truth: Floats, other: Floats) -> float:
    """Yilmaz, Aslam and Robertson (2008), for scores without ties."""
    ranking = sorted(range(len(other)), key=lambda s: -other[s])
    total = 0.0
    for i in range(2, len(ranking) + 1):
        here = ranking[i - 1]
        above = ranking[: i - 1]
        total += sum(1 for s in above if truth[s] > truth[here]) / (i - 1)
    return 2 / (len(ranking) - 1) * total - 1


@calm
@given(two_scorings(ties=False))
def test_tau_ap_is_as_defined(both: tuple[Floats, Floats]) -> None:
    assert tau_ap(*both) == pytest.approx(by_definition(*both))


@calm
@given(two_scorings(ties=False))
def test_tau_ap_is_1_for_equal_and_minus_1_for_reversed_rankings(both: tuple[Floats, Floats]) -> None:
    x, _ = both
    assert tau_ap(x, x) == pytest.approx(1)
    assert tau_ap(x, -x) == pytest.approx(-1)


def test_tau_ap_minds_the_top_more_than_the_bottom() -> None:
    truth = scores(4, 3, 2, 1)
    top, bottom = scores(3, 4, 2, 1), scores(4, 3, 1, 2)
    assert kendall(truth, top) == kendall(truth, bottom)
    assert tau_ap(truth, top) == pytest.approx(2 * (0 + 1 + 1) / 3 - 1)
    assert tau_ap(truth, bottom) == pytest.approx(2 * (1 + 1 + 2 / 3) / 3 - 1)


def test_over_all_rankings_tau_ap_averages_to_nothing() -> None:
    truth = scores(4, 3, 2, 1)
    everything = [tau_ap(truth, scores(*other)) for other in itertools.permutations(truth)]
    assert np.mean(everything) == pytest.approx(0)


# Laws.


@calm
@given(two_scorings(), st.sampled_from(["tau", "spearman", "pearson"]))
def test_correlation_is_symmetric_and_bounded_and_turns_with_the_sign(
    both: tuple[Floats, Floats], coefficient: str
) -> None:
    x, y = both
    assume(varies(x) and varies(y))
    of = COEFFICIENTS[coefficient]
    assert of(x, y) == pytest.approx(of(y, x), abs=1e-12)
    assert of(x, -y) == pytest.approx(-of(x, y), abs=1e-12)
    assert abs(of(x, y)) <= 1 + 1e-12
    assert of(x, x) == pytest.approx(1)


@calm
@given(two_scorings(ties=False), st.sampled_from(["tau", "tau-ap", "spearman"]))
def test_rank_correlations_see_only_the_order(both: tuple[Floats, Floats], coefficient: str) -> None:
    x, y = both
    of = COEFFICIENTS[coefficient]
    assert of(np.exp(x), y**3) == pytest.approx(of(x, y), abs=1e-12)


# Conditions.


def condition(name: str, *means: float) -> Scores:
    """Systems with these means over two topics."""
    rows = np.array([[mean - 0.125, mean + 0.125] for mean in means])
    return Scores(tuple("ABCDEFGH"[: len(means)]), ("1", "2"), rows, name)


def test_every_condition_is_correlated_with_every_other() -> None:
    found = correlations([condition("x", 1, 2, 3), condition("y", 1, 3, 2), condition("z", 3, 2, 1)])
    third = pytest.approx(1 / 3)
    assert found.tolist() == [
        [1, third, -1],
        [third, 1, pytest.approx(-1 / 3)],
        [-1, pytest.approx(-1 / 3), 1],
    ]


def test_the_row_is_the_truth_of_tau_ap() -> None:
    x, y = scores(4, 3, 2, 1), scores(1, 4, 3, 2)
    found = correlations([condition("x", *x), condition("y", *y)], "tau-ap")
    assert found[0, 1] == pytest.approx(by_definition(x, y))
    assert found[1, 0] == pytest.approx(by_definition(y, x))
    assert found[0, 1] != pytest.approx(found[1, 0])


@pytest.mark.parametrize("coefficient", ["tau", "spearman", "pearson"])
def test_a_condition_that_scores_all_systems_alike_correlates_with_nothing(coefficient: str) -> None:
    found = correlations([condition("flat", 1, 1, 1), condition("x", 1, 2, 3)], coefficient)
    assert np.isnan(found).tolist() == [[True, True], [True, False]]


def test_what_cannot_be_correlated() -> None:
    x = condition("x", 1, 2, 3)
    with pytest.raises(UsageError, match="only one condition"):
        correlations([x])
    with pytest.raises(UsageError, match="different systems"):
        correlations([x, condition("y", 1, 2)])
    with pytest.raises(UsageError, match="only one system"):
        correlations([condition("x", 1), condition("y", 2)])
    with pytest.raises(UnknownNameError, match="did you mean 'spearman'"):
        correlations([x, x], "spearmen")


# Difficulty.


def test_difficulty_divides_by_n_minus_1() -> None:
    """Means 1, 2 and 6: mean 3, squares 4 + 1 + 9 = 14, over 2."""
    [found] = difficulty([condition("hard", 2, 6, 1)])
    assert tuple(found) == ("hard", 3, 3, pytest.approx(math.sqrt(7)), 6, 1)


def test_difficulty_over_the_best_systems() -> None:
    [found] = difficulty([condition("hard", 2, 6, 1)], top=2)
    assert tuple(found) == ("hard", 2, 4, pytest.approx(math.sqrt(8)), 6, 2)


def test_means_that_differ_by_rounding_are_tied() -> None:
    """The mean of .1 .2 .3 is not that of .3 .2 .1 to a computer."""
    rows = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.2, 0.2, 0.2], [0.3, 0.1, 0.2]])
    tied = Scores(("a", "b", "c", "d"), ("1", "2", "3"), rows)
    other = Scores(tied.systems, tied.topics, np.arange(12.0).reshape(4, 3))
    assert math.isnan(correlations([tied, other])[0, 1])


def test_tau_ap_of_ties_by_hand() -> None:
    """The truth: B A C. The other puts A first and ties B and C, so that it is A B C or A C B.

    A B C: B has A above it, wrongly (-1); C has A and B above it, rightly (1): 0. A C B: C has A above it,
    rightly (1); B has A and C above it, both wrongly (-1): 0.
    """
    x, y = scores(0.3, 0.4, 0.2), scores(0.5, 0.1, 0.1)
    assert tau_ap(x, y) == pytest.approx(0)
    assert tau_ap(x[[0, 2, 1]], y[[0, 2, 1]]) == pytest.approx(0)
    # the truth A B C: A B C agrees throughout; in A C B, C is right about A and B right about one of two
    assert tau_ap(scores(3, 2, 1), y) == pytest.approx((1 + (1 + 0) / 2) / 2)
    # A first, B and C tied in both: right about A; about each other they say nothing
    assert tau_ap(scores(2, 1, 1), y) == pytest.approx((1 + 1 / 2) / 2)


def orders_of(values: Floats) -> list[Floats]:
    """All rankings without ties that agree with these scores where they differ, as scores."""
    groups = [np.flatnonzero(values == v).tolist() for v in np.unique(values)[::-1]]
    found = []
    for order in itertools.product(*(itertools.permutations(group) for group in groups)):
        ranking = np.empty(len(values))
        ranking[[s for group in order for s in group]] = np.arange(len(values), 0, -1)
        found.append(ranking)
    return found


@examples(40)
@given(two_scorings(most=5), st.randoms(use_true_random=False))
def test_tau_ap_with_ties_is_the_mean_over_all_orders(both: tuple[Floats, Floats], random: Random) -> None:
    x, y = both
    assume(varies(x) and varies(y))
    everything = [by_definition(truth, other) for truth in orders_of(x) for other in orders_of(y)]
    assert tau_ap(x, y) == pytest.approx(float(np.mean(everything)), abs=1e-12)
    order = random.sample(range(len(x)), len(x))
    assert tau_ap(x[order], y[order]) == pytest.approx(tau_ap(x, y), abs=1e-12)


def test_a_constant_has_no_tau_ap() -> None:
    for x, y in ((scores(1, 1, 1), scores(1, 2, 3)), (scores(1, 2, 3), scores(1, 1, 1))):
        assert math.isnan(tau_ap(x, y))


def test_one_system_has_no_deviation() -> None:
    [found] = difficulty([condition("hard", 2)])
    assert (found.best, found.mean) == (2, 2)
    assert math.isnan(found.deviation)
