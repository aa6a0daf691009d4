"""Documents as a stream: those of files, folders and archives, one after the other, in a fixed order.

The one walker over documents: it decides which files are documents, counts those that it leaves alone,
and gives every document its id. Neither content nor names are kept in memory, so that a collection may be of
any size.
Folders and zip archives come in the order of their names, tar archives as they are.

A document's id is its file name without extension. Where two documents share one, the ids of all are their
paths from the folder or archive on, without extension; documents that share even that keep their extensions.
"""

from __future__ import annotations

import fnmatch
import functools
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import NamedTuple

import numpy as np

from inexlab.collection.archives import Fetch, File, files_in_place, size_of
from inexlab.collection.entities import Declared, combined
from inexlab.collection.reader import HEAD, extension, reader_by_name, recognise, without_extension
from inexlab.collection.seen import NamesFile, Seen
from inexlab.errors import InputError
from inexlab.files import GZIP, explained
from inexlab.progress import report
from inexlab.tables import Ints

ID_RULES = ("name", "path")
NO_DOCUMENTS = "holds no documents (XML, HTML, Markdown or text)"
ENTITIES = ".ent"

# why a file is left alone
HIDDEN, EXCLUDED, NO_DOCUMENT, DECLARATIONS = "hidden", "excluded", "not a document", "entity declarations"


