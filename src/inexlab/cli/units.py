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
    metavar="byte|char|merged",
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
    of_runs, of_judgements = units_of(settings, collection)
    if collection is not None and of_judgements != "char":
        from inexlab.judgements import units

        judgements = units.in_characters(judgements, collection, of_judgements)
    return judgements, runs if collection is None or of_runs == "char" else _runs(runs, collection, of_runs)


def _runs(runs: Iterator[Run], collection: Collection, unit: str) -> Iterator[Run]:
    from inexlab.runs import units

    return (units.in_characters(run, collection, unit) for run in runs)
