"""A vocabulary: each different text (token or term) gets a number, in the order of its first appearance.

Texts come as words of eight bytes, the last one filled up with at least one zero. Those of one word are their
own key in a hash table; longer ones are known by a hash with its highest bit set, and compared word by word.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.index.characters import Bytes
from inexlab.index.scan import Words
from inexlab.tables import Codes, Ints

_STEPS = 10  # of plain Python to a text


class Vocabulary:
    """All texts so far."""

    def __init__(self) -> None:
        # pairs (key, number + 1), and the words of all texts, one after the other
        self._table: Words = np.zeros(1 << 17, dtype=np.uint64)
        self._pool: Words = np.zeros(1 << 16, dtype=np.uint64)
        self._text_from: Ints = np.zeros(1 << 16, dtype=np.int64)
        self._count: Ints = np.zeros(1, dtype=np.int64)

    def __len__(self) -> int:
        return int(self._count[0])

    def numbers(self, words: Words, text_from: Codes, out: Codes) -> None:
        """Write the number of each text to `out`; new ones are added."""
        done = 0
        find = number_texts.for_work(_STEPS * len(out))
        with np.errstate(over="ignore"):  # hashes run over, and plain Python would say so
            while True:
                done = find(words, text_from, done, self._table, self._pool, self._text_from, self._count, out)
                if done == len(out):
                    return
                self._grow()

    def add(self, texts: Sequence[str]) -> Codes:
        """Return the numbers of texts."""
        out = np.empty(len(texts), dtype=np.int32)
        if texts:
            lines = np.frombuffer(("\n".join(texts) + "\n").encode(), dtype=np.uint8)
            words = np.zeros(len(lines) // 8 + len(texts) + 1, dtype=np.uint64)
            text_from = np.empty(len(texts) + 1, dtype=np.int32)
            pack_lines.for_work(len(lines))(lines, words, text_from)
            self.numbers(words, text_from, out)
        return out

    def texts(self, first: int = 0) -> list[str]:
        """Return the texts from a number on."""
        borders = self._text_from[first : len(self) + 1]
        if len(borders) < 2:
            return []
        # the last byte of a text is a zero: as line breaks these let Python cut all of them at once
        pool = self._pool[borders[0] : borders[-1]].copy().view(np.uint8)
        pool[8 * (borders[1:] - borders[0]) - 1] = 10
        return pool.tobytes().replace(b"\0", b"").decode().split("\n")[:-1]

    def _grow(self) -> None:
        self._text_from = np.resize(self._text_from, 2 * len(self._text_from))
        self._pool = np.resize(self._pool, 2 * len(self._pool))
        larger = np.zeros(2 * len(self._table), dtype=np.uint64)
        with np.errstate(over="ignore"):
            replant.for_work(len(self._table))(self._table, larger)
        self._table = larger


@Kernel
def number_texts(
    words: Words,
    text_from: Codes,
    done: int,
    table: Words,
    pool: Words,
    known_from: Ints,
    count: Ints,
    out: Codes,
) -> int:
    """Number the texts from `done` on; return how many are done when there is no room for a new one."""
    mask = np.uint64((len(table) >> 1) - 1)
    one = np.uint64(1)
    long = np.uint64(1 << 63)
    known = count[0]
    for k in range(done, len(out)):
        first = text_from[k]
        size = text_from[k + 1] - first
        key = words[first]
        if size > 1:
            for w in range(1, size):
                key = _spread(key) ^ words[first + w]
            key |= long
        slot = _spread(key) & mask
        found = -1
        entry = table[(slot << one) | one]
        while entry:
            if table[slot << one] == key:
                number = np.int64(entry) - 1
                if size == 1 or _same_words(pool, known_from[number], known_from[number + 1], words, first, size):
                    found = number
                    break
            slot = (slot + one) & mask
            entry = table[(slot << one) | one]
        if found < 0:
            begin = known_from[known]
            if 4 * known > len(table) or known + 2 > len(known_from) or begin + size > len(pool):
                count[0] = known
                return k
            found = known
            table[slot << one] = key
            table[(slot << one) | one] = np.uint64(known + 1)
            for w in range(size):
                pool[begin + w] = words[first + w]
            known_from[known + 1] = begin + size
            known += 1
        out[k] = found
    count[0] = known
    return len(out)


@Kernel
def _same_words(pool: Words, begin: int, end: int, words: Words, first: int, size: int) -> bool:
    if end - begin != size:
        return False
    for w in range(size):  # noqa: SIM110 - a loop that compiles
        if pool[begin + w] != words[first + w]:
            return False
    return True


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


@Kernel
def pack_lines(lines: Bytes, words: Words, text_from: Codes) -> None:
    """Cut lines into words of eight bytes, the last of each line filled up with at least one zero."""
    packed = words.view(np.uint8)
    at_word = 0
    size = 0
    line = 0
    text_from[0] = 0
    for k in range(len(lines)):
        if lines[k] == 10:
            at_word += (size >> 3) + 1
            size = 0
            line += 1
            text_from[line] = at_word
        else:
            packed[8 * at_word + size] = lines[k]
            size += 1
