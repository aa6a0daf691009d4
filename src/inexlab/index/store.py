"""An index on disk: arrays in files of their own, and a manifest that says what they are.

A folder with `manifest.json` (version, settings, counts, type, length and checksum of every array, and a
checksum of its own) and one file of raw numbers per array. It is written in a hidden folder and renamed when
it is complete, and opened by mapping the files into memory.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from inexlab.errors import InputError, UsageError

if TYPE_CHECKING:
    from typing_extensions import Buffer

VERSION = 2
MANIFEST = "manifest.json"
_FORMAT = "inexlab index"
_UNFINISHED, _LOCK, _REPLACED = ".unfinished", "lock", "replaced"
_BLOCK = 1 << 24

Array = npt.NDArray[Any]


def checksum(path: Path) -> int:
    """Return the CRC-32 of a file."""
    value = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            value = zlib.crc32(block, value)
    return value


def save_array(folder: Path, name: str, array: Array) -> dict[str, Any]:
    """Write an array; return its entry in the manifest."""
    array = np.ascontiguousarray(array)
    (folder / f"{name}.bin").write_bytes(array.data)
    return {"type": array.dtype.str, "length": len(array), "crc32": zlib.crc32(array.data)}


def save_narrow(folder: Path, name: str, array: Array) -> dict[str, Any]:
    """Write an array of numbers from 0 on, in the smallest type that holds them."""
    return save_array(folder, name, array.astype(narrowest(int(array.max(initial=0)))))


def narrowest(largest: int) -> str:
    """Return the smallest type of unsigned numbers that holds a number.

    >>> narrowest(255), narrowest(256), narrowest(70_000)
    ('u1', 'u2', 'u4')
    """
    return "u1" if largest < 1 << 8 else "u2" if largest < 1 << 16 else "u4" if largest < 1 << 32 else "u8"


class ArrayFile:
    """An array of an index while it grows, in the smallest type of unsigned numbers that holds all so far."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name, self._path = name, folder / f"{name}.bin"
        self._file = self._path.open("wb", buffering=1 << 18)
        self._kind, self._length, self._crc = "u1", 0, 0

    def add(self, numbers: Array) -> None:
        """Write some more numbers."""
        kind = narrowest(int(numbers.max(initial=0)))
        if kind > self._kind:
            self._widen(kind)
        self.add_bytes(np.ascontiguousarray(numbers, dtype=self._kind).data)

    def add_bytes(self, data: Buffer) -> None:
        """Write some more bytes, as they are."""
        written = self._file.write(data)
        self._length += written // np.dtype(self._kind).itemsize
        self._crc = zlib.crc32(data, self._crc)

    def close(self) -> dict[str, Any]:
        """Complete the file, once or again; return its entry in the manifest."""
        self._file.close()
        return {"type": np.dtype(self._kind).str, "length": self._length, "crc32": self._crc}

    def _widen(self, kind: str) -> None:
        """Write all again with more bytes to a number."""
        self._file.close()
        narrow, old = self._path.with_suffix(".narrow"), self._kind
        self._path.rename(narrow)
        self._file = self._path.open("wb", buffering=1 << 18)
        self._kind, self._length, self._crc = kind, 0, 0
        with narrow.open("rb") as source:
            while block := source.read(1 << 22):
                self.add_bytes(np.frombuffer(block, dtype=old).astype(kind).data)
        narrow.unlink()


