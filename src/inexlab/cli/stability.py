"""`inexlab stability`: how far a test's conclusions hold on other topics."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated, Any

import typer

from inexlab.cli.options import COMMON_TOPICS, FILES_OR_SCORES, OUTPUT, RESAMPLES
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import judgements_and_runs, print_notes, scoring

_TEST = typer.Option(
    help="A test: {tests}; repeatable. All unless given, but not those that approximate another."
)
_CORRECTION = typer.Option(help="A correction: {corrections}; repeatable. none and by unless given.")
_ALPHA = typer.Option(help="Level of the tests.")
_SPLITS = typer.Option(min=1, help="Random halvings of the topics.")
_SEED = typer.Option(min=0, help="Seed of splits and resamples.")
_GROWTH = typer.Option("--growth", help="Print how the share of significant pairs grows with topics instead.")
_EACH_SPLIT = typer.Option(
    "--mean-of-splits", help="Average the rates of the splits; else pool their counts."
)

_CAPTION = "Conclusions of tests, checked on other topics"


@scoring
def stability(
    files: Annotated[list[str] | None, FILES_OR_SCORES] = None,
    test: Annotated[list[str] | None, _TEST] = None,
    correction: Annotated[list[str] | None, _CORRECTION] = None,
    alpha: Annotated[float, _ALPHA] = 0.05,
    splits: Annotated[int, _SPLITS] = 50,
    resamples: Annotated[int, RESAMPLES] = 10_000,
    seed: Annotated[int, _SEED] = 2006,
    growth: Annotated[bool, _GROWTH] = False,
    each_split: Annotated[bool, _EACH_SPLIT] = False,
    common_topics: Annotated[bool, COMMON_TOPICS] = False,
    output: Annotated[str, OUTPUT] = "table",
    *,
    options: dict[str, Any],
) -> None:
    """Check tests against other topics: what they conclude on one half of the topics, on the other half.

    Example (after `inexlab demo --out demo`):
    `inexlab stability demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles -m MAiP`
    """
    from inexlab.api.conditions import stability as check_tests
    from inexlab.report.grids import known_format
    from inexlab.statistics.stability import COLUMNS, GROWTH_COLUMNS

    known_format(output)
    given, runs = judgements_and_runs(files)
    with showing_progress():
        result = check_tests(
            given,
            runs,
            **options,
            test=test or [],
            correction=correction or [],
            alpha=alpha,
            splits=splits,
            resamples=resamples,
            seed=seed,
            growth=growth,
            mean_of_splits=each_split,
            common_topics=common_topics,
        )
    if output in ("table", "markdown"):
        explained = GROWTH_COLUMNS if growth else COLUMNS
        print_notes(f"{name}: {meaning}" for name, meaning in explained.items())
    print_notes(result.notes)
    if output == "latex":
        result = replace(result, people=replace(result.people, title=_CAPTION))
    sys.stdout.write(result.text(output, width=10_000))
