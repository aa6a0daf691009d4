"""Short texts as numbers: sixteen bytes in two numbers of eight, zeros behind what is shorter."""

from __future__ import annotations

import numpy as np

from inexlab.accelerate import LoopStep
from inexlab.instructions import folded_product
from inexlab.tables import Bytes, Hashes, word_at

KEY_BYTES = 16

_LOW = np.array([(1 << 8 * min(k, 8)) - 1 for k in range(KEY_BYTES + 1)], dtype=np.uint64)
_HIGH = np.array([(1 << 8 * max(k - 8, 0)) - 1 for k in range(KEY_BYTES + 1)], dtype=np.uint64)


def padded(size: int) -> Bytes:
    """Return room for bytes that may be read as keys, up to its end."""
    return np.zeros(size // 8 + 4, dtype=np.uint64).view(np.uint8)


@LoopStep
def key_at(data: Bytes, at: int | np.uint64, length: int | np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the bytes at a place, those behind `length` as zeros, those behind the sixteenth left out.

    All sixteen are read: `padded` has room for them behind the last.
    """
    place, known = np.uint64(at), min(np.uint64(length), np.uint64(KEY_BYTES))
    return word_at(data, place) & _LOW[known], word_at(data, place + np.uint64(8)) & _HIGH[known]


@LoopStep
def hash_of_key(low: np.uint64, high: np.uint64, secret: Hashes) -> np.uint64:
    """Mix the bits of a key with a secret, so that the low ones of the hash tell keys apart."""
    return folded_product(low ^ secret[0], high ^ secret[1])