class TextFile:
    """The texts of an index's documents while it grows, each packed by itself."""

    def __init__(self, folder: Path) -> None:
        import zstandard

        self._folder, self._file = folder, ArrayFile(folder, "text")
        self._borders = array("q", [0])
        # of articles, this packs a bit more than level 1 in less time
        how = zstandard.ZstdCompressionParameters.from_level(1, min_match=7, hash_log=15)
        self._pack = zstandard.ZstdCompressor(compression_params=how).compress

    def add(self, text: bytes | memoryview) -> None:
        """Write one more text, in UTF-8."""
        packed = self._pack(text)
        self._file.add_bytes(packed)
        self._borders.append(self._borders[-1] + len(packed))

    def close(self) -> None:
        """Close the file, also where it is not complete."""
        self._file.close()

    def complete(self) -> dict[str, Any]:
        """Complete the file; return what the manifest says of it and of the texts' borders."""
        borders = np.array(self._borders, dtype=np.int64)
        return {
            "text": self._file.close(),
            "document-text": save_array(self._folder, "document-text", borders),
        }


def save_texts(folder: Path, name: str, texts: Sequence[str]) -> dict[str, Any]:
    """Write texts as one row of bytes, and where each begins."""
    encoded = [text.encode() for text in texts]
    borders = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    pool = np.frombuffer(b"".join(encoded), dtype=np.uint8)
    return {
        f"{name}-bytes": save_array(folder, f"{name}-bytes", pool),
        f"{name}-from": save_narrow(folder, f"{name}-from", borders),
    }


@contextlib.contextmanager
def unfinished(out: Path, *, replace: bool = False) -> Iterator[Path]:
    """Give a folder that becomes `out` if all goes well, and is removed if not.

    Nothing takes it for an index before: it is in a hidden folder.
    """
    if not replace:
        need_new(out)
    target = out.resolve()
    with workspace(out) as space:
        folder = space / "index"
        folder.mkdir()
        yield folder
        if replace:
            target.rename(space / _REPLACED)
        folder.rename(target)


def need_new(out: Path) -> None:
    """Refuse to write an index where something is."""
    if is_index(out):
        raise UsageError(f"{out} is an index already; name a new folder for --out, or add to it by --append.")
    if os.path.lexists(out):
        raise UsageError(f"{out} is there already; name a new folder for --out.")


@contextlib.contextmanager
def workspace(out: Path) -> Iterator[Path]:
    """Give a hidden folder beside `out` to work in, which is removed in the end.

    It is locked as long as this process lives, so that the next one to write there knows what a killed one
    left, and removes it.
    """
    target = out.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        clear_up(target)
        space = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=_UNFINISHED, dir=target.parent))
        try:
            with (space / "locking").open("wb") as file:
                if lock(file):  # under its name it is locked from the beginning
                    (space / "locking").rename(space / _LOCK)
                yield space
        finally:
            _remove(space, target)
    except OSError as error:
        where, what = _meant(target), error.strerror or error
        raise UsageError(f"{where} cannot be written ({what}); name another place for --out.") from None


def clear_up(out: Path) -> None:
    """Remove what killed processes left of writing to `out`."""
    beside: list[Path] = []
    with contextlib.suppress(OSError):
        beside += out.parent.iterdir()
    for space in beside:
        # what has no such file is being made, what cannot be locked is in use
        if _meant(space / "index") == out:
            with contextlib.suppress(OSError), (space / _LOCK).open("rb") as file:
                if lock(file):
                    _remove(space, out)


def _remove(space: Path, out: Path) -> None:
    """Remove a hidden folder for writing to `out`.

    To replace an index takes two steps. Where only the first was done, the index is given its name back.
    """
    with contextlib.suppress(OSError):
        if not os.path.lexists(out) and (space / _REPLACED).exists():
            (space / _REPLACED).rename(out)
        for path in space.iterdir():
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            elif path.name != _LOCK:  # which is the last: without it nobody would know what this is
                path.unlink()
    shutil.rmtree(space, ignore_errors=True)


