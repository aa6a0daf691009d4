"""An index on disk: arrays in files of their own, and a manifest that says what they are.

A folder with `manifest.json` (version, settings, counts, and type, length and checksum of every array) and
one file of raw numbers per array. It is written under another name and renamed when it is complete, and
opened by mapping the files into memory.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from inexlab.errors import InputError, UsageError

if TYPE_CHECKING:
    from typing_extensions import Buffer

VERSION = 1
MANIFEST = "manifest.json"
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

    A build that is killed leaves a hidden folder without a manifest, which nothing takes for an index.
    """
    if os.path.lexists(out) and not replace:
        raise UsageError(f"{out} is there already; name a new folder for --out.")
    out = out.resolve()
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{out.name}.", suffix=".unfinished", dir=out.parent))
        try:
            yield folder
            folder.chmod(0o755)
            if replace:
                _exchange(folder, out)
            else:
                folder.rename(out)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except OSError as error:
        raise UsageError(f"{out} cannot be written ({error.strerror or error}).") from None


def _exchange(new: Path, out: Path) -> None:
    """Put a new folder in the place of another."""
    old = new.with_suffix(".replaced")
    out.rename(old)
    try:
        new.rename(out)
    except OSError:
        old.rename(out)
        raise
    shutil.rmtree(old, ignore_errors=True)


def save_manifest(folder: Path, settings: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Write the manifest: the last file of an index."""
    content = {
        "format": "inexlab index",
        "version": VERSION,
        **settings,
        "arrays": dict(sorted(arrays.items())),
    }
    (folder / MANIFEST).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read and check the manifest of an index."""
    name = str(folder)
    if not folder.is_dir():
        raise InputError("no such index", file=name, fix="Build one with `inexlab index DOCS --out INDEX`.")
    try:
        content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if content["format"] != "inexlab index":
            raise KeyError("format")
        version = content["version"]
        arrays = {
            name: (np.dtype(a["type"]), int(a["length"]), int(a["crc32"]))
            for name, a in content["arrays"].items()
        }
    except FileNotFoundError:
        raise InputError(
            "is no index: it has no manifest", file=name, fix="Name the folder given as --out."
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError("is no index: its manifest is damaged", file=name, fix="Build it again.") from None
    if version != VERSION:
        raise InputError(
            f"is an index of version {version}, this is {VERSION}", file=name, fix="Build it again."
        )
    for file, (kind, length, _) in arrays.items():
        path = folder / f"{file}.bin"
        if not path.exists() or path.stat().st_size != kind.itemsize * length:
            raise InputError(
                f"is damaged: {path.name} is not {kind.itemsize * length:,} bytes long",
                file=name,
                fix="Build it again.",
            )
    found: dict[str, Any] = content
    return found


def map_array(folder: Path, name: str, entry: Mapping[str, Any]) -> Array:
    """Map an array of an index into memory, to be read."""
    kind, length = np.dtype(entry["type"]), int(entry["length"])
    if not length:
        return np.zeros(0, dtype=kind)
    return np.asarray(np.memmap(folder / f"{name}.bin", dtype=kind, mode="r", shape=(length,)))


def verify(folder: Path) -> list[str]:
    """Return the names of the files whose content is not what the manifest says."""
    arrays = read_manifest(folder)["arrays"]
    return [
        f"{name}.bin" for name, entry in arrays.items() if checksum(folder / f"{name}.bin") != entry["crc32"]
    ]
