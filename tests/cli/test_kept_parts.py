"""Whatever ends a build in parts, those that are finished stay, and the command says so."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

import inexlab
from inexlab.index.index import open_index
from tests.cli.test_endings import start

ENDED_AFTER_TWO = """
import os, signal
from inexlab.index import sharding
build, built = sharding.build_shard, []
def build_shard(*arguments):
    if len(built) == 2:
        os.kill(os.getpid(), signal.{signal})
    built.append(1)
    return build(*arguments)
sharding.build_shard = build_shard
"""

ENDED_WHILE_PARTS_ARE_MOVED = """
import os, signal
from pathlib import Path
rename, moved = Path.rename, []
def end(self, target):
    at = Path(target)
    if at.parent.name == ".joined" or self.name == ".joined":
        if len(moved) == {count}:
            {how}
        moved.append(1)
    return rename(self, target)
Path.rename = end
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    for k in range(6):
        (tmp_path / "docs" / f"d{k}.xml").write_text(f"<article><p>bee w{k}</p></article>")
    return tmp_path


def build(folder: Path, before: str) -> tuple[int, str]:
    """Build an index of four shards; return the exit code and standard error."""
    arguments = ("index", "docs", "--out", "out", "--shards", "4")
    with start(folder, *arguments, before=before, stdout=subprocess.DEVNULL) as child:
        _, errors = child.communicate(timeout=120)
    return child.returncode, errors.decode()


def ids(folder: Path) -> dict[int, int]:
    """Return which folders are the parts."""
    found = (path for path in (folder / "out.parts").rglob("*") if (path / "manifest.json").exists())
    return {path.stat().st_ino: path.stat().st_mtime_ns for path in found if path.name != ".joined"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_what_is_finished_and_says_so(folder: Path, number: signal.Signals) -> None:
    code, errors = build(folder, ENDED_AFTER_TWO.format(signal=number.name))
    interrupted = "interrupted. " if number == signal.SIGINT else ""
    kept = f"2 of 4 parts are done, in {folder / 'out.parts'}: the same command goes on from there."
    assert (code, errors) == (128 + number, f"inexlab: {interrupted}{kept}\n")


@pytest.mark.parametrize(
    ("count", "how", "code", "kept"),
    [
        (2, "os.kill(os.getpid(), signal.SIGKILL)", -9, True),
        (4, "os.kill(os.getpid(), signal.SIGKILL)", -9, True),
        (4, "raise OSError(28, 'No space left on device')", 2, True),
        (2, "os.kill(os.getpid(), signal.SIGTERM)", 143, False),  # all of them are moved first
    ],
)
def test_parts_are_not_lost_while_they_are_moved(
    folder: Path, monkeypatch: pytest.MonkeyPatch, count: int, how: str, code: int, kept: bool
) -> None:
    monkeypatch.chdir(folder)
    found, errors = build(folder, ENDED_WHILE_PARTS_ARE_MOVED.format(count=count, how=how))
    assert (found, "Traceback" in errors) == (code, False)
    assert (folder / "out").exists() is not kept
    assert (folder / "out.parts").exists() is kept
    if kept:
        before = ids(folder)
        assert len(before) == 4
        if code == 2:
            assert "out cannot be written (No space left on device). 4 of 4 parts are done, in" in errors
        inexlab.build_index("docs", "out", shards=4)
        assert {(folder / "out" / str(k)).stat().st_ino for k in range(4)} == set(before)
    assert sorted(path.name for path in folder.iterdir()) == ["docs", "out"]
    assert len(open_index("out").documents) == 6
