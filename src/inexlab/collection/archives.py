"""Files in folders, zip and tar archives, one after the other: where each is, and how to get its content."""

from __future__ import annotations

import bz2
import functools
import gzip
import io
import lzma
import os
import shutil
import stat
import tarfile
import tempfile
import weakref
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from inexlab.errors import InputError
from inexlab.files import GZIP, explained, too_large, unpacked_pieces
from inexlab.limits import LARGEST_DOCUMENT, TooLargeError, need_limits
from inexlab.progress import BYTES, report

LINK = "link"

Fetch = Callable[[], bytes]

_BROKEN_TAR = (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, OSError)
_BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError)
_PACKED = ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ", lzma.open))


@dataclass(frozen=True)
class File:
    """A file at some place: its path from there on, its name for messages, and how to get its content.

    `look` returns the first bytes of the content; None if a file can be read but once, now.
    """

    path: str
    name: str
    size: int
    read_so_far: int  # bytes of the place
    fetch: Fetch
    look: Callable[[int], bytes] | None
    problem: str = ""  # why it cannot be a document

    def beginning(self, size: int) -> tuple[bytes, Fetch]:
        """Return the first bytes, and a way to get all of them after that."""
        if self.look is not None:
            return self.look(size), self.fetch
        try:
            content = self.fetch()
        except InputError as error:
            return b"", functools.partial(_fail, error)
        return content[:size], lambda: content


def _fail(error: InputError) -> bytes:
    raise error


def files_in_place(place: Path, unpacked: Path | None) -> Iterator[File]:
    """Return the files of a folder or archive, or the one that a place is.

    `unpacked` is a copy of a tar archive to read instead.
    """
    if place.is_dir():
        return _in_folder(place)
    if zipfile.is_zipfile(place):
        return _in_zip(place)
    if _is_tar(place):
        return _in_tar(place, unpacked)
    return iter((_one_file(place),))


def paths_in_place(place: Path) -> Iterator[str]:
    """Return the paths of the files at a place; those of a folder without a look at the files."""
    if place.is_dir():
        beginning = _beginning_of_names(place)
        return (file.replace(os.sep, "/")[beginning:] for file in _walk(str(place)))
    return (file.path for file in files_in_place(place, None))


def _one_file(place: Path) -> File:
    size, file = size_of(place), str(place)
    # from the working folder on, where it is in that: several files may have the same name
    relative = os.path.relpath(place).replace(os.sep, "/")
    return File(
        place.name if relative.startswith("../") else relative,
        place.as_posix(),
        size,
        size,
        functools.partial(_content, file, size),
        functools.partial(_look, file),
    )


def _in_folder(folder: Path) -> Iterator[File]:
    beginning = _beginning_of_names(folder)
    done = 0
    for file in _walk(str(folder)):
        size = _size_of_file(file)
        done += max(size, 0)
        name = file.replace(os.sep, "/")
        yield File(
            name[beginning:],
            name.removeprefix("./"),
            max(size, 0),
            done,
            functools.partial(_content, file, size),
            functools.partial(_look, file),
            LINK if size < 0 else "",
        )


def _beginning_of_names(folder: Path) -> int:
    """Return where the paths of files from a folder on begin in their names."""
    return len(os.path.join(folder, ""))  # noqa: PTH118 - as names of files are made


def _walk(folder: str) -> Iterator[str]:
    """The files of a folder and its folders, by name, among them links that may lead elsewhere."""
    with explained(folder), os.scandir(folder) as entries:
        found = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
    for name, is_folder in found:
        path = os.path.join(folder, name)  # noqa: PTH118 - collections have many files
        if is_folder:
            yield from _walk(path)
        else:
            yield path


def _size_of_file(path: str) -> int:
    """Return how many bytes a file has, -1 for what leads elsewhere."""
    try:
        found = os.stat(path)  # noqa: PTH116 - collections have many files
    except (OSError, ValueError):
        return -1
    return found.st_size if stat.S_ISREG(found.st_mode) else -1


def _in_zip(path: Path) -> Iterator[File]:
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
        raise cannot_unpack(path, error) from None
    done = 0  # the archive is closed when nobody has a way to its files any more
    for member in sorted(archive.infolist(), key=lambda member: member.filename):
        done += member.compress_size
        if not member.is_dir():
            yield File(
                member.filename.removeprefix("./"),
                f"{path}/{member.filename}",
                member.file_size,
                done,
                functools.partial(_from_zip, archive, member.filename),
                functools.partial(_look_in_zip, archive, member.filename),
            )


