"""Comparisons of many systems: families of hypotheses, intervals, decisions, and what is made of them."""

from __future__ import annotations

import itertools
import math
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from inexlab.errors import UnknownNameError, UsageError
from inexlab.progress import ProgressStep, watching
from inexlab.scores import Scores
from inexlab.statistics import Comparison, Pair, adjust, compare
from inexlab.statistics.caveats import FEWEST_TOPICS, few_topics_warning
from inexlab.statistics.comparison import Tail
from inexlab.statistics.corrections import corrections
from inexlab.statistics.significance.bootstrap import percentiles_of_differences, resampled_means
from inexlab.statistics.testing import Sampling
from inexlab.tables import Floats
from tests.examples import examples

TESTS = ("bootstrap", "randomisation", "sign", "t", "wilcoxon")
every_test = pytest.mark.parametrize("test", TESTS)
FEW = Sampling(resamples=400)
few_examples = examples(25)


def matrix(values: Floats) -> Scores:
    """Name the systems s0, s1 … and the topics t0, t1 …."""
    systems, topics = values.shape
    return Scores(
        tuple(f"s{i}" for i in range(systems)), tuple(f"t{i}" for i in range(topics)), values, "score"
    )


def random_matrix(systems: int, topics: int, seed: int = 0, step: float = 0.0) -> Scores:
    """Scores on a grid of 64ths; each system is better than the last by `step` on average."""
    random = np.random.default_rng(seed)
    scores = random.random((systems, topics)) + step * np.arange(systems)[:, None]
    return matrix(np.round(64 * scores) / 64)


@st.composite
def matrices(draw: st.DrawFn, fewest_topics: int = 1) -> Scores:
    """Two to six systems on up to twelve topics, with equal scores among them."""
    systems, topics = draw(st.integers(2, 6)), draw(st.integers(fewest_topics, 12))
    row = st.lists(st.integers(0, 8).map(lambda k: k / 8), min_size=topics, max_size=topics)
    return matrix(np.array(draw(st.lists(row, min_size=systems, max_size=systems))))


def by_names(comparison: Comparison) -> dict[tuple[str, str], Pair]:
    found = {(pair.a, pair.b): pair for pair in comparison.pairs()}
    assert len(found) == len(comparison)
    return found


# --- families


def test_one_tailed_every_ordered_pair_is_a_hypothesis() -> None:
    found = by_names(compare(random_matrix(5, 12), test="t"))
    assert set(found) == set(itertools.permutations(("s0", "s1", "s2", "s3", "s4"), 2))


def test_two_tailed_every_unordered_pair_is_one() -> None:
    found = by_names(compare(random_matrix(5, 12), test="t", tail="two"))
    assert set(found) == set(itertools.combinations(("s0", "s1", "s2", "s3", "s4"), 2))


def test_a_baseline_is_compared_in_both_directions() -> None:
    found = by_names(compare(random_matrix(4, 12), test="t", baselines=["s2"]))
    others = ("s0", "s1", "s3")
    assert set(found) == {("s2", b) for b in others} | {(a, "s2") for a in others}


def test_two_baselines_meet_once_in_each_direction() -> None:
    found = by_names(compare(random_matrix(4, 12), test="t", baselines=["s3", "s1", "s3"]))
    pairs = [("s3", "s0"), ("s3", "s1"), ("s3", "s2"), ("s1", "s0"), ("s1", "s2")]
    assert set(found) == set(pairs) | {(b, a) for a, b in pairs}


def test_two_tailed_baselines_have_each_pair_once() -> None:
    found = by_names(compare(random_matrix(4, 12), test="t", tail="two", baselines=["s3", "s1"]))
    assert {frozenset(pair) for pair in found} == {
        frozenset(pair)
        for pair in itertools.combinations(("s0", "s1", "s2", "s3"), 2)
        if pair != ("s0", "s2")
    }
    assert len(found) == 5


