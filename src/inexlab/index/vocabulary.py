"""A vocabulary: each different text (token or term) gets a number, in the order of its first appearance.

Texts are taken in lower case, without the characters that words ignore. Those of up to 15 bytes are their own
key in a hash table, as two numbers of eight bytes, zeros behind them; longer ones are known by a hash and
their second eight bytes, which end with a byte that is not zero, and compared word by word.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel, LoopStep
from inexlab.index.analysis.character_classes import Points, lower_case_characters
from inexlab.index.analysis.words import LONGEST, LONGEST_RAW
from inexlab.index.bits import Words
from inexlab.index.characters import (
    copy_bytes,
    int64,
    read_character,
    write_character,
)
from inexlab.index.keys import KEY_BYTES, hash_of_key, key_at, padded
from inexlab.instructions import folded_product, prefetch
from inexlab.tables import SECRET, Bytes, Codes, Hashes, Ints

_BLOCK = 128  # texts
_SOON = 8  # texts ahead
_STEPS = 20  # of plain Python to a text
_SIZES = (1 << 13, 1 << 17, 1 << 20)  # slots of a table; it is doubled from then on
_AT_ONCE = 1 << 20  # texts, so that 32 bits count their bytes, and signals are handled in between

_ONES = 0x0101010101010101

# An entry of the table: the key; the number + 1 and, 32 bits higher, the place in the pool. It has room for
# one number more, so that none lies across two lines of a processor's cache.
_LOW, _HIGH, _ENTRY = range(3)
_COLUMNS = 4
_MOST_WORDS = LONGEST_RAW // 8 + 1  # of a text, with the zeros behind it
_NUMBER = 0xFFFFFFFF


class Vocabulary:
    """All texts so far."""

    def __init__(self) -> None:
        self._table: Words = np.zeros((_SIZES[0], _COLUMNS), dtype=np.uint64)
        self._pool: Words = np.zeros(1 << 16, dtype=np.uint64)  # the words of all texts
        self._text_from: Ints = np.zeros(1 << 16, dtype=np.int64)
        self._count: Ints = np.zeros(1, dtype=np.int64)
        self._lower = lower_case_characters()

    def __len__(self) -> int:
        return int(self._count[0])

    def numbers(self, text: Bytes, borders: Codes) -> Codes:
        """Return the numbers of texts; new ones are added.

        Each is between two bytes of `text`, which is padded: borders 2 k and 2 k + 1.
        """
        text = _in_lower_case(text, int(borders.max(initial=0)))
        some = [
            self._numbers(text, borders[2 * k : 2 * (k + _AT_ONCE)])
            for k in range(0, len(borders) // 2, _AT_ONCE)
        ]
        return some[0] if len(some) == 1 else np.concatenate([np.empty(0, dtype=np.int32), *some])

    def _numbers(self, text: Bytes, borders: Codes) -> Codes:
        out, rest = (np.empty(len(borders) // 2, dtype=np.int32) for _ in range(2))
        with np.errstate(over="ignore"):  # hashes run over, and plain Python would say so
            find = find_known.for_work(_STEPS * len(out))
            left = find(text, borders, self._table, SECRET, out, rest)
            rest, done = rest[:left], 0
            while True:
                done = find_texts.for_work(_STEPS * (left - done))(
                    text,
                    borders,
                    rest,
                    done,
                    self._lower,
                    self._table,
                    SECRET,
                    self._pool,
                    self._text_from,
                    self._count,
                    out,
                )
                if done == left:
                    return out
                self._grow()

    def add(self, texts: Sequence[bytes]) -> Codes:
        """Return the numbers of texts in UTF-8; new ones are added."""
        return self.add_lines(b"\n".join([*texts, b""]))

    def add_lines(self, lines: bytes) -> Codes:
        """Return the numbers of texts in UTF-8, each with a line break behind it; new ones are added."""
        ends = np.flatnonzero(np.frombuffer(lines, dtype=np.uint8) == ord("\n"))
        borders = np.column_stack((np.concatenate(([0], ends + 1))[:-1], ends))
        some = [self._add_some(lines, borders[k : k + _AT_ONCE]) for k in range(0, len(borders), _AT_ONCE)]
        return np.concatenate([np.empty(0, dtype=np.int32), *some])

    def _add_some(self, lines: bytes, borders: Ints) -> Codes:
        """Return the numbers of the texts between some borders."""
        first, last = int(borders[0, 0]), int(borders[-1, 1])
        buffer = padded(last - first)
        buffer[: last - first] = np.frombuffer(lines, dtype=np.uint8)[first:last]
        return self.numbers(buffer, (borders - first).astype(np.int32).reshape(-1))

    def texts(self, numbers: Ints) -> list[bytes]:
        """Return the texts with some numbers, in UTF-8."""
        return self.lines(numbers).split(b"\n")[:-1]

    def lines(self, numbers: Ints) -> bytes:
        """Return the texts with some numbers, in UTF-8, each with a line break behind it."""
        buffer, borders = self.joined(numbers, ending=ord("\n"))
        return buffer[: borders[-1]].tobytes()

    def joined(self, numbers: Ints, ending: int = 0) -> tuple[Bytes, Ints]:
        """Return the bytes of the texts with some numbers, padded, and the borders between them.

        Each has a byte behind it where `ending` is one.
        """
        begins = self._text_from[numbers]
        return self._gathered(begins, self._text_from[numbers + 1] - begins, ending)

    def _gathered(self, begins: Ints, sizes: Ints, ending: int = 0) -> tuple[Bytes, Ints]:
        out, borders = padded(8 * int(sizes.sum())), np.zeros(len(begins) + 1, dtype=np.int64)
        gather.for_work(len(out))(self._pool.view(np.uint8), begins, sizes, ending, out, borders)
        return out, borders

    def shapes(self, numbers: Ints) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Return which of some texts have ASCII digits or signs in them, and which have to be composed.

        These are not all ASCII, or may be too long.
        """
        digits, composed = np.empty((2, len(numbers)), dtype=np.bool_)
        find_shapes.for_work(_STEPS * len(numbers))(self._pool, self._text_from, numbers, digits, composed)
        return digits, composed

    def in_order(self, numbers: Ints | None = None) -> tuple[Ints, Bytes, Ints]:
        """Return the numbers of texts in the order of their code points, their bytes, and the borders.

        Of all texts, or of some.
        """
        if numbers is not None and len(numbers) < len(self):
            order, words, borders = self._in_order(self._text_from[numbers], self._text_from[numbers + 1])
            return numbers[order], words, borders
        return self._in_order(self._text_from[: len(self)], self._text_from[1 : len(self) + 1])

    def _in_order(self, begins: Ints, ends: Ints) -> tuple[Ints, Bytes, Ints]:
        """Return the order of texts between words of the pool, their bytes in it, and the borders."""
        sizes = ends - begins
        key = self._pool[begins].byteswap()  # numbers that compare as the bytes do
        order = np.argsort(key)
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
        words, borders = self._gathered(begins[order], sizes[order])
        return order, words[: borders[-1]], borders

    def _grow(self) -> None:
        """Make more room, where there is not enough for one more text."""
        known = len(self)
        words = int(self._text_from[known])
        if 4 * known >= 3 * len(self._table):
            slots = next((size for size in _SIZES if size > len(self._table)), 2 * len(self._table))
            larger = np.zeros((slots, _COLUMNS), dtype=np.uint64)
            with np.errstate(over="ignore"):
                rehash.for_work(len(self._table))(self._table, SECRET, larger)
            self._table = larger
        if known + 2 > len(self._text_from):
            before, self._text_from = self._text_from, np.empty(2 * len(self._text_from), dtype=np.int64)
            self._text_from[: known + 1] = before[: known + 1]
        if words + _MOST_WORDS > len(self._pool):
            texts, self._pool = self._pool, np.empty(2 * len(self._pool), dtype=np.uint64)
            self._pool[:words] = texts[:words]


