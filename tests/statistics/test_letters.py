"""Compact letter display: two systems share a letter if and only if they do not differ."""

from __future__ import annotations

import itertools
import re
import time

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.statistics.letters import letters

Mask = npt.NDArray[np.bool_]


def as_sets(found: list[str]) -> list[set[str]]:
    """Read letters back: single ones, and pairs in brackets."""
    read = [re.findall(r"[A-Za-z]|\([A-Za-z]{2}\)", group) for group in found]
    assert ["".join(names) for names in read] == found
    assert all(len(names) == len(set(names)) for names in read)
    return [set(names) for names in read]


def assert_right(different: Mask) -> None:
    groups = as_sets(letters(different))
    assert len(groups) == len(different)
    assert all(groups)
    for i, j in itertools.combinations(range(len(different)), 2):
        assert bool(groups[i] & groups[j]) == (not different[i, j]), (i, j)


def symmetric(size: int, pairs: list[bool]) -> Mask:
    different = np.zeros((size, size), dtype=np.bool_)
    different[np.triu_indices(size, 1)] = pairs
    return different | different.T


@st.composite
def decisions(draw: st.DrawFn) -> Mask:
    """Which of up to 12 systems differ, any way at all."""
    size = draw(st.integers(1, 12))
    pairs = size * (size - 1) // 2
    return symmetric(size, draw(st.lists(st.booleans(), min_size=pairs, max_size=pairs)))


@given(decisions())
def test_a_shared_letter_means_no_difference(different: Mask) -> None:
    assert_right(different)


@given(decisions())
def test_no_letter_can_be_spared(different: Mask) -> None:
    """Without any one letter, some two that do not differ share none, or some system has none."""
    groups = as_sets(letters(different))
    alike = [(i, j) for i, j in itertools.combinations(range(len(different)), 2) if not different[i, j]]
    for letter in set().union(*groups):
        fewer = [group - {letter} for group in groups]
        assert not all(fewer[i] & fewer[j] for i, j in alike) or not all(fewer), letter


@given(decisions())
def test_one_direction_of_a_decision_is_enough(different: Mask) -> None:
    assert letters(np.triu(different)) == letters(different)


@given(st.integers(2, 12), st.integers(1, 12))
def test_systems_in_a_row_that_differ_from_so_many_places_on_have_that_many_neighbours(
    size: int, reach: int
) -> None:
    """Like means on a line: a group is a stretch of the line, and there are as few as can be."""
    places = np.arange(size)
    different = np.abs(places[:, None] - places[None, :]) >= reach
    found = as_sets(letters(different))
    assert len(set().union(*found)) == max(1, size - reach + 1)
    assert_right(different)


def test_no_differences_are_one_group() -> None:
    assert letters(np.zeros((5, 5), dtype=np.bool_)) == ["a"] * 5


def test_differences_everywhere_are_a_group_each() -> None:
    assert letters(~np.eye(4, dtype=np.bool_)) == ["a", "b", "c", "d"]


def test_the_best_systems_have_the_first_letters() -> None:
    # 0 1 | 2 3, and 1 does not differ from 2 either
    different = symmetric(4, [False, True, True, False, True, False])
    assert letters(different) == ["a", "ab", "bc", "c"]


def test_one_system() -> None:
    assert letters(np.zeros((1, 1), dtype=np.bool_)) == ["a"]


def test_more_groups_than_letters() -> None:
    found = letters(~np.eye(60, dtype=np.bool_))
    assert found[:2] == ["a", "b"]
    assert found[25:28] == ["z", "A", "B"]
    assert found[51:54] == ["Z", "(aa)", "(ab)"]
    assert len(set(found)) == 60


@pytest.mark.parametrize("share", [0.02, 0.5, 0.98])
def test_a_campaign_of_172_systems_without_waiting(share: float) -> None:
    pairs = np.random.default_rng(172).random(172 * 171 // 2) < share
    different = symmetric(172, pairs.tolist())
    begin = time.perf_counter()
    letters(different)
    assert time.perf_counter() - begin < 2
    assert_right(different)
