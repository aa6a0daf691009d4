"""Recall bases: the relevant elements of a topic, and the ideal ones among them.

The full recall base holds every element with a value above 0. It overlaps: what a paragraph holds, its
section holds. The ideal recall base is what a system should return where overlap is not wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.errors import UnknownNameError
from inexlab.judgements.elements import GradedElements
from inexlab.judgements.quantisation import Quantisation
from inexlab.judgements.table import Judgements
from inexlab.registry import Registry
from inexlab.tables import Codes, Floats, Ints

Mask = npt.NDArray[np.bool_]
Construction = Callable[[GradedElements, Floats], Mask]

ideal_constructions: Registry[Construction] = Registry(
    "construction of the ideal recall base", "inexlab.judgements.ideals"
)


def known_ideal(name: str) -> str:
    """Return the name of a construction of the ideal recall base, if there is one of that name."""
    if name not in ideal_constructions:
        raise UnknownNameError(ideal_constructions.kind, name, ideal_constructions)
    return name


@dataclass(frozen=True)
class RecallBase:
    """The values of all assessed elements, and which are ideal.

    `ideal_at` is for each element the ideal one at or above it (-1: none). `gains` are the values of
    the recall base, largest first, topic after topic (`gains_from`) and, in `row_gains`, document after
    document.
    """

    value: Floats
    ideal: Mask
    ideal_at: Codes
    gains: Floats
    gains_from: Ints
    row_gains: Floats
    row_gains_from: Ints


def recall_base(
    judgements: Judgements, elements: GradedElements, quant: Quantisation, ideal: str, focussed: bool
) -> RecallBase:
    """Return the recall base of a quantisation: the ideal one if `focussed`, else the full one."""
    return elements.once(
        ("recall base", quant.name, ideal, focussed),
        lambda: _build(judgements, elements, quant, ideal, focussed),
    )


class RelevantElement(NamedTuple):
    """An element of a recall base, with its value."""

    topic: str
    doc: str
    path: str
    value: float


def relevant_elements(
    judgements: Judgements, elements: GradedElements, base: RecallBase, topics: Container[str]
) -> Iterator[RelevantElement]:
    """Yield the elements of a recall base that belong to some topics, in the order of the judgements."""
    row_of = np.repeat(np.arange(len(judgements)), np.diff(elements.elements_from))
    for e in np.flatnonzero(base.ideal).tolist():
        topic = judgements.topics[int(judgements.topic[row_of[e]])]
        if topic in topics:
            doc = judgements.docs[int(judgements.doc[row_of[e]])]
            yield RelevantElement(topic, doc, elements.paths[int(elements.path[e])], float(base.value[e]))


def _build(
    judgements: Judgements, elements: GradedElements, quant: Quantisation, ideal: str, focussed: bool
) -> RecallBase:
    value = quant.values(elements)
    chosen = ideal_constructions[ideal](elements, value) if focussed else value > 0
    above = elements.trees[0]
    ideal_at = _nearest.for_work(4 * len(elements))(above, chosen)
    members = np.flatnonzero(chosen)
    row = np.repeat(np.arange(len(judgements)), np.diff(elements.elements_from))[members]
    by_row = members[np.lexsort((-value[members], row))]
    by_topic = members[np.lexsort((-value[members], judgements.topic[row]))]
    return RecallBase(
        value,
        chosen,
        ideal_at,
        value[by_topic],
        _borders(judgements.topic[row], len(judgements.topics)),
        value[by_row],
        _borders(row, len(judgements)),
    )


def _borders(groups: npt.NDArray[np.integer], count: int) -> Ints:
    return np.concatenate(([0], np.cumsum(np.bincount(groups, minlength=count)))).astype(np.int64)


@Kernel
def _nearest(above: Codes, chosen: Mask) -> Codes:
    """Return for each element the chosen one at or nearest above it; elements come after those above them.

    `above` holds places of elements or -1: no index can leave the arrays.
    """
    found = np.full(len(above), -1, dtype=np.int32)
    for e in range(len(above)):
        if chosen[e]:
            found[e] = e
        elif above[e] >= 0:
            found[e] = found[above[e]]
    return found
