"""Files out: complete or not at all."""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from inexlab.errors import UsageError
from inexlab.output import write_file, write_folder


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
    with pytest.raises(UsageError, match=r"out is there already; name a new folder"):
        write_folder(out, [])


@pytest.mark.parametrize(
    ("name", "said"),
    [("missing/out", "cannot be written (No such file or directory)"), ("", "is no file")],
)
def test_what_cannot_be_written(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        write_file(tmp_path / name, [b"x"])
    assert said in str(caught.value)


def test_a_device_is_never_replaced() -> None:
    with pytest.raises(UsageError, match="/dev/null is no file"):
        write_file("/dev/null", [b"x"])
    assert Path("/dev/null").is_char_device()


def test_a_folder_is_not_for_standard_output() -> None:
    with pytest.raises(UsageError, match="a folder cannot be written to standard output"):
        write_folder("-", [])
