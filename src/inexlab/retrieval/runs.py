"""Runs: an engine asked for all topics, and what it makes of fewer trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from inexlab.errors import UsageError
from inexlab.progress import reporting
from inexlab.retrieval.engine import Engine
from inexlab.retrieval.queries import queries_of
from inexlab.retrieval.sharded import ShardedEngine
from inexlab.retrieval.tasks import TASKS, check_names
from inexlab.runs import Run, RunBuilder
from inexlab.spans import Span
from inexlab.topics import Topic
from inexlab.topics.query import Query

Notation = Literal["paths", "characters", "both"]
_BY_SCORE = ("thorough", "focused", "best-in-context")


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


class MadeRun(NamedTuple):
    """A run, and the topics that have no query, those with unbalanced quotes, and those without results.

    `widened` counts results that became the elements they are in.
    """

    run: Run
    without_query: list[str]
    unbalanced_quotes: list[str]
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
) -> MadeRun:
    """Search for every topic; `about` is what the run says of itself.

    Results are given by their paths, by their characters, or by both. By characters two elements with one
    text are the same result. By paths a unit that is not an element becomes the one it is in, which is then a
    result once.
    """
    check_names(task, overlap)
    engine = replace(engine, distinct_texts=engine.distinct_texts or notation == "characters")
    builder = RunBuilder()
    # all queries are read before the first one is searched for: a mistake in the last is reported at once
    queries, unbalanced_quotes = queries_of(topics, query)
    without_query = [topic for topic, asked in queries.items() if asked is None]
    without_results = []
    widened = 0
    coming = _all_results(engine, [one for one in queries.values() if one is not None], task, overlap, limit)
    for topic, asked in reporting(list(queries.items()), "searching", "topics"):
        if asked is None:
            continue
        before = len(builder)
        named: dict[str, set[str]] = {}
        for doc, path, span, score in next(coming):
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
            else f"no topic has a {query}; `query=` names another field."
        )
    made = builder.build(run_id, about=about)
    return MadeRun(made, without_query, unbalanced_quotes, without_results, widened)


def _overlaps(path: str, named: set[str], task: str) -> bool:
    """Whether a path is there already, or, where a task allows no overlap, leads around or into another."""
    if path in named or not TASKS[task].removes_overlap:
        return path in named
    return any(f"{one}/".startswith(f"{path}/") or path.startswith(f"{one}/") for one in named)


def _all_results(
    engine: Engine, queries: Sequence[Query], task: str, overlap: str, limit: int
) -> Iterator[list[tuple[str, str, Span, float]]]:
    """Yield the results of each query: document, path, characters, and a score that falls with the rank."""
    if isinstance(engine, ShardedEngine):
        found = engine.results(queries, task, overlap, limit)
    else:
        found = (_results(engine, query, task, overlap, limit) for query in queries)
    for rows in found:
        described = []
        for rank, (doc, path, start, end, score) in enumerate(rows):
            span = Span(start, start if task == "best-in-context" else end)
            # where documents come one after the other, scores follow the order, which is the result
            falling = score if task in _BY_SCORE else float(len(rows) - rank)
            described.append((doc, path, span, falling))
        yield described


def _results(
    engine: Engine, query: Query, task: str, overlap: str, limit: int
) -> list[tuple[str, str, int, int, float]]:
    """Return the results of a query: document, path, characters and score."""
    index, units = engine.index, engine.units_for(query)
    ranking = engine.answer(query, task, overlap, limit)
    places = (ranking.document, units.elements(ranking.element), *units.spans(ranking.element))
    rows = zip(*(column.tolist() for column in places), ranking.score.tolist(), strict=True)
    return [
        (index.documents[document], index.path(element), start, end, score)
        for document, element, start, end, score in rows
    ]


class SeedingChange(NamedTuple):
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
) -> SeedingChange:
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
    return SeedingChange(len(changes), asked, min(changes, default=0))
