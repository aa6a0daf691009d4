"""What all commands need to know of the terminal they write to."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn, ParamSpec

P = ParamSpec("P")


def be_printable() -> None:
    """Let output show `?` for what its encoding lacks, half a character included, not fail half-way."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def until_the_pipe_closes(command: Callable[P, None]) -> Callable[P, None]:
    """Let a command end quietly, with exit code 0, when the reader of its output has seen enough."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    return run


# what a terminal would obey; XML may hold those from 0x7f on, names of files any
_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(0x7F, 0xA0)), "\N{REPLACEMENT CHARACTER}")


def harmless(text: str) -> str:
    """Return a text of a document without characters that a terminal would obey; lines and tabs stay."""
    return text.translate(_CONTROLS)


@contextlib.contextmanager
def ending_in_order() -> Iterator[None]:
    """Let a request to end (`kill`, a closed terminal) do as Ctrl-C does: what was begun is cleared away."""

    def end(number: int, _frame: object) -> NoReturn:
        raise SystemExit(128 + number)

    asked = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    heard = [number for number in asked if signal.getsignal(number) == signal.SIG_DFL]  # not under nohup
    for number in heard:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, signal.SIG_DFL)


def terminal_width() -> int:
    """Return how wide tables may be."""
    return shutil.get_terminal_size((100, 24)).columns


@contextlib.contextmanager
def working(on: str) -> Iterator[None]:
    """Show that something takes its time, where somebody watches standard error."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{on} …"):
        yield


Watch = Callable[[int], object]


@contextlib.contextmanager
def bytes_read(shown: bool = True) -> Iterator[Callable[[str], Watch]]:
    """Yield what makes a bar for a file and returns the function to be told how far the file is read.

    Only where somebody watches standard error; standard output is left alone.
    """
    if not shown or not sys.stderr.isatty():
        yield lambda _path: lambda _position: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as progress:

        def watch(path: str) -> Watch:
            for old in progress.task_ids:
                progress.remove_task(old)
            bar = progress.add_task(path, total=Path(path).stat().st_size if Path(path).is_file() else None)
            return lambda position: progress.update(bar, completed=position)

        yield watch
