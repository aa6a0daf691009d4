"""The types of tokens: each different token gets a number, in the order of its first appearance.

Tokens come as words of eight bytes, the last one filled up with at least one zero. Those of one word are their own key
in a hash table; longer ones are known by a hash and compared word by word.
"""

from __future__ import annotations

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.index.scan import Words
from inexlab.tables import Codes, Ints


class Vocabulary:
    """All types so far."""

    def __init__(self) -> None:
        # pairs (key, type + 1), and the words of all types, one after the other
        self._table: Words = np.zeros(1 << 17, dtype=np.uint64)
        self._pool: Words = np.zeros(1 << 16, dtype=np.uint64)
        self._type_from: Ints = np.zeros(1 << 16, dtype=np.int64)
        self._count: Ints = np.zeros(1, dtype=np.int64)

    def __len__(self) -> int:
        return int(self._count[0])

    def types(self, words: Words, token_from: Codes, out: Codes) -> None:
        """Write the type of each token to `out`; new ones are added."""
        done = 0
        while True:
            done = find_types.compiled(
                words, token_from, done, self._table, self._pool, self._type_from, self._count, out
            )
            if done == len(out):
                return
            self._grow()

    def texts(self, first: int) -> list[str]:
        """Return the types from a number on."""
        borders = self._type_from[first : len(self) + 1]
        if len(borders) < 2:
            return []
        # the last byte of a type is a zero: as line breaks these let Python cut all of them at once
        pool = self._pool[borders[0] : borders[-1]].copy().view(np.uint8)
        pool[8 * (borders[1:] - borders[0]) - 1] = 10
        return pool.tobytes().replace(b"\0", b"").decode(errors="replace").split("\n")[:-1]

    def _grow(self) -> None:
        self._type_from = np.resize(self._type_from, 2 * len(self._type_from))
        self._pool = np.resize(self._pool, 2 * len(self._pool))
        larger = np.zeros(2 * len(self._table), dtype=np.uint64)
        replant.compiled(self._table, larger)
        self._table = larger


@Kernel
def find_types(
    words: Words,
    token_from: Codes,
    done: int,
    table: Words,
    pool: Words,
    type_from: Ints,
    count: Ints,
    out: Codes,
) -> int:
    """Number the tokens from `done` on; return how many are done when there is no room for a new type."""
    mask = np.uint64((len(table) >> 1) - 1)
    one = np.uint64(1)
    types = count[0]
    for k in range(done, len(out)):
        first, last = token_from[k], token_from[k + 1]
        size = last - first
        key = words[first]
        if size > 1:
            for w in range(first + 1, last):
                key = _spread(key) ^ words[w]
        slot = _spread(key) & mask
        found = -1
        while True:
            known = table[(slot << one) | one]
            if known == 0:
                break
            if table[slot << one] == key:
                number = np.int64(known) - 1
                begin = type_from[number]
                same = type_from[number + 1] - begin == size
                if size > 1:
                    for w in range(size):
                        same = same and pool[begin + w] == words[first + w]
                if same:
                    found = number
                    break
            slot = (slot + one) & mask
        if found < 0:
            begin = type_from[types]
            if 4 * types > len(table) or types + 2 > len(type_from) or begin + size > len(pool):
                count[0] = types
                return k
            found = types
            table[slot << one] = key
            table[(slot << one) | one] = np.uint64(types + 1)
            for w in range(size):
                pool[begin + w] = words[first + w]
            type_from[types + 1] = begin + size
            types += 1
        out[k] = found
    count[0] = types
    return len(out)


@Kernel
def _spread(key: np.uint64) -> np.uint64:
    """Mix the bits of a key, so that its low ones tell keys apart."""
    key = key * np.uint64(0x9E3779B97F4A7C15)
    return key ^ (key >> np.uint64(32))


@Kernel
def replant(table: Words, larger: Words) -> None:
    """Put the entries of a table into a larger one."""
    mask = np.uint64((len(larger) >> 1) - 1)
    one = np.uint64(1)
    for k in range(len(table) >> 1):
        if table[2 * k + 1]:
            slot = _spread(table[2 * k]) & mask
            while larger[(slot << one) | one]:
                slot = (slot + one) & mask
            larger[slot << one] = table[2 * k]
            larger[(slot << one) | one] = table[2 * k + 1]
