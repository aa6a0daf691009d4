"""Set-up of all tests: compiled loops of the sources that are there, and a server of quick processes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import inexlab
from tests import examples as examples  # how many there are is to be known before any test
from tests.forks import Server, serving


def pytest_configure(config: pytest.Config) -> None:
    """Forget compiled loops that are older than a source of loops, once for all processes.

    Numba compiles a loop again when its file has changed, but not when the file of one that it calls has.
    """
    if hasattr(config, "workerinput"):
        return
    package = Path(inexlab.__file__).parent
    sources = [file for file in package.rglob("*.py") if "accelerate" in file.read_text(encoding="utf-8")]
    newest = max(file.stat().st_mtime for file in [package / "accelerate.py", *sources])
    compiled = [file for file in package.rglob("*.nb[ci]") if file.parent.name == "__pycache__"]
    if any(file.stat().st_mtime < newest for file in compiled):
        for file in compiled:
            file.unlink()


@pytest.fixture(scope="session")
def forks() -> Iterator[Server]:
    """Runs commands in processes of their own, quickly."""
    with serving() as server:
        yield server