def _from_zip(archive: zipfile.ZipFile, member: str) -> bytes:
    name = f"{archive.filename}/{member}"
    try:
        info = archive.getinfo(member)
        need_room_for(info.file_size, name)
        need_limits(info.file_size, info.compress_size)
        return _plain(archive.read(member), name)
    except TooLargeError as error:
        raise too_large(name, error) from None
    except _BROKEN_ZIP as error:
        raise cannot_unpack(Path(name), error) from None


def _look_in_zip(archive: zipfile.ZipFile, member: str, size: int) -> bytes:
    try:
        with archive.open(member) as file:
            return _beginning(file, size)
    except _BROKEN_ZIP:
        return b""


def _in_tar(path: Path, unpacked: Path | None) -> Iterator[File]:
    source = unpacked or path
    links = _HardLinks(path, source)
    try:
        with source.open("rb") as file, unpacked_file(file) as plain:
            # one that is not packed can be read from any place on, and what is not asked for left out
            anywhere = plain is file
            mode = "r:" if anywhere else "r|"
            with tarfile.open(fileobj=plain, mode=mode) as archive:  # type: ignore[call-overload]
                while (member := archive.next()) is not None:
                    archive.members.clear()  # it would remember all of them
                    if not member.isdir():
                        yield _tar_file(archive, member, path, source, anywhere, file.tell(), links)
    except _BROKEN_TAR as error:
        raise cannot_unpack(path, error) from None


def _tar_file(
    archive: tarfile.TarFile,
    member: tarfile.TarInfo,
    path: Path,
    source: Path,
    anywhere: bool,
    done: int,
    links: _HardLinks,
) -> File:
    name = f"{path}/{member.name}"
    fetch: Fetch
    look = None
    if member.islnk():
        fetch = functools.partial(links.content, member.linkname, name)
    elif anywhere and not member.issparse():
        fetch = functools.partial(_from_place, str(source), member.offset_data, member.size, name)
        look = functools.partial(_look_from_place, str(source), member.offset_data, member.size)
    else:
        fetch = functools.partial(_from_tar, archive, member, path)
    problem = "" if member.isfile() or member.islnk() else LINK if member.issym() else "special file"
    return File(member.name.removeprefix("./"), name, member.size, done, fetch, look, problem)


class _HardLinks:
    """What the hard links of a tar archive lead to: a file in it by another name.

    Few archives have any, so files are looked for when the first one is asked for. A packed archive is
    unpacked for that: what a link leads to has gone by already.
    """

    def __init__(self, path: Path, source: Path) -> None:
        self._path, self._source = path, source

    @functools.cached_property
    def _found(self) -> tuple[str, dict[str, tuple[int, int]], dict[str, str]]:
        """The archive as it can be read anywhere, where its files are, and where its links lead."""
        source = self._source
        if packed_tar(source):
            folder = tempfile.mkdtemp(prefix="inexlab-")
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            source = Path(folder) / "unpacked.tar"
            unpack_tar(self._source, source)
        places, links = dict[str, tuple[int, int]](), dict[str, str]()
        with tarfile.open(source, mode="r:") as archive:
            while (member := archive.next()) is not None:
                archive.members.clear()  # type: ignore[attr-defined]
                if member.islnk():
                    links[_normal(member.name)] = member.linkname
                elif member.isfile() and not member.issparse():
                    places[_normal(member.name)] = member.offset_data, member.size
        return str(source), places, links

    def content(self, target: str, name: str) -> bytes:
        """Return the content of the file that a link leads to."""
        try:
            source, places, links = self._found
        except _BROKEN_TAR as error:
            raise cannot_unpack(self._path, error) from None
        at, passed = _normal(target), set[str]()
        while at not in places and at in links and at not in passed:
            passed.add(at)
            at = _normal(links[at])
        if at not in places:
            what = "points to itself" if at in passed else "is not in the archive"
            raise InputError(f"is a link to {target!r}, which {what}", file=name)
        return _from_place(source, *places[at], name)


def _normal(name: str) -> str:
    return name.removeprefix("./")


