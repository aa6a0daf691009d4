"""A chunking: all chunks that the results of a run were chosen from, as spans of their documents.

What a ranking could have returned says how good a chunking is, whoever ranks it. A run that knows its
chunking can be held against the best ranking of the same chunks.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from inexlab.tables import Codes, Interner, Ints, Names


@dataclass(frozen=True, eq=False)
class Chunking:
    """Chunks as columns, by document (a code in `docs`) and then in the order of the text."""

    name: str
    docs: Names
    doc: Codes
    start: Ints
    end: Ints

    @classmethod
    def of(cls, name: str, chunks: Iterable[tuple[str, int, int]]) -> Chunking:
        """Make a chunking of documents' ids and spans, in any order; the same chunk twice is one."""
        docs = Interner()
        rows = np.array([(docs(doc), start, end) for doc, start, end in chunks], dtype=np.int64)
        rows = np.unique(rows.reshape(-1, 3), axis=0)
        return cls(name, docs.names(), rows[:, 0].astype(np.int32), rows[:, 1].copy(), rows[:, 2].copy())

    def __len__(self) -> int:
        return len(self.doc)

    @functools.cached_property
    def rows_from(self) -> Ints:
        """Document d's chunks are `rows_from[d]` to `rows_from[d + 1]`."""
        return np.searchsorted(self.doc, np.arange(len(self.docs) + 1)).astype(np.int64)

    def rows_of(self, doc: str) -> slice:
        """Return where the chunks of a document are; nowhere, where it has none."""
        code = self.docs.codes.get(doc, -1)
        return slice(*self.rows_from[code : code + 2].tolist()) if code >= 0 else slice(0, 0)

    @functools.cached_property
    def depth(self) -> int:
        """The largest number of chunks that have a character in common: 1 where none overlap."""
        deepest = 1
        for d in range(len(self.docs)):
            part = slice(*self.rows_from[d : d + 2].tolist())
            some = self.end[part] > self.start[part]
            start, end = self.start[part][some], np.sort(self.end[part][some])
            # how many have begun, but not ended, where a chunk begins
            begun = np.arange(1, len(start) + 1) - np.searchsorted(end, start, side="right")
            deepest = max(deepest, int(begun.max(initial=1)))
        return deepest
