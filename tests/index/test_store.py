"""An index on disk: what is damaged, of another version or no index at all is refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from inexlab.errors import InputError
from inexlab.index.build import build_index
from inexlab.index.index import open_index
from inexlab.index.store import MANIFEST, verify
from tests.index.test_build import SETTINGS


@pytest.fixture
def index(tmp_path: Path) -> Path:
    build_index([("a", "a.xml", b"<a>one two <b>three</b></a>")], tmp_path / "index", SETTINGS)
    return tmp_path / "index"


def test_a_sound_index(index: Path) -> None:
    assert verify(index) == []
    assert repr(open_index(index)) == f"Index({str(index)!r}, 1 documents, 2 elements)"


def test_no_index(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such index"):
        open_index(tmp_path / "nothing")
    with pytest.raises(InputError, match="is no index: it has no manifest"):
        open_index(tmp_path)


@pytest.mark.parametrize("manifest", ["", "{", "[]", '{"format": "other"}', '{"format": "inexlab index"}'])
def test_a_damaged_manifest(index: Path, manifest: str) -> None:
    (index / MANIFEST).write_text(manifest)
    with pytest.raises(InputError, match="its manifest is damaged"):
        open_index(index)


def test_another_version(index: Path) -> None:
    manifest = json.loads((index / MANIFEST).read_text())
    (index / MANIFEST).write_text(json.dumps({**manifest, "version": 99}))
    with pytest.raises(InputError, match=r"is an index of version 99, this is 1\. Build it again\."):
        open_index(index)


def test_a_file_that_is_cut_off_or_missing(index: Path) -> None:
    file = index / "positions.bin"
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(InputError, match=r"is damaged: positions\.bin is not 3 bytes long"):
        open_index(index)
    file.unlink()
    with pytest.raises(InputError, match=r"is damaged: positions\.bin"):
        open_index(index)


def test_a_changed_byte_is_found(index: Path) -> None:
    for file in sorted(index.glob("*.bin")):
        content = file.read_bytes()
        if content:
            file.write_bytes(bytes([content[0] ^ 1]) + content[1:])
            assert verify(index) == [file.name]
            file.write_bytes(content)
    assert verify(index) == []


def test_a_killed_build_leaves_no_index(tmp_path: Path) -> None:
    script = (
        "import pathlib\n"
        "from inexlab.index.build import build_index\n"
        "def documents():\n"
        "    for k in range(10**6):\n"
        "        yield f'd{k}', f'd{k}', b'<a>some words</a>'\n"
        "        if k == 20: print('going', flush=True)\n"
        "build_index(documents(), pathlib.Path('index'))\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script], cwd=tmp_path, stdout=subprocess.PIPE, env={**os.environ}
    )
    assert child.stdout is not None
    assert child.stdout.readline().strip() == b"going"
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert not (tmp_path / "index").exists()
    for left in tmp_path.iterdir():
        assert left.name.endswith(".unfinished")
        with pytest.raises(InputError, match="is no index"):
            open_index(left)
    build_index([("a", "a.xml", b"<a>one</a>")], tmp_path / "index", SETTINGS)  # it is not in the way
    assert verify(tmp_path / "index") == []
