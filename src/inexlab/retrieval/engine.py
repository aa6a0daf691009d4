"""The engine: a query in, the results of a task out."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from inexlab.collection.profile import names_tag
from inexlab.errors import UnknownNameError
from inexlab.index.guide import Mask
from inexlab.index.index import Index
from inexlab.index.whole import Held, OutsideQuestion
from inexlab.retrieval.context import Context, Filter, parse_context, parse_filter
from inexlab.retrieval.counting import Counting, at_most, every_place
from inexlab.retrieval.model import Weighting, parse_weighting
from inexlab.retrieval.pruning import QueryProfile
from inexlab.retrieval.queries import wanted_terms
from inexlab.retrieval.ranking import Ranking
from inexlab.retrieval.searching import search_articles, search_units
from inexlab.retrieval.structure import INTERPRETATIONS, search_structure
from inexlab.retrieval.tasks import TASKS, check_names, counting, for_task
from inexlab.retrieval.terms import QueryAnalyser, query_analyser, query_terms
from inexlab.retrieval.texts import Texts, shown
from inexlab.retrieval.unit import FlatUnitSpec, Units, UnitSpec, parse_unit, units_of
from inexlab.tables import Ints
from inexlab.topics.decompose import target
from inexlab.topics.equivalence import Equivalence, read_equivalence
from inexlab.topics.patterns import PathPattern
from inexlab.topics.query import CASQuery, COQuery, Query, Term

SIGNS = ("hints", "demands")
DOCUMENT_ORDERS = ("best", "article")


@dataclass(frozen=True)
class Engine:
    """An index with a way to search it.

    `by` says what the units of retrieval are. `seed_documents` is Flex's: the trees of the best so many
    articles are generated, 0 stands for all; these are ranked by the `seed_weighting`, if it is another.
    `distinct_texts` takes two elements with one text for the same result: the better one is kept. With
    `exact` accents and ligatures have to be as they are in the query; `language` is that of the query, by
    default any that the index has.

    Who is `demanding` takes `+` and `-` for demands, not for hints. Tasks that group results by documents
    order these by their best units or by their articles' scores (`document_order`). `context` adds scores
    from around a unit, `only` chooses among results. Units that are `given` take the place of `by`, documents
    that are (`given_seeds`) that of the best articles for a query. Of a shard, what the whole answered is
    `held`, so that it stays known.
    """

    index: Index
    weighting: Weighting
    interpretation: str = "VVCAS"
    equivalence: Equivalence = field(default_factory=Equivalence)
    seed_documents: int = 0
    distinct_texts: bool = False
    exact: bool = False
    language: str = ""
    by: str = "elements:*"
    seed_weighting: Weighting | None = None
    demanding: bool = False
    document_order: str = "best"
    context: Context = field(default_factory=Context)
    only: Filter = field(default_factory=Filter)
    given: Units | None = None
    given_seeds: Mapping[Query, Ints | None] | None = None
    held: Held = field(default_factory=dict, compare=False, repr=False)

    @functools.cached_property
    def analyser(self) -> QueryAnalyser:
        """How the words of queries are read."""
        return query_analyser(self.index, exact=self.exact, language=self.language)

    @functools.cached_property
    def units(self) -> Units:
        """The units of retrieval."""
        return units_of(self.index, self.by) if self.given is None else self.given

    def units_for(self, query: Query) -> Units:
        """Return the units that a query ranks: where its target is a demand, those that can lie in it.

        That may be parts outside, too.
        """
        if self.given is not None:
            return self.given
        spec = self.spec_for(query)
        return self.units if spec is parse_unit(self.by) else spec.units(self.index)

    def spec_for(self, query: Query) -> UnitSpec:
        """Return what the units that a query ranks are."""
        kind = parse_unit(self.by)
        strict_target = INTERPRETATIONS[self.interpretation][0]
        if not isinstance(kind, FlatUnitSpec) or isinstance(query, COQuery) or not strict_target:
            return kind
        asked = self.outside_question(query)
        return kind.for_target(self.index, outside=asked is not None and self._is_outside(query, asked))

    def _is_outside(self, query: CASQuery, asked: OutsideQuestion) -> bool:
        """Say whether what a query asks for can lie outside: in this index, or the whole it is a part of."""
        whole = self.index.whole
        return self.asks_for_outside(query) if whole is None else bool(whole[asked])

    def outside_question(self, query: Query) -> OutsideQuestion | None:
        """Return the question whether what a query asks for can lie outside; None if it cannot be."""
        kind = parse_unit(self.by)
        if not isinstance(kind, FlatUnitSpec) or isinstance(query, COQuery):
            return None
        if not self.index.profile.outside or "*" in query.steps[-1].tags:
            return None
        return OutsideQuestion(query, self.equivalence.groups)

    def asks_for_outside(self, query: CASQuery) -> bool:
        """Say whether any element of this index that a query asks for lies in what is outside."""
        outside = self.index.profile.outside
        guide = self.index.guide
        kinds = np.flatnonzero(guide.matching(PathPattern(target(query), self.equivalence)))
        return any(names_tag(tag, outside) for kind in kinds.tolist() for tag in guide.tag_path(kind))

    def rank(
        self,
        query: Query,
        limit: int = 0,
        counted: Counting | None = None,
        profile: QueryProfile | None = None,
    ) -> Ranking:
        """Rank all units that answer a query; or so many that count, and what is better than these."""
        profile = profile if profile is not None else QueryProfile()
        seeds = self.seeds(query) if self.seed_documents else None
        units = self.units_for(query)
        added = None
        if self.context:
            terms = query_terms(self.analyser, wanted_terms(query))
            added = self.context.addition(units, terms, self.weighting, profile)

        def fits(numbers: Ints) -> Mask:
            return self.only.wanted(units, numbers, self.equivalence)

        if isinstance(query, COQuery):
            ranking = search_units(
                units,
                query.terms,
                self.weighting,
                analyser=self.analyser,
                limit=limit,
                documents=seeds,
                demanding=self.demanding,
                counted=counted,
                fits=fits if self.only else None,
                added=added,
                profile=profile,
            )
        else:
            ranking = search_structure(
                self.analyser,
                query,
                self.weighting,
                self.interpretation,
                self.equivalence,
                limit=limit,
                documents=seeds,
                units=units,
                demanding=self.demanding,
                counted=counted,
                fits=fits if self.only else None,
                added=added,
                profile=profile,
            )
        return ranking.first(limit) if limit and counted is None else ranking

    def seeds(self, query: Query) -> Ints | None:
        """Return the best articles for a query's terms, whose trees are generated; None stands for all.

        What one clause of a structured query does not want another may: unwanted terms count in keyword
        queries alone. A query without any term ranks no articles.
        """
        if self.given_seeds is not None:
            return self.given_seeds[query]
        articles = self.seed_articles(query)
        return None if articles is None else np.sort(articles.document.astype(np.int64))

    def seed_articles(self, query: Query) -> Ranking | None:
        """Return the best articles for a query's terms; None if it ranks none."""
        terms = self.seed_terms(query)
        if not terms and not isinstance(query, COQuery):
            return None
        weighting = self.seed_weighting or self.weighting
        return search_articles(self.analyser, terms, weighting, limit=self.seed_documents)

    def seed_terms(self, query: Query) -> tuple[Term, ...]:
        """Return the terms that articles are ranked by, whose trees are generated."""
        return query.terms if isinstance(query, COQuery) else wanted_terms(query)

    def articles(self, query: Query) -> Ranking:
        """Rank the articles that documents are ordered by."""
        weighting = self.seed_weighting or self.weighting
        return search_articles(self.analyser, wanted_terms(query), weighting)

    def has_any(self, terms: Sequence[Term]) -> bool:
        """Whether the collection has any of some terms."""
        return len(query_terms(self.analyser, terms)) > 0

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
        """Return the results of a task; what it takes to find them is written to a `profile`.

        Where no more than some count of each document (`per_document`), of a task that keeps the order of
        the ranking, there are as many results as it takes for the limit, those that do not count included.
        """
        units = self.units_for(query)
        chosen = TASKS[task]
        counted = self._counted(units, task, overlap)
        if per_document:
            places, whole, _ = counted or Counting(every_place)
            counted = Counting(at_most(per_document, places), whole)
        if chosen.overlapping or counted is not None:
            ranking = self.rank(query, limit, counted, profile)
        else:
            ranking = self.rank(query, profile=profile)
            if profile is not None:
                profile.everything = f"{task} needs all units"
        if self._has_distinct_texts(units, task):
            ranking = ranking.at(self._different(ranking))
        articles = self.articles(query) if self.document_order == "article" else None
        kept = len(ranking) if per_document else limit
        results = for_task(self.index, ranking, task, overlap, kept, units=units, articles=articles)
        if profile is not None and limit and len(results) == limit:
            profile.border = float(results.score.min())
        return results

    def page(
        self, query: Query, task: str, overlap: str, wanted: int, per_document: int
    ) -> tuple[Ranking, QueryProfile]:
        """Return the first results with different texts, so many of a document at most; and what they took.

        Of a task that keeps the order of the ranking; all of a document may be there if `per_document` is 0.
        """
        check_names(task, overlap)
        units, profile = self.units_for(query), QueryProfile()
        counted = shown(Texts(units), per_document, self._counted(units, task, overlap))
        ranking = self.rank(query, wanted, counted, profile)
        results = ranking.at(counted.first(ranking, wanted))
        if wanted and len(results) == wanted:
            profile.border = float(results.score.min())
        return results, profile

    def _counted(self, units: Units, task: str, overlap: str) -> Counting | None:
        """Return what says which units count towards the limit of a task."""
        if self._has_distinct_texts(units, task):
            return Counting(self._different)
        return counting(units, task, overlap)

    def _has_distinct_texts(self, units: Units, task: str) -> bool:
        return TASKS[task].overlapping and self.distinct_texts and units.are_elements

    def _different(self, ranking: Ranking) -> Ints:
        """Return the places of elements that do not have the same characters as a better one."""
        places = np.stack((ranking.document, *self.units.spans(ranking.element)), axis=1)
        return np.sort(np.unique(places, axis=0, return_index=True)[1])


