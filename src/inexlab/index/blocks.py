"""Arrays of an index in blocks, each with a checksum that is compared when the block is first needed.

A query needs a small part of an index, and should not have to read all of it to be sure of its answer. What
was compared once is not compared again by this process.
"""

from __future__ import annotations

import zlib
from array import array
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from inexlab.progress import BYTES, report
from inexlab.tables import Ints, distinct

if TYPE_CHECKING:
    from typing_extensions import Buffer

BLOCK = 1 << 16  # bytes
_STRETCH = 1 << 26  # bytes compared between two reports

Array = npt.NDArray[Any]


class Checksums:
    """The CRC-32 of every block of what is written, piece by piece."""

    def __init__(self) -> None:
        self._complete = array("Q")
        self._last, self._size = 0, 0  # checksum and bytes of the block that is not complete

    @classmethod
    def resumed(cls, made: npt.NDArray[np.uint32], size: int) -> Checksums:
        """Go on behind `size` bytes, which have these checksums."""
        resumed = cls()
        complete = size // BLOCK
        resumed._complete.extend(made[:complete].tolist())
        if size % BLOCK:
            resumed._last, resumed._size = int(made[complete]), size % BLOCK
        return resumed

    def add(self, data: Buffer) -> None:
        """Take in some more bytes."""
        rest = memoryview(data).cast("B")
        while len(rest):
            piece = rest[: BLOCK - self._size]
            rest = rest[len(piece) :]
            self._last, self._size = zlib.crc32(piece, self._last), self._size + len(piece)
            if self._size == BLOCK:
                self._complete.append(self._last)
                self._last, self._size = 0, 0

    def all(self) -> npt.NDArray[np.uint32]:
        """Return the checksums of all blocks so far, the last one as it is."""
        last = [self._last] if self._size else []
        return np.array([*self._complete, *last], dtype=np.uint32)


class DamagedError(Exception):
    """A block that does not match its checksum."""


class Blocks:
    """An array, and what is known of its blocks."""

    def __init__(self, values: Array, checksums: npt.NDArray[np.uint32]) -> None:
        """There is one checksum to a block of `values`."""
        self.values = values
        self._bytes = values.view(np.uint8)
        self._size = values.itemsize
        self._checksums: list[int] = checksums.tolist()
        self._sound = bytearray(len(self._checksums))
        self._unknown = len(self._checksums)

    def need(self, first: int, last: int) -> None:
        """Compare the blocks of numbers from `first` to before `last`; raises DamagedError."""
        if self._unknown and last > first:
            for block in range(first * self._size // BLOCK, (last * self._size - 1) // BLOCK + 1):
                if not self._sound[block]:
                    self._compare(block)

    def need_each(self, numbers: Ints) -> None:
        """Compare the blocks of some numbers."""
        if self._unknown and len(numbers):
            for block in distinct(numbers * self._size // BLOCK).tolist():
                if not self._sound[block]:
                    self._compare(block)

    def all(self, before: int = 0, of: int = 0) -> Array:
        """Compare all blocks, and return the array.

        It is reported as the whole of what is compared, or as `of` so many bytes after some `before`.
        """
        if self._unknown:
            step = _STRETCH // self._size
            for first in range(0, len(self.values), step):
                last = min(first + step, len(self.values))
                self.need(first, last)
                if of or step < len(self.values):  # what is quick need not be told
                    report("checking files", before + last * self._size, of or len(self._bytes), BYTES)
        return self.values

    def _compare(self, block: int) -> None:
        if zlib.crc32(self._bytes[block * BLOCK : (block + 1) * BLOCK].data) != self._checksums[block]:
            raise DamagedError
        self._sound[block] = 1
        self._unknown = self._sound.count(0)
