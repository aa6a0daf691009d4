"""Short texts as numbers: sixteen bytes in two numbers of eight, zeros behind what is shorter."""

from __future__ import annotations

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.index.bits import Words
from inexlab.instructions import folded_product
from inexlab.tables import Bytes, Hashes

KEY_BYTES = 16

_LOW = np.array([(1 << 8 * min(k, 8)) - 1 for k in range(KEY_BYTES + 1)], dtype=np.uint64)
_HIGH = np.array([(1 << 8 * max(k - 8, 0)) - 1 for k in range(KEY_BYTES + 1)], dtype=np.uint64)


def padded(size: int) -> Bytes:
    """Return room for bytes that may be read as keys, up to its end."""
    return np.zeros(size // 8 + 4, dtype=np.uint64).view(np.uint8)


@Kernel
def key_at(words: Words, at: int | np.uint64, length: int | np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the bytes at a place, those behind `length` as zeros, those behind the sixteenth left out."""
    byte, one = np.uint64(at), np.uint64(1)
    place, offset = byte >> np.uint64(3), (byte & np.uint64(7)) << np.uint64(3)
    known, rest = min(np.uint64(length), np.uint64(KEY_BYTES)), np.uint64(63) - offset
    middle = words[place + one]
    low = ((words[place] >> offset) | ((middle << one) << rest)) & _LOW[known]
    high = ((middle >> offset) | ((words[place + np.uint64(2)] << one) << rest)) & _HIGH[known]
    return low, high


@Kernel
def hash_of_key(low: np.uint64, high: np.uint64, secret: Hashes) -> np.uint64:
    """Mix the bits of a key with a secret, so that the low ones of the hash tell keys apart."""
    return folded_product(low ^ secret[0], high ^ secret[1])
