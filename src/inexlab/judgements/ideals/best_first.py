"""An ideal recall base that takes the best elements first, to show what the official construction decides.

Relevant elements are taken by falling value, of equal ones the one nearer the root, then the earlier one; an
element that overlaps one taken before is left out. Where a deeper element has the higher value it stays,
while the official construction keeps the one nearer the root.
"""

from __future__ import annotations

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.judgements.elements import GradedElements
from inexlab.judgements.recall_base import Mask, ideal_constructions
from inexlab.tables import Codes, Floats, Ints


def best_first(elements: GradedElements, value: Floats) -> Mask:
    """Return which elements are ideal."""
    # elements come after those above them, so of equal values the one nearer the root is first
    order = np.argsort(-value, kind="stable")
    return _best_first.for_work(10 * len(elements))(elements.trees[0], value, order)


@Kernel
def _best_first(above: Codes, value: Floats, order: Ints) -> Mask:
    # `above` holds places of elements or -1, `order` every place once: no index can leave the arrays
    chosen = np.zeros(len(value), dtype=np.bool_)
    holds_chosen = np.zeros(len(value), dtype=np.bool_)  # an element below is chosen
    for e in order:
        if value[e] <= 0:
            break
        if holds_chosen[e]:
            continue
        free, a = True, above[e]
        while a >= 0 and free:
            free, a = not chosen[a], above[a]
        if not free:
            continue
        chosen[e] = True
        a = above[e]
        while a >= 0 and not holds_chosen[a]:
            holds_chosen[a] = True
            a = above[a]
    return chosen


ideal_constructions.add("best-first", best_first)
