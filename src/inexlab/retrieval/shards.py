"""What is asked of one shard: tasks for an executor, wherever it runs them.

A search of a whole collection takes four rounds, each a task to every shard: which words there are, what the
statistics of the words are, which units are the best, and how those that are returned are described. (One
more ranks whole documents, where only the trees of the best ones are searched.) Between them the answers of
all shards are added up or merged.
"""

from __future__ import annotations

import functools
import pickle
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np

from inexlab.index.sharded import ShardedIndex
from inexlab.index.whole import (
    ROOTS,
    Answers,
    FrequencyQuestion,
    OutsideQuestion,
    Question,
    Row,
    SizeQuestion,
    WordQuestion,
)
from inexlab.retrieval.candidates import candidates
from inexlab.retrieval.engine import Engine
from inexlab.retrieval.phrases import phrase_positions
from inexlab.retrieval.pruning import QueryProfile
from inexlab.retrieval.ranking import Ranking
from inexlab.retrieval.terms import QueryAnalyser, QueryTerms, texts_of, variants_in
from inexlab.retrieval.unit import units_by_key
from inexlab.tables import Codes, Floats, Ints
from inexlab.topics.query import Query

_NOT_SENT = ("index", "given", "given_seeds", "held", "executor")


def settings_of(engine: Engine) -> bytes:
    """Return how an engine searches, but for its index, to be sent."""
    names = [field.name for field in fields(engine) if field.name not in _NOT_SENT]
    return pickle.dumps({name: getattr(engine, name) for name in names})


@functools.lru_cache(maxsize=16)  # so that a table of equivalent tags is one object, by which others know it
def _settings(sent: bytes) -> dict[str, Any]:
    found: dict[str, Any] = pickle.loads(sent)
    return found


def shard_engine(
    index: ShardedIndex, number: int, settings: bytes, answers: Answers, **changes: Any
) -> Engine:
    """Return an engine that searches one shard, and knows what the whole answered, as long as it is there."""
    shard = index.shard(number)
    held = shard.whole.answers.take(answers)
    return Engine(shard, held=held, **{**_settings(settings), **changes})


def answer_questions(
    index: ShardedIndex, number: int, settings: bytes, questions: Sequence[Question]
) -> list[Any]:
    """Return what a shard answers to questions."""
    engine = shard_engine(index, number, settings, {})
    return [_answer(engine, question) for question in questions]


def _answer(engine: Engine, question: Question) -> Any:
    shard = engine.index
    if isinstance(question, WordQuestion):
        analyser = QueryAnalyser(shard, question.languages, question.exact)
        return texts_of(shard, analyser.own_variants(question.token, in_phrase=question.in_phrase))
    if isinstance(question, OutsideQuestion):
        return engine.asks_for_outside(question.query)
    if isinstance(question, SizeQuestion):
        return units_by_key(shard, question.units).totals()
    terms = _one_term(engine, question.row)
    if isinstance(question, FrequencyQuestion):
        return terms.total
    if not terms.total:
        return 0
    if question.units == ROOTS:
        return len(candidates(shard, terms.positions).roots())
    return int(units_by_key(shard, question.units).units_with(terms)[0])


def _one_term(engine: Engine, row: Row) -> QueryTerms:
    """Look up one word or phrase in a shard."""
    variants = tuple(variants_in(engine.index, words) for words in row)
    found = phrase_positions(engine.index, [one.all for one in variants])
    one = np.ones(1)
    borders = np.array([0, len(found)], dtype=np.int64)
    return QueryTerms(engine.index, (variants,), ("",), found, borders, one, len(found) * one)


class ShardRanking(NamedTuple):
    """What one shard has for a query, in any order; of each unit what it takes to order all.

    Where documents come in the order of their articles, `article_score` is that of each unit's document, not
    a number where it has none, and `article_exact` breaks ties.
    """

    unit: Ints
    document: Codes
    score: Floats
    exact: Ints | None
    article_score: Floats | None
    article_exact: Ints | None
    profile: QueryProfile


def best_articles(
    index: ShardedIndex, number: int, settings: bytes, answers: Answers, queries: Sequence[Query]
) -> list[Ranking | None]:
    """Return the best documents of a shard for each query; None where it ranks none."""
    engine = shard_engine(index, number, settings, answers)
    return [engine.seed_articles(query) for query in queries]


def rank_shard(
    index: ShardedIndex,
    number: int,
    settings: bytes,
    answers: Answers,
    queries: Sequence[Query],
    seeds: Sequence[Ints | None] | None,
    task: str,
    overlap: str,
    limit: int,
    per_document: int,
) -> list[ShardRanking]:
    """Return the units of a shard that can be results of a task; `seeds` are the documents to search."""
    given = None if seeds is None else dict(zip(queries, seeds, strict=True))
    engine = shard_engine(index, number, settings, answers, document_order="best", given_seeds=given)
    by_article = _settings(settings)["document_order"] == "article"
    found = []
    for query in queries:
        profile = QueryProfile()
        ranking = engine.answer(query, task, overlap, limit, profile, per_document=per_document)
        score, exact = _article_scores(engine, query, ranking) if by_article else (None, None)
        columns = (ranking.element.copy(), ranking.document.copy(), ranking.score.copy())
        found.append(ShardRanking(*columns, ranking.exact, score, exact, profile))
    return found


def _article_scores(engine: Engine, query: Query, ranking: Ranking) -> tuple[Floats, Ints]:
    """Return the scores of the articles that units are in, and how many words in these are exact."""
    articles = engine.articles(query)
    score = np.full(len(engine.index.documents), np.nan)
    exact = np.zeros(len(score), dtype=np.int64)
    score[articles.document] = articles.score
    if articles.exact is not None:
        exact[articles.document] = articles.exact
    return score[ranking.document], exact[ranking.document]


class Described(NamedTuple):
    """Units as a run names them: columns."""

    doc: list[str]
    path: list[str]
    start: list[int]
    end: list[int]


def describe(
    index: ShardedIndex,
    number: int,
    settings: bytes,
    answers: Answers,
    wanted: Sequence[tuple[Query, Ints]],
) -> list[Described]:
    """Return documents, paths and characters of some units of a shard, for each query."""
    engine = shard_engine(index, number, settings, answers)
    shard, found = engine.index, []
    for query, numbers in wanted:
        units = engine.units_for(query)
        documents = [shard.documents[document] for document in units.documents(numbers).tolist()]
        paths = [shard.path(element) for element in units.elements(numbers).tolist()]
        start, end = (column.tolist() for column in units.spans(numbers))
        found.append(Described(documents, paths, start, end))
    return found
