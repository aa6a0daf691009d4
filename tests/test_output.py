"""Files out: complete or not at all."""

from __future__ import annotations

import errno
import gzip
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from inexlab.errors import UsageError
from inexlab.index.build import build_index
from inexlab.index.indexing import append_documents
from inexlab.output import new_folder, write_file, write_folder


def failing() -> Iterator[bytes]:
    yield b"half"
    raise RuntimeError("stop")


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    write_file(out, [b"one", b" two"])
    assert out.read_bytes() == b"one two"
    write_file(str(out), [b"three"])
    assert out.read_bytes() == b"three"
    assert list(tmp_path.iterdir()) == [out]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    out.write_bytes(b"old")
    with pytest.raises(RuntimeError):
        write_file(out, failing())
    assert out.read_bytes() == b"old"
    with pytest.raises(RuntimeError):
        write_folder(tmp_path / "folder", iter([("a", [b"whole"]), ("b", failing())]))
    assert list(tmp_path.iterdir()) == [out]


def test_a_file_named_gz_is_compressed_always_alike(tmp_path: Path) -> None:
    one, two = tmp_path / "one.gz", tmp_path / "two.gz"
    for out in (one, two):
        write_file(out, [b"content"])
    assert gzip.decompress(one.read_bytes()) == b"content"
    assert one.read_bytes() == two.read_bytes()


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_file(link, [b"new"])
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", stream)
    write_file("-", [b"a", b"b"])
    assert stream.buffer.getvalue() == b"ab"


def test_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_folder(out, [("a.xml", [b"1", b"2"]), ("b.xml", [])])
    assert {file.name: file.read_bytes() for file in out.iterdir()} == {"a.xml": b"12", "b.xml": b""}
    with pytest.raises(UsageError, match=r"out already exists; give a new or an empty folder"):
        write_folder(out, [])


def test_an_empty_folder_is_as_good_as_none(tmp_path: Path) -> None:
    out, link = tmp_path / "out", tmp_path / "link"
    out.mkdir()
    link.symlink_to(out)
    write_folder(link, [("a", [b"1"])])
    assert link.is_symlink()
    assert (out / "a").read_bytes() == b"1"
    for taken in (tmp_path / "file", tmp_path / "dangling"):
        if taken.name == "file":
            taken.touch()
        else:
            taken.symlink_to(tmp_path / "nowhere")
        with pytest.raises(UsageError, match="already exists"), new_folder(taken):
            pass


@pytest.mark.parametrize(
    ("name", "message"),
    [("missing/out", "cannot be written (No such file or directory)"), ("", "is not a file")],
)
def test_what_cannot_be_written(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        write_file(tmp_path / name, [b"x"])
    assert message in str(caught.value)


def test_a_device_is_never_replaced() -> None:
    with pytest.raises(UsageError, match="/dev/null is not a file"):
        write_file("/dev/null", [b"x"])
    assert Path("/dev/null").is_char_device()


def test_a_folder_is_not_for_standard_output() -> None:
    with pytest.raises(UsageError, match="a folder cannot be written to standard output"):
        write_folder("-", [])


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What is written to the disk, and what is renamed, in their order."""
    happened: list[tuple[str, str]] = []
    fsync, rename, replace = os.fsync, Path.rename, Path.replace

    def synced(number: int) -> None:
        happened.append(("on disk", Path(f"/proc/self/fd/{number}").readlink().name))
        fsync(number)

    def renamed(self: Path, target: Path) -> Path:
        happened.append(("renamed", Path(target).name))
        return rename(self, target)

    def replaced(self: Path, target: Path) -> Path:
        happened.append(("renamed", Path(target).name))
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "rename", renamed)
    monkeypatch.setattr(Path, "replace", replaced)
    return happened


needs_proc = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="asks the system what is open")


@needs_proc
def test_what_is_written_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, events: list[tuple[str, str]]
) -> None:
    write_file(tmp_path / "out.txt", [b"content"])
    assert events == [("on disk", "unfinished"), ("renamed", "out.txt"), ("on disk", tmp_path.name)]
    events.clear()
    write_folder(tmp_path / "folder", [("a", [b"1"]), ("b", [b"2"])])
    assert sorted(events[:2]) == [("on disk", "a"), ("on disk", "b")]
    assert events[2:] == [("on disk", "unfinished"), ("renamed", "folder"), ("on disk", tmp_path.name)]


@needs_proc
def test_so_is_an_index_and_what_replaces_it(tmp_path: Path, events: list[tuple[str, str]]) -> None:
    build_index([("a", "a.xml", b"<a>one</a>")], tmp_path / "index")
    (tmp_path / "b.xml").write_text("<a>two</a>")
    append_documents([tmp_path / "b.xml"], tmp_path / "index")
    files = {path.name for path in (tmp_path / "index" / "2").iterdir()}
    for folder, name in (("1", "index"), ("2", "2")):
        at = events.index(("renamed", name))
        begin = 0 if folder == "1" else events.index(("renamed", "new")) + 2
        assert {what for how, what in events[begin:at]} >= {*files, folder, "manifest.json"}
    assert events[-4:] == [
        ("renamed", "2"),
        ("on disk", "index"),
        ("renamed", "manifest.json"),
        ("on disk", "index"),
    ]


def test_a_disk_that_says_it_is_full_only_in_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "out.txt").write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UsageError, match="cannot be written \\(No space left on device\\)"):
        write_file(tmp_path / "out.txt", [b"new"])
    assert (tmp_path / "out.txt").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]


def test_a_file_system_that_cannot_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(_: int) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(os, "fsync", unknown)
    write_file(tmp_path / "out.txt", [b"new"])
    assert (tmp_path / "out.txt").read_bytes() == b"new"
