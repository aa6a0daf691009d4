"""Searching a collection in shards: the results are those of one index of all documents, to the last digit.

The statistics of the collection are added up over shards before anything is scored. What a shard returns is
merged by score, then by exact words, then by the order of documents and of what is in them, as one index
orders it: shards follow one another as their documents do, so it does not matter where one ends.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

from inexlab.errors import UsageError
from inexlab.executors import Executor, SpreadTask, Threads
from inexlab.index.sharded import ShardedIndex
from inexlab.index.whole import (
    ROOTS,
    Answers,
    FrequencyQuestion,
    Held,
    HoldingQuestion,
    OutsideQuestion,
    Question,
    SizeQuestion,
    WordQuestion,
    together,
)
from inexlab.retrieval.candidates import Candidates
from inexlab.retrieval.counting import at_most, every_place
from inexlab.retrieval.engine import Engine
from inexlab.retrieval.pruning import QueryProfile
from inexlab.retrieval.queries import all_terms, wanted_terms
from inexlab.retrieval.ranking import Ranking
from inexlab.retrieval.shards import (
    ShardRanking,
    answer_questions,
    best_articles,
    describe,
    rank_shard,
    settings_of,
    shard_engine,
)
from inexlab.retrieval.tasks import TASKS
from inexlab.retrieval.terms import rows_of, tokens_of
from inexlab.retrieval.unit import FlatUnitSpec, Units, key_of, parse_unit, units_by_key
from inexlab.tables import Floats, Ints
from inexlab.topics.decompose import atoms
from inexlab.topics.query import About, CASQuery, COQuery, Query, Term

_SHIFT = 40  # bits of a unit's number in its shard; those above are the number of the shard
_TOGETHER = 64  # queries that are asked at the same time
_AT_ONCE = 8  # and those of them that are one task


def _threads() -> Executor:
    return Threads(os.cpu_count() or 1)


@dataclass(frozen=True)
class ShardedEngine(Engine):
    """An index in shards with a way to search it, by an executor.

    Units are numbered by their shards and their numbers there, documents through all shards.
    """

    executor: Executor = field(default_factory=_threads, compare=False)

    @property
    def whole_index(self) -> ShardedIndex:
        """The index, which is one in shards."""
        assert isinstance(self.index, ShardedIndex)
        return self.index

    @property
    def units(self) -> Units:
        """The units of retrieval."""
        return ShardedUnits(self.whole_index, key_of(parse_unit(self.by)))

    def units_for(self, query: Query) -> Units:
        """Return the units that a query ranks."""
        return ShardedUnits(self.whole_index, key_of(self.spec_for(query)))

    def _is_outside(self, query: CASQuery, asked: OutsideQuestion) -> bool:  # noqa: ARG002 - the shards know
        return bool(self._ask([asked])[asked].answer)

    def has_any(self, terms: Sequence[Term]) -> bool:
        """Whether the collection has any of some terms."""
        [held] = self.prepare([COQuery(tuple(terms))])
        return any(held[FrequencyQuestion(row)].answer for row in rows_of(self.analyser, terms))

    def rank(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: what ranks all units takes one index."""
        raise self.whole_index.refusal()

    def answer(
        self,
        query: Query,
        task: str,
        overlap: str = "correlation",
        limit: int = 1500,
        profile: QueryProfile | None = None,
        *,
        per_document: int = 0,
    ) -> Ranking:
        """Return the results of a task."""
        [ranking] = self.answer_all([query], task, overlap, limit, profile, per_document=per_document)
        return ranking

    def answer_all(
        self,
        queries: Sequence[Query],
        task: str,
        overlap: str = "correlation",
        limit: int = 1500,
        profile: QueryProfile | None = None,
        *,
        per_document: int = 0,
    ) -> list[Ranking]:
        """Return the results of a task for some queries."""
        arranged = TASKS[task].arranged
        if arranged is None:
            raise UsageError(
                f"the task {task} does not say how results of several shards are arranged; "
                "make one index of them with `inexlab index` and `merge=True`."
            )
        held = self.prepare(queries)
        seeds = self._seeds(queries, held) if self.seed_documents else None
        found: list[list[ShardRanking]] = [[] for _ in queries]

        def more(shard: int, part: slice) -> tuple[Any, ...]:
            return _of(seeds, shard, part), task, overlap, limit, per_document

        for _, first, rankings in self._asked("searching", rank_shard, queries, held, more):
            for number, ranking in enumerate(rankings, start=first):
                found[number].append(ranking)
        if profile is not None:
            for ranking in (one for of_query in found for one in of_query):
                _add_profile(profile, ranking.profile)
        by_article = self.document_order == "article" and TASKS[task].by_document
        offsets = self.whole_index.document_from
        return [_merged(of_query, offsets, limit, arranged, by_article, per_document) for of_query in found]

    def results(
        self, queries: Sequence[Query], task: str, overlap: str = "correlation", limit: int = 1500
    ) -> Iterator[list[tuple[str, str, int, int, float]]]:
        """Yield for each query its results: document, path, characters and score."""
        for at in range(0, len(queries), _TOGETHER):
            some = queries[at : at + _TOGETHER]
            held = self.prepare(some)
            rankings = self.answer_all(some, task, overlap, limit)
            rows: list[list[Any]] = [[None] * len(ranking) for ranking in rankings]
            for shard, first, described in self._asked(
                "describing", describe, some, held, lambda *_: (), _chosen(rankings)
            ):
                for number, columns in enumerate(described, start=first):
                    places = _places(rankings[number], shard)
                    for place, row in zip(places.tolist(), zip(*columns, strict=True), strict=True):
                        rows[number][place] = (*row, float(rankings[number].score[place]))
            yield from rows

    def prepare(self, queries: Sequence[Query]) -> list[Held]:
        """Return what each query needs to be known of the collection, after asking all shards.

        It is known as long as the caller has it.
        """
        words = [list(self._word_questions(query)) for query in queries]
        held = self._ask([question for asked in words for question in asked])
        statistics = [list(self._statistics_questions(query)) for query in queries]  # of the words now held
        held |= self._ask([question for asked in statistics for question in asked])
        return [
            {question: held[question] for question in (*asked, *more)}
            for asked, more in zip(words, statistics, strict=True)
        ]

    def _word_questions(self, query: Query) -> Iterator[Question]:
        """Yield the questions that have to be answered before a query can ask for statistics."""
        analyser = self.analyser
        for token in {token for term in all_terms(query) for token in tokens_of(term).row}:
            for in_phrase in (False, True):
                yield WordQuestion(analyser.languages, analyser.exact, token, in_phrase)
        if (outside := self.outside_question(query)) is not None:
            yield outside

    def _statistics_questions(self, query: Query) -> Iterator[Question]:
        for units, terms in self._statistics_for(query):
            if units not in self.whole_index.whole.sizes:
                yield SizeQuestion(units)
            for row in rows_of(self.analyser, terms):
                yield FrequencyQuestion(row)
                yield HoldingQuestion(units, row)

    def _statistics_for(self, query: Query) -> Iterator[tuple[str, Sequence[Term]]]:
        """Yield units and terms of which a query needs statistics."""
        spec = self.spec_for(query)
        units = key_of(spec)
        if isinstance(query, COQuery):
            yield units, query.terms
        else:
            # what supports a result is an element, whatever results are
            kinds = [units, "elements:*"] if isinstance(spec, FlatUnitSpec) else [units]
            abouts = (atom for step in query.steps for atom in atoms(step.clause))
            for about in abouts:
                if isinstance(about, About):
                    yield from ((kind, about.terms) for kind in kinds)
        if self.seed_documents:
            yield ROOTS, self.seed_terms(query)
        if self.document_order == "article":
            yield ROOTS, wanted_terms(query)
        if self.context.article:
            yield "articles", wanted_terms(query)
        sections = self.index.profile.sections
        if self.context.section and sections:
            yield key_of(parse_unit(f"elements:{','.join(sections)}")), wanted_terms(query)

    def _ask(self, questions: Sequence[Question]) -> Held:
        """Return the answers to some questions, after asking all shards what is not known yet."""
        index, known = self.whole_index, self.whole_index.whole.answers
        held = known.hold(questions)
        unknown = [question for question in dict.fromkeys(questions) if question not in held]
        if not unknown:
            return held
        parts = max(1, min(self.executor.workers // len(index), len(unknown)))
        borders = [len(unknown) * k // parts for k in range(parts + 1)]
        settings = settings_of(self)
        tasks = [
            SpreadTask(
                _name(index, "asking", shard),
                answer_questions,
                (index, shard, settings, unknown[a:b]),
                relative=False,
            )
            for a, b in pairwise(borders)
            for shard in range(len(index))
        ]
        answers = list(self.executor.results(tasks, "asking shards", "parts"))
        found: Answers = {}
        for part, (a, b) in enumerate(pairwise(borders)):
            of_shards = answers[part * len(index) : (part + 1) * len(index)]
            for question, given in zip(unknown[a:b], zip(*of_shards, strict=True), strict=True):
                found[question] = together(question, given)
        return held | known.take(found)

    def _asked(
        self,
        doing: str,
        function: Callable[..., list[Any]],
        queries: Sequence[Query],
        held: Sequence[Held],
        more: Callable[[int, slice], tuple[Any, ...]],
        instead: Callable[[int, int], Any] | None = None,
    ) -> Iterator[tuple[int, int, list[Any]]]:
        """Ask all shards about queries, a few at a time; yield shard, first query, and a result for each.

        What is `held` for each query is sent along. `more` are further arguments for a shard and some
        queries; `instead` is what is sent for a query.
        """
        index, settings = self.whole_index, settings_of(self)
        tasks, asked = [], []
        for at in range(0, len(queries), _AT_ONCE):
            part = slice(at, at + _AT_ONCE)
            some = queries[part]
            answers = _answers(held[part])
            for shard in range(len(index)):
                sent = some if instead is None else [(q, instead(at + k, shard)) for k, q in enumerate(some)]
                arguments = (index, shard, settings, answers, sent, *more(shard, part))
                tasks.append(SpreadTask(_name(index, doing, shard), function, arguments, relative=False))
                asked.append((shard, at))
        results = self.executor.results(tasks, f"{doing} shards", "parts")
        for (shard, at), result in zip(asked, results, strict=True):
            yield shard, at, result

    def _seeds(self, queries: Sequence[Query], held: Sequence[Held]) -> list[list[Ints | None]]:
        """Return for each query and each shard which documents are among the best articles of all."""
        index = self.whole_index
        found: list[list[Ranking | None]] = [[] for _ in queries]
        asked = self._asked("ranking articles", best_articles, queries, held, lambda *_: ())
        for _, first, articles in asked:
            for number, ranking in enumerate(articles, start=first):
                found[number].append(ranking)
        chosen: list[list[Ints | None]] = []
        for of_query in found:
            numbers = [k for k, one in enumerate(of_query) if one is not None]
            ranked = [one for one in of_query if one is not None]
            if not ranked:
                chosen.append([None] * len(index))
                continue
            shard = np.repeat(numbers, [len(one) for one in ranked])
            document = np.concatenate([one.document.astype(np.int64) for one in ranked])
            exact = np.concatenate([_or_zeros(one.exact, len(one)) for one in ranked])
            score = np.concatenate([one.score for one in ranked])
            best = np.lexsort((document, shard, -exact, -score))[: self.seed_documents]
            chosen.append([np.sort(document[best[shard[best] == k]]) for k in range(len(index))])
        return chosen

    def parts(self, ranking: Ranking, query: Query) -> Iterator[tuple[Engine, Ranking]]:
        """Yield each result by itself, as the shard that it is in has it, with an engine for that shard."""
        answers = _answers(self.prepare([query]))
        settings, offsets = settings_of(self), self.whole_index.document_from
        for place in range(len(ranking)):
            one = ranking.at(np.array([place]))
            shard = int(one.element[0]) >> _SHIFT
            local = replace(
                one, element=_number_in_shard(one.element), document=one.document - offsets[shard]
            )
            yield shard_engine(self.whole_index, shard, settings, answers), local


def _answers(held: Iterable[Held]) -> Answers:
    """Return answers to be sent."""
    return {question: known.answer for of_query in held for question, known in of_query.items()}


def _of(seeds: Sequence[Sequence[Ints | None]] | None, shard: int, part: slice) -> list[Ints | None] | None:
    return None if seeds is None else [of_query[shard] for of_query in seeds[part]]


def _name(index: ShardedIndex, doing: str, shard: int) -> str:
    place = index.places[shard]
    return f"{doing} {index.folder}" + (f", shard {place} of {len(index)}" if place else "")


def _number_in_shard(unit: Ints) -> Ints:
    number: Ints = unit & ((1 << _SHIFT) - 1)
    return number


def _places(ranking: Ranking, shard: int) -> Ints:
    """Return the places of a ranking that are of a shard."""
    return np.flatnonzero(ranking.element >> _SHIFT == shard)


def _chosen(rankings: Sequence[Ranking]) -> Callable[[int, int], Ints]:
    """Return what says which units of a shard a query has among its results."""

    def of(query: int, shard: int) -> Ints:
        ranking = rankings[query]
        return _number_in_shard(ranking.element[_places(ranking, shard)])

    return of


def _or_zeros(exact: Ints | None, count: int) -> Ints:
    return np.zeros(count, dtype=np.int64) if exact is None else exact.astype(np.int64)


def _merged(
    found: Sequence[ShardRanking],
    offsets: Sequence[int],
    limit: int,
    arranged: Callable[[Ranking], Ints],
    by_article: bool,
    per_document: int,
) -> Ranking:
    """Return the best of what the shards have, arranged as a task asks for.

    Where no more than some count `per_document`, these are all that score as much as the last that counts.
    """
    unit = np.concatenate([(k << _SHIFT) | one.unit.astype(np.int64) for k, one in enumerate(found)])
    document = np.concatenate([offsets[k] + one.document.astype(np.int64) for k, one in enumerate(found)])
    score = np.concatenate([one.score for one in found])
    exact = np.concatenate([_or_zeros(one.exact, len(one.unit)) for one in found])
    order = np.lexsort((unit, -exact, -score))
    if per_document:
        every = Ranking(unit[order], document[order].astype(np.int32), score[order], exact[order])
        counting = every.score[at_most(per_document, every_place)(every)]
        if len(counting) >= limit:
            order = order[every.score >= counting[limit - 1]]
    else:
        order = order[:limit]
    best = Ranking(unit[order], document[order].astype(np.int32), score[order], exact[order])
    order = order[arranged(best)]
    if by_article:
        of_articles = [(_known(one.article_score), _known(one.article_exact)) for one in found]
        article, more = (np.concatenate(column)[order] for column in zip(*of_articles, strict=True))
        unranked = np.isnan(article)
        ranks = (np.where(unranked, 0, document[order]), -more, -np.where(unranked, 0.0, article), unranked)
        order = order[np.lexsort(ranks)]
    return Ranking(unit[order], document[order].astype(np.int32), score[order], exact[order])


def _known(column: Floats | Ints | None) -> Floats | Ints:
    assert column is not None
    return column


def _add_profile(profile: QueryProfile, more: QueryProfile) -> None:
    for name in ("documents", "visited", "positions", "seen", "passed", "scored", "reached", "around"):
        setattr(profile, name, getattr(profile, name) + getattr(more, name))
    profile.everything = profile.everything or more.everything
    profile.border = max(profile.border, more.border)


class ShardedUnits(Units):
    """Units of all shards, numbered by shard and their numbers there: where they are, and no more."""

    def __init__(self, index: ShardedIndex, key: str) -> None:
        self.index, self.name = index, key
        self._shards = index
        self.are_elements = not isinstance(parse_unit(key.partition("+")[0]), FlatUnitSpec)

    def _each(self, units: Ints, find: Callable[[Units, Ints], Ints]) -> Ints:
        found = np.empty(len(units), dtype=np.int64)
        for shard in np.unique(units >> _SHIFT).tolist():
            places = np.flatnonzero(units >> _SHIFT == shard)
            there = units_by_key(self._shards.shard(shard), self.name)
            found[places] = find(there, _number_in_shard(units[places]))
        return found

    def spans(self, units: Ints) -> tuple[Ints, Ints]:
        """Return the characters where units begin and end."""
        return self._each(units, lambda u, n: u.spans(n)[0]), self._each(units, lambda u, n: u.spans(n)[1])

    def words(self, units: Ints) -> Ints:
        """Return how many words units have."""
        return self._each(units, lambda u, n: u.words(n))

    def candidates(self, *_: Any) -> tuple[Candidates, Floats]:
        """Refuse: that is for a shard."""
        self._refuse()

    def units_with(self, *_: Any) -> Floats:
        """Refuse: that is for a shard."""
        self._refuse()

    def visitor(self, *_: Any) -> None:
        """Refuse: that is for a shard."""
        self._refuse()

    def intervals(self, *_: Any) -> tuple[Ints, Ints]:
        """Refuse: that is for a shard."""
        self._refuse()

    def elements(self, *_: Any) -> Ints:
        """Refuse: that is for a shard."""
        self._refuse()

    def documents(self, *_: Any) -> Ints:
        """Refuse: that is for a shard."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise self._shards.refusal()
