"""How far long work is: who does it reports, and who wants to know watches.

A function that may take seconds reports its steps with `report`, or passes what it goes through on with
`reporting`. Nothing is printed here, and nobody need be told: where nobody watches, a report costs next to
nothing. Only the thread that watches is told; what other threads and processes do, an executor reports.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from typing import NamedTuple, TypeVar

T = TypeVar("T")

BYTES = "bytes"


class ProgressStep(NamedTuple):
    """What is being done, how much of it is done, of how much (0: nobody knows), and what is counted."""

    doing: str
    done: int
    of: int = 0
    what: str = ""


Progress = Callable[[ProgressStep], object]

_watcher: ContextVar[Progress | None] = ContextVar("watcher", default=None)


@contextlib.contextmanager
def watching(progress: Progress) -> Iterator[None]:
    """Tell a function about the steps of whatever is done in this `with`, in this thread.

    A step says what is done, how much of it, of how much (0 where nobody knows), and what is counted.

    >>> import inexlab
    >>> with inexlab.watching(print):
    ...     made = inexlab.make_run("demo/index", {"q1": "pooling", "q2": "overlap"}, limit=5)
    ProgressStep(doing='searching', done=0, of=2, what='topics')
    ProgressStep(doing='searching', done=1, of=2, what='topics')
    ProgressStep(doing='searching', done=2, of=2, what='topics')
    """
    before = _watcher.set(progress)
    try:
        yield
    finally:
        _watcher.reset(before)


def watcher() -> Progress | None:
    """Return who watches, if somebody does."""
    return _watcher.get()


def report(doing: str, done: int, of: int = 0, what: str = "") -> None:
    """Tell whoever watches how far something is."""
    tell = _watcher.get()
    if tell is not None:
        tell(ProgressStep(doing, done, of, what))


def reporting(things: Sequence[T], doing: str, what: str) -> Iterator[T]:
    """Pass things on, and report how many of them are done.

    >>> with watching(print):
    ...     for run in reporting(["a", "b"], "scoring", "runs"): pass
    ProgressStep(doing='scoring', done=0, of=2, what='runs')
    ProgressStep(doing='scoring', done=1, of=2, what='runs')
    ProgressStep(doing='scoring', done=2, of=2, what='runs')
    """
    for done, thing in enumerate(things):
        report(doing, done, len(things), what)
        yield thing
    report(doing, len(things), len(things), what)
