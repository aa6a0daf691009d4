"""Resamples: seeded, drawn in blocks that make no difference, and how small a p-value they allow."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.statistics.testing import Sampling
from inexlab.tables import Floats
from tests.builders import calm
from tests.statistics.test_significance import TESTS, run, run_many, zeros

TOPICS = 20
SCORES = np.random.default_rng(64).integers(0, 65, size=(5, TOPICS)) / 64


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_the_same_seed_gives_the_same_result_and_another_seed_another(test: str) -> None:
    random = np.random.default_rng(8)
    left, right = random.random((2, 40)), random.random((3, 40))
    first, again, other = (run_many(test, left, right, Sampling(1000, seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.greater, again.greater)
    np.testing.assert_array_equal(first.less, again.less)
    assert (first.greater != other.greater).any()


@given(st.integers(1, 500), st.integers(0, 2**32))
@calm
def test_plus_one_is_one_more_of_each(resamples: int, seed: int) -> None:
    a, b = [0.5, 0.25, 0.75, 0.5], [0.25, 0.5, 0.25, 0.5]
    _, plain, _ = run("bootstrap", a, b, Sampling(resamples, seed))
    _, never_0, _ = run("bootstrap", a, b, Sampling(resamples, seed, plus_one=True))
    assert never_0 == pytest.approx((plain * resamples + 1) / (resamples + 1))


def test_p_of_the_bootstrap_is_0_when_no_resample_speaks_against_it() -> None:
    gains = [0.1, 0.2, 0.3]
    assert run("bootstrap", gains, zeros(gains), Sampling(99))[1:] == [0.0, 1.0]
    assert run("bootstrap", gains, zeros(gains), Sampling(99, plus_one=True))[1:] == [0.01, 1.0]


# --- blocks


def bootstrap_in_one_go(resamples: int, seed: int) -> Floats:
    """The p-values of all ordered pairs, from the definition and with all resamples at once."""
    random = np.random.default_rng(seed)
    counts = random.multinomial(TOPICS, np.full(TOPICS, 1 / TOPICS), size=resamples)
    sums = SCORES @ counts.T
    p: Floats = (sums[:, None] - sums[None, :] <= 0).mean(axis=2)
    return p


def randomisation_in_one_go(resamples: int, seed: int) -> Floats:
    signs = np.random.default_rng(seed).choice((-1.0, 1.0), size=(resamples, TOPICS))
    differences = SCORES[:, None] - SCORES[None, :]
    as_large = (differences @ signs.T >= differences.sum(axis=2)[:, :, None]).sum(axis=2)
    p: Floats = (1 + as_large) / (1 + resamples)
    return p


@pytest.mark.parametrize("resamples", [1, 9_999, 10_000, 10_001, 25_000, 30_000])
@pytest.mark.parametrize(
    ("test", "in_one_go"), [("bootstrap", bootstrap_in_one_go), ("randomisation", randomisation_in_one_go)]
)
def test_blocks_make_no_difference(
    test: str, in_one_go: Callable[[int, int], Floats], resamples: int
) -> None:
    expected = in_one_go(resamples, 7)
    found = run_many(test, SCORES, SCORES, Sampling(resamples, 7))
    np.testing.assert_array_equal(found.greater, expected)
    np.testing.assert_array_equal(found.less, expected.T)


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_a_block_at_a_time_is_in_memory(test: str) -> None:
    """All 50,000 resamples of 200 topics would be 80 MB; a block is 16 MB, drawn and then copied."""
    scores = np.random.default_rng(8).random((2, 200))
    tracemalloc.start()
    try:
        run_many(test, scores, scores, Sampling(50_000))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 70e6


# --- a pair has its own scale


@pytest.mark.parametrize("test", TESTS)
def test_a_third_system_of_huge_scores_does_not_change_the_others(test: str) -> None:
    """What rounding may do to scores of 1e13 is more than all that two others differ by."""
    two = SCORES[:2]
    three = np.vstack((two, 1e13 * (1 + SCORES[2])))
    alone, among = (run_many(test, scores, scores, Sampling(2_000)) for scores in (two, three))
    assert 0 < alone.greater[0, 1] < 1
    for name in ("statistic", "greater", "less"):
        np.testing.assert_allclose(getattr(among, name)[:2, :2], getattr(alone, name), rtol=1e-12)
