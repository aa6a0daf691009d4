"""`inexlab plot`: one figure alone, for a paper or a slide."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from inexlab.cli.options import (
    ALPHA,
    CONDITION,
    CORRECTION,
    FILES_OR_SCORES,
    RESAMPLES,
    SEED,
    TEST,
    TOPICS_OF,
    VARY_DECISIONS,
)
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import judgements_and_runs, print_notes, scoring

_KIND = typer.Argument(
    metavar="KIND",
    help="{figures}; `inexlab plot help` says what each shows.",
)
_SYSTEM = typer.Option(metavar="ID", help="Of differences: the two systems; of curves: those in colour.")
_OUT = typer.Option(metavar="FIGURE", help="The file to write: .svg, .png, .pdf or .html.")


@scoring
def plot(
    kind: Annotated[str, _KIND],
    files: Annotated[list[str] | None, FILES_OR_SCORES] = None,
    system: Annotated[list[str] | None, _SYSTEM] = None,
    vary: Annotated[list[str] | None, VARY_DECISIONS] = None,
    condition: Annotated[list[str] | None, CONDITION] = None,
    topics_of: Annotated[str, TOPICS_OF] = "common",
    test: Annotated[str, TEST] = "bootstrap",
    correction: Annotated[str, CORRECTION] = "by",
    alpha: Annotated[float, ALPHA] = 0.05,
    resamples: Annotated[int, RESAMPLES] = 10_000,
    seed: Annotated[int, SEED] = 2006,
    out: Annotated[str, _OUT] = "",
    *,
    options: dict[str, Any],
) -> None:
    """Draw one figure of the report, in the quality of a paper.

    Agreement and correlation compare two conditions, the first of which is the x-axis: two measures (`-m`
    twice), or two quantisations, judgements, tasks or tests (`--vary`, `--condition`).

    Examples (after `inexlab demo --out demo`):

    - `inexlab plot ranking demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles -m MAiP
      --out ranking.svg`

    - `inexlab plot curves demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles -m iP@*
      --out curves.pdf`

    - `inexlab plot correlation demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles
      -m MAiP -m iP@0.01 --out correlation.png`

    - `inexlab plot agreement demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles
      -m MAiP --vary test=t,wilcoxon --out agreement.svg`

    - `inexlab plot ranking --campaign-file demo/campaign.toml --task focused --out focused.svg`
    """
    from inexlab.api.figures import plot as draw
    from inexlab.errors import UsageError
    from inexlab.report.figure import figures

    if kind == "help":
        for figure in figures.values():
            print(f"{figure.name}\n    {figure.doc.replace(chr(10), chr(10) + '    ')}")
        return
    figures[kind]
    if not out:
        raise UsageError("give judgements and runs (or scores), and --out FIGURE.svg, .png, .pdf or .html.")
    given, runs = judgements_and_runs(files)
    with showing_progress():
        drawn = draw(
            kind,
            given,
            runs,
            **options,
            system=system or [],
            vary=vary or [],
            condition=condition or [],
            topics_of=topics_of,
            test=test,
            correction=correction,
            alpha=alpha,
            resamples=resamples,
            seed=seed,
            out=out,
        )
    print_notes(drawn.notes)
