"""Entry points of the commands: termination signals are handled from here on, while the rest is loaded."""

from __future__ import annotations

from typing import NoReturn

from inexlab.cli.terminal import run_and_exit


def inexlab() -> NoReturn:
    """Run the command `inexlab`."""

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
