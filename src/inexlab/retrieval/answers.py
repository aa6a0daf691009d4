"""Answers for a person: no two results with the same text, few of one document, a page at a time.

A person's query is NEXI where it can be read as such; whatever else it is, it is a bag of words.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from inexlab.errors import QueryError
from inexlab.retrieval.counting import at_most, every_place
from inexlab.retrieval.engine import Engine
from inexlab.retrieval.pruning import QueryProfile
from inexlab.retrieval.queries import without_stray_quotes
from inexlab.retrieval.ranking import Ranking
from inexlab.retrieval.texts import Texts, shown
from inexlab.retrieval.unit import FlatUnitSpec, Units, parse_unit
from inexlab.topics.nexi import WORD, parse_nexi
from inexlab.topics.query import COQuery, Query, Term

PER_DOCUMENT = 3
_AHEAD = 3  # times as many units are ranked as are wanted, at first
_COUNTED_AHEAD = 2  # and where no more of a document count than are shown
_FURTHER = 8  # times as many as before, where these are not enough
_BY_SCORE = ("thorough", "focused")


class Question(NamedTuple):
    """What a person asks; `problem` says why it is a bag of words, where it looks like more."""

    query: Query
    problem: str = ""


def parse_question(text: str) -> Question:
    """Return what a person asks: NEXI, or a bag of words, which is never an error.

    >>> str(parse_question("why? (because").query)
    'why? because'
    """
    problem = ""
    try:
        return Question(parse_nexi(text))
    except QueryError as error:
        if text.strip().startswith("//"):
            problem = error.problem
        else:
            repaired = without_stray_quotes(text)
            try:
                return Question(parse_nexi(repaired))
            except QueryError:
                pass
    return Question(COQuery(tuple(Term((word,)) for word in WORD.findall(text))), problem)


class Answers(NamedTuple):
    """Results for a person, and what they are: another kind than asked for where that found nothing."""

    ranking: Ranking
    units: Units
    engine: Engine
    profile: QueryProfile


def answers(
    engine: Engine,
    query: Query,
    task: str = "focused",
    overlap: str = "correlation",
    count: int = 10,
    *,
    begin: int = 1,
    per_document: int | None = None,
) -> Answers:
    """Return the results of a task from rank `begin` on; `per_document` 0 stands for all of a document.

    By default there are three of a document at most where results come by their scores, else all. Where
    passages have nothing, because only titles and the like have the words, elements are searched.
    """
    most = per_document if per_document is not None else (PER_DOCUMENT if task in _BY_SCORE else 0)
    found, profile = _page(engine, query, task, overlap, begin + count - 1, most)
    if not len(found) and isinstance(parse_unit(engine.by), FlatUnitSpec) and engine.by == "auto":
        every = replace(engine, by="elements:*")
        among_all, of_all = _page(every, query, task, overlap, begin + count - 1, most)
        if len(among_all):
            engine, found, profile = every, among_all, of_all
    return Answers(found.at(np.arange(begin - 1, len(found))), engine.units_for(query), engine, profile)


def _page(
    engine: Engine, query: Query, task: str, overlap: str, wanted: int, most: int
) -> tuple[Ranking, QueryProfile]:
    """Return the first results with different texts, so many of a document at most; and what they took.

    Where results come by their scores, the search counts them so. Otherwise, and where they come from several
    shards, which do not know each other's texts, it is asked for more than are wanted, and again where too
    few are left.
    """
    by_score = task in _BY_SCORE
    if by_score and not engine.index.is_sharded:
        return engine.page(query, task, overlap, wanted, most)
    counted = shown(Texts(engine.units_for(query)), most)
    in_search = most if by_score else 0
    counting = at_most(in_search, every_place) if in_search else every_place
    limit, took = (_COUNTED_AHEAD if in_search else _AHEAD) * wanted, QueryProfile()
    while True:
        profile = QueryProfile()
        ranking = engine.answer(query, task, overlap, limit, profile, per_document=in_search)
        took = took.before(profile)
        kept = counted.first(ranking, wanted)
        if len(kept) == wanted or len(counting(ranking)) < limit:
            return ranking.at(kept), took
        limit *= _FURTHER
