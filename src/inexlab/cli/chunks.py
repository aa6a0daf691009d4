"""`inexlab chunks`: which way of cutting documents into chunks is better."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from inexlab.cli.options import ALPHA, CORRECTION, MODEL, OUTPUT, RESAMPLES, SEED, TEST
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import print_notes
from inexlab.cli.terminal import terminal_width

_CORPUS = typer.Argument(
    metavar="CORPUS",
    help="The documents: a folder, archive or file of text, Markdown, HTML or XML; or an index.",
)
_GOLD = typer.Option(
    metavar="FILE",
    help="The text that answers the questions: JSON Lines, CSV (question, doc, quote; or Chroma's), "
    "LegalBench-RAG's JSON.",
)
_CHUNKER = typer.Option(
    metavar="UNITS",
    help="A chunker: windows:400c, windows:200w/100w, passages:800c, sentences:5, elements:sec, articles; "
    "repeatable (`inexlab search --by help` explains them).",
)
_CHUNKS = typer.Option(
    metavar="FILE",
    help="Chunks of another program (JSON Lines, JSON, CSV): all of them, to be ranked; or with topic or "
    "question, what it returned; repeatable.",
)
_TOPICS = typer.Option(
    metavar="FILE", help="A topic file with the questions, where the gold has none; repeatable."
)
_MEASURE = typer.Option(
    "-m", "--measure", help="A measure such as SpanR@1000c; repeatable; the first one ranks and is tested."
)
_LIMIT = typer.Option(min=1, help="Chunks returned for a question.")
_TITLE = typer.Option(help="Title of the report.")
_OUT = typer.Option(
    metavar="FILE", help="Write a report: a page that shows where each chunking cuts the gold."
)


def chunks(
    corpus: Annotated[str, _CORPUS],
    gold: Annotated[str, _GOLD],
    chunker: Annotated[list[str] | None, _CHUNKER] = None,
    chunks: Annotated[list[str] | None, _CHUNKS] = None,
    measure: Annotated[list[str] | None, _MEASURE] = None,
    topics: Annotated[list[str] | None, _TOPICS] = None,
    model: Annotated[str, MODEL] = "bm25",
    limit: Annotated[int, _LIMIT] = 100,
    test: Annotated[str, TEST] = "bootstrap",
    correction: Annotated[str, CORRECTION] = "by",
    alpha: Annotated[float, ALPHA] = 0.05,
    resamples: Annotated[int, RESAMPLES] = 10_000,
    seed: Annotated[int, SEED] = 2006,
    title: Annotated[str, _TITLE] = "",
    out: Annotated[str, _OUT] = "",
    output: Annotated[str, OUTPUT] = "table",
) -> None:
    """Compare ways to cut documents into chunks, on one index, with significance and ceilings.

    Every chunker is asked the same questions by the same ranking. The gold is text of the documents, so it
    stays when the chunker changes. At a budget of text (`SpanR@1000c`) large chunks have no advantage.

    Examples (after `inexlab demo --out demo`):

    - `inexlab chunks demo/articles --gold demo/judgements.qrels --topics demo/topics.xml
      --chunker windows:400c --chunker passages:800c --chunker sentences:5`
    """
    from inexlab.api.chunking import compare_chunks
    from inexlab.report.grids import known_format

    known_format(output)
    with showing_progress():
        result = compare_chunks(
            corpus,
            gold,
            chunker or (),
            chunks or (),
            measure or (),
            topics=topics or None,
            model=model,
            limit=limit,
            test=test,
            correction=correction,
            alpha=alpha,
            resamples=resamples,
            seed=seed,
            title=title,
            out=out,
        )
    print_notes([*result.notes, *([f"{out}: written, opens without a network"] if out else [])])
    sys.stdout.write(result.text(output, width=terminal_width()))