@dataclass(frozen=True)
class FileFilter:
    """Which files are looked at, by globs on their names, their paths or those of their folders."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def reason_against(self, path: str) -> str:
        """Return why a file is not looked at; empty if it is."""
        if any(part.startswith(".") and part not in (".", "..") for part in path.split("/")):
            return HIDDEN
        if self.include and not _matches(path, self.include):
            return EXCLUDED
        return EXCLUDED if _matches(path, self.exclude) else ""


def _matches(path: str, globs: Sequence[str]) -> bool:
    """Whether a file or a folder on the way to it matches, by its name or by its path."""
    if not globs:
        return False
    parts = path.split("/")
    names = {*parts, *("/".join(parts[:k]) for k in range(2, len(parts) + 1))}
    return any(fnmatch.fnmatchcase(name, glob.rstrip("/")) for glob in globs for name in names)


class LeftAlone(NamedTuple):
    """Files that are not documents here: their kind (an extension), and why they were left alone."""

    kind: str
    reason: str


class Documents:
    """The documents at some places: id, name for messages, and a way to get the content at once.

    `done` is how many bytes of `total` went by; `empty` are the places gone by that have no document, and
    `left_alone` counts what is none.

    Ids are final where the rule is given (`name` or `path`). Else those that come are names, and `settled`
    gives the final ones when all have gone by.
    """

    def __init__(
        self,
        places: Sequence[str | Path],
        ids: str = "",
        unpacked: Mapping[str, Path] | None = None,
        file_filter: FileFilter | None = None,
        keep_extension: frozenset[str] = frozenset(),
    ) -> None:
        """`unpacked` says where there are unpacked copies of tar archives, to be read instead.

        `keep_extension` are paths that several documents are known to share.
        """
        self._places, self.ids, self._copies = [Path(place) for place in places], ids, unpacked or {}
        self._file_filter, self.keep_extension = file_filter or FileFilter(), keep_extension
        self.done = 0
        for given, place in zip(places, self._places, strict=True):
            with explained(place):
                if not str(given) or not place.exists():
                    raise InputError("no such file or folder", file=str(given) or "''", fix="Check the name.")

    @property
    def places(self) -> Sequence[Path]:
        """The files, folders and archives."""
        return self._places

    def _forget(self) -> None:
        self.done = 0
        self.empty: list[str] = []
        self.left_alone: Counter[LeftAlone] = Counter()
        self._names = NamesFile()
        self._maybe_shared: set[str] = set()  # ids that seem to be those of several documents

    @functools.cached_property
    def total(self) -> int:
        """How many bytes there are to read."""
        bytes_ = files = 0
        for place in self._places:
            if not place.is_dir():
                bytes_ += size_of(place)
                continue
            for file in files_in_place(place, None):
                bytes_ += file.size
                files += 1
                report("listing files", files, 0, "files")
        return bytes_

    def __iter__(self) -> Iterator[tuple[str, str, Fetch]]:
        self._forget()
        names, ids = Seen(), Seen()
        for place in self._places:
            found, named = False, place.as_posix()
            before = self.done
            for file in files_in_place(place, self._copies.get(str(place))):
                self.done = before + file.read_so_far
                fetch = self._document(file, named=file.name == named)
                if fetch is None:
                    continue
                found = True
                if names.add(file.name) and any(name == file.name for _, name in self._names):
                    raise InputError("is given twice", file=file.name, fix="Give each place once.")
                id = self._id(file.path)
                if ids.add(id):
                    self._maybe_shared.add(id)
                    if self.ids and (one := self._name_of(id)):
                        raise same_id(id, one, file.name, self.ids)
                self._names.add(file.path, file.name)
                yield id, file.name, fetch
            if not found:
                self.empty.append(str(place))

    def _name_of(self, id: str) -> str:
        """Return the name of the first document that has an id; empty if there is none."""
        return next((name for path, name in self._names if self._id(path) == id), "")

    def _document(self, file: File, named: bool) -> Fetch | None:
        """Return a way to get a file's content where it is a document; count it where it is not.

        What was `named` itself is not passed over for its name.
        """
        kind = extension(file.path) or "no extension"
        reason = file.problem or ("" if named else self._file_filter.reason_against(file.path))
        if not reason and kind == ENTITIES:
            reason = DECLARATIONS
        if not reason and reader_by_name(file.path) is not None:
            return file.fetch
        if not reason:
            head, fetch = file.beginning(HEAD)
            if not head.startswith(GZIP) and recognise(file.path, head) is not None:
                return fetch
            reason = NO_DOCUMENT
        self.left_alone[LeftAlone(kind, reason)] += 1
        return None

    def _id(self, path: str) -> str:
        if self.ids != "path":
            return _characters(without_extension(path.rsplit("/", 1)[-1]))
        stem = without_extension(path)
        return _characters(path if stem in self.keep_extension else stem)

    def settle(self) -> str:
        """Decide on the rule for ids when all documents have gone by; return a note if it is not names."""
        if self.ids:
            return ""
        shared = self._shared(self._names, self._maybe_shared)
        if shared is None:
            self.ids = "name"
            return ""
        seen = Seen()
        maybe = {stem for path, _ in self._names if seen.add(stem := without_extension(path))}
        stems = Counter(stem for path, _ in self._names if (stem := without_extension(path)) in maybe)
        self.ids = "path"
        self.keep_extension = frozenset(stem for stem, count in stems.items() if count > 1)
        id, one, other = shared
        kept = f"; {len(self.keep_extension):,} of these are shared and keep their extensions"
        return (
            f"{one} and {other} are both called {id!r}: ids of documents are relative paths without extension"
            f"{kept if self.keep_extension else ''} (`ids=` decides)."
        )

    def settled(self, numbers: Ints | None = None) -> Iterator[str]:
        """Return the final ids of documents that went by; of these, counted from 0, where not of all."""
        self.settle()
        if self.ids == "name" and not self._maybe_shared:
            return (self._id(path) for path, _ in self._chosen(numbers))
        seen = Seen()
        maybe = {id for path, _ in self._chosen(numbers) if seen.add(id := self._id(path))}
        if maybe and (shared := self._shared(self._chosen(numbers), maybe)):
            raise same_id(*shared, self.ids)
        return (self._id(path) for path, _ in self._chosen(numbers))

    def _chosen(self, numbers: Ints | None) -> Iterator[tuple[str, str]]:
        """Return the paths and names of some documents."""
        if numbers is None:
            return iter(self._names)
        wanted = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=np.bool_)
        wanted[numbers] = True
        return compress(self._names, wanted)

    def _shared(
        self, names: Iterable[tuple[str, str]], maybe: AbstractSet[str]
    ) -> tuple[str, str, str] | None:
        """Return the first id that two documents have, of those that may be, and the names of both."""
        first: dict[str, str] = {}
        for path, name in names if maybe else ():
            id = self._id(path)
            if id in maybe and first.setdefault(id, name) != name:
                return id, first[id], name
        return None


def same_id(id: str, one: str, other: str, ids: str) -> InputError:
    """Return the error for two documents with one id."""
    if ids == "path":
        fix = "Give one folder that holds both, so that their paths differ, or rename one."
    else:
        fix = "Ids are file names without extension: rename one, or choose `ids=path`."
    return InputError(f"has the id {id!r}, as {one}", file=other, fix=fix)


def _characters(id: str) -> str:
    """Return an id of characters: a name may have bytes that are none."""
    return os.fsencode(id).decode(errors="replace")


def declared_among(places: Sequence[str | Path]) -> tuple[Declared, list[str]]:
    """Return what the files of entities (`.ent`) among the documents declare, and notes about them.

    One that cannot be used is left alone, and a note says why.
    """
    used: list[tuple[str, bytes]] = []
    notes: list[str] = []
    for place in map(Path, places):
        for file in files_in_place(place, None):
            if extension(file.path) == ENTITIES and not file.problem:
                try:
                    read = (file.name, file.fetch())
                    combined([*used, read])
                except InputError as error:
                    notes.append(f"its entities are not used: {error}")
                else:
                    used.append(read)
    if used:
        names = ", ".join(name for name, _ in used[:3]) + (", …" if len(used) > 3 else "")
        files = f"{len(used)} files" if len(used) > 1 else "a file"
        notes.insert(0, f"entities are declared by {files} among the documents ({names}).")
    return combined(used), notes
