"""Documents as a stream: those of files, folders and archives, one after the other, in a fixed order.

The one walker over documents: it decides which files are documents, counts those that it leaves alone,
and gives every document its id. Nothing of the content is kept, so that a collection may be of any size.
Folders and zip archives come in the order of their names, tar archives as they are.

A document's id is its file name without extension. Where two documents share one, the ids of all are their
paths from the folder or archive on, without extension; documents that share even that keep their extensions.
"""

from __future__ import annotations

import fnmatch
import functools
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from inexlab.collection.archives import Fetch, File, files_in_place, size_of
from inexlab.collection.entities import Declared, combined
from inexlab.collection.reader import HEAD, extension, reader_by_name, recognise, without_extension
from inexlab.errors import InputError
from inexlab.files import GZIP, explained

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
        self._forget()
        for given, place in zip(places, self._places, strict=True):
            with explained(place):
                if not str(given) or not place.exists():
                    raise InputError("no such file or folder", file=str(given) or "''", fix="Check the name.")

    def _forget(self) -> None:
        self.done = 0
        self.empty: list[str] = []
        self.left_alone: Counter[LeftAlone] = Counter()
        self._paths: dict[str, str] = {}  # of each document by its name for messages

    @functools.cached_property
    def total(self) -> int:
        """How many bytes there are to read."""
        return sum(
            sum(file.size for file in files_in_place(place, None)) if place.is_dir() else size_of(place)
            for place in self._places
        )

    def __iter__(self) -> Iterator[tuple[str, str, Fetch]]:
        self._forget()
        seen: dict[str, str] = {}
        for place in self._places:
            found = False
            before = self.done
            for file in files_in_place(place, self._copies.get(str(place))):
                self.done = before + file.read_so_far
                fetch = self._document(file, named=file.name == place.as_posix())
                if fetch is None:
                    continue
                found = True
                if file.name in self._paths:
                    raise InputError("is given twice", file=file.name, fix="Give each place once.")
                self._paths[file.name] = file.path
                id = self._id(file.path)
                if self.ids and id in seen:
                    raise same_id(id, seen[id], file.name, self.ids)
                seen[id] = file.name
                yield id, file.name, fetch
            if not found:
                self.empty.append(str(place))

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
        first: dict[str, str] = {}
        shared = None
        stems: Counter[str] = Counter()
        for name, path in self._paths.items():
            id = self._id(path)
            stems[without_extension(path)] += 1
            if id in first and shared is None:
                shared = (id, first[id], name)
            first.setdefault(id, name)
        self.ids = "path" if shared else "name"
        if shared is None:
            return ""
        self.keep_extension = frozenset(stem for stem, count in stems.items() if count > 1)
        id, one, other = shared
        kept = f"; {len(self.keep_extension):,} of these are shared and keep their extensions"
        return (
            f"{one} and {other} are both called {id!r}: ids of documents are relative paths without extension"
            f"{kept if self.keep_extension else ''} (`ids=` decides)."
        )

    def settled(self, names: Sequence[str]) -> list[str]:
        """Return the final ids of documents that went by, of which these are the names for messages."""
        self.settle()
        ids = [self._id(self._paths[name]) for name in names]
        first: dict[str, str] = {}
        for id, name in zip(ids, names, strict=True):
            if id in first:
                raise same_id(id, first[id], name, self.ids)
            first[id] = name
        return ids


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
