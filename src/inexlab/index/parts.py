"""The folder for parts of an index that is being built: what is planned, and what is finished."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import stat
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from copy import copy
from dataclasses import asdict
from itertools import islice, pairwise
from pathlib import Path
from typing import IO, NamedTuple

from inexlab.collection.documents import ENTITIES, Documents, LeftAlone, declared_among
from inexlab.errors import UsageError
from inexlab.index.analysis import analysis_name
from inexlab.index.build import Settings
from inexlab.index.store import VERSION, lock
from inexlab.output import make_durable
from inexlab.signals import held_signals

PLAN = "plan"
_DIGITS = 16  # of a digest, in the name of a part
# of what is in a folder of parts
_PART = rf"[0-9]+-[0-9a-f]{{{_DIGITS}}}"
_NAMES = re.compile(rf"{PLAN}|{_PART}(\.done)?|\.[0-9]+-.+|\.joined(\.names)?")
_JOINED, _JOINED_NAMES = ".joined", ".joined.names"  # an index of parts, and what these were called


class PlannedPart(NamedTuple):
    """Some documents that follow one another: from the first to before the last, counted from 0.

    `documents` is a digest of their ids and names, which whoever builds the part compares with what it finds.
    `name` is that of the part's folder.
    """

    first: int
    last: int
    documents: str
    name: str


class PartsFolder:
    """A folder for parts that is locked: of two commands that build the same, one would undo the other."""

    def __init__(self, path: Path, plan: IO[bytes]) -> None:
        self.path, self._plan = path, plan

    def place(self, part: PlannedPart) -> Path:
        """Return the place of a part."""
        return self.path / part.name

    def parts(
        self, documents: Documents, count: int, what: str, shards: int, wanted: int
    ) -> list[PlannedPart]:
        """Plan the parts of `count` documents: so many `shards`, or about as many as are wanted.

        Where their number is open, it is that of an earlier command that finished some of them. What else is
        in the folder is removed.
        """
        self.take_back()
        before = self._borders()
        planned: list[PlannedPart] = []
        if not shards and before[-1:] == [count]:
            planned = _parts(documents, before, what)
        if not any(self._is_done(part) for part in planned):
            number = max(1, min(count, shards or wanted))
            planned = _parts(documents, [count * k // number for k in range(number + 1)], what)
        _empty(self.path, {part.name for part in planned})
        self._plan.truncate(0)
        self._plan.write(json.dumps([0, *(part.last for part in planned)]).encode())
        self._plan.flush()
        return planned

    @contextlib.contextmanager
    def joining(self, names: Sequence[str]) -> Iterator[Path]:
        """Give a new folder to move parts into, as 0, 1 …; those that are there in the end are moved back.

        If this process is killed before, the next command does that: so their names are written down.
        """
        listed = self.path / _JOINED_NAMES
        listed.write_text(json.dumps(list(names)), encoding="utf-8")
        make_durable(listed, self.path)
        whole = self.path / _JOINED
        whole.mkdir()
        try:
            yield whole
        finally:
            self.take_back()

    def take_back(self) -> None:
        """Move parts back that are in an index that did not get to its place."""
        whole, listed = self.path / _JOINED, self.path / _JOINED_NAMES
        if not whole.is_dir():
            listed.unlink(missing_ok=True)
            return
        with held_signals():
            for k, name in enumerate(_part_names(listed)):
                if (whole / str(k)).is_dir() and not (self.path / name).exists():
                    (whole / str(k)).rename(self.path / name)
        shutil.rmtree(whole, ignore_errors=True)
        listed.unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove the folder: what is in it is not needed any more."""
        _remove(self.path)

    def _is_done(self, part: PlannedPart) -> bool:
        return self.place(part).with_name(f"{part.name}.done").exists()

    def _borders(self) -> list[int]:
        """Return where the parts of an earlier command begin and end; nothing if that is not known."""
        self._plan.seek(0)
        try:
            found = json.loads(self._plan.read())
        except (ValueError, RecursionError):
            return []
        numbers = isinstance(found, list) and all(type(number) is int for number in found)
        return found if numbers and found[:1] == [0] and all(a < b for a, b in pairwise(found)) else []


