"""A ranking: units with their scores, the best first.

Of two units with the same score, the one with more words exactly as in the query comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.retrieval.scoring import NO_ANSWER
from inexlab.retrieval.unit import Units
from inexlab.tables import Codes, Floats, Ints


@dataclass(frozen=True)
class Ranking:
    """Units, best first: ties are broken by their order in the collection.

    `element` has their numbers: those of elements in the index, or of units in their cut. `exact` is how many
    words of each are exactly as in the query, where that breaks ties.
    """

    element: Ints
    document: Codes
    score: Floats
    exact: Ints | None = None

    def __len__(self) -> int:
        return len(self.element)

    def first(self, count: int) -> Ranking:
        """Return the best so many."""
        return self._some(slice(count))

    def at(self, places: Ints) -> Ranking:
        """Return those at some places, in their order."""
        return self._some(places)

    def _some(self, which: Ints | slice) -> Ranking:
        exact = None if self.exact is None else self.exact[which]
        return Ranking(self.element[which], self.document[which], self.score[which], exact)


def exact_words(units: Units, positions: Sequence[Ints], numbers: Ints) -> Ints | None:
    """Return how many words at some positions each of some units has; None if there are none at all."""
    if not positions:
        return None
    first, last = units.intervals(numbers)
    counts = np.zeros(len(numbers), dtype=np.int64)
    for places in positions:
        counts += np.searchsorted(places, last) - np.searchsorted(places, first)
    return counts


def best(element: Ints, document: Codes, score: Floats, limit: int = 0, exact: Ints | None = None) -> Ranking:
    """Return elements in the order of their scores; of ties, those with more `exact` words come first.

    Then it is the order of the collection.
    """
    border = NO_ANSWER
    if limit and len(score) > limit:
        # all that may be among the best, ties at the border included
        border = _border.for_work(4 * len(score))(score, limit)
    kept = np.flatnonzero(score >= border if border > NO_ANSWER else score > NO_ANSWER)
    more = () if exact is None else (-exact[kept],)
    order = kept[np.lexsort((element[kept], *more, -score[kept]))]
    order = order[:limit] if limit else order
    return Ranking(element[order], document[order], score[order], None if exact is None else exact[order])


@Kernel
def _border(score: Floats, limit: int) -> float:
    """Return the `limit`-th largest score: the smallest in a heap of the largest ones.

    There are more scores than `limit`, and the heap has a place for as many: a child beyond it is not looked
    at.
    """
    heap = score[:limit].copy()
    heap.sort()  # a sorted row is a heap
    for value in score[limit:]:
        if value <= heap[0]:
            continue
        at = 0
        while True:
            child = 2 * at + 1
            if child >= limit:
                break
            if child + 1 < limit and heap[child + 1] < heap[child]:
                child += 1
            if heap[child] >= value:
                break
            heap[at] = heap[child]
            at = child
        heap[at] = value
    return float(heap[0])
