"""`inexlab correlate`: how far conditions rank systems alike."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.options import CONDITION, EACH, OUTPUT, TOPICS_OF, VARY
from inexlab.cli.options import FILES_OF_CONDITIONS as FILES
from inexlab.cli.scoring import print_notes, scoring, watched
from inexlab.cli.terminal import terminal_width

if TYPE_CHECKING:
    from inexlab.experiments import Choices

_COEFFICIENT = typer.Option(help="tau (Kendall's tau-b), tau-ap (the row is the truth), spearman or pearson.")
_AVERAGE = typer.Option(metavar="KEY", help="Average over the values of this varied parameter; repeatable.")
_DIFFICULTY = typer.Option(
    "--difficulty",
    help="Print mean, deviation, best and worst score of each condition instead, each with its own runs.",
)
_TOP = typer.Option(min=0, help="With --difficulty: over the best so many systems of each (0: all).")


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
    choices: Choices,
) -> None:
    """Correlate the rankings of systems under different conditions.

    With a campaign file correlations are means over its tasks, unless `--each task` separates them.

    Examples (after `inexlab demo --out demo`):

    - `inexlab correlate demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles
      --vary measure=MAiP,iP@0.01,SpanP@5`

    - `inexlab correlate --campaign-file demo/campaign.toml --vary measure=MAiP,MAgP,SpanP@5`
    """
    from inexlab.errors import UnknownNameError, UsageError
    from inexlab.experiments.conditions import (
        DECISIONS,
        choose_conditions,
        group_conditions,
        score_conditions,
    )
    from inexlab.report.correlation import correlation_grid, counts_note, undefined_note
    from inexlab.report.grids import known_format, write_grid, write_grids
    from inexlab.report.tables import Cell, Grid
    from inexlab.statistics.correlation import COEFFICIENTS, Difficulty, correlations
    from inexlab.statistics.correlation import difficulty as summarise

    known_format(output)
    if coefficient not in COEFFICIENTS:
        raise UnknownNameError("coefficient", coefficient, COEFFICIENTS)
    conditions = choose_conditions(files or [], choices, vary or [], condition or [])
    if varied := set(DECISIONS) & set(conditions[0].levels):
        raise UsageError(f"{varied.pop()} changes no score: see `inexlab agreement`.")
    each, average = each or [], average or []
    if any(c.task for c in conditions) and not difficulty and "task" not in (*average, *each):
        average = ["task", *average]
    tables = []
    if not difficulty:  # which looks at each condition alone
        grouped = group_conditions(conditions, each)
        tables = [(group.title, [conditions[i] for i in group.places]) for group in grouped]
        for _, members in tables:
            group_conditions(members, [*each, *average], average=True)  # before hours of work
    scored, notes = score_conditions(conditions, topics_of=topics_of, across_runs=difficulty, watch=watched)
    print_notes(notes)
    scores = {table.name: table for table in scored}
    if difficulty:
        rows: list[list[Cell]] = [[None if c != c else c for c in row] for row in summarise(scored, top)]
        sys.stdout.write(write_grid(Grid(list(Difficulty._fields), rows), output, terminal_width()))
        return
    grids = []
    for title, members in tables:
        groups = group_conditions(members, [*each, *average], average=True)
        squares = [
            correlations([scores[members[i].name] for i in group.places], coefficient) for group in groups
        ]
        grids.append(correlation_grid(title, coefficient, groups[0].names, squares))
        counts = [len(scores[c.name].systems) for c in members]
        said = (counts_note(coefficient, counts, len(squares)), undefined_note(groups[0].names, squares))
        print_notes(f"{title}: {note}" if title else note for note in said if note)
    sys.stdout.write(write_grids(grids, output, terminal_width()))
