"""Gains: what each result is worth to a reader, given what the reader has seen (XCG).

`overlap=off` gives every element its value, the first time. `overlap=on` pays for what is new only, and
for all results inside one ideal element no more than for that element itself: Kazai and Lalmas (2005),
equations 7-9. `overlap=2006` keeps the second rule alone, and counts elements above the ideal one too:
Lalmas and Tombros (2007), equation 13.

Readings taken where the papers are silent: the value of the ideal element in the bound is its own,
unseen one, and what is subtracted are the gains given before; the bound never goes below 0; an element
above several ideal ones is bound by the sum of what they have left; an element without value gains
nothing, even where parts of it would; text of an element outside its children is worth nothing once
part of it was seen. In 2006 an element returned again gains again, as long as its ideal one has room.
"""

from __future__ import annotations

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.errors import UsageError
from inexlab.judgements.quantisation import Quantisation
from inexlab.judgements.recall_base import Mask, RecallBase, recall_base
from inexlab.measures.elements import ElementEvidence
from inexlab.tables import Codes, Floats, Ints

OVERLAPS = ("off", "on", "2006")
ANCESTORS = ("sum", "max", "min", "none")


def base_of(evidence: ElementEvidence, quant: Quantisation, overlap: str, ideal: str) -> RecallBase:
    """Return the recall base a run is compared with: the full one for overlap=off, else the ideal one."""
    elements = evidence.elements
    if overlap != "off" and elements.scale != "2005":
        raise UsageError(
            f"overlap={overlap} needs the sizes of elements, which only judgements from 2005 on have."
        )
    return recall_base(
        evidence.judgements, elements, quant.for_scale(elements.scale), ideal, overlap != "off"
    )


def gains(
    evidence: ElementEvidence,
    quant: Quantisation,
    overlap: str,
    ideal: str = "official",
    alpha: float = 1.0,
    ancestors: str = "sum",
    duplicates: str = "zero",
) -> Floats:
    """Return the gain of every result."""
    return gains_in_parts(evidence, quant, overlap, ideal, alpha, ancestors, duplicates)[0]


def gains_in_parts(
    evidence: ElementEvidence,
    quant: Quantisation,
    overlap: str,
    ideal: str = "official",
    alpha: float = 1.0,
    ancestors: str = "sum",
    duplicates: str = "zero",
) -> tuple[Floats, Floats, Floats]:
    """Return of every result the gain, the value that is new, and the most that its ideal element allows."""
    base = base_of(evidence, quant, overlap, ideal)
    if overlap == "off":
        keep = duplicates == "keep"
        gain = _plain_gains.for_work(3 * len(evidence.element))(evidence.element, base.value, keep)
        return gain, gain, np.full(len(gain), np.inf)
    above, parent, end = evidence.elements.trees
    return _gains.for_work(40 * len(evidence.element))(
        evidence.element,
        evidence.above,
        evidence.below_from,
        evidence.below_to,
        above,
        parent,
        end,
        evidence.elements.size,
        base.value,
        base.ideal,
        base.ideal_at,
        overlap == "on",
        alpha,
        ANCESTORS.index(ancestors),
    )


@Kernel
def _plain_gains(element: Codes, value: Floats, keep: bool) -> Floats:
    # a place for every result, and for every assessed element, which `element` is, or -1
    gain = np.zeros(len(element), dtype=np.float64)
    returned = np.zeros(len(value), dtype=np.bool_)
    for i in range(len(element)):
        e = element[i]
        if e >= 0 and (keep or not returned[e]):
            gain[i] = value[e]
            returned[e] = True
    return gain


