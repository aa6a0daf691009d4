"""A manifest with a right checksum and wrong content is refused with one message, whatever is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import inexlab
from inexlab.errors import InputError
from inexlab.index.index import open_index
from inexlab.index.settings import COUNTS, are_sound
from inexlab.index.store import own_checksum

SETTINGS = ("profile", "analysis", "language", "stemmer", "stop_words", "languages", "tags", "tag_kinds")
MISSING = object()


def rewritten(file: Path, **changes: Any) -> None:
    """Change a manifest, and its checksum with it."""
    content = json.loads(file.read_text()) | changes
    content = {key: value for key, value in content.items() if value is not MISSING}
    file.write_text(json.dumps(content | {"crc32": own_checksum(content)}, indent=1))


@pytest.fixture(scope="module", params=["one", "shards"])
def manifest(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The manifest of an index, or of one in shards."""
    folder = tmp_path_factory.mktemp("settings")
    (folder / "docs").mkdir()
    for k in range(4):
        (folder / "docs" / f"d{k}.xml").write_text(f"<article><p>bees and wax {k}</p></article>")
    shards = 2 if request.param == "shards" else 0
    inexlab.build_index(folder / "docs", folder / "index", shards=shards)
    return folder / "index" / ("manifest.json" if shards else "1/index.json")


@pytest.mark.parametrize("key", [*SETTINGS, *COUNTS, "left_alone"])
def test_settings_of_other_types_are_refused(manifest: Path, key: str) -> None:
    before, index = manifest.read_text(), open_index(_folder(manifest))
    usual = index.manifest[key]
    assert are_sound(index.manifest)
    try:
        for value in (None, 5.5, -1, 1 << 80, [[1]], {"a": []}, *([MISSING] if key != "left_alone" else [])):
            if type(value) is type(usual) and not value:
                continue
            rewritten(manifest, **{key: value})
            with pytest.raises(InputError, match=r"index.*(damaged|version)"):
                inexlab.search(_folder(manifest), "bees")
    finally:
        manifest.write_text(before)
    assert len(inexlab.search(_folder(manifest), "bees")) == 4


@pytest.mark.parametrize(
    "change", [{"inline": "p"}, {"least_answer": "3"}, {"name": 5}, {"titles": [["p"]]}, {"other": "x"}]
)
def test_a_profile_of_another_kind_is_refused(manifest: Path, change: dict[str, Any]) -> None:
    before = manifest.read_text()
    try:
        rewritten(manifest, profile=json.loads(before)["profile"] | change)
        with pytest.raises(InputError, match=r"index.*damaged"):
            open_index(_folder(manifest))
    finally:
        manifest.write_text(before)


def test_shards_that_are_not_as_the_manifest_says_are_refused(manifest: Path) -> None:
    before = manifest.read_text()
    one, other = json.loads(before).get("shards") or [None, None]
    if one is None:
        pytest.skip("an index of its own")
    try:
        for shards in (
            [one | {"documents": 1}, other | {"documents": 3}],  # which would take documents for others
            [one, one],
            [one | {"documents": 1 << 70}, other | {"documents": 4}],
        ):
            rewritten(manifest, shards=shards, documents=sum(shard["documents"] for shard in shards))
            with pytest.raises(InputError, match=r"index.*damaged"):
                list(open_index(_folder(manifest)).documents)
    finally:
        manifest.write_text(before)


def _folder(manifest: Path) -> Path:
    return manifest.parent if manifest.name == "manifest.json" else manifest.parent.parent
