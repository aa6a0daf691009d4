"""Terms of stretches of the axis, joined in windows of every size, against one stretch of all."""

from __future__ import annotations

import pickle
import tempfile
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.index import joining as joining_module
from inexlab.index.blocks import Array
from inexlab.index.joining import SortedTexts, Stretch, save_terms
from inexlab.index.postings import put
from inexlab.index.spool import Spool
from inexlab.progress import ProgressStep, watching
from tests.examples import examples

WORDS = ["a", "ab", "abcdefgh", "abcdefghi", "b" * 30, "b" * 31, "café", "cafe", "çà", "z"]
KEYS = {"café": ["cafe"], "çà": ["ca", "c"]}


def texts(words: list[str]) -> SortedTexts:
    encoded = [word.encode() for word in words]
    borders = np.cumsum([0, *map(len, encoded)])
    return SortedTexts(np.frombuffer(b"".join(encoded), dtype=np.uint8), borders)


def stretch(tokens: list[str], shift: int, *, lasts: bool = True) -> Stretch:
    """What is known of the terms of some tokens, worked out in plain Python."""
    places = defaultdict(list)
    for position, token in enumerate(tokens):
        places[token].append(position)
    words = sorted(places, key=str.encode)
    data, borders, last = bytearray(), [0], []
    for word in words:
        for before, position in pairwise([-1, *places[word]]):
            room = np.zeros(9, dtype=np.uint8)
            data += room[: put(room, 0, position - before)].tobytes()
        borders.append(len(data))
        last.append(places[word][-1])
    keys = sorted({key for word in words for key in KEYS.get(word, [])}, key=str.encode)
    of_keys = [[k for k, word in enumerate(words) if key in KEYS.get(word, [])] for key in keys]
    return Stretch(
        texts(words),
        np.array([len(places[word]) for word in words], dtype=np.int32),
        np.array([2 * len(places[word]) for word in words], dtype=np.int32),
        np.frombuffer(bytes(data), dtype=np.uint8),
        np.array(borders),
        np.array(last if lasts else [], dtype=np.int64),
        texts(keys),
        np.cumsum([0, *map(len, of_keys)]),
        np.array([term for terms in of_keys for term in terms], dtype=np.int64),
        shift,
    )


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@given(
    st.lists(st.sampled_from(WORDS), max_size=400),
    st.lists(st.integers(0, 400), max_size=4),
    st.integers(1, 30),
    st.integers(1, 60),
    st.integers(1, 3),
    st.booleans(),
)
@examples(30)
def test_joined_stretches_are_the_whole(
    tokens: list[str], cuts: list[int], at_once: int, bytes_: int, threads: int, lasts: bool
) -> None:
    borders = sorted({0, len(tokens), *(cut for cut in cuts if cut < len(tokens))})
    stretches = [stretch(tokens[a:b], a, lasts=lasts) for a, b in pairwise(borders)]
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        whole, joined = Path(name) / "whole", Path(name) / "joined"
        whole.mkdir()
        joined.mkdir()
        entries = save_terms(whole, [stretch(tokens, 0)])
        patch.setattr(joining_module, "_AT_ONCE", at_once)
        patch.setattr(joining_module, "_BYTES", bytes_)
        told: list[ProgressStep] = []
        with watching(told.append):
            others = save_terms(joined, stretches, threads)
        assert files(whole) == files(joined)
        assert told == sorted(told)
        assert {name: (e["type"], e["length"], e["checksums"].tolist()) for name, e in entries.items()} == {
            name: (e["type"], e["length"], e["checksums"].tolist()) for name, e in others.items()
        }


def test_stretches_on_disk(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    assert spool.load() == []
    made = [stretch(["b", "a", "café"], 0), stretch(["z"], 3), stretch([], 4)]
    for one in made:
        spool.add(one)
    elsewhere: Spool = pickle.loads(pickle.dumps(spool))
    for one, other in zip(made, elsewhere.load(10), strict=True):
        assert other.shift == one.shift + 10
        assert _values(one) == _values(other)
    spool.remove()
    assert list(tmp_path.iterdir()) == []


def _values(one: Stretch) -> list[list[int]]:
    arrays: list[Array] = [*one.terms, one.frequency, one.units, one.data, one.data_from, one.last, *one.keys]
    arrays += [one.key_from, one.key_terms]
    return [array.tolist() for array in arrays]
