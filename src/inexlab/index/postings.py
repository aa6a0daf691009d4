"""Positions of terms as bytes: differences from one position to the next, seven bits to a byte.

A term's first position is a difference from -1. The last byte of a number has its highest bit set.
"""

from __future__ import annotations

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.index.scan import Bytes
from inexlab.tables import Codes, Ints


@Kernel
def encode(term: Codes, base: int, counts: Ints, out: Bytes, out_from: Ints, last: Ints) -> int:
    """Encode the positions of every term in a stretch of the axis, which begins at `base`.

    `term` is the term at each position, `counts` how often each occurs. `out_from` receives where each
    term's bytes begin, `last` its last position; returns the number of bytes. `out` needs room for 10 bytes
    a position.
    """
    terms = len(counts)
    places = np.empty(terms + 1, dtype=np.int64)
    total = 0
    for t in range(terms):
        places[t] = total
        total += counts[t]
    places[terms] = total
    ordered = np.empty(total, dtype=np.int64)
    cursor = places[:-1].copy()
    for p in range(len(term)):
        t = term[p]
        ordered[cursor[t]] = p
        cursor[t] += 1
    at = 0
    for t in range(terms):
        out_from[t] = at
        previous = -1
        for k in range(places[t], places[t + 1]):
            position = base + ordered[k]
            at = put(out, at, position - previous)
            previous = position
        last[t] = previous
    out_from[terms] = at
    return at


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
def decode(data: Bytes, first: int, last: int, out: Ints) -> int:
    """Write the positions between two bytes to `out`; return how many there are."""
    count = 0
    position = -1
    number = 0
    shift = 0
    for k in range(first, last):
        b = np.int64(data[k])
        if b >= 128:
            position += number | ((b & 127) << shift)
            out[count] = position
            count += 1
            number = 0
            shift = 0
        else:
            number |= b << shift
            shift += 7
    return count


@Kernel
def joined_sizes(
    data: Bytes, data_from: Ints, last: Ints, remap: Codes, shift: int, ends: Ints, sizes: Ints
) -> None:
    """Add to `sizes` what one more segment's postings take after those before it, which end at `ends`.

    `remap` is the term that each of the segment's terms is in the whole; its axis is moved by `shift`.
    """
    for t in range(len(remap)):
        begin, stop = data_from[t], data_from[t + 1]
        if begin == stop:
            continue
        whole = remap[t]
        number, after = _first(data, begin)
        sizes[whole] += stop - after + _width(number - 1 + shift - ends[whole])
        ends[whole] = last[t] + shift


@Kernel
def join(
    data: Bytes,
    data_from: Ints,
    last: Ints,
    remap: Codes,
    shift: int,
    ends: Ints,
    cursor: Ints,
    out: Bytes,
) -> None:
    """Copy one more segment's postings behind those before it."""
    for t in range(len(remap)):
        begin, stop = data_from[t], data_from[t + 1]
        if begin == stop:
            continue
        whole = remap[t]
        number, after = _first(data, begin)
        at = put(out, cursor[whole], number - 1 + shift - ends[whole])
        for k in range(after, stop):
            out[at] = data[k]
            at += 1
        cursor[whole] = at
        ends[whole] = last[t] + shift


@Kernel
def _first(data: Bytes, at: int) -> tuple[int, int]:
    number = 0
    shift = 0
    while data[at] < 128:
        number |= np.int64(data[at]) << shift
        shift += 7
        at += 1
    return number | (np.int64(data[at] & 127) << shift), at + 1


@Kernel
def _width(number: int) -> int:
    width = 1
    while number >= 128:
        number >>= 7
        width += 1
    return width
