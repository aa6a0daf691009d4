"""Stretches of the axis on disk, one behind the other in one file, until all of them are joined."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from inexlab.index.blocks import Array
from inexlab.index.joining import SortedTexts, Stretch

_NAME = "stretches.bin"
_ALIGNED = 8  # bytes


class _Stored(NamedTuple):
    offset: int
    dtype: str
    length: int


@dataclass
class Spool:
    """The stretches that were written to a folder; where they are may be sent to another process."""

    folder: Path
    stored: list[tuple[list[_Stored], int]] = field(default_factory=list)
    size: int = 0

    def __len__(self) -> int:
        return len(self.stored)

    def add(self, stretch: Stretch) -> None:
        """Write one more."""
        entries: list[_Stored] = []
        with (self.folder / _NAME).open("ab") as file:
            for array in _arrays(stretch):
                entries.append(_Stored(self.size, array.dtype.str, len(array)))
                rest = -array.nbytes % _ALIGNED
                file.write(np.ascontiguousarray(array).data)
                file.write(bytes(rest))
                self.size += array.nbytes + rest
        self.stored.append((entries, stretch.shift))

    def load(self, shift: int = 0) -> list[Stretch]:
        """Map all into memory, moved on the axis."""
        if not self.stored:
            return []
        data = np.memmap(self.folder / _NAME, dtype=np.uint8, mode="r", shape=(self.size,))
        whole = np.asarray(data)
        return [_stretch([_mapped(whole, e) for e in entries], at + shift) for entries, at in self.stored]

    def remove(self) -> None:
        """Delete the file."""
        (self.folder / _NAME).unlink(missing_ok=True)


def _mapped(whole: Array, stored: _Stored) -> Array:
    dtype = np.dtype(stored.dtype)
    return whole[stored.offset : stored.offset + dtype.itemsize * stored.length].view(dtype)


def _arrays(stretch: Stretch) -> list[Array]:
    terms, frequency, units, data, data_from, last, keys, key_from, key_terms, _ = stretch
    return [*terms, frequency, units, data, data_from, last, *keys, key_from, key_terms]


def _stretch(arrays: list[Array], shift: int) -> Stretch:
    words, words_from, frequency, units, data, data_from, last, keys, keys_from, key_from, key_terms = arrays
    return Stretch(
        SortedTexts(words, words_from),
        frequency,
        units,
        data,
        data_from,
        last,
        SortedTexts(keys, keys_from),
        key_from,
        key_terms,
        shift,
    )
