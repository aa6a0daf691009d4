"""The command `inexlab`: its verbs, and how any of them ends."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from inexlab import __version__
from inexlab.cli.demo import demo
from inexlab.cli.evaluate import evaluate
from inexlab.cli.measures import measures
from inexlab.errors import InexlabError

app = typer.Typer(
    name="inexlab",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="markdown",
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"inexlab {__version__}")
        raise typer.Exit


@app.callback()
def inexlab(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """The laboratory of INEX: score elements, passages and chunks of text with every INEX measure.

    Start with `inexlab demo`. Exit codes: 0 done, 1 a check failed, 2 the input or the command cannot
    be used.
    """


app.command()(evaluate)
app.command()(measures)
app.command()(demo)


def main() -> None:
    """Run the command; a mistake of the user ends with one line and exit code 2, never a traceback."""
    try:
        app()
    except InexlabError as error:
        print(f"inexlab: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
