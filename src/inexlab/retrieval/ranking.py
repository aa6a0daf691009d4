"""Searching: score every element that holds a term of the query, and keep the best.

What holds none of the wanted terms is no answer, whatever its score: it is left out. Of two elements with the
same score, the one comes first that has more words as they are in the query.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.index.index import Index
from inexlab.retrieval.candidates import Candidates, candidates
from inexlab.retrieval.model import Statistics, Weighting
from inexlab.retrieval.terms import QueryTerms, Reading, query_terms, read_as
from inexlab.tables import Codes, Floats, Ints
from inexlab.topics.query import Term

NO_ANSWER = -np.inf  # the score of what is no answer


@dataclass(frozen=True)
class Ranking:
    """Elements, best first: ties are broken by their order in the collection."""

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


def search_elements(
    how: Reading | Index,
    terms: tuple[Term, ...],
    weighting: Weighting,
    *,
    limit: int = 0,
    documents: Ints | None = None,
) -> Ranking:
    """Rank the elements that hold any of the terms, of listed documents only; `limit` keeps the best."""
    how = read_as(how)
    looked_up = query_terms(how, terms)
    found, scores = score_elements(how.index, looked_up, weighting, documents)
    element, document = found.element, found.document
    if looked_up.exact:  # which writes over what was found
        element, document = element.copy(), document.copy()
    return best(element, document, scores, limit, exact_words(how.index, looked_up.exact, element))


def score_elements(
    index: Index,
    looked_up: QueryTerms,
    weighting: Weighting,
    documents: Ints | None = None,
    *,
    unwanted_alone: bool = False,
) -> tuple[Candidates, Floats]:
    """Return every element that holds any of the terms, with its score.

    With `unwanted_alone` also what holds no wanted term has one: how much it loses.
    """
    found = candidates(index, looked_up.positions, documents, looked_up.most_units)
    statistics = Statistics(
        index.units,
        index.mean_tokens,
        index.mean_terms,
        index.tokens,
        looked_up.units_with,
        looked_up.frequency,
        looked_up.weight,
    )
    return found, _scores(found, looked_up, weighting, statistics, unwanted_alone=unwanted_alone)


def search_articles(
    how: Reading | Index, terms: tuple[Term, ...], weighting: Weighting, *, limit: int = 0
) -> Ranking:
    """Rank whole documents, with statistics over documents: what a search engine without elements does."""
    how = read_as(how)
    index, looked_up = how.index, query_terms(how, terms)
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
    exact = exact_words(index, looked_up.exact, found.element)
    return best(found.element, found.document, scores, limit, exact)


def exact_words(index: Index, positions: Sequence[Ints], elements: Ints) -> Ints | None:
    """Return how many words at some positions each of some elements has; None where there are none at all."""
    if not positions:
        return None
    found = candidates(index, positions)
    order = np.argsort(elements, kind="stable")
    place = np.searchsorted(elements, found.element, sorter=order)
    counts = np.zeros(len(elements), dtype=np.int64)
    known = place < len(elements)
    known[known] = elements[order[place[known]]] == found.element[known]
    counts[order[place[known]]] = found.frequency[known].sum(axis=1)
    return counts


def _scores(
    found: Candidates,
    terms: QueryTerms,
    weighting: Weighting,
    statistics: Statistics,
    *,
    unwanted_alone: bool = False,
) -> Floats:
    if not len(found):
        return np.zeros(0)
    scores = weighting(found, statistics)
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
