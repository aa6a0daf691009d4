"""Searching: score every unit that holds a term of the query, and keep the best.

A unit without any of the wanted terms is not an answer, whatever its score. Of two units with the same score,
the one with more words exactly as in the query comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.index.index import Index
from inexlab.retrieval.candidates import Candidates, candidates
from inexlab.retrieval.model import Statistics, Weighting
from inexlab.retrieval.terms import QueryAnalyser, QueryTerms, as_analyser, query_terms
from inexlab.retrieval.unit import Units
from inexlab.retrieval.units.elements import ElementUnits
from inexlab.tables import Codes, Floats, Ints
from inexlab.topics.query import Term

NO_ANSWER = -np.inf  # the score of what is not an answer


@dataclass(frozen=True)
class Ranking:
    """Units, best first: ties are broken by their order in the collection.

    `element` has their numbers: those of elements in the index, or of units in their cut.
    """

    element: Ints
    document: Codes
    score: Floats

    def __len__(self) -> int:
        return len(self.element)

    def first(self, count: int) -> Ranking:
        """Return the best so many."""
        return Ranking(self.element[:count], self.document[:count], self.score[:count])

    def at(self, places: Ints) -> Ranking:
        """Return those at some places, in their order."""
        return Ranking(self.element[places], self.document[places], self.score[places])


def search_units(
    units: Units,
    terms: tuple[Term, ...],
    weighting: Weighting,
    *,
    analyser: QueryAnalyser | None = None,
    limit: int = 0,
    documents: Ints | None = None,
    demanding: bool = False,
) -> Ranking:
    """Rank the units that hold any of the terms, of listed documents only; `limit` keeps the best.

    If `demanding`, `+` and `-` are requirements: a unit that lacks a wanted term, or has an unwanted one, is
        not an answer.
    """
    looked_up = query_terms(analyser or units.index, terms)
    found, scores = score_units(units, looked_up, weighting, documents, demanding=demanding)
    element, document = found.element, found.document
    if looked_up.exact:  # which writes over what was found
        element, document = element.copy(), document.copy()
    return best(element, document, scores, limit, exact_words(units, looked_up.exact, element))


def score_units(
    units: Units,
    looked_up: QueryTerms,
    weighting: Weighting,
    documents: Ints | None = None,
    *,
    unwanted_alone: bool = False,
    demanding: bool = False,
) -> tuple[Candidates, Floats]:
    """Return every unit that holds any of the terms, with its score.

    With `unwanted_alone` also what holds no wanted term has one: how much it loses.
    """
    found, holding = units.candidates(looked_up, documents)
    statistics = Statistics(
        # where the collection has no such unit, and a term that is in none, must not divide by 0
        max(units.count, 1),
        units.mean_length or 1.0,
        units.mean_terms or 1.0,
        units.index.tokens,
        np.maximum(holding, 1.0),
        looked_up.frequency,
        looked_up.weight,
    )
    return found, _scores(
        found, looked_up, weighting, statistics, unwanted_alone=unwanted_alone, demanding=demanding
    )


def search_elements(
    analyser: QueryAnalyser | Index,
    terms: tuple[Term, ...],
    weighting: Weighting,
    *,
    limit: int = 0,
    documents: Ints | None = None,
) -> Ranking:
    """Rank all elements that hold any of the terms."""
    analyser = as_analyser(analyser)
    return search_units(
        ElementUnits(analyser.index), terms, weighting, analyser=analyser, limit=limit, documents=documents
    )


def search_articles(
    analyser: QueryAnalyser | Index, terms: tuple[Term, ...], weighting: Weighting, *, limit: int = 0
) -> Ranking:
    """Rank whole documents, with statistics over documents: what a search engine without elements does."""
    analyser = as_analyser(analyser)
    index, looked_up = analyser.index, query_terms(analyser, terms)
    found = candidates(index, looked_up.positions, most=looked_up.most_units).roots()
    first = index.document_elements[:-1]
    statistics = Statistics(
        len(first),
        float(index.columns["tokens"][first].mean()),
        float(index.columns["terms"][first].mean()),
        index.tokens,
        np.count_nonzero(found.frequency, axis=0).astype(np.float64),
        looked_up.frequency,
        looked_up.weight,
    )
    scores = _scores(found, looked_up, weighting, statistics)
    exact = exact_words(ElementUnits(index), looked_up.exact, found.element)
    return best(found.element, found.document, scores, limit, exact)


def exact_words(units: Units, positions: Sequence[Ints], numbers: Ints) -> Ints | None:
    """Return how many words at some positions each of some units has; None if there are none at all."""
    if not positions:
        return None
    found = units.holding(positions)
    order = np.argsort(numbers, kind="stable")
    place = np.searchsorted(numbers, found.element, sorter=order)
    counts = np.zeros(len(numbers), dtype=np.int64)
    known = place < len(numbers)
    known[known] = numbers[order[place[known]]] == found.element[known]
    counts[order[place[known]]] = found.frequency[known].sum(axis=1)
    return counts


def _scores(
    found: Candidates,
    terms: QueryTerms,
    weighting: Weighting,
    statistics: Statistics,
    *,
    unwanted_alone: bool = False,
    demanding: bool = False,
) -> Floats:
    if not len(found):
        return np.zeros(0)
    scores = weighting(found, statistics)
    if demanding:
        holds = found.frequency > 0
        right = holds[:, terms.wanted].all(axis=1) & ~holds[:, terms.unwanted].any(axis=1)
        scores = np.where(right & (not terms.missing), scores, NO_ANSWER)
    wanted = terms.weight > 0
    if not wanted.all() and not unwanted_alone:
        scores = np.where(found.frequency[:, wanted].any(axis=1), scores, NO_ANSWER)
    return scores


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
    return Ranking(element[order], document[order], score[order])


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
