"""Where documents are kept: a folder, or a zip or tar archive, of documents, or whatever else is registered.

Which files are documents, and what their ids are, is decided as for an index. Documents are parsed when
somebody asks for them, and the element tables of the last ones are kept: the runs of a campaign return the
same documents over and over.
"""

from __future__ import annotations

import functools
import tempfile
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from inexlab.collection.archives import Fetch, is_archive, packed_tar, unpack_tar
from inexlab.collection.document import Document, Elements, read_document
from inexlab.collection.documents import NO_DOCUMENTS, Documents, declared_among
from inexlab.collection.entities import Entities, entities_in_use, given_entities
from inexlab.collection.finding import NamedPlaces, nowhere, spans_in
from inexlab.errors import InputError
from inexlab.progress import report, reporting
from inexlab.registry import Registry
from inexlab.tables import Ints

_ELEMENTS_KEPT = 4_000_000  # about 100 MB of element tables


class Collection(Mapping[str, Document]):
    """The documents of a folder or archive, by id; `notes` say what was decided on opening it."""

    def __init__(
        self,
        name: str,
        files: dict[str, tuple[str, Fetch]],
        entities: Entities | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self.name, self.notes = name, list(notes)
        self._files, self._entities = files, entities or Entities()
        self._tables: OrderedDict[str, Elements] = OrderedDict()
        self._elements_kept = 0
        # archives are read at one place at a time, and tables are kept and let go
        self.lock = threading.RLock()

    def __len__(self) -> int:
        return len(self._files)

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __contains__(self, id: object) -> bool:
        return id in self._files

    def __getitem__(self, id: str) -> Document:
        """Parse and return one document."""
        name, fetch = self._files[id]
        with self.lock:
            return read_document(fetch(), id, name, entities=self._entities)

    @property
    def for_threads(self) -> bool:
        """Whether several threads may ask for documents; not where a plug-in has its own way to read them."""
        ways = (type(self).__getitem__, type(self).elements, type(self).spans)
        return all(way.__module__.partition(".")[0] == __name__.partition(".")[0] for way in ways)

    def tags(self) -> set[str]:
        """Read all documents and return their tags."""
        ids = reporting(list(self), f"reading {self.name}", "documents")
        return {tag for id in ids for tag in self[id].elements.tags}

    def elements(self, id: str) -> Elements | None:
        """Return a document's element table, or None if the collection has no such document."""
        with self.lock:
            if id in self._tables:
                self._tables.move_to_end(id)
                return self._tables[id]
            if id not in self:
                return None
            table = self[id].elements
            self._tables[id] = table
            self._elements_kept += len(table)
            while self._elements_kept > _ELEMENTS_KEPT and len(self._tables) > 1:
                self._elements_kept -= len(self._tables.popitem(last=False)[1])
            return table

    def spans(self, asked: NamedPlaces, what: str = "locating results") -> tuple[Ints, Ints]:
        """Return where places begin and end, -1 where there is no such; `what` is what is reported of it."""
        start, end = nowhere(len(asked))
        for rows in reporting(asked.by_document(), what, "documents"):
            elements = self.elements(asked.docs[int(asked.doc[rows[0]])])
            if elements is not None:
                start[rows], end[rows] = spans_in(elements, asked.part(rows))
        return start, end


# what else a collection may be: each opens it, or returns None if it is something else
collection_kinds: Registry[Callable[[Path], Collection | None]] = Registry(
    "kind of collection", "inexlab.collection.kinds", {"": (Collection, type(None))}
)


def open_collection(path: str | Path, *, ids: str = "", entities: Sequence[str | Path] = ()) -> Collection:
    """Open a folder or an archive (zip, tar, tar.gz, tar.bz2, tar.xz) of documents, or an index.

    Plug-ins are asked first: a collection may be whatever one of them opens.

    `ids` is the rule for ids of documents, `name` or `path`; without it they are names, or paths where two
    names are the same. `entities` are files that declare what documents refer to; `drop` among them leaves
    out undeclared references. Files of entities (`.ent`) among the documents are used by themselves.
    """
    known = given_entities(entities) if entities else entities_in_use()
    location, name = Path(path), str(path)
    for open_kind in collection_kinds.values():
        if (opened := open_kind(location)) is not None:
            return opened
    if not location.exists():
        raise InputError(
            "no such folder or archive", file=name, fix="Check the name given as the collection."
        )
    if not location.is_dir() and not is_archive(location):
        raise InputError(
            "is neither a folder nor a zip or tar archive", file=name, fix="Give the folder of the documents."
        )
    if not packed_tar(location):
        return _opened(location, ids, {}, known)
    # A compressed tar can only be read from its beginning, and documents are asked for in any order: it is
    # unpacked into a temporary folder that lives as long as the collection.
    folder = tempfile.TemporaryDirectory(prefix="inexlab-")
    try:
        copy = Path(folder.name) / "unpacked.tar"
        unpack_tar(location, copy)
        collection = _opened(location, ids, {str(location): copy}, known)
    except InputError:
        folder.cleanup()
        raise
    weakref.finalize(collection, folder.cleanup)
    return collection


def _opened(location: Path, ids: str, unpacked: Mapping[str, Path], known: Entities) -> Collection:
    documents = Documents([location], ids, unpacked)
    found: dict[str, Fetch] = {}
    for _, name, fetch in documents:
        found[name] = fetch
        report(f"opening {location}", len(found), 0, "documents")
    if not found:
        raise InputError(NO_DOCUMENTS, file=str(location), fix="Give the folder that has them.")
    note = documents.settle()
    by_id = zip(documents.settled(), found.items(), strict=True)
    entities = replace(known, more=functools.partial(declared_among, [location]))
    return Collection(str(location), dict(by_id), entities, [note] if note else [])