@every_test
@pytest.mark.parametrize("tail", ["one", "two"])
@pytest.mark.parametrize("baselines", [["s1"], ["s2", "s0"], ["s0", "s1", "s2", "s3"]])
def test_a_family_of_some_has_the_numbers_of_the_family_of_all(
    test: str, tail: Tail, baselines: list[str]
) -> None:
    scores = random_matrix(4, 15, seed=4)
    every = by_names(compare(scores, test=test, tail="one", sampling=FEW))
    for (a, b), pair in by_names(
        compare(scores, test=test, tail=tail, baselines=baselines, sampling=FEW)
    ).items():
        alike = every[a, b]
        assert pair[2:8] == pytest.approx(alike[2:8], rel=1e-9, abs=1e-12)
        two = min(1.0, 2 * min(alike.p, every[b, a].p))
        assert pair.p == pytest.approx(alike.p if tail == "one" else two, rel=1e-9, abs=1e-12)


# --- p-values


@every_test
@few_examples
@given(matrices())
def test_two_tails_are_twice_the_smaller_one(test: str, scores: Scores) -> None:
    one = by_names(compare(scores, test=test, sampling=FEW))
    for (a, b), pair in by_names(compare(scores, test=test, tail="two", sampling=FEW)).items():
        assert pair.p == pytest.approx(min(1.0, 2 * min(one[a, b].p, one[b, a].p)), abs=1e-9)


@pytest.mark.parametrize("correction", list(corrections))
def test_p_is_adjusted_over_the_family(correction: str) -> None:
    found = compare(random_matrix(6, 20, step=0.1), test="t", correction=correction)
    np.testing.assert_array_equal(found.p_adjusted, adjust(found.p, correction))
    assert found.significant.tolist() == [p <= 0.05 for p in found.p_adjusted]
    assert 0 < found.significant.sum() < len(found)


def test_without_correction_p_must_be_below_the_level_not_at_it() -> None:
    """As the bootstrap is defined: the (alpha b)-th smallest mean must be above 0."""
    scores = matrix(np.array([[1.0, 1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0, 0.0]]))
    at = compare(scores, test="sign", correction="none", alpha=1 / 32)
    above = compare(scores, test="sign", correction="none", alpha=0.032)
    assert at.p[0] == above.p[0] == 1 / 32
    assert [at.significant[0], above.significant[0]] == [False, True]


def test_the_bootstrap_draws_its_resamples_once_for_all_pairs() -> None:
    """So the p-value of a pair does not depend on who else takes part."""
    scores = random_matrix(5, 20)
    every = by_names(compare(scores, sampling=FEW))
    two = by_names(compare(scores.choose(["s3", "s1"]), sampling=FEW))
    assert two["s3", "s1"].p == every["s3", "s1"].p
    assert two["s3", "s1"].low == pytest.approx(every["s3", "s1"].low, abs=1e-12)


def test_plus_one_and_the_seed_reach_the_test() -> None:
    scores = random_matrix(3, 20, step=2)  # no overlap at all
    plain = compare(scores, sampling=Sampling(99))
    never_0 = compare(scores, sampling=Sampling(99, plus_one=True))
    assert set(plain.p) == {0.0, 1.0}
    assert set(never_0.p) == {0.01, 1.0}
    close = random_matrix(3, 20)
    first, again, other = (compare(close, sampling=Sampling(99, seed)) for seed in (1, 1, 2))
    for field in ("p", "low", "high", "mean_low", "mean_high"):
        np.testing.assert_array_equal(getattr(first, field), getattr(again, field))
    assert (first.p != other.p).any()


# --- intervals


