"""The tests of significance: worked numbers, oracles by enumeration, laws, and behaviour under the null."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest, norm, ttest_rel
from scipy.stats import wilcoxon as scipy_wilcoxon

from inexlab.errors import UnknownNameError
from inexlab.statistics.testing import Outcome, Sampling, significance_tests
from inexlab.tables import Floats
from tests.builders import calm
from tests.examples import examples

TESTS = ("bootstrap", "randomisation", "sign", "sign-normal", "t", "wilcoxon", "wilcoxon-normal")
Scores = Sequence[float] | Floats
every_test = pytest.mark.parametrize("test", TESTS)

# Cherukuri (2010), Table 6: the second and the third column.
TABLE_6 = (
    (0.9990198480764518, 0.0, 0.0, 0.34397119086054884, 0.12936590721932473, 0.0, 0.06138073065902579),
    (
        0.9990198480764518,
        0.0,
        0.5120564388754344,
        0.5815299446401611,
        0.12024428931579069,
        0.0,
        0.04249008051157595,
    ),
)


def run(test: str, a: Scores, b: Scores, sampling: Sampling | None = None) -> list[float]:
    """Return statistic and both p-values of one pair."""
    found = run_many(test, np.array([a], dtype=float), np.array([b], dtype=float), sampling)
    return [float(entry[0, 0]) for entry in (found.statistic, found.greater, found.less)]


def run_many(test: str, left: Floats, right: Floats, sampling: Sampling | None = None) -> Outcome:
    return significance_tests[test].run(left, right, sampling or Sampling())


def zeros(like: Scores) -> list[float]:
    return [0.0] * len(like)


# Scores on a grid of 64ths: sums are exact, so ties are ties.
grid = st.integers(0, 64).map(lambda k: k / 64)


@st.composite
def paired(draw: st.DrawFn, most: int = 12) -> tuple[list[float], list[float]]:
    """Scores of two systems on the same topics, often equal."""
    n = draw(st.integers(1, most))
    of_topics = st.lists(grid, min_size=n, max_size=n)
    a, b = draw(of_topics), draw(of_topics)
    same = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    return a, [x if s else y for x, y, s in zip(a, b, same, strict=True)]


def differences(pair: tuple[list[float], list[float]]) -> list[Fraction]:
    return [Fraction(x) - Fraction(y) for x, y in zip(*pair, strict=True)]


# --- worked numbers


def test_the_registry_knows_the_tests_of_the_papers() -> None:
    assert sorted(significance_tests) == list(TESTS)
    assert {t.name for t in significance_tests.values() if t.samples} == {"bootstrap", "randomisation"}
    assert all("Source:" in t.doc for t in significance_tests.values())
    with pytest.raises(UnknownNameError, match="did you mean 'wilcoxon'"):
        significance_tests["wilcoxen"]


def test_t_of_table_6() -> None:
    second, third = TABLE_6
    t, better, worse = run("t", third, second)
    assert t == pytest.approx(1.3505724178, abs=1e-10)
    assert better == pytest.approx(0.11277, abs=5e-6)
    assert worse == pytest.approx(1 - better, abs=1e-12)


def test_bootstrap_and_randomisation_of_table_6_have_the_mean_difference_as_statistic() -> None:
    second, third = TABLE_6
    for test in ("bootstrap", "randomisation"):
        assert run(test, third, second)[0] == pytest.approx(0.1030861321, abs=1e-10)


def test_wilcoxon_of_table_6_drops_the_three_zeros() -> None:
    second, third = TABLE_6
    # the four differences have the ranks +4, +3, -1, -2
    assert run("wilcoxon", third, second)[:2] == [7.0, 0.3125]


def test_sign_of_table_6() -> None:
    second, third = TABLE_6
    # two of four: P(X >= 2) = 11/16
    assert run("sign", third, second) == [2.0, 0.6875, 0.6875]


def test_normal_forms_of_table_6() -> None:
    """Differences by size: -.009, -.019, .238, .512: signed ranks -1 -2 3 4, two wins of four."""
    second, third = TABLE_6
    t, better, worse = run("wilcoxon-normal", third, second)
    assert t == pytest.approx(4 / math.sqrt(30))
    assert better == pytest.approx(float(norm.sf(4 / math.sqrt(30))))
    assert better + worse == pytest.approx(1)
    assert run("sign-normal", third, second) == [0.0, 0.5, 0.5]
    assert run("sign-normal", [1.0] * 3 + [0.0], [0.0] * 3 + [1.0])[0] == pytest.approx(2 / math.sqrt(4))


@calm
@given(st.integers(2, 40), st.integers(0, 10**6))
def test_the_normal_form_of_wilcoxon_is_scipys(n: int, seed: int) -> None:
    a, b = np.random.default_rng(seed).integers(0, 9, size=(2, n)) / 8
    if (a == b).all():
        return
    peer = scipy_wilcoxon(a, b, alternative="greater", method="approx", correction=False)
    assert run("wilcoxon-normal", a, b)[1] == pytest.approx(float(peer.pvalue), abs=1e-12)


@pytest.mark.parametrize("test", ["sign", "wilcoxon", "sign-normal", "wilcoxon-normal"])
def test_scores_that_differ_by_rounding_are_tied(test: str) -> None:
    """0.1 + 0.2 is not 0.3 to a computer, and 0.3 - 0.2 not 0.2 - 0.1."""
    assert run(test, [0.1 + 0.2, 0.5], [0.3, 0.25]) == run(test, [0.3, 0.5], [0.3, 0.25])
    assert run(test, [0.3, 0.2, 0.1], [0.2, 0.1, 0.2]) == run(test, [3.0, 2.0, 1.0], [2.0, 1.0, 2.0])


def test_wilcoxon_of_many_topics_is_near_its_normal_form_and_no_memory_hog() -> None:
    a, b = np.random.default_rng(5).normal(size=(2, 3000))
    w, better, _ = run("wilcoxon", a, b)
    peer = scipy_wilcoxon(a, b, alternative="greater", method="approx", correction=False)
    assert w == peer.statistic
    assert better == pytest.approx(float(peer.pvalue), abs=1e-12)


def test_randomisation_of_table_6_by_hand() -> None:
    """Four topics differ, by +.51, +.24, -.01, -.02: as large a sum needs both gains."""
    second, third = TABLE_6
    assert run("randomisation", third, second)[1] == pytest.approx(4 / 16)


def test_the_critical_value_for_68_topics() -> None:
    """Cherukuri's threshold of 1.67 is t(.95; 67) = 1.66792: there p is .05."""
    spread = np.tile([1.0, -1.0], 34)  # mean 0, standard error 1/√67
    t, p, _ = run("t", list(spread + 1.66792 / math.sqrt(67)), zeros([0.0] * 68))
    assert t == pytest.approx(1.66792, abs=1e-9)
    assert p == pytest.approx(0.05, abs=5e-6)


