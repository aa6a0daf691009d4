"""Documents that were scanned, and wait for their tokens to be numbered and counted, many at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from inexlab.index.keys import padded
from inexlab.index.rows import BLOCK
from inexlab.index.scan import TEXT_BYTES, Forest
from inexlab.tables import Bytes, Codes, Ints


class Batch:
    """Documents one behind the other: a forest of elements over one row of tokens.

    `start` and `end` count characters of an element's own document; `parent`, `first` and `leaf` are numbers
    in the whole batch; `language` is the number of the language that an element, or one around it, says it is
    in. Token k is `text[borders[2 * k]:borders[2 * k + 1]]`, not yet in lower case; those of scripts without
    spaces overlap. `leaf` is the innermost element that holds its first character. The arrays have room
    behind what they hold, which `filled` says; `ends` is what it said after each document, and in the
    beginning.
    """

    def __init__(self) -> None:
        self._make_arrays(0)
        self.clear()

    def clear(self) -> None:
        """Begin again."""
        self.size = 0  # bytes that the documents had
        self.filled: Ints = np.zeros(4, dtype=np.int64)
        self.ends: list[Ints] = [self.filled]

    def __len__(self) -> int:
        return len(self.ends) - 1

    def text_of(self, document: int) -> Bytes:
        """Return the text of one of the documents."""
        return self.text[self.ends[document][TEXT_BYTES] : self.ends[document + 1][TEXT_BYTES]]

    def make_room(self, size: int) -> None:
        """Make sure that there is room for the worst that one more document of a size can hold."""
        if self.size + size > self._room:
            old: tuple[npt.NDArray[Any], ...] = self.forest
            self._make_arrays(2 * (self.size + size))
            new: tuple[npt.NDArray[Any], ...] = self.forest
            texts, _, elements, borders = self.filled.tolist()
            counts = (texts, *[elements] * 7, borders, borders // 2)
            for array, before, count in zip(new, old, counts, strict=True):
                array[:count] = before[:count]

    def complete(self, size: int, filled: Ints) -> None:
        """Take a document for scanned: the size it had, and how much there is now."""
        self.size += size
        self.filled = filled
        self.ends.append(filled)

    @property
    def forest(self) -> Forest:
        """All arrays, with the room behind what they hold."""
        elements = (self.tag, self.parent, self.start, self.end, self.first, self.tokens, self.language)
        return (self.text, *elements, self.borders, self.leaf)

    def _make_arrays(self, size: int) -> None:
        # The most that documents of `size` bytes can hold. A document that is given up half-way counts, too:
        # start tags alone, `<a><a><a>…`, are three bytes to an element. A character never takes more bytes in
        # the text than in the document, where it may be a reference. A token has two borders, and two bytes
        # of its own: its first, and one that is of no token, or the second of a letter of a script without
        # spaces, which has three. The last token may have only one. The scan writes up to eight borders
        # ahead, the elements of up to five tokens ahead, and up to 31 bytes of text, for which there is a
        # block more. The rows of a text are made of whole blocks.
        self._room = size
        elements = size // 3 + 1
        self.text: Bytes = padded(size + BLOCK)
        self.tag, self.parent, self.start, self.end, self.first, self.tokens = (
            np.empty(elements, dtype=np.int32) for _ in range(6)
        )
        self.language: npt.NDArray[np.uint16] = np.empty(elements, dtype=np.uint16)
        self.borders: Codes = np.empty(size + 1 + 8, dtype=np.int32)
        self.leaf: Codes = np.empty(size // 2 + 1 + 5, dtype=np.int32)
