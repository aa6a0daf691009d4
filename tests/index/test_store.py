"""An index on disk: what is damaged, of another version or no index at all is refused."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from inexlab.errors import InputError
from inexlab.index.build import build_index
from inexlab.index.index import open_index
from inexlab.index.indexing import append_documents
from inexlab.index.merge import merge_indexes
from inexlab.index.store import MANIFEST, lock, verify
from tests.index.test_build import SETTINGS
from tests.processes import hearing_signals


@contextlib.contextmanager
def python(script: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    with hearing_signals():
        started = subprocess.Popen([sys.executable, "-c", script], cwd=folder, stdout=subprocess.PIPE)
    with started as child:
        try:
            yield child
        finally:
            child.kill()


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
    with pytest.raises(InputError, match=r"is an index of version 99, and this is inexlab for version 2\."):
        open_index(index)


def test_a_manifest_of_which_one_digit_was_changed(index: Path) -> None:
    manifest = (index / MANIFEST).read_text()
    (index / MANIFEST).write_text(manifest.replace('"tokens": 3', '"tokens": 4'))
    with pytest.raises(InputError, match="its manifest is damaged"):
        open_index(index)


def test_files_that_cannot_be_read(index: Path) -> None:
    (index / MANIFEST).unlink()
    (index / MANIFEST).mkdir()
    with pytest.raises(InputError, match=r"manifest\.json: cannot be read \(Is a directory\)"):
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


def test_all_that_is_damaged_is_named(index: Path) -> None:
    (index / "positions.bin").write_bytes(b"")
    (index / "text.bin").unlink()
    assert verify(index) == ["positions.bin", "text.bin"]


def hidden(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name.startswith(".")]


def test_what_killed_builds_leave_is_no_index_and_the_next_build_removes_it(tmp_path: Path) -> None:
    script = (
        "import pathlib, time\n"
        "from inexlab.index.build import build_index\n"
        "def documents():\n"
        "    yield 'd', 'd', b'<a>some words</a>'\n"
        "    print('going', flush=True)\n"
        "    time.sleep(600)\n"
        "build_index(documents(), pathlib.Path('index'))\n"
    )
    with python(script, tmp_path) as killed, python(script, tmp_path) as living:
        for child in (killed, living):
            assert child.stdout is not None
            assert child.stdout.readline().strip() == b"going"
        assert len(hidden(tmp_path)) == 2
        killed.kill()
        killed.wait()
        assert not (tmp_path / "index").exists()
        for left in hidden(tmp_path):
            with pytest.raises(InputError, match="is no index"):
                open_index(left)
        build_index([("a", "a.xml", b"<a>one</a>")], tmp_path / "index", SETTINGS)
        assert verify(tmp_path / "index") == []
        (of_the_living,) = hidden(tmp_path)
        assert (of_the_living / "index" / "text.bin").exists()
        build_index([("a", "a.xml", b"<a>one</a>")], tmp_path / "inde", SETTINGS)  # another name
        assert hidden(tmp_path) == [of_the_living]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_killed_between_the_two_steps_of_replacing_an_index(
    index: Path, tmp_path: Path, number: signal.Signals
) -> None:
    script = (
        "import os, pathlib, signal\n"
        "from inexlab.index.indexing import append_documents\n"
        "rename = pathlib.Path.rename\n"
        "def once(self, target):\n"
        "    rename(self, target)\n"
        "    if self.name == 'index' and target.name == 'replaced':\n"
        f"        os.kill(os.getpid(), {int(number)})\n"
        "pathlib.Path.rename = once\n"
        "append_documents(['b.xml'], 'index')\n"
    )
    (tmp_path / "b.xml").write_text("<a>four</a>")
    with python(script, tmp_path) as killed:
        assert killed.wait() == -number
    assert index.exists() == (number == signal.SIGINT)  # which can be dealt with at once
    assert list(open_index(index).documents) == ["a"]
    assert verify(index) == []
    assert hidden(tmp_path) == []


def test_two_that_add_to_an_index_at_once(index: Path, tmp_path: Path) -> None:
    (tmp_path / "b.xml").write_text("<a>four</a>")
    with (index / MANIFEST).open("rb") as manifest:
        assert lock(manifest)
        with pytest.raises(InputError, match="is being added to by another process"):
            append_documents([tmp_path / "b.xml"], index)
    append_documents([tmp_path / "b.xml"], index)
    assert list(open_index(index).documents) == ["a", "b"]


def test_damage_is_not_merged(index: Path, tmp_path: Path) -> None:
    build_index([("b", "b.xml", b"<a>four</a>")], tmp_path / "other", SETTINGS)
    term = index / "term-elements.bin"
    term.write_bytes(bytes([term.read_bytes()[0] ^ 1]) + term.read_bytes()[1:])
    with pytest.raises(InputError, match=r"index: is damaged: term-elements\.bin"):
        merge_indexes([tmp_path / "other", index], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_where_files_cannot_be_locked(index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_file: object, _operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", fails)
    (tmp_path / "b.xml").write_text("<a>four</a>")
    append_documents([tmp_path / "b.xml"], index)
    assert list(open_index(index).documents) == ["a", "b"]
    assert hidden(tmp_path) == []
