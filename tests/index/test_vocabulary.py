"""Vocabularies against dictionaries, and the positions of terms against lists."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexlab.index import vocabulary as vocabulary_module
from inexlab.index.analysis.character_classes import lower_case
from inexlab.index.analysis.words import LONGEST_RAW
from inexlab.index.postings import decode, decode_each, in_word, invert, put, width
from inexlab.index.vocabulary import Vocabulary, key_of
from inexlab.tables import Bytes, Codes, Ints
from tests.examples import examples

WORDS = st.text(st.sampled_from("abAB1éÉß中𝒳"), min_size=1, max_size=20)


@pytest.fixture(params=["always", "never"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", request.param)


def lower(word: str) -> bytes:
    return "".join(map(lower_case, word)).encode()


@given(st.lists(st.lists(WORDS, max_size=30), max_size=4))
@settings(deadline=None)
def test_numbers_are_those_of_a_dictionary(batches: list[list[str]]) -> None:
    vocabulary, known = Vocabulary(), dict[bytes, int]()
    for batch in batches:
        numbers = vocabulary.add([word.encode() for word in batch]).tolist()
        for word in batch:
            known.setdefault(lower(word), -1)
        texts = vocabulary.texts(np.arange(len(vocabulary)))
        assert sorted(texts) == sorted(known)
        assert [texts[number] for number in numbers] == [lower(word) for word in batch]
    order, words, borders = vocabulary.in_order()
    texts = vocabulary.texts(np.arange(len(vocabulary)))
    assert [texts[number] for number in order.tolist()] == sorted(known)
    assert [words[a:b].tobytes() for a, b in pairwise(borders)] == sorted(known)
    some = np.arange(0, len(known), 2)
    order, words, borders = vocabulary.in_order(some)
    assert [words[a:b].tobytes() for a, b in pairwise(borders)] == sorted(texts[k] for k in some.tolist())
    assert [texts[number] for number in order.tolist()] == sorted(texts[k] for k in some.tolist())


@pytest.mark.parametrize("size", [7, 8, 15, 16, 17, 23, 24, 64, 65, 252, 253, 254, 256, 260, 600])
def test_texts_that_differ_in_their_last_byte_only(size: int) -> None:
    vocabulary = Vocabulary()
    texts = [b"x" * (size - 1) + last for last in (b"a", b"b", b"")]
    kept = {text[: LONGEST_RAW - 3] for text in texts}  # longer ones are cut
    assert len(set(vocabulary.add(texts).tolist())) == len(kept)
    assert set(vocabulary.texts(np.arange(len(vocabulary)))) == kept


def test_a_vocabulary_grows() -> None:
    vocabulary, count = Vocabulary(), 30_000
    texts = [b"word%d" % k if k % 3 else b"a-rather-long-word-%d" % k for k in range(count)]
    assert vocabulary.add(texts).tolist() == list(range(count))
    assert vocabulary.numbers(*_buffer(texts[:3])).tolist() == [0, 1, 2]


def _buffer(texts: list[bytes]) -> tuple[Bytes, Codes]:
    lines = b" ".join(texts)
    ends = np.cumsum([len(text) + 1 for text in texts]) - 1
    borders = np.stack((ends - [len(text) for text in texts], ends), axis=1)
    padded = lines + bytes(32 - len(lines) % 8)
    return np.frombuffer(padded, dtype=np.uint8), borders.astype(np.int32).reshape(-1)


@given(st.integers(1, 2**62))
@settings(deadline=None)
def test_the_width_of_a_number(number: int) -> None:
    out = np.zeros(10, dtype=np.uint8)
    assert width.for_work(1)(number) == put.for_work(1)(out, 0, number)


@given(st.integers(0, 27).map(lambda bits: 2**bits) | st.integers(1, 2**28 - 1))
@settings(deadline=None)
def test_a_number_in_a_word(number: int) -> None:
    out = np.zeros(4, dtype=np.uint8)
    word, size = in_word.for_work(1)(np.uint32(number))
    assert size == put(out, 0, number)
    assert int(word).to_bytes(4, "little") == out.tobytes()


@pytest.mark.parametrize("gap", [2, 126, 127, 128, 2**14 - 1, 2**14, 2**21 - 1, 2**21])
def test_positions_stay_within_the_bytes_of_their_terms(gap: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last number of the term in the middle is written before that of the first, and before the last."""
    if gap > 2**14:  # so many steps take too long in plain Python
        monkeypatch.setenv("INEXLAB_COMPILED", "always")
    terms = np.full(gap + 4, 3, dtype=np.int32)
    terms[[0, 1, 2]], terms[-3:] = [0, 1, 2], [1, 0, 2]
    data, borders, _ = inverted(terms, [0, 1, 2, 3])
    for term, expected in ((0, [0, gap + 2]), (1, [1, gap + 1]), (2, [2, gap + 3])):
        out = np.empty(2, dtype=np.int64)
        assert decode.for_work(1)(data, int(borders[term]), int(borders[term + 1]), out) == 2
        assert out.tolist() == expected


def inverted(terms: Codes, order: list[int]) -> tuple[Bytes, Ints, Ints]:
    """The positions of terms from 0 to 5, and the last of each."""
    sizes, last = np.zeros(6, dtype=np.int32), np.full(6, -1, dtype=np.int64)
    for position, term in enumerate(terms.tolist()):
        sizes[term] += width(position - int(last[term]))
        last[term] = position
    return *invert(terms, 6, np.array(order), sizes[order]), last[order]


@given(st.lists(st.integers(0, 5), max_size=400), st.permutations(range(6)))
@examples(20)
def test_inverted_positions(terms: list[int], order: list[int]) -> None:
    expected = defaultdict(list)
    for position, term in enumerate(terms):
        expected[term].append(position)
    data, borders, _ = inverted(np.array(terms, dtype=np.int32), order)
    for place, term in enumerate(order):
        out = np.empty(len(terms), dtype=np.int64)
        count = decode.for_work(1)(data, int(borders[place]), int(borders[place + 1]), out)
        assert out[:count].tolist() == expected[term]
        if count:
            assert (
                decode.for_work(1)(data, int(borders[place]), int(borders[place + 1]), out[: count - 1]) == -1
            )
    first, last = borders[:-1].copy(), borders[1:].copy()
    ends = np.cumsum([0, *(len(expected[term]) for term in order)])
    out = np.empty(len(terms), dtype=np.int64)
    assert decode_each.for_work(1)(data, first, last, ends, out)
    assert out.tolist() == [position for term in order for position in expected[term]]
    if terms:
        assert not decode_each.for_work(1)(data, first, last, ends, out[:-1])
        assert not decode_each.for_work(1)(data[:-1], first, last, ends, out)
        ends[-1] += 1
        assert not decode_each.for_work(1)(data, first, last, ends, np.append(out, 0))


def test_long_texts_with_the_same_key_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    none = np.zeros(4, dtype=np.uint64)  # which leaves nothing of texts that end with a whole word
    texts = [b"ck85l4l7middle00padpabap", b"f5mlgvhwmiddle0030y9c9p4"]
    keys = {key_of.for_work(1)(np.frombuffer(text + bytes(8), dtype=np.uint64), 4, none) for text in texts}
    assert len(keys) == 1
    monkeypatch.setattr(vocabulary_module, "SECRET", none)
    assert Vocabulary().add(texts).tolist() == [0, 1]
