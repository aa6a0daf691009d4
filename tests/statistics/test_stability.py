"""Stability of tests over halves of the topics, and how findings grow with topics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import UnknownNameError, UsageError
from inexlab.scores import Scores
from inexlab.statistics import compare
from inexlab.statistics.stability import COLUMNS, Stability, growth, halves_warning, stability
from inexlab.statistics.testing import Sampling
from tests.examples import examples


def matrix(rows: Sequence[Sequence[float]]) -> Scores:
    topics = tuple(map(str, range(len(rows[0]))))
    return Scores(tuple("ABCDEFGH"[: len(rows)]), topics, np.array(rows, dtype=np.float64))


@st.composite
def matrices(draw: st.DrawFn) -> Scores:
    """Draw the scores of a few systems on a few topics."""
    topics = draw(st.integers(4, 9))
    row = st.lists(st.integers(0, 4).map(lambda k: k / 4), min_size=topics, max_size=topics)
    return matrix(draw(st.lists(row, min_size=2, max_size=4)))


def small(scores: Scores, tests: Sequence[str], corrections: Sequence[str], **others: Any) -> list[Stability]:
    """Stability of a matrix that can be worked by hand, whose halves have too few topics otherwise."""
    return stability(scores, tests, corrections, fewest_topics=1, **others)


# Error rates.


def test_a_difference_on_every_topic_is_never_an_error() -> None:
    """A beats B beats C by the same on all topics: all three conclusions hold, split after split."""
    [found] = small(matrix([[3] * 8, [2] * 8, [1] * 8]), ["t"], ["by"], splits=5)
    assert found == ("t", "by", 15, 0, 0.0, 1.0, 100.0)


def test_a_test_that_never_concludes_has_no_error_rate() -> None:
    [found] = stability(matrix([[1] * 8, [1] * 8]), ["sign"], ["none"], splits=5)
    assert found[:4] == ("sign", "none", 0, 0)
    assert math.isnan(found.error_rate)
    assert math.isnan(found.self_agreement)
    assert found.share == 0


def test_a_conclusion_without_a_difference_on_the_other_half_is_an_error() -> None:
    """A wins by much on one half of the topics and loses by as much on the other.

    Systems that are equal over all topics: the winner on one half is the loser on the other, so that
    every conclusion is an error. On a balanced half nothing is concluded.
    """
    [found] = small(matrix([[1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 1]]), ["t"], ["none"], alpha=0.49)
    assert 0 < found.rejections < 50
    assert found.errors == found.rejections
    assert (found.error_rate, found.self_agreement) == (1, 0)


def test_no_difference_on_the_other_half_is_an_error_too() -> None:
    """A is better on one topic only: what that half concludes, the other sees no trace of."""
    [found] = small(matrix([[1, 0, 0, 0], [0, 0, 0, 0]]), ["t"], ["none"], alpha=0.49, splits=40)
    assert 0 < found.rejections < 40
    assert found.errors == found.rejections


def test_a_difference_by_rounding_alone_on_the_other_half_is_an_error() -> None:
    """0.1 + 0.2 is more than 0.3 to a computer, but nothing that a conclusion could be built on."""
    rounded = 0.1 + 0.2
    assert rounded > 0.3
    scores = matrix([[1, rounded, rounded, rounded], [0, 0.3, 0.3, 0.3]])
    [found] = small(scores, ["t"], ["none"], alpha=0.49, splits=40)
    assert 0 < found.rejections < 40
    assert found.errors == found.rejections


def test_rates_of_splits_are_averaged_when_told() -> None:
    """A beats B and C always; C beats B on topics 0 and 1 and loses on 2 and 3, by as much.

    The sign test concludes at 30% from two wins of two (p = 1/4). A half of topics 0 and 1, or of 2 and
    3, gives three conclusions of which one is wrong on the other half; any other half two right ones. With
    k of s splits of the first kind, k of 2 s + k conclusions are errors; the mean of the rates is k / 3 s.
    """
    scores = matrix([[9, 9, 9, 9], [1, 1, 2, 2], [2, 2, 1, 1]])
    splits, random = 12, np.random.default_rng(2006)
    halves = [{int(t) for t in random.permutation(4)[:2]} for _ in range(splits)]
    k = sum(half in ({0, 1}, {2, 3}) for half in halves)
    assert 0 < k < splits
    pooled, averaged = (
        small(scores, ["sign"], ["none"], alpha=0.3, splits=splits, pooled=way)[0] for way in (True, False)
    )
    assert pooled[:4] == averaged[:4] == ("sign", "none", 2 * splits + k, k)
    assert pooled.error_rate == pytest.approx(k / (2 * splits + k))
    assert averaged.error_rate == pytest.approx(k / 3 / splits)
    assert pooled.self_agreement == pytest.approx(2 * splits / (2 * splits + k))
    assert averaged.self_agreement == pytest.approx((2 / 3 * k + (splits - k)) / splits)


def test_splits_without_a_conclusion_have_no_rate_to_average() -> None:
    scores = matrix([[1, 0, 0, 0], [0, 0, 0, 0]])
    [found] = small(scores, ["t"], ["none"], alpha=0.49, splits=40, pooled=False)
    assert 0 < found.rejections < 40
    assert (found.error_rate, found.self_agreement) == (1, 0)
    [nothing] = small(matrix([[1] * 8, [1] * 8]), ["sign"], ["none"], splits=5, pooled=False)
    assert math.isnan(nothing.error_rate)


def test_the_odd_topic_goes_to_the_second_half() -> None:
    """The sign test needs 5 topics of 5 for p < .05: it concludes on 5 of 11, and never on 4 of 9."""
    eleven, nine = (stability(matrix([[1] * n, [0] * n]), ["sign"], ["none"])[0] for n in (11, 9))
    assert (eleven.rejections, eleven.self_agreement) == (50, 1)
    assert nine.rejections == 0


def wins(scores: Scores, topics: Sequence[int], a: int, b: int) -> tuple[int, int]:
    """On how many of the topics a is better than b, and b better than a."""
    differences = [float(scores.values[a, t] - scores.values[b, t]) for t in topics]
    return sum(d > 0 for d in differences), sum(d < 0 for d in differences)


def sign_rejects(scores: Scores, topics: Sequence[int], a: int, b: int, alpha: float) -> bool:
    """The sign test from its definition."""
    better, worse = wins(scores, topics, a, b)
    tail: int = sum(math.comb(better + worse, k) for k in range(better, better + worse + 1))
    return tail < alpha * 2.0 ** (better + worse)


@examples(40)
@given(matrices(), st.integers(0, 2**32), st.sampled_from([0.1, 0.3, 0.6]))
def test_counts_are_pooled_over_splits_and_pairs(scores: Scores, seed: int, alpha: float) -> None:
    """The same halves, and everything else from the definitions of the paper."""
    topics, systems = len(scores.topics), len(scores.systems)
    splits = 6
    random = np.random.default_rng(seed)
    rejections = errors = repeated = 0
    for _ in range(splits):
        order = [int(t) for t in random.permutation(topics)]
        first, second = order[: topics // 2], order[topics // 2 :]
        for a in range(systems):
            for b in range(systems):
                if a == b or not sign_rejects(scores, first, a, b, alpha):
                    continue
                rejections += 1
                errors += sum(scores.values[a, second]) <= sum(scores.values[b, second])
                repeated += sign_rejects(scores, second, a, b, alpha)
    [found] = small(scores, ["sign"], ["none"], splits=splits, alpha=alpha, sampling=Sampling(1, seed))
    assert (found.rejections, found.errors) == (rejections, errors)
    assert found.share == pytest.approx(100 * rejections / (splits * math.comb(systems, 2)))
    if rejections:
        assert found.error_rate == pytest.approx(errors / rejections)
        assert found.self_agreement == pytest.approx(repeated / rejections)


# Few topics.


def test_halves_of_fewer_than_five_topics_conclude_nothing() -> None:
    scores = matrix([[1] * 11, [0] * 11])
    assert [found.rejections for found in stability(scores, ["t", "bootstrap"], ["none"], splits=4)] == [4, 4]
    nine = matrix([[1] * 9, [0] * 9])
    for found in stability(nine, ["t", "bootstrap"], ["none", "by"], splits=4):
        assert (found.rejections, found.errors, found.share) == (0, 0, 0)
        assert math.isnan(found.error_rate)
    assert halves_warning(9).startswith("halves of 4 topics: too few to conclude anything")
    assert halves_warning(19) == "halves of 9 topics: too few for any test to say much"
    assert halves_warning(20) == ""


def test_growth_finds_nothing_on_four_topics() -> None:
    scores = matrix([[1] * 9, [0] * 9])
    assert growth(scores, "bootstrap", "none", sizes=[4, 5]) == [(4, 0), (5, 100)]


def test_every_column_is_explained() -> None:
    assert tuple(COLUMNS) == Stability._fields
    assert all(COLUMNS.values())


# What is run, and on what.

NOISE = np.random.default_rng(7).normal(size=(4, 20)) + np.array([[0.0], [0.4], [0.8], [1.2]])


def noisy() -> Scores:
    return matrix(NOISE.tolist())


def test_a_test_given_twice_is_run_once() -> None:
    once, twice = (
        stability(noisy(), tests, ["by"], splits=3) for tests in (["t", "sign"], ["t", "sign", "t"])
    )
    assert twice == once


def test_every_test_is_run_without_and_with_correction() -> None:
    found = stability(noisy(), ["t", "sign"], ["none", "bh", "by"], splits=8)
    assert [(s.test, s.correction) for s in found] == [
        (test, correction) for test in ("t", "sign") for correction in ("none", "bh", "by")
    ]
    none, bh, by = (s.rejections for s in found[:3])
    assert none > bh > by > 0


def test_all_tests_see_the_same_halves() -> None:
    alone = stability(noisy(), ["sign"], ["none"], splits=5)
    among = stability(noisy(), ["t", "wilcoxon", "sign"], ["none"], splits=5)
    assert among[2] == alone[0]


@pytest.mark.parametrize("test", ["bootstrap", "randomisation", "t"])
def test_the_same_seed_gives_the_same_result(test: str) -> None:
    first, again, other = (
        stability(noisy(), [test], ["none"], splits=4, sampling=Sampling(200, seed)) for seed in (5, 5, 6)
    )
    assert first[0].rejections > 0
    assert first == again
    assert first != other


@pytest.mark.parametrize("topics", [1, 2, 3])
def test_too_few_topics_are_refused(topics: int) -> None:
    with pytest.raises(UsageError, match=f"{topics} topics? cannot be split; give at least 4"):
        stability(matrix([[1] * topics, [0] * topics]), ["t"])


def test_four_topics_can_be_split() -> None:
    assert small(matrix([[1] * 4, [0] * 4]), ["t"], ["none"], splits=3)[0].rejections == 3


def test_unknown_names_and_levels_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="significance test 'wilcoxn'; did you mean 'wilcoxon'"):
        stability(noisy(), ["wilcoxn"])
    with pytest.raises(UnknownNameError, match="correction 'homl'; did you mean 'holm'"):
        stability(noisy(), ["t"], ["homl"])
    with pytest.raises(UsageError, match="alpha is 2"):
        stability(noisy(), ["t"], alpha=2)


# Growth.


def test_growth_goes_in_steps_of_five_to_the_full_set() -> None:
    grown = growth(matrix(NOISE[:, :18].tolist()), "t", samples=3)
    assert [size for size, _ in grown] == [5, 10, 15, 18]


@pytest.mark.parametrize("correction", ["none", "by"])
def test_growth_ends_with_what_all_topics_say(correction: str) -> None:
    found = int(compare(noisy(), test="t", correction=correction, intervals=False).better.sum())
    assert found > 0
    size, share = growth(noisy(), "t", correction, samples=2)[-1]
    assert size == 20
    assert share == pytest.approx(100 * found / 6)


def test_growth_averages_over_samples_of_topics() -> None:
    """The sign test finds A > B on any 5 topics and on no 4; pairs with the tied C are never found."""
    scores = matrix([[2] * 9, [1] * 9, [3, 0] * 4 + [1]])
    assert growth(scores, "sign", "none", sizes=[4, 5]) == [(4, 0), (5, pytest.approx(100 / 3))]


def test_a_real_difference_is_found_more_often_with_more_topics() -> None:
    shares = [share for _, share in growth(noisy(), "t", "none", sizes=[4, 10, 20], samples=30)]
    assert shares == sorted(set(shares))


def test_growth_is_the_same_for_the_same_seed() -> None:
    first, again, other = (
        growth(noisy(), "t", "none", sizes=[6], samples=3, sampling=Sampling(10, seed)) for seed in (1, 1, 5)
    )
    assert first == again
    assert first != other
