"""The engine: a query in, the results of a task out; and runs over all topics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from inexlab.errors import UsageError
from inexlab.index.index import Index
from inexlab.retrieval.model import Weighting, parse_weighting
from inexlab.retrieval.search import Ranking, search, search_articles
from inexlab.retrieval.structure import search_structure
from inexlab.retrieval.tasks import for_task
from inexlab.runs import Run, RunBuilder
from inexlab.tables import Ints
from inexlab.topics import Topic
from inexlab.topics.equivalence import Equivalence, read_equivalence
from inexlab.topics.nexi import parse_nexi
from inexlab.topics.query import COQuery, Query, Term

QUERY_FIELDS = ("title", "castitle", "phrasetitle", "description", "keywords")


@dataclass(frozen=True)
class Engine:
    """An index with a way to search it.

    `seed_documents` is Flex's: the trees of the best so many articles are generated, 0 stands for all.
    """

    index: Index
    weighting: Weighting
    interpretation: str = "VVCAS"
    equivalence: Equivalence = field(default_factory=Equivalence)
    seed_documents: int = 0

    def rank(self, query: Query, limit: int = 0) -> Ranking:
        """Rank all elements that answer a query."""
        seeds = self.seeds(query) if self.seed_documents else None
        if isinstance(query, COQuery):
            return search(self.index, query.terms, self.weighting, limit=limit, documents=seeds)
        return search_structure(
            self.index,
            query,
            self.weighting,
            self.interpretation,
            self.equivalence,
            limit=limit,
            documents=seeds,
        )

    def seeds(self, query: Query) -> Ints:
        """Return the best articles for a query's terms: those whose trees are generated."""
        articles = search_articles(self.index, all_terms(query), self.weighting, limit=self.seed_documents)
        return np.sort(articles.document.astype(np.int64))

    def answer(self, query: Query, task: str, overlap: str = "correlation", limit: int = 1500) -> Ranking:
        """Return the results of a task."""
        enough = limit if task in ("thorough", "fetch-browse") else 0
        return for_task(self.index, self.rank(query, enough), task, overlap, limit)


def make_engine(
    index: Index, model: str, interpretation: str = "VVCAS", equivalence: str = "", seed_documents: int = 0
) -> Engine:
    """Return an engine from names; the index's profile knows which tags are equivalent."""
    table = read_equivalence(equivalence or index.profile.equivalence)
    return Engine(index, parse_weighting(model), interpretation, table, seed_documents)


def all_terms(query: Query) -> tuple[Term, ...]:
    """Return all terms of a query, wherever they stand."""
    from inexlab.topics.decompose import atoms
    from inexlab.topics.query import About

    if isinstance(query, COQuery):
        return query.terms
    parts = (atom for step in query.steps for atom in atoms(step.clause))
    return tuple(term for part in parts if isinstance(part, About) for term in part.terms)


def query_of(topic: Topic, name: str) -> Query | None:
    """Return the query in a field of a topic; None where the field is empty."""
    text = {"title": topic.plain, "castitle": topic.structured}.get(name, getattr(topic, name, ""))
    if not text.strip():
        return None
    if name == "description":
        return COQuery(tuple(Term((word,)) for word in text.split()))
    return parse_nexi(text)


def make_run(
    engine: Engine,
    topics: Iterable[Topic],
    run_id: str,
    *,
    task: str = "thorough",
    query: str = "title",
    overlap: str = "correlation",
    limit: int = 1500,
) -> tuple[Run, list[str]]:
    """Search for every topic; return the run, and the topics without a query."""
    builder = RunBuilder()
    missing = []
    for topic in topics:
        asked = query_of(topic, query)
        if asked is None:
            missing.append(topic.id)
            continue
        for doc, path, span, score in results(engine, asked, task, overlap, limit):
            builder.add(topic.id, doc, score, span=span, path=path)
    if not len(builder):
        raise UsageError(f"no topic has results; do the topics have a {query}?")
    return builder.build(run_id, about={"task": task}), missing


def results(
    engine: Engine, query: Query, task: str, overlap: str, limit: int
) -> Iterator[tuple[str, str, tuple[int, int], float]]:
    """Yield the results of a query: document, path, characters, and a score that falls with the rank."""
    index = engine.index
    ranking = engine.answer(query, task, overlap, limit)
    ordered = task in ("thorough", "focused", "best-in-context")
    for rank in range(len(ranking)):
        element = int(ranking.element[rank])
        span = index.span(element)
        if task == "best-in-context":
            span = type(span)(span.start, span.start)
        # in context the order is the result, so scores follow it
        score = float(ranking.score[rank]) if ordered else float(len(ranking) - rank)
        yield index.documents[int(ranking.document[rank])], index.path(element), span, score
