"""Set-up of all tests: compiled loops of the sources that are there, and a server of quick processes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import examples as examples  # how many there are is to be known before any test
from tests.forks import Server, serving
from tests.warm import forget_stale_loops


def pytest_configure(config: pytest.Config) -> None:
    """Forget stale loops, once for all processes."""
    if not hasattr(config, "workerinput"):
        forget_stale_loops()


@pytest.fixture(scope="session")
def forks() -> Iterator[Server]:
    """Runs commands in processes of their own, quickly."""
    with serving() as server:
        yield server
