"""Positions of terms as bytes: differences from one position to the next, seven bits to a byte.

A term's first position is a difference from -1. The last byte of a number has its highest bit set.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel, LoopStep
from inexlab.index.characters import int64
from inexlab.instructions import prefetch, write_word
from inexlab.tables import Bytes, Codes, Ints

_PLACE, _BEHIND, _END = range(3)  # of a term while its positions are written; a fourth keeps rows in a line
_SOON = 48  # terms ahead
_WORD = 4  # bytes written at once
_LONGEST = 56  # bits of a number before its last byte: more than nine bytes no position takes


def invert(term: Codes, terms: int, order: Ints, sizes: Codes) -> tuple[Bytes, Ints]:
    """Return the positions of terms, which come in an order, as bytes, and their borders.

    `term` is the term at each position, of so many `terms`; `sizes` is how many bytes the positions of each
    term take, in the order. Those that are not in it have none.
    """
    borders: Ints = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
    rows = np.zeros((terms, 4), dtype=np.uint32)
    rows[order, _PLACE], rows[order, _END] = borders[:-1], borders[1:]
    out = np.empty(int(borders[-1]), dtype=np.uint8)
    encode.for_work(20 * len(term))(term, rows, out)
    return out, borders


@Kernel
def encode(term: Codes, rows: npt.NDArray[np.uint32], out: Bytes) -> None:
    """Write the positions of every term; `rows` says where its bytes go and end, and how many are behind.

    Nearly every term is far from the one before, in `rows` as in `out`. The bytes of every term were counted
    before, by the same `width`, and `out` is as long as all of them.

    A word is written at once where it is within the bytes of its term, which the next positions write again:
    how many bytes a number takes no processor could guess. So nothing of another term is written over.
    """
    flat, soon, word = rows.reshape(-1), np.uint64(_SOON), np.uint32(_WORD)
    for p in range(np.uint64(len(term))):
        if p + soon + soon < np.uint64(len(term)):
            prefetch(flat, np.uint64(4) * np.uint64(term[p + soon + soon]))
            prefetch(out, rows[np.uint64(term[p + soon]), _PLACE])
        t, ahead = np.uint64(term[p]), int64(p) + 1
        place, number = rows[t, _PLACE], ahead - int64(rows[t, _BEHIND])
        if place + word <= rows[t, _END] and number < 1 << (7 * _WORD):
            bits, size = in_word(np.uint32(number))
            write_word(out, np.uint64(place), bits)
            rows[t, _PLACE] = place + size
        else:
            rows[t, _PLACE] = put(out, int64(place), number)
        rows[t, _BEHIND] = ahead


@LoopStep
def in_word(number: np.uint32) -> tuple[np.uint32, np.uint32]:
    """Return the bytes of a number that takes at most four, as `put` writes them, and how many these are."""
    one, two, three, seven = np.uint32(1), np.uint32(2), np.uint32(3), np.uint32(127)
    more = np.uint32(number >= 1 << 7) + np.uint32(number >= 1 << 14) + np.uint32(number >= 1 << 21)
    word = (number & seven) | (number & (seven << np.uint32(7))) << one
    word |= (number & (seven << np.uint32(14))) << two | (number & (seven << np.uint32(21))) << three
    return word | np.uint32(128) << (np.uint32(8) * more), more + one


@LoopStep
def put(out: Bytes, at: int, number: int) -> int:
    """Append a number; return where the next one goes. There must be room for its `width`."""
    while number >= 128:
        out[at] = number & 127
        number >>= 7
        at += 1
    out[at] = number | 128
    return at + 1


@LoopStep
def width(number: int) -> int:
    """Return how many bytes a number takes; a loop would end where no processor can guess."""
    more = 0
    while number >= 1 << 28:  # nearly never
        number >>= 7
        more += 1
    return more + 1 + (number >= 1 << 7) + (number >= 1 << 14) + (number >= 1 << 21)


@Kernel
def decode(data: Bytes, first: int, last: int, out: Ints) -> int:
    """Write the positions between two bytes to `out`; return how many there are, -1 if there is no room.

    Or where one takes more than nine bytes. Room is checked before one is written.
    """
    count = 0
    position = int64(-1)
    number = int64(0)
    shift = 0
    for k in range(first, last):
        b = int64(data[k])
        if b >= 128:
            position += number | ((b & 127) << shift)
            if count == len(out):
                return -1
            out[count] = position
            count += 1
            number = int64(0)
            shift = 0
        else:
            if shift == _LONGEST:
                return -1
            number |= b << shift
            shift += 7
    return count


@decode.with_numpy
def _decode(data: Bytes, first: int, last: int, out: Ints) -> int:
    seven = data[first:last]
    ends = np.flatnonzero(seven >= 128)
    if len(ends) > len(out):
        return -1
    begins = np.concatenate(([0], ends + 1))[:-1] if len(ends) else ends
    numbers = (seven[ends] & 127).astype(np.int64)
    longest = int((ends - begins).max(initial=0))  # bytes before the last one
    unfinished = len(seven) - (int(ends[-1]) + 1 if len(ends) else 0)
    if 7 * max(longest, unfinished) > _LONGEST:
        return -1
    for more in range(1, longest + 1):
        longer = ends - begins >= more
        numbers[longer] = numbers[longer] << 7 | seven[ends[longer] - more]
    np.cumsum(numbers, out=out[: len(ends)])
    out[: len(ends)] -= 1
    return len(ends)


@Kernel
def decode_each(data: Bytes, first: Ints, last: Ints, borders: Ints, out: Ints) -> bool:
    """Write the positions of some terms, each between its two bytes, to `out`; False if they do not fit.

    Those of each term have to fill its part of `out`, which rising `borders` divide: their ends are checked.
    """
    for t in range(len(first)):
        if first[t] < 0 or last[t] > len(data) or borders[t + 1] > len(out):
            return False
        room = borders[t + 1] - borders[t]
        if decode(data, first[t], last[t], out[borders[t] : borders[t + 1]]) != room:
            return False
    return True


@decode_each.with_numpy
def _decode_each(data: Bytes, first: Ints, last: Ints, borders: Ints, out: Ints) -> bool:
    if borders[len(first)] > len(out) or (first < 0).any() or (last > len(data)).any():
        return False
    parts = (out[a:b] for a, b in pairwise(borders.tolist()))
    return all(_decode(data, a, b, part) == len(part) for a, b, part in zip(first, last, parts, strict=True))


@Kernel
def last_positions(data: Bytes, data_from: Ints, last: Ints) -> None:
    """Write the last position of every term to `last`; the bytes of a term end with the end of a number.

    `last` has a place for every term.
    """
    for t in range(len(last)):
        position = int64(-1)
        at = int64(data_from[t])
        while at < data_from[t + 1]:
            number, at = _number(data, at)
            position += number
        last[t] = position


@Kernel
def joined_sizes(
    data: Bytes, data_from: Ints, last: Ints, term: Codes, shift: int, ends: Ints, sizes: Ints
) -> None:
    """Add to `sizes` what the positions of one more part take after those before it, which end at `ends`.

    Both have a place for every term of the whole, which `term` is one of.
    """
    for t in range(len(term)):
        begin, stop = data_from[t], data_from[t + 1]
        if begin == stop:
            continue
        whole = term[t]
        number, after = _number(data, begin)
        sizes[whole] += stop - after + width(number - 1 + shift - ends[whole])
        ends[whole] = last[t] + shift


@Kernel
def join(
    data: Bytes,
    data_from: Ints,
    last: Ints,
    term: Codes,
    shift: int,
    ends: Ints,
    cursor: Ints,
    out: Bytes,
) -> None:
    """Copy one more part's positions of terms behind those before it.

    `joined_sizes` has counted the bytes of these terms, in the same way, to make room in `out` and for
    `cursor`.
    """
    for t in range(len(term)):
        begin, stop = data_from[t], data_from[t + 1]
        if begin == stop:
            continue
        whole = term[t]
        number, after = _number(data, begin)
        at = put(out, cursor[whole], number - 1 + shift - ends[whole])
        for k in range(after, stop):
            out[at] = data[k]
            at += 1
        cursor[whole] = at
        ends[whole] = last[t] + shift


@LoopStep
def _number(data: Bytes, at: int) -> tuple[int, int]:
    """Return the number at a byte, and where the next one is."""
    number = int64(0)
    shift = 0
    while data[at] < 128:
        number |= int64(data[at]) << shift
        shift += 7
        at += 1
    return number | (int64(data[at] & 127) << shift), at + 1
