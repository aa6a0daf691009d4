"""Requests to end (Ctrl-C, `kill`, a closed terminal): heard between steps, never in the midst of one.

Python runs the handler of a signal between two steps of whatever the main thread does. An exception from a
handler in the midst of numba's own work ends in a crash, so that is where signals wait.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found] # what `signal` wraps, without turning numbers into names
import contextlib
import functools
import signal
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

Handler = Callable[[int, types.FrameType | None], Any]

ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

_holding = 0  # functions in the main thread that hold signals; handlers run in no other thread
_heard: list[tuple[Handler, int]] = []


class Deferring:
    """A handler of a signal that waits while signals are held."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler

    def __call__(self, number: int, frame: types.FrameType | None) -> None:
        """Handle the signal, or make a note of it."""
        if _holding:
            _heard.append((self._handler, number))
        else:
            self._handler(number, frame)


def holding_signals(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function in which no handler of a signal runs: it runs right after it."""

    @functools.wraps(function)
    def hold(*args: P.args, **kwargs: P.kwargs) -> R:
        global _holding  # noqa: PLW0603 - there is one main thread
        if threading.current_thread() is not threading.main_thread():
            return function(*args, **kwargs)
        handlers = [(number, _signal.getsignal(number)) for number in ENDING]
        changed = [(n, h) for n, h in handlers if callable(h) and not isinstance(h, Deferring)]
        for number, handler in changed:
            _signal.signal(number, Deferring(handler))
        _holding += 1
        try:
            return function(*args, **kwargs)
        finally:
            _holding -= 1
            for number, handler in changed:
                _signal.signal(number, handler)
            if _heard and not _holding:
                heard = _heard.copy()
                _heard.clear()
                for chosen, number in heard:
                    chosen(number, None)

    return hold


class Ended(SystemExit):
    """A request to end, which is not an error, and is not to be caught; what was begun is cleared away."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number


@contextlib.contextmanager
def ending_in_order() -> Iterator[None]:
    """Let requests to end raise `Ended`, the first one only: nothing disturbs the clearing away.

    What somebody else has chosen stays: under `nohup` a closed terminal ends nothing.
    """
    asked = False

    def end(number: int, _frame: object) -> None:
        nonlocal asked
        if not asked:
            asked = True
            raise Ended(number)

    defaults = (signal.SIG_DFL, signal.default_int_handler)
    before = {number: signal.getsignal(number) for number in ENDING}
    mine = [number for number, handler in before.items() if handler in defaults]
    if threading.current_thread() is not threading.main_thread():
        mine = []
    for number in mine:
        signal.signal(number, Deferring(end))
    try:
        yield
    finally:
        for number in mine:
            signal.signal(number, before[number])


@contextlib.contextmanager
def deaf_children() -> Iterator[None]:
    """Let processes that are started in here not hear Ctrl-C: whoever started them tells them to end."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
