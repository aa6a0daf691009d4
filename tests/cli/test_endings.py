"""How commands end: output that nobody can write or wants to read, and requests to end at any moment."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import Any

import pytest

from inexlab.cli.main import application
from tests.forks import Server
from tests.processes import hearing_signals

from .conftest import HANDBOOK

VERBS = sorted(
    command.name or command.callback.__name__
    for command in application().registered_commands
    if command.callback
)
QRELS, RUN = HANDBOOK / "judgements.qrels", sorted((HANDBOOK / "runs").glob("focused-*"))[0]
COMMANDS = [
    "--version",
    "--help",
    "measures",
    "formats",
    f"evaluate {QRELS} {RUN}",
    f"evaluate {QRELS} {RUN} -o json",
    "nexi bees -o json",
    "demo",
    f"convert {RUN} --to jsonl --out -",
]


def start(folder: Path, *arguments: str, before: str = "", **options: Any) -> subprocess.Popen[bytes]:
    """Start the command as its installed script does."""
    script = (
        f"import sys\n{before}\nfrom inexlab.cli.start import inexlab\nsys.argv[0] = 'inexlab'\ninexlab()"
    )
    with hearing_signals():
        return subprocess.Popen(
            [sys.executable, "-c", script, *arguments],
            cwd=folder,
            stderr=subprocess.PIPE,
            **options,
        )


needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")


def on_a_full_disk(forks: Server, folder: Path, *arguments: str) -> tuple[int, bytes]:
    """Return the exit code and standard error of a command whose output has nowhere to go."""
    errors, full, nothing = folder / "errors", Path("/dev/full"), Path(os.devnull)
    with nothing.open("rb") as given, full.open("wb") as out, errors.open("wb") as err:
        streams = (given.fileno(), out.fileno(), err.fileno())
        code = forks.start("inexlab", arguments, folder, os.environ, streams).wait()
    return code, errors.read_bytes()


@needs_full
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk(forks: Server, tmp_path: Path, command: str) -> None:
    code, err = on_a_full_disk(forks, tmp_path, *shlex.split(command))
    assert code == 2, err
    assert err.decode().splitlines()[-1] == "inexlab: output cannot be written (No space left on device)."
    assert b"Traceback" not in err


@needs_full
@pytest.mark.parametrize("command", ["--version", "--help", f"evaluate {QRELS} {RUN}"])
def test_a_full_disk_and_an_interpreter_that_ends(tmp_path: Path, command: str) -> None:
    with Path("/dev/full").open("wb") as full, start(tmp_path, *shlex.split(command), stdout=full) as child:
        _, err = child.communicate(timeout=60)
    assert child.returncode == 2, err
    assert err.decode().splitlines()[-1] == "inexlab: output cannot be written (No space left on device)."
    assert b"Traceback" not in err


@needs_full
@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_every_command_on_a_full_disk(forks: Server, tmp_path: Path, verb: str) -> None:
    refusal = b"inexlab: output cannot be written (No space left on device).\n"
    assert on_a_full_disk(forks, tmp_path, verb, "--help") == (2, refusal)


@needs_full
def test_nobody_can_be_told(tmp_path: Path) -> None:
    code = f"{sys.executable} -c 'from inexlab.cli.start import inexlab; inexlab()'"
    for command, expected in (("nosuch 2>/dev/full", 2), ("measures >/dev/full 2>/dev/full", 2)):
        assert (
            subprocess.run(f"{code} {command}", shell=True, cwd=tmp_path, check=False).returncode == expected
        )


def test_closed_output(tmp_path: Path) -> None:
    code = f"{sys.executable} -c 'from inexlab.cli.start import inexlab; inexlab()'"
    for command, expected in (("measures >&-", 0), ("measures >&- 2>&-", 0), ("nosuch 2>&-", 2)):
        done = subprocess.run(f"{code} {command}", shell=True, cwd=tmp_path, check=False, capture_output=True)
        assert (done.returncode, done.stderr) == (expected, b"")


SLOW_IMPORT = """
import os, signal, sys, threading
class Asks:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            os.kill(os.getpid(), signal.{signal})
import inexlab.cli.start
sys.meta_path.insert(0, Asks())
"""


@pytest.mark.parametrize("module", ["inexlab.cli.main", "typer", "inexlab.cli.evaluate", "numpy"])
@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_asked_to_end_while_it_begins(tmp_path: Path, module: str, name: str, code: int) -> None:
    before = SLOW_IMPORT.format(module=module, signal=name)
    with start(tmp_path, "evaluate", str(QRELS), str(RUN), before=before, stdout=subprocess.PIPE) as child:
        out, err = child.communicate(timeout=60)
    expected = b"inexlab: interrupted.\n" if name == "SIGINT" else b""
    assert (child.returncode, out, err) == (code, b"", expected)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_an_unpacked_collection_is_removed(tmp_path: Path, number: signal.Signals) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with tarfile.open(tmp_path / "articles.tar.gz", "w:gz") as archive:
        archive.add(HANDBOOK / "articles", "articles")
    os.mkfifo(tmp_path / "never.txt")  # reading it waits for a writer
    arguments = ("check", "never.txt", "--collection", "articles.tar.gz")
    env = {**os.environ, "TMPDIR": str(temporary)}
    with start(tmp_path, *arguments, stdout=subprocess.PIPE, env=env) as child:
        while not list(temporary.glob("inexlab-*/*")) and child.poll() is None:
            time.sleep(0.01)
        time.sleep(0.5)
        child.send_signal(number)
        _, err = child.communicate(timeout=60)
    assert child.returncode == 128 + number, err
    assert list(temporary.iterdir()) == []


def test_ctrl_c_with_several_processes(tmp_path: Path) -> None:
    """A terminal sends it to all of them."""
    (tmp_path / "docs").mkdir()
    for k in range(2000):
        (tmp_path / "docs" / f"d{k}.xml").write_text(f"<a>{'word ' * 2000}</a>")
    for wait in (0.2, 1.0, 2.0):
        arguments = ("index", "docs", "--out", "index", "--jobs", "2", "--profile", "plain")
        with start(tmp_path, *arguments, stdout=subprocess.PIPE, start_new_session=True) as child:
            while not list(tmp_path.glob(".index.*")) and child.poll() is None:
                time.sleep(0.01)
            time.sleep(wait)
            os.killpg(child.pid, signal.SIGINT)
            _, err = child.communicate(timeout=60)
        if child.returncode == 0:
            return  # it was quicker
        assert (child.returncode, err) == (130, b"inexlab: interrupted.\n")
        assert [path.name for path in tmp_path.iterdir()] == ["docs"]


@pytest.mark.parametrize("command", ["--help", "evaluate --help", "--version", "measures", ""])
def test_a_reader_who_wants_nothing_is_no_failure(tmp_path: Path, command: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = start(tmp_path, *command.split(), stdout=writing)
    os.close(writing)
    _, errors = process.communicate(timeout=120)
    assert b"Traceback" not in errors
    assert b"roken" not in errors
    assert process.returncode == 0
