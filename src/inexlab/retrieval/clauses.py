"""Clauses of several `about`s, asked at once, and clauses about what is around results.

The score of a clause adds up those of `and`, or is the best of `or`. Neither is more than all together where
none is less than 0. So a clause on the last step bounds units by the words of all its `about`s, if each word
bounds them by 0 at least; and what is around results adds no more than each `about` does at most, or 0.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate

import numpy as np

from inexlab.index.guide import Mask
from inexlab.retrieval.around import ElementScores
from inexlab.retrieval.candidates import Candidates
from inexlab.retrieval.model import Statistics, Weighting
from inexlab.retrieval.pruning import QueryProfile
from inexlab.retrieval.scoring import NO_ANSWER, scores_of
from inexlab.retrieval.searching import Addition, Asked, ask_terms, document_bounds
from inexlab.retrieval.terms import QueryTerms
from inexlab.retrieval.units.elements import ElementUnits
from inexlab.tables import Codes, Floats, Ints
from inexlab.topics.decompose import atoms
from inexlab.topics.query import About, And, Clause, Compare


def add_scores(one: Floats, other: Floats) -> Floats:
    """Add up scores; what has none adds nothing."""
    both: Floats = np.where(other > NO_ANSWER, np.where(one > NO_ANSWER, one, 0.0) + other, one)
    return both


def join_scores(clause: Clause, score_of: Callable[[About | Compare], Floats]) -> Floats:
    """Return the scores of a clause by those of its parts: `and` adds them up, `or` takes the best."""
    if isinstance(clause, About | Compare):
        return score_of(clause)
    combine = add_scores if isinstance(clause, And) else np.maximum
    return functools.reduce(combine, (join_scores(part, score_of) for part in clause.parts))


def join_conditions(clause: Clause, holds: Callable[[About | Compare], Mask]) -> Mask:
    """Say where a clause holds, by where its parts do."""
    if isinstance(clause, About | Compare):
        return holds(clause)
    combine = np.logical_and if isinstance(clause, And) else np.logical_or
    return functools.reduce(combine, (join_conditions(part, holds) for part in clause.parts))


def holds_by_scores(own: Mapping[About, Floats], asks: Callable[[About], bool], one: About | Compare) -> Mask:
    """Say where an `about` holds by what it scores there: everywhere, if it asks for nothing."""
    assert isinstance(one, About)
    return own[one] > NO_ANSWER if asks(one) else np.ones(len(own[one]), dtype=np.bool_)


def ask_clause(
    clause: Clause,
    terms_of: Callable[[About], QueryTerms],
    asks: Callable[[About], bool],
    weighting: Weighting,
    profile: QueryProfile,
    *,
    demanding: bool,
    strict: bool,
) -> Asked:
    """Return what ranks units by a clause of `about`s alone, at least one of which asks for something.

    If `strict`, the clause has to hold: an `about` does where it matches, and where it asks for nothing.
    The model scores each unit by itself; the profile counts units as often as they are scored.
    """
    if isinstance(clause, About):
        return ask_terms(terms_of(clause), weighting, profile, demanding=demanding)
    # one that is there twice may count twice: so do its words
    abouts = [about for about in atoms(clause) if isinstance(about, About)]
    looked_up = [terms_of(about) for about in abouts]
    ends = accumulate(map(len, looked_up))
    parts = {
        about: (terms, slice(end - len(terms), end))
        for about, terms, end in zip(abouts, looked_up, ends, strict=True)
    }
    asking = [about for about in parts if asks(about)]

    def scores(found: Candidates, statistics: Statistics) -> Floats:
        own = {}
        for about, (terms, columns) in parts.items():
            places, some = _with_terms(found, columns)
            profile.scored += len(some)
            own[about] = np.full(len(found), NO_ANSWER)
            own[about][places] = scores_of(
                some,
                terms,
                weighting,
                _of_terms(statistics, columns),
                unwanted_alone=not asks(about),
                demanding=demanding,
            )
        answers = np.any([own[about] > NO_ANSWER for about in asking], axis=0)
        if strict:
            answers &= join_conditions(clause, partial(holds_by_scores, own, asks))
        return np.where(answers, join_scores(clause, own.__getitem__), NO_ANSWER)  # type: ignore[arg-type]

    exact = tuple(positions for terms, _ in parts.values() for positions in terms.exact)
    return Asked(replace(_joined(looked_up), exact=exact), scores, least=0.0)


def add_ancestors(
    elements: ElementUnits,
    clauses: Sequence[tuple[int, Clause]],
    contexts: Callable[[Ints], Iterator[list[Ints]]],
    terms_of: Callable[[About], QueryTerms],
    asks: Callable[[About], bool],
    weighting: Weighting,
    profile: QueryProfile,
) -> Addition:
    """Return what is added to results by clauses about elements around them, all of which have to hold.

    `contexts` yields, for each way to divide the path of a query, those elements for each clause. The model
    scores each element by itself, and a clause has nothing but `about`s of the element itself.
    """
    abouts = [(step, one) for step, clause in clauses for one in atoms(clause) if isinstance(one, About)]
    looked_up = {about: terms_of(about) for _, about in abouts}
    scores = {
        about: ElementScores(elements, terms, weighting, profile, unwanted_alone=not asks(about))
        for about, terms in looked_up.items()
    }

    def to(unit: Ints, _document: Codes, own: Floats) -> Floats:
        some = np.flatnonzero(own > NO_ANSWER)
        found = np.full(len(some), NO_ANSWER)
        for around in contexts(unit[some]):
            added, holds = np.full(len(some), NO_ANSWER), np.ones(len(some), dtype=np.bool_)
            for (_, clause), context in zip(clauses, around, strict=True):
                each = {one: scores[one].at(context) for one in atoms(clause) if isinstance(one, About)}
                added = add_scores(added, join_scores(clause, each.__getitem__))  # type: ignore[arg-type]
                holds &= join_conditions(clause, partial(holds_by_scores, each, asks))
            found = np.maximum(found, np.where(holds, add_scores(added, own[some]), NO_ANSWER))
        together = np.full(len(own), NO_ANSWER)
        together[some] = found
        return together

    most = _most_of_ancestors(elements, clauses, looked_up, asks, weighting)
    exact = tuple(p for _, about in dict.fromkeys(abouts) for p in looked_up[about].exact)
    return Addition(most, to, exact)


def _most_of_ancestors(
    elements: ElementUnits,
    clauses: Sequence[tuple[int, Clause]],
    looked_up: Mapping[About, QueryTerms],
    asks: Callable[[About], bool],
    weighting: Weighting,
) -> Floats | None:
    """Return what clauses add at most in each document, no answer where they cannot hold; None if unknown."""
    bounds: dict[About, Floats] = {}
    for about, terms in looked_up.items():
        bounds[about] = np.full(len(elements.index.documents), NO_ANSWER)
        if len(terms):
            offered = document_bounds(elements, terms, weighting, None, QueryProfile())
            if offered is None:
                return None
            bounds[about] = offered.bound + offered.margin
    most, holds = np.zeros(len(elements.index.documents)), np.ones(len(elements.index.documents), np.bool_)
    for _, clause in clauses:
        for one in atoms(clause):
            assert isinstance(one, About)
            most += np.maximum(bounds[one], 0.0)
        holds &= join_conditions(clause, partial(holds_by_scores, bounds, asks))
    return np.where(holds, most, NO_ANSWER)


def _with_terms(found: Candidates, columns: slice) -> tuple[Ints, Candidates]:
    """Return the places of units that have any of the terms in some columns, and these with those alone."""
    frequency = found.frequency[:, columns]
    some = np.flatnonzero(frequency.any(axis=1))
    return some, Candidates(
        found.element[some],
        found.document[some],
        frequency[some],
        np.full(len(some), -1, dtype=np.int32),
        found.root[some],
        found.length[some],
        found.terms[some],
        np.ascontiguousarray(found.article_frequency[:, columns]),
        found.article_length,
    )


def _of_terms(statistics: Statistics, columns: slice) -> Statistics:
    return replace(
        statistics,
        units_with=statistics.units_with[columns],
        frequency=statistics.frequency[columns],
        weight=statistics.weight[columns],
    )


def _joined(parts: list[QueryTerms]) -> QueryTerms:
    """Return the terms of several clauses in one row; a word that several have is there for each."""
    shifts = [0, *accumulate(part.total for part in parts)]
    borders = [part.borders[:-1] + shift for part, shift in zip(parts, shifts[:-1], strict=True)]
    return QueryTerms(
        parts[0].index,
        tuple(row for part in parts for row in part.rows),
        tuple(name for part in parts for name in part.names),
        np.concatenate([part.joined for part in parts]),
        np.concatenate([*borders, shifts[-1:]]).astype(np.int64),
        np.concatenate([part.weight for part in parts]),
        np.concatenate([part.frequency for part in parts]),
    )
