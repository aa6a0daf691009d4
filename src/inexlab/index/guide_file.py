"""The path guide of an index, kept beside it: mapped, it takes no memory of a process, and no pass."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
import zlib
from pathlib import Path

import numpy as np

from inexlab.errors import InputError
from inexlab.index.blocks import Array
from inexlab.index.guide import PathGuide
from inexlab.index.store import BESIDE, files_folder

LEAST = 1 << 15  # elements: the guide of a smaller index is made in plain Python as soon as read
_VERSION = 1


def kept_guide(folder: Path, identity: int, elements: int, tags: tuple[str, ...]) -> PathGuide | None:
    """Return the guide beside an index, mapped into memory.

    None if there is none, or it is damaged, or that of another index.
    """
    try:
        place = _folder(folder)
        content = json.loads((place / "guide.json").read_text(encoding="utf-8"))
        if (content["version"], content["index"]) != (_VERSION, identity):
            return None
        above, tag = (np.array(content[name], dtype=np.int32) for name in ("above", "tag"))
        path = np.asarray(np.memmap(place / "path.bin", np.dtype(content["type"]), "r"))
        if len(path) != elements or zlib.crc32(path.data) != content["crc32"]:
            return None
        return PathGuide(path, above, tag, tags) if _is_sound(path, above, tag, len(tags)) else None
    except (OSError, InputError, ValueError, OverflowError, RecursionError, KeyError, TypeError):
        return None


def _is_sound(path: Array, above: Array, tag: Array, tags: int) -> bool:
    """Whether all numbers can be: compiled loops trust them, and a file can be made by hand."""
    count = len(tag)
    return bool(
        path.dtype in (np.uint16, np.uint32)
        and path.max(initial=0) < count == len(above)
        and np.all((above >= -1) & (above < np.arange(count)))
        and np.all((tag >= 0) & (tag < tags))
    )


def keep_guide(folder: Path, identity: int, guide: PathGuide) -> None:
    """Write a guide beside its index; where nothing can be written it is made anew the next time."""
    with contextlib.suppress(OSError, InputError):
        place = _folder(folder)
        place.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".", dir=place.parent) as name:
            space = Path(name) / place.name
            space.mkdir()
            (space / "path.bin").write_bytes(guide.path.data)
            content = {
                "version": _VERSION,
                "index": identity,
                "type": guide.path.dtype.str,
                "crc32": zlib.crc32(guide.path.data),
                "above": guide.above.tolist(),
                "tag": guide.tag.tolist(),
            }
            (space / "guide.json").write_text(json.dumps(content), encoding="utf-8")
            shutil.rmtree(place, ignore_errors=True)
            space.replace(place)


def _folder(folder: Path) -> Path:
    return files_folder(folder) / BESIDE / "path-guide"