def test_the_smallest_p_of_wilcoxon_and_sign_is_one_pattern_of_signs() -> None:
    gains = [1.0, 2.0, 3.0, 4.0, 5.0]
    assert run("wilcoxon", gains, zeros(gains)) == [15.0, 1 / 32, 1.0]
    assert run("sign", gains, zeros(gains)) == [5.0, 1 / 32, 1.0]


def test_wilcoxon_gives_ties_their_mean_rank() -> None:
    # sizes 1 1 2: ranks 1.5 1.5 3; W+ = 1.5 + 3
    statistic, better, worse = run("wilcoxon", [1, -1, 2], [0, 0, 0])
    # sums over the 8 patterns: 0 1.5 1.5 3 3 4.5 4.5 6
    assert (statistic, better, worse) == (4.5, 3 / 8, 7 / 8)


# --- oracles by enumeration


def share(holds: Callable[[Fraction], bool], values: list[Fraction]) -> float:
    return sum(map(holds, values)) / len(values)


@calm
@given(paired(8))
def test_sign_by_enumeration(pair: tuple[list[float], list[float]]) -> None:
    d = [x for x in differences(pair) if x]
    wins = sum(x > 0 for x in d)
    patterns = [sum(p) for p in itertools.product((0, 1), repeat=len(d))]
    better = sum(p >= wins for p in patterns) / len(patterns)
    worse = sum(p <= wins for p in patterns) / len(patterns)
    assert run("sign", *pair) == pytest.approx([wins, better, worse], abs=1e-14)


