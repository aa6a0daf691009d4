"""Tasks for executors: functions of a module, so that other processes find them."""

from __future__ import annotations

import errno
import functools
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from pathlib import Path
from typing import Any

from inexlab.collection.archives import Fetch
from inexlab.collection.documents import Documents
from inexlab.errors import InputError
from inexlab.executors import Executor, SpreadTask
from inexlab.index.sharding import build_shard


def square(number: int) -> int:
    """Return a square; 13 is a mistake of the user."""
    if number == 13:
        raise InputError("13 brings bad luck", file="numbers.txt", line=2, fix="Take another.")
    return number * number


class OddError(Exception):
    """An error that can be sent, but not be read again: that takes one argument."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def fill_the_disk() -> None:
    """Fail as on a disk that is full."""
    raise OSError(errno.ENOSPC, "No space left on device", "index.bin")


def mistake(file: str, seconds: float) -> None:
    """Find a mistake of the user after some time."""
    time.sleep(seconds)
    raise InputError("cannot be read", file=file)


def fail_oddly() -> None:
    """Fail with an error that cannot be sent."""
    raise OddError(1, 2)


def deadly(count: str, times: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Kill this process the first so many times; then work. `count` is a file with a mark for every death."""
    with Path(count).open("ab+") as file:
        file.seek(0)
        if len(file.read()) < times:
            file.write(b"x")
            file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
    return function(*arguments)


class DeadlyDocuments(Documents):
    """Documents of which one kills the process that reads it, the first so many times."""

    count = ""
    times = number = 0

    def __iter__(self) -> Iterator[tuple[str, str, Fetch]]:
        """Yield documents; to fetch one of them is deadly."""
        for number, (id, name, fetch) in enumerate(super().__iter__()):
            kill = functools.partial(deadly, self.count, self.times, fetch, ())
            yield id, name, kill if number == self.number else fetch


class KilledInTheMiddle(Executor):
    """Another executor, but that the workers of one part are killed again and again while they build it."""

    def __init__(self, executor: Executor, folder: Path, times: int, number: int) -> None:
        self.executor, self.folder, self.times, self.number = executor, folder, times, number
        self.workers = executor.workers

    def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
        """Run tasks; of those that build parts one is deadly."""
        changed = list(tasks)
        task = changed[self.number]
        if task.function is build_shard:
            documents = copy(task.arguments[0])
            documents.__class__ = DeadlyDocuments
            documents.count, documents.times = str(self.folder / "deaths-0"), self.times
            documents.number = task.arguments[1].last - 1
            changed[self.number] = task._replace(arguments=(documents, *task.arguments[1:]))
        yield from self.executor.completed(changed)


def pause(file: str, seconds: float) -> None:
    """Leave a mark in a file, and wait."""
    with Path(file).open("ab") as marks:
        marks.write(b"x")
    time.sleep(seconds)


def deadly_beside(mark: str, count: str, times: int, number: int) -> int:
    """Return a square, but be deadly when somebody else has begun to leave marks."""
    while not Path(mark).exists():
        time.sleep(0.01)
    found: int = deadly(count, times, square, (number,))
    return found


def deaths(folder: Path) -> int:
    """Return how many processes died."""
    return sum(len(file.read_bytes()) for file in folder.glob("deaths-*"))


def allow_failures(count: int, dask_scheduler: Any = None) -> None:
    """Have a scheduler allow so many deaths of workers to a task."""
    dask_scheduler.allowed_failures = count


class Murderous(Executor):
    """Another executor, but that some tasks kill their workers again and again before they work."""

    def __init__(self, executor: Executor, folder: Path, times: int, every: int = 1) -> None:
        self.executor, self.folder, self.times, self.every = executor, folder, times, every
        self.workers = executor.workers
        self._seen = 0

    def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
        """Run tasks, every so many of them after some deaths."""
        changed = []
        for task in tasks:
            file = str(self.folder / f"deaths-{self._seen}")
            times = 0 if self._seen % self.every else self.times
            arguments = (file, times, task.function, task.arguments)
            changed.append(task._replace(function=deadly, arguments=arguments))
            self._seen += 1
        yield from self.executor.completed(changed)
