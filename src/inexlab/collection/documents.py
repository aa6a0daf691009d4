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
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, cast

from inexlab.collection.store import ENDINGS, Fetch, cannot_unpack, looks_compressed, member_content
from inexlab.errors import InputError
from inexlab.files import read_bytes

_BROKEN_TAR = (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, OSError)
_ENDING = re.compile(r"\.n?xml(\.gz)?$", re.IGNORECASE)


class Documents:
    """The documents at some places: id, name for messages, and a way to get the content at once.

    `done` is how many bytes of `total` went by.
    """

    def __init__(self, places: Sequence[str | Path], ids: str = "name") -> None:
        """`ids` is `name` (the file's name without extension) or `path` (from its folder or archive on)."""
        self._places, self._ids = [Path(place) for place in places], ids
        self.done = 0
        for place in self._places:
            if not place.exists():
                raise InputError("no such file or folder", file=str(place), fix="Check the name.")

    @functools.cached_property
    def total(self) -> int:
        """How many bytes there are to read."""
        return sum(
            sum(file.stat().st_size for file in _files(place)) if place.is_dir() else place.stat().st_size
            for place in self._places
        )

    def __iter__(self) -> Iterator[tuple[str, str, Fetch]]:
        self.done = 0
        for place in self._places:
            if place.is_dir():
                for file in _files(place):
                    self.done += file.stat().st_size
                    relative = file.relative_to(place).as_posix()
                    yield self._id(relative), file.as_posix(), functools.partial(read_bytes, file)
            elif zipfile.is_zipfile(place):
                yield from self._in_zip(place)
            elif _is_tar(place):
                yield from self._in_tar(place)
            else:
                self.done += place.stat().st_size
                yield self._id(place.name), place.as_posix(), functools.partial(read_bytes, place)

    def _id(self, name: str) -> str:
        name = name.removeprefix("./") if self._ids == "path" else name.rsplit("/", 1)[-1]
        return _ENDING.sub("", name)

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
            with (
                path.open("rb") as file,
                _unpacked(file) as plain,
                tarfile.open(fileobj=plain, mode="r|") as archive,
            ):
                while (member := archive.next()) is not None:
                    cast(Any, archive).members.clear()  # it would remember all of them
                    self.done = before + file.tell()
                    if member.isfile() and member.name.lower().endswith(ENDINGS):
                        fetch = functools.partial(_from_tar, archive, member, path)
                        yield self._id(member.name), f"{path}/{member.name}", fetch
        except _BROKEN_TAR as error:
            raise cannot_unpack(path, error) from None


def _unpacked(file: IO[bytes]) -> IO[bytes]:
    """Return a file unpacked; unlike tarfile's own unpacking, this notices where it is cut off."""
    beginning = file.read(6)
    file.seek(0)
    for start, unpack in ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ", lzma.open)):
        if beginning.startswith(start):
            return cast(IO[bytes], unpack(file))
    return file


def _is_tar(path: Path) -> bool:
    """Whether a file is a tar archive, and not one document, perhaps gzipped."""
    try:
        with path.open("rb") as file, _unpacked(file) as plain, tarfile.open(fileobj=plain, mode="r|"):
            return True
    except _BROKEN_TAR as error:
        if looks_compressed(path) and not path.name.lower().endswith(ENDINGS):
            raise cannot_unpack(path, error) from None
        return False


def _from_tar(archive: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> bytes:
    try:
        content = archive.extractfile(member)
        data = content.read() if content else b""
        return gzip.decompress(data) if member.name.lower().endswith(".gz") else data
    except _BROKEN_TAR as error:
        raise cannot_unpack(path / member.name, error) from None


def _files(folder: Path) -> Iterator[Path]:
    """The XML files of a folder and its folders, by name."""
    with os.scandir(folder) as entries:
        found = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
    for name, is_folder in found:
        path = folder / name
        if is_folder:
            yield from _files(path)
        elif name.lower().endswith(ENDINGS) and path.is_file():
            yield path
