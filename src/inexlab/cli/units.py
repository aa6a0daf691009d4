"""`--unit`: what the offsets of runs and judgements count, where they do not count characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from inexlab.collection import Collection
    from inexlab.judgements import Judgements
    from inexlab.runs import Run

UNIT = typer.Option(
    metavar="byte|char|merged|merged-byte",
    help="What offsets count (char unless given); runs=byte or judgements=byte for one of them; repeatable.",
)


def units_of(settings: Sequence[str], collection: object) -> tuple[str, str]:
    """Return the units of runs and of judgements."""
    from inexlab.errors import UnknownNameError, UsageError
    from inexlab.spans import UNITS

    chosen = {"runs": "char", "judgements": "char"}
    for setting in settings:
        whose, equals, unit = setting.rpartition("=")
        if equals and whose not in chosen:
            raise UnknownNameError("part of --unit", whose, chosen)
        if unit not in UNITS:
            raise UnknownNameError("unit", unit, UNITS)
        chosen.update({whose: unit} if equals else dict.fromkeys(chosen, unit))
    if set(chosen.values()) != {"char"} and collection is None:
        raise UsageError("--unit needs the texts of the documents: give --collection DIR.")
    return chosen["runs"], chosen["judgements"]


def in_characters(
    judgements: Judgements, runs: Iterator[Run], collection: Collection | None, settings: Sequence[str]
) -> tuple[Judgements, Iterator[Run]]:
    """Return judgements and runs with offsets that count characters."""
    judged = judgements_in_characters(judgements, collection, settings)
    return judged, (run_in_characters(run, collection, settings) for run in runs)


def judgements_in_characters(
    judgements: Judgements, collection: Collection | None, settings: Sequence[str]
) -> Judgements:
    """Return judgements with offsets that count characters."""
    unit = units_of(settings, collection)[1]
    if collection is None or unit == "char":
        return judgements
    from inexlab.judgements import units

    return units.in_characters(judgements, collection, unit)


def run_in_characters(run: Run, collection: Collection | None, settings: Sequence[str]) -> Run:
    """Return a run with offsets that count characters."""
    unit = units_of(settings, collection)[0]
    if collection is None or unit == "char":
        return run
    from inexlab.runs import units

    return units.in_characters(run, collection, unit)
