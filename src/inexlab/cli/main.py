"""The command `inexlab`: its verbs, and how any of them ends."""

from __future__ import annotations

import copy
import importlib
import itertools
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any, NoReturn

import typer

from inexlab import __version__, limits
from inexlab.cli.collections import with_entities
from inexlab.cli.flags import with_flags
from inexlab.cli.listed import Verb, Verbs
from inexlab.cli.terminal import print_notes, quiet_on_broken_pipe, replace_unencodable, run_and_exit
from inexlab.errors import InexlabError, QueryError, printable


def _version(wanted: bool) -> None:
    if wanted:
        print(f"inexlab {__version__}")
        raise typer.Exit


def inexlab(
    version: Annotated[  # noqa: ARG001 - its callback answers
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    formulas_as_text: Annotated[
        bool,
        typer.Option(
            "--formulas-as-text",
            help="CSV for spreadsheets: an apostrophe before names that begin with = + - @, so that they "
            "are not run as formulas.",
        ),
    ] = False,
    any_size: Annotated[
        bool,
        typer.Option(
            "--any-size",
            help="Unpack files however large they become: those that grow more than 200-fold, or in memory "
            "beyond 4 GiB, are refused otherwise.",
        ),
    ] = False,
) -> None:
    """The laboratory of INEX: score elements, passages and chunks of text with every INEX measure.

    Start with `inexlab demo`. Exit codes: 0 done, 1 a check failed, 2 the input or the command cannot
    be used.
    """
    if any_size:
        os.environ[limits.ANY_SIZE] = "yes"  # for processes that this one starts, too
    if formulas_as_text:
        from inexlab.report.tables import write_formulas_as_text

        write_formulas_as_text(True)


# the verbs, by task; each is a function in a module of its name
VERBS: dict[str, tuple[str, ...]] = {
    "Start here": ("demo",),
    "Score runs": ("evaluate", "explain", "diff", "measures"),
    "Score the chunks of a RAG system": ("chunks",),
    "Compare systems": ("compare", "ttest", "agreement", "stability", "correlate"),
    "Report results": ("report", "plot"),
    "Pool and assess": ("pool", "serve", "assessors"),
    "Inspect and convert files": (
        "check",
        "profile",
        "convert",
        "formats",
        "topics",
        "nexi",
        "cas",
        "recall-base",
    ),
    "Search inside documents": ("index", "search", "show", "run", "baseline", "profiles"),
    "Extend inexlab": ("new",),
}


def application(asked: str = "") -> typer.Typer:
    """Return the command line with all verbs, or only with the one that is asked for.

    To load all verbs and put their options together takes longer than many a command.
    """
    app = typer.Typer(
        name="inexlab",
        cls=Verbs,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        rich_markup_mode="markdown",
    )
    app.callback()(inexlab)
    for title, verbs in VERBS.items():
        for name in verbs:
            if asked in ("", name):
                function = name.replace("-", "_")
                verb = getattr(importlib.import_module(f"inexlab.cli.{function}"), function)
                named = app.command(name, cls=Verb, rich_help_panel=title)
                named(with_entities(quiet_on_broken_pipe(verb)))
    return app


def main() -> None:
    """Run the command, and leave the program."""
    run_and_exit("inexlab", run_command)


def run_command() -> None:
    """Run the command; a mistake of the user ends with one line and exit code 2, never a traceback."""
    replace_unencodable()
    try:
        sys.exit(_needed(sys.argv[1:])(standalone_mode=False))
    except QueryError as error:  # has lines of its own: the query, and a caret under the place
        _give_up(*str(error).split("\n"))
    except InexlabError as error:
        print_notes(getattr(error, "__notes__", ()))  # what is known of the reasons
        _give_up(with_flags(str(error)))
    except _ClickError as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()
            sys.exit(2)
        message = error.format_message().rstrip(".")
        _give_up(f"{message}{'' if message.endswith('?') else '.'} Try --help.")
    except typer.Abort:
        sys.exit(130)


def _needed(words: Sequence[str]) -> typer.Typer:
    """Return the command line with no more than these words need: the list of the verbs needs no options."""
    asked = next((word for word in words if not word.startswith("-")), "")
    if asked in itertools.chain(*VERBS.values()):
        return application(asked)
    app = application()
    if words in (["--help"], ["-h"]):
        app.registered_commands = [_without_options(command) for command in app.registered_commands]
    return app


def _without_options(command: Any) -> Any:
    def described() -> None: ...

    described.__doc__ = command.callback.__doc__
    bare = copy.copy(command)
    bare.callback = described
    return bare


# typer carries its own copy of click; this is the class of all its usage errors
_ClickError: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def _give_up(*lines: str) -> NoReturn:
    print("\n".join(printable(line) for line in (f"inexlab: {lines[0]}", *lines[1:])), file=sys.stderr)
    sys.exit(2)
