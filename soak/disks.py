"""Disks that are full and places that cannot be written to: one line, exit code 2, and nothing half."""

from __future__ import annotations

import functools
import random
import resource
import shutil
from importlib.resources import files
from pathlib import Path

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
    failures: list[str] = []
    count = full = 0
    for _ in range(some(10, share)):
        for arguments in _COMMANDS:
            count += 1
            limit = int(2 ** chance.uniform(0, 14))
            done = run(
                folder,
                *(word.replace("OUT", "out") for word in arguments),
                preexec_fn=functools.partial(resource.setrlimit, resource.RLIMIT_FSIZE, (limit, limit)),
            )
            left = sorted(path.name for path in folder.iterdir() if path.name != "out")
            if done.returncode == 0:
                _remove(folder / "out")
                left = []
            else:
                full += 1
            lines = done.stderr.splitlines()
            if (
                done.returncode not in (0, 2)
                or "Traceback" in done.stderr
                or left
                or (folder / "out").exists()
            ):
                failures.append(f"{arguments} with {limit} bytes: {done.returncode} {lines[-3:]} {left}")
    for arguments in _COMMANDS:
        count += 1
        done = run(folder, *(word.replace("OUT", "/proc/1/nothing/out") for word in arguments))
        if done.returncode != 2 or "Traceback" in done.stderr or len(done.stderr.splitlines()) != 1:
            failures.append(f"{arguments} to /proc: {done.returncode} {done.stderr[-300:]}")
    return f"{count:,} commands, {full:,} on a full disk", failures


def _remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
