"""What processes of a build do, but that two of them are killed in the middle of it."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from inexlab.index import indexing
from inexlab.progress import ProgressStep, watching

COUNT = "INEXLAB_TEST_DEATHS"  # a file with a mark for every death

_build = indexing._build_part
_join = indexing._join_parts


def _die(_step: ProgressStep) -> None:
    """End this process as a lack of memory does, unless two have died so before."""
    file = Path(os.environ[COUNT])
    if not file.exists() or len(file.read_text()) < 2:
        with file.open("a") as marks:
            marks.write("x")
        os.kill(os.getpid(), signal.SIGKILL)


def _build_part(*arguments: Any) -> Any:
    """Build a part; only one of them dies at a time."""
    if arguments[1]:
        return _build(*arguments)
    with watching(_die):
        return _build(*arguments)


def _join_parts(*arguments: Any) -> Any:
    """Join parts."""
    with watching(_die):
        return _join(*arguments)


def _join_parts_and_die(*arguments: Any) -> Any:
    """Join parts, and die before anybody knows: of the parts hardly a file is left."""
    done = _join(*arguments)
    _die(ProgressStep("", 0))
    return done
