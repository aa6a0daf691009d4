"""`inexlab nexi`: what a query says."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from inexlab.cli.options import OUTPUT
from inexlab.cli.scoring import print_notes

_QUERY = typer.Argument(
    metavar="QUERY", help="A NEXI query, or plain keywords; after -- if it begins with -."
)


def nexi(query: Annotated[str, _QUERY], output: Annotated[str, OUTPUT] = "table") -> None:
    """Show the tree of a query, its target, its support elements and the single clauses it is made of.

    JSON has the way the single clauses combine as a tree over their numbers in `children`, from 0:
    {"and": [0, {"or": [1, 2]}]}. A query that cannot be read is answered with what was expected, and a caret
    under the place.

    Examples:
    `inexlab nexi '//article[about(., bees)]//sec[about(.//st, +"waggle dance") and .//yr > 1999]'`,
    `inexlab nexi 'bee dance -wasp' -o json`
    """
    from inexlab.api.lists import nexi as take_apart
    from inexlab.report.grids import known_format

    known_format(output)
    result = take_apart(query)
    print_notes(result.notes)
    sys.stdout.write(result.text(output))
