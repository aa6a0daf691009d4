"""What all trials need: how many there are, time limits, and commands in this process or another."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.forks import Server

LONGEST = 300  # seconds that a trial may take

Result = tuple[str, list[str]]  # figures, and what went wrong


class Done(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


def some(count: int, share: float) -> int:
    """Return how many trials a share of all is: at least one."""
    return max(1, round(count * share))


class HangError(Exception):
    """A trial that took too long."""


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """Stop a trial that takes too long."""

    def stop(_number: int, _frame: object) -> None:
        raise HangError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(LONGEST)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def attempt(work: Callable[[], object], what: str, failures: list[str], *expected: type[Exception]) -> Any:
    """Do something that may end with an expected error; note any other, and what does not end."""
    try:
        with limited():
            return work()
    except expected:
        return None
    except HangError:
        failures.append(f"{what}: did not end in {LONGEST} s")
    except Exception:
        failures.append(f"{what}: {traceback.format_exc(limit=-3)}")
    return None


@functools.cache
def _all_verbs() -> Any:
    """Return the command line, put together once, not for every command."""
    import typer

    from inexlab.cli.main import application

    return typer.main.get_command(application())


def in_process(arguments: list[str]) -> Done:
    """Run a command in this process; an exception that nobody expected comes through."""
    from inexlab.cli import main

    main._needed = lambda _: _all_verbs()  # type: ignore[assignment]
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    before, sys.argv = sys.argv, ["inexlab", *arguments]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main.run_command()
    except SystemExit as ending:
        out.flush()
        message = out.buffer.getvalue().decode(errors="replace")
        return Done(ending.code if isinstance(ending.code, int) else 0, message, err.getvalue())
    finally:
        sys.argv = before
    raise AssertionError("a command has to leave the program")


def run(server: Server, folder: Path, *arguments: str, before: str = "") -> Done:
    """Run a command in a process of its own, which may run some code `before`."""
    target, words = "inexlab", list(arguments)
    if before:
        target, words = "-c", [f"{before}\nfrom inexlab.cli.start import inexlab\ninexlab()", *arguments]
    code, out, err = server.run(target, words, folder, os.environ, timeout=LONGEST)
    return Done(code, out.decode(errors="replace"), err.decode(errors="replace"))


def must_run(server: Server, folder: Path, *arguments: str) -> None:
    """Run a command that has to succeed."""
    done = run(server, folder, *arguments)
    if done.code:
        raise RuntimeError(f"{arguments}: {done.err}")