@Kernel
def _gains(
    element: Codes,
    above_result: Codes,
    below_from: Codes,
    below_to: Codes,
    above: Codes,
    parent: Codes,
    end: Codes,
    size: Ints,
    value: Floats,
    ideal: Mask,
    ideal_at: Codes,
    novelty: bool,
    alpha: float,
    ancestors: int,
) -> tuple[Floats, Floats, Floats]:
    """Go down the results; what is known of an element is kept in columns over all assessed elements.

    `returned` itself, `covered` by a result above it that nobody assessed, `touched` by a result below
    it; `given` is the gain credited so far inside an ideal element. Results of several topics do not
    meet: neither do their elements.

    All that names an assessed element (`above`, `parent`, `ideal_at`, what is below a result) is a place in
    these columns or -1, where a subtree ends is at most their length: `_trees` and `_find` wrote them.
    """
    gain = np.zeros(len(element), dtype=np.float64)
    fresh = np.zeros(len(element), dtype=np.float64)
    room = np.zeros(len(element), dtype=np.float64)
    returned = np.zeros(len(value), dtype=np.bool_)
    covered = np.zeros(len(value), dtype=np.bool_)
    touched = np.zeros(len(value), dtype=np.bool_)
    given = np.zeros(len(value), dtype=np.float64)
    worth = np.zeros(len(value), dtype=np.float64)  # of the unseen children of an element, times their size
    seen = np.zeros(len(value), dtype=np.bool_)
    for i in range(len(element)):
        e = element[i]
        if e >= 0 and value[e] > 0:
            bound = _room(e, end[e], value, ideal, ideal_at, given, ancestors)
            new = value[e]
            if novelty:
                new = _new_value(
                    e, alpha, above, parent, end, size, value, returned, covered, touched, seen, worth
                )
            gain[i] = max(0.0, min(new, bound))
            fresh[i], room[i] = new, bound
            if ideal_at[e] >= 0:
                given[ideal_at[e]] += gain[i]
            elif not novelty:
                for below in range(e + 1, end[e]):
                    if ideal[below]:
                        given[below] += gain[i]
        up = above_result[i]
        if e >= 0:
            returned[e] = True
            up = above[e]
        for below in range(below_from[i], below_to[i]):
            covered[below] = True
        while up >= 0 and not touched[up]:
            touched[up] = True
            up = above[up]
    return gain, fresh, room


@Kernel
def _room(
    e: int, stop: int, value: Floats, ideal: Mask, ideal_at: Codes, given: Floats, ancestors: int
) -> float:
    """Return what may still be gained in the ideal element at or above e, else in the ideal ones below."""
    at = ideal_at[e]
    if at >= 0:
        return _left(value[at], given[at])
    if ancestors == 3:
        return np.inf
    total, largest, smallest = 0.0, 0.0, np.inf
    for below in range(e + 1, stop):
        if ideal[below]:
            left = _left(value[below], given[below])
            total += left
            largest = max(largest, left)
            smallest = min(smallest, left)
    if ancestors == 1:
        return largest
    return smallest if ancestors == 2 else total


@Kernel
def _left(value: float, given: float) -> float:
    """Return value - given, and 0 where only rounding is left: a residue would count as a gain."""
    left = value - given
    return left if left > 1e-12 * value else 0.0


@Kernel
def _new_value(
    e: int,
    alpha: float,
    above: Codes,
    parent: Codes,
    end: Codes,
    size: Ints,
    value: Floats,
    returned: Mask,
    covered: Mask,
    touched: Mask,
    seen: Mask,
    worth: Floats,
) -> float:
    """Return rv(e): the whole value if unseen, the rest of its children's if partly seen, (1 - α) if seen.

    Below e everything has something above it that is e or below e: no place of -1 is written to.
    """
    up = e
    while up >= 0:
        if returned[up] or covered[up]:
            return float((1.0 - alpha) * value[e])
        up = above[up]
    if not touched[e]:
        return float(value[e])
    worth[e] = 0.0
    seen[e] = False
    for j in range(e + 1, end[e]):
        worth[j] = 0.0
        seen[j] = returned[j] or covered[j] or seen[above[j]]
    for j in range(end[e] - 1, e, -1):
        if value[j] <= 0 or parent[j] < 0:
            continue
        now = value[j]
        if seen[j]:
            now = (1.0 - alpha) * value[j]
        elif touched[j]:
            rest = worth[j] / size[j] if size[j] > 0 else 0.0
            now = alpha * rest + (1.0 - alpha) * value[j]
        worth[parent[j]] += now * size[j]
    rest = worth[e] / size[e] if size[e] > 0 else 0.0
    return float(alpha * rest + (1.0 - alpha) * value[e])
