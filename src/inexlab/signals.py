"""Termination signals (Ctrl-C, `kill`, a closed terminal): handled where it is safe to raise an exception.

Python runs a signal handler between two bytecodes of the main thread. An exception raised from a handler
inside numba's own code crashes the process, so signals are deferred there.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found] # what `signal` wraps, without turning numbers into names
import _thread
import contextlib
import functools
import signal
import sys
import threading
import time
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

Handler = Callable[[int, types.FrameType | None], Any]

ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_ENDING = tuple(map(int, ENDING))  # every kernel asks for their handlers: a plain number is sooner read

_SOON = 0.05  # seconds until a signal that came to nothing is sent again

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


@contextlib.contextmanager
def held_signals() -> Iterator[None]:
    """Let signal handlers run when some steps are done that belong together."""
    in_main = threading.current_thread() is threading.main_thread()
    changed = _hold() if in_main else []
    try:
        yield
    finally:
        if in_main:
            _release(changed)


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


class _Ending:
    """A signal handler that raises `Terminated`, and again if that came to nothing.

    Python runs a handler wherever it happens to be. In a finaliser, or what is called by the garbage
    collector, an exception is dropped; other code catches whatever comes. As long as the exception is on its
    way it is referred to, and other signals do not disturb the cleanup. If it is gone, and nobody was ended
    by it, the signal is sent once more, until it comes where an exception gets through.
    """

    def __init__(self) -> None:
        self.active = True
        self.lost = 0  # the number of a signal whose exception was dropped
        self._raised: weakref.ref[Terminated] | None = None

    def __call__(self, number: int, _frame: object) -> None:
        if self._raised is None:
            raise self._of(number)

    def _of(self, number: int) -> Terminated:
        self.lost = 0
        ended = Terminated(number)
        self._raised = weakref.ref(ended, lambda _: self._drop(number))
        return ended

    def take(self) -> None:
        """Whoever caught the exception has ended what was to be ended."""
        self._raised = None

    def _drop(self, number: int) -> None:
        """Send a signal again; not here, from where nothing can be raised."""
        self._raised = None
        if self.active:
            self.lost = number
            with contextlib.suppress(RuntimeError):  # no more threads: the next signal ends this
                # without locks, unlike `Thread`: whoever was interrupted may hold them
                _thread.start_new_thread(self._send, (number,))

    def _send(self, number: int) -> None:
        time.sleep(_SOON)
        if not (self.active and self.lost):
            return
        if hasattr(signal, "pthread_kill"):  # which wakes it up, too
            signal.pthread_kill(threading.main_thread().ident or 0, number)
        else:
            _thread.interrupt_main(signal.Signals(number))

    def close(self) -> None:
        """Raise from now on nothing but what was dropped a moment ago."""
        self.active = False
        if self.lost:
            raise self._of(self.lost)


_ending: _Ending | None = None  # of this process


@contextlib.contextmanager
def raising_terminated() -> Iterator[None]:
    """Raise `Terminated` on the first termination signal; later ones do not interrupt the cleanup.

    Handlers that are not the defaults are kept: under `nohup` a closed terminal ends nothing.
    """
    global _ending  # noqa: PLW0603 - of the one main thread
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    defaults = (signal.SIG_DFL, signal.default_int_handler)
    before = {number: signal.getsignal(number) for number in ENDING}
    mine = [number for number, handler in before.items() if handler in defaults]
    outer, _ending = _ending, _Ending()
    end, hook = _ending, sys.unraisablehook

    def say(dropped: sys.UnraisableHookArgs) -> None:
        if not isinstance(dropped.exc_value, Terminated):
            hook(dropped)

    sys.unraisablehook = say
    for number in mine:
        signal.signal(number, DeferringHandler(end))
    try:
        yield
        end.close()
    finally:
        end.active = False
        for number in mine:
            signal.signal(number, before[number])
        sys.unraisablehook = hook
        _ending = outer


@contextlib.contextmanager
def until_terminated() -> Iterator[None]:
    """Do something that a termination signal ends as it should end: the program goes on afterwards."""
    try:
        yield
    except Terminated:
        if _ending is not None:
            _ending.take()


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
