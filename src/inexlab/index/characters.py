"""Characters as bytes: reading and writing UTF-8, references and names, in loops that are compiled.

All that is read is checked: bytes that are not UTF-8, characters that XML does not allow, references to what
is not predefined. A code point of -1 says so.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from inexlab.accelerate import LoopStep
from inexlab.instructions import copy_row
from inexlab.tables import Bytes

# a number of 64 bits in a compiled loop, whatever it comes from; to a type checker an integer like others
int64 = cast(Callable[[Any], int], np.int64)

# what a byte is to mark-up: the first character of a name, or a further one
BEGINS_NAME, IN_NAME = 1, 2


@functools.cache
def byte_classes() -> Bytes:
    """Return what each byte is to mark-up."""
    classes = np.zeros(256, dtype=np.uint8)
    for b in range(128):
        character = chr(b)
        if character.isalpha() or character in "_:":
            classes[b] |= BEGINS_NAME
        if character.isalnum() or character in "_:-.":
            classes[b] |= IN_NAME
    return classes


@LoopStep
def read_character(data: Bytes, i: int) -> tuple[int, int]:
    """Return the character beyond ASCII at a byte, -1 where it is none that XML allows, and what is next."""
    n = len(data)
    b = int64(data[i])
    if b < 0xE0:
        if b < 0xC2 or i + 1 >= n or data[i + 1] & 0xC0 != 0x80:
            return -1, i
        return ((b & 31) << 6) | int64(data[i + 1] & 63), i + 2
    if i + 2 >= n or data[i + 1] & 0xC0 != 0x80 or data[i + 2] & 0xC0 != 0x80:
        return -1, i
    middle = (int64(data[i + 1] & 63) << 6) | int64(data[i + 2] & 63)
    if b < 0xF0:
        point = ((b & 15) << 12) | middle
        if point < 0x800 or (point >= 0xD800 and point < 0xE000) or point >= 0xFFFE:
            return -1, i
        return point, i + 3
    if b > 0xF4 or i + 3 >= n or data[i + 3] & 0xC0 != 0x80:
        return -1, i
    point = ((b & 7) << 18) | (middle << 6) | int64(data[i + 3] & 63)
    if point < 0x10000 or point > 0x10FFFF:
        return -1, i
    return point, i + 4


@LoopStep
def after_character(data: Bytes, j: int) -> int:
    """Return what is next after a character that XML allows, -1 where it does not.

    A carriage return counts as not allowed: it is left to expat, which makes a line feed of it.
    """
    b = data[j]
    if b < 128:
        return j + 1 if b >= 32 or b == 9 or b == 10 else -1
    point, after = read_character(data, j)
    return after if point >= 0 else -1


@LoopStep
def write_character(buffer: Bytes, at: int, point: int) -> int:
    """Append a code point in UTF-8; return where the next one goes. There must be room for four bytes."""
    if point < 128:
        buffer[at] = point
        return at + 1
    if point < 0x800:
        buffer[at] = 192 | (point >> 6)
        buffer[at + 1] = 128 | (point & 63)
        return at + 2
    if point < 0x10000:
        buffer[at] = 224 | (point >> 12)
        buffer[at + 1] = 128 | ((point >> 6) & 63)
        buffer[at + 2] = 128 | (point & 63)
        return at + 3
    buffer[at] = 240 | (point >> 18)
    buffer[at + 1] = 128 | ((point >> 12) & 63)
    buffer[at + 2] = 128 | ((point >> 6) & 63)
    buffer[at + 3] = 128 | (point & 63)
    return at + 4


@LoopStep
def read_reference(data: Bytes, i: int) -> tuple[int, int]:
    """Return the character that a reference stands for, -1 where nothing is sure, and what is next."""
    n = len(data)
    if i + 2 < n and data[i + 1] == 35:  # &#
        return _read_number(data, i + 2)
    if i + 3 < n and data[i + 2] == 116 and data[i + 3] == 59:
        if data[i + 1] == 108:  # &lt;
            return 60, i + 4
        if data[i + 1] == 103:  # &gt;
            return 62, i + 4
    if i + 4 < n and data[i + 1] == 97 and data[i + 2] == 109 and data[i + 3] == 112 and data[i + 4] == 59:
        return 38, i + 5  # &amp;
    if i + 5 < n and data[i + 5] == 59:
        if data[i + 1] == 113 and data[i + 2] == 117 and data[i + 3] == 111 and data[i + 4] == 116:
            return 34, i + 6  # &quot;
        if data[i + 1] == 97 and data[i + 2] == 112 and data[i + 3] == 111 and data[i + 4] == 115:
            return 39, i + 6  # &apos;
    return -1, i


@LoopStep
def _read_number(data: Bytes, j: int) -> tuple[int, int]:
    """Read the rest of `&#65;` or `&#x41;`."""
    n = len(data)
    base = 10
    if data[j] == 120:
        base = 16
        j += 1
    begin = j
    point = 0
    while j < n and data[j] != 59:
        c = int64(data[j])
        digit = 99
        if c >= 48 and c <= 57:
            digit = c - 48
        elif c >= 97 and c <= 102:
            digit = c - 87
        elif c >= 65 and c <= 70:
            digit = c - 55
        if digit >= base:
            return -1, j
        point = point * base + digit
        if point > 0x10FFFF:
            return -1, j
        j += 1
    if j >= n or j == begin:
        return -1, j
    if point < 32:
        return (point if point == 9 or point == 10 or point == 13 else -1), j + 1
    if (point >= 0xD800 and point < 0xE000) or point == 0xFFFE or point == 0xFFFF:
        return -1, j
    return point, j + 1


@LoopStep
def is_space(b: int) -> bool:
    """Whether a byte is white space between parts of mark-up (a carriage return is left to expat)."""
    return b == 32 or b == 10 or b == 9


@LoopStep
def copy_bytes(data: Bytes, begin: int, stop: int, out: Bytes, at: int) -> None:
    """Copy a stretch of bytes, eight at once, and up to seven behind them, for which both must have room.

    Stretches are short: eight loads and then eight stores become one of each, where a plain loop would spend
    its time on finding out what it may do at once. Numbers without a sign spare the check for negative ones.
    """
    i, end, j, eight = np.uint64(begin), np.uint64(stop), np.uint64(at), np.uint64(8)
    one, two, three, four = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    five, six, seven = np.uint64(5), np.uint64(6), np.uint64(7)
    while i < end:
        a, b, c, d = data[i], data[i + one], data[i + two], data[i + three]
        e, f, g, h = data[i + four], data[i + five], data[i + six], data[i + seven]
        out[j], out[j + one], out[j + two], out[j + three] = a, b, c, d
        out[j + four], out[j + five], out[j + six], out[j + seven] = e, f, g, h
        i += eight
        j += eight


@LoopStep
def copy_rows(data: Bytes, begin: int, stop: int, out: Bytes, at: int) -> None:
    """Copy a stretch of bytes, 32 at once, and up to 31 behind them, for which both must have room."""
    i, end, j, row = np.uint64(begin), np.uint64(stop), np.uint64(at), np.uint64(32)
    while i < end:
        copy_row(data, i, out, j)
        i += row
        j += row