@calm
@given(paired(9))
def test_wilcoxon_by_enumeration_of_signs(pair: tuple[list[float], list[float]]) -> None:
    d = [x for x in differences(pair) if x]
    sizes = [abs(x) for x in d]
    # the mean rank: how many are smaller, and the middle of those as large
    ranks = [Fraction(2 * sum(s < x for s in sizes) + sum(s == x for s in sizes) + 1, 2) for x in sizes]
    observed = sum((r for r, x in zip(ranks, d, strict=True) if x > 0), Fraction(0))
    sums = [
        sum(itertools.compress(ranks, signs), Fraction(0))
        for signs in itertools.product((0, 1), repeat=len(d))
    ]
    expected = [float(observed), share(lambda w: w >= observed, sums), share(lambda w: w <= observed, sums)]
    assert run("wilcoxon", *pair) == pytest.approx(expected, abs=1e-14)


@calm
@given(paired(9))
def test_randomisation_by_enumeration_of_swaps(pair: tuple[list[float], list[float]]) -> None:
    d = differences(pair)
    sums = [
        sum((s * x for s, x in zip(signs, d, strict=True)), Fraction(0))
        for signs in itertools.product((1, -1), repeat=len(d))
    ]
    observed = sum(d, Fraction(0))
    better, worse = share(lambda s: s >= observed, sums), share(lambda s: s <= observed, sums)
    assert run("randomisation", *pair) == [float(observed / len(d)), better, worse]


def test_sampled_randomisation_is_near_the_enumeration_and_never_0() -> None:
    random = np.random.default_rng(7)
    d = random.integers(-8, 12, size=12) / 64
    exact = run("randomisation", d, zeros(d), Sampling(4096))[1]
    sampled = run("randomisation", d, zeros(d), Sampling(4095))[1]
    assert sampled != exact  # one swap too many to enumerate
    assert sampled == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 4095) + 1 / 4096)
    gains = [1.0] * 30
    assert run("randomisation", gains, zeros(gains), Sampling(99))[1:] == [0.01, 1.0]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_bootstrap_by_enumeration_of_all_resamples(n: int) -> None:
    """All n^n resamples, within 4 standard errors of 20,000; many of them sum to exactly 0."""
    random = np.random.default_rng(n)
    resamples = 20_000
    picks = np.array(list(itertools.product(range(n), repeat=n)))
    ties = 0
    for case in range(20):
        d = random.integers(-3, 4, size=n) / 4
        sums = d[picks].sum(axis=1)
        ties += int((sums == 0).sum())
        _, better, worse = run("bootstrap", d, zeros(d), Sampling(resamples, seed=case))
        for found, exact in ((better, (sums <= 0).mean()), (worse, (sums >= 0).mean())):
            assert found == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / resamples))
    assert ties > 0


def test_a_bootstrap_tie_at_0_counts_though_its_sum_is_rounded() -> None:
    """.1 + .2 - .3 is not 0 in floating point; on every resample the two systems are level."""
    a, b = [0.1 + 0.2, 0.7 + 0.1], [0.3, 0.8]
    assert a != b
    assert run("bootstrap", a, b)[1:] == [1.0, 1.0]


# --- no variance, no difference, one topic


@every_test
def test_identical_systems_do_not_differ(test: str) -> None:
    scores = [0.1, 0.7, 0.3, 0.2]
    assert run(test, scores, scores) == [0.0, 1.0, 1.0]