def make_engine(
    index: Index,
    model: str,
    interpretation: str = "VVCAS",
    equivalence: str = "",
    seed_documents: int = 0,
    *,
    exact: bool = False,
    language: str = "",
    by: str = "elements:*",
    seed_model: str = "",
    signs: str = "hints",
    document_order: str = "best",
    context: str = "",
    within: Sequence[str] = (),
    exclude: Sequence[str] = (),
    tags: str = "",
) -> Engine:
    """Return an engine from names; the index's profile knows which tags are equivalent."""
    for what, name, known in (
        ("interpretation", interpretation, INTERPRETATIONS),
        ("meaning of + and -", signs, SIGNS),
        ("order of documents", document_order, DOCUMENT_ORDERS),
    ):
        if name not in known:
            raise UnknownNameError(what, name, known)
    parse_unit(by)
    table = read_equivalence(equivalence or index.profile.equivalence)
    kind = _engine_for(index)
    engine = kind(
        index,
        parse_weighting(model),
        interpretation,
        table,
        seed_documents,
        exact=exact,
        language=language,
        by=by,
        seed_weighting=parse_weighting(seed_model) if seed_model else None,
        demanding=signs == "demands",
        document_order=document_order,
        context=parse_context(context),
        only=parse_filter(within, exclude, tags),
    )
    engine.analyser.languages  # noqa: B018 - which says if there is no such language
    return engine


def _engine_for(index: Index) -> type[Engine]:
    """Return what searches an index."""
    if not index.is_sharded:
        return Engine
    from inexlab.retrieval.sharded import ShardedEngine  # which is made of engines

    return ShardedEngine
