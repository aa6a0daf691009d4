"""`inexlab correlate`: how far conditions rank systems alike."""

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

_COEFFICIENT = typer.Option(help="tau (Kendall's tau-b), tau-ap, spearman or pearson.")
_AVERAGE = typer.Option(metavar="KEY", help="Average over the values of this varied parameter; repeatable.")
_DIFFICULTY = typer.Option(
    "--difficulty", help="Print best and mean score and deviation of each condition instead."
)
_OUTPUT = typer.Option("-o", "--output", help="Format: table, json, csv, tsv, latex or markdown.")


def correlate(
    files: Annotated[list[str], FILES],
    measure: Annotated[str, MEASURE] = "",
    vary: Annotated[list[str] | None, VARY] = None,
    condition: Annotated[list[str] | None, CONDITION] = None,
    coefficient: Annotated[str, _COEFFICIENT] = "tau",
    average: Annotated[list[str] | None, _AVERAGE] = None,
    difficulty: Annotated[bool, _DIFFICULTY] = False,
    collection: Annotated[str, COLLECTION] = "",
    output: Annotated[str, _OUTPUT] = "table",
) -> None:
    """Correlate the rankings of systems under different conditions.

    Example (after `inexlab demo --out demo`):
    `inexlab correlate demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles
    --vary measure=MAiP,iP@0.01,SpanP@5`
    """
    import numpy as np

    from inexlab.errors import UnknownNameError, UsageError
    from inexlab.report.grids import known_format, write_grid
    from inexlab.report.tables import Cell, Grid
    from inexlab.statistics.correlation import COEFFICIENTS, Difficulty, correlations
    from inexlab.statistics.correlation import difficulty as summarise

    known_format(output)
    if coefficient not in COEFFICIENTS:
        raise UnknownNameError("coefficient", coefficient, COEFFICIENTS)
    conditions, runs = read_conditions(files, measure, vary or [], condition or [])
    known = list(conditions[0].levels)
    for key in average or []:
        if key not in known:
            raise UnknownNameError("varied parameter", key, known)
    matrices = score_conditions(conditions, runs, collection)
    if difficulty:
        table: list[list[Cell]] = [list(row) for row in summarise(matrices)]
        sys.stdout.write(write_grid(Grid(list(Difficulty._fields), table), output))
        return
    groups: dict[tuple[str, ...], list[int]] = {}
    for i, c in enumerate(conditions):
        groups.setdefault(tuple(c.levels[key] for key in average or []), []).append(i)
    compared = [
        [" ".join(v for k, v in conditions[i].levels.items() if k not in (average or [])) for i in g]
        for g in groups.values()
    ]
    if len(compared[0]) < 2:
        raise UsageError("nothing is left to compare: every varied parameter is averaged over.")
    tables = [correlations([matrices[i] for i in group], coefficient) for group in groups.values()]
    mean = np.mean(tables, axis=0)
    over = f", mean of {len(tables)}" if len(tables) > 1 else ""
    print(f"inexlab: {coefficient} over {len(runs)} systems{over}", file=sys.stderr)
    rows: list[list[Cell]] = [
        [name, *(None if v != v else v for v in row)]
        for name, row in zip(compared[0], mean.tolist(), strict=True)
    ]
    sys.stdout.write(write_grid(Grid([coefficient, *compared[0]], rows), output))
