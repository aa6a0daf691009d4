"""Span algebra, checked against sets of integers; UTF-16 offsets, checked against Python's encoder."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.spans import Span, from_utf16, intersection, length, to_utf16, union

# Ends may lie before starts: such spans are empty.
spans = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=12)


def characters(ranges: Iterable[tuple[int, int]]) -> set[int]:
    """The oracle: a span is the set of the positions it covers."""
    return {position for start, end in ranges for position in range(start, end)}


def assert_normal(ranges: list[Span]) -> None:
    assert all(start < end for start, end in ranges), "no span is empty"
    assert all(left.end < right.start for left, right in pairwise(ranges)), "sorted, disjoint, none touching"


@given(spans)
def test_union_covers_what_any_span_covers(a: list[tuple[int, int]]) -> None:
    found = union(a)
    assert characters(found) == characters(a)
    assert_normal(found)


@given(spans, spans)
def test_intersection_covers_what_both_cover(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> None:
    found = intersection(a, b)
    assert characters(found) == characters(a) & characters(b)
    assert_normal(found)


@given(spans)
def test_length_counts_each_character_once(a: list[tuple[int, int]]) -> None:
    assert length(a) == len(characters(a))


@given(spans, st.randoms(use_true_random=False))
def test_the_order_of_spans_does_not_matter(a: list[tuple[int, int]], random: Random) -> None:
    shuffled = list(a)
    random.shuffle(shuffled)
    assert union(shuffled) == union(a)


@pytest.mark.parametrize(
    ("given_spans", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([(3, 3), (9, 2)], [], id="only empty spans"),
        pytest.param([(0, 2), (2, 4)], [(0, 4)], id="touching spans become one"),
        pytest.param([(0, 2), (3, 4)], [(0, 2), (3, 4)], id="a gap of one stays"),
        pytest.param([(0, 9), (2, 3)], [(0, 9)], id="nested"),
    ],
)
def test_union_by_hand(given_spans: list[tuple[int, int]], expected: list[tuple[int, int]]) -> None:
    assert union(given_spans) == expected


@given(st.text())
def test_utf16_offsets_are_those_of_the_encoder(text: str) -> None:
    every = list(range(len(text) + 1))
    expected = [len(text[:offset].encode("utf-16-le")) // 2 for offset in every]
    assert to_utf16(text, every) == expected
    assert from_utf16(text, expected) == every


@given(st.text(alphabet="aé中😀𝄞", min_size=1))
def test_an_offset_inside_a_surrogate_pair_moves_to_the_start_of_its_character(text: str) -> None:
    units = text.encode("utf-16-le")
    for offset in range(len(units) // 2 + 1):
        whole = units[: 2 * offset].decode("utf-16-le", errors="ignore")  # drops half a pair at the end
        assert from_utf16(text, [offset]) == [len(whole)]


def test_utf16_by_hand() -> None:
    assert to_utf16("a😀b", [0, 1, 2, 3]) == [0, 1, 3, 4]
    assert from_utf16("a😀b", [0, 1, 2, 3, 4]) == [0, 1, 1, 2, 3]