def test_intervals_of_t_are_students() -> None:
    scores = random_matrix(4, 11, seed=2)
    found = compare(scores, test="t", alpha=0.1)
    for pair in found.pairs():
        a, b = (scores.values[scores.systems.index(name)] for name in (pair.a, pair.b))
        expected = stats.ttest_rel(a, b).confidence_interval(0.9)
        assert (pair.low, pair.high) == pytest.approx((expected.low, expected.high), rel=1e-9)
    for s, row in enumerate(scores.values):
        interval = stats.t.interval(0.9, 10, loc=row.mean(), scale=stats.sem(row))
        assert (found.mean_low[s], found.mean_high[s]) == pytest.approx(interval, rel=1e-9)


@pytest.mark.parametrize("resamples", [1, 2, 39, 40, 1000])
@pytest.mark.parametrize("alpha", [0.05, 0.5, 0.99])
def test_other_intervals_are_order_statistics_of_the_resampled_differences(
    resamples: int, alpha: float
) -> None:
    scores, sampling = random_matrix(3, 9), Sampling(resamples)
    found = compare(scores, test="wilcoxon", alpha=alpha, sampling=sampling)
    means = resampled_means(scores.values, sampling)
    skip = min(int(resamples * alpha / 2), (resamples - 1) // 2)
    for i, pair in enumerate(found.pairs()):
        ordered = np.sort(means[found.a[i]] - means[found.b[i]])
        assert (pair.low, pair.high) == pytest.approx((ordered[skip], ordered[-1 - skip]), abs=1e-12)
    for s in range(3):
        ordered = np.sort(means[s])
        assert (found.mean_low[s], found.mean_high[s]) == pytest.approx(
            (ordered[skip], ordered[-1 - skip]), abs=1e-12
        )


@pytest.mark.parametrize("way", ["as written", pytest.param("compiled", marks=pytest.mark.compiled)])
@pytest.mark.parametrize("shape", ["normal", "one outlier", "constant", "two values", "far from 0", "tiny"])
def test_percentiles_of_any_distribution(way: str, shape: str) -> None:
    """The guess of where the tails begin may be wrong; the order statistics are not."""
    random = np.random.default_rng(9)
    values = {
        "normal": random.normal(size=400),
        "one outlier": np.r_[np.zeros(399), 1e6],
        "constant": np.full(400, 0.3),
        "two values": np.r_[np.zeros(200), np.ones(200)],
        "far from 0": 1e9 + random.random(400),
        "tiny": 1e-200 * random.random(400),
    }[shape]
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("INEXLAB_COMPILED", "never" if way == "as written" else "always")
        low, high = percentiles_of_differences(values[None, :], np.zeros((1, 400)), 0.05)
    ordered = np.sort(values)
    assert (low[0, 0], high[0, 0]) == (ordered[10], ordered[-11])


@pytest.mark.compiled
@pytest.mark.parametrize("alpha", [0.001, 0.01, 0.05, 0.3, 0.9])
@pytest.mark.parametrize("count", [7, 64, 1000, 9999])
def test_percentiles_wherever_they_are(count: int, alpha: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is near the guess is enough for most pairs, and not for skewed ones: all are exact."""
    monkeypatch.setenv("INEXLAB_COMPILED", "always")
    random = np.random.default_rng(count)
    left = random.normal(size=(4, count))
    left[1] = np.exp(3 * left[1])  # one long tail
    left[2] = np.round(left[2])  # few different values
    left[3, ::50] *= 1e4  # two tails, and a spread that says nothing
    right = np.vstack([np.zeros(count), -left[1], random.normal(size=count)])
    low, high = percentiles_of_differences(left, right, alpha)
    skip = min(int(count * alpha / 2), (count - 1) // 2)
    ordered = np.sort(left[:, None, :] - right[None, :, :], axis=2)
    assert (low == ordered[:, :, skip]).all()
    assert (high == ordered[:, :, -1 - skip]).all()


@pytest.mark.parametrize(
    "test", ["bootstrap", "randomisation", "t", "wilcoxon", "wilcoxon-normal", "sign", "sign-normal"]
)
def test_what_goes_through_the_pairs_says_how_far_it_is(test: str) -> None:
    steps: list[ProgressStep] = []
    values = np.random.default_rng(1).random((4, 9))
    with watching(steps.append):
        compare(Scores(tuple("abcd"), tuple("123456789"), values), test=test, sampling=Sampling(100))
    told = [step for step in steps if step.doing == "comparing"]
    assert told == sorted(told)
    assert told[-1] == ("comparing", 16, 16, "pairs")


@every_test
@few_examples
@given(matrices(fewest_topics=2))
def test_the_difference_lies_in_its_interval_and_mirrored_pairs_have_mirrored_intervals(
    test: str, scores: Scores
) -> None:
    found = by_names(compare(scores, test=test, sampling=Sampling(1000)))
    for (a, b), pair in found.items():
        mirror = found[b, a]
        assert pair.difference == pair.mean_a - pair.mean_b
        assert pair.low - 1e-12 <= pair.difference <= pair.high + 1e-12
        assert (-mirror.high, -mirror.low) == pytest.approx((pair.low, pair.high), abs=1e-12)


def test_a_smaller_level_makes_a_wider_interval() -> None:
    scores = random_matrix(3, 20)
    for test in ("t", "bootstrap"):
        strict, mild = (compare(scores, test=test, alpha=alpha) for alpha in (0.01, 0.2))
        assert (strict.low < mild.low).all()
        assert (strict.high > mild.high).all()
        assert (strict.mean_low < mild.mean_low).all()


# --- decisions


@pytest.mark.parametrize("tail", ["one", "two"])
def test_better_points_from_winner_to_loser(tail: Tail) -> None:
    scores = matrix(
        np.array([[1.0, 1.1, 0.9, 1.0, 1.05], [5.0, 5.2, 4.9, 5.0, 5.1], [1.0, 1.0, 1.0, 1.0, 1.1]])
    )
    found = compare(scores, test="t", tail=tail)
    assert found.better.tolist() == [[False] * 3, [True, False, True], [False] * 3]
    assert found.order() == [1, 2, 0]
    assert found.letters() == ["a", "b", "b"]


@every_test
@pytest.mark.parametrize("tail", ["one", "two"])
@few_examples
@given(scores=matrices())
def test_nobody_is_both_better_and_worse_and_winners_have_the_larger_mean(
    test: str, tail: Tail, scores: Scores
) -> None:
    found = compare(scores, test=test, tail=tail, correction="none", sampling=FEW)
    assert not (found.better & found.better.T).any()
    assert found.better.sum() == found.significant.sum()
    if test in ("t", "bootstrap", "randomisation"):  # signs and ranks need not follow the mean
        for winner, loser in zip(*np.nonzero(found.better), strict=True):
            assert found.matrix.totals()[winner] > found.matrix.totals()[loser]


@pytest.mark.parametrize("test", ["sign", "wilcoxon", "sign-normal", "wilcoxon-normal"])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("baselines", [[], ["s0"], ["s1"]])
def test_two_tailed_the_winner_is_whom_the_test_leans_to(
    test: str, turned: bool, baselines: list[str]
) -> None:
    """Nineteen small gains and one disaster: signs and ranks say better, the mean says worse."""
    steady = np.r_[np.arange(1, 20) / 1000, -9.0]
    values = np.array([steady, np.zeros(20)])
    scores = matrix(values[::-1] if turned else values)
    found = compare(scores, test=test, tail="two", correction="none", baselines=baselines)
    winner, loser = (1, 0) if turned else (0, 1)
    assert scores.totals()[winner] < scores.totals()[loser]
    assert found.significant.tolist() == [True]
    assert found.better[winner, loser]
    assert not found.better[loser, winner]


@pytest.mark.parametrize("correction", list(corrections))
def test_another_correction_decides_as_a_comparison_of_its_own(correction: str) -> None:
    scores = random_matrix(6, 20, step=0.1)
    own = compare(scores, test="sign", tail="two", correction=correction)
    found = compare(scores, test="sign", tail="two", correction="bonferroni").corrected(correction)
    assert found.correction == correction
    np.testing.assert_array_equal(found.p_adjusted, own.p_adjusted)
    np.testing.assert_array_equal(found.better, own.better)


@every_test
@pytest.mark.parametrize("tail", ["one", "two"])
@pytest.mark.parametrize("baselines", [[], ["s1"]])
def test_one_topic_shows_nothing(test: str, tail: Tail, baselines: list[str]) -> None:
    found = compare(
        matrix(np.array([[0.75], [0.5], [0.0]])), test=test, tail=tail, correction="none", baselines=baselines
    )
    assert set(found.p) == set(found.p_adjusted) == {1.0}
    assert not found.better.any()
    for undefined in (found.low, found.high, found.mean_low, found.mean_high):
        assert np.isnan(undefined).all()
    assert found.warnings == (few_topics_warning(1),)


@every_test
@pytest.mark.parametrize("correction", list(corrections))
@pytest.mark.parametrize("baselines", [[], ["s1"]])
def test_fewer_than_five_topics_conclude_nothing(test: str, correction: str, baselines: list[str]) -> None:
    """Three systems a step apart on every topic: four topics show nothing, five what the test finds."""

    def on(topics: int, **options: Any) -> Comparison:
        scores = np.tile([[0.75], [0.5], [0.25]], (1, topics))
        return compare(
            matrix(scores), test=test, correction=correction, alpha=0.3, baselines=baselines, **options
        )

    for topics in range(1, FEWEST_TOPICS):
        few = on(topics)
        assert not few.conclusive
        assert not few.significant.any()
        assert not few.better.any()
        assert not few.corrected("none").better.any()
        assert few.letters() == ["", "", ""]
        assert few.few_topics == few.warnings[0] == few_topics_warning(topics)
        assert few.few_topics.endswith("with fewer than 5 no difference counts as shown")
        assert "topic" in few._repr_html_()
        assert few.few_topics in few._repr_html_()
    assert on(5).conclusive
    assert on(5).few_topics == "5 topics: too few for any test to say much"
    assert on(5).corrected("none").better.any()
    assert on(10).few_topics == ""
    assert on(4, fewest_topics=4).corrected("none").better.any()


def test_two_topics_are_no_three_groups() -> None:
    """The bootstrap gives p = 0 wherever all differences have one sign, however few there are."""
    found = compare(matrix(np.array([[0.9, 0.8], [0.5, 0.4], [0.2, 0.1]])))
    assert found.p.min() == 0
    assert not found.better.any()
    assert found.letters() == ["", "", ""]


def test_equal_means_keep_their_order_and_letters_follow_it() -> None:
    found = compare(matrix(np.tile([[0.2], [0.8], [0.8]], (1, 12))), test="t")
    assert found.order() == [1, 2, 0]
    assert found.letters() == ["a", "a", "b"]


@every_test
def test_all_scores_equal(test: str) -> None:
    found = compare(matrix(np.full((4, 12), 0.25)), test=test, sampling=FEW)
    assert set(found.p) == {1.0}
    assert not found.better.any()
    assert set(found.low) | set(found.high) == {0.0}
    assert found.letters() == ["a"] * 4


@every_test
def test_two_systems(test: str) -> None:
    found = compare(random_matrix(2, 30, step=1), test=test, sampling=FEW)
    assert [(pair.a, pair.b, pair.significant) for pair in found.pairs()] == [
        ("s0", "s1", False),
        ("s1", "s0", True),
    ]


def test_five_hundred_systems() -> None:
    found = compare(random_matrix(500, 10, step=0.002), test="t")
    assert len(found) == 500 * 499
    assert found.order()[0] > 250
    letters = found.letters()
    assert len(letters) == 500
    assert found.better.sum() == found.significant.sum() > 0


def test_the_false_discovery_rate_stays_under_its_level() -> None:
    """Systems of two kinds, 0.8 apart: among 90 ordered pairs only 25 hypotheses are to be found."""
    random, level, rates = np.random.default_rng(2006), 0.1, {"by": [0.0], "none": [0.0]}
    kind = np.repeat([0, 1], 5)
    found = 0
    for _ in range(200):
        scores = matrix(random.normal(size=(10, 25)) + 0.8 * kind[:, None])
        for correction, shares in rates.items():
            comparison = compare(scores, test="t", correction=correction, alpha=level)
            winners, losers = comparison.a[comparison.significant], comparison.b[comparison.significant]
            true = kind[winners] > kind[losers]
            shares.append(1 - true.mean() if len(true) else 0.0)
            found += int(true.sum()) if correction == "by" else 0
    assert np.mean(rates["by"]) <= level
    assert np.mean(rates["none"]) > level  # it is the correction that does it
    assert found > 200 * 25 * 0.3  # and not by never finding anything


# --- refusals


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, 5.0, math.nan, math.inf])
def test_a_level_is_between_0_and_1(alpha: float) -> None:
    with pytest.raises(UsageError, match="expected a level between 0 and 1"):
        compare(random_matrix(2, 5), alpha=alpha)


def test_one_system_cannot_be_compared() -> None:
    with pytest.raises(UsageError, match="only one system"):
        compare(random_matrix(1, 5))


def test_unknown_names_are_told_the_nearest() -> None:
    scores = random_matrix(3, 5)
    with pytest.raises(UnknownNameError, match="unknown baseline 'S1'; did you mean 's1'"):
        compare(scores, baselines=["s0", "S1"])
    with pytest.raises(
        UnknownNameError, match="unknown significance test 'bootstrp'; did you mean 'bootstrap'"
    ):
        compare(scores, test="bootstrp")
    with pytest.raises(UnknownNameError, match="unknown correction 'hlm'; did you mean 'holm'"):
        compare(scores, test="t", correction="hlm")


# --- the matrix


def test_a_matrix_has_a_finite_score_everywhere_and_no_name_twice() -> None:
    values = np.zeros((2, 2))
    with pytest.raises(UsageError, match="two systems are called a"):
        Scores(("a", "a"), ("1", "2"), values)
    with pytest.raises(UsageError, match="two topics are called 1"):
        Scores(("a", "b"), ("1", "1"), values)
    with pytest.raises(UsageError, match="no topic"):
        Scores(("a", "b"), (), np.zeros((2, 0))).complete()
    with pytest.raises(UsageError, match="system b has no finite score on topic 1"):
        Scores(("a", "b"), ("1", "2"), np.array([[0.0, 0.0], [np.inf, 0.0]])).complete()
    with pytest.raises(ValueError, match="row per system"):
        Scores(("a", "b"), ("1", "2", "3"), values)


def test_choosing_systems_keeps_their_scores_in_the_order_asked_for() -> None:
    scores = random_matrix(4, 6)
    chosen = scores.choose(["s3", "s0"])
    assert (chosen.systems, chosen.topics, chosen.name) == (("s3", "s0"), scores.topics, "score")
    np.testing.assert_array_equal(chosen.values, scores.values[[3, 0]])
    np.testing.assert_allclose(chosen.totals(), [scores.values[3].mean(), scores.values[0].mean()])


def test_every_column_of_a_comparison_has_an_entry_per_pair_or_system() -> None:
    found = compare(random_matrix(5, 12), test="t", baselines=["s1"])
    sizes = {
        f.name: np.size(getattr(found, f.name)) for f in fields(found) if f.name not in ("matrix", "warnings")
    }
    pairs = ("a", "b", "low", "high", "statistic", "p", "p_adjusted", "significant")
    assert {sizes[name] for name in pairs} == {len(found)} == {8}
    assert sizes["mean_low"] == sizes["mean_high"] == 5
