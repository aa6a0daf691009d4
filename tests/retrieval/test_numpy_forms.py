"""Kernels that are also written with numpy: both ways, and compiled, they give the same bits."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexlab.accelerate import Kernel
from inexlab.index.postings import decode, decode_each, put
from inexlab.retrieval import cut as cut_module
from inexlab.retrieval.cut import _most, _near, _walk, document_frequencies
from inexlab.retrieval.models.bm25 import _score
from inexlab.retrieval.offers import classes_of_lengths
from inexlab.retrieval.visiting import SHIFT
from inexlab.tables import Ints

WAYS = ["numpy", pytest.param("compiled", marks=pytest.mark.compiled)]


def way_of(kernel: Kernel[..., Any], way: str) -> Any:
    found = getattr(kernel, way)
    assert found is not None
    return found


@pytest.mark.parametrize("way", WAYS)
@settings(deadline=None)  # to load a compiled loop takes long
@given(steps=st.lists(st.integers(1, 1 << 40)))
def test_positions_are_decoded(way: str, steps: list[int]) -> None:
    room = np.zeros(10 * len(steps) + 2, dtype=np.uint8)
    at = 1  # the bytes before, and those after, are others
    for step in steps:
        at = put(room, at, step)
    expected = (np.cumsum(steps, dtype=np.int64) - 1).tolist()
    for decoding in (decode.plain, way_of(decode, way)):
        out = np.full(len(steps) + 1, -7, dtype=np.int64)
        assert decoding(room, 1, at, out[:-1]) == len(steps)
        assert out.tolist() == [*expected, -7]


@pytest.mark.parametrize("way", ["plain", *WAYS])
@pytest.mark.parametrize(("before", "expected"), [(8, 1), (9, -1), (5000, -1)])
@pytest.mark.parametrize("ends", [True, False])
def test_numbers_that_are_too_long_are_refused(way: str, before: int, expected: int, ends: bool) -> None:
    """Nine bytes have as many bits as a number; a loop over more would go on as long as somebody likes."""
    data = np.array([*[0] * before, 129 if ends else 1], dtype=np.uint8)
    out = np.zeros(1, dtype=np.int64)
    if not ends and expected > 0:
        data, expected = data[:-1], 0
    assert way_of(decode, way)(data, 0, len(data), out) == expected
    if expected > 0:
        assert out.tolist() == [(1 << 56) - 1]


@pytest.mark.parametrize("way", ["plain", *WAYS])
def test_positions_of_several_terms_are_decoded(way: str) -> None:
    decoding = way_of(decode_each, way)
    data = np.array([129, 130, 132, 5, 129], dtype=np.uint8)  # 0, 2; 3; 132
    first, last, borders = (np.array(some) for some in ([0, 2, 3], [2, 3, 5], [0, 2, 3, 4]))
    out = np.zeros(4, dtype=np.int64)
    assert decoding(data, first, last, borders, out)
    assert out.tolist() == [0, 2, 3, 132]
    for wrong in (
        (data, first, last, borders, out[:-1]),
        (data, first, last + np.array([0, 0, 1]), borders, out),
        (data, first - 1, last, borders, out),
        (data, first, last, np.array([0, 1, 3, 4]), out),
        (data[:-1], first, last, borders, out),
    ):
        assert not decoding(*wrong)


@st.composite
def cuts(draw: st.DrawFn) -> tuple[int, Ints, Ints, list[list[int]], list[int]]:
    """Units in order, which may overlap or leave gaps; positions of some terms, and how far they reach."""
    tokens = draw(st.integers(1, 3 << SHIFT))
    place = st.integers(0, tokens)
    first = sorted(draw(st.lists(place, max_size=12)))
    last = sorted(draw(st.lists(place, min_size=len(first), max_size=len(first))))
    kept = [(a, b) for a, b in zip(first, last, strict=True) if a < b]
    terms = draw(st.lists(st.lists(st.integers(0, tokens - 1), unique=True).map(sorted), max_size=3))
    reach = draw(st.lists(st.integers(0, 2), min_size=len(terms), max_size=len(terms)))
    columns = np.array(kept, dtype=np.int64).reshape(len(kept), 2)
    return tokens, columns[:, 0].copy(), columns[:, 1].copy(), terms, reach


def walked(walk: Any, tokens: int, first: Ints, last: Ints, terms: list[list[int]], reach: list[int]) -> Any:
    positions = np.array([*chain(*terms)], dtype=np.int64)
    borders = np.cumsum([0, *map(len, terms)], dtype=np.int64)
    rows = min(len(first), len(positions) * _most(first, last))
    slot, unit = np.full(len(first), -1, dtype=np.int32), np.zeros(rows, dtype=np.int64)
    frequency, holding = np.zeros((rows, len(terms)), dtype=np.int32), np.zeros(len(terms), dtype=np.int64)
    reaches, near = np.array(reach, dtype=np.int64), _near(last, tokens)
    count = walk(positions, borders, reaches, tokens, first, last, near, slot, unit, frequency, holding)
    assert (slot == -1).all()
    return count, unit[: max(count, 0)].tolist(), frequency[: max(count, 0)].tolist(), holding.tolist()


@pytest.mark.parametrize("way", WAYS)
@settings(deadline=None)  # to load a compiled loop takes long
@given(given=cuts())
def test_terms_are_counted_in_units(way: str, given: Any) -> None:
    assert walked(way_of(_walk, way), *given) == walked(_walk.plain, *given)


@given(given=cuts())
def test_where_it_would_take_much_memory_terms_are_counted_one_by_one(given: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cut_module, "_MOST_AT_ONCE", 0)
        assert walked(_walk.numpy, *given) == walked(_walk.plain, *given)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("position", [-1, 8])
def test_positions_that_cannot_be_are_noticed(way: str, position: int) -> None:
    units = np.array([0, 4]), np.array([4, 8])
    assert walked(way_of(_walk, way), 8, *units, [[1, position]], [0])[0] == -1
    assert walked(_walk.plain, 8, *units, [[1, position]], [0])[0] == -1


@given(given=cuts())
def test_the_most_units_that_hold_a_position(given: Any) -> None:
    tokens, first, last, *_ = given
    holding = [int(((first <= position) & (position < last)).sum()) for position in range(tokens)]
    assert _most(first, last) == max(1, *holding, 0)


@pytest.mark.parametrize("way", WAYS)
@settings(deadline=None)  # to load a compiled loop takes long
@given(given=cuts(), borders=st.lists(st.integers(0, 3 << SHIFT), max_size=5))
def test_terms_are_counted_in_documents(way: str, given: Any, borders: list[int]) -> None:
    tokens, _, _, terms, _ = given
    document_tokens = np.array([0, *sorted(min(border, tokens) for border in borders), tokens])
    positions = np.array([*chain(*terms)], dtype=np.int64)
    of_terms = np.cumsum([0, *map(len, terms)], dtype=np.int64)
    expected = document_frequencies.plain(positions, of_terms, document_tokens)
    found = way_of(document_frequencies, way)(positions, of_terms, document_tokens)
    assert found.dtype == expected.dtype
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("way", WAYS)
@settings(deadline=None)  # to load a compiled loop takes long
@given(data=st.data(), units=st.integers(0, 6), terms=st.integers(0, 4))
def test_bm25_gives_the_same_bits(way: str, data: st.DataObject, units: int, terms: int) -> None:
    some = st.integers(0, 50)
    frequency = np.array(data.draw(st.lists(some, min_size=units * terms, max_size=units * terms)))
    length = np.array(data.draw(st.lists(st.integers(1, 5000), min_size=units, max_size=units)))
    weight = np.array(data.draw(st.lists(st.floats(-20, 20), min_size=terms, max_size=terms)), dtype=float)
    constant, slope = data.draw(st.floats(0, 3)), data.draw(st.floats(1e-6, 3))
    given = (frequency.reshape(units, terms).astype(np.int32), length.astype(np.int32), weight)
    expected, found = np.zeros(units), np.zeros(units)
    _score.plain(*given, constant, slope, expected)
    way_of(_score, way)(*given, constant, slope, found)
    assert found.tobytes() == expected.tobytes()


@given(lengths=st.lists(st.tuples(st.integers(1, 300), st.integers(0, 40)), min_size=1))
def test_units_are_divided_by_their_lengths(lengths: list[tuple[int, int]]) -> None:
    """As numpy's quantiles divide them, and each class is as wide as its widest unit."""
    length = np.array([short for short, _ in lengths], dtype=np.int32)
    width = np.array([short + more for short, more in lengths], dtype=np.int64)
    classes = classes_of_lengths(length, width)
    shares = np.linspace(0, 1, 6, endpoint=False) ** 2
    assert classes.least.tolist() == sorted(set(np.quantile(length, shares, method="lower").tolist()))
    which = np.searchsorted(classes.least, length, side="right") - 1
    assert classes.widest.tolist() == [int(width[which == k].max()) for k in range(len(classes.least))]