def _from_tar(archive: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> bytes:
    name = str(path / member.name)
    try:
        need_room_for(member.size, name)
        content = archive.extractfile(member)
        return _plain(content.read() if content else b"", name)
    except _BROKEN_TAR as error:
        raise cannot_unpack(path / member.name, error) from None


def _from_place(source: str, start: int, size: int, name: str) -> bytes:
    need_room_for(size, name)
    with explained(name), open(source, "rb") as file:  # noqa: PTH123 - collections have many files
        file.seek(start)
        data = file.read(size)
        if len(data) < size:
            raise cannot_unpack(Path(name), EOFError("it is truncated"))
        return _plain(data, name)


def _look_from_place(source: str, start: int, member_size: int, size: int) -> bytes:
    with explained(source), open(source, "rb") as file:  # noqa: PTH123 - the same
        file.seek(start)
        return _beginning(io.BytesIO(file.read(min(member_size, 4 * size))), size)


def _content(file: str, size: int) -> bytes:
    need_room_for(size, file)
    with explained(file):
        with open(file, "rb", buffering=0) as opened:  # noqa: PTH123 - collections have many files
            data = opened.readall()
        return _plain(data, file)


def _look(file: str, size: int) -> bytes:
    with explained(file), open(file, "rb") as opened:  # noqa: PTH123 - the same
        return _beginning(opened, size)


def _beginning(file: IO[bytes], size: int) -> bytes:
    """Return the first bytes of a file, unzipped where it is gzipped."""
    head = file.read(4 * size)
    if head.startswith(GZIP):
        try:
            return zlib.decompressobj(wbits=31).decompress(head, size)
        except zlib.error:
            return b""
    return head[:size]


def _plain(data: bytes, name: str) -> bytes:
    """Unzip a document that is gzipped; stop where it is too large: a few bytes may stand for any number."""
    if not data.startswith(GZIP):
        return data
    pieces, size = [], 0
    with explained(name):
        for piece in unpacked_pieces(io.BufferedReader(io.BytesIO(data))):
            pieces.append(piece)
            size += len(piece)
            need_room_for(size, name)
    return b"".join(pieces)


def need_room_for(size: int, name: str) -> None:
    """Refuse a document that is too large."""
    if size > LARGEST_DOCUMENT:
        raise InputError(
            f"is larger than {LARGEST_DOCUMENT:,} bytes", file=name, fix="Split it into documents."
        )


def size_of(file: str | Path) -> int:
    """Return how many bytes a file has."""
    with explained(file):
        return os.stat(file).st_size  # noqa: PTH116 - collections have many files


def is_archive(path: Path) -> bool:
    """Whether a file is a zip or tar archive."""
    return zipfile.is_zipfile(path) or _is_tar(path)


def packed_tar(place: str | Path) -> bool:
    """Whether a place is a tar archive that has to be unpacked from its beginning."""
    path = Path(place)
    if path.is_dir() or zipfile.is_zipfile(path) or not _is_tar(path):
        return False
    with path.open("rb") as file, unpacked_file(file) as plain:
        return plain is not file


def unpack_tar(place: Path, copy: Path) -> None:
    """Write a packed tar archive unpacked: each read from its middle would unpack it again."""
    with place.open("rb") as file, unpacked_file(file) as plain, copy.open("wb") as target:
        try:
            size, packed = 0, size_of(place)
            while block := plain.read(1 << 20):
                size += len(block)
                need_limits(size, file.tell(), in_memory=False)
                target.write(block)
                report(f"unpacking {place.name}", file.tell(), packed, BYTES)
        except TooLargeError as error:
            raise too_large(str(place), error) from None
        except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
            raise cannot_unpack(place, error) from None
        except OSError as error:
            if error.errno is not None:
                raise
            raise cannot_unpack(place, error) from None  # bz2 says so of what is damaged


def unpacked_file(file: IO[bytes]) -> IO[bytes]:
    """Return a file unpacked; unlike tarfile's own unpacking, this notices where it is truncated."""
    beginning = file.read(6)
    file.seek(0)
    for start, unpack in _PACKED:
        if beginning.startswith(start):
            return cast(IO[bytes], unpack(file))
    return file


def _is_tar(path: Path) -> bool:
    """Whether a file is a tar archive, and not one document, perhaps gzipped."""
    with explained(path), path.open("rb") as file:
        packed = file.read(6).startswith(tuple(start for start, _ in _PACKED))
        file.seek(0)
        try:
            with unpacked_file(file) as plain, tarfile.open(fileobj=plain, mode="r|"):
                return True
        except _BROKEN_TAR as error:
            document = path.name.lower().endswith(".gz") and not path.name.lower().endswith(".tar.gz")
            if packed and not document:
                raise cannot_unpack(path, error) from None
            return False


def cannot_unpack(path: Path, error: Exception) -> InputError:
    """Return the error for an archive that is damaged."""
    reason = str(error).partition("\n")[0].rstrip(":")
    what = f"cannot be unpacked ({reason or 'it is truncated'})"
    return InputError(what, file=str(path), fix="Download or create it again.")
