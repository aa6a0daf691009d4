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

    A profile of one's own is a TOML file with the same keys, for the option --profile of `index`; with
    `extends = "jats"` it says only what is different.

    Examples:
    `inexlab profiles`,
    `inexlab profiles docbook`
    """
    from inexlab.collection.profile import built_in_profiles, profile_text, read_profile
    from inexlab.report.grids import known_format, write_grid
    from inexlab.report.tables import Grid

    known_format(output)
    if name:
        sys.stdout.write(profile_text(name))
        return
    rows = [[each, read_profile(each).title] for each in built_in_profiles()]
    sys.stdout.write(write_grid(Grid(["profile", "for"], rows), output, terminal_width()))
