"""Indexes made by hand, with checksums that are right: whatever they say, no loop leaves its arrays."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import inexlab
from inexlab.errors import InputError
from inexlab.index.build import build_index
from inexlab.index.merge import merge_indexes
from inexlab.index.store import CHECKSUMS, CONTENT, files_folder, save_manifest
from tests.index.damage import checksums_of
from tests.index.test_build import SETTINGS

Change = Callable[[Any], Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = [b"<a>bees <b>dance</b></a>", b"<a><b>wax</b> bees</a>"]
    build_index([(f"d{k}", f"d{k}", text) for k, text in enumerate(texts)], tmp_path / "index", SETTINGS)
    return tmp_path / "index"


def rewrite(folder: Path, name: str, change: Change) -> None:
    """Change one of the arrays, and write all checksums anew."""
    files = files_folder(folder)
    content = json.loads((files / CONTENT).read_text())
    entries, arrays = content.pop("arrays"), dict[str, Any]()
    for one, entry in entries.items():
        array = np.fromfile(files / f"{one}.bin", dtype=entry["type"])
        if one == name:
            array = np.ascontiguousarray(change(array))
            (files / f"{one}.bin").write_bytes(array.data)
        sums = checksums_of(array)
        arrays[one] = {"type": array.dtype.str, "length": len(array), "checksums": sums}
    settings = {key: value for key, value in content.items() if key not in ("version", "checksums", "crc32")}
    (files / CHECKSUMS).unlink()
    save_manifest(files, settings, arrays)


def test_an_index_rewritten_as_it_is_is_sound(folder: Path) -> None:
    rewrite(folder, "element-first", lambda array: array)
    assert [hit.doc for hit in inexlab.search(folder, "bees", 9)]


COLUMNS = ("tag", "parent", "start", "length", "first", "tokens", "terms")
CHANGES: dict[str, Change] = {
    "shorter": lambda array: array[:-1],
    "longer": lambda array: np.append(array, array[-1:]),
    "with a sign": lambda array: array.astype(np.int64),
    "wide": lambda array: array.astype(np.uint64),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", [f"element-{name}" for name in COLUMNS])
def test_columns_that_do_not_fit_are_refused(name: str, change: str, folder: Path) -> None:
    rewrite(folder, name, CHANGES[change])
    with pytest.raises(InputError, match="is damaged"):
        inexlab.open_index(folder)


@pytest.mark.parametrize("change", ["shorter", "longer"])
@pytest.mark.parametrize("name", ["document-tokens", "document-text", "document-id-from"])
def test_documents_that_do_not_fit_are_refused(name: str, change: str, folder: Path) -> None:
    rewrite(folder, name, CHANGES[change])
    with pytest.raises(InputError, match="is damaged"):
        inexlab.open_index(folder)


POSITIONS: dict[str, tuple[str, Change]] = {
    "without an end": ("positions", lambda array: array & 127),
    "beyond the end": ("positions-from", lambda array: (array * 2).astype(np.uint32)),
    "falling": ("positions-from", lambda array: array[::-1].copy()),
    "of fewer terms": ("positions-from", lambda array: np.append(array[:-2], array[-1:])),
}


POSITIONS_TO_SEARCH = {
    **POSITIONS,
    "far beyond the end": ("positions-from", lambda array: array.astype(np.int64) * 10**9),
    "before the beginning": ("positions-from", lambda array: array.astype(np.int64) - 10**9),
    "of numbers without an end": ("positions", lambda array: np.append(array[:-1] * 0, array[-1:])),
    "fewer than none": ("term-frequency", lambda array: -array.astype(np.int64)),
}


@pytest.mark.parametrize("compiled", ["never", pytest.param("always", marks=pytest.mark.compiled)])
@pytest.mark.parametrize("change", POSITIONS_TO_SEARCH)
@pytest.mark.parametrize("by", ["auto", "elements:*"])
def test_positions_that_do_not_fit_are_not_searched(
    by: str, change: str, compiled: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INEXLAB_COMPILED", compiled)
    rewrite(folder, *POSITIONS_TO_SEARCH[change])
    with pytest.raises(InputError, match="is damaged"):
        inexlab.search(folder, "bees dance wax", by=by)


@pytest.mark.parametrize("change", POSITIONS)
def test_positions_that_do_not_fit_are_not_merged(change: str, folder: Path, tmp_path: Path) -> None:
    build_index([("other", "other", b"<a>bees</a>")], tmp_path / "other", SETTINGS)
    rewrite(folder, *POSITIONS[change])
    with pytest.raises(InputError, match="is damaged"):
        merge_indexes([folder, tmp_path / "other"], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()
