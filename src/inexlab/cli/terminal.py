"""Terminal output, shared by all commands: exit codes, notes, sanitised text, progress."""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import io
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, ParamSpec, TextIO, TypeVar, cast

from inexlab.cli.flags import with_flags
from inexlab.errors import printable
from inexlab.errors import sanitised as sanitised
from inexlab.signals import Terminated, raising_terminated

if TYPE_CHECKING:
    from rich.console import Console

P = ParamSpec("P")
T = TypeVar("T")


def replace_unencodable() -> None:
    """Write `?` for characters that the output encoding lacks, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def quiet_on_broken_pipe(command: Callable[P, None]) -> Callable[P, None]:
    """Let a command exit quietly, with code 0, when the reader closes the pipe.

    Its output to a terminal is stripped of control characters other than its own.
    """

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        with sanitised_output():
            try:
                command(*args, **kwargs)
                sys.stdout.flush()
            except BrokenPipeError:
                _silence()

    return run


def run_and_exit(name: str, command: Callable[[], object]) -> NoReturn:
    """Run a command and exit with its code, however it ends.

    A termination signal cleans up and exits with 128 plus the signal's number. A closed pipe exits quietly
    with code 0. Output that cannot be written, or a lack of memory, is reported in one line with exit code 2.
    """
    atexit.register(gc.freeze)  # the interpreter would look through all that is left once more
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:  # closed by whoever started this
            setattr(sys, stream, open(os.devnull, "w"))  # noqa: PTH123, SIM115 - open to the end
    try:
        with raising_terminated():
            try:
                command()
            except SystemExit as ending:
                if isinstance(ending.__context__, BrokenPipeError):  # which typer makes a failure of --help
                    raise ending.__context__ from None
                sys.stdout.flush()
                raise
            sys.stdout.flush()
    except Terminated as ended:
        _silence()
        if ended.number == signal.SIGINT:
            _print_error(f"{name}: interrupted.")
        raise
    except BrokenPipeError:
        _silence()
    except OSError as error:
        _silence()
        where = f"{error.filename} cannot be used" if error.filename else "output cannot be written"
        _print_error(f"{name}: {printable(where)} ({error.strerror or error}).")
        sys.exit(2)
    except MemoryError:
        _print_error(f"{name}: there is not enough memory for this.")
        sys.exit(2)
    except RecursionError:
        _print_error(f"{name}: something in the input is nested too deeply.")
        sys.exit(2)
    sys.exit(0)


def _silence() -> None:
    """Keep the output that is still buffered from failing at exit."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_error(line: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        print(line, file=sys.stderr, flush=True)


def print_notes(notes: Iterable[str]) -> None:
    """Print notes on standard error, one line each."""
    for note in notes:
        print(f"inexlab: {printable(with_flags(note))}", file=sys.stderr)


# private-use characters that stand for escape sequences, which are added after sanitising
BOLD, UNDERLINED, PLAIN = "\U000ffff0", "\U000ffff1", "\U000ffff2"
_ESCAPES = str.maketrans({BOLD: "\033[1m", UNDERLINED: "\033[1;4m", PLAIN: "\033[0m"})


class _SanitisedStream(io.TextIOBase):
    """A stream that replaces control characters, wherever they come from."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(sanitised(text).translate(_ESCAPES))
        return len(text)

    def flush(self) -> None:
        self.stream.flush()

    def close(self) -> None:
        """Leave the stream open: it is not ours, and Python closes what it collects."""

    def isatty(self) -> bool:
        return bool(self.stream.isatty())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextlib.contextmanager
def sanitised_output() -> Iterator[None]:
    """Sanitise notes and output to a terminal; output to files and pipes is unchanged."""
    before = sys.stdout, sys.stderr
    sys.stderr = cast(TextIO, _SanitisedStream(sys.stderr))
    if sys.stdout.isatty():
        sys.stdout = cast(TextIO, _SanitisedStream(sys.stdout))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def progress_console() -> Console:
    """Return where progress is shown: standard error, as it is."""
    from rich.console import Console

    return Console(file=sys.stderr.stream if isinstance(sys.stderr, _SanitisedStream) else sys.stderr)


def terminal_width() -> int:
    """Return how wide tables may be."""
    return shutil.get_terminal_size((100, 24)).columns


@contextlib.contextmanager
def spinner(on: str) -> Iterator[None]:
    """Show a spinner if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.text import Text

    with progress_console().status(Text(f"{printable(on)} …")):
        yield


def with_progress_bar(things: Sequence[T], doing: str, what: str) -> Iterable[T]:
    """Pass things on, with a bar that shows how many are done, how fast, and how long the others will take.

    Only if there are several and standard error is a terminal.
    """
    if not sys.stderr.isatty() or len(things) < 2:
        return things
    return _shown(things, doing, what)


def _shown(things: Sequence[T], doing: str, what: str) -> Iterator[T]:
    with progress_reporter(what, after=0.0) as tell:
        for done, thing in enumerate(things):
            tell(doing, done, len(things))
            yield thing


@contextlib.contextmanager
def progress_reporter(what: str, after: float = 1.0) -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function to be told what is done, how many of how many; it shows a bar, rate and time left.

    Only if standard error is a terminal; what is done within `after` seconds is not shown.
    """
    if not sys.stderr.isatty():
        yield lambda _doing, _done, _of: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeRemainingColumn(),
    )
    progress = Progress(*columns, console=progress_console(), transient=True, redirect_stdout=False)
    bars: dict[str, tuple[Any, float]] = {}

    def tell(doing: str, done: int, of: int) -> None:
        now = time.monotonic()
        if doing not in bars:
            for bar, _ in bars.values():
                progress.remove_task(bar)
            bars.clear()
            bars[doing] = progress.add_task(printable(doing), total=of, rate=""), now
        bar, begin = bars[doing]
        progress.update(bar, completed=done, rate=f"{done / max(now - begin, 1e-3):,.0f} {what}/s")
        if now - begin >= after:
            progress.start()

    try:
        yield tell
    finally:
        if progress.live.is_started:
            progress.stop()


Watch = Callable[[int], object]


@contextlib.contextmanager
def file_progress(shown: bool = True) -> Iterator[Callable[[str], Watch]]:
    """Yield a function that shows a progress bar for a file and returns the callback that updates it.

    Only if standard error is a terminal; standard output is not touched.
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
