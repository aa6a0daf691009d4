"""Where something is in a document, as bits: one to a byte, 64 to a number.

What a byte can be is found out for a whole document at once, in loops that a compiler turns into vector
instructions; a scan then jumps from one place that matters to the next, and not from byte to byte. Behind the
document there are zero bytes, which end everything.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.index.characters import int64
from inexlab.instructions import Ranges, bytes_among, lowest_bit
from inexlab.tables import Bytes

Words = npt.NDArray[np.uint64]

# Rows of bits: parts of words, ends of plain text, of names, and of what an attribute's value may hold. All
# ASCII; what else there is ends everything, to be looked at.
WORD, NO_TEXT, NO_NAME, NO_VALUE = range(4)

_WORD: Ranges = ((48, 57), (65, 90), (97, 122))  # 0-9 A-Z a-z
_NAME: Ranges = (*_WORD, (45, 46), (58, 58), (95, 95))  # - . : _
_OTHER: Ranges = ((0, 8), (11, 31), (38, 38), (60, 60), (128, 255))  # control characters, & <, beyond ASCII
_NO_TEXT: Ranges = (*_OTHER, (93, 93))  # ]
_NO_VALUE: Ranges = (*_OTHER, (34, 34), (39, 39))  # " '


def rooms(size: int) -> tuple[Bytes, Words]:
    """Return room for a document of a size with zeros behind it, and for rows of bits."""
    blocks = size // 64 + 2
    return np.zeros(64 * blocks, dtype=np.uint8), np.empty((4, blocks), dtype=np.uint64)


@Kernel
def classify(data: Bytes, in_word: Words, no_text: Words, no_name: Words, no_value: Words) -> None:
    """Say what the bytes are, 64 at a time; all rows are as long as the first, and data 64 times that."""
    for block in range(np.uint64(len(in_word))):
        at = block << np.uint64(6)
        in_word[block] = bytes_among(data, at, _WORD)
        no_text[block] = bytes_among(data, at, _NO_TEXT)
        no_name[block] = ~bytes_among(data, at, _NAME)
        no_value[block] = bytes_among(data, at, _NO_VALUE)


@Kernel
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
