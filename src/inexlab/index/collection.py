"""An index as a collection: it keeps the text and the elements of its documents, so it can stand for them.

This room plugs itself into that of collections, through the entry point that any other package would use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from inexlab.collection.document import Document, Elements
from inexlab.collection.store import Collection, collection_kinds
from inexlab.index.index import Index
from inexlab.index.store import MANIFEST


class IndexedDocuments(Collection):
    """The documents of an index, by id."""

    def __init__(self, index: Index) -> None:
        super().__init__(str(index.folder), {})
        self._index = index

    def __len__(self) -> int:
        return len(self._index.documents)

    def __iter__(self) -> Iterator[str]:
        return iter(self._index.documents)

    def __contains__(self, id: object) -> bool:
        return id in self._index.document_numbers

    def __getitem__(self, id: str) -> Document:
        number = self._index.document_numbers[id]
        first, last = (int(e) for e in self._index.document_elements[number : number + 2])
        columns = {name: column[first:last].astype(np.int64) for name, column in self._index.columns.items()}
        parent = np.where(columns["parent"] > 0, np.arange(last - first) - columns["parent"], -1)
        siblings: Counter[tuple[int, int]] = Counter()
        nth = []
        for key in zip(parent.tolist(), columns["tag"].tolist(), strict=True):
            siblings[key] += 1
            nth.append(siblings[key])
        elements = Elements(
            tuple(self._index.tags),
            columns["tag"].astype(np.int32),
            parent.astype(np.int32),
            np.array(nth, dtype=np.int32),
            columns["start"],
            columns["start"] + columns["length"],
        )
        return Document(id, self._index.text(number), elements)


def open_indexed(folder: Path) -> Collection | None:
    """Open an index as a collection; None where the folder is none."""
    return IndexedDocuments(Index(folder)) if (folder / MANIFEST).exists() else None


collection_kinds.add("index", open_indexed)
