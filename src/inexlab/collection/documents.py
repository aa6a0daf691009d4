"""Documents as a stream: those of files, folders and archives, one after the other, in a fixed order.

Nothing is kept of what went by, so that a collection may be of any size. Folders and zip archives come in the
order of their names, tar archives as they are.
"""

from __future__ import annotations

import bz2
import functools
import gzip
import lzma
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, cast

from inexlab.collection.store import (
    ENDINGS,
    Fetch,
    cannot_unpack,
    looks_compressed,
    member_content,
    need_room_for,
    unzipped,
)
from inexlab.errors import InputError
from inexlab.files import GZIP, explained

_BROKEN_TAR = (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, OSError)
_ENDING = re.compile(r"\.n?xml(\.gz)?$", re.IGNORECASE)


class Documents:
    """The documents at some places: id, name for messages, and a way to get the content at once.

    `done` is how many bytes of `total` went by; `empty` are the places gone by that have no document.
    """

    def __init__(
        self,
        places: Sequence[str | Path],
        ids: str = "name",
        unpacked: Mapping[str, Path] | None = None,
    ) -> None:
        """`ids` is `name` (the file's name without extension) or `path` (from its folder or archive on).

        `unpacked` says where there are unpacked copies of tar archives, to be read in their stead.
        """
        self._places, self._ids, self._copies = [Path(place) for place in places], ids, unpacked or {}
        self.done = 0
        self.empty: list[str] = []
        for given, place in zip(places, self._places, strict=True):
            with explained(place):
                if not str(given) or not place.exists():
                    raise InputError("no such file or folder", file=str(given) or "''", fix="Check the name.")

    @functools.cached_property
    def total(self) -> int:
        """How many bytes there are to read."""
        return sum(
            sum(size for _, size in _files(str(place))) if place.is_dir() else _size(place)
            for place in self._places
        )

    def __iter__(self) -> Iterator[tuple[str, str, Fetch]]:
        self.done, self.empty = 0, []
        for place in self._places:
            document = None
            for document in self._at(place):
                yield document
            if document is None:
                self.empty.append(str(place))

    def _at(self, place: Path) -> Iterator[tuple[str, str, Fetch]]:
        if place.is_dir():
            beginning = len(os.path.join(place, ""))  # noqa: PTH118 - of the names of all files in it
            for file, size in _files(str(place)):
                self.done += size
                name = file.replace(os.sep, "/")
                fetch = functools.partial(_content, file, size)
                yield self._id(name[beginning:]), name.removeprefix("./"), fetch
        elif zipfile.is_zipfile(place):
            yield from self._in_zip(place)
        elif _is_tar(place):
            yield from self._in_tar(place)
        else:
            self.done += (size := _size(place))
            yield self._id(place.name), place.as_posix(), functools.partial(_content, str(place), size)

    def _id(self, name: str) -> str:
        name = name.removeprefix("./") if self._ids == "path" else name.rsplit("/", 1)[-1]
        # a name may have bytes that are no characters, an id may not
        return os.fsencode(_ENDING.sub("", name)).decode(errors="replace")

    def _in_zip(self, path: Path) -> Iterator[tuple[str, str, Fetch]]:
        try:
            archive = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
            raise cannot_unpack(path, error) from None
        with archive:
            for member in sorted(archive.infolist(), key=lambda member: member.filename):
                self.done += member.compress_size
                if member.filename.lower().endswith(ENDINGS):
                    fetch = functools.partial(member_content, archive, member.filename)
                    yield self._id(member.filename), f"{path}/{member.filename}", fetch

    def _in_tar(self, path: Path) -> Iterator[tuple[str, str, Fetch]]:
        before = self.done
        try:
            with self._copies.get(str(path), path).open("rb") as file, unpacked_file(file) as plain:
                # one that is not packed can be read from any place on, and what is not asked for left out
                mode = "r:" if plain is file else "r|"
                with tarfile.open(fileobj=plain, mode=mode) as archive:  # type: ignore[call-overload]
                    while (member := archive.next()) is not None:
                        archive.members.clear()  # it would remember all of them
                        self.done = before + file.tell()
                        if member.isfile() and member.name.lower().endswith(ENDINGS):
                            fetch = functools.partial(_from_tar, archive, member, path)
                            yield self._id(member.name), f"{path}/{member.name}", fetch
        except _BROKEN_TAR as error:
            raise cannot_unpack(path, error) from None


def packed_tar(place: str | Path) -> bool:
    """Whether a place is a tar archive that has to be unpacked from its beginning."""
    path = Path(place)
    if path.is_dir() or zipfile.is_zipfile(path) or not _is_tar(path):
        return False
    with path.open("rb") as file, unpacked_file(file) as plain:
        return plain is not file


def unpacked_file(file: IO[bytes]) -> IO[bytes]:
    """Return a file unpacked; unlike tarfile's own unpacking, this notices where it is cut off."""
    beginning = file.read(6)
    file.seek(0)
    for start, unpack in ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ", lzma.open)):
        if beginning.startswith(start):
            return cast(IO[bytes], unpack(file))
    return file


def _is_tar(path: Path) -> bool:
    """Whether a file is a tar archive, and not one document, perhaps gzipped."""
    with explained(path), path.open("rb") as file:
        try:
            with unpacked_file(file) as plain, tarfile.open(fileobj=plain, mode="r|"):
                return True
        except _BROKEN_TAR as error:
            if looks_compressed(path) and not path.name.lower().endswith(ENDINGS):
                raise cannot_unpack(path, error) from None
            return False


def _from_tar(archive: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> bytes:
    try:
        need_room_for(member.size, str(path / member.name))
        content = archive.extractfile(member)
        data = content.read() if content else b""
        return unzipped(data, str(path / member.name)) if member.name.lower().endswith(".gz") else data
    except _BROKEN_TAR as error:
        raise cannot_unpack(path / member.name, error) from None


def _content(file: str, size: int) -> bytes:
    need_room_for(size, file)
    with explained(file):
        with open(file, "rb", buffering=0) as opened:  # noqa: PTH123 - collections have many files
            data = opened.readall()
        return unzipped(data, file) if data.startswith(GZIP) else data


def _size(file: str | Path) -> int:
    with explained(file):
        return os.stat(file).st_size  # noqa: PTH116 - collections have many files


def _files(folder: str) -> Iterator[tuple[str, int]]:
    """The XML files of a folder and its folders, by name, with their sizes."""
    with explained(folder), os.scandir(folder) as entries:
        found = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
    for name, is_folder in found:
        path = os.path.join(folder, name)  # noqa: PTH118 - collections have many files
        if is_folder:
            yield from _files(path)
        elif name.lower().endswith(ENDINGS) and os.path.isfile(path):  # noqa: PTH113 - the same
            yield path, _size(path)
