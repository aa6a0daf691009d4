"""`inexlab baseline`: runs that no search engine made, to compare those of search engines with."""

from __future__ import annotations

from typing import Annotated

import typer

from inexlab.cli.options import RESULTS_LIMIT, RUN_ABOUT, RUN_OUT
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import print_notes

_KIND = typer.Argument(metavar="KIND", help="ideal-documents, ideal-passages, articles or random.")
_JUDGEMENTS = typer.Argument(metavar="JUDGEMENTS", help="Judgements with highlights.")
_COLLECTION = typer.Option(
    metavar="DIR", help="Folder or archive of the XML documents, for lengths and for random."
)
_FORMAT = typer.Option(help="Format of the run: 2005, 2008, 2009, 2009-fol or jsonl.")
_SEED = typer.Option(min=0, help="Seed of random.")


def baseline(
    kind: Annotated[str, _KIND],
    judgements: Annotated[str, _JUDGEMENTS],
    out: Annotated[str, RUN_OUT],
    collection: Annotated[str, _COLLECTION] = "",
    run_format: Annotated[str, _FORMAT] = "2009-fol",
    limit: Annotated[int, RESULTS_LIMIT] = 1500,
    seed: Annotated[int, _SEED] = 2006,
    about: Annotated[list[str] | None, RUN_ABOUT] = None,
) -> None:
    """Write a run to compare with: what a perfect system would return, or one that knows nothing.

    Example (after `inexlab demo --out demo`):
    `inexlab baseline ideal-passages demo/judgements.qrels --out ideal.txt`
    """
    from inexlab.api.making import baseline as make_baseline

    with showing_progress():
        made = make_baseline(
            kind,
            judgements,
            out,
            collection=collection,
            run_format=run_format,
            limit=limit,
            seed=seed,
            about=about or [],
        )
    print_notes(made.notes)
