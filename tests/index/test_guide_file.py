"""The path guide that is kept beside a large index: the one that was made, or none at all."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from inexlab.index import guide_file
from inexlab.index import index as index_module
from inexlab.index.build import build_index
from inexlab.index.guide import PathGuide
from inexlab.index.guide_file import keep_guide, kept_guide
from inexlab.index.index import open_index
from inexlab.index.store import files_folder

TEXTS = ("<r><a><p>bee</p></a><p>wax</p></r>", "<r><p>bee <b>wax</b></p></r>")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(guide_file, "LEAST", 1)
    build_index([(f"d{k}", f"d{k}.xml", text.encode()) for k, text in enumerate(TEXTS)], tmp_path / "index")
    return tmp_path / "index"


def place(folder: Path) -> Path:
    return files_folder(folder) / "units" / "path-guide"


def spelt(guide: PathGuide) -> list[str]:
    return ["/".join(guide.tag_path(int(path))) for path in guide.path]


ALL = ["r", "r/a", "r/a/p", "r/p", "r", "r/p", "r/p/b"]


def kept(folder: Path) -> PathGuide | None:
    with open_index(folder) as index:
        return kept_guide(folder, index.identity, len(ALL), tuple(index.tags))


def test_a_guide_is_made_once_and_mapped_from_then_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kept(folder) is None
    assert spelt(open_index(folder).guide) == ALL
    monkeypatch.setattr(index_module, "path_guide", lambda *_: pytest.fail("it was made again"))
    again = open_index(folder).guide
    assert spelt(again) == ALL
    assert isinstance(again.path.base, np.memmap)


def test_a_small_index_has_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guide_file, "LEAST", 8)
    assert spelt(open_index(folder).guide) == ALL
    assert not place(folder).exists()


def test_where_nothing_can_be_written_a_guide_stays_in_memory(folder: Path) -> None:
    (files_folder(folder) / "units").write_text("in the way")
    assert spelt(open_index(folder).guide) == ALL


def test_numbers_of_four_bytes(folder: Path) -> None:
    with open_index(folder) as index:
        made = index.guide
        keep_guide(folder, index.identity, replace(made, path=made.path.astype(np.uint32)))
    found = kept(folder)
    assert found is not None
    assert found.path.dtype == np.uint32
    assert spelt(found) == ALL


def _change(key: str, value: object) -> Callable[[Path], None]:
    def change(place: Path) -> None:
        file = place / "guide.json"
        file.write_text(json.dumps({**json.loads(file.read_text()), key: value}))

    return change


def _write(path: list[int]) -> Callable[[Path], None]:
    """Write other numbers, with a checksum that fits."""

    def write(place: Path) -> None:
        data = np.array(path, dtype=np.uint16).tobytes()
        (place / "path.bin").write_bytes(data)
        _change("crc32", zlib.crc32(data))(place)

    return write


@pytest.mark.parametrize(
    "damage",
    [
        _change("version", 0),
        _change("index", 7),
        _change("crc32", 7),
        _change("type", "<i2"),
        _change("type", "?"),
        _change("type", "O"),
        _change("above", [-1, 0, 1, 0]),
        _change("above", [-1, 0, 1, 0, 4]),
        _change("above", [-2, 0, 1, 0, 3]),
        _change("tag", [0, 1, 2, 2, 4]),
        _change("tag", [0, 1, 2, 2, -1]),
        _change("tag", "?"),
        _change("tag", [0, 1, 2, 2, 1 << 40]),
        _change("above", [-1, 0, 1, 0, -(1 << 80)]),
        _write([0, 1, 2, 3, 0, 3, 5]),
        _write([0, 1, 2, 3, 0, 3]),
        _write([]),
        lambda place: (place / "path.bin").unlink(),
        lambda place: (place / "guide.json").write_text("{"),
        lambda place: (place / "guide.json").write_text("[]"),
        lambda place: (place / "guide.json").write_text("[" * 100_000),
    ],
)
def test_a_damaged_guide_is_made_again(folder: Path, damage: Callable[[Path], None]) -> None:
    """Numbers that cannot be would lead compiled loops out of their arrays."""
    assert spelt(open_index(folder).guide) == ALL
    before = json.loads((place(folder) / "guide.json").read_text())
    assert (before["above"], len(before["tag"])) == ([-1, 0, 1, 0, 3], 5)
    assert kept(folder) is not None
    damage(place(folder))
    assert kept(folder) is None
    assert spelt(open_index(folder).guide) == ALL
    assert kept(folder) is not None
