"""The fields of results that compiled readers found in a file: names to be numbered, and plain numbers.

Eight bytes are looked at together where the data goes on so far; names and numbers are hardly ever longer.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from inexlab.accelerate import LoopStep
from inexlab.instructions import lowest_bit, prefetch
from inexlab.tables import (
    SECRET,
    Bytes,
    Codes,
    Hashes,
    Ints,
    Slots,
    hash_of,
    head_of,
    marked,
    same_bytes,
    table_size,
    word_at,
)

_MINUS, _POINT, _ZERO, _ONE, _NINE, _X = (ord(character) for character in "-.019X")
ODD = -2  # no whole number; -1 is "not located"

_EACH = 0x0101010101010101  # a number in every byte, once it is multiplied with this
_LOW_BITS, _HIGH_BIT = np.uint64(0x7F * _EACH), np.uint64(0x80 * _EACH)
_ZEROS, _POINTS = np.uint64(_ZERO * _EACH), np.uint64(_POINT * _EACH)
_ABOVE_NINE = np.uint64((0x80 - 10) * _EACH)  # what makes the high bit of all that is more than nine
_PAIRS, _FOURS, _EIGHTS = (
    np.uint64(bits) for bits in (0x000F000F000F000F, 0x0000007F0000007F, 0x0000000000003FFF)
)
_POWERS = np.array([10**k for k in range(9)], dtype=np.int64)
TOGETHER = 16  # names that are looked up together


class Column(NamedTuple):
    """A column of names: each row's code (-1: none), and where the distinct names begin and end."""

    codes: Codes
    begin: Ints
    end: Ints
    hashes: Hashes


class NameTable(NamedTuple):
    """Distinct names: where they begin and end, their hashes, and slots (`marked`, or 0) to look them up.

    `heads` are their first eight bytes, zeros behind shorter ones; no byte of a name is zero.
    """

    begin: Ints
    end: Ints
    hashes: Hashes
    heads: Hashes
    slots: Slots


def name_table(most: int) -> NameTable:
    """Return room for so many names."""
    begin, end = np.empty((2, most), dtype=np.int64)
    hashes, heads = np.empty((2, most), dtype=np.uint64)
    return NameTable(begin, end, hashes, heads, np.zeros(table_size(most), dtype=np.uint32))


def names_of(data: Bytes, borders: Ints, width: int, column: int) -> Column:
    """Return the column of all names between borders, as `number_names` finds them."""
    rows = len(borders) // width
    codes, table = np.empty(rows, dtype=np.int32), name_table(rows)
    keys = np.empty(TOGETHER, dtype=np.uint64)
    distinct = number_names.compiled(data, borders, width, column, 0, table, 0, codes, keys, SECRET)
    return numbered(codes, table, distinct)


def numbered(codes: Codes, table: NameTable, distinct: int) -> Column:
    """Return the column of names that a table has so many of."""
    return Column(codes, table.begin[:distinct], table.end[:distinct], table.hashes[:distinct])


@LoopStep
def number_names(
    data: Bytes,
    borders: Ints,
    width: int,
    column: int,
    lead: int,
    table: NameTable,
    distinct: int,
    codes: Codes,
    keys: Hashes,
    secret: Hashes,
) -> int:
    """Number the names of a column in some rows as they first appear, and return how many there are now.

    A row has `width` borders: a name begins behind that of its column, and ends at the next one. Those that
    do not begin with the byte `lead`, if there is one, get no number. So many names are looked up together as
    there is room for `keys`: their slots are there when they are needed.

    There is a place for every row, as if all names were different, and `table_size` leaves at least half of
    the slots free, so a search ends.
    """
    begins, ends, hashes, heads, slots = table
    mask, one = np.uint64(len(slots) - 1), np.uint64(1)
    rows, block = len(codes), len(keys)
    for first in range(0, rows, block):
        stop = min(first + block, rows)
        for row in range(np.uint64(first), np.uint64(stop)):
            at = row * np.uint64(width) + np.uint64(column)
            key = hash_of(data, borders[at] + 1, borders[at + one], secret)
            prefetch(slots, key & mask)
            keys[row - np.uint64(first)] = key
        for row in range(np.uint64(first), np.uint64(stop)):
            at, key = row * np.uint64(width) + np.uint64(column), keys[row - np.uint64(first)]
            known: Any = -1
            begin, end = borders[at] + 1, borders[at + one]
            if not lead or data[begin] == lead:
                head = head_of(data, begin, end)
                slot = key & mask
                entry = np.uint64(slots[slot])
                while entry:
                    known = np.int64(entry & mask) - 1
                    if (
                        entry == marked(key, known, mask)
                        and heads[np.uint64(known)] == head
                        and (
                            end - begin < 8 or same_bytes(data, begin, end, data, begins[known], ends[known])
                        )
                    ):
                        break
                    slot = (slot + one) & mask
                    entry = np.uint64(slots[slot])
                else:
                    known = distinct
                    begins[known], ends[known] = begin, end
                    hashes[known], heads[known] = key, head
                    slots[slot] = marked(key, known, mask)
                    distinct += 1
            codes[row] = known
    return distinct


