"""The engine: a query in, the results of a task out; and runs over all topics."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np

from inexlab.collection.profile import names_tag
from inexlab.errors import QueryError, UnknownNameError, UsageError
from inexlab.index.index import Index
from inexlab.retrieval.around import Context, Filter, parse_context, parse_filter
from inexlab.retrieval.model import Weighting, parse_weighting
from inexlab.retrieval.ranking import Ranking, search_articles, search_units
from inexlab.retrieval.structure import INTERPRETATIONS, search_structure
from inexlab.retrieval.tasks import TASKS, check_names, for_task
from inexlab.retrieval.terms import Reading, query_terms, reading
from inexlab.retrieval.unit import FlatKind, Units, parse_kind, units_of
from inexlab.runs import Run, RunBuilder
from inexlab.spans import Span
from inexlab.tables import Ints
from inexlab.topics import Topic
from inexlab.topics.decompose import atoms, target
from inexlab.topics.equivalence import Equivalence, read_equivalence
from inexlab.topics.nexi import parse_nexi
from inexlab.topics.patterns import PathPattern
from inexlab.topics.query import About, CASQuery, COQuery, Query, Term

QUERY_FIELDS = ("title", "castitle", "phrasetitle", "description", "narrative", "keywords")
SIGNS = ("hints", "demands")
DOCUMENT_ORDERS = ("best", "article")
Notation = Literal["paths", "characters", "both"]
Watch = Callable[[Sequence[tuple[str, Query | None]]], Iterable[tuple[str, Query | None]]]
_QUOTES = re.compile(r'((?<!\w)"(?=\w)[^"]*(?<=\w)"(?!\w))|"')  # a phrase, or a mark that belongs to none
_BY_SCORE = ("thorough", "focused", "best-in-context")


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
    from around a unit, `only` chooses among results.
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

    @functools.cached_property
    def reading(self) -> Reading:
        """How the words of queries are read."""
        return reading(self.index, exact=self.exact, language=self.language)

    @functools.cached_property
    def units(self) -> Units:
        """The units of retrieval."""
        return units_of(self.index, self.by)

    def units_for(self, query: Query) -> Units:
        """Return the units that a query ranks: those of parts outside, too, where its target is there."""
        kind = parse_kind(self.by)
        if not isinstance(kind, FlatKind) or isinstance(query, COQuery) or not self._asks_for_outside(query):
            return self.units
        return kind.with_outside().units(self.index)

    def _asks_for_outside(self, query: CASQuery) -> bool:
        outside = self.index.profile.outside
        if not outside or not INTERPRETATIONS[self.interpretation][0] or "*" in query.steps[-1].tags:
            return False
        guide = self.index.guide
        kinds = np.flatnonzero(guide.matching(PathPattern(target(query), self.equivalence)))
        return any(names_tag(tag, outside) for kind in kinds.tolist() for tag in guide.tag_path(kind))

    def rank(self, query: Query, limit: int = 0) -> Ranking:
        """Rank all units that answer a query."""
        seeds = self.seeds(query) if self.seed_documents else None
        units = self.units_for(query)
        enough = 0 if self.context or self.only else limit
        if isinstance(query, COQuery):
            ranking = search_units(
                units,
                query.terms,
                self.weighting,
                how=self.reading,
                limit=enough,
                documents=seeds,
                demanding=self.demanding,
            )
        else:
            ranking = search_structure(
                self.reading,
                query,
                self.weighting,
                self.interpretation,
                self.equivalence,
                limit=enough,
                documents=seeds,
                units=units,
                demanding=self.demanding,
            )
        if self.only:
            ranking = ranking.at(self.only.places(units, ranking, self.equivalence))
        if self.context:
            ranking = self.context.added(
                units, ranking, query_terms(self.reading, wanted_terms(query)), self.weighting
            )
        return ranking.first(limit) if limit else ranking

    def seeds(self, query: Query) -> Ints | None:
        """Return the best articles for a query's terms, whose trees are generated; None stands for all.

        What one clause of a structured query does not want another may: unwanted terms count in keyword
        queries alone. A query without any term ranks no articles.
        """
        terms = all_terms(query)
        if not isinstance(query, COQuery):
            terms = tuple(term for term in terms if term.sign != "-")
            if not terms:
                return None
        weighting = self.seed_weighting or self.weighting
        articles = search_articles(self.reading, terms, weighting, limit=self.seed_documents)
        return np.sort(articles.document.astype(np.int64))

    def answer(self, query: Query, task: str, overlap: str = "correlation", limit: int = 1500) -> Ranking:
        """Return the results of a task."""
        units = self.units_for(query)
        chosen = TASKS[task]
        whole = chosen.overlapping or (task == "focused" and not units.overlapping)
        distinct = chosen.overlapping and self.distinct_texts and units.are_elements
        ranking = self.rank(query, limit if whole and not distinct else 0)
        if distinct:
            ranking = self._distinct(ranking)
        articles = None
        if self.document_order == "article":
            weighting = self.seed_weighting or self.weighting
            articles = search_articles(self.reading, wanted_terms(query), weighting)
        return for_task(self.index, ranking, task, overlap, limit, units=units, articles=articles)

    def _distinct(self, ranking: Ranking) -> Ranking:
        """Leave out elements that have the same characters as a better one."""
        places = np.stack((ranking.document, *self.units.spans(ranking.element)), axis=1)
        return ranking.at(np.sort(np.unique(places, axis=0, return_index=True)[1]))


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
    parse_kind(by)
    table = read_equivalence(equivalence or index.profile.equivalence)
    engine = Engine(
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
    engine.reading.languages  # noqa: B018 - which says if there is no such language
    return engine


def all_terms(query: Query) -> tuple[Term, ...]:
    """Return all terms of a query, wherever they stand."""
    if isinstance(query, COQuery):
        return query.terms
    parts = (atom for step in query.steps for atom in atoms(step.clause))
    return tuple(term for part in parts if isinstance(part, About) for term in part.terms)


def wanted_terms(query: Query) -> tuple[Term, ...]:
    """Return all terms of a query but unwanted ones, wherever they stand."""
    return tuple(term for term in all_terms(query) if term.sign != "-")


def query_of(topic: Topic, name: str) -> Query | None:
    """Return the query in a field of a topic; None where the field is empty."""
    if name not in QUERY_FIELDS:
        raise UnknownNameError("field of topics", name, QUERY_FIELDS)
    text = {"title": topic.plain, "castitle": topic.structured}.get(name, getattr(topic, name))
    if not text.strip():
        return None
    if name in ("description", "narrative"):  # sentences, whatever their punctuation would mean in a query
        return COQuery(tuple(Term((word,)) for word in text.split()))
    try:
        return parse_nexi(text)
    except QueryError as error:
        given = "title" if text == topic.title else name
        place = f"{topic.file or 'topics'}, line {topic.line_of(given)}: {given} of topic {topic.id}"
        raise QueryError(error.problem, query=error.query, column=error.column, where=place) from None


def default_run_id(
    weighting: object,
    task: str,
    *,
    query: str,
    interpretation: str,
    overlap: str,
    seed_documents: int,
    by: str = "elements",
    exact: bool = False,
) -> str:
    """Return an id that tells a run from those made with another model, task, query or strategy.

    >>> default_run_id(
    ...     "bm25", "focused", query="castitle", interpretation="SVCAS", overlap="child", seed_documents=0
    ... )
    'bm25-focused-child-castitle-SVCAS'
    """
    parts = [str(weighting), task]
    if by != "elements":
        parts.append(by.replace(":", "-").replace("*", "all").replace("/", "-"))
    if TASKS[task].removes_overlap and overlap != "correlation":
        parts.append(overlap)
    if query != "title":
        parts.append(query)
    if query == "castitle":
        parts.append(interpretation)
    if seed_documents:
        parts.append(f"{seed_documents}-trees")
    if exact:
        parts.append("exact")
    return "-".join(parts)


class Queries(NamedTuple):
    """The queries of topics by their ids, None where there is none, and the topics with quotes amiss."""

    of_topic: dict[str, Query | None]
    quotes_amiss: list[str]


def queries_of(topics: Iterable[Topic], name: str) -> Queries:
    """Return the queries in a field of all topics; the first mistake is told, and which others there are.

    Where quotation marks alone are amiss, as in topics of INEX 2009, those that belong to no phrase are
    left out.
    """
    queries: dict[str, Query | None] = {}
    quotes_amiss: list[str] = []
    wrong: dict[str, QueryError] = {}
    for topic in topics:
        try:
            queries[topic.id] = query_of(topic, name)
        except QueryError as error:
            mended = _without_stray_quotes(topic, name)
            if mended is None:
                wrong[topic.id] = error
            else:
                queries[topic.id] = mended
                quotes_amiss.append(topic.id)
    if not wrong:
        return Queries(queries, quotes_amiss)
    told, *others = wrong
    if not others:
        raise wrong[told]
    also = f"topic{'s' * (len(others) > 1)} {', '.join(others[:5])}{' …' * (len(others) > 5)}"
    raise QueryError(
        f"{wrong[told].problem}; there is a mistake in {also} as well",
        query=wrong[told].query,
        column=wrong[told].column,
        where=wrong[told].where,
    )


def _without_stray_quotes(topic: Topic, name: str) -> Query | None:
    """Return the query in a field without the quotation marks of no phrase; None where more is wrong."""
    if name == "castitle":
        return None
    text = without_stray_quotes(getattr(topic, name))
    try:
        return query_of(replace(topic, **{name: text}), name)  # type: ignore[arg-type]
    except QueryError:
        return None


def without_stray_quotes(text: str) -> str:
    """Leave out the quotation marks that belong to no phrase."""
    return _QUOTES.sub(lambda found: found[1] or " ", text)


class MadeRun(NamedTuple):
    """A run, and the topics that have no query, those with quotes amiss, and those without results.

    `widened` counts results that became the elements they are in.
    """

    run: Run
    without_query: list[str]
    quotes_amiss: list[str]
    without_results: list[str]
    widened: int = 0


def make_run(
    engine: Engine,
    topics: Iterable[Topic],
    run_id: str,
    *,
    task: str = "thorough",
    query: str = "title",
    overlap: str = "correlation",
    limit: int = 1500,
    notation: Notation = "both",
    about: Mapping[str, str] | None = None,
    watch: Watch = iter,
) -> MadeRun:
    """Search for every topic; `about` is what the run says of itself, `watch` passes the queries on.

    Results are given by their paths, by their characters, or by both. By characters two elements with one
    text are the same result. By paths a unit that is no element becomes the one it is in, which is then a
    result once.
    """
    check_names(task, overlap)
    engine = replace(engine, distinct_texts=engine.distinct_texts or notation == "characters")
    builder = RunBuilder()
    # all queries are read before the first one is searched for: a mistake in the last is told at once
    queries, quotes_amiss = queries_of(topics, query)
    without_query = [topic for topic, asked in queries.items() if asked is None]
    without_results = []
    widened = 0
    for topic, asked in watch(list(queries.items())):
        if asked is None:
            continue
        before = len(builder)
        named: dict[str, set[str]] = {}
        for doc, path, span, score in _results(engine, asked, task, overlap, limit):
            if notation == "paths" and not engine.units.are_elements:
                widened += 1
                if _overlaps(path, named.setdefault(doc, set()), task):
                    continue
                named[doc].add(path)
            builder.add(
                topic,
                doc,
                score,
                span=None if notation == "paths" else span,
                path=None if notation == "characters" else path,
            )
        if len(builder) == before:
            without_results.append(topic)
    if not len(builder):
        raise UsageError(
            "nothing was found for any topic."
            if without_results
            else f"no topic has a {query}; --query names another field."
        )
    made = builder.build(run_id, about=about)
    return MadeRun(made, without_query, quotes_amiss, without_results, widened)


def _overlaps(path: str, named: set[str], task: str) -> bool:
    """Whether a path is there already, or, where a task allows no overlap, leads around or into another."""
    if path in named or task not in ("focused", "relevant-in-context"):
        return path in named
    return any(f"{one}/".startswith(f"{path}/") or path.startswith(f"{one}/") for one in named)


def _results(
    engine: Engine, query: Query, task: str, overlap: str, limit: int
) -> Iterator[tuple[str, str, Span, float]]:
    """Yield the results of a query: document, path, characters, and a score that falls with the rank."""
    index, units = engine.index, engine.units_for(query)
    ranking = engine.answer(query, task, overlap, limit)
    places = (ranking.document, units.elements(ranking.element), *units.spans(ranking.element))
    rows = zip(*(column.tolist() for column in places), ranking.score.tolist(), strict=True)
    for rank, (document, element, start, end, score) in enumerate(rows):
        span = Span(start, end)
        if task == "best-in-context":
            span = Span(span.start, span.start)
        # where documents come one after the other, scores follow the order, which is the result
        falling = score if task in _BY_SCORE else float(len(ranking) - rank)
        yield index.documents[document], index.path(element), span, falling


class Change(NamedTuple):
    """What fewer trees change: for how many queries, of how many, and from which rank on."""

    queries: int
    of: int
    rank: int


def changed_by_seeding(
    engine: Engine,
    queries: Iterable[Query],
    limit: int,
    task: str = "thorough",
    overlap: str = "correlation",
) -> Change:
    """Compare the results of a task in the seeded trees with those in all."""
    everything = replace(engine, seed_documents=0)
    changes, asked = [], 0
    for query in queries:
        asked += 1
        some = engine.answer(query, task, overlap, limit).element
        every = everything.answer(query, task, overlap, limit).element
        shorter = min(len(some), len(every))
        differing = np.flatnonzero(some[:shorter] != every[:shorter])
        if len(differing) or len(some) != len(every):
            changes.append(int(differing[0]) + 1 if len(differing) else shorter + 1)
    return Change(len(changes), asked, min(changes, default=0))
