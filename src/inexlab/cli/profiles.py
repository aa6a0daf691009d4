"""`inexlab profiles`: the built-in profiles, and the file of one to start from."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from inexlab.cli.options import OUTPUT
from inexlab.cli.terminal import terminal_width

_NAME = typer.Argument(metavar="NAME", help="Print the file of this profile, to start from.")


def profiles(
    name: Annotated[str, _NAME] = "",
    output: Annotated[str, OUTPUT] = "table",
) -> None:
    """List the profiles that say what tags mean, or print one to start from.

    A custom profile is a TOML file with the same keys, for the option --profile of `index`; with
    `extends = "jats"` it says only what is different.

    Examples:
    `inexlab profiles`,
    `inexlab profiles docbook`
    """
    from inexlab.api.lists import profiles as list_profiles
    from inexlab.report.grids import known_format

    known_format(output)
    result = list_profiles(name)
    sys.stdout.write(result.text("table" if name else output, width=terminal_width()))
