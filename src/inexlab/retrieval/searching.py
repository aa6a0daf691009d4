"""Searching: the best of the units that hold a term of the query.

A unit without any of the wanted terms is not an answer, whatever its score.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from inexlab.accelerate import is_compiler_loaded
from inexlab.index.index import Index
from inexlab.index.whole import ROOTS
from inexlab.retrieval import pruning
from inexlab.retrieval.by_document import DocumentBounds, Results
from inexlab.retrieval.candidates import Candidates, candidates
from inexlab.retrieval.counting import Counting, WholeDocuments, best_that_count, counts_of
from inexlab.retrieval.model import Statistics, Weighting
from inexlab.retrieval.offers import Bounds, bounds
from inexlab.retrieval.pruning import (
    CountingScores,
    DocumentRows,
    DocumentVisitor,
    Fits,
    QueryProfile,
    best_units,
)
from inexlab.retrieval.ranking import Ranking, best, exact_words
from inexlab.retrieval.scoring import NO_ANSWER, scores_of, statistics_of, statistics_of_whole
from inexlab.retrieval.terms import QueryAnalyser, QueryTerms, as_analyser, query_terms
from inexlab.retrieval.unit import Units
from inexlab.retrieval.units.elements import ElementUnits
from inexlab.tables import Codes, Floats, Ints
from inexlab.topics.query import Term

_MANY = 20  # positions to a result that is wanted: where there are fewer, nearly all units are looked at
_BEFORE_COMPILING = 1_000_000  # positions: to score all units with them takes less than loading the compiler
_DOCUMENTS = 2  # and documents: where there are fewer, nearly all have one of the results


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
        counts, whole = counts_of(counted, exact), None
        if counts is not None and counted is not None and counted.whole:
            whole = WholeDocuments(results)
            counts = whole.counts(counts)
        some = _best_units(units, asked, weighting, limit, documents, counts, fits, added, profile)
        if some is not None and whole is not None:
            some = whole.with_any_of(some)
    if some is None:
        some = results(documents)
        counts = counts_of(counted, exact)
        if limit and counts is not None and counted is not None and not counted.whole:
            some = best_that_count(some, limit, counts)
    element, document, scores = some
    limit = 0 if counted is not None else limit
    return best(element, document, scores, limit, exact(element))


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
    counts: CountingScores | None,
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
        counts=counts,
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
