"""`inexlab run`: search for all topics of a file, and write a run."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from inexlab.cli.options import (
    BY,
    CONTEXT,
    EXACT,
    INDEX,
    MODEL,
    OVERLAP,
    QUERY_LANGUAGE,
    RESULTS_LIMIT,
    RUN_ABOUT,
    RUN_OUT,
    SEARCH_TASK,
    SIGNS,
    TAGS,
    WITHIN,
    WITHOUT,
)
from inexlab.cli.terminal import progress_console

if TYPE_CHECKING:
    from inexlab.retrieval.engine import Engine, Notation
    from inexlab.topics.query import Query

T = TypeVar("T")

_TOPICS = typer.Option(metavar="FILE", help="Topics; repeatable.")
_QUERY = typer.Option(
    help="Which field of the topics: title, castitle, phrasetitle, description, narrative or keywords."
)
_INTERPRETATION = typer.Option(help="Structure of castitles: VVCAS, SVCAS, VSCAS or SSCAS.")
_EQUIVALENCE = typer.Option(
    metavar="NAME|FILE", help="Equivalent tags; those of the index's profile unless given."
)
_SEEDS = typer.Option(metavar="N|all", help="Flex: generate the trees of the best so many articles.")
_SEED_MODEL = typer.Option(
    metavar="MODEL",
    help="The model that ranks articles, with its own slope and pivot; that of --model unless given.",
)
_DOCUMENT_ORDER = typer.Option(
    metavar="best|article",
    help="Order of documents in context: by their best result or by the article's score.",
)
_FORMAT = typer.Option(help="Format of the run: 2005, 2008, 2009, 2009-fol, 2009-bep or jsonl.")
_RUN_ID = typer.Option(help="Id of the run; made of model, task, query and strategies unless given.")


# what a format says of a result, where it does not say all
_NOTATIONS: dict[str, Notation] = {
    **dict.fromkeys(("2005", "2008", "2009"), "paths"),
    **dict.fromkeys(("2009-fol", "2009-bep"), "characters"),
}


def run(
    index: Annotated[str, INDEX],
    topics: Annotated[list[str], _TOPICS],
    out: Annotated[str, RUN_OUT],
    task: Annotated[str, SEARCH_TASK] = "thorough",
    model: Annotated[str, MODEL] = "bm25",
    query: Annotated[str, _QUERY] = "title",
    interpretation: Annotated[str, _INTERPRETATION] = "VVCAS",
    equivalence: Annotated[str, _EQUIVALENCE] = "",
    overlap: Annotated[str, OVERLAP] = "correlation",
    seed_documents: Annotated[str, _SEEDS] = "all",
    run_format: Annotated[str, _FORMAT] = "",
    limit: Annotated[int, RESULTS_LIMIT] = 1500,
    run_id: Annotated[str, _RUN_ID] = "",
    by: Annotated[str, BY] = "elements",
    seed_model: Annotated[str, _SEED_MODEL] = "",
    document_order: Annotated[str, _DOCUMENT_ORDER] = "best",
    signs: Annotated[str, SIGNS] = "hints",
    within: Annotated[list[str] | None, WITHIN] = None,
    exclude: Annotated[list[str] | None, WITHOUT] = None,
    tags: Annotated[str, TAGS] = "",
    context: Annotated[str, CONTEXT] = "",
    exact: Annotated[bool, EXACT] = False,
    language: Annotated[str, QUERY_LANGUAGE] = "",
    about: Annotated[list[str] | None, RUN_ABOUT] = None,
) -> None:
    """Search an index for every topic of a file and write a run.

    Example (after `inexlab demo --out demo` and `inexlab index demo/articles --out demo/index`):
    `inexlab run demo/index --topics demo/topics.xml --out focused.txt --task focused --model lnu-ltu`
    """
    from inexlab.errors import UsageError
    from inexlab.index.index import open_index
    from inexlab.output import refuse_unwritable
    from inexlab.retrieval.engine import default_run_id, make_engine, make_run, queries_of
    from inexlab.runs import write_run
    from inexlab.runs.about import parse_about
    from inexlab.runs.table import RunBuilder
    from inexlab.runs.write import run_writers
    from inexlab.topics import read_topics

    if seed_documents != "all" and not (seed_documents.isdecimal() and int(seed_documents)):
        raise UsageError(f"--seed-documents {seed_documents!r} is neither a number from 1 on nor all.")
    seeds = 0 if seed_documents == "all" else int(seed_documents)
    chosen = run_format or ("2009-bep" if task == "best-in-context" else "2009")
    writer = run_writers[chosen]
    if chosen == "2009-bep" and task != "best-in-context":
        raise UsageError(f"format 2009-bep holds entry points: for --task best-in-context, not {task}.")
    says = {"task": task, "query": "automatic"} if "task" in writer.keeps else {}
    engine = make_engine(
        open_index(index),
        model,
        interpretation,
        equivalence,
        seeds,
        by=by,
        seed_model=seed_model,
        document_order=document_order,
        signs=signs,
        within=within or (),
        exclude=exclude or (),
        tags=tags,
        context=context,
        exact=exact,
        language=language,
    )
    notation = _NOTATIONS.get(chosen, "both")
    if chosen == "2008" and not engine.units.are_elements:
        notation = "characters"  # which it can hold as well
    engine = replace(engine, distinct_texts=notation == "characters")
    asked = list(read_topics(topics).values())
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
    says |= parse_about(about or [])
    # what cannot be written is told now, not after the search
    refuse_unwritable(out)
    deque(writer.write(RunBuilder().build(id, about=says)), maxlen=0)
    made = make_run(
        engine,
        asked,
        id,
        task=task,
        query=query,
        overlap=overlap,
        limit=limit,
        notation=notation,
        about=says,
        watch=_watched,
    )
    lost = write_run(made.run, Path(out) if out != "-" else out, chosen)
    notes = [f"{len(made.run):,} results for {len(made.run.topics)} topics", *lost]
    if made.widened:
        notes.append(
            f"format {chosen} can only name elements: {made.widened:,} {by} became the elements they are in "
            "(2009-fol, 2008 and jsonl keep them)"
        )
    for names, what in (
        (made.without_query, f"no {query}"),
        (made.quotes_amiss, f"quotation marks amiss in the {query}, left out where they belong to no phrase"),
        (made.without_results, "no results"),
    ):
        if names:
            have = "topic has" if len(names) == 1 else "topics have"
            notes.append(f"{len(names)} {have} {what}: {', '.join(names[:5])}{' …' * (len(names) > 5)}")
    queries = [one for one in queries_of(asked, query).of_topic.values() if one is not None]
    notes += _without_effect(queries, interpretation, equivalence, task, overlap)
    if seeds:
        notes.append(_changed(engine, queries, task, overlap, limit))
    for note in notes:
        print(f"inexlab: {note}", file=sys.stderr)


def _watched(items: Sequence[T], doing: str = "searching") -> Iterator[T]:
    """Pass items on, with a progress bar where somebody watches."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.progress import track

    yield from track(items, doing, console=progress_console(), transient=True)


