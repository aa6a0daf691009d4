"""Counting resamples: numpy, the loop as written and the compiled loop count the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.accelerate import Kernel
from inexlab.instructions import differences_up_to
from inexlab.statistics import resampling
from inexlab.statistics.resampling import (
    count_at_once,
    count_one_by_one,
    count_sides,
    draws,
    resampled_sums,
)
from inexlab.statistics.significance.bootstrap import _draw, bootstrap
from inexlab.statistics.testing import Sampling
from inexlab.tables import Floats
from tests.examples import examples


@examples(25)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 9), st.integers(0, 2**32), st.booleans())
def test_all_ways_count_the_same(lefts: int, rights: int, resamples: int, seed: int, same: bool) -> None:
    """With few values there are ties with the lines, and the last row and column are counted too."""
    random = np.random.default_rng(seed)
    left = random.integers(0, 4, size=(lefts, resamples)) / 4
    right = left if same else random.integers(0, 4, size=(rights, resamples)) / 4
    upper = random.integers(-3, 4, size=(len(left), len(right))) / 4
    lower = -upper.T if same else random.integers(-3, 4, size=upper.shape) / 4
    for i in range(len(left)):
        for j in range(len(right)):
            difference = left[i] - right[j]
            expected = (difference <= upper[i, j]).sum(), (difference >= lower[i, j]).sum()
            at_most, at_least = count_at_once(left, right, lower, upper, same)
            assert (at_most[i, j], at_least[i, j]) == expected
            if j >= i or not same:  # the loop leaves the other half to be mirrored
                at_most, at_least = count_one_by_one.plain(left, right, lower, upper, same)
                assert (at_most[i, j], at_least[i, j]) == expected


@pytest.mark.compiled
@pytest.mark.parametrize("same", [True, False])
def test_the_compiled_loop_counts_as_written(same: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    left = random.integers(0, 64, size=(7, 501)) / 64
    right = left if same else random.integers(0, 64, size=(3, 501)) / 64
    upper = random.integers(-9, 9, size=(len(left), len(right))) / 64
    lower = -upper.T if same else upper - 0.25
    monkeypatch.setenv("INEXLAB_COMPILED", "always")
    for one, two in zip(
        count_sides(left, right, lower, upper, same=same),
        count_at_once(left, right, lower, upper, same),
        strict=True,
    ):
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize(
    ("systems", "topics", "resamples"), [(1, 1, 1), (3, 7, 1000), (40, 30, 997), (2, 3, 0)]
)
def test_products_in_pieces_are_the_product(
    systems: int, topics: int, resamples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(2)
    values, weights = random.random((systems, topics)), random.random((topics, resamples))
    for size in (1, 1000, 2**18):
        monkeypatch.setattr(resampling, "_ONE_THREAD", size)
        np.testing.assert_allclose(resampled_sums(values, weights), values @ weights, rtol=1e-13)


@pytest.mark.parametrize("way", ["never", "always"])
def test_p_values_of_pieces_are_those_of_all_resamples_at_once(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sums are made and counted piece by piece, in double precision: p is the same to the last bit."""
    random = np.random.default_rng(3)
    continuous = random.random((45, 31))
    tied = random.integers(0, 4, size=(45, 31)) / 10  # many resamples without a difference
    monkeypatch.setenv("INEXLAB_COMPILED", way)
    for values in (continuous, tied):
        outcomes = []
        for near in (1, 2**40):  # pieces of 256; all at once
            monkeypatch.setattr(resampling, "_NEAR", near)
            outcomes.append(
                [
                    bootstrap(values, values, Sampling(2_000)),
                    bootstrap(values[:2], values, Sampling(2_000)),
                ]
            )
        for piecewise, whole in zip(*outcomes, strict=True):
            np.testing.assert_array_equal(piecewise.greater, whole.greater)
            np.testing.assert_array_equal(piecewise.less, whole.less)
        counts = next(draws(_draw, 31, Sampling(2_000)))
        sums = values @ counts
        expected = np.array([[(np.round(a - b, 9) <= 0).mean() for b in sums] for a in sums])
        np.testing.assert_array_equal(outcomes[0][0].greater, expected)


@Kernel
def _up_to(left: Floats, right: Floats, at: int, limit: float) -> np.uint64:
    return differences_up_to(left, right, np.uint64(at), limit)


@pytest.mark.compiled
@examples(25)
@given(st.integers(0, 2**32), st.integers(0, 9))
def test_a_bit_for_each_difference_up_to_a_limit(seed: int, at: int) -> None:
    random = np.random.default_rng(seed)
    left, right = random.integers(0, 4, size=(2, at + 64)) / 4
    expected = sum(1 << k for k in range(64) if left[at + k] - right[at + k] <= 0.25)
    assert int(_up_to.plain(left, right, at, 0.25)) == expected
    assert int(_up_to.compiled(left, right, at, 0.25)) == expected
