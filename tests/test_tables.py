"""Columns of names, plain and compiled."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexlab.accelerate import worth_compiling
from inexlab.tables import (
    SECRET,
    Interner,
    Names,
    by_number_and_name,
    hash_of,
    same_bytes,
    table_size,
)
from tests.builders import calm

# No lone surrogates: they are in no file that is UTF-8.
words = st.text(st.characters(codec="utf-8"), max_size=6)
distinct_words = st.lists(words, unique=True, max_size=30)


@given(distinct_words)
def test_names_keep_what_they_were_made_of(names: list[str]) -> None:
    column = Names.of(names)
    assert list(column) == names
    assert len(column) == len(names)
    assert column.codes == {name: code for code, name in enumerate(names)}
    assert column[1:4] == names[1:4]
    assert column[::-1] == names[::-1]


@given(distinct_words, distinct_words)
def test_columns_are_equal_when_their_names_are(a: list[str], b: list[str]) -> None:
    assert (Names.of(a) == Names.of(b)) == (a == b)
    assert Names.of(a) == Names.of(list(a))


def test_names_show_the_first_few() -> None:
    assert repr(Names.of("abc")) == "Names(['a', 'b', 'c'], 3 in all)"
    assert repr(Names.of("abcdef")) == "Names(['a', 'b', 'c', 'd', 'e'] …, 6 in all)"


@given(distinct_words, distinct_words)
def test_codes_in_another_column(ours: list[str], theirs: list[str]) -> None:
    expected = [theirs.index(name) if name in theirs else -1 for name in ours]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INEXLAB_COMPILED", "never")
        assert Names.of(ours).codes_in(Names.of(theirs)).tolist() == expected


@pytest.mark.compiled
@settings(deadline=None)  # the first example compiles
@given(distinct_words, distinct_words)
def test_codes_in_another_column_compiled(ours: list[str], theirs: list[str]) -> None:
    expected = [theirs.index(name) if name in theirs else -1 for name in ours]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INEXLAB_COMPILED", "always")
        assert Names.of(ours).codes_in(Names.of(theirs)).tolist() == expected


@pytest.mark.compiled
def test_many_names_find_each_other_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough names that slots of the hash table collide."""
    monkeypatch.setenv("INEXLAB_COMPILED", "always")
    theirs = Names.of(str(i) for i in range(20_000))
    ours = Names.of(str(i) for i in range(30_000, 10_000, -1))
    expected = [i if i < 20_000 else -1 for i in range(30_000, 10_000, -1)]
    assert ours.codes_in(theirs).tolist() == expected


@pytest.mark.compiled
@settings(deadline=None)  # the first example compiles
@given(st.binary(min_size=1, max_size=20), st.data())
def test_the_hash_compiled_and_by_hand(content: bytes, data: st.DataObject) -> None:
    begin = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(begin, len(content)))

    def folded(left: int, right: int) -> int:
        return left * right % 2**64 ^ left * right >> 64

    secret = SECRET.tolist()
    key, rest = secret[0] ^ (end - begin), content[begin:end]
    while len(rest) >= 8:
        key, rest = folded(key ^ int.from_bytes(rest[:8], "little"), secret[1]), rest[8:]
    expected = folded(key ^ int.from_bytes(rest, "little"), secret[2])
    array = np.frombuffer(content, np.uint8)
    assert hash_of.compiled(array, begin, end, SECRET) == expected
    assert hash_of.plain(array, begin, end, SECRET) == expected


@pytest.mark.compiled
@settings(deadline=None)  # the first example compiles
@given(st.binary(min_size=1, max_size=4), st.binary(min_size=1, max_size=4))
def test_same_bytes_plain_and_compiled(left: bytes, right: bytes) -> None:
    a, b = np.frombuffer(left, np.uint8), np.frombuffer(right, np.uint8)
    assert same_bytes(a, 0, len(a), b, 0, len(b)) == (left == right)
    assert same_bytes.compiled(a, 0, len(a), b, 0, len(b)) == (left == right)


@pytest.mark.parametrize("names", [0, 1, 8, 9, 1000, 1024, 1025])
def test_a_hash_table_is_a_power_of_two_and_at_least_half_empty(names: int) -> None:
    size = table_size(names)
    assert size & (size - 1) == 0
    assert size >= 2 * names


def test_an_interner_numbers_names_as_they_first_appear() -> None:
    interner = Interner()
    assert [interner(name) for name in ["b", "a", "b", "c", "a"]] == [0, 1, 0, 2, 1]
    assert list(interner.names()) == ["b", "a", "c"]


def test_the_environment_overrules_the_balance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", "never")
    assert not worth_compiling(10**12)
    monkeypatch.setenv("INEXLAB_COMPILED", "always")
    assert worth_compiling(0)


@pytest.mark.parametrize(
    ("given_names", "in_order"),
    [
        (["q10", "q2", "q1"], ["q1", "q2", "q10"]),
        (["10", "9", "a", "100"], ["9", "10", "100", "a"]),
        (["2009-T10", "2009-T9", "2008-T11"], ["2008-T11", "2009-T9", "2009-T10"]),
        (["q02", "q2", "q0", "q", "q00"], ["q", "q0", "q00", "q02", "q2"]),
        (["1" * 5000, "2", "1" * 4999 + "0"], ["2", "1" * 4999 + "0", "1" * 5000]),
        (["٣", "2", "é1", "e1"], ["2", "e1", "é1", "٣"]),
        (["", "1"], ["", "1"]),
    ],
)
def test_names_sort_as_people_sort(given_names: list[str], in_order: list[str]) -> None:
    assert by_number_and_name(given_names) == in_order


@calm
@given(st.lists(st.text("aq.019", max_size=6), unique=True))
def test_the_order_of_names_does_not_depend_on_that_given(names: list[str]) -> None:
    assert by_number_and_name(names) == by_number_and_name(reversed(names))
    assert sorted(by_number_and_name(names)) == sorted(names)


@calm
@given(st.lists(st.integers(0, 10**30), unique=True))
def test_numbers_sort_by_value(numbers: list[int]) -> None:
    assert by_number_and_name(map(str, numbers)) == [str(number) for number in sorted(numbers)]
