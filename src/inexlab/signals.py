"""Termination signals (Ctrl-C, `kill`, a closed terminal): handled where it is safe to raise an exception.

Python runs a signal handler between two bytecodes of the main thread. An exception raised from a handler
inside numba's own code crashes the process, so signals are deferred there.
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
_ENDING = tuple(map(int, ENDING))  # every kernel asks for their handlers: a plain number is sooner read

_holding = 0  # active functions in the main thread that defer signals; handlers run in no other thread
_pending: list[tuple[Handler, int]] = []


class DeferringHandler:
    """A signal handler that is deferred while signals are held."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler

    def __call__(self, number: int, frame: types.FrameType | None) -> None:
        """Handle the signal now, or queue it."""
        if _holding:
            _pending.append((self._handler, number))
        else:
            self._handler(number, frame)


def holding_signals(function: Callable[P, R]) -> Callable[P, R]:
    """Wrap a function so that signal handlers run after it, not inside it."""

    @functools.wraps(function)
    def hold(*args: P.args, **kwargs: P.kwargs) -> R:
        if threading.current_thread() is not threading.main_thread():
            return function(*args, **kwargs)
        changed = _hold()
        try:
            return function(*args, **kwargs)
        finally:
            _release(changed)

    return hold


def _hold() -> list[tuple[int, Handler]]:
    """Defer signals; return the handlers that were replaced for it."""
    global _holding  # noqa: PLW0603 - there is one main thread
    changed = _make_deferring()
    _holding += 1
    return changed


def _make_deferring() -> list[tuple[int, Handler]]:
    """Replace handlers that cannot be deferred; return them."""
    changed = []
    for number in _ENDING:
        handler = _signal.getsignal(number)
        if type(handler) is not DeferringHandler and callable(handler):
            _signal.signal(number, DeferringHandler(handler))
            changed.append((number, handler))
    return changed


def _release(changed: list[tuple[int, Handler]]) -> None:
    """Handle what came meanwhile."""
    global _holding  # noqa: PLW0603
    _holding -= 1
    for number, handler in changed:
        _signal.signal(number, handler)
    if _pending and not _holding:
        pending = _pending.copy()
        _pending.clear()
        for chosen, number in pending:
            chosen(number, None)


@contextlib.contextmanager
def ready_to_hold() -> Iterator[None]:
    """Replace handlers once, where signals will be held again and again: each time takes no more than a look.

    Whoever sets another handler meanwhile keeps it.
    """
    in_main = threading.current_thread() is threading.main_thread()
    changed = _make_deferring() if in_main else []
    try:
        yield
    finally:
        for number, handler in changed:
            if type(_signal.getsignal(number)) is DeferringHandler:
                _signal.signal(number, handler)


class Terminated(SystemExit):
    """A termination signal was received: not an error, and not to be caught; cleanup runs on the way out."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number


@contextlib.contextmanager
def raising_terminated() -> Iterator[None]:
    """Raise `Terminated` on the first termination signal; later ones do not interrupt the cleanup.

    Handlers that are not the defaults are kept: under `nohup` a closed terminal ends nothing.
    """
    received = False

    def end(number: int, _frame: object) -> None:
        nonlocal received
        if not received:
            received = True
            raise Terminated(number)

    defaults = (signal.SIG_DFL, signal.default_int_handler)
    before = {number: signal.getsignal(number) for number in ENDING}
    mine = [number for number, handler in before.items() if handler in defaults]
    if threading.current_thread() is not threading.main_thread():
        mine = []
    for number in mine:
        signal.signal(number, DeferringHandler(end))
    try:
        yield
    finally:
        for number in mine:
            signal.signal(number, before[number])


@contextlib.contextmanager
def ignoring_ctrl_c_in_children() -> Iterator[None]:
    """Start processes that ignore Ctrl-C: their parent terminates them.

    It is deferred here, too: another thread may receive it, and a process that is being started complains if
    its parent does not tell it all that it needs.
    """
    in_main = threading.current_thread() is threading.main_thread()
    changed = _hold() if in_main else []
    masks = hasattr(signal, "pthread_sigmask")
    if masks:
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()  # whoever starts it is sent signals again, and so are its children
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masks else set()
    try:
        yield
    finally:
        if masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if in_main:
            _release(changed)
