"""What a process loads: a search needs no measures, and compiled loops no linear algebra."""

from __future__ import annotations

import subprocess
import sys

import pytest


def loaded_after(script: str) -> set[str]:
    """Return the modules that a process has loaded after a script."""
    command = [sys.executable, "-c", f"{script}\nimport sys; print(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_a_search_loads_neither_measures_nor_the_compiler() -> None:
    loaded = loaded_after("import inexlab.api.searching")
    assert "inexlab.retrieval.answers" in loaded
    assert not loaded & {"inexlab.measures", "inexlab.experiments", "numba", "scipy"}


@pytest.mark.compiled
def test_the_compiler_is_loaded_without_linear_algebra_which_is_there_when_asked_for() -> None:
    script = "from inexlab.accelerate import _numba; assert _numba()"
    loaded = loaded_after(script)
    assert "numba.np.arraymath" in loaded
    assert "scipy.linalg" not in loaded
    asks = "import numpy; f = _numba().njit(lambda a: a @ a); assert f(2 * numpy.eye(2))[0, 0] == 4"
    assert "scipy.linalg" in loaded_after(f"{script}; {asks}")