def lock(file: IO[bytes]) -> bool | None:
    """Lock a file for as long as it is open; False where somebody else has, None where nobody can."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):  # not on this system of computers or files
        return None
    return True


def _meant(path: Path) -> Path:
    """Return the place that something in a hidden folder is to become part of."""
    for folder in path.parents:
        if folder.name.startswith(".") and folder.name.endswith(_UNFINISHED):
            name = folder.name[1:].removesuffix(_UNFINISHED).rpartition(".")[0]
            return _meant(folder.parent / name)
    return path


def save_manifest(folder: Path, settings: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Write the manifest: the last file of an index."""
    content = {"format": _FORMAT, "version": VERSION, **settings, "arrays": dict(sorted(arrays.items()))}
    content["crc32"] = _own_checksum(content)
    (folder / MANIFEST).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _own_checksum(manifest: Mapping[str, Any]) -> int:
    """Return the CRC-32 of a manifest's content, but for the one in it."""
    content = {key: value for key, value in manifest.items() if key != "crc32"}
    return zlib.crc32(json.dumps(content, sort_keys=True).encode())


def is_index(folder: Path) -> bool:
    """Whether a folder is an index, of whatever version and however damaged."""
    with contextlib.suppress(OSError), (folder / MANIFEST).open("rb") as file:
        return f'"format": "{_FORMAT}"'.encode() in file.read(64)
    return False


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read and check the manifest of an index, and the sizes of its files."""
    manifest = _manifest(folder)
    for file, entry in manifest["arrays"].items():
        path, size = folder / f"{file}.bin", _size(entry)
        with readable(folder):
            if not path.exists() or path.stat().st_size != size:
                raise damaged(folder, f"{path.name} is not {size:,} bytes long")
    return manifest


def _manifest(folder: Path) -> dict[str, Any]:
    name = str(folder)
    with readable(folder):
        if not folder.is_dir():
            clear_up(folder.resolve())  # it may be there under another name
        found = folder.is_dir()
    if not found:
        raise InputError("no such index", file=name, fix="Build one with `inexlab index DOCS --out INDEX`.")
    try:
        with readable(folder):
            content: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if content["format"] != _FORMAT:
            raise KeyError("format")
        if content["version"] != VERSION:
            raise InputError(
                f"is an index of version {content['version']}, and this is inexlab for version {VERSION}",
                file=name,
                fix="Build it again.",
            )
        if content["crc32"] != _own_checksum(content):
            raise KeyError("crc32")
    except FileNotFoundError:
        raise InputError(
            "is no index: it has no manifest", file=name, fix="Name the folder given as --out."
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError("is no index: its manifest is damaged", file=name, fix="Build it again.") from None
    return content


def damaged(folder: Path, what: str) -> InputError:
    """Return the error for an index with a file that is not as it was written."""
    fix = f"Build it again (`inexlab index --verify {folder}` checks all files)."
    return InputError(f"is damaged: {what}", file=str(folder), fix=fix)


@contextlib.contextmanager
def readable(folder: Path) -> Iterator[None]:
    """Say of an index that it cannot be read where the operating system says so of a file in it."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        what = f"cannot be read ({error.strerror or error})"
        raise InputError(what, file=str(error.filename or folder), fix="Check its permissions.") from None


def map_array(folder: Path, name: str, entry: Mapping[str, Any]) -> Array:
    """Map an array of an index into memory, to be read."""
    kind, length = np.dtype(entry["type"]), int(entry["length"])
    if not length:
        return np.zeros(0, dtype=kind)
    with readable(folder):
        return np.asarray(np.memmap(folder / f"{name}.bin", dtype=kind, mode="r", shape=(length,)))


def verify(folder: Path) -> list[str]:
    """Return the names of the files whose content is not what the manifest says."""
    arrays = _manifest(folder)["arrays"]
    return [f"{name}.bin" for name, entry in arrays.items() if not _is_sound(folder / f"{name}.bin", entry)]


def _is_sound(path: Path, entry: Mapping[str, Any]) -> bool:
    with readable(path.parent):
        return path.exists() and path.stat().st_size == _size(entry) and checksum(path) == int(entry["crc32"])


def _size(entry: Mapping[str, Any]) -> int:
    return int(np.dtype(entry["type"]).itemsize) * int(entry["length"])
