"""`inexlab correlate`: how far conditions rank systems alike."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from inexlab.cli.options import CONDITION, EACH, OUTPUT, TOPICS_OF, VARY
from inexlab.cli.options import FILES_OF_CONDITIONS as FILES
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import judgements_and_runs, print_notes, scoring
from inexlab.cli.terminal import terminal_width

_COEFFICIENT = typer.Option(help="tau (Kendall's tau-b), tau-ap (the row is the truth), spearman or pearson.")
_AVERAGE = typer.Option(metavar="KEY", help="Average over the values of this varied parameter; repeatable.")
_DIFFICULTY = typer.Option(
    "--difficulty",
    help="Print mean, deviation, best and worst score of each condition instead, each with its own runs.",
)
_TOP = typer.Option(min=0, help="With --difficulty: over the best N systems of each (0: all).")


@scoring
def correlate(
    files: Annotated[list[str] | None, FILES] = None,
    vary: Annotated[list[str] | None, VARY] = None,
    condition: Annotated[list[str] | None, CONDITION] = None,
    coefficient: Annotated[str, _COEFFICIENT] = "tau",
    average: Annotated[list[str] | None, _AVERAGE] = None,
    difficulty: Annotated[bool, _DIFFICULTY] = False,
    top: Annotated[int, _TOP] = 0,
    each: Annotated[list[str] | None, EACH] = None,
    topics_of: Annotated[str, TOPICS_OF] = "common",
    output: Annotated[str, OUTPUT] = "table",
    *,
    options: dict[str, Any],
) -> None:
    """Correlate the rankings of systems under different conditions.

    With a campaign file correlations are means over its tasks, unless `--each task` separates them.

    Examples (after `inexlab demo --out demo`):

    - `inexlab correlate demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles
      --vary measure=MAiP,iP@0.01,SpanP@5`

    - `inexlab correlate --campaign-file demo/campaign.toml --vary measure=MAiP,MAgP,SpanP@5`
    """
    from inexlab.api.conditions import correlate as correlate_conditions
    from inexlab.report.grids import known_format

    known_format(output)
    given, runs = judgements_and_runs(files)
    with showing_progress():
        result = correlate_conditions(
            given,
            runs,
            **options,
            vary=vary or [],
            condition=condition or [],
            coefficient=coefficient,
            average=average or [],
            difficulty=difficulty,
            top=top,
            each=each or [],
            topics_of=topics_of,
        )
    print_notes(result.notes)
    sys.stdout.write(result.text(output, width=terminal_width()))