@LoopStep
def whole_number(data: Bytes, begin: int, end: int) -> Any:
    """Read an offset or a length: -1 for `X` and `-1`, which mean "not located", ODD for anything else."""
    if begin < end <= begin + 8 <= len(data):
        value = _digits(word_at(data, begin), end - begin)
        if value >= 0:
            return value
    if end - begin == 1 and data[begin] == _X:
        return -1
    if end - begin == 2 and data[begin] == _MINUS and data[begin + 1] == _ONE:
        return -1
    if end - begin > 15:
        return ODD
    value = np.int64(0)
    for position in range(begin, end):
        if data[position] < _ZERO or data[position] > _NINE:
            return ODD
        value = value * 10 + (np.int64(data[position]) - _ZERO)
    return value


@LoopStep
def decimal(data: Bytes, begin: int, end: int) -> float:
    """Read a plain decimal number; NaN for one that needs more care (an exponent, many digits, no number).

    Up to 15 digits both the digits and the power of ten are exact, so one division rounds correctly.
    """
    negative = data[begin] == _MINUS
    position = begin + 1 if negative else begin
    if position < end and position + 16 <= len(data):
        word = word_at(data, position)
        other = word ^ _POINTS  # zero where there is a point, which leaves the high bit of its byte unset
        points = ~(((other & _LOW_BITS) + _LOW_BITS) | other) & _HIGH_BIT
        whole = np.int64(lowest_bit(points) >> np.uint64(3)) if points else end
        behind = end - position - whole - 1
        if 0 <= behind <= 8 and end - position > 1:  # a point, and up to 7 digits before it
            before = _digits(word, whole)
            fraction = _digits(word_at(data, position + whole + 1), behind)
            if before >= 0 and fraction >= 0:
                value = (before * _POWERS[behind] + fraction) / _POWERS[behind]
                return float(-value if negative else value)
    mantissa, digits, power, point = np.int64(0), 0, 1.0, False
    while position < end and digits < 16:
        byte = data[position]
        if _ZERO <= byte <= _NINE:
            mantissa = mantissa * 10 + (np.int64(byte) - _ZERO)
            digits += 1
            if point:
                power *= 10.0
        elif byte == _POINT and not point:
            point = True
        else:
            digits = 16
        position += 1
    if digits == 0 or digits > 15:
        return np.nan
    value = mantissa / power
    return -value if negative else value


@LoopStep
def _digits(word: Any, count: Any) -> Any:
    """Return the number that the first of eight bytes write, up to all of them; -1 if one is no digit."""
    if count == 0:
        return 0
    # digits from 0 to 9, behind as many zeros as there are other bytes
    each = (word ^ _ZEROS) << np.uint64(64 - 8 * count)
    if (((each & _LOW_BITS) + _ABOVE_NINE) | each) & _HIGH_BIT:
        return -1
    pairs = (each & _PAIRS) * np.uint64(10) + ((each >> np.uint64(8)) & _PAIRS)
    fours = (pairs & _FOURS) * np.uint64(100) + ((pairs >> np.uint64(16)) & _FOURS)
    return np.int64((fours & _EIGHTS) * np.uint64(10_000) + ((fours >> np.uint64(32)) & _EIGHTS))
