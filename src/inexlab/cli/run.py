"""`inexlab run`: search for all topics of a file, and write a run."""

from __future__ import annotations

from typing import Annotated

import typer

from inexlab.cli.options import (
    BY,
    CLUSTER,
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
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import print_notes

_TOPICS = typer.Option(metavar="FILE", help="Topics; repeatable.")
_QUERY = typer.Option(
    help="Which field of the topics: title, castitle, phrasetitle, description, narrative or keywords."
)
_INTERPRETATION = typer.Option(help="Structure of castitles: VVCAS, SVCAS, VSCAS or SSCAS.")
_EQUIVALENCE = typer.Option(
    metavar="NAME|FILE", help="Equivalent tags; those of the index's profile unless given."
)
_SEEDS = typer.Option(metavar="N|all", help="Flex: generate the trees of the best N articles.")
_FORMAT = typer.Option(help="Format of the run: {run_writers}.")
_SEED_MODEL = typer.Option(
    metavar="MODEL",
    help="The model that ranks articles, with its own slope and pivot; that of --model unless given.",
)
_DOCUMENT_ORDER = typer.Option(
    metavar="best|article",
    help="Order of documents in context: by their best result or by the article's score.",
)
_RUN_ID = typer.Option(help="Id of the run; made of model, task, query and strategies unless given.")


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
    cluster: Annotated[str, CLUSTER] = "",
) -> None:
    """Search an index for every topic of a file and write a run.

    Example (after `inexlab demo --out demo` and `inexlab index demo/articles --out demo/index`):
    `inexlab run demo/index --topics demo/topics.xml --out focused.txt --task focused --model lnu-ltu`
    """
    options = locals()  # which the library calls the same
    from inexlab.api.making import make_run

    with showing_progress():
        made = make_run(**options)
    print_notes(made.notes)
