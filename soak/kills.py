"""Commands killed at random moments: what they write is there as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from tests.forks import Server, serving

from inexlab.index.index import open_index
from inexlab.index.store import verify
from soak._trial import Result, must_run, run, some

_HANDBOOK = Path(str(files("inexlab") / "handbook"))
_ARTICLES, _TOPICS = str(_HANDBOOK / "articles"), str(_HANDBOOK / "topics.xml")
_QRELS, _RUN = str(_HANDBOOK / "judgements.qrels"), str(sorted((_HANDBOOK / "runs").glob("focused-*"))[0])
_NOTHING = os.open(os.devnull, os.O_RDWR)

Check = Callable[[Path], str]  # says what is wrong


def _whole_index(path: Path) -> str:
    if not path.exists():
        return ""
    wrong = verify(path)
    return f"damaged: {wrong}" if wrong else ""


def _whole_file(expected: bytes) -> Check:
    def check(path: Path) -> str:
        return "" if not path.exists() or path.read_bytes() == expected else "half a file"

    return check


def _grown_index(before: int, after: int) -> Check:
    def check(path: Path) -> str:
        count = len(open_index(path).documents)
        return _whole_index(path) or ("" if count in (before, after) else f"{count} documents")

    return check


def kills(folder: Path, chance: random.Random, share: float) -> Result:
    """Kill each command at random moments, and do it once more in the end, which clears up."""
    with serving() as server:
        return _kills(server, folder, chance, share)


def _kills(server: Server, folder: Path, chance: random.Random, share: float) -> Result:
    failures: list[str] = []
    killed = ended = 0
    (folder / "new").mkdir()
    (folder / "new" / "new.xml").write_text("<article><p>new words</p></article>")
    must_run(server, folder, "index", _ARTICLES, "--out", "one")
    profile = open_index(folder / "one").profile.name
    must_run(server, folder, "index", "new", "--out", "two", "--profile", profile)
    shutil.copytree(folder / "one", folder / "base")
    documents = len(open_index(folder / "one").documents)
    results: tuple[str, ...] = ("evaluate", _QRELS, _RUN, "--out")
    made: tuple[str, ...] = ("run", "one", "--topics", _TOPICS, "--out")
    for arguments in (results, made):
        must_run(server, folder, *arguments, "expected")
    trials: list[tuple[str, tuple[str, ...], Check]] = [
        ("index", ("index", _ARTICLES, "--out", "out"), _whole_index),
        ("index --jobs", ("index", _ARTICLES, "--out", "out", "--jobs", "2"), _whole_index),
        ("append", ("index", "new", "--append", "--out", "out"), _grown_index(documents, documents + 1)),
        ("merge", ("index", "--merge", "one", "two", "--out", "out"), _whole_index),
        ("run", (*made, "out"), _whole_file((folder / "expected").read_bytes())),
    ]
    must_run(server, folder, *results, "expected")
    trials.append(("evaluate", (*results, "out"), _whole_file((folder / "expected").read_bytes())))
    for name, arguments, check in trials:
        takes = _seconds(server, folder, name, arguments)
        for _ in range(some(100, share)):
            _begin_again(folder, name)
            reading, errors = os.pipe()
            streams = (_NOTHING, _NOTHING, errors)
            child = server.start("inexlab", arguments, folder, os.environ, streams)
            os.close(errors)
            moment = chance.uniform(0, takes)
            time.sleep(moment)
            with contextlib.suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGKILL)
            with open(reading, errors="replace") as file:  # noqa: PTH123
                err = file.read()  # to its end, which is that of processes of its own too
            code = child.wait()
            killed += code == -signal.SIGKILL
            ended += code == 0
            wrong = check(folder / "out")
            if wrong or code not in (0, -signal.SIGKILL):
                failures.append(f"{name} after {moment:.2f} s: {wrong} {err[-300:]}")
        time.sleep(0.5)  # processes of a killed one end by themselves
        _begin_again(folder, name)
        last = run(server, folder, *arguments)
        left = [path.name for path in folder.iterdir() if path.name.startswith(".")]
        if last.code or left:
            failures.append(f"{name} in the end: {last.code} {last.err[-300:]} {left}")
    return f"{killed:,} kills of {len(trials)} commands, {ended:,} were quicker", failures


def _begin_again(folder: Path, name: str) -> None:
    out = folder / "out"
    shutil.rmtree(out) if out.is_dir() else out.unlink(missing_ok=True)
    if name == "append":
        shutil.copytree(folder / "base", out)


def _seconds(server: Server, folder: Path, name: str, arguments: tuple[str, ...]) -> float:
    _begin_again(folder, name)
    begin = time.monotonic()
    must_run(server, folder, *arguments)
    return time.monotonic() - begin
