"""Commands in processes of their own that need not load Python, numpy and inexlab first.

A server loads all of it once, and forks for every command: a true process, with a folder, an environment,
standard streams and an exit code of its own, in a tenth of the time that a new interpreter takes. What
happens while an interpreter starts and ends is for tests that start one.

This file is also two programs: `python -m tests.forks SOCKET` is the server, and `python tests/forks.py
SOCKET TARGET WORD…` runs a command from a shell.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from pathlib import Path

# An interpreter, or a library as it is loaded, reads these: too early for a process that is forked.
_READ_AT_START = ("FORCE_COLOR", "LANG", "LC_", "NUMBA_", "OMP_", "OPENBLAS_", "PYTHON", "TERMINAL_WIDTH")


class Forked:
    """A command that was started."""

    def __init__(self, connection: socket.socket) -> None:
        self._replies = connection.makefile("r")
        self.pid = int(self._replies.readline())

    def wait(self) -> int:
        """Return the exit code, or, below 0, the number of the signal that ended it."""
        with self._replies:
            return int(self._replies.readline())


def start(
    server: str,
    target: str,
    words: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    streams: Sequence[int],
) -> Forked:
    """Start a command; `streams` are three file descriptors.

    A target is the name of a script, as of `inexlab`, or `-c` with code as its first word.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(server)
        request = json.dumps([target, list(words), folder, dict(environment)]).encode()
        socket.send_fds(connection, [len(request).to_bytes(8, "big")], list(streams))
        connection.sendall(request)
        return Forked(connection)


class Server:
    """A server that tests have started."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._environment = dict(os.environ)

    def can_run(self, environment: Mapping[str, str]) -> bool:
        """Whether a process that is forked is as one that starts with these variables."""
        names = {*environment, *self._environment} - {"PYTHONIOENCODING"}
        return not any(
            name.startswith(_READ_AT_START) and environment.get(name) != self._environment.get(name)
            for name in names
        )

    def start(
        self,
        target: str,
        words: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        streams: Sequence[int],
    ) -> Forked:
        """Start a command with three file descriptors as its standard streams."""
        assert self.can_run(environment)
        return start(self.path, target, words, str(folder), environment, streams)

    def run(
        self,
        target: str,
        words: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        stdin: bytes = b"",
        timeout: float = 60,
    ) -> tuple[int, bytes, bytes]:
        """Run a command to its end, and return exit code, standard output and standard error."""
        from concurrent.futures import ThreadPoolExecutor
        from threading import Timer

        given, giving = os.pipe()
        (reading, out), (reading_errors, err) = os.pipe(), os.pipe()
        streams = (given, out, err)
        forked = self.start(target, words, folder, environment, streams)
        for stream in streams:
            os.close(stream)
        timer = Timer(timeout, os.kill, (forked.pid, signal.SIGKILL))
        timer.start()
        with ThreadPoolExecutor(3) as threads:
            threads.submit(_write_all, giving, stdin)
            read = [threads.submit(_read_all, stream) for stream in (reading, reading_errors)]
            code = forked.wait()
        timer.cancel()
        return code, read[0].result(), read[1].result()


def _write_all(stream: int, content: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), open(stream, "wb") as file:
        file.write(content)


def _read_all(stream: int) -> bytes:
    with open(stream, "rb") as file:
        return file.read()


_running: list[Server] = []


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    """Let a server run, if there is none yet."""
    import subprocess
    import tempfile

    from tests.processes import hearing_signals

    if _running:
        yield _running[0]
        return
    with tempfile.TemporaryDirectory() as folder:  # pytest's are deeper than the name of a socket may be
        server = Server(f"{folder}/socket")
        with hearing_signals():
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.forks", server.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # a process with threads should not fork
                cwd=os.path.dirname(os.path.dirname(os.path.abspath(__file__))),  # noqa: PTH100, PTH120
            )
        with process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            _running.append(server)
            try:
                yield server
            finally:
                _running.clear()


def _serve(server: str) -> None:
    """Answer until standard input ends; a byte in `ended` says that a command has ended."""
    _load()
    ended, ending = os.pipe()
    os.set_blocking(ending, False)
    signal.set_wakeup_fd(ending, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running: dict[int, socket.socket] = {}
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(server)
        listening.listen(16)
        print("ready", flush=True)  # noqa: T201
        while sys.stdin not in (ready := select.select([listening, sys.stdin, ended], [], [])[0]):
            if ended in ready:
                os.read(ended, 4096)
                _tell_endings(running)
            if listening in ready:
                connection, _ = listening.accept()
                running[_start(connection)] = connection


def _tell_endings(running: dict[int, socket.socket]) -> None:
    """Tell those who wait how their commands have ended."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            with running.pop(ended[0]) as connection, contextlib.suppress(BrokenPipeError):
                connection.sendall(b"%d\n" % os.waitstatus_to_exitcode(ended[1]))


def _start(connection: socket.socket) -> int:
    """Let a child become the command that was asked for; tell its number, and return it."""
    size, streams, _, _ = socket.recv_fds(connection, 8, 3)
    with connection.makefile("rb") as incoming:
        target, words, folder, environment = json.loads(incoming.read(int.from_bytes(size, "big")))
    child = os.fork()
    if child == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        os.closerange(3, 256)  # what others wait for, too
        _become(target, words)
    for stream in streams:
        os.close(stream)
    connection.sendall(b"%d\n" % child)
    return child


def _load() -> None:
    """Load what commands load, compiled loops too, and put the command line together."""
    import gc
    import importlib
    import pathlib
    import pkgutil
    import tempfile
    from unittest import mock

    import typer

    import inexlab
    from inexlab import accelerate
    from inexlab.cli import main
    from tests.warm import use_loops

    for module in pkgutil.walk_packages(inexlab.__path__, "inexlab."):
        if not module.name.startswith(("inexlab.interop", "inexlab.templates", "inexlab.__main__")):
            importlib.import_module(module.name)
    app = typer.main.get_command(main.application())
    main._needed = lambda _: app  # type: ignore[assignment, return-value]
    loops = pathlib.Path(inexlab.__file__).parent / "index" / "__pycache__"
    if any(loops.glob("scan.scan-*.nbc")):  # compiled already, so that it is quick
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, INEXLAB_COMPILED="always"):
            use_loops(pathlib.Path(folder))
    accelerate._work_done = 0  # each command weighs anew whether compiled loops are worth it
    gc.collect()
    gc.freeze()


def _become(target: str, words: list[str]) -> NoReturn:
    """Do what an interpreter does from its start to its end."""
    import atexit
    import threading

    encoding = os.environ.get("PYTHONIOENCODING", "utf-8")
    sys.stdin = open(0, encoding=encoding, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding=encoding, closefd=False)  # noqa: SIM115
    sys.stderr = open(  # noqa: SIM115
        2, "w", buffering=1, encoding=encoding, errors="backslashreplace", closefd=False
    )
    code = 0
    try:
        if target == "-c":
            sys.argv = ["-c", *words[1:]]
            exec(compile(words[0], "<string>", "exec"), {"__name__": "__main__"})
        else:
            from inexlab.cli import start

            sys.argv = [target, *words]
            getattr(start, target)()
    except SystemExit as ending:
        if isinstance(ending.code, str):
            print(ending.code, file=sys.stderr)  # noqa: T201
        code = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = 120
    os._exit(code)


if __name__ == "__main__":
    if len(sys.argv) == 2:
        _serve(sys.argv[1])
    else:
        _, server, target, *words = sys.argv
        sys.exit(start(server, target, words, os.getcwd(), os.environ, (0, 1, 2)).wait())  # noqa: PTH109
