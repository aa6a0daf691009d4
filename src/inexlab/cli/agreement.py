"""`inexlab agreement`: how far conditions find the same differences."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from inexlab.cli.conditions import (
    COLLECTION,
    CONDITION,
    FILES,
    MEASURE,
    VARY,
    read_conditions,
    score_conditions,
)

_TEST = typer.Option(help="bootstrap, t, wilcoxon, sign or randomisation.")
_CORRECTION = typer.Option(help="For many hypotheses: by, bh, holm, bonferroni or none.")
_ALPHA = typer.Option(help="Level of the test.")
_MIN = typer.Option(metavar="D", help="Differences of means below this count as not found.")
_FIGURE = typer.Option(
    "--differences", help="Print the pairs instead: both differences, and hit, miss or false alarm."
)
_RESAMPLES = typer.Option(min=1, help="Resamples of bootstrap and randomisation.")
_SEED = typer.Option(min=0, help="Seed of the resamples.")
_OUTPUT = typer.Option("-o", "--output", help="Format: table, json, csv, tsv, latex or markdown.")


def agreement(
    files: Annotated[list[str], FILES],
    measure: Annotated[str, MEASURE] = "",
    vary: Annotated[list[str] | None, VARY] = None,
    condition: Annotated[list[str] | None, CONDITION] = None,
    test: Annotated[str, _TEST] = "bootstrap",
    correction: Annotated[str, _CORRECTION] = "by",
    alpha: Annotated[float, _ALPHA] = 0.05,
    min_difference: Annotated[float, _MIN] = 0.0,
    differences: Annotated[bool, _FIGURE] = False,
    resamples: Annotated[int, _RESAMPLES] = 10_000,
    seed: Annotated[int, _SEED] = 2006,
    collection: Annotated[str, COLLECTION] = "",
    output: Annotated[str, _OUTPUT] = "table",
) -> None:
    """Compare the decisions of conditions: recall, precision and F1 of one's differences against another's.

    Rows predict columns, as in Tables 3 and 4 of Ogilvie and Lalmas (2006).

    Example (after `inexlab demo --out demo`):
    `inexlab agreement demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles
    --vary measure=MAiP,iP@0.01`
    """
    from inexlab.report.grids import known_format, write_grid
    from inexlab.report.tables import Cell, Grid
    from inexlab.statistics import compare
    from inexlab.statistics.agreement import Difference
    from inexlab.statistics.agreement import agreement as agree
    from inexlab.statistics.agreement import differences as of_two
    from inexlab.statistics.comparison import check_choices
    from inexlab.statistics.testing import Sampling

    check_choices(test, correction, alpha)
    known_format(output)
    conditions, runs = read_conditions(files, measure, vary or [], condition or [])
    matrices = score_conditions(conditions, runs, collection)
    sampling = Sampling(resamples, seed)
    decided = [
        compare(m, test=test, correction=correction, alpha=alpha, sampling=sampling, intervals=False)
        for m in matrices
    ]
    print(f"inexlab: {test} test, one-tailed, {correction} correction, level {alpha:g}", file=sys.stderr)
    rows: list[list[Cell]] = []
    if differences:
        for row in decided:
            for column in decided:
                if row is not column:
                    names = [row.matrix.name, column.matrix.name]
                    rows += [[*names, *pair] for pair in of_two(row, column, min_difference=min_difference)]
        header = ["row_condition", "column_condition", *Difference._fields]
    else:
        found = agree(decided, min_difference=min_difference)
        header = ["row", "% found"]
        header += [f"{what} of {name}" for what in ("recall", "precision", "F1") for name in found.conditions]
        for i, name in enumerate(found.conditions):
            cells = [table[i].tolist() for table in (found.recall, found.precision, found.f1)]
            flat = [None if value != value else value for row in cells for value in row]
            rows.append([name, float(found.share[i]), *flat])
    sys.stdout.write(write_grid(Grid(header, rows), output))