def _in_lower_case(text: Bytes, size: int) -> Bytes:
    """Return so many bytes of a text with A to Z in lower case, padded as the text is."""
    out = padded(size)
    with np.errstate(over="ignore"):
        lower_words.for_work(size // 8)(text.view(np.uint64), out.view(np.uint64), size // 8 + 1)
    return out


@Kernel
def lower_words(words: Words, out: Words, count: int) -> None:
    """Write the first words of a text with A to Z in lower case; both have room for so many.

    That is up to the word with the last byte, or the one behind it: `padded` adds more than one.
    """
    for k in range(count):
        out[k] = _lower_word(words[k])


@Kernel
def find_shapes(
    pool: Words,
    text_from: Ints,
    numbers: Ints,
    digits: npt.NDArray[np.bool_],
    composed: npt.NDArray[np.bool_],
) -> None:
    """Write which texts have ASCII digits or signs in them, and which are not all ASCII, or may be too long.

    There is a place for every text.
    """
    zero, ones, longest = np.uint64(0), np.uint64(_ONES), LONGEST // 8
    for k in range(len(numbers)):
        begin, end = text_from[numbers[k]], text_from[numbers[k] + 1]
        plain, beyond = zero, zero
        for place in range(begin, end):
            word = pool[place]
            # of all bytes in texts, only these have the sixth bit, and neither the seventh nor the eighth
            plain |= (word >> np.uint64(5)) & ~(word >> np.uint64(6)) & ~(word >> np.uint64(7)) & ones
            beyond |= word & (ones << np.uint64(7))
        digits[k] = plain != zero
        composed[k] = beyond != zero or end - begin >= longest


@Kernel
def find_known(text: Bytes, borders: Codes, table: Words, secret: Hashes, out: Codes, rest: Codes) -> int:
    """Write the numbers of texts that are short and known, and which ones are not; return how many.

    Letters beyond ASCII have to be small: what is known is, so that what is the same is known.

    In blocks: all their entries are asked for before the first one is needed. `out` and `rest` have a place
    for every text. A quarter of the table is free, so that a search ends.
    """
    mask, flat = np.uint64(len(table) - 1), table.reshape(-1)
    keys = np.empty((_BLOCK, 3), dtype=np.uint64)  # with the slots where they begin to be looked for
    size, left, block = np.uint64(len(out)), np.uint64(0), np.uint64(0)
    none, one, two, four = np.uint64(len(flat)), np.uint64(1), np.uint64(2), np.uint64(_COLUMNS)
    low_of, high_of, entry_of = np.uint64(_LOW), np.uint64(_HIGH), np.uint64(_ENTRY)
    last = four * mask
    while block < size:
        end = min(block + np.uint64(_BLOCK), size)
        for k in range(block, end):
            begin = np.uint64(borders[two * k])
            length = np.uint64(borders[two * k + one]) - begin
            low, high = key_at(text, begin, length)
            short = length < np.uint64(KEY_BYTES)
            slot = four * (hash_of_key(low, high, secret) & mask)
            prefetch(flat, slot)
            keys[k - block, 0], keys[k - block, 1] = low, high
            keys[k - block, 2] = slot if short else none
        for k in range(block, end):
            low, high, slot = keys[k - block, 0], keys[k - block, 1], keys[k - block, 2]
            if slot != none:
                entry = flat[slot + entry_of]
                # both halves in one comparison, as one branch is guessed better than two
                while entry and (flat[slot + low_of] ^ low) | (flat[slot + high_of] ^ high):
                    slot = (slot + four) & last
                    entry = flat[slot + entry_of]
                if entry:
                    out[k] = int64(entry & np.uint64(_NUMBER)) - 1
                    continue
            rest[left] = k
            left += one
        block = end
    return int64(left)


@Kernel
def find_texts(
    text: Bytes,
    borders: Codes,
    which: Codes,
    done: int,
    lower: Points,
    table: Words,
    secret: Hashes,
    pool: Words,
    known_from: Ints,
    count: Ints,
    out: Codes,
) -> int:
    """Write the numbers of some texts, and add those that are new; return how many are done.

    These are less than all where there is no room for one more: a slot (of which a quarter stays free), a
    border, or the words of the longest text.
    """
    mask, flat = np.uint64(len(table) - 1), table.reshape(-1)
    words = np.empty(_MOST_WORDS, dtype=np.uint64)
    known = count[0]
    for k in range(done, len(which)):
        if k + 3 * _SOON < len(which):  # each of these is far from the one before
            prefetch(borders, np.uint64(2) * np.uint64(which[k + 3 * _SOON]))
            prefetch(text, np.uint64(borders[np.uint64(2) * np.uint64(which[k + 2 * _SOON])]))
        if k + _SOON < len(which):  # where it is short and ASCII, as most are
            soon = np.uint64(2) * np.uint64(which[k + _SOON])
            place = np.uint64(borders[soon])
            low, high = key_at(text, place, np.uint64(borders[soon + np.uint64(1)]) - place)
            prefetch(flat, np.uint64(4) * (hash_of_key(low, high, secret) & mask))
        begin, end = int64(borders[2 * which[k]]), int64(borders[2 * which[k] + 1])
        low, high = key_at(text, begin, end - begin)
        if end - begin < KEY_BYTES and not (low | high) & np.uint64(_ONES << 7):
            words[0], words[1] = low, high
            size = 1 + (end - begin >= 8)
        else:
            size = _lower_text(text, begin, end, lower, words)
            low, high = key_of(words, size, secret)
        slot = hash_of_key(low, high, secret) & mask
        entry = table[slot, _ENTRY]
        while entry and not (
            table[slot, _LOW] == low
            and table[slot, _HIGH] == high
            and (size <= 2 or _same_words(pool, int64(entry >> np.uint64(32)), words, size))
        ):
            slot = (slot + np.uint64(1)) & mask
            entry = table[slot, _ENTRY]
        if not entry:
            at = known_from[known]
            if 4 * known >= 3 * len(table) or known + 2 > len(known_from) or at + _MOST_WORDS > len(pool):
                count[0] = known
                return k
            for w in range(size):
                pool[at + w] = words[w]
            known_from[known + 1] = at + size
            table[slot, _LOW], table[slot, _HIGH] = low, high
            table[slot, _ENTRY] = (np.uint64(at) << np.uint64(32)) | np.uint64(known + 1)
            known += 1
        out[which[k]] = int64(table[slot, _ENTRY] & np.uint64(_NUMBER)) - 1
    count[0] = known
    return len(which)


@LoopStep
def key_of(words: Words, size: int, secret: Hashes) -> tuple[np.uint64, np.uint64]:
    """Return the key of a text of some words."""
    if size == 1:
        return words[0], np.uint64(0)
    low, high = words[0], words[1]
    for w in range(1 if size > 2 else 2, size):
        low = folded_product(low ^ secret[2], words[w] ^ secret[3])
    return low, high


@LoopStep
def _same_words(pool: Words, place: int, words: Words, size: int) -> bool:
    """Whether the words in the pool are these; the last word of a text, and only this, ends with a zero."""
    for w in range(size):  # noqa: SIM110 - a loop that compiles
        if pool[place + w] != words[w]:
            return False
    return True


@LoopStep
def _lower_word(word: np.uint64) -> np.uint64:
    """Return eight bytes with A to Z in lower case; bytes beyond ASCII stay."""
    # eight comparisons at once: the highest bit of a byte tells whether it is at least A, at least [
    ones, high = np.uint64(_ONES), np.uint64(_ONES << 7)
    low = word & ~high  # so that none runs over into the next
    capital = ((low + ones * np.uint64(63)) ^ (low + ones * np.uint64(37))) & high & ~word
    return word | (capital >> np.uint64(2))


@Kernel
def _lower_text(text: Bytes, begin: int, end: int, lower: Points, words: Words) -> int:
    """Write a text in lower case as words, cut where it is too long; return how many there are.

    What is ignored is left out. What is still too long for a word of an index is cut when it is composed, so
    that it does not matter how it is written.

    The last character begins at byte LONGEST_RAW - 4 at the latest and has four bytes at most: the word
    behind LONGEST_RAW bytes, for which there is room, stays zero. No character has twice as many bytes in
    lower case.
    """
    words[: min(_MOST_WORDS, ((end - begin) >> 2) + 1)] = 0
    out = words.view(np.uint8)
    at = 0
    while begin < end and at <= LONGEST_RAW - 4:
        if text[begin] < 128:
            point, begin = int64(text[begin]), begin + 1
        else:
            point, begin = read_character(text, begin)
        if lower[point] >= 0:
            at = write_character(out, at, lower[point])
    return (at >> 3) + 1


@Kernel
def rehash(table: Words, secret: Hashes, larger: Words) -> None:
    """Put the entries of a table into a larger one, which has room: as many slots stay free, and more."""
    mask, flat = np.uint64(len(larger) - 1), larger.reshape(-1)
    for k in range(len(table)):
        if k + _SOON < len(table):
            soon = hash_of_key(table[k + _SOON, _LOW], table[k + _SOON, _HIGH], secret) & mask
            prefetch(flat, np.uint64(_COLUMNS) * soon)
        if table[k, _ENTRY]:
            slot = hash_of_key(table[k, _LOW], table[k, _HIGH], secret) & mask
            while larger[slot, _ENTRY]:
                slot = (slot + np.uint64(1)) & mask
            for column in range(_COLUMNS):
                larger[slot, column] = table[k, column]


@Kernel
def gather(pool: Bytes, begins: Ints, sizes: Ints, ending: int, out: Bytes, borders: Ints) -> None:
    """Write texts one after the other, without the zeros behind them, but with an ending where there is one.

    Copied with the zeros a text takes `8 * sizes[k]` bytes, of which one at least is a zero, and `out` is as
    long as all of these together.
    """
    at = int64(0)
    for k in range(len(begins)):
        place = 8 * begins[k]
        end = place + 8 * sizes[k]
        copy_bytes(pool, place, end, out, at)  # with the zeros, which the next text overwrites
        while end > place and pool[end - 1] == 0:
            end -= 1
        at += end - place
        if ending:
            out[at] = ending
            at += 1
        borders[k + 1] = at
