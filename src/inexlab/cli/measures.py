"""`inexlab measures`: the list of measures, or the manual page of one."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from inexlab.cli.terminal import terminal_width


def measures(
    name: Annotated[str, typer.Argument(help="A measure, for example iP or gP.")] = "",
    output: Annotated[str, typer.Option("-o", "--output", help="Format: table or json.")] = "table",
) -> None:
    """List the measures, or show one measure's formula, source, parameters and worked example.

    Examples: `inexlab measures`, `inexlab measures MAgP`
    """
    from inexlab.api.lists import list_measures
    from inexlab.errors import UnknownNameError

    if output not in ("table", "json"):
        raise UnknownNameError("output format", output, ("table", "json"))
    sys.stdout.write(list_measures(name).text(output, width=terminal_width()))
