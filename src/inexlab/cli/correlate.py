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
    group_conditions,
    read_conditions,
    score_conditions,
)
from inexlab.cli.terminal import terminal_width

_COEFFICIENT = typer.Option(help="tau (Kendall's tau-b), tau-ap (the row is the truth), spearman or pearson.")
_AVERAGE = typer.Option(metavar="KEY", help="Average over the values of this varied parameter; repeatable.")
_DIFFICULTY = typer.Option(
    "--difficulty", help="Print mean, deviation, best and worst score of each condition instead."
)
_TOP = typer.Option(min=0, help="With --difficulty: over the best so many systems of each (0: all).")
_OUTPUT = typer.Option("-o", "--output", help="Format: table, json, csv, tsv, latex or markdown.")


def correlate(
    files: Annotated[list[str] | None, FILES] = None,
    measure: Annotated[str, MEASURE] = "",
    vary: Annotated[list[str] | None, VARY] = None,
    condition: Annotated[list[str] | None, CONDITION] = None,
    coefficient: Annotated[str, _COEFFICIENT] = "tau",
    average: Annotated[list[str] | None, _AVERAGE] = None,
    difficulty: Annotated[bool, _DIFFICULTY] = False,
    top: Annotated[int, _TOP] = 0,
    collection: Annotated[str, COLLECTION] = "",
    output: Annotated[str, _OUTPUT] = "table",
) -> None:
    """Correlate the rankings of systems under different conditions.

    Example (after `inexlab demo --out demo`):
    `inexlab correlate demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles
    --vary measure=MAiP,iP@0.01,SpanP@5`
    """
    import numpy as np

    from inexlab.errors import UnknownNameError
    from inexlab.report.grids import known_format, write_grid
    from inexlab.report.tables import Cell, Grid
    from inexlab.statistics.correlation import COEFFICIENTS, Difficulty, correlations
    from inexlab.statistics.correlation import difficulty as summarise

    known_format(output)
    if coefficient not in COEFFICIENTS:
        raise UnknownNameError("coefficient", coefficient, COEFFICIENTS)
    conditions, runs = read_conditions(files or [], measure, vary or [], condition or [])
    groups = group_conditions(conditions, average or [])
    matrices = score_conditions(conditions, runs, collection)
    if difficulty:
        table: list[list[Cell]] = [[None if c != c else c for c in row] for row in summarise(matrices, top)]
        sys.stdout.write(write_grid(Grid(list(Difficulty._fields), table), output, terminal_width()))
        return
    tables = [correlations([matrices[i] for i in places], coefficient) for _, places, _ in groups]
    names = groups[0][2]
    mean = np.mean(tables, axis=0)
    over = f", mean of {len(tables)}" if len(tables) > 1 else ""
    print(f"inexlab: {coefficient} over {len(matrices[0].systems)} systems{over}", file=sys.stderr)
    rows: list[list[Cell]] = [
        [name, *(None if v != v else v for v in row)] for name, row in zip(names, mean.tolist(), strict=True)
    ]
    sys.stdout.write(write_grid(Grid([coefficient, *names], rows), output, terminal_width()))
