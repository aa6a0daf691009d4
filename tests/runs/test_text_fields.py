"""Numbers of compiled readers, wherever they stand: bytes are read by eight, and none behind the data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from inexlab.accelerate import LoopStep
from inexlab.runs.formats.text_fields import ODD, decimal, whole_number
from inexlab.tables import Bytes, distinct, same_bytes, word_at
from tests.bounds import checked_bounds

pytestmark = pytest.mark.compiled
texts = st.one_of(
    st.from_regex(r"-?[0-9]{0,9}\\.?[0-9]{0,9}", fullmatch=True),
    st.text("0123456789.-+eX_ /:", max_size=18),
)


def bytes_of(text: str, after: bytes) -> tuple[Bytes, int, int]:
    data = b"12" + text.encode() + after
    return np.frombuffer(data, dtype=np.uint8), 2, 2 + len(text)


def expected_decimal(text: str) -> float:
    """What is plain enough: digits, one point, a minus, at most 15 digits."""
    digits = text.removeprefix("-").replace(".", "", 1)
    plain = digits.isdigit() and digits.isascii() and len(digits) <= 15
    return float(text) if plain else float("nan")


@settings(deadline=None)
@given(texts.filter(bool), st.sampled_from([b"", b" ", b" 1234.5678", b"." * 20, b"9" * 20]))
@example("123456789012345", b"")
@example("123456789012345", b"." * 20)
@example("1234567.12345678", b" 1234.5678")
@example("12345678.1234567", b" 1234.5678")
@example(".", b" 1234.5678")
@example("-.5", b" 1234.5678")
@example("5.", b"9" * 20)
def test_decimals(text: str, after: bytes) -> None:
    given_bytes = bytes_of(text, after)
    found = decimal.compiled(*given_bytes)
    assert repr(float(found)) == repr(expected_decimal(text))
    with checked_bounds():
        assert repr(float(decimal.compiled(*given_bytes))) == repr(expected_decimal(text))


@settings(deadline=None)
@given(
    st.one_of(st.from_regex(r"[0-9]{1,16}", fullmatch=True), texts.filter(bool)),
    st.sampled_from([b"", b" ", b" 1234.5678", b"9" * 20]),
)
@example("X", b"")
@example("-1", b"123456789")
@example("99999999", b"9" * 20)
@example("999999999", b"9" * 20)
@example("1234567:", b"9" * 20)
@example("1234567/", b"9" * 20)
def test_whole_numbers(text: str, after: bytes) -> None:
    plain = text.isdigit() and text.isascii() and len(text) <= 15
    expected = -1 if text in ("X", "-1") else int(text) if plain else ODD
    given_bytes = bytes_of(text, after)
    assert whole_number.compiled(*given_bytes) == expected
    with checked_bounds():
        assert whole_number.compiled(*given_bytes) == expected


@settings(deadline=None)
@given(st.binary(max_size=20), st.binary(max_size=20), st.integers(0, 20), st.booleans())
def test_same_bytes_of_any_length(left: bytes, after: bytes, changed: int, longer: bool) -> None:
    right = bytearray(left)
    if left:
        right[changed % len(left)] ^= changed
    a = np.frombuffer(b"." + left + after, dtype=np.uint8)
    b = np.frombuffer(bytes(right) + after * longer, dtype=np.uint8)
    if len(a) and len(b):
        expected = left == bytes(right)
        assert same_bytes.compiled(a, 1, 1 + len(left), b, 0, len(right)) == expected
        with checked_bounds():
            assert same_bytes.compiled(a, 1, 1 + len(left), b, 0, len(right)) == expected


def test_eight_bytes_are_a_number_with_the_first_lowest() -> None:
    data = np.arange(1, 11, dtype=np.uint8)
    assert word_at.compiled(data, 2) == int.from_bytes(bytes(range(3, 11)), "little")
    assert word_at.plain(data, 2) == int.from_bytes(bytes(range(3, 11)), "little")


def test_a_step_that_makes_an_array_is_refused() -> None:
    def makes(size: int) -> Bytes:
        return np.zeros(size, dtype=np.uint8)

    from numba.core.errors import NumbaError

    with pytest.raises((NumbaError, RuntimeError, NotImplementedError)):
        LoopStep(makes).compiled(3)


@given(st.lists(st.integers(-(2**62), 2**62)))
def test_distinct_numbers(numbers: list[int]) -> None:
    assert distinct(np.array(numbers, dtype=np.int64)).tolist() == sorted(set(numbers))
