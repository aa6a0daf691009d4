"""Columns of an index for compiled loops, whatever the width of their numbers.

The numbers of a column have one, two or four bytes, as the largest asks for. A loop that takes the array
itself is compiled anew for every row of widths that its columns have. One that takes bytes, and how many
there are to a number, is compiled once.
"""

from __future__ import annotations

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.index.blocks import Array
from inexlab.index.characters import int64
from inexlab.tables import Bytes


def as_bytes(values: Array) -> Bytes:
    """Return an array of numbers without a sign as bytes, the lowest of each first, for `number_at`."""
    if values.dtype.kind != "u" or values.itemsize > np.dtype(np.uint32).itemsize:
        raise ValueError(f"{values.dtype} is not a type of columns")
    lowest_first = values.astype(values.dtype.newbyteorder("<"), copy=False).view(np.uint8)
    lowest_first.setflags(write=False)  # or loops would be compiled anew for arrays that can be written
    return lowest_first


@Kernel
def number_at(data: Bytes, width: int, k: int) -> int:
    """Return a number of a column that has one, two or four bytes to each."""
    if width == 2:
        return int64(data[2 * k]) | (int64(data[2 * k + 1]) << 8)
    if width == 1:
        return int64(data[k])
    low = int64(data[4 * k]) | (int64(data[4 * k + 1]) << 8)
    return low | (int64(data[4 * k + 2]) << 16) | (int64(data[4 * k + 3]) << 24)
