"""Disks that are full and places that cannot be written to: one line, exit code 2, and nothing half."""

from __future__ import annotations

import random
import shutil
from importlib.resources import files
from pathlib import Path

from tests.forks import Server, serving

from soak._trial import Result, run, some

_HANDBOOK = Path(str(files("inexlab") / "handbook"))
_RUN = str(sorted((_HANDBOOK / "runs").glob("focused-*"))[0])
_COMMANDS = (
    ("index", str(_HANDBOOK / "articles"), "--out", "OUT"),
    ("index", str(_HANDBOOK / "articles"), "--out", "OUT", "--jobs", "2"),
    ("index", str(_HANDBOOK / "articles" / ".."), "--out", "OUT", "--profile", "plain"),
    ("evaluate", str(_HANDBOOK / "judgements.qrels"), _RUN, "--out", "OUT"),
    ("convert", _RUN, "--to", "jsonl", "--out", "OUT"),
    ("demo", "--out", "OUT"),
)


def disks(folder: Path, chance: random.Random, share: float) -> Result:
    """Let files end at a random size, and write to where nobody can."""
    with serving() as server:
        return _disks(server, folder, chance, share)


def _disks(server: Server, folder: Path, chance: random.Random, share: float) -> Result:
    failures: list[str] = []
    count = full = 0
    for _ in range(some(10, share)):
        for arguments in _COMMANDS:
            count += 1
            limit = int(2 ** chance.uniform(0, 14))
            done = run(
                server,
                folder,
                *(word.replace("OUT", "out") for word in arguments),
                before=f"import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))",
            )
            left = sorted(path.name for path in folder.iterdir() if path.name != "out")
            if done.code == 0:
                _remove(folder / "out")
                left = []
            else:
                full += 1
            lines = done.err.splitlines()
            if done.code not in (0, 2) or "Traceback" in done.err or left or (folder / "out").exists():
                failures.append(f"{arguments} with {limit} bytes: {done.code} {lines[-3:]} {left}")
    for arguments in _COMMANDS:
        count += 1
        done = run(server, folder, *(word.replace("OUT", "/proc/1/nothing/out") for word in arguments))
        if done.code != 2 or "Traceback" in done.err or len(done.err.splitlines()) != 1:
            failures.append(f"{arguments} to /proc: {done.code} {done.err[-300:]}")
    return f"{count:,} commands, {full:,} on a full disk", failures


def _remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
