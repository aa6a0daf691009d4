"""Rows of bits and keys of texts, against plain Python; both ways of running give the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexlab.accelerate import Kernel
from inexlab.index.analysis.character_classes import LETTER, character_classes
from inexlab.index.analysis.words import shapes
from inexlab.index.bits import (
    NO_NAME,
    NO_TEXT,
    NO_VALUE,
    SECOND,
    WORD,
    Words,
    classify,
    count_between,
    next_place,
    rooms,
)
from inexlab.index.characters import copy_rows
from inexlab.index.keys import KEY_BYTES, key_at
from inexlab.instructions import count_below, lowest_bit
from inexlab.tables import Codes
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


def in_rows(character: str, place: int) -> bool:
    """Whether a letter beyond ASCII is plain text: of two bytes, both among the same 64."""
    latin = character in LATIN and character not in "×÷"
    return latin and place % 64 != 63


LATIN = [chr(point) for point in range(0xC0, 0x240)]
SIGNED = st.text(st.sampled_from("aZ09.,+# é×ʼ東\u0301\u00ad\u200b\U000e0001”"), max_size=20)


@given(st.integers(0, 70), SIGNED)
@settings(deadline=None)
def test_signs_that_belong_to_words(shift: int, text: str) -> None:
    """Also where they are in the next 64 bytes."""
    data = b" " * shift + text.encode()
    bits = np.unpackbits(rows_of(data)[WORD].view(np.uint8), bitorder="little")[: len(data)].tolist()
    expected = [0] * shift
    for character, shape in zip(text, shapes(text), strict=True):
        plain = character.isascii() or in_rows(character, len(expected))
        expected += [int(shape == "a" and plain)] * len(character.encode())
    assert bits == expected


def test_letters_of_two_bytes_are_letters() -> None:
    """What the rows take for letters is what words are made of."""
    classes = character_classes()
    assert {c for c in LATIN if classes[ord(c)] != LETTER} == set("×÷")


@given(st.integers(0, 70), st.text(st.sampled_from([*LATIN, "a", "€", "\u0301"]), max_size=70), st.data())
@settings(deadline=None)
def test_letters_of_two_bytes_are_plain_text(shift: int, text: str, data: st.DataObject) -> None:
    content = b" " * shift + text.encode()
    rows = rows_of(content)
    ends, second = [0] * shift, [0] * shift
    for character in text:
        plain = character.isascii() or in_rows(character, len(ends))
        size = len(character.encode())
        second += [0, 1] if plain and size == 2 else [0] * size
        ends += [int(not plain)] * size
    for kind, expected in ((NO_TEXT, ends), (SECOND, second)):
        bits = np.unpackbits(rows[kind].view(np.uint8), bitorder="little")[: len(content)]
        assert bits.tolist() == expected
    first = data.draw(st.integers(0, len(content)))
    stop = data.draw(st.integers(first + 1, len(content) + 1))
    with np.errstate(over="ignore"):
        assert count_between.for_work(1)(rows[SECOND], first, stop) == sum(second[first:stop])


@pytest.mark.parametrize("broken", [b"\xc3", b"\xc3a", b"\xc3\xc3\xa9", b"\xa9", b"\xc8\xc0"])
def test_half_a_letter_is_not_plain_text(broken: bytes) -> None:
    bits = np.unpackbits(rows_of(b"ab" + broken)[NO_TEXT].view(np.uint8), bitorder="little")
    assert bits[2] == 1


@Kernel
def below(row: Codes, limit: int) -> np.uint64:
    return count_below(row, limit)


@given(st.lists(st.integers(-(2**31), 2**31 - 1), min_size=16, max_size=18), st.integers(-(2**31), 2**31 - 1))
@settings(deadline=None)
def test_numbers_below_a_limit(numbers: list[int], limit: int) -> None:
    count = sum(number < limit for number in numbers[:16])
    assert below.for_work(1)(np.array(numbers, dtype=np.int32), limit) == count


@given(st.binary(min_size=40, max_size=150), st.integers(0, 8), st.integers(0, 118), st.integers(0, 8))
@settings(deadline=None)
def test_rows_are_copied(content: bytes, begin: int, size: int, at: int) -> None:
    """With up to 31 bytes behind them, and nothing before."""
    source = np.frombuffer(content + bytes(160), dtype=np.uint8)
    out = np.full(at + size + 31, 7, dtype=np.uint8)
    copy_rows.for_work(1)(source, begin, begin + size, out, at)
    assert out[: at + size].tolist() == [7] * at + source[begin : begin + size].tolist()


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
