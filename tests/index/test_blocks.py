"""Checksums of blocks: the same however what is written comes, and compared when first needed."""

from __future__ import annotations

import zlib
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.index import blocks as blocks_module
from inexlab.index.blocks import Blocks, Checksums, DamagedError
from tests.index.damage import checksums_of


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks_module, "BLOCK", 8)


@given(st.binary(max_size=100), st.lists(st.integers(0, 100)), st.booleans())
def test_checksums_do_not_depend_on_the_pieces(data: bytes, cuts: list[int], resumed: bool) -> None:
    made = Checksums()
    for a, b in pairwise(sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})):
        if resumed:
            made = Checksums.resumed(made.all(), a)
        made.add(data[a:b])
    expected = [zlib.crc32(data[k : k + 8]) for k in range(0, len(data), 8)]
    assert made.all().tolist() == expected


def blocks_of(values: np.ndarray[tuple[int], np.dtype[np.uint16]]) -> Blocks:
    return Blocks(values.copy(), checksums_of(values))


def test_only_what_is_needed_is_compared() -> None:
    blocks = blocks_of(np.arange(10, dtype=np.uint16))  # four numbers to a block
    blocks.values[5] ^= 1
    for first, last in ((0, 4), (8, 10), (0, 0), (5, 5), (9, 3)):
        blocks.need(first, last)
    blocks.need_each(np.array([0, 3, 8, 9]))
    blocks.need_each(np.zeros(0, dtype=np.int64))
    for first, last in ((4, 5), (3, 5), (7, 8), (0, 10)):
        with pytest.raises(DamagedError):
            blocks.need(first, last)
    with pytest.raises(DamagedError):
        blocks.need_each(np.array([0, 4]))
    with pytest.raises(DamagedError):
        blocks.all()
    blocks.values[5] ^= 1
    assert blocks.all().tolist() == list(range(10))


def test_what_was_compared_is_not_compared_again() -> None:
    blocks = blocks_of(np.arange(10, dtype=np.uint16))
    blocks.all()
    blocks.values[5] ^= 1
    blocks.need(0, 10)
    blocks.need_each(np.arange(10))
    assert blocks.all()[5] == 4


def test_nothing_at_all() -> None:
    blocks = blocks_of(np.zeros(0, dtype=np.uint16))
    blocks.need(0, 0)
    assert len(blocks.all()) == 0
