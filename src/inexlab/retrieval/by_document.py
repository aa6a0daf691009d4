"""The best units, found document by document: where what is in a document has to be known as a whole.

Documents that promise most come first, until no other can have one of the best results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from inexlab.retrieval.offers import MARGIN
from inexlab.retrieval.pruning import FURTHER, CountingScores, QueryProfile, best_so_many
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
    counts: CountingScores | None,
    profile: QueryProfile,
    *,
    whole: bool = False,
) -> Results:
    """Return all results that score as much as the last of the best that count.

    `results` returns those of some documents, which are given in their order, and `counts` says which of them
    count; where that is decided across documents, all so far are counted again. If what counts depends on all
    results of a document, these are kept as a `whole`. What was scored for results, these say.
    """
    bound, margin, positions = bounds
    having = np.flatnonzero(bound > -np.inf)
    order = having[np.argsort(-bound[having], kind="stable")]
    pool: list[Results] = [(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0))]
    counted, last = np.zeros(0), -np.inf
    at, step, asked_for = 0, max(_FIRST, limit), limit
    while True:
        while at < len(order) and bound[order[at]] >= last - margin:
            some = order[at : at + step]
            if len(order) - at <= 2 * step:
                some = order[at:]
            visited = np.sort(some[bound[some] >= last - margin])
            found = results(visited)
            words = int(positions[visited].sum())
            profile.visited += len(visited)
            profile.seen, profile.passed = profile.seen + words, profile.passed + words
            profile.reached += int(np.count_nonzero(found[2] >= last - margin))
            pool.append(found)
            if counts is not None and counts.exact is not None:
                pool = [_joined(pool)]
                counted = counts.likely(*pool[0], asked_for)
            else:
                more = found[2] if counts is None else counts.likely(*found, asked_for)
                counted = np.concatenate((counted, more))
            last, counted = best_so_many(counted, asked_for)
            at += len(visited)  # the first of some, as they come by their bounds
            step *= _GROWTH
        best = _reaching(last - margin, _joined(pool), len(bound), whole=whole)
        if np.isneginf(last) or counts is None or counts.enough(best, limit, last):
            profile.border = last
            return best
        asked_for *= FURTHER
        last, counted = best_so_many(counts.likely(*_joined(pool), asked_for), asked_for)


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
