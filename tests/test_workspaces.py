"""Workspaces: none is removed that is in use, none stays that is not."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from inexlab import workspaces
from inexlab.output import write_file
from inexlab.workspaces import clean_up, is_workspace, workspace


def test_it_is_there_and_then_it_is_not(tmp_path: Path) -> None:
    with workspace(tmp_path, ".w.") as space:
        (space / "folder").mkdir()
        (space / "folder" / "file").write_text("x")
        clean_up(tmp_path, ".w.")  # which another process would do
        assert (space / "folder" / "file").exists()
        assert is_workspace(space.name, ".w.")
    assert list(tmp_path.iterdir()) == []


def test_what_was_killed_before_it_had_a_lock(tmp_path: Path) -> None:
    for name, file in ((".w.abcdefgh.unfinished", ""), (".w.01234567.unfinished", "lock")):
        (tmp_path / name).mkdir()
        if file:
            (tmp_path / name / file).touch()
    kept = [
        ".w.abc.12345678.unfinished",
        ".v.abcdefgh.unfinished",
        "w.abcdefgh.unfinished",
        ".w.short.unfinished",
    ]
    for name in kept:
        (tmp_path / name).mkdir()
    clean_up(tmp_path, ".w.")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)


def test_somebody_clears_up_just_when_it_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, real = [], tempfile.mkdtemp

    def mkdtemp(prefix: str, suffix: str, dir: Path) -> str:
        folder: str = real(prefix=prefix, suffix=suffix, dir=dir)
        made.append(folder)
        if len(made) == 1:
            clean_up(tmp_path, ".w.")
        return folder

    monkeypatch.setattr(tempfile, "mkdtemp", mkdtemp)
    with workspace(tmp_path, ".w.") as space:
        assert [str(space)] == made[1:]
    assert list(tmp_path.iterdir()) == []


def test_somebody_has_the_lock_before_whoever_made_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([False, True])
    monkeypatch.setattr(workspaces, "lock", lambda _: next(answers))
    with workspace(tmp_path, ".w.") as space:
        assert len(list(tmp_path.iterdir())) == 2  # one of them is for somebody else to remove
        assert space.exists()


def test_a_file_written_after_another_process_was_killed_while_writing(tmp_path: Path) -> None:
    script = (
        "import os\n"
        "from inexlab.output import write_file\n"
        "def pieces():\n"
        "    yield b'half'\n"
        "    os.kill(os.getpid(), 9)\n"
        "write_file('out.txt', pieces())\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=False)
    (left,) = tmp_path.iterdir()
    assert is_workspace(left.name, ".inexlab-")
    write_file(tmp_path / "out.txt", [b"whole"])
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]


def test_the_longest_names(tmp_path: Path) -> None:
    from inexlab.index.build import build_index
    from inexlab.index.store import verify

    name = "é" * 127
    assert len(os.fsencode(name)) == 254
    build_index([("a", "a.xml", b"<a>one</a>")], tmp_path / name)
    assert verify(tmp_path / name) == []
    write_file(tmp_path / f"x{name}", [b"content"])
    assert sorted(len(os.fsencode(path.name)) for path in tmp_path.iterdir()) == [254, 255]