def _part_names(listed: Path) -> list[str]:
    """Return the names of parts that a file lists; nothing if it is damaged."""
    try:
        names = json.loads(listed.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return []
    sound = isinstance(names, list) and all(isinstance(x, str) and re.fullmatch(_PART, x) for x in names)
    return names if sound else []


@contextlib.contextmanager
def open_parts(out: Path) -> Iterator[PartsFolder]:
    """Give the folder for the parts of an index, with those that an earlier command finished.

    It is removed in the end, unless something fails when a part is finished.
    """
    folder = out.resolve().with_name(f"{out.resolve().name}.parts")
    if os.path.lexists(folder) and not _is_of_parts(folder):
        raise UsageError(f"{folder} is in the way: parts of {out} are to be written there.")
    with contextlib.ExitStack() as open_files:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            plan = open_files.enter_context((folder / PLAN).open("a+b"))
            if lock(plan) is False or not os.path.samestat(os.fstat(plan.fileno()), (folder / PLAN).stat()):
                raise UsageError(f"{out} is being written by another process; wait until it finishes.")
        except (OSError, ValueError) as error:
            raise UsageError(f"{folder} cannot be written ({error}); give another place as `out=`.") from None
        try:
            yield PartsFolder(folder, plan)
        except BaseException:
            if not any(folder.glob("*.done")):
                _remove(folder)
            raise
        _remove(folder)


def _is_of_parts(folder: Path) -> bool:
    """Whether a folder holds parts of an index and nothing else, or nothing at all."""
    try:
        names = [] if folder.is_symlink() else [entry.name for entry in folder.iterdir()]
    except OSError:
        return False
    known = all(_NAMES.fullmatch(name) for name in names)
    return not folder.is_symlink() and known and (PLAN in names or not names)


def _empty(folder: Path, but: Collection[str] = ()) -> None:
    """Remove what is in a folder of parts, but for some of these; first what says that they are done."""
    for entry in sorted(folder.iterdir(), key=lambda entry: not entry.name.endswith(".done")):
        if entry.name.removesuffix(".done") in but:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        elif entry.name != PLAN:
            entry.unlink(missing_ok=True)


def _remove(folder: Path) -> None:
    """Remove the folder of parts; where that fails its plan stays, so that the next command can."""
    with contextlib.suppress(OSError):
        _empty(folder)
        if [entry.name for entry in folder.iterdir()] == [PLAN]:
            shutil.rmtree(folder)


def digest_of(documents: Documents, settings: Settings, left_alone: Counter[LeftAlone]) -> str:
    """Return a digest of what all parts have in common: settings, programs, archives, and entities."""
    from inexlab import __version__

    stop, keep = settings.analyser.given_stop, documents.keep_extension
    known = [
        (__version__, VERSION, analysis_name()),
        None if settings.profile is None else sorted(asdict(settings.profile).items()),
        (settings.language, settings.stemmer, None if stop is None else sorted(stop), settings.strict),
        (documents.ids, sorted(keep), settings.file_filter),
        (settings.entities.drop, sorted(settings.entities.declared.items())),
        [(str(place), _changed(place)) for place in documents.places],  # some are archives
    ]
    if any(kind == ENTITIES for kind, _ in left_alone):
        known.append(sorted(declared_among(documents.places)[0].items()))
    return hashlib.sha256(repr(known).encode(errors="surrogateescape")).hexdigest()


def _parts(documents: Documents, borders: Sequence[int], what: str) -> list[PlannedPart]:
    """Return the parts that documents have between borders."""
    parts: list[PlannedPart] = []
    listed = iter(copy(documents))  # what is sent to workers has not gone through any
    for first, last in pairwise(borders):
        named, as_they_are = hashlib.sha256(), hashlib.sha256(what.encode())
        for id, name, _ in islice(listed, last - first):
            named.update(of_document(id, name))
            as_they_are.update(of_document(id, name) + repr(_changed(name)).encode())
        digest = as_they_are.hexdigest()[:_DIGITS]
        parts.append(PlannedPart(first, last, named.hexdigest(), f"{len(parts)}-{digest}"))
    return parts


def of_document(id: str, name: str) -> bytes:
    """Return what tells a document from others."""
    return f"{id}\n{name}\n".encode(errors="surrogateescape")


def _changed(name: str | Path) -> tuple[int, int]:
    """Return when a file was changed, and its size; zeros for what is in an archive, and for a folder."""
    with contextlib.suppress(OSError, ValueError):
        about = os.stat(name)  # noqa: PTH116 - of millions
        return (0, 0) if stat.S_ISDIR(about.st_mode) else (about.st_mtime_ns, about.st_size)
    return 0, 0
