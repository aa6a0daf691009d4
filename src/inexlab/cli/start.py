"""Entry points of the commands: termination signals are handled from here on, while the rest is loaded."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from inexlab.cli.terminal import run_and_exit


def inexlab() -> NoReturn:
    """Run the command `inexlab`."""
    if sys.argv[1:2] == ["search"]:  # which multiplies no matrices: threads for that take longer than a query
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    def run() -> None:
        from inexlab.cli.main import run_command

        run_command()

    run_and_exit("inexlab", run)


def inex_eval() -> NoReturn:
    """Run the command `inex_eval`."""

    def run() -> None:
        from inexlab.cli.inex_eval import run_command

        run_command()

    run_and_exit("inex_eval", run)
