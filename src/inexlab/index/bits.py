"""Where something is in a document, as bits: one to a byte, 64 to a number.

What a byte can be is found out for a whole document at once, in loops that a compiler turns into vector
instructions; a scan then jumps from one place that matters to the next, and not from byte to byte. Behind the
document there are zero bytes, which end everything.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel, LoopStep
from inexlab.index.analysis.character_classes import IGNORED, NOTHING, RUN, SYMBOL
from inexlab.index.characters import int64, read_character
from inexlab.instructions import Ranges, bytes_among, count_bits, lowest_bit
from inexlab.tables import Bytes

Words = npt.NDArray[np.uint64]

# Rows of bits: parts of words, ends of plain text, of names, and of what an attribute's value may hold; the
# second bytes of letters. What is not ASCII ends everything, to be looked at. But letters of two bytes are
# plain text where both are in the same block: those of nearly all languages in Latin script.
WORD, NO_TEXT, NO_NAME, NO_VALUE, SECOND = range(5)

_WORD: Ranges = ((48, 57), (65, 90), (97, 122))  # 0-9 A-Z a-z
_DIGITS: Ranges = ((48, 57),)
_POINTS: Ranges = ((44, 44), (46, 46))  # , .
_SIGNS: Ranges = ((35, 35), (43, 43))  # # +
_NAME: Ranges = (*_WORD, (45, 46), (58, 58), (95, 95))  # - . : _
_OTHER: Ranges = ((0, 8), (11, 31), (38, 38), (60, 60), (128, 255))  # control characters, & <, beyond ASCII
_NO_TEXT: Ranges = (*_OTHER, (93, 93))  # ]
_NO_VALUE: Ranges = (*_OTHER, (34, 34), (39, 39))  # " '
_BEYOND: Ranges = ((128, 255),)
_FIRST: Ranges = ((0xC3, 0xC8),)  # of U+00C0 to U+023F, which are letters but for × and ÷
_FIRST_OF_SIGNS: Ranges = ((0xC3, 0xC3),)
_SECOND: Ranges = ((0x80, 0xBF),)
_SECOND_OF_SIGNS: Ranges = ((0x97, 0x97), (0xB7, 0xB7))


def rooms(size: int) -> tuple[Bytes, Words]:
    """Return room for a document of a size with zeros behind it, and for rows of bits."""
    blocks = blocks_of(size)
    return np.zeros(64 * blocks, dtype=np.uint8), np.empty((5, blocks), dtype=np.uint64)


@LoopStep
def blocks_of(size: int) -> int:
    """Return how many blocks of 64 bytes a document of a size takes, with at least one of zeros behind it."""
    return size // 64 + 2


@Kernel
def classify(
    data: Bytes, kinds: Bytes, in_word: Words, no_text: Words, no_name: Words, no_value: Words, second: Words
) -> None:
    """Say what the bytes are, 64 at a time; all rows are as long as the first, and data 64 times that.

    A sign that belongs to adjacent letters or digits is part of a word, too: a point or comma between
    digits; and what follows a letter is looked at by itself, as are signs next to what may be ignored. Zeros
    end the data, so that there are bytes behind every sign. `kinds` says what code points are.
    """
    one, last, blocks = np.uint64(1), np.uint64(63), np.uint64(len(in_word))
    # whether the last byte of a block is a digit, or there may be a sign of a number or a word behind it
    digit_before = number_before = word_before = np.uint64(0)
    for block in range(blocks):
        at = block << np.uint64(6)
        word, digits = bytes_among(data, at, _WORD), bytes_among(data, at, _DIGITS)
        points, signs = bytes_among(data, at, _POINTS), bytes_among(data, at, _SIGNS)
        beyond = bytes_among(data, at, _BEYOND)
        in_number, before_sign = digits | beyond, word | beyond | signs
        points &= (in_number << one) | number_before
        signs &= (before_sign << one) | word_before
        if points:
            digit_behind = number_behind = np.uint64(0)  # whether the first byte of the next block is one
            if points >> last and block + one < blocks:
                first = data[at + np.uint64(64)]
                digit_behind = np.uint64(first >= 48 and first <= 57) << last
                number_behind = np.uint64(first >= 128) << last | digit_behind
            points &= (in_number >> one) | number_behind
            sure = points & ((digits << one) | digit_before) & ((digits >> one) | digit_behind)
            word |= sure
            points &= ~sure
        points |= signs
        while points:
            low = lowest_bit(points)
            if _joined(data, int64(at + low), kinds):
                word |= one << low
            points &= points - one
        digit_before, number_before, word_before = digits >> last, in_number >> last, before_sign >> last
        letters = _letters(data, at) if beyond else np.uint64(0)
        second[block] = letters << one
        letters |= letters << one
        in_word[block] = word | letters
        no_text[block] = bytes_among(data, at, _NO_TEXT) & ~letters
        no_name[block] = ~bytes_among(data, at, _NAME)
        no_value[block] = bytes_among(data, at, _NO_VALUE)


@LoopStep
def _letters(data: Bytes, at: np.uint64) -> np.uint64:
    """Return where letters of two bytes begin that are among the 64 bytes from a place on with both."""
    one = np.uint64(1)
    first = bytes_among(data, at, _FIRST) & (bytes_among(data, at, _SECOND) >> one)
    signs = bytes_among(data, at, _FIRST_OF_SIGNS) & (bytes_among(data, at, _SECOND_OF_SIGNS) >> one)
    return first & ~signs


@LoopStep
def count_between(row: Words, first: int, stop: int) -> int:
    """Return how many bits of a row are set from one place to before another, which is behind it."""
    block, last = np.uint64(first) >> np.uint64(6), np.uint64(stop - 1) >> np.uint64(6)
    every = ~np.uint64(0)
    bits = row[block] & (every << np.uint64(first & 63))
    count = np.uint64(0)
    while block < last:
        count += count_bits(bits)
        block += np.uint64(1)
        bits = row[block]
    return int64(count + count_bits(bits & (every >> np.uint64(63 - ((stop - 1) & 63)))))


@LoopStep
def _joined(data: Bytes, at: int, kinds: Bytes) -> bool:
    """Whether a sign belongs to a word with what is before and behind it, without what is ignored."""
    sign = data[at]
    before, begin = seen_before(data, at, kinds)
    behind, end = seen_behind(data, at + 1, kinds)
    if sign == 44 or sign == 46:  # a point or comma between digits
        return before >= 48 and before <= 57 and behind >= 48 and behind <= 57
    if sign == 43:
        if before == 43:  # the second of two
            before, begin = seen_before(data, begin, kinds)
        elif behind == 43:
            behind, end = seen_behind(data, end, kinds)
        else:
            return False
    if not is_letter(before) or is_letter(behind):
        return False
    if sign == 35 and behind >= 48 and behind <= 57:
        return False
    first, _ = seen_before(data, begin, kinds)  # the letter must be a word by itself
    return first < 0 or kinds[first] == NOTHING or kinds[first] == RUN or kinds[first] == SYMBOL


@LoopStep
def is_letter(point: int) -> bool:
    """Whether a character is a letter in ASCII."""
    return (point | 32) >= 97 and (point | 32) <= 122


@LoopStep
def seen_before(data: Bytes, at: int, kinds: Bytes) -> tuple[int, int]:
    """Return the last character before a place that is not ignored, and where it begins.

    A zero where there is none, and -1 for what is no character. It is found at once but behind a row of
    ignored ones, of which each is next to few signs.
    """
    while at > 0:
        k = at - 1
        point = int64(data[k])
        if point < 128:
            return point, k
        while k > 0 and at - k < 4 and data[k] & 0xC0 == 0x80:
            k -= 1
        point, _ = read_character(data, k)
        if point < 0 or kinds[point] != IGNORED:
            return point, k
        at = k
    return 0, 0


@LoopStep
def seen_behind(data: Bytes, at: int, kinds: Bytes) -> tuple[int, int]:
    """Return the first character from a place on that is not ignored, and what is next.

    Zeros end the data; -1 is for what is no character.
    """
    while data[at] >= 128:
        point, behind = read_character(data, at)
        if point < 0 or kinds[point] != IGNORED:
            return point, behind
        at = behind
    return int64(data[at]), at + 1


@LoopStep
def next_place(row: Words, at: int) -> int:
    """Return the first place from `at` on whose bit is set: there is one, the zeros behind a document."""
    block = np.uint64(at) >> np.uint64(6)
    bits = row[block] >> np.uint64(at & 63)
    if bits:
        return at + int64(lowest_bit(bits))
    block += np.uint64(1)
    while not row[block]:
        block += np.uint64(1)
    return int64((block << np.uint64(6)) + lowest_bit(row[block]))
