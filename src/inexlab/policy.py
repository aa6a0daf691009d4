"""What the papers leave open, as named choices with one default each.

A policy is the same for all runs and measures of one evaluation. The defaults are the reading we hold
right; a campaign preset or the drop-in `inex_eval` brings the choices of its year's official tool. Every
choice that differs from the default is noted in the output.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from inexlab.errors import UnknownNameError, UsageError


def _choice(default: Any, meaning: str, **values: str) -> Any:
    return dataclasses.field(default=default, metadata={"meaning": meaning, "values": values})


@dataclass(frozen=True)
class Policy:
    """One choice per open question. A field's metadata says what it decides and what the values mean."""

    limit: int = _choice(1500, "results kept per topic, the first ones in the order of the run (0: all)")
    order: str = _choice(
        "format",
        "what ranks the results of a run",
        format="score in TREC files (six columns) and JSON Lines with scores, else the order of the file",
        file="the order of the file, whatever its format",
        score="score, highest first; equal scores in the order of the file, results without a score last",
    )
    seen_text: str = _choice(
        "skip",
        "text that an earlier result of the topic has shown already",
        skip="counts for nothing, neither as retrieved nor as relevant",
        again="counts again, as in the official tool; SpanR and MAgP may then exceed 1",
    )
    denominator: str = _choice(
        "unseen",
        "retrieved text in the precision of iP, MAiP and SpanP",
        unseen="text not seen before",
        full="the whole length of every result",
    )
    recall_levels: str = _choice(
        "exact",
        "how recall is compared with the level of an interpolated precision",
        exact="in whole characters",
        floor="floor(100 × recall) in floating point, as the official tool; exactly 0.29 falls below 0.29",
    )
    relevant_size: str = _choice(
        "highlights",
        "how much relevant text a judged document has",
        highlights="as much as is highlighted",
        stated="as much as the judgements' rsize states, as in the official tool",
    )
    empty_topics: str = _choice(
        "undefined",
        "a judged topic without relevant text",
        undefined="has no score and is left out of means",
        zero="scores 0 in iP and MAiP, as in the official tool",
    )
    beyond: str = _choice(
        "rank",
        "gP at a rank beyond the end of the list",
        rank="divides by the rank",
        last="repeats the value at the last rank, as the official tool",
    )
    unlocatable: int = _choice(
        0, "characters charged for a result that no document contains (official tool: 18)"
    )
    outside: str = _choice(
        "stated",
        "a result that reaches past the end of its document",
        stated="is taken as stated",
        clip="is cut at the document's end where the judgements state it",
    )

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value, values = getattr(self, field.name), field.metadata["values"]
            if values and value not in values:
                raise UnknownNameError(f"value for policy {field.name}", str(value), values)
            if not values and value < 0:
                raise UsageError(f"policy {field.name} is {value}, expected 0 or more.")

    def with_settings(self, settings: Iterable[str]) -> Policy:
        """Return this policy changed by texts such as `beyond=last`.

        >>> Policy().with_settings(["beyond=last"]).differences()
        ['beyond=last']
        """
        changes: dict[str, Any] = {}
        for setting in settings:
            name, equals, value = setting.partition("=")
            if name not in self.choices():
                raise UnknownNameError("policy", name, self.choices())
            number = isinstance(getattr(self, name), int)
            if not equals or (number and not re.fullmatch(r"[0-9]{1,9}", value)):
                kind = "a whole number" if number else " or ".join(self.choices()[name].metadata["values"])
                raise UsageError(f"policy {setting!r} is not understood; write {name}= and {kind}.")
            changes[name] = int(value) if number else value
        return dataclasses.replace(self, **changes)

    def differences(self) -> list[str]:
        """Return the choices that are not the default, as `name=value`."""
        return [
            f"{field.name}={getattr(self, field.name)}"
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        ]

    @classmethod
    def choices(cls) -> dict[str, dataclasses.Field[Any]]:
        """Return every choice by name; its metadata says what it decides."""
        return {field.name: field for field in dataclasses.fields(cls)}


# What the official tool of INEX 2008-2010 does; the presets of those years and `inex_eval` start from here.
OFFICIAL_TOOL = Policy(
    limit=0,
    seen_text="again",
    recall_levels="floor",
    relevant_size="stated",
    empty_topics="zero",
    beyond="last",
    unlocatable=18,
)
