"""Positions of terms as bytes: differences from one position to the next, seven bits to a byte.

A term's first position is a difference from -1. The last byte of a number has its highest bit set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.index.characters import Bytes, int64
from inexlab.tables import Codes, Ints

_AT_ONCE = 1 << 24  # bytes of joined positions held in memory
_BYTES, _LAST = range(2)  # of a term while its positions are written


class Part(NamedTuple):
    """Positions of terms on a stretch of the axis, which begins at `shift`.

    Those of term t are `data[data_from[t]:data_from[t + 1]]`, the last one is `last[t]`; `term[t]` is the
    term's number in the whole.
    """

    data: Bytes
    data_from: Ints
    last: Ints
    term: Codes
    shift: int


def join_parts(parts: Sequence[Callable[[], Part]], terms: int) -> tuple[Ints, Iterable[Bytes]]:
    """Join the positions of stretches of the axis, in their order; return each term's borders, and the bytes.

    Parts are loaded one at a time, none is kept while the next one is loaded, and the bytes come in pieces:
    memory does not grow with their number.
    """
    ends, sizes = np.full(terms, -1, dtype=np.int64), np.zeros(terms, dtype=np.int64)
    for load in parts:
        joined_sizes.for_work(10 * terms)(*load(), ends, sizes)
    borders: Ints = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    return borders, _joined(parts, borders)


def _joined(parts: Sequence[Callable[[], Part]], borders: Ints) -> Iterable[Bytes]:
    first, terms = 0, len(borders) - 1
    while first < terms:
        last = int(np.searchsorted(borders, borders[first] + _AT_ONCE, side="right")) - 1
        last = min(max(last, first + 1), terms)
        out = np.empty(int(borders[last] - borders[first]), dtype=np.uint8)
        ends, cursor = np.full(terms, -1, dtype=np.int64), borders[:-1] - borders[first]
        for load in parts:
            join.for_work(10 * terms + len(out))(*load(), first, last, ends, cursor, out)
        yield out
        first = last


def invert(term: Codes, order: Ints, base: int = 0) -> tuple[Bytes, Ints, Ints]:
    """Return the positions of terms on a stretch of the axis, which begins at `base`; terms come in an order.

    `term` is the term at each position. These are the first parts of a `Part`: the bytes, their borders, and
    each term's last position.
    """
    rows = np.zeros((len(order), 2), dtype=np.int64)
    rows[:, _LAST] = -1 - base
    measure.for_work(10 * len(term))(term, rows)
    borders: Ints = np.concatenate(([0], np.cumsum(rows[order, _BYTES])))
    rows[order, _BYTES] = borders[:-1]
    last = rows[order, _LAST] + base
    rows[:, _LAST] = -1 - base
    out = np.empty(int(borders[-1]), dtype=np.uint8)
    encode.for_work(10 * len(term))(term, rows, out)
    return out, borders, last


@Kernel
def measure(term: Codes, rows: Ints) -> None:
    """Count the bytes that the positions of every term take; `rows` knows the last position before, too."""
    for p in range(len(term)):
        t = np.uint64(term[p])
        rows[t, _BYTES] += width(p - rows[t, _LAST])
        rows[t, _LAST] = p


@Kernel
def encode(term: Codes, rows: Ints, out: Bytes) -> None:
    """Write the positions of every term; `rows` says where its bytes begin, and the last position before."""
    for p in range(len(term)):
        t = np.uint64(term[p])
        rows[t, _BYTES] = put(out, rows[t, _BYTES], p - rows[t, _LAST])
        rows[t, _LAST] = p


@Kernel
def put(out: Bytes, at: int, number: int) -> int:
    """Append a number; return where the next one goes."""
    while number >= 128:
        out[at] = number & 127
        number >>= 7
        at += 1
    out[at] = number | 128
    return at + 1


@Kernel
def width(number: int) -> int:
    """Return how many bytes a number takes; a loop would end where no processor can guess."""
    bytes_ = 1 + (number >= 1 << 7) + (number >= 1 << 14) + (number >= 1 << 21) + (number >= 1 << 28)
    return bytes_ + (number >= 1 << 35) + (number >= 1 << 42) + (number >= 1 << 49) + (number >= 1 << 56)


@Kernel
def decode(data: Bytes, first: int, last: int, out: Ints) -> int:
    """Write the positions between two bytes to `out`; return how many there are."""
    count = 0
    position = int64(-1)
    number = int64(0)
    shift = 0
    for k in range(first, last):
        b = int64(data[k])
        if b >= 128:
            position += number | ((b & 127) << shift)
            out[count] = position
            count += 1
            number = int64(0)
            shift = 0
        else:
            number |= b << shift
            shift += 7
    return count


@Kernel
def last_positions(data: Bytes, data_from: Ints, last: Ints) -> None:
    """Write the last position of every term to `last`."""
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
    """Add to `sizes` what the positions of one more part take after those before it, which end at `ends`."""
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
    from_term: int,
    to_term: int,
    ends: Ints,
    cursor: Ints,
    out: Bytes,
) -> None:
    """Copy one more part's positions of some terms behind those before it."""
    for t in range(len(term)):
        begin, stop = data_from[t], data_from[t + 1]
        whole = term[t]
        if begin == stop or whole < from_term or whole >= to_term:
            continue
        number, after = _number(data, begin)
        at = put(out, cursor[whole], number - 1 + shift - ends[whole])
        for k in range(after, stop):
            out[at] = data[k]
            at += 1
        cursor[whole] = at
        ends[whole] = last[t] + shift


@Kernel
def _number(data: Bytes, at: int) -> tuple[int, int]:
    """Return the number at a byte, and where the next one is."""
    number = int64(0)
    shift = 0
    while data[at] < 128:
        number |= int64(data[at]) << shift
        shift += 7
        at += 1
    return number | (int64(data[at] & 127) << shift), at + 1
