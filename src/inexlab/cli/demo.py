"""`inexlab demo`: the laboratory on the built-in campaign."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Annotated

import typer

from inexlab.cli.terminal import terminal_width

_TABLES = (
    (
        "Focused: which passages first? (INEX 2009 measures)",
        ("focused-paragraphs.txt", "focused-sections.txt", "focused-articles.txt", "focused-chunks.jsonl"),
        ("iP@0.01", "iP@0.1", "MAiP", "SpanP@5", "SpanR@5"),
    ),
    (
        "Relevant in Context: which documents, and which parts of them?",
        ("in-context.xml", "focused-paragraphs.txt", "focused-sections.txt", "focused-articles.txt"),
        ("MAgP(score=F,beta=0.25)", "MAgP(score=F,beta=1)", "gP(score=F,beta=0.25)@5", "gR@5"),
    ),
    (
        "Best in Context: where to begin reading?",
        ("best-in-context.txt", "focused-sections.txt", "focused-articles.txt"),
        ("MAgP(score=BEP,n=500)", "gP(score=BEP,n=500)@1", "gR@1"),
    ),
)


def demo(
    out: Annotated[
        str, typer.Option(metavar="DIR", help="Copy the built-in campaign there, to try commands on.")
    ] = "",
) -> None:
    """Score the built-in campaign: eight articles about evaluation, six topics, six runs.

    Examples: `inexlab demo`, `inexlab demo --out demo`
    """
    from importlib.resources import as_file, files

    from inexlab.errors import UsageError
    from inexlab.measures import evaluate
    from inexlab.report.scores import write_scores

    with as_file(files("inexlab") / "handbook") as handbook:
        if out:
            if os.path.lexists(out):
                raise UsageError(f"{out} is there already; name a new folder for --out.")
            try:
                shutil.copytree(handbook, out, ignore=shutil.ignore_patterns("__pycache__", "*.py"))
            except OSError as error:
                raise UsageError(f"{out} cannot be written ({error.strerror}).") from None
            print(f"The built-in campaign is in {out}. Try:\n")
            print(f"  inexlab evaluate {out}/judgements.qrels {out}/runs/focused-sections.txt -m MAiP -q")
            return
        for title, runs, measures in _TABLES:
            paths = [handbook / "runs" / run for run in runs]
            scores = evaluate(
                handbook / "judgements.qrels", paths, measures, collection=handbook / "articles"
            )
            print(f"{title}\n")
            sys.stdout.write(write_scores(scores, "table", width=terminal_width()))
            print()
    print("`inexlab demo --out DIR` copies this campaign; `inexlab measures` explains the measures.")
