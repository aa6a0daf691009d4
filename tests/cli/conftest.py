"""What the tests of the commands share: three ways to run a command, and small campaigns to run it on."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest
import typer

from inexlab.cli import inex_eval as inex_eval_module
from inexlab.cli import main as inexlab_module
from inexlab.cli.main import application
from tests.forks import Server

HANDBOOK = Path(str(files("inexlab") / "handbook"))

# The worked example of the measures' manual pages: A 0:60 and B 50:40 are highlighted.
WORKED_QRELS = """\
1 Q0 A 60 100 0 0:60
1 Q0 B 40 100 50 50:40
1 Q0 C 0 100
"""
WORKED_RUN = """\
1 Q0 A 1 3.0 worked 0 50
1 Q0 C 2 2.0 worked 0 100
1 Q0 B 3 1.0 worked 0 100
"""


class Outcome(NamedTuple):
    """How a command ended: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def notes(self) -> list[str]:
        """The lines on standard error, which all begin with the name of the command."""
        lines = self.err.splitlines()
        assert all(line.startswith("inexlab: ") for line in lines), self.err
        return [line.removeprefix("inexlab: ") for line in lines]


class Command(Protocol):
    """A command that runs in the test's own folder."""

    def __call__(
        self, *arguments: str | Path, stdin: bytes = b"", env: Mapping[str, str] | None = None
    ) -> Outcome: ...


class Write(Protocol):
    """Writes a file into the test's own folder and returns its name."""

    def __call__(self, name: str, content: str | bytes) -> str: ...


def _surroundings(env: Mapping[str, str] | None) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "INEXLAB_COMPILED")}
    return {**kept, "PYTHONIOENCODING": "utf-8", **(env or {})}


@pytest.fixture
def script(tmp_path: Path) -> Command:
    """An installed script, whose name comes first, in an interpreter of its own: to see how it starts."""

    def run(*arguments: str | Path, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Outcome:
        name, *words = arguments
        done = subprocess.run(
            [Path(sys.executable).with_name(str(name)), *words],
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            env=_surroundings(env),
            timeout=60,
            check=False,
        )
        return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


def _forking(name: str, forks: Server, folder: Path) -> Command:
    def run(*arguments: str | Path, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Outcome:
        code, out, err = forks.run(name, list(map(str, arguments)), folder, _surroundings(env), stdin)
        return Outcome(code, out.decode(), err.decode())

    return run


@pytest.fixture
def inexlab(forks: Server, tmp_path: Path) -> Command:
    """The command `inexlab` in a process of its own."""
    return _forking("inexlab", forks, tmp_path)


@pytest.fixture
def inex_eval(forks: Server, tmp_path: Path) -> Command:
    """The command `inex_eval` in a process of its own."""
    return _forking("inex_eval", forks, tmp_path)


def _in_process(
    main: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Command:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str | Path, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Outcome:
        assert not stdin, "standard input is for the real script"
        monkeypatch.setattr(sys, "argv", ["command", *map(str, arguments)])
        for name, value in (env or {}).items():
            monkeypatch.setenv(name, value)
        capsys.readouterr()
        with pytest.raises(SystemExit) as ending:
            main()
        captured = capsys.readouterr()
        code = ending.value.code
        return Outcome(code if isinstance(code, int) else 0, captured.out, captured.err)

    return run


@functools.cache
def put_together() -> Any:
    """The command line, which typer puts together for every command otherwise: more work than most do."""
    return typer.main.get_command(application())


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command `inexlab` in this process, for tests with many cases."""
    monkeypatch.setattr(inexlab_module, "_needed", lambda _: put_together())
    return _in_process(inexlab_module.main, tmp_path, monkeypatch, capsys)


@pytest.fixture
def call_inex_eval(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    """The command `inex_eval` in this process, for tests with many cases."""
    return _in_process(inex_eval_module.main, tmp_path, monkeypatch, capsys)


@pytest.fixture(scope="session")
def handbook_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the built-in articles."""
    from inexlab.index.build import build_index

    articles = sorted((HANDBOOK / "articles").glob("*.xml"))
    out = tmp_path_factory.mktemp("handbook") / "index"
    build_index([(file.stem, file.name, file.read_bytes()) for file in articles], out)
    return out


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes files into the test's own folder."""

    def to(name: str, content: str | bytes) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    return to


@pytest.fixture
def worked(write: Write) -> tuple[str, str]:
    """The worked example of the manual pages as files: judgements and a run."""
    return write("worked.qrels", WORKED_QRELS), write("worked.txt", WORKED_RUN)


@pytest.fixture(scope="session")
def handbook() -> Path:
    """The built-in campaign."""
    return HANDBOOK
