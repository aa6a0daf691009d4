"""`inexlab agreement`: how far conditions find the same differences."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from inexlab.cli.options import (
    ALPHA,
    CONDITION,
    CORRECTION,
    EACH,
    OUTPUT,
    RESAMPLES,
    SEED,
    TEST,
    TOPICS_OF,
    VARY_DECISIONS,
)
from inexlab.cli.options import FILES_OF_CONDITIONS as FILES
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import judgements_and_runs, print_notes, scoring
from inexlab.cli.terminal import terminal_width

_MIN = typer.Option(metavar="D", help="Differences of means below this count as not found.")
_FIGURE = typer.Option(
    "--differences", help="Print the pairs instead: both differences, and hit, miss or false alarm."
)


@scoring
def agreement(
    files: Annotated[list[str] | None, FILES] = None,
    vary: Annotated[list[str] | None, VARY_DECISIONS] = None,
    condition: Annotated[list[str] | None, CONDITION] = None,
    test: Annotated[str, TEST] = "bootstrap",
    correction: Annotated[str, CORRECTION] = "by",
    alpha: Annotated[float, ALPHA] = 0.05,
    each: Annotated[list[str] | None, EACH] = None,
    min_difference: Annotated[float, _MIN] = 0.0,
    differences: Annotated[bool, _FIGURE] = False,
    resamples: Annotated[int, RESAMPLES] = 10_000,
    seed: Annotated[int, SEED] = 2006,
    topics_of: Annotated[str, TOPICS_OF] = "common",
    output: Annotated[str, OUTPUT] = "table",
    *,
    options: dict[str, Any],
) -> None:
    """Compare the decisions of conditions: recall, precision and F1 of one's differences against another's.

    Rows predict columns, as in Tables 3 and 4 of Ogilvie and Lalmas (2006): precision is read from the
    table of recall by exchanging row and column. `-o json` and `-o csv` give it by name.

    Examples (after `inexlab demo --out demo`):

    - `inexlab agreement demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles
      --vary measure=MAiP,iP@0.01`

    - `inexlab agreement demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles
      --vary measure=gP@5,MAgP --vary beta=0.25,1 --each measure`
    """
    from inexlab.api.conditions import agreement as agree
    from inexlab.report.grids import known_format

    known_format(output)
    given, runs = judgements_and_runs(files)
    with showing_progress():
        result = agree(
            given,
            runs,
            **options,
            vary=vary or [],
            condition=condition or [],
            test=test,
            correction=correction,
            alpha=alpha,
            each=each or [],
            min_difference=min_difference,
            differences=differences,
            resamples=resamples,
            seed=seed,
            topics_of=topics_of,
        )
    print_notes(result.notes)
    sys.stdout.write(result.text(output, width=terminal_width()))
