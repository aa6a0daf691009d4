"""`inexlab correlate`: how far conditions rank systems alike."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE, TASK, open_documents, open_manifest
from inexlab.cli.conditions import (
    CONDITION,
    FILES,
    MEASURE,
    VARY,
    campaign_conditions,
    group_conditions,
    read_conditions,
    score_conditions,
)
from inexlab.cli.options import COLLECTION, EACH, OUTPUT
from inexlab.cli.terminal import terminal_width

if TYPE_CHECKING:
    from inexlab.report.tables import Grid
    from inexlab.tables import Floats

_COEFFICIENT = typer.Option(help="tau (Kendall's tau-b), tau-ap (the row is the truth), spearman or pearson.")
_AVERAGE = typer.Option(metavar="KEY", help="Average over the values of this varied parameter; repeatable.")
_DIFFICULTY = typer.Option(
    "--difficulty", help="Print mean, deviation, best and worst score of each condition instead."
)
_TOP = typer.Option(min=0, help="With --difficulty: over the best so many systems of each (0: all).")


def correlate(
    files: Annotated[list[str] | None, FILES] = None,
    measure: Annotated[str, MEASURE] = "",
    vary: Annotated[list[str] | None, VARY] = None,
    condition: Annotated[list[str] | None, CONDITION] = None,
    coefficient: Annotated[str, _COEFFICIENT] = "tau",
    average: Annotated[list[str] | None, _AVERAGE] = None,
    difficulty: Annotated[bool, _DIFFICULTY] = False,
    top: Annotated[int, _TOP] = 0,
    each: Annotated[list[str] | None, EACH] = None,
    collection: Annotated[str, COLLECTION] = "",
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    task: Annotated[str, TASK] = "",
    output: Annotated[str, OUTPUT] = "table",
) -> None:
    """Correlate the rankings of systems under different conditions.

    With a campaign file correlations are means over its tasks, unless `--each task` separates them.

    Examples (after `inexlab demo --out demo`):

    - `inexlab correlate demo/judgements.qrels demo/runs/focused-*.* --collection demo/articles
      --vary measure=MAiP,iP@0.01,SpanP@5`

    - `inexlab correlate --campaign-file demo/campaign.toml --vary measure=MAiP,MAgP,SpanP@5`
    """
    from inexlab.collection import open_collection
    from inexlab.errors import UnknownNameError
    from inexlab.report.grids import known_format, write_grid, write_grids
    from inexlab.report.tables import Cell, Grid
    from inexlab.statistics.correlation import COEFFICIENTS, Difficulty, correlations
    from inexlab.statistics.correlation import difficulty as summarise

    known_format(output)
    if coefficient not in COEFFICIENTS:
        raise UnknownNameError("coefficient", coefficient, COEFFICIENTS)
    if campaign_file:
        manifest = open_manifest(campaign_file, files or condition or collection)
        conditions = campaign_conditions(manifest, task, measure, vary or [])
        documents = open_documents(manifest)
        if not difficulty and "task" not in (*(average or []), *(each or [])):
            average = ["task", *(average or [])]
    else:
        conditions = read_conditions(files or [], measure, vary or [], condition or [])
        documents = open_collection(collection) if collection else None
    tables = [
        (title, [conditions[i] for i in places])
        for title, places, _ in group_conditions(conditions, each or [])
    ]
    for _, members in () if difficulty else tables:
        group_conditions(members, [*(each or []), *(average or [])], average=True)  # before hours of work
    matrices = {m.name: m for m in score_conditions(conditions, documents)}
    if difficulty:
        table: list[list[Cell]] = [
            [None if c != c else c for c in row] for row in summarise(list(matrices.values()), top)
        ]
        sys.stdout.write(write_grid(Grid(list(Difficulty._fields), table), output, terminal_width()))
        return
    grids = []
    for title, members in tables:
        groups = group_conditions(members, [*(each or []), *(average or [])], average=True)
        squares = [
            correlations([matrices[members[i].name] for i in places], coefficient) for _, places, _ in groups
        ]
        grids.append(_grid(title, coefficient, groups[0][2], squares))
        undefined = _undefined(groups[0][2], squares) if len(squares) > 1 else ""
        systems = sorted({len(matrices[c.name].systems) for c in members})
        counts = f"{systems[0]}" if len(systems) == 1 else f"{systems[0]} to {systems[-1]}"
        over = f", mean of {len(squares)}" if len(squares) > 1 else ""
        named = f"{title}: " if title else ""
        print(f"inexlab: {named}{coefficient} over {counts} systems{over}", file=sys.stderr)
        if undefined:
            print(f"inexlab: {named}{undefined}", file=sys.stderr)
    sys.stdout.write(write_grids(grids, output, terminal_width()))


def _grid(title: str, coefficient: str, names: Sequence[str], squares: Sequence[Floats]) -> Grid:
    """Return the mean of tables of correlations; an undefined one is left out of it."""
    import numpy as np

    from inexlab.report.tables import Cell, Grid

    stacked = np.array(squares)
    counts = (~np.isnan(stacked)).sum(axis=0)
    mean = np.divide(np.nansum(stacked, axis=0), counts, out=np.full(counts.shape, np.nan), where=counts > 0)
    rows: list[list[Cell]] = [
        [name, *(None if v != v else v for v in row)] for name, row in zip(names, mean.tolist(), strict=True)
    ]
    return Grid([coefficient, *names], rows, title)


def _undefined(names: Sequence[str], squares: Sequence[Floats]) -> str:
    """Say where fewer correlations than there are tables went into a mean: the worst pair, and how many."""
    import numpy as np

    counts = (~np.isnan(np.array(squares))).sum(axis=0)
    pairs = [(int(counts[i, j]), i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
    lacking = [pair for pair in pairs if pair[0] < len(squares)]
    if not lacking:
        return ""
    fewest, i, j = min(lacking)
    return (
        f"undefined correlations are left out of means, in {len(lacking)} of {len(pairs)} pairs; "
        f"fewest defined: {fewest} of {len(squares)}, {names[i]} with {names[j]}"
    )
