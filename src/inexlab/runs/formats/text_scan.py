"""The compiled reader of text runs: one pass over the bytes, straight into the columns of a run.

It reads what well-made files hold and nothing else: full lines, one space or tab between columns, plain
numbers. Where it meets anything odd it stops; the caller tidies the file and tries again, or takes the plain
reader, which explains. It makes few tables but its result: fresh memory costs as much as the reading itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.instructions import Ranges, bytes_among, lowest_bit
from inexlab.tables import SECRET, Bytes, Codes, Floats, Hashes, Ints, hash_of, same_bytes, table_size

_TAB, _NEWLINE, _SPACE, _HASH = (ord(character) for character in "\t\n #")
_MINUS, _POINT, _SLASH, _ZERO, _ONE, _NINE, _X = (ord(character) for character in "-./019X")
_ODD = -2  # no whole number; -1 is "not located"
_SEPARATORS: Ranges = ((0, _SPACE),)


class Column(NamedTuple):
    """A column of names: each row's code (-1: none), and where the distinct names begin and end."""

    codes: Codes
    begin: Ints
    end: Ints
    hashes: Hashes


class TextScan(NamedTuple):
    """A scanned run; a score that needs more care to read is NaN, and stands at `score_at`."""

    topic: Column
    doc: Column
    path: Column
    score: Floats
    score_at: Ints
    start: Ints
    end: Ints


def scan(data: Bytes, width: int, tag: Bytes) -> TextScan | None:
    """Read rows of `width` columns, all with the run id `tag`; None if a row is not plainly that."""
    lines = np.count_nonzero(data == _NEWLINE)
    tail = np.full(64, _X, dtype=np.uint8)  # the bytes that fill no block of 64, and none that separates
    tail[: len(data) % 64] = data[len(data) - len(data) % 64 :]
    separators = np.empty(lines * width, dtype=np.int64)
    found = _find_separators.compiled(data, tail, separators)
    if not lines or found != len(separators) or separators[-1] != len(data) - 1:
        return None
    understood, score, score_at, start, end = _scan_numbers.compiled(data, separators, width, tag)
    if not understood:
        return None
    slots = table_size(len(score))
    topic, doc = (scan_names.compiled(data, separators, width, column, slots, SECRET) for column in (0, 2))
    path = scan_names.compiled(data, separators, width, 6, slots if width == 7 else 0, SECRET)
    return TextScan(Column(*topic), Column(*doc), Column(*path), score, score_at, start, end)


@Kernel
def _find_separators(data: Bytes, tail: Bytes, separators: Ints) -> int:
    """Write down where columns end, and return how many do; one more than there is room for if it is short.

    Nothing is written beyond the room, which is looked at before. Whole blocks are read from the data, the
    bytes behind them from `tail`, which is one block.
    """
    one, block = np.uint64(1), np.uint64(64)
    blocks = np.uint64(len(data)) // block
    found = 0
    for number in range(blocks + one):
        at = number * block
        if number < blocks:
            bits = bytes_among(data, at, _SEPARATORS)
        else:
            bits = bytes_among(tail, np.uint64(0), _SEPARATORS)
        while bits:
            if found == len(separators):
                return found + 1
            separators[found] = at + lowest_bit(bits)
            found += 1
            bits &= bits - one
    return found


@Kernel
def _scan_numbers(
    data: Bytes, separators: Ints, width: int, tag: Bytes
) -> tuple[bool, Floats, Ints, Ints, Ints]:
    """Check the layout of every row, and read its score and span.

    There is a place for every row, and a row has at least six separators, the last of which ends the data.
    What is behind a separator is only looked at in a row that goes on.
    """
    rows = len(separators) // width
    score = np.empty(rows, dtype=np.float64)
    score_at = np.empty(rows, dtype=np.int64)
    start = np.empty(rows, dtype=np.int64)
    end = np.empty(rows, dtype=np.int64)
    understood = True
    before = -1
    for row in range(rows):
        first = row * width
        understood = understood and data[before + 1] != _HASH
        for column in range(first, first + width):
            separator = data[separators[column]]
            right = separator == _NEWLINE if column == first + width - 1 else separator in (_SPACE, _TAB)
            understood = understood and right and separators[column] > before + 1
            before = separators[column]
        understood = understood and same_bytes(
            data, separators[first + 4] + 1, separators[first + 5], tag, 0, len(tag)
        )
        if not understood:
            break
        score_at[row] = separators[first + 3] + 1
        score[row] = decimal(data, score_at[row], separators[first + 4])
        start[row] = end[row] = -1
        place = separators[first + 5] + 1
        if width > 6 and not (width == 7 and data[place] == _SLASH):
            offset = whole_number(data, place, separators[first + 6])
            length = whole_number(data, separators[first + 6] + 1, separators[first + 7]) if width == 8 else 0
            understood = offset != _ODD and (offset == -1 or length >= 0)
            if offset >= 0:
                start[row], end[row] = offset, offset + length
    return understood, score, score_at, start, end


@Kernel
def scan_names(
    data: Bytes, separators: Ints, width: int, column: int, slots: int, secret: Hashes
) -> tuple[Codes, Ints, Ints, Hashes]:
    """Number the distinct names of a column (of column 6, the paths); without slots there are none.

    There is a place for every row, as if all names were different, and `table_size` leaves at least half of
    the slots free, so a search ends.
    """
    rows = len(separators) // width
    codes = np.full(rows, -1, dtype=np.int32)
    most = rows if slots else 0
    begins = np.empty(most, dtype=np.int64)
    ends = np.empty(most, dtype=np.int64)
    hashes = np.empty(most, dtype=np.uint64)
    table = np.zeros(slots, dtype=np.int32)  # 1 + code of the name, 0 where free
    distinct, known = 0, -1
    for row in range(most):
        here = row * width + column
        begin = separators[here - 1] + 1 if here else 0
        end = separators[here]
        if column == 6 and data[begin] != _SLASH:
            continue
        if known < 0 or not same_bytes(data, begin, end, data, begins[known], ends[known]):
            key = hash_of(data, begin, end, secret)
            slot = np.int64(key & np.uint64(slots - 1))
            known = table[slot] - 1
            while known >= 0 and not (
                hashes[known] == key and same_bytes(data, begin, end, data, begins[known], ends[known])
            ):
                slot = (slot + 1) & (slots - 1)
                known = table[slot] - 1
            if known < 0:
                known = distinct
                distinct += 1
                table[slot] = distinct
                begins[known], ends[known], hashes[known] = begin, end, key
        codes[row] = known
    return codes, begins[:distinct], ends[:distinct], hashes[:distinct]


@Kernel
def whole_number(data: Bytes, begin: int, end: int) -> int:
    """Read an offset or a length: -1 for `X` and `-1`, which mean "not located", _ODD for anything else."""
    if end - begin == 1 and data[begin] == _X:
        return -1
    if end - begin == 2 and data[begin] == _MINUS and data[begin + 1] == _ONE:
        return -1
    if end - begin > 15:
        return _ODD
    value = np.int64(0)
    for position in range(begin, end):
        if data[position] < _ZERO or data[position] > _NINE:
            return _ODD
        value = value * 10 + (np.int64(data[position]) - _ZERO)
    return int(value)


@Kernel
def decimal(data: Bytes, begin: int, end: int) -> float:
    """Read a plain decimal number; NaN for one that needs more care (an exponent, many digits, no number).

    Up to 15 digits both the digits and the power of ten are exact, so one division rounds correctly.
    """
    position = begin
    negative = data[position] == _MINUS
    if negative:
        position += 1
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
