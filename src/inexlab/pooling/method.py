"""What a way of pooling is: from the rankings of all runs on one topic to the documents to judge.

Each file in `methods` registers one; plug-ins do by entry points of the group `inexlab.pooling.methods`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from inexlab.registry import Registry


class RankedDocuments(NamedTuple):
    """What a run returned for a topic: each document once, with the rank of the first result in it."""

    docs: Sequence[str]
    ranks: Sequence[int]


class Chosen(NamedTuple):
    """The documents of a pool in the order in which they came in, each with the run that brought it.

    `reached` says how many documents of each run were looked at: what lies below counts for nothing.
    """

    documents: dict[str, int]
    reached: list[int]


Choose = Callable[[Sequence[RankedDocuments], int], Chosen]


@dataclass(frozen=True)
class PoolingMethod:
    """A named method; `counts` says what its number is of: `results` of each run, or `documents` in all."""

    name: str
    choose: Choose
    counts: str
    doc: str


pooling_methods: Registry[PoolingMethod] = Registry(
    "pooling method", "inexlab.pooling.methods", {"choose": Chosen}
)


def pooling_method(name: str, *, counts: str) -> Callable[[Choose], Choose]:
    """Register the decorated function, from rankings in the order of runs and a number, as a method."""

    def register(choose: Choose) -> Choose:
        doc = inspect.cleandoc(choose.__doc__ or "")
        pooling_methods.add(name, PoolingMethod(name, choose, counts, doc))
        return choose

    return register
