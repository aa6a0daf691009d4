"""Searching: the best of the units that hold a term of the query.

A unit without any of the wanted terms is not an answer, whatever its score. Of two units with the same score,
the one with more words exactly as in the query comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from inexlab.accelerate import Kernel, is_compiler_loaded
from inexlab.index.index import Index
from inexlab.index.whole import ROOTS
from inexlab.retrieval import pruning
from inexlab.retrieval.by_document import DocumentBounds, Results
from inexlab.retrieval.candidates import Candidates, candidates
from inexlab.retrieval.model import Statistics, Weighting
from inexlab.retrieval.offers import Bounds, bounds
from inexlab.retrieval.pruning import (
    Count,
    DocumentRows,
    DocumentVisitor,
    Fits,
    QueryProfile,
    best_units,
)
from inexlab.retrieval.scoring import NO_ANSWER, scores_of, statistics_of, statistics_of_whole
from inexlab.retrieval.terms import QueryAnalyser, QueryTerms, as_analyser, query_terms
from inexlab.retrieval.unit import Units
from inexlab.retrieval.units.elements import ElementUnits
from inexlab.tables import Codes, Floats, Ints
from inexlab.topics.query import Term

_MANY = 20  # positions to a result that is wanted: where there are fewer, nearly all units are looked at
_TRIED = 4  # times as many units as are wanted, of which so many may count
_BEFORE_COMPILING = 1_000_000  # positions: to score all units with them takes less than loading the compiler
_DOCUMENTS = 2  # and documents: where there are fewer, nearly all have one of the results
_NOTHING: Results = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0)


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


Exact = Callable[[Ints], Ints | None]  # how many words of some units are exactly as in the query


class Counting(NamedTuple):
    """What returns the places in a ranking of units that count towards a limit.

    Whether one counts depends on better ones in its document, or, where these matter as a `whole`, on all.
    """

    places: Callable[[Ranking], Ints]
    whole: bool = False


def at_most(most: int, counted: Counting | None) -> Counting:
    """Return what counts no more than so many units of a document, of those that count."""

    def places(ranking: Ranking) -> Ints:
        some = np.arange(len(ranking)) if counted is None else counted.places(ranking)
        document = ranking.document[some]
        order = np.argsort(document, kind="stable")
        together = document[order]
        of_document = np.empty(len(some), dtype=np.int64)  # how many of its document come before it
        of_document[order] = np.arange(len(some)) - np.searchsorted(together, together)
        return some[of_document < most]

    return Counting(places, counted is not None and counted.whole)


def counting_scores(counted: Counting | None, limit: int, exact: Exact) -> Count | None:
    """Return what returns the scores of the best `limit` units that count, and some more; None if all do.

    Units are ordered as results are, by `exact` words where scores are the same.
    """
    if counted is None:
        return None

    def count(unit: Ints, document: Codes, scores: Floats) -> Floats:
        tried = len(scores) if counted.whole else _TRIED * limit
        while True:
            some: Ints | slice = slice(None)
            if tried < len(scores):  # what counts depends on better ones: others need not be ordered
                some = np.flatnonzero(scores >= np.partition(scores, -tried)[-tried])
            ranking = best(unit[some], document[some], scores[some], exact=exact(unit[some]))
            counting = ranking.score[counted.places(ranking)]
            if tried >= len(scores) or len(counting) >= limit:
                return counting
            tried *= _TRIED

    return count


class Asked(NamedTuple):
    """What units are ranked by: terms, and what returns the scores of units that hold any of these.

    A term bounds units by so much at `least`.
    """

    terms: QueryTerms
    scores: Callable[[Candidates, Statistics], Floats]
    least: float = -np.inf


def ask_terms(terms: QueryTerms, weighting: Weighting, profile: QueryProfile, *, demanding: bool) -> Asked:
    """Return what ranks units by the terms of a query; the profile counts those that are scored."""

    def scores(found: Candidates, statistics: Statistics) -> Floats:
        profile.scored += len(found)
        return scores_of(found, terms, weighting, statistics, demanding=demanding)

    return Asked(terms, scores)


def search_units(
    units: Units,
    terms: tuple[Term, ...],
    weighting: Weighting,
    *,
    analyser: QueryAnalyser | None = None,
    limit: int = 0,
    documents: Ints | None = None,
    demanding: bool = False,
    counted: Counting | None = None,
    fits: Fits | None = None,
    added: Addition | None = None,
    profile: QueryProfile | None = None,
) -> Ranking:
    """Rank the units that hold any of the terms, of listed documents only; `limit` keeps the best.

    If `demanding`, `+` and `-` are requirements: a unit that lacks a wanted term, or has an unwanted one, is
        not an answer. What else there is, `search_asked` says.
    """
    profile = profile if profile is not None else QueryProfile()
    looked_up = query_terms(analyser or units.index, terms)
    return search_asked(
        units,
        ask_terms(looked_up, weighting, profile, demanding=demanding),
        weighting,
        limit=limit,
        documents=documents,
        counted=counted,
        fits=fits,
        added=added,
        profile=profile,
    )


def search_asked(
    units: Units,
    asked: Asked,
    weighting: Weighting,
    *,
    limit: int = 0,
    documents: Ints | None = None,
    counted: Counting | None = None,
    fits: Fits | None = None,
    added: Addition | None = None,
    profile: QueryProfile,
) -> Ranking:
    """Rank units by what is asked, of listed documents only; `limit` keeps the best.

    With `counted` so many that count are kept, and what is better than them, or else is in their documents.
    `fits` says which units may be results. To scores is `added` what is around units scores.
    """
    looked_up = asked.terms
    exact = partial(exact_words, units, (*looked_up.exact, *(() if added is None else added.exact)))

    def results(some: Ints | None) -> Results:
        """Score all units of some documents."""
        found, holding = units.candidates(looked_up, some)
        scores = asked.scores(found, statistics_of(units, looked_up, holding))
        element, document = found.element, found.document
        if fits is not None:
            right = fits(element)
            element, document, scores = element[right], document[right], scores[right]
        return element, document, scores if added is None else added.to(element, document, scores)

    some: Results | None = None
    if added is not None and added.most is None:
        profile.everything = "what is around units has no bound"
    elif limit and _worth_bounding(units, looked_up, limit, profile):
        count, whole = counting_scores(counted, limit, exact), None
        if counted is not None and counted.whole:
            assert count is not None
            whole = _WholeDocuments(results, count)
            count = whole.count
        some = _best_units(units, asked, weighting, limit, documents, count, fits, added, profile)
        if some is not None and whole is not None:
            some = whole.with_any_of(some)
    if some is None:
        some = results(documents)
        if limit and counted is not None and not counted.whole:
            some = _best_that_count(some, limit, counting_scores(counted, limit, exact))
    element, document, scores = some
    limit = 0 if counted is not None else limit
    return best(element, document, scores, limit, exact(element))


def _best_that_count(found: Results, limit: int, count: Count | None) -> Results:
    """Return all units that score as much as the last of the best that count."""
    assert count is not None
    element, document, scores = found
    counting = count(*found)
    if len(counting) < limit:
        return found
    kept = np.flatnonzero(scores >= np.partition(counting, -limit)[-limit])
    return element[kept], document[kept], scores[kept]


class _WholeDocuments:
    """Documents that have any of the best units so far, with all that is in them: that says what counts."""

    def __init__(self, results: Callable[[Ints], Results], count: Count) -> None:
        self._results, self._count, self._pool = results, count, [_NOTHING]
        self._asked_for = np.zeros(0, dtype=np.int32)

    def count(self, _unit: Ints, document: Codes, _scores: Floats) -> Floats:
        """Return the scores of all units that count in some documents, each of which is asked for once."""
        return self._count(*self._all_of(np.unique(document)))

    def _all_of(self, documents: Codes) -> Results:
        """Return all units of some documents, and keep them."""
        self._asked_for = np.concatenate((self._asked_for, documents))
        element, document, scores = self._results(documents.astype(np.int64))
        found = element.copy(), document.copy(), scores  # the next search writes over them
        self._pool.append(found)
        return found

    def with_any_of(self, best: Results) -> Results:
        """Return all units of the documents that have any of the best ones."""
        others = np.setdiff1d(best[1], self._asked_for)
        if len(others):
            self._all_of(others)
        element, document, scores = (np.concatenate(column) for column in zip(*self._pool, strict=True))
        kept = np.isin(document, best[1])
        return element[kept], document[kept], scores[kept]


def _worth_bounding(units: Units, terms: QueryTerms, limit: int, profile: QueryProfile) -> bool:
    """Whether there is so much to score that bounds may save some of it; if not, the profile says why."""
    worth = min(pruning.WORTH, 1)  # 0 where it does not matter
    if terms.total < max(1, pruning.WORTH, worth * _MANY * limit):
        profile.everything = "there are few positions of its terms"
    elif terms.total < worth * _BEFORE_COMPILING and not (units.are_elements or is_compiler_loaded()):
        profile.everything = "that is sooner done than loading compiled loops"
    elif len(units.index.documents) < worth * _DOCUMENTS * limit:
        profile.everything = "there are few documents for so many results"
    return not profile.everything


def _best_units(
    units: Units,
    asked: Asked,
    weighting: Weighting,
    limit: int,
    documents: Ints | None,
    count: Count | None,
    fits: Fits | None,
    added: Addition | None,
    profile: QueryProfile,
) -> Results | None:
    """Return the best units without scoring all; None where that cannot be."""
    terms = asked.terms
    offering = _offered(units, terms, weighting, profile, asked.least)
    if offering is None:
        return None
    visitor, statistics, offered = offering

    def score(found: Candidates) -> Floats:
        scores = asked.scores(found, statistics)
        for right in (units.among(found.element), None if fits is None else fits(found.element)):
            scores = scores if right is None else np.where(right, scores, NO_ANSWER)
        return scores

    return best_units(
        units.index,
        visitor,
        terms,
        limit,
        offered,
        score,
        documents=documents,
        count=count,
        added=None if added is None else added.most,
        add=None if added is None else added.to,
        profile=profile,
    )


def _offered(
    units: Units, terms: QueryTerms, weighting: Weighting, profile: QueryProfile, least: float = -np.inf
) -> tuple[DocumentVisitor, Statistics, Bounds] | None:
    """Return how units are visited, and what bounds them; None if that is unknown, which the profile says."""
    visitor = units.visitor(terms)
    if visitor is None:
        profile.everything = f"the articles of {units.name} are unknown"
        return None
    statistics = statistics_of(units, terms)
    offered = bounds(weighting, statistics, visitor.classes, least)
    if offered is None:
        profile.everything = f"{weighting} offers no bound"
        return None
    return visitor, statistics, offered


def document_bounds(
    units: Units,
    terms: QueryTerms,
    weighting: Weighting,
    documents: Ints | None,
    profile: QueryProfile,
) -> DocumentBounds | None:
    """Return what units in each document score at most; None if that is unknown, which the profile says."""
    offering = _offered(units, terms, weighting, profile)
    if offering is None:
        return None
    visitor, _, offered = offering
    rows = DocumentRows(units.index, terms, documents)
    bounded, _, _ = rows.bounded(units.index, offered, visitor.classes)
    bound, positions = np.full(len(units.index.documents), NO_ANSWER), np.zeros(len(units.index.documents))
    bound[rows.document] = bounded.bound
    positions[rows.document] = rows.frequency.sum(axis=1)
    return DocumentBounds(bound, offered.margin(), positions)


class Addition(NamedTuple):
    """What is added to the scores of units for what is around them.

    `most` is how much that can be in each document, -inf if nothing in it is a result; None if it is unknown.
    `to` returns the scores of some units, given with their documents, with what is added. `exact` are
    positions of words as asked for.
    """

    most: Floats | None
    to: Callable[[Ints, Codes, Floats], Floats]
    exact: tuple[Ints, ...] = ()

    def then(self, more: Addition | None) -> Addition:
        """Return this with something more, which is added next."""
        if more is None:
            return self
        return Addition(
            None if self.most is None or more.most is None else self.most + more.most,
            lambda unit, document, scores: more.to(unit, document, self.to(unit, document, scores)),
            (*self.exact, *more.exact),
        )


def of_documents(score: Floats, exact: tuple[Ints, ...] = ()) -> Addition:
    """Return the addition of what each document scores."""
    return Addition(score, lambda _unit, document, scores: scores + score[document], exact)


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
    if index.whole is not None:
        statistics = statistics_of_whole(index.whole, ROOTS, looked_up)
    else:
        statistics = Statistics(
            len(first),
            float(index.columns["tokens"][first].mean()),
            float(index.columns["terms"][first].mean()),
            index.tokens,
            np.count_nonzero(found.frequency, axis=0).astype(np.float64),
            looked_up.frequency,
            looked_up.weight,
        )
    scores = scores_of(found, looked_up, weighting, statistics)
    exact = exact_words(ElementUnits(index), looked_up.exact, found.element)
    return best(found.element, found.document, scores, limit, exact)


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
