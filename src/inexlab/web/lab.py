"""What the pages show: an open index, topics, a pool, and the record of assessments."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inexlab.collection import Document
from inexlab.index.collection import IndexedDocuments
from inexlab.index.index import Index
from inexlab.pooling import Pool, PooledDocument
from inexlab.topics import Topics

if TYPE_CHECKING:
    from inexlab.assess.store import Store

_CHARACTERS_KEPT = 20_000_000  # of the documents that were read last


class _Documents:
    """The documents of an index; those read last are kept, for all threads."""

    def __init__(self, index: Index) -> None:
        self._documents, self._kept = IndexedDocuments(index), OrderedDict[str, Document]()
        self._characters, self._lock = 0, threading.Lock()

    def get(self, id: str) -> Document | None:
        """Return a document, or None if the index has no such document."""
        with self._lock:
            if id in self._kept:
                self._kept.move_to_end(id)
                return self._kept[id]
            if id not in self._documents:
                return None
            found = self._documents[id]
            self._kept[id] = found
            self._characters += len(found.text)
            while self._characters > _CHARACTERS_KEPT and len(self._kept) > 1:
                self._characters -= len(self._kept.popitem(last=False)[1].text)
            return found


@dataclass(frozen=True)
class Lab:
    """What the pages show; without a store it is a reading room, where nobody signs in and nothing is judged.

    `secure` says that browsers come through TLS, which something in front of this server ends.
    """

    index: Index
    topics: Topics | None = None
    pool: Pool | None = None
    store: Store | None = None
    title: str = "inexlab"
    secure: bool = False
    _read: _Documents = field(init=False, repr=False)
    _pooled: dict[tuple[str, str], PooledDocument] = field(init=False, repr=False)
    _digests: dict[str, str] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_read", _Documents(self.index))
        pooled = {(d.topic, d.doc): d for d in self.pool or ()}
        object.__setattr__(self, "_pooled", pooled)

    def document(self, id: str) -> Document | None:
        """Return a document, or None if the index has no such document."""
        return self._read.get(id)

    def document_title(self, id: str) -> str:
        """Return what a document is called: its title, or its id where it has none."""
        number = self.index.document_numbers.get(id)
        return id if number is None else self.index.titles[number] or id

    def length(self, id: str) -> int | None:
        """Return how many characters a document has; None if the index has no such document."""
        number = self.index.document_numbers.get(id)
        return None if number is None else self.index.span(int(self.index.document_elements[number])).end

    def digest(self, id: str) -> str | None:
        """Return the digest of a document's text; None if the index has no such document."""
        if id not in self._digests:
            found = self.document(id)
            if found is None:
                return None
            content = found.text.encode("utf-8", "surrogatepass")
            self._digests[id] = hashlib.sha256(content).hexdigest()[:32]
        return self._digests[id]

    def pooled(self, topic: str, document: str) -> PooledDocument | None:
        """Return a document of a topic's pool, with its hints; None if it is not to be judged."""
        return self._pooled.get((topic, document))
