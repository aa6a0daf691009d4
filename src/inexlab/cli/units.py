"""`--unit`: what the offsets of runs and judgements count, where they do not count characters."""

from __future__ import annotations

import typer

UNIT = typer.Option(
    metavar="byte|char|merged|merged-byte",
    help="What offsets count (char unless given); runs=byte or judgements=byte for one of them; repeatable.",
)
