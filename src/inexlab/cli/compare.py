"""`inexlab compare`: which system is really better."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from inexlab.cli.options import (
    ALPHA,
    CLUSTER,
    COMMON_TOPICS,
    CORRECTION,
    FILES_OR_SCORES,
    OUTPUT,
    RESAMPLES,
    SEED,
    TEST,
)
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import judgements_and_runs, print_notes, scoring
from inexlab.cli.terminal import terminal_width

_TAIL = typer.Option(help="one: is a better than b; two: do they differ.")
_BASELINE = typer.Option(metavar="SYSTEM", help="Compare only this system with the others; repeatable.")
_BEST_PER = typer.Option(
    metavar="participant", help="Compare only the best run of each participant (XML runs)."
)
_TOP = typer.Option(
    min=0,
    show_default="all of up to 200, else 40",
    help="Show the best N systems (0: all); all are compared.",
)
_INTERVALS = typer.Option(
    help="Confidence intervals; with resamples they take most of the time of many systems."
)
_PLUS_ONE = typer.Option("--plus-one", help="Bootstrap p = (c + 1) / (b + 1), never 0.")


@scoring
def compare(
    files: Annotated[list[str] | None, FILES_OR_SCORES] = None,
    test: Annotated[str, TEST] = "bootstrap",
    correction: Annotated[str, CORRECTION] = "by",
    alpha: Annotated[float, ALPHA] = 0.05,
    tail: Annotated[str, _TAIL] = "one",
    baseline: Annotated[list[str] | None, _BASELINE] = None,
    best_per: Annotated[str, _BEST_PER] = "",
    top: Annotated[int | None, _TOP] = None,
    resamples: Annotated[int, RESAMPLES] = 10_000,
    seed: Annotated[int, SEED] = 2006,
    plus_one: Annotated[bool, _PLUS_ONE] = False,
    intervals: Annotated[bool, _INTERVALS] = True,
    common_topics: Annotated[bool, COMMON_TOPICS] = False,
    output: Annotated[str, OUTPUT] = "table",
    cluster: Annotated[str, CLUSTER] = "",
    *,
    options: dict[str, Any],
) -> None:
    """Say which systems are really better: significance over all pairs, corrected for their number.

    Examples (after `inexlab demo --out demo`):

    - `inexlab compare demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles -m MAiP`

    - `inexlab compare demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles -m iP@0.01
      -m MAiP --test t --baseline articles`

    - `inexlab compare --campaign-file demo/campaign.toml --task focused`
    """
    from inexlab.api.comparing import compare as compare_systems
    from inexlab.report.grids import known_format

    known_format(output)
    given, runs = judgements_and_runs(files)
    with showing_progress():
        result = compare_systems(
            given,
            runs,
            **options,
            test=test,
            correction=correction,
            alpha=alpha,
            tail=tail,
            baseline=baseline or [],
            best_per=best_per,
            resamples=resamples,
            seed=seed,
            plus_one=plus_one,
            intervals=intervals,
            common_topics=common_topics,
            cluster=cluster,
        )
    print_notes([*result.notes, *result.unshown(output, top)])
    sys.stdout.writelines(result.parts(output, top=top, width=terminal_width()))
