"""`inexlab agreement`: how far conditions find the same differences."""

from __future__ import annotations

import itertools
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

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
from inexlab.cli.scoring import print_notes, scoring, watched
from inexlab.cli.terminal import terminal_width

if TYPE_CHECKING:
    from inexlab.experiments import Choices

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
    choices: Choices,
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
    from inexlab.errors import UsageError
    from inexlab.experiments.conditions import choose_conditions, group_conditions, score_conditions
    from inexlab.report.agreement import write_agreement
    from inexlab.report.grids import known_format, write_grid
    from inexlab.report.tables import Cell, Grid
    from inexlab.statistics.agreement import Difference
    from inexlab.statistics.agreement import agreement as agree
    from inexlab.statistics.agreement import differences as of_two
    from inexlab.statistics.procedure import Procedure
    from inexlab.statistics.testing import Sampling

    procedure = Procedure(test, correction, alpha, Sampling(resamples, seed))
    if not min_difference >= 0:
        raise UsageError(f"--min-difference is {min_difference:g}, expected 0 or more.")
    known_format(output)
    conditions = choose_conditions(files or [], choices, vary or [], condition or [])
    of_campaign = ["task"] if any(c.task for c in conditions) else []
    grouped = group_conditions(conditions, list(dict.fromkeys([*of_campaign, *(each or [])])))
    tables, notes = score_conditions(conditions, topics_of=topics_of, watch=watched)
    decided = [
        c.procedure(procedure).compare(table, intervals=False)
        for c, table in zip(conditions, tables, strict=True)
    ]
    warnings = dict.fromkeys(warning for comparison in decided for warning in comparison.warnings)
    procedures = dict.fromkeys(c.procedure(procedure).description() for c in conditions)
    print_notes([*notes, *procedures, *warnings])
    if not differences:
        groups = [
            (
                title,
                replace(agree([decided[i] for i in places], min_difference=min_difference), conditions=names),
            )
            for title, places, names in grouped
        ]
        sys.stdout.write(write_agreement(groups, output, terminal_width()))
        return
    rows: list[list[Cell]] = []
    for _, places, _ in grouped:
        for row, column in itertools.permutations((decided[i] for i in places), 2):
            both = [row.matrix.name, column.matrix.name]
            rows += [[*both, *pair] for pair in of_two(row, column, min_difference=min_difference)]
    grid = Grid(["predictor", "truth", *Difference._fields], rows)
    sys.stdout.write(write_grid(grid, output, terminal_width()))
