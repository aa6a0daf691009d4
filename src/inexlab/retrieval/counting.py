"""What of a ranking counts towards the results that are wanted, where not all units do.

A search is told how many of the best units it takes for so many that count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from inexlab.retrieval.by_document import Results
from inexlab.retrieval.pruning import Count, CountingScores
from inexlab.retrieval.ranking import Ranking, best
from inexlab.tables import Codes, Floats, Ints

_TRIED = 4  # times as many units as are wanted, of which so many may count
_NOTHING: Results = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0)

Exact = Callable[[Ints], Ints | None]  # how many words of some units are exactly as in the query
Places = Callable[[Ranking], Ints]


class Across(NamedTuple):
    """Which units count where better ones in other documents matter, such as those with the same text.

    `exact` returns their places in a ranking, `likely` which these most likely are, in less time.
    """

    exact: Places
    likely: Places


class Counting(NamedTuple):
    """What returns the places in a ranking of units that count towards a limit.

    Whether one counts depends on better ones in its document, or, where these matter as a `whole`, on all.
    Of those that count so, what is `across` documents may leave some out.
    """

    places: Places
    whole: bool = False
    across: Across | None = None

    def first(self, ranking: Ranking, wanted: int) -> Ints:
        """Return the first so many places that count."""
        some = self.places(ranking)
        if self.across is None:
            return some[:wanted]
        tried = wanted
        while True:
            places = self.across.exact(ranking.at(some[:tried]))[:wanted]
            if len(places) == wanted or tried >= len(some):
                return some[places]
            tried *= 2

    def likely(self, ranking: Ranking) -> Ints:
        """Return the places that most likely count."""
        some = self.places(ranking)
        return some if self.across is None else some[self.across.likely(ranking.at(some))]


def every_place(ranking: Ranking) -> Ints:
    """Return all places of a ranking."""
    return np.arange(len(ranking))


def at_most(most: int, places: Places) -> Places:
    """Return what counts no more than so many units of a document, of those that count."""

    def first_of_documents(ranking: Ranking) -> Ints:
        some = places(ranking)
        document = ranking.document[some]
        order = np.argsort(document, kind="stable")
        together = document[order]
        of_document = np.empty(len(some), dtype=np.int64)  # how many of its document come before it
        of_document[order] = np.arange(len(some)) - np.searchsorted(together, together)
        return some[of_document < most]

    return first_of_documents


def counts_of(counted: Counting | None, exact: Exact) -> CountingScores | None:
    """Return what counts while a search goes on, and in the end; None if all units do.

    Units are ordered as results are, by `exact` words where scores are the same.
    """
    if counted is None:
        return None
    whole, across = counted.whole, counted.across is not None

    def counting(places: Callable[[Ranking, int], Ints]) -> Count:
        def count(unit: Ints, document: Codes, scores: Floats, limit: int) -> Floats:
            tried = len(scores) if whole else _TRIED * limit
            while True:
                some: Ints | slice = slice(None)
                if tried < len(scores):  # what counts depends on better ones: others need not be ordered
                    some = np.flatnonzero(scores >= np.partition(scores, -tried)[-tried])
                ranking = best(unit[some], document[some], scores[some], exact=exact(unit[some]))
                found = ranking.score[places(ranking, limit)]
                if tried >= len(scores) or len(found) >= limit:
                    return found
                tried *= _TRIED

        return count

    likely = counting(lambda ranking, _: counted.likely(ranking))
    return CountingScores(likely, counting(counted.first) if across else None)


def best_that_count(found: Results, limit: int, counts: CountingScores) -> Results:
    """Return all units that score as much as the last of the best that count."""
    element, document, scores = found
    counting = (counts.exact or counts.likely)(*found, limit)
    if len(counting) < limit:
        return found
    kept = np.flatnonzero(scores >= np.partition(counting, -limit)[-limit])
    return element[kept], document[kept], scores[kept]


class WholeDocuments:
    """Documents that have any of the best units so far, with all that is in them: that says what counts."""

    def __init__(self, results: Callable[[Ints], Results]) -> None:
        self._results, self._pool = results, [_NOTHING]
        self._known = np.zeros(0, dtype=np.int32)  # documents

    def counts(self, counts: CountingScores) -> CountingScores:
        """Return what counts all units of the documents that some are in; each document is asked for once.

        Where that is decided across documents, it counts those of all so far.
        """
        likely, exact = counts

        def in_documents(_unit: Ints, document: Codes, _scores: Floats, limit: int) -> Floats:
            return likely(*self._all_of(np.unique(document)), limit)

        def so_far(count: Count) -> Count:
            def count_all(_unit: Ints, document: Codes, _scores: Floats, limit: int) -> Floats:
                self._ask_for(document)
                return count(*self._found(), limit)

            return count_all

        return (
            CountingScores(in_documents) if exact is None else CountingScores(so_far(likely), so_far(exact))
        )

    def _all_of(self, documents: Codes) -> Results:
        """Return all units of some documents, and keep them."""
        self._known = np.concatenate((self._known, documents))
        element, document, scores = self._results(documents.astype(np.int64))
        found = element.copy(), document.copy(), scores  # else each would keep all of its room
        self._pool.append(found)
        return found

    def with_any_of(self, best: Results) -> Results:
        """Return all units of the documents that have any of the best ones."""
        self._ask_for(best[1])
        element, document, scores = self._found()
        kept = np.isin(document, best[1])
        return element[kept], document[kept], scores[kept]

    def _ask_for(self, documents: Codes) -> None:
        others = np.setdiff1d(documents, self._known)
        if len(others):
            self._all_of(others)

    def _found(self) -> Results:
        element, document, scores = (np.concatenate(column) for column in zip(*self._pool, strict=True))
        return element, document, scores
