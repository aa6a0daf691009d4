"""The best units, found document by document: where what is in a document has to be known as a whole.

Documents that promise most come first, until no other can have one of the best results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from inexlab.retrieval.offers import MARGIN
from inexlab.retrieval.pruning import FURTHER, Count, QueryProfile
from inexlab.tables import Codes, Floats, Ints

_FIRST = 16  # documents that are looked at before there is a border, at least
_GROWTH = 4  # times as many as before are looked at then

Results = tuple[Ints, Codes, Floats]  # units, their documents and scores


class DocumentBounds(NamedTuple):
    """What results in each document score at most, -inf where there are none, and what rounding can add.

    `positions` is how many words of the query each document has.
    """

    bound: Floats
    margin: float
    positions: Floats

    def with_added(self, most: Floats) -> DocumentBounds:
        """Return the bounds of scores to which no more than so much is added in each document."""
        margin = self.margin + MARGIN * float(np.abs(most).max(initial=0.0))
        return DocumentBounds(self.bound + most, margin, self.positions)


def best_documents(
    bounds: DocumentBounds,
    limit: int,
    results: Callable[[Ints], Results],
    count: Count | None,
    profile: QueryProfile,
    *,
    whole: bool = False,
    recount: Count | None = None,
) -> Results:
    """Return all results that score as much as the last of the best that count.

    `results` returns those of some documents, which are given in their order, and `count` the scores of those
    that count. If what counts depends on all results of a document, these are kept as a `whole`. Where it is
    decided across documents, `count` returns what is likely to count among all so far, and `recount` what
    does. What was scored for results, these say.
    """
    bound, margin, positions = bounds
    having = np.flatnonzero(bound > -np.inf)
    order = having[np.argsort(-bound[having], kind="stable")]
    pool: list[Results] = [(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0))]
    counted, border = np.zeros(0), -np.inf
    at, step, asked_for = 0, max(_FIRST, limit), limit
    while True:
        while at < len(order) and bound[order[at]] >= border:
            some = order[at : at + step]
            if len(order) - at <= 2 * step:
                some = order[at:]
            visited = np.sort(some[bound[some] >= border])
            found = results(visited)
            words = int(positions[visited].sum())
            profile.visited += len(visited)
            profile.seen, profile.passed = profile.seen + words, profile.passed + words
            profile.reached += int(np.count_nonzero(found[2] >= border))
            pool.append(found)
            if recount is not None:
                assert count is not None
                pool = [_joined(pool)]
                counted, border = count(*pool[0], asked_for), -np.inf  # what counted may count no longer
            else:
                more = found[2] if count is None else count(*found, asked_for)
                counted = np.concatenate((counted, more))
            if len(counted) >= asked_for:
                counted = np.partition(counted, -asked_for)[-asked_for:]
                profile.border = float(counted[0])
                border = profile.border - margin
            at += len(visited)  # the first of some, as they come by their bounds
            step *= _GROWTH
        best = _reaching(border, _joined(pool), len(bound), whole=whole)
        if recount is None or np.isneginf(border):
            return best
        if np.count_nonzero(recount(*best, limit) >= border) >= limit:
            return best
        asked_for, border = FURTHER * asked_for, -np.inf


def _reaching(border: float, found: Results, documents: int, *, whole: bool) -> Results:
    """Return what reaches a border, or else is in the document of what does, if these count as a whole."""
    unit, document, score = found
    kept = score >= border
    if whole:
        has_one = np.zeros(documents, dtype=np.bool_)
        has_one[document[kept]] = True
        kept = has_one[document]
    return unit[kept], document[kept], score[kept]


def _joined(pool: list[Results]) -> Results:
    unit, document, score = (np.concatenate(column) for column in zip(*pool, strict=True))
    return unit, document, score
