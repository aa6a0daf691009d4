"""Where documents are kept: a folder, or a zip or tar archive, of XML files, or whatever else is registered.

A document's id is its file name without extension. Documents are parsed when somebody asks for them, and
the element tables of the last ones are kept: the runs of a campaign return the same documents over and
over.
"""

from __future__ import annotations

import functools
import gzip
import io
import lzma
import re
import tarfile
import tempfile
import weakref
import zipfile
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from inexlab.collection.document import Document, Elements, read_document
from inexlab.errors import InputError
from inexlab.files import read_bytes
from inexlab.registry import Registry

ENDINGS = (".xml", ".nxml", ".xml.gz", ".nxml.gz")
NO_DOCUMENTS = "holds no XML documents (*.xml, *.nxml)"
LARGEST = 1 << 30  # bytes of a document, so that 32 bits count whatever is in it
_ELEMENTS_KEPT = 4_000_000  # about 100 MB of element tables

Fetch = Callable[[], bytes]


class Collection(Mapping[str, Document]):
    """The documents of a folder or archive, by id."""

    def __init__(self, name: str, files: dict[str, tuple[str, Fetch]]) -> None:
        self.name = name
        self._files = files
        self._tables: OrderedDict[str, Elements] = OrderedDict()
        self._elements_kept = 0

    def __len__(self) -> int:
        return len(self._files)

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __contains__(self, id: object) -> bool:
        return id in self._files

    def __getitem__(self, id: str) -> Document:
        """Parse and return one document."""
        name, fetch = self._files[id]
        return read_document(fetch(), id, name)

    def tags(self) -> set[str]:
        """Read all documents and return their tags."""
        return {tag for document in self.values() for tag in document.elements.tags}

    def elements(self, id: str) -> Elements | None:
        """Return a document's element table, or None where the collection has no such document."""
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


# what else a folder may be: each opens it, or returns None where it is something else
collection_kinds: Registry[Callable[[Path], Collection | None]] = Registry(
    "kind of collection", "inexlab.collection.kinds"
)


def open_collection(path: str | Path) -> Collection:
    """Open a folder or an archive (zip, tar, tar.gz, tar.bz2, tar.xz) of XML documents, or an index."""
    location, name = Path(path), str(path)
    if (location / "manifest.json").exists():  # only then is it worth asking the other kinds
        for open_kind in collection_kinds.values():
            if (opened := open_kind(location)) is not None:
                return opened
    if location.is_dir():
        files = _folder(location)
    elif not location.exists():
        raise InputError(
            "no such folder or archive", file=name, fix="Check the name given as the collection."
        )
    elif zipfile.is_zipfile(location):
        files = _zip(location)
    else:
        return _unpacked_tar(location)
    return Collection(name, _by_id(name, files))


def _by_id(name: str, files: Iterator[tuple[str, Fetch]]) -> dict[str, tuple[str, Fetch]]:
    found: dict[str, tuple[str, Fetch]] = {}
    for file, fetch in files:
        id = re.sub(r"\.n?xml(\.gz)?$", "", file.rsplit("/", 1)[-1], flags=re.IGNORECASE)
        if id in found:
            raise InputError(
                f"documents {found[id][0]} and {file} have the same id {id!r}",
                file=name,
                fix="Document ids are file names without extension: rename one.",
            )
        found[id] = (file, fetch)
    if not found:
        raise InputError(NO_DOCUMENTS, file=name, fix="Name the folder that has them.")
    return found


def _folder(folder: Path) -> Iterator[tuple[str, Fetch]]:
    for file in sorted(folder.rglob("*")):
        if file.name.lower().endswith(ENDINGS) and file.is_file():
            yield file.as_posix(), functools.partial(read_bytes, file)


def _zip(path: Path) -> Iterator[tuple[str, Fetch]]:
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
        raise InputError(
            f"cannot be unpacked ({error})", file=str(path), fix="Fetch or make it again."
        ) from None
    for member in sorted(archive.namelist()):
        if member.lower().endswith(ENDINGS):
            yield f"{path}/{member}", functools.partial(member_content, archive, member)


def member_content(archive: zipfile.ZipFile, member: str) -> bytes:
    """Return the content of a file in a zip archive, unzipped."""
    name = f"{archive.filename}/{member}"
    try:
        need_room_for(archive.getinfo(member).file_size, name)
        data = archive.read(member)
        return unzipped(data, name) if member.lower().endswith(".gz") else data
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError) as error:
        raise InputError(f"cannot be unpacked ({error})", file=name, fix="Fetch or make it again.") from None


def unzipped(data: bytes, name: str) -> bytes:
    """Unzip a document, and stop where it is too large: a few bytes may stand for any number of them."""
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
        content = file.read(LARGEST + 1)
    need_room_for(len(content), name)
    return content


def need_room_for(size: int, name: str) -> None:
    """Refuse a document that is too large."""
    if size > LARGEST:
        raise InputError(f"is larger than {LARGEST:,} bytes", file=name, fix="Split it into documents.")


def _unpacked_tar(path: Path) -> Collection:
    """Unpack a tar archive into a temporary folder that lives as long as the collection.

    A compressed tar can only be read from its beginning, and documents are asked for in any order.
    """
    try:
        archive = tarfile.open(path)  # noqa: SIM115 - closed by the with below
    except (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, OSError) as error:
        if looks_compressed(path):
            raise cannot_unpack(path, error) from None
        raise InputError(
            "is neither a folder nor a zip or tar archive",
            file=str(path),
            fix="Name the folder of XML documents.",
        ) from None
    folder = tempfile.TemporaryDirectory(prefix="inexlab-")
    files: list[tuple[str, Fetch]] = []
    try:
        with archive:
            for member in archive:
                if member.name.lower().endswith(ENDINGS) and (content := archive.extractfile(member)):
                    # numbered, so that no name in the archive can lead outside the folder
                    copy = Path(folder.name) / str(len(files))
                    copy.write_bytes(content.read())
                    files.append((f"{path}/{member.name}", functools.partial(read_bytes, copy)))
        collection = Collection(str(path), _by_id(str(path), iter(files)))
    except (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, OSError, KeyError) as error:
        folder.cleanup()
        raise cannot_unpack(path, error) from None
    except InputError:
        folder.cleanup()
        raise
    weakref.finalize(collection, folder.cleanup)
    return collection


def looks_compressed(path: Path) -> bool:
    """Whether a file begins as gzip, bzip2 or xz do."""
    with path.open("rb") as file:
        return file.read(6).startswith((b"\x1f\x8b", b"BZh", b"\xfd7zXZ"))


def cannot_unpack(path: Path, error: Exception) -> InputError:
    """Return the error for an archive that is damaged."""
    reason = str(error).partition("\n")[0].rstrip(":")
    what = f"cannot be unpacked ({reason or 'it is cut off'})"
    return InputError(what, file=str(path), fix="Fetch or make it again.")
