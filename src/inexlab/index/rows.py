"""What is where in the text of a document, as bits: one to a byte, 64 to a number.

Places of elements are counted in characters, and a text is read in bytes. The rows of a text have both: they
say which byte a character begins at, and how many characters there are before a byte. They also have the
bytes at which a sentence may begin or end, so that whoever looks for sentences need not look at the others.
"""

from __future__ import annotations

import numpy as np

from inexlab.accelerate import Kernel, LoopStep
from inexlab.index.bits import Words
from inexlab.index.characters import int64
from inexlab.instructions import Ranges, bytes_among, count_bits, lowest_bit
from inexlab.tables import Bytes, Codes, Ints

BLOCK = 64  # bytes; a text is read up to so many bytes behind its end

# Bytes that may begin a character which ends a sentence, or a white space or digit beyond ASCII. All other
# characters are letters, or of no account; a space is looked at when something behind it is.
_ASCII: Ranges = ((0, 31), (33, 33), (46, 46), (63, 63))  # control characters, ! . ?
_BEYOND: Ranges = (
    *((0xC2, 0xC2), (0xD6, 0xD6), (0xD8, 0xD9), (0xDB, 0xDC), (0xDF, 0xE3), (0xEA, 0xEA), (0xEF, 0xEF)),
)
_ANY: Ranges = ((128, 255),)
_STOP: Ranges = ((46, 46),)
_BEHIND_STOP: Ranges = ((44, 44), (48, 57), (65, 90), (97, 122))  # , 0-9 A-Z a-z: no sentence ends between
_CONTINUED: Ranges = ((128, 191),)

# Rows of a text: bytes that go on with a character; how many of these there are before each block; borders
# of blocks of text, and its end; bytes that matter to sentences, all borders among them.
Rows = tuple[Words, Codes, Words, Words]


@Kernel
def make_rows(size: int) -> Rows:
    """Return room for the rows of a text of a size, or of a shorter one."""
    blocks = size // BLOCK + 1
    return (
        np.empty(blocks, dtype=np.uint64),
        np.empty(blocks, dtype=np.int32),
        np.empty(blocks, dtype=np.uint64),
        np.empty(blocks, dtype=np.uint64),
    )


@LoopStep
def room_for_marks(characters: int) -> int:
    """Return how many numbers have a bit for every character of a text, its end, and a block behind."""
    return (characters >> 6) + 2


@LoopStep
def mark(marks: Words, character: int) -> None:
    """Set the bit of a character, which may be the end of a text: `room_for_marks` has made room for it."""
    place = np.uint64(character)
    marks[place >> np.uint64(6)] |= np.uint64(1) << (place & np.uint64(63))


@LoopStep
def is_marked(row: Words, place: int) -> bool:
    """Whether the bit of a place is set."""
    bits = row[np.uint64(place) >> np.uint64(6)] >> (np.uint64(place) & np.uint64(63))
    return bool(bits & np.uint64(1))


@LoopStep
def look_at(text: Bytes, begin: int, size: int, marks: Words, skips: Ints, rows: Rows) -> None:
    """Fill the rows of the text of `size` bytes that begins at a byte.

    The characters at `marks` are borders; those at `skips` matter, too. The rows have a place for every block
    that the text begins or ends in, or more, and behind the text there are as many bytes as a block has.
    """
    continued, before, borders, events = rows
    one, last = np.uint64(1), np.uint64(63)
    behind = 0  # bytes so far that go on with a character
    skip = 0
    for block in range(size // BLOCK + 1):
        at = np.uint64(begin + BLOCK * block)
        some = bytes_among(text, at, _ASCII)
        stops = bytes_among(text, at, _STOP)
        if stops:  # those in numbers and names do not matter
            some ^= stops & (bytes_among(text, at, _BEHIND_STOP) >> one)
        on = np.uint64(0)
        if bytes_among(text, at, _ANY):
            on = bytes_among(text, at, _CONTINUED)
            some |= bytes_among(text, at, _BEYOND)
        character = BLOCK * block - behind  # the first one that begins in the block
        word, shift = np.uint64(character >> 6), np.uint64(character & 63)
        marked = (marks[word] >> shift) | ((marks[word + one] << one) << (last - shift))
        begins = count_bits(~on)
        while skip < len(skips) and skips[skip] < character + int64(begins):
            some |= _spread(one << np.uint64(skips[skip] - character), on)
            skip += 1
        if marked:
            marked = _spread(marked, on)
        if block == size // BLOCK:  # nothing behind the end, which itself is a border
            end = one << np.uint64(size & 63)
            marked = (marked & (end - one)) | end
            some &= end - one
        continued[block], before[block] = on, behind
        borders[block], events[block] = marked, some | marked
        behind += int64(count_bits(on))


@LoopStep
def _spread(characters: np.uint64, continued: np.uint64) -> np.uint64:
    """Return bits of characters as bits of bytes, of which some go on with a character."""
    one = np.uint64(1)
    while continued:
        below = (one << lowest_bit(continued)) - one
        characters = (characters & below) | ((characters & ~below) << one)
        continued &= continued - one
    return characters


@LoopStep
def character_at(rows: Rows, place: int) -> int:
    """Return how many characters of a text begin before one of its bytes."""
    continued, before, _, _ = rows
    block, bit = np.uint64(place) >> np.uint64(6), np.uint64(place) & np.uint64(63)
    here = count_bits(continued[block] & ((np.uint64(1) << bit) - np.uint64(1)))
    return place - int64(before[block]) - int64(here)
