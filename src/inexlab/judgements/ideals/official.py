"""The ideal recall base of INEX 2005-2006. Kazai and Lalmas (2005) §2.

A relevant path leads from the root to a relevant element that has no relevant element below it. Of the
relevant elements on a relevant path the one with the highest value is ideal, the one nearer the root if
values tie. Of two ideal elements that then overlap the one nearer the root stays, even if the other has
the higher value.
"""

from __future__ import annotations

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.judgements.elements import GradedElements
from inexlab.judgements.recall_base import Mask, ideal_constructions
from inexlab.tables import Codes, Floats


def official(elements: GradedElements, value: Floats) -> Mask:
    """Return which elements are ideal."""
    return _official.for_work(10 * len(elements))(elements.trees[0], value)


@Kernel
def _official(above: Codes, value: Floats) -> Mask:
    # `above` holds places of elements or -1, and so does `best_above`, which is none of -1 where it is used:
    # an element of a value is the best one at or above itself if no other is
    count = len(value)
    best_above = np.full(count, -1, dtype=np.int32)  # the best element at or above each one
    for e in range(count):  # elements come after those above them
        if above[e] >= 0:
            best_above[e] = best_above[above[e]]
        if value[e] > 0 and (best_above[e] < 0 or value[e] > value[best_above[e]]):
            best_above[e] = e
    relevant_below = np.zeros(count, dtype=np.bool_)
    best = np.zeros(count, dtype=np.bool_)
    for e in range(count - 1, -1, -1):
        if value[e] > 0 and not relevant_below[e]:
            best[best_above[e]] = True
        if above[e] >= 0 and (value[e] > 0 or relevant_below[e]):
            relevant_below[above[e]] = True
    inside = np.zeros(count, dtype=np.bool_)
    for e in range(count):
        inside[e] = above[e] >= 0 and (inside[above[e]] or best[above[e]])
    return best & ~inside


ideal_constructions.add("official", official)
