"""Processes that tests start and end."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator


@contextlib.contextmanager
def hearing_signals() -> Iterator[None]:
    """Let processes that are started now take signals as in a terminal.

    Under `nohup`, and in the background of a shell, some are ignored, by whatever is started there as well.
    """
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
