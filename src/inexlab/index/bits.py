"""Where something is in a document, as bits: one to a byte, 64 to a number.

What a byte can be is found out for a whole document at once, in loops that a compiler turns into vector
instructions; a scan then jumps from one place that matters to the next, and not from byte to byte. Behind the
document there are zero bytes, which end everything.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.index.characters import Bytes, int64

Words = npt.NDArray[np.uint64]

# Rows of bits: parts of words, ends of plain text, of names, and of what an attribute's value may hold. All
# ASCII; what else there is ends everything, to be looked at.
WORD, NO_TEXT, NO_NAME, NO_VALUE = range(4)

# where the only bit of a number is, by the six highest bits of its product with a number that has all
# sequences of six bits in it
_EVERY_SIX = 0x03F79D71B4CB0A89
_PLACES = np.zeros(64, dtype=np.int64)
for _place in range(64):
    _PLACES[((_EVERY_SIX << _place) & 0xFFFFFFFFFFFFFFFF) >> 58] = _place


def rooms(size: int) -> tuple[Bytes, Bytes, Words]:
    """Return room for a document of a size with zeros behind it, what its bytes are, and rows of bits."""
    blocks = size // 64 + 2
    return (
        np.zeros(64 * blocks, dtype=np.uint8),
        np.empty(64 * blocks, dtype=np.uint8),
        np.empty((4, blocks), dtype=np.uint64),
    )


@Kernel
def classify(data: Bytes, kinds: Bytes) -> None:
    """Say what each byte is: a bit for each of the rows."""
    for i in range(len(data)):
        b = data[i]
        letter = (b | np.uint8(32)) - np.uint8(97) < np.uint8(26)
        word = letter | (b - np.uint8(48) < np.uint8(10))
        name = word | (b - np.uint8(45) < np.uint8(2)) | (b == np.uint8(58)) | (b == np.uint8(95))
        other = (b >= np.uint8(128)) | ((b < np.uint8(32)) & (b != np.uint8(9)) & (b != np.uint8(10)))
        other |= (b == np.uint8(60)) | (b == np.uint8(38))  # < &
        quote = (b == np.uint8(34)) | (b == np.uint8(39))
        kinds[i] = (
            np.uint8(word)
            | (np.uint8(other | (b == np.uint8(93))) << np.uint8(NO_TEXT))
            | (np.uint8(not name) << np.uint8(NO_NAME))
            | (np.uint8(other | quote) << np.uint8(NO_VALUE))
        )


@Kernel
def gather(kinds: Words, in_word: Bytes, no_text: Bytes, no_name: Bytes, no_value: Bytes) -> None:
    """Bring the bits of each kind together: eight bytes are turned about their diagonal at a time."""
    for k in range(len(in_word)):
        x = kinds[k]
        t = (x ^ (x >> np.uint64(7))) & np.uint64(0x00AA00AA00AA00AA)
        x = x ^ t ^ (t << np.uint64(7))
        t = (x ^ (x >> np.uint64(14))) & np.uint64(0x0000CCCC0000CCCC)
        x = x ^ t ^ (t << np.uint64(14))
        t = (x ^ (x >> np.uint64(28))) & np.uint64(0x00000000F0F0F0F0)
        x = x ^ t ^ (t << np.uint64(28))
        in_word[k] = x & np.uint64(255)
        no_text[k] = (x >> np.uint64(8)) & np.uint64(255)
        no_name[k] = (x >> np.uint64(16)) & np.uint64(255)
        no_value[k] = (x >> np.uint64(24)) & np.uint64(255)


@Kernel
def lowest(bits: np.uint64) -> int:
    """Return the place of the lowest bit that is set, of which there is one."""
    alone = bits & (~bits + np.uint64(1))
    return int64(_PLACES[(alone * np.uint64(_EVERY_SIX)) >> np.uint64(58)])


@Kernel
def next_place(row: Words, at: int) -> int:
    """Return the first place from `at` on whose bit is set."""
    block = np.uint64(at) >> np.uint64(6)
    bits = row[block] >> np.uint64(at & 63)
    if bits:
        return at + lowest(bits)
    block += np.uint64(1)
    while not row[block]:
        block += np.uint64(1)
    return int64(block << np.uint64(6)) + lowest(row[block])
