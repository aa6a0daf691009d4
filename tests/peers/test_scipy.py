"""The same p-values as scipy and statsmodels, where they compute the same thing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

from inexlab.scores import Scores
from inexlab.statistics import adjust, compare
from inexlab.statistics.testing import Sampling, significance_tests
from inexlab.tables import Floats
from tests.builders import calm
from tests.examples import examples

seeds = st.integers(0, 2**32 - 1)
p_values = st.lists(st.just(0.0) | st.floats(1e-12, 1), min_size=1, max_size=60).map(np.array)


def both_tails(test: str, a: Floats, b: Floats) -> tuple[float, float, float]:
    found = significance_tests[test].run(a[None, :], b[None, :], Sampling())
    return float(found.statistic[0, 0]), float(found.greater[0, 0]), float(found.less[0, 0])


def two_systems(topics: int, seed: int) -> tuple[Floats, Floats]:
    """Scores without a tie or a zero difference, one system a little better."""
    random = np.random.default_rng(seed)
    a, b = random.random(topics) + 0.1, random.random(topics)
    sizes = np.abs(a - b)
    assume(len(np.unique(sizes)) == topics and sizes.all())
    return a, b


@calm
@given(st.integers(2, 80), seeds)
def test_ttest_rel(topics: int, seed: int) -> None:
    a, b = two_systems(topics, seed)
    greater, less = (stats.ttest_rel(a, b, alternative=tail) for tail in ("greater", "less"))
    expected = (greater.statistic, greater.pvalue, less.pvalue)
    assert both_tails("t", a, b) == pytest.approx(expected, rel=1e-6, abs=1e-12)


@calm
@given(st.integers(1, 60), seeds)
def test_wilcoxon_exact(topics: int, seed: int) -> None:
    a, b = two_systems(topics, seed)
    greater, less = (
        stats.wilcoxon(a, b, alternative=tail, method="exact", zero_method="wilcox")
        for tail in ("greater", "less")
    )
    expected = (greater.statistic, greater.pvalue, less.pvalue)
    assert both_tails("wilcoxon", a, b) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@calm
@given(st.integers(1, 100), seeds)
def test_binomtest(topics: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    a, b = random.integers(0, 4, (2, topics)) / 4  # every fourth topic is a tie
    wins, decided = int((a > b).sum()), int((a != b).sum())
    assume(decided)
    greater, less = (stats.binomtest(wins, decided, alternative=tail) for tail in ("greater", "less"))
    assert both_tails("sign", a, b) == pytest.approx((wins, greater.pvalue, less.pvalue), rel=1e-9)


@examples(15)
@given(st.integers(2, 9), seeds)
def test_permutation_test_of_few_topics(topics: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    a, b = random.integers(0, 9, (2, topics)) / 8

    def mean_difference(x: Floats, y: Floats, axis: int) -> Floats:
        difference: Floats = np.mean(x - y, axis=axis)
        return difference

    greater, less = (
        stats.permutation_test(
            (a, b), mean_difference, permutation_type="samples", alternative=tail, n_resamples=2**10
        )
        for tail in ("greater", "less")
    )
    expected = (greater.statistic, greater.pvalue, less.pvalue)
    assert both_tails("randomisation", a, b) == pytest.approx(expected, abs=1e-12)


def test_bootstrap_percentiles_are_near_those_of_scipy() -> None:
    """Two samples of resamples: the ends of the intervals agree within their noise."""
    values = np.random.default_rng(1).random((2, 40))
    found = next(compare(Scores(("a", "b"), tuple(map(str, range(40))), values)).pairs())
    theirs = stats.bootstrap(
        (values[0] - values[1],),
        np.mean,
        method="percentile",
        n_resamples=10_000,
        rng=np.random.default_rng(1),
    )
    noise = 5 * theirs.standard_error * np.sqrt(2 * 0.025 * 0.975 / 10_000) / stats.norm.pdf(1.96)
    assert found.low == pytest.approx(theirs.confidence_interval.low, abs=noise)
    assert found.high == pytest.approx(theirs.confidence_interval.high, abs=noise)


@pytest.mark.parametrize("method", ["by", "bh"])
@calm
@given(p_values)
def test_false_discovery_control(method: str, p: Floats) -> None:
    expected = stats.false_discovery_control(p, method="by" if method == "by" else "bh")
    np.testing.assert_allclose(adjust(p, method), expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("method", "theirs"), [("holm", "holm"), ("bonferroni", "bonferroni"), ("bh", "fdr_bh"), ("by", "fdr_by")]
)
@examples(15)  # its holm takes 0.07 s a call
@given(p_values)
def test_multipletests(method: str, theirs: str, p: Floats) -> None:
    _, expected, _, _ = multipletests(p, method=theirs)
    np.testing.assert_allclose(adjust(p, method), expected, rtol=1e-12)
