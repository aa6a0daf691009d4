"""A vocabulary: each different text (token or term) gets a number, in the order of its first appearance.

Texts are taken in lower case, as words of eight bytes, the last one filled up with at least one zero. Those
of one word are their own key in a hash table; longer ones are known by a hash with its highest bit set, and
compared word by word: as their last words, and only these, end with a zero, equal words are equal texts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.index.characters import Bytes, Lower, character_tables, int64, read_character, write_character
from inexlab.tables import Codes, Ints

Words = npt.NDArray[np.uint64]

LONGEST = 64  # bytes; a text is cut before a character that begins later than four bytes before
_STEPS = 20  # of plain Python to a text

_ONES = 0x0101010101010101


def padded(size: int) -> Bytes:
    """Return an array of bytes that may be read eight at once, up to its end and a little further."""
    return np.zeros(size // 8 + 4, dtype=np.uint64).view(np.uint8)


class Vocabulary:
    """All texts so far."""

    def __init__(self) -> None:
        # pairs (key, number + 1 and, 32 bits higher, place in the pool); the words of all texts
        self._table: Words = np.zeros(1 << 17, dtype=np.uint64)
        self._pool: Words = np.zeros(1 << 16, dtype=np.uint64)
        self._text_from: Ints = np.zeros(1 << 16, dtype=np.int64)
        self._count: Ints = np.zeros(1, dtype=np.int64)
        self._lower = character_tables()[1]

    def __len__(self) -> int:
        return int(self._count[0])

    def numbers(self, text: Bytes, text_from: Codes, text_to: Codes) -> Codes:
        """Return the number of each text between two bytes of `text`, which is padded; new ones are added."""
        out = np.empty(len(text_from), dtype=np.int32)
        words = text.view(np.uint64)
        find = number_texts.for_work(_STEPS * len(out))
        done = 0
        with np.errstate(over="ignore"):  # hashes run over, and plain Python would say so
            while True:
                done = find(
                    text,
                    words,
                    text_from,
                    text_to,
                    done,
                    self._lower,
                    self._table,
                    self._pool,
                    self._text_from,
                    self._count,
                    out,
                )
                if done == len(out):
                    return out
                self._grow()

    def add(self, texts: Sequence[str]) -> Codes:
        """Return the numbers of texts; new ones are added."""
        lines = "".join([f"{text}\n" for text in texts]).encode()
        buffer = padded(len(lines))
        buffer[: len(lines)] = np.frombuffer(lines, dtype=np.uint8)
        ends = np.flatnonzero(buffer == 10).astype(np.int32)
        begins = np.concatenate((np.zeros(1, dtype=np.int32), ends[:-1] + np.int32(1)))[: len(ends)]
        return self.numbers(buffer, begins, ends)

    def texts(self, first: int = 0) -> list[str]:
        """Return the texts from a number on."""
        borders = self._text_from[first : len(self) + 1]
        if len(borders) < 2:
            return []
        # the last byte of a text is a zero: as line breaks these let Python cut all of them at once
        pool = self._pool[borders[0] : borders[-1]].copy().view(np.uint8)
        pool[8 * (borders[1:] - borders[0]) - 1] = 10
        return pool.tobytes().replace(b"\0", b"").decode().split("\n")[:-1]

    def in_order(self) -> tuple[Ints, Bytes, Ints]:
        """Return the numbers of all texts in the order of their code points, their bytes, and the borders."""
        begins, sizes = self._text_from[: len(self)], np.diff(self._text_from[: len(self) + 1])
        key = self._pool[begins].byteswap()  # numbers that compare as the bytes do
        order = np.argsort(key, kind="stable")
        tied = np.arange(len(order))  # places of texts that are the same so far as another
        group = np.zeros(len(order), dtype=np.int64)
        key, word = key[order], 1
        while len(tied):
            differs = (key[1:] != key[:-1]) | (group[1:] != group[:-1])
            first = np.concatenate(([True], differs))
            alone = first & np.concatenate((differs, [True]))
            tied, group = tied[~alone], np.cumsum(first)[~alone]
            among = order[tied]
            key = np.where(word < sizes[among], self._pool[begins[among] + word], np.uint64(0)).byteswap()
            by_key = np.lexsort((key, group))
            order[tied], key = among[by_key], key[by_key]
            word += 1
        out = np.empty(8 * int(sizes.sum()), dtype=np.uint8)
        borders = np.zeros(len(order) + 1, dtype=np.int64)
        gather.for_work(len(out))(self._pool.view(np.uint8), begins, sizes, order, out, borders)
        return order, out[: borders[-1]], borders

    def _grow(self) -> None:
        self._text_from = np.resize(self._text_from, 2 * len(self._text_from))
        self._pool = np.resize(self._pool, 2 * len(self._pool))
        larger = np.zeros(2 * len(self._table), dtype=np.uint64)
        with np.errstate(over="ignore"):
            replant.for_work(len(self._table))(self._table, larger)
        self._table = larger


@Kernel
def number_texts(
    text: Bytes,
    text_words: Words,
    text_from: Codes,
    text_to: Codes,
    done: int,
    lower: Lower,
    table: Words,
    pool: Words,
    known_from: Ints,
    count: Ints,
    out: Codes,
) -> int:
    """Number the texts from `done` on; return how many are done when there is no room for a new one."""
    mask = np.uint64((len(table) >> 1) - 1)
    one, low, shift = np.uint64(1), np.uint64(0xFFFFFFFF), np.uint64(32)
    long, beyond_ascii = np.uint64(1 << 63), np.uint64(_ONES << 7)
    words = np.empty(LONGEST // 8 + 1, dtype=np.uint64)
    known = count[0]
    for k in range(done, len(out)):
        begin = text_from[k]
        length = text_to[k] - begin
        size = 1
        key = np.uint64(0)
        seen = beyond_ascii
        if length < 8:  # the usual case
            key = _lower_word(text_words, begin, length)
            seen = key
        elif length <= LONGEST - 4:
            size = (length >> 3) + 1
            seen = np.uint64(0)
            for w in range(size):
                words[w] = _lower_word(text_words, begin + 8 * w, length - 8 * w)
                seen |= words[w]
        if seen & beyond_ascii:
            size = _lower_text(text, begin, text_to[k], lower, words)
            key = words[0]
        if size > 1:
            key = words[0]
            for w in range(1, size):
                key = _spread(key) ^ words[w]
            key |= long
        slot = _spread(key) & mask
        found = -1
        entry = table[(slot << one) | one]
        while entry:
            if table[slot << one] == key:
                same = True
                if size > 1:
                    place = int64(entry >> shift)
                    for w in range(size):
                        same = same and pool[place + w] == words[w]
                if same:
                    found = int64(entry & low) - 1
                    break
            slot = (slot + one) & mask
            entry = table[(slot << one) | one]
        if found < 0:
            place = known_from[known]
            if 4 * known > len(table) or known + 2 > len(known_from) or place + LONGEST > len(pool):
                count[0] = known
                return k
            found = known
            table[slot << one] = key
            table[(slot << one) | one] = (np.uint64(place) << shift) | np.uint64(known + 1)
            words[0] = key if size == 1 else words[0]
            for w in range(size):
                pool[place + w] = words[w]
            known_from[known + 1] = place + size
            known += 1
        out[k] = found
    count[0] = known
    return len(out)


@Kernel
def _lower_word(words: Words, at: int, length: int) -> np.uint64:
    """Return the (up to eight) bytes at a place, with A to Z in lower case, and zeros behind them."""
    place, offset = at >> 3, np.uint64((at & 7) << 3)
    word = (words[place] >> offset) | ((words[place + 1] << np.uint64(1)) << (np.uint64(63) - offset))
    if length < 8:
        word &= (np.uint64(1) << np.uint64(8 * length)) - np.uint64(1)
    # eight comparisons at once: the highest bit of a byte tells whether it is at least A, at least [
    ones, high = np.uint64(_ONES), np.uint64(_ONES << 7)
    low = word & ~high
    capital = ((low + ones * np.uint64(63)) ^ (low + ones * np.uint64(37))) & ~word & high
    lowered: np.uint64 = word | (capital >> np.uint64(2))
    return lowered


@Kernel
def _lower_text(text: Bytes, begin: int, end: int, lower: Lower, words: Words) -> int:
    """Write a text in lower case as words, cut where it is too long; return how many there are."""
    words[:] = 0
    out = words.view(np.uint8)
    at = 0
    while begin < end and at <= LONGEST - 4:
        if text[begin] < 128:
            point, begin = int64(text[begin]), begin + 1
        else:
            point, begin = read_character(text, begin)
        at = write_character(out, at, lower[point])
    return (at >> 3) + 1


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
def gather(pool: Bytes, begins: Ints, sizes: Ints, order: Ints, out: Bytes, borders: Ints) -> None:
    """Write texts one after the other in an order, without the zeros behind them."""
    at = 0
    for k in range(len(order)):
        place = 8 * begins[order[k]]
        for b in range(8 * sizes[order[k]]):
            if pool[place + b] == 0:
                break
            out[at] = pool[place + b]
            at += 1
        borders[k + 1] = at
