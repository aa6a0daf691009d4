"""What all commands need to know of the terminal they write to."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, ParamSpec, TextIO, cast

from inexlab.errors import harmless as harmless
from inexlab.errors import printable
from inexlab.signals import Ended, ending_in_order

if TYPE_CHECKING:
    from rich.console import Console

P = ParamSpec("P")


def be_printable() -> None:
    """Let output show `?` for what its encoding lacks, half a character included, not fail half-way."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def until_the_pipe_closes(command: Callable[P, None]) -> Callable[P, None]:
    """Let a command end quietly, with exit code 0, when the reader of its output has seen enough.

    Nothing that it writes to a terminal is obeyed there but what it means to be.
    """

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        with harmless_output():
            try:
                command(*args, **kwargs)
                sys.stdout.flush()
            except BrokenPipeError:
                _silence()

    return run


def ending_well(name: str, command: Callable[[], object]) -> NoReturn:
    """Run a command, and leave the program with its exit code, whatever ends it.

    A request to end clears away what was begun, and ends with 128 and the signal's number. A reader of the
    output who has seen enough ends it quietly, with exit code 0. Output that cannot be written ends with one
    line and exit code 2, and so does what there is no room for.
    """
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:  # closed by whoever started this
            setattr(sys, stream, open(os.devnull, "w"))  # noqa: PTH123, SIM115 - open to the end
    try:
        with ending_in_order():
            try:
                command()
            except SystemExit as ending:
                if isinstance(ending.__context__, BrokenPipeError):  # which typer makes a failure of --help
                    raise ending.__context__ from None
                sys.stdout.flush()
                raise
            sys.stdout.flush()
    except Ended as ended:
        _silence()
        if ended.number == signal.SIGINT:
            _say(f"{name}: interrupted.")
        raise
    except BrokenPipeError:
        _silence()
    except OSError as error:
        _silence()
        where = f"{error.filename} cannot be used" if error.filename else "output cannot be written"
        _say(f"{name}: {printable(where)} ({error.strerror or error}).")
        sys.exit(2)
    except MemoryError:
        _say(f"{name}: there is not enough memory for this.")
        sys.exit(2)
    except RecursionError:
        _say(f"{name}: something in the input is nested too deeply.")
        sys.exit(2)
    sys.exit(0)


def _silence() -> None:
    """Let nothing of what waits to be written fail when the program ends."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(line: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        print(line, file=sys.stderr, flush=True)


def print_notes(notes: Iterable[str]) -> None:
    """Say what was assumed or found on standard error: a line each, whatever names there are in it."""
    for note in notes:
        print(f"inexlab: {printable(note)}", file=sys.stderr)


# characters for private use that a terminal is to obey, once all others are harmless
BOLD, UNDERLINED, PLAIN = "\U000ffff0", "\U000ffff1", "\U000ffff2"
_OBEYED = str.maketrans({BOLD: "\033[1m", UNDERLINED: "\033[1;4m", PLAIN: "\033[0m"})


class _Harmless(io.TextIOBase):
    """A stream that shows characters that a terminal would obey, wherever they come from."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(harmless(text).translate(_OBEYED))
        return len(text)

    def flush(self) -> None:
        self.stream.flush()

    def close(self) -> None:
        """Leave the stream open, which is not ours to close: Python closes whatever it throws away."""

    def isatty(self) -> bool:
        return bool(self.stream.isatty())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextlib.contextmanager
def harmless_output() -> Iterator[None]:
    """Let notes, and what goes to a terminal, be harmless; what goes to files and programs stays as it is."""
    before = sys.stdout, sys.stderr
    sys.stderr = cast(TextIO, _Harmless(sys.stderr))
    if sys.stdout.isatty():
        sys.stdout = cast(TextIO, _Harmless(sys.stdout))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def progress_console() -> Console:
    """Return where progress is shown: standard error, as it is."""
    from rich.console import Console

    return Console(file=sys.stderr.stream if isinstance(sys.stderr, _Harmless) else sys.stderr)


def terminal_width() -> int:
    """Return how wide tables may be."""
    return shutil.get_terminal_size((100, 24)).columns


@contextlib.contextmanager
def working(on: str) -> Iterator[None]:
    """Show that something takes its time, where somebody watches standard error."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.text import Text

    with progress_console().status(Text(f"{printable(on)} …")):
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
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=progress_console(), transient=True, redirect_stdout=False) as progress:

        def watch(path: str) -> Watch:
            for old in progress.task_ids:
                progress.remove_task(old)
            bar = progress.add_task(
                printable(path), total=Path(path).stat().st_size if Path(path).is_file() else None
            )
            return lambda position: progress.update(bar, completed=position)

        yield watch
