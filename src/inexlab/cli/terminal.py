"""Terminal output, shared by all commands: exit codes, notes, sanitised text."""

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
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn, ParamSpec, TextIO, cast

from inexlab.cli.flags import with_flags
from inexlab.errors import printable
from inexlab.errors import sanitised as sanitised
from inexlab.signals import Terminated, raising_terminated

if TYPE_CHECKING:
    from rich.console import Console

P = ParamSpec("P")


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
        said = ["interrupted."] if ended.number == signal.SIGINT else []
        if said := [*said, *_notes(ended)]:
            _print_error(f"{name}: {' '.join(said)}")
        raise
    except BrokenPipeError:
        _silence()
    except OSError as error:
        _silence()
        where = f"{error.filename} cannot be used" if error.filename else "output cannot be written"
        _print_error(f"{name}: {printable(where)} ({error.strerror or error}).")
        sys.exit(2)
    except MemoryError as error:
        _print_error(" ".join([f"{name}: there is not enough memory for this.", *_notes(error)]))
        sys.exit(2)
    except RecursionError:
        _print_error(f"{name}: something in the input is nested too deeply.")
        sys.exit(2)
    sys.exit(0)


def _notes(error: BaseException) -> list[str]:
    """Return what there is to say of how a command ended, such as what need not be done again."""
    return [printable(note) for note in getattr(error, "__notes__", ())]


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