def test_t_without_variance() -> None:
    above, below = [0.6, 0.8, 0.4], [0.5, 0.7, 0.3]
    assert run("t", above, below) == [math.inf, 0.0, 1.0]
    assert run("t", below, above) == [-math.inf, 1.0, 0.0]
    # no mean of ten is exactly .3 or .1, but differences that are all alike have no variance
    assert run("t", [0.3] * 10, [0.1] * 10) == [math.inf, 0.0, 1.0]
    assert run("t", [0.1] * 10, [0.3] * 10) == [-math.inf, 1.0, 0.0]


def test_t_with_a_variance_beyond_rounding_is_scipys() -> None:
    """Differences of 1/4 that vary in the eighth digit: the products of scores cancel to nothing."""
    b = np.random.default_rng(3).random(12)
    a = b + 0.25 + 1e-8 * np.arange(12)
    peer = ttest_rel(a, b, alternative="greater")
    t, better, _ = run("t", a, b)
    assert t == pytest.approx(float(peer.statistic), rel=1e-5)
    assert 0 < better == pytest.approx(float(peer.pvalue), rel=1e-3)


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("t", [0.0, 1.0, 1.0]),
        ("sign", [1.0, 0.5, 1.0]),
        ("wilcoxon", [1.0, 0.5, 1.0]),
        ("randomisation", [0.25, 0.5, 1.0]),
        ("bootstrap", [0.25, 0.0, 1.0]),
    ],
)
def test_one_topic(test: str, expected: list[float]) -> None:
    assert run(test, [0.75], [0.5]) == expected


# --- laws


@every_test
@calm
@given(paired())
def test_p_values_are_probabilities_and_one_tail_or_the_other_holds(
    test: str, pair: tuple[list[float], list[float]]
) -> None:
    _, better, worse = run(test, *pair, Sampling(200))
    assert 0 <= better <= 1
    assert 0 <= worse <= 1
    if len(pair[0]) > 1:
        assert better + worse >= 1 - 1e-12


@every_test
@calm
@given(paired())
def test_antisymmetry(test: str, pair: tuple[list[float], list[float]]) -> None:
    a, b = pair
    _, better, worse = run(test, a, b, Sampling(200))
    _, mirrored_better, mirrored_worse = run(test, b, a, Sampling(200))
    assert [mirrored_worse, mirrored_better] == pytest.approx([better, worse], abs=1e-9)


@pytest.mark.parametrize("test", ["randomisation", "sign", "t", "wilcoxon"])
@calm
@given(paired(10), st.randoms(use_true_random=False))
def test_the_order_of_topics_does_not_matter(
    test: str, pair: tuple[list[float], list[float]], random: np.random.RandomState
) -> None:
    topics = list(zip(*pair, strict=True))
    random.shuffle(topics)
    a, b = ([float(t[side]) for t in topics] for side in (0, 1))
    assert run(test, a, b) == pytest.approx(run(test, *pair), rel=1e-9, abs=1e-12)


def test_the_order_of_topics_matters_to_the_bootstrap_only_by_chance() -> None:
    random = np.random.default_rng(3)
    b = 10_000
    for _ in range(20):
        d = random.normal(0.3, 1, size=20)
        first, second = (run("bootstrap", order, zeros(d))[1] for order in (d, np.sort(d)))
        p = (first + second) / 2
        assert first == pytest.approx(second, abs=5 * math.sqrt(2 * p * (1 - p) / b) + 1 / b)


