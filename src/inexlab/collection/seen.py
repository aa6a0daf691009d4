"""What went by, of any number: whether a text was there before, and names that are kept on disk.

A dictionary of the names of all documents would take some hundred bytes for each. This takes some thirty.
"""

from __future__ import annotations

import tempfile
import weakref
from array import array
from collections.abc import Iterator

_FIRST = 1 << 8  # slots of a table
_IN_MEMORY = 1 << 20  # bytes of names
_PIECE = 1 << 16


class Seen:
    """Hashes of texts: those that were there before are found, and of very many texts maybe another one."""

    def __init__(self) -> None:
        self._slots, self._count = array("Q", bytes(8 * _FIRST)), 0

    def add(self, text: str) -> bool:
        """Return whether a text was there before, or seems to have been."""
        if 2 * self._count >= len(self._slots):
            self._grow()
        key = hash(text) & 0xFFFFFFFFFFFFFFFF or 1
        if self._put(key):
            self._count += 1
            return False
        return True

    def _put(self, key: int) -> bool:
        """Put a key into the table, of which half is free; return whether it was not there."""
        slots = self._slots
        mask = len(slots) - 1
        slot = key & mask
        while (there := slots[slot]) and there != key:
            slot = (slot + 1) & mask
        slots[slot] = key
        return not there

    def _grow(self) -> None:
        before = self._slots
        self._slots = array("Q", bytes(2 * 8 * len(before)))
        for key in before:
            if key:
                self._put(key)


class NamesFile:
    """Paths of documents and their names for messages, in a temporary file where there are many."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed in the end
        weakref.finalize(self, self._file.close)

    def add(self, path: str, name: str) -> None:
        """Write one more; neither has a zero in it."""
        self._file.write(f"{path}\0{name}\0".encode(errors="surrogatepass"))

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Read all from the beginning; nothing may be written in the meantime."""
        self._file.seek(0)
        rest = b""
        try:
            while piece := self._file.read(_PIECE):
                *texts, rest = (rest + piece).split(b"\0")
                if len(texts) % 2:
                    rest = texts.pop() + b"\0" + rest
                for path, name in zip(texts[::2], texts[1::2], strict=True):
                    yield path.decode(errors="surrogatepass"), name.decode(errors="surrogatepass")
        finally:
            self._file.seek(0, 2)