def _without_effect(
    queries: Sequence[Query], interpretation: str, equivalence: str, task: str, overlap: str
) -> Iterator[str]:
    """Say which options were given for nothing."""
    from inexlab.topics.query import CASQuery

    if not any(isinstance(query, CASQuery) for query in queries):
        given = {"--interpretation": interpretation != "VVCAS", "--equivalence": bool(equivalence)}
        for option in (name for name, differs in given.items() if differs):
            yield f"{option} changes nothing: no query has structure (--query castitle)"
    if overlap != "correlation" and task not in ("focused", "relevant-in-context"):
        yield f"--overlap changes nothing: task {task} keeps no account of overlap"


def _changed(engine: Engine, queries: Sequence[Query], task: str, overlap: str, limit: int) -> str:
    """Say for how many topics fewer trees changed the results."""
    from inexlab.retrieval.engine import changed_by_seeding

    watched = _watched(queries, "comparing with all trees")
    changes = changed_by_seeding(engine, watched, limit, task, overlap)
    number = engine.seed_documents
    fewer = f"{number} tree{'s' * (number > 1)} a topic instead of all"
    where = f", from rank {changes.rank} on" if changes.queries else ""
    return f"{fewer} changed the best {limit} results of {changes.queries} of {changes.of} topics{where}"
