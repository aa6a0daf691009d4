"""`inexlab agreement`: how far conditions find the same differences."""

from __future__ import annotations

import itertools
import sys
from dataclasses import replace
from typing import Annotated

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
from inexlab.cli.options import COLLECTION, CORRECTION, EACH, OUTPUT, RESAMPLES, SEED
from inexlab.cli.terminal import terminal_width

_TEST = typer.Option(help="bootstrap, t, wilcoxon, sign or randomisation.")
_ALPHA = typer.Option(help="Level of the test.")
_MIN = typer.Option(metavar="D", help="Differences of means below this count as not found.")
_FIGURE = typer.Option(
    "--differences", help="Print the pairs instead: both differences, and hit, miss or false alarm."
)


def agreement(
    files: Annotated[list[str] | None, FILES] = None,
    measure: Annotated[str, MEASURE] = "",
    vary: Annotated[list[str] | None, VARY] = None,
    condition: Annotated[list[str] | None, CONDITION] = None,
    test: Annotated[str, _TEST] = "bootstrap",
    correction: Annotated[str, CORRECTION] = "by",
    alpha: Annotated[float, _ALPHA] = 0.05,
    each: Annotated[list[str] | None, EACH] = None,
    min_difference: Annotated[float, _MIN] = 0.0,
    differences: Annotated[bool, _FIGURE] = False,
    resamples: Annotated[int, RESAMPLES] = 10_000,
    seed: Annotated[int, SEED] = 2006,
    collection: Annotated[str, COLLECTION] = "",
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    task: Annotated[str, TASK] = "",
    output: Annotated[str, OUTPUT] = "table",
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
    from inexlab.cli.compare import named_correction
    from inexlab.collection import open_collection
    from inexlab.errors import UsageError
    from inexlab.report.agreement import write_agreement
    from inexlab.report.grids import known_format, write_grid
    from inexlab.report.tables import Cell, Grid
    from inexlab.statistics import compare
    from inexlab.statistics.agreement import Difference
    from inexlab.statistics.agreement import agreement as agree
    from inexlab.statistics.agreement import differences as of_two
    from inexlab.statistics.comparison import check_choices
    from inexlab.statistics.testing import Sampling

    check_choices(test, correction, alpha)
    if not min_difference >= 0:
        raise UsageError(f"--min-difference is {min_difference:g}, expected 0 or more.")
    known_format(output)
    if campaign_file:
        manifest = open_manifest(campaign_file, files or condition or collection)
        conditions = campaign_conditions(manifest, task, measure, vary or [])
        each, documents = list(dict.fromkeys(["task", *(each or [])])), open_documents(manifest)
    else:
        conditions = read_conditions(files or [], measure, vary or [], condition or [])
        documents = open_collection(collection) if collection else None
    grouped = group_conditions(conditions, each or [])
    matrices = score_conditions(conditions, documents)
    sampling = Sampling(resamples, seed)
    decided = [
        compare(m, test=test, correction=correction, alpha=alpha, sampling=sampling, intervals=False)
        for m in matrices
    ]
    how = f"{test} test, one-tailed, {named_correction(correction)}, level {alpha:g}"
    for note in (how, *dict.fromkeys(warning for comparison in decided for warning in comparison.warnings)):
        print(f"inexlab: {note}", file=sys.stderr)
    rows: list[list[Cell]] = []
    if differences:
        for _, places, _ in grouped:
            for row, column in itertools.permutations((decided[i] for i in places), 2):
                both = [row.matrix.name, column.matrix.name]
                rows += [[*both, *pair] for pair in of_two(row, column, min_difference=min_difference)]
        header = ["predictor", "truth", *Difference._fields]
    else:
        groups = [
            (
                title,
                replace(agree([decided[i] for i in places], min_difference=min_difference), conditions=names),
            )
            for title, places, names in grouped
        ]
        sys.stdout.write(write_agreement(groups, output, terminal_width()))
        return
    sys.stdout.write(write_grid(Grid(header, rows), output, terminal_width()))
