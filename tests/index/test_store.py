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
from inexlab.index.store import CONTENT, MANIFEST, files_folder, lock, verify
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
    with pytest.raises(InputError, match="is not an index: it has no manifest"):
        open_index(tmp_path)


@pytest.mark.parametrize("manifest", ["", "{", "[]", '{"format": "other"}', '{"format": "inexlab index"}'])
def test_a_damaged_manifest(index: Path, manifest: str) -> None:
    (index / MANIFEST).write_text(manifest)
    with pytest.raises(InputError, match="its manifest is damaged"):
        open_index(index)


def test_another_version(index: Path) -> None:
    manifest = json.loads((index / MANIFEST).read_text())
    (index / MANIFEST).write_text(json.dumps({**manifest, "version": 99}))
    with pytest.raises(InputError, match=r"is an index of version 99, and this is inexlab for version 5\."):
        open_index(index)


def test_a_manifest_of_which_one_digit_was_changed(index: Path) -> None:
    content = index / "1" / CONTENT
    assert '"tokens": 3' in content.read_text()
    content.write_text(content.read_text().replace('"tokens": 3', '"tokens": 4'))
    with pytest.raises(InputError, match="its manifest is damaged"):
        open_index(index)


def test_files_that_cannot_be_read(index: Path) -> None:
    (index / MANIFEST).unlink()
    (index / MANIFEST).mkdir()
    with pytest.raises(InputError, match=r"manifest\.json: cannot be read \(Is a directory\)"):
        open_index(index)


def test_a_file_that_is_cut_off_or_missing(index: Path) -> None:
    file = files_folder(index) / "positions.bin"
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(InputError, match=r"is damaged: positions\.bin is not 3 bytes long"):
        open_index(index)
    file.unlink()
    with pytest.raises(InputError, match=r"is damaged: positions\.bin"):
        open_index(index)


def test_a_changed_byte_is_found(index: Path) -> None:
    for file in sorted(files_folder(index).glob("*.bin")):
        content = file.read_bytes()
        if content:
            file.write_bytes(bytes([content[0] ^ 1]) + content[1:])
            assert verify(index) == [file.name]
            file.write_bytes(content)
    assert verify(index) == []


def test_all_that_is_damaged_is_named(index: Path) -> None:
    (files_folder(index) / "positions.bin").write_bytes(b"")
    (files_folder(index) / "text.bin").unlink()
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
            with pytest.raises(InputError, match="is not an index"):
                open_index(left)
        build_index([("a", "a.xml", b"<a>one</a>")], tmp_path / "index", SETTINGS)
        assert verify(tmp_path / "index") == []
        (of_the_living,) = hidden(tmp_path)
        assert (of_the_living / "index" / "1" / "text.bin").exists()
        build_index([("a", "a.xml", b"<a>one</a>")], tmp_path / "inde", SETTINGS)  # another name
        assert hidden(tmp_path) == [of_the_living]


@pytest.mark.parametrize("step", ["rename", "replace"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_killed_while_replacing_an_index(
    index: Path, tmp_path: Path, number: signal.Signals, step: str
) -> None:
    """Once before, once after the step in which the manifest takes the place of the old one."""
    script = (
        "import os, pathlib, signal\n"
        "from inexlab.index.indexing import append_documents\n"
        f"step = pathlib.Path.{step}\n"
        "def once(self, target):\n"
        "    step(self, target)\n"
        "    if pathlib.Path(target).parent.name == 'index':\n"
        f"        os.kill(os.getpid(), {int(number)})\n"
        f"pathlib.Path.{step} = once\n"
        "append_documents(['b.xml'], 'index')\n"
    )
    (tmp_path / "b.xml").write_text("<a>four</a>")
    (tmp_path / "c.xml").write_text("<a>five</a>")
    with python(script, tmp_path) as killed:
        assert killed.wait() == -number
    now = ["a"] if step == "rename" else ["a", "b"]
    assert list(open_index(index).documents) == now
    assert verify(index) == []
    append_documents([tmp_path / "c.xml"], index)  # which removes what was left
    assert list(open_index(index).documents) == [*now, "c"]
    assert sorted(path.name for path in index.iterdir()) == sorted([files_folder(index).name, MANIFEST])
    assert hidden(tmp_path) == []


def test_an_open_index_stays_as_it_is(index: Path, tmp_path: Path) -> None:
    (tmp_path / "b.xml").write_text("<a>four</a>")
    before = open_index(index)
    append_documents([tmp_path / "b.xml"], index)
    assert [before.text(0), *before.terms, *before.documents] == ["one two three", "one", "three", "two", "a"]
    assert before.positions(before.term("three")).tolist() == [2]
    assert before.columns["tag"].tolist() == [0, 1]
    assert list(open_index(index).documents) == ["a", "b"]


def test_reading_while_another_process_replaces_the_index(index: Path, tmp_path: Path) -> None:
    script = (
        "import pathlib\n"
        "from inexlab.index.indexing import append_documents\n"
        "print('going', flush=True)\n"
        "for k in range(30):\n"
        "    pathlib.Path(f'n{k}.xml').write_text('<a>four</a>')\n"
        "    append_documents([f'n{k}.xml'], 'index')\n"
    )
    seen = []
    with python(script, tmp_path) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        while writer.poll() is None:
            opened = open_index(index)
            assert opened.text(len(opened.documents) - 1) in ("one two three", "four")
            seen.append(len(opened.documents))
    assert writer.returncode == 0
    assert seen == sorted(seen)
    assert len(set(seen)) > 2
    assert len(open_index(index).documents) == 31


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
    term = files_folder(index) / "term-elements.bin"
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
