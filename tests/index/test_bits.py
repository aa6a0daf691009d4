"""Rows of bits and keys of texts, against plain Python; both ways of running give the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexlab.accelerate import Kernel
from inexlab.index.analysis.character_classes import character_classes
from inexlab.index.analysis.words import shapes
from inexlab.index.bits import (
    NO_NAME,
    NO_TEXT,
    NO_VALUE,
    WORD,
    Words,
    classify,
    next_place,
    rooms,
)
from inexlab.index.keys import KEY_BYTES, key_at
from inexlab.instructions import lowest_bit
from tests.examples import examples

ALL_BYTES = bytes(range(256))
CONTROL = {b for b in range(32) if b not in (9, 10)}
ALNUM = {b for b in range(128) if chr(b).isalnum()}
BEYOND = set(range(128, 256))
SETS = {
    WORD: ALNUM,
    NO_TEXT: CONTROL | BEYOND | set(b"<&]"),
    NO_NAME: set(range(256)) - ALNUM - set(b"_:-."),
    NO_VALUE: CONTROL | BEYOND | set(b"<&\"'"),
}


@pytest.fixture(params=["always", "never"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", request.param)


def rows_of(data: bytes) -> list[Words]:
    """The rows of bits of a document."""
    room, rows = rooms(len(data))
    room[: len(data)] = np.frombuffer(data, dtype=np.uint8)
    classify.for_work(1)(room, character_classes(), *rows)
    return list(rows)


@pytest.mark.parametrize("kind", SETS)
@pytest.mark.parametrize("shift", [0, 3, 64])
def test_every_byte_is_what_it_is(kind: int, shift: int) -> None:
    data = b"\0" * shift + ALL_BYTES
    bits = np.unpackbits(rows_of(data)[kind].view(np.uint8), bitorder="little")[: len(data)]
    assert [b in SETS[kind] for b in data] == bits.astype(bool).tolist()


SIGNED = st.text(st.sampled_from("aZ09.,+# é東\u0301\u00ad”"), max_size=20)


@given(st.integers(0, 70), SIGNED)
@settings(deadline=None)
def test_signs_that_belong_to_words(shift: int, text: str) -> None:
    """Also where they are in the next 64 bytes."""
    data = b" " * shift + text.encode()
    bits = np.unpackbits(rows_of(data)[WORD].view(np.uint8), bitorder="little")[: len(data)].tolist()
    expected = [0] * shift
    for character, shape in zip(text, shapes(text), strict=True):
        expected += [int(shape == "a" and character.isascii())] * len(character.encode())
    assert bits == expected


@Kernel
def lowest(bits: np.uint64) -> np.uint64:
    return lowest_bit(bits)


@given(st.integers(0, 63), st.integers(0, 2**64 - 1))
@settings(deadline=None)
def test_the_lowest_bit(place: int, above: int) -> None:
    bits = ((above << place) | (1 << place)) & (2**64 - 1)
    with np.errstate(over="ignore"):
        assert lowest.for_work(1)(np.uint64(bits)) == place


def test_no_bit_is_the_lowest_of_none() -> None:
    for way in (lowest.plain, lowest.compiled):
        assert way(np.uint64(0)) == 64


@given(st.sets(st.integers(0, 400), max_size=6), st.integers(0, 400))
@examples(25)
def test_the_next_place(places: set[int], at: int) -> None:
    places |= {401}
    data = bytearray(b"a" * 402)
    for place in places:
        data[place] = ord("<")
    with np.errstate(over="ignore"):
        found = next_place.for_work(1)(rows_of(bytes(data))[NO_TEXT], at)
    assert found == min(place for place in places if place >= at)


@given(st.binary(min_size=40, max_size=60), st.integers(0, 15), st.integers(0, 40))
@settings(deadline=None)
def test_the_key_of_a_text(data: bytes, at: int, length: int) -> None:
    padded = np.frombuffer(data + bytes(64 - len(data)), dtype=np.uint8)
    low, high = key_at.for_work(1)(padded, at, length)
    expected = (data + bytes(64))[at : at + min(length, KEY_BYTES)].ljust(KEY_BYTES, b"\0")
    assert int(low).to_bytes(8, "little") + int(high).to_bytes(8, "little") == expected
