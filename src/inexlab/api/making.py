"""Runs made: `make_run` and `baseline`."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from inexlab.api.inputs import (
    Documents,
    Several,
    given_collection,
    given_judgements,
    given_topics,
    several,
    with_entities,
)
from inexlab.api.several import need_at_least
from inexlab.errors import UsageError
from inexlab.executors import open_executor
from inexlab.experiments.inputs import notes_of, opened
from inexlab.index.index import Index, open_index
from inexlab.index.sharded import sharded
from inexlab.judgements import read_judgements
from inexlab.judgements.merging import require_one_assessor
from inexlab.output import refuse_unwritable
from inexlab.progress import reporting
from inexlab.retrieval.baselines import make_baseline
from inexlab.retrieval.engine import Engine, make_engine
from inexlab.retrieval.queries import queries_of
from inexlab.retrieval.runs import Notation, changed_by_seeding, default_run_id
from inexlab.retrieval.runs import make_run as search_all
from inexlab.retrieval.sharded import ShardedEngine
from inexlab.retrieval.tasks import TASKS
from inexlab.runs import Run, RunBuilder, write_run
from inexlab.runs.about import parse_about
from inexlab.runs.write import run_writers
from inexlab.topics import read_topics
from inexlab.topics.query import CASQuery, Query
from inexlab.wording import counted


def make_run(
    index: Index | str | Path,
    topics: object,
    out: str | Path = "",
    *,
    task: str = "thorough",
    model: str = "bm25",
    query: str = "title",
    interpretation: str = "VVCAS",
    equivalence: str = "",
    overlap: str = "correlation",
    seed_documents: int | str = "all",
    seed_model: str = "",
    document_order: str = "best",
    by: str = "elements",
    signs: str = "hints",
    within: Several = (),
    exclude: Several = (),
    tags: Several = (),
    context: str = "",
    exact: bool = False,
    language: str = "",
    run_format: str = "",
    limit: int = 1500,
    run_id: str = "",
    about: Several = (),
    cluster: str = "",
) -> Run:
    """Search an index for every topic and return a run; with `out` write it, too.

    This is `inexlab run`. Topics are files, a dictionary {topic: query}, or a frame with qid and query.
    `cluster` is a Dask cluster whose workers search: `local:4`, `tls://HOST:PORT` or `tcp://HOST:PORT`. The
    run is the same.

    >>> import inexlab
    >>> inexlab.make_run("demo/index", "demo/topics.xml", task="focused", limit=10)
    Run('bm25-focused', 60 results, 6 topics)
    >>> inexlab.make_run("demo/index", {"q1": "pooling"}, limit=5, run_id="mine")
    Run('mine', 5 results, 1 topic)
    """
    seeded = str(seed_documents)
    if seeded != "all" and not (seeded.isdecimal() and int(seeded)):
        raise UsageError(f"`seed_documents={seeded!r}` must be a number >= 1, or all.")
    if str(out):
        refuse_unwritable(out)
    seeds = 0 if seeded == "all" else int(seeded)
    chosen = run_format or ("2009-bep" if task == "best-in-context" else "2009")
    writer = run_writers[chosen]
    if writer.entry_points and task != "best-in-context":
        raise UsageError(f"format {chosen} holds entry points: for `task=best-in-context`, not {task}.")
    need_at_least(1, limit=limit)
    says = {"task": task, "query": "automatic"} if "task" in writer.keeps else {}
    # what is written holds what its format holds, what is returned holds all
    notation: Notation = writer.notation if str(out) or run_format else "both"
    opened_index = open_index(index)
    engine = make_engine(
        sharded(opened_index) if cluster else opened_index,
        model,
        interpretation,
        equivalence,
        seeds,
        by=by,
        seed_model=seed_model,
        document_order=document_order,
        signs=signs,
        within=several(within),
        exclude=several(exclude),
        tags=",".join(several(tags)),
        context=context,
        exact=exact,
        language=language,
    )
    if chosen == "2008" and notation == "paths" and not engine.units.are_elements:
        notation = "characters"  # which it can hold as well
    engine = replace(engine, distinct_texts=notation == "characters")
    asked = list(read_topics(given_topics(topics)).values())
    id = run_id or default_run_id(
        engine.weighting,
        task,
        query=query,
        interpretation=interpretation,
        overlap=overlap,
        seed_documents=seeds,
        by=by,
        exact=exact,
    )
    says |= parse_about(several(about))
    if str(out):  # raises now, not after the search, if it cannot be written
        deque(writer.write(RunBuilder().build(id, about=says)), maxlen=0)
    with contextlib.ExitStack() as started:
        spread: tuple[str, ...] = ()
        if cluster and isinstance(engine, ShardedEngine):
            executor = started.enter_context(open_executor(cluster))
            engine, spread = replace(engine, executor=executor), executor.notes
        made = search_all(
            engine,
            asked,
            id,
            task=task,
            query=query,
            overlap=overlap,
            limit=limit,
            notation=notation,
            about=says,
        )
        queries = [one for one in queries_of(asked, query).of_topic.values() if one is not None]
        seeding = []
        if seeds:
            compared = reporting(queries, "comparing with all trees", "topics")
            seeding = [_seeding_note(engine, compared, task, overlap, limit)]
    lost: Sequence[str] = ()
    if str(out):
        lost = write_run(made.run, Path(out) if str(out) != "-" else "-", chosen)
    found = f"{counted(len(made.run), 'result')} for {counted(len(made.run.topics), 'topic')}"
    notes = [*spread, found, *lost]
    if made.widened:
        notes.append(
            f"format {chosen} can only name elements: {made.widened:,} {by} became the elements they are in "
            "(2009-fol, 2008 and jsonl keep them)"
        )
    for names, what in (
        (made.without_query, f"no {query}"),
        (
            made.unbalanced_quotes,
            f"unbalanced quotation marks in the {query}, ignored where they enclose no phrase",
        ),
        (made.without_results, "no results"),
    ):
        if names:
            have = "topic has" if len(names) == 1 else "topics have"
            notes.append(f"{len(names)} {have} {what}: {', '.join(names[:5])}{' …' * (len(names) > 5)}")
    notes += _ineffective_options(queries, interpretation, equivalence, task, overlap)
    notes += seeding
    return replace(made.run, notes=tuple(notes))


def _ineffective_options(
    queries: Sequence[Query], interpretation: str, equivalence: str, task: str, overlap: str
) -> Iterator[str]:
    """Say which options were given for nothing."""
    if not any(isinstance(query, CASQuery) for query in queries):
        given = {"interpretation": interpretation != "VVCAS", "equivalence": bool(equivalence)}
        for option in (name for name, differs in given.items() if differs):
            yield f"`{option}=` has no effect: no query has structure (`query=castitle`)"
    if overlap != "correlation" and not TASKS[task].removes_overlap:
        yield f"`overlap=` has no effect: task {task} does not remove overlap"


def _seeding_note(engine: Engine, queries: Iterable[Query], task: str, overlap: str, limit: int) -> str:
    """Say for how many topics fewer trees changed the results."""
    changes = changed_by_seeding(engine, queries, limit, task, overlap)
    number = engine.seed_documents
    fewer = f"{number} tree{'s' * (number > 1)} a topic instead of all"
    where = f", from rank {changes.rank} on" if changes.queries else ""
    return f"{fewer} changed the best {limit} results of {changes.queries} of {changes.of} topics{where}"


@with_entities
def baseline(
    kind: str,
    judgements: object,
    out: str | Path = "",
    *,
    collection: Documents = None,
    run_format: str = "2009-fol",
    limit: int = 1500,
    seed: int = 2006,
    about: Several = (),
) -> Run:
    """Return a run to compare with: what a perfect system would return, or one that knows nothing.

    The kinds are ideal-documents, ideal-passages, articles and random; with `out` the run is written, too.

    >>> import inexlab
    >>> inexlab.baseline("ideal-passages", "demo/judgements.qrels")
    Run('ideal-passages', 33 results, 6 topics)
    """
    if str(out):
        refuse_unwritable(out)
    need_at_least(1, limit=limit)
    judged = read_judgements(given_judgements(judgements))
    require_one_assessor(judged)
    documents = opened(given_collection(collection))
    made = make_baseline(kind, judged, documents, limit=limit, seed=seed, about=parse_about(several(about)))
    lost = write_run(made, out, run_format, collection=documents) if str(out) else ()
    results = f"{counted(len(made), 'result')} for {counted(len(made.topics), 'topic')}"
    return replace(made, notes=(*notes_of(documents), results, *lost))