@every_test
@calm
@given(paired(), st.integers(-64, 64).map(lambda k: k / 64))
def test_adding_a_constant_to_both_systems_changes_nothing(
    test: str, pair: tuple[list[float], list[float]], constant: float
) -> None:
    a, b = ([score + constant for score in scores] for scores in pair)
    sampling = Sampling(200)
    assert run(test, a, b, sampling) == pytest.approx(run(test, *pair, sampling), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("test", ["bootstrap", "sign"])
@calm
@given(paired(), st.integers(0, 11))
def test_a_gain_on_a_topic_never_speaks_against_a_system(
    test: str, pair: tuple[list[float], list[float]], place: int
) -> None:
    a, b = pair
    raised = [score + (i == place % len(a)) for i, score in enumerate(a)]
    assert run(test, raised, b, Sampling(200))[1] <= run(test, a, b, Sampling(200))[1] + 1e-12


@every_test
def test_a_table_of_pairs_holds_what_each_pair_has_alone(test: str) -> None:
    random = np.random.default_rng(5)
    left, right = random.integers(0, 9, (3, 15)) / 8, random.integers(0, 9, (4, 15)) / 8
    found = run_many(test, left, right, Sampling(500))
    for i, j in itertools.product(range(3), range(4)):
        alone = run(test, left[i], right[j], Sampling(500))
        together = [entry[i, j] for entry in (found.statistic, found.greater, found.less)]
        assert together == pytest.approx(alone, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("way", ["never", pytest.param("always", marks=pytest.mark.compiled)])
def test_wilcoxon_as_written_and_compiled(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", way)
    random = np.random.default_rng(6)
    with_ties, without = random.integers(0, 4, (2, 10)) / 4, random.random((2, 10))
    for left, right in (with_ties, without):
        d = left - right
        d = d[d != 0]
        ranks = [(2 * (abs(d) < x).sum() + (abs(d) == x).sum() + 1) / 2 for x in abs(d)]
        sums = [sum(itertools.compress(ranks, s)) for s in itertools.product((0, 1), repeat=len(d))]
        observed = sum(itertools.compress(ranks, d > 0))
        expected = float(np.mean([s >= observed for s in sums]))
        assert run("wilcoxon", left, right)[:2] == pytest.approx([observed, expected])


# --- under the null hypothesis, seeded


def under_the_null(topics: int, pairs: int, seed: int) -> tuple[Floats, Floats]:
    """One system of zeros, and many whose differences from it are independent and symmetric about 0."""
    return np.zeros((1, topics)), np.random.default_rng(seed).normal(size=(pairs, topics))


@pytest.mark.parametrize("topics", [5, 20])
def test_under_the_null_p_of_t_is_uniform(topics: int) -> None:
    found = run_many("t", *under_the_null(topics, 4000, seed=topics))
    assert kstest(found.greater[0], "uniform").pvalue > 0.001
    # and the KS test would see a p-value that is not: the two-tailed one of the same data is halved
    assert kstest(np.minimum(found.greater, found.less)[0], "uniform").pvalue < 1e-9


@pytest.mark.parametrize("test", ["sign", "wilcoxon", "randomisation"])
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_under_the_null_these_reject_at_most_alpha(test: str, alpha: float) -> None:
    pairs = 2000
    zero, others = under_the_null(10, pairs, seed=11)
    noise = 4 * math.sqrt(alpha * (1 - alpha) / pairs)
    p = run_many(test, zero, others).greater
    assert (p <= alpha).mean() <= alpha + noise
    # with a true difference they do reject
    assert (run_many(test, zero + 1.5, others).greater <= alpha).mean() > alpha + noise


@pytest.mark.parametrize(("topics", "claimed"), [(10, 0.07), (50, 0.055)])
def test_the_bootstrap_is_as_liberal_as_its_page_says(topics: int, claimed: float) -> None:
    pairs = 4000
    found = run_many("bootstrap", *under_the_null(topics, pairs, seed=12), Sampling(1000))
    noise = 4 * math.sqrt(claimed * (1 - claimed) / pairs)
    assert (found.greater < 0.05).mean() == pytest.approx(claimed, abs=noise)


@examples(15)
@given(st.integers(15, 40), st.integers(0, 10**6))
def test_no_test_says_anything_but_numbers(topics: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    left, right = random.random((2, topics)), random.integers(0, 2, (2, topics)).astype(float)
    for test in TESTS:
        found = run_many(test, left, right, Sampling(50))
        for entry in (found.statistic, found.greater, found.less):
            assert entry.shape == (2, 2)
            assert np.isfinite(entry).all()
