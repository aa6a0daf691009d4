"""An index on disk: arrays in files of their own, and a manifest that says what they are.

A folder with `manifest.json` (version, settings, counts, and type, length and checksum of every array) and
one file of raw numbers per array. It is written under another name and renamed when it is complete, and
opened by mapping the files into memory.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from inexlab.errors import InputError

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
    path = folder / f"{name}.bin"
    array = np.ascontiguousarray(array)
    path.write_bytes(array.data)
    return {"type": array.dtype.str, "length": len(array), "crc32": zlib.crc32(array.data)}


def file_entry(folder: Path, name: str, kind: str) -> dict[str, Any]:
    """Return the manifest's entry for an array that was written in parts."""
    path = folder / f"{name}.bin"
    size = np.dtype(kind).itemsize
    return {"type": np.dtype(kind).str, "length": path.stat().st_size // size, "crc32": checksum(path)}


def save_manifest(folder: Path, settings: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Write the manifest: the last file of an index."""
    content = {"format": "inexlab index", "version": VERSION, **settings, "arrays": arrays}
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
    for array, (kind, length, _) in arrays.items():
        path = folder / f"{array}.bin"
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
