"""An index as a collection: it keeps the text and the elements of its documents, so it can stand for them.

This room plugs itself into that of collections, through the entry point that any other package would use. It
is asked about every collection, so the index itself is only loaded for what looks like one.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from inexlab.collection.document import Document, Elements
from inexlab.collection.finding import (
    ElementTable,
    NamedPlaces,
    WrongParentError,
    WrongTagError,
    is_worth_a_tree,
    nowhere,
    spans_at,
)
from inexlab.collection.store import Collection, collection_kinds
from inexlab.tables import Codes, Ints, Names, distinct

if TYPE_CHECKING:
    from inexlab.index.index import Index
    from inexlab.index.sharded import ShardedIndex


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

    def tags(self) -> set[str]:
        """Return the tags of all documents, which an index knows without reading them."""
        return set(self._index.tags)

    def __getitem__(self, id: str) -> Document:
        with self.lock:
            return self._document(id)

    @functools.cached_property
    def ids(self) -> Names:
        """The ids of all documents, to look many up at once."""
        return Names.of(self._index.documents)

    def spans(self, asked: NamedPlaces, what: str = "locating results") -> tuple[Ints, Ints]:
        """Return where places begin and end: of all documents at once, from the columns of the index."""
        index, number = self._index, asked.docs.codes_in(self.ids)[asked.doc]
        rows = np.flatnonzero(number >= 0)
        rows = rows[np.argsort(number[rows], kind="stable")]
        documents = distinct(number[rows].astype(np.int64))
        first, last = index.document_elements[documents], index.document_elements[documents + 1]
        if not is_worth_a_tree(int((last - first).sum()), len(rows)):
            return super().spans(asked, what)
        tag, back = index.columns_within(documents, "tag", "parent")
        table = ElementTable(first, last, tag, back, index.tags, index.spans)
        start, end = nowhere(len(asked))
        asked_from = np.searchsorted(number[rows], np.append(documents, len(self)))
        try:
            start[rows], end[rows] = spans_at(table, asked.paths.tree, asked_from, asked.path[rows])
        except WrongParentError:
            raise index.damaged("element-parent") from None
        except WrongTagError:
            raise index.damaged("element-tag") from None
        beyond = index.spans(first)[1][np.searchsorted(documents, number[rows])]
        if np.any(end[rows] > beyond):
            raise index.damaged("element-start", "element-length")
        return start, end

    def _document(self, id: str) -> Document:
        from inexlab.index.segment import ELEMENT_COLUMNS

        number = self._index.document_numbers[id]
        first, last = (int(e) for e in self._index.document_elements[number : number + 2])
        columns = {name: self._index.column(name, first, last).astype(np.int64) for name in ELEMENT_COLUMNS}
        text = self._index.text(number)
        _check(self._index, columns, len(text))
        parent = np.where(columns["parent"] > 0, np.arange(last - first) - columns["parent"], -1)
        elements = Elements(
            tuple(self._index.tags),
            columns["tag"].astype(np.int32),
            parent.astype(np.int32),
            _places_among_siblings(parent, columns["tag"]),
            columns["start"],
            columns["start"] + columns["length"],
        )
        return Document(id, text, elements)


def _places_among_siblings(parent: Ints, tag: Ints) -> Codes:
    """Return which of the children of its parent with its tag each element is, from 1 on.

    >>> _places_among_siblings(np.array([-1, 0, 0, 0]), np.array([0, 1, 2, 1])).tolist()
    [1, 1, 1, 2]
    """
    order = np.lexsort((tag, parent))  # which leaves those alike in their order
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (np.diff(parent[order]) != 0) | (np.diff(tag[order]) != 0)
    begins = np.flatnonzero(first)
    places = np.empty(len(order), dtype=np.int32)
    places[order] = np.arange(1, len(order) + 1) - begins[np.cumsum(first) - 1]
    return places


class ShardedDocuments(Collection):
    """The documents of an index in shards, by id."""

    def __init__(self, index: ShardedIndex) -> None:
        super().__init__(str(index.folder), {})
        self._shards = [IndexedDocuments(shard) for shard in index.shards]
        self._index = index

    def __len__(self) -> int:
        return sum(map(len, self._shards))

    def __iter__(self) -> Iterator[str]:
        for shard in self._shards:
            yield from shard

    def __contains__(self, id: object) -> bool:
        return any(id in shard for shard in self._shards)

    def tags(self) -> set[str]:
        """Return the tags of all documents."""
        return set(self._index.tags)

    def spans(self, asked: NamedPlaces, what: str = "locating results") -> tuple[Ints, Ints]:
        """Return where places begin and end: of each document in the first shard that has it."""
        start, end = nowhere(len(asked))
        left = np.arange(len(asked))
        for shard in self._shards:
            here = asked.docs.codes_in(shard.ids)[asked.doc[left]] >= 0
            start[left[here]], end[left[here]] = shard.spans(asked.part(left[here]), what)
            left = left[~here]
        return start, end

    def __getitem__(self, id: str) -> Document:
        return next((shard for shard in self._shards if id in shard), self._shards[0])[id]


def _check(index: Index, columns: dict[str, Ints], characters: int) -> None:
    """Refuse elements that cannot be: others trust that each is in its parent, and in the text."""
    parent, number = columns["parent"], np.arange(len(columns["parent"]))
    if np.any(parent > number) or not np.array_equal(parent > 0, number > 0):
        raise index.damaged("element-parent")
    if np.any(columns["tag"] >= len(index.tags)):
        raise index.damaged("element-tag")
    if np.any(columns["start"] + columns["length"] > characters):
        raise index.damaged("element-start", "element-length")


def open_indexed(folder: Path) -> Collection | None:
    """Open an index as a collection; None if the folder is none."""
    if not (folder / "manifest.json").exists():
        return None
    from inexlab.index.index import Index
    from inexlab.index.sharded import ShardedIndex, is_sharded
    from inexlab.index.store import is_index

    if is_sharded(folder):
        return ShardedDocuments(ShardedIndex(folder))
    return IndexedDocuments(Index(folder)) if is_index(folder) else None


collection_kinds.add("index", open_indexed)
