"""`inexlab ttest`: Student's paired t-test on a three-column file, as the script of INEX 2008-2009 did it."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE, TASK, one_task, open_manifest
from inexlab.cli.options import COLLECTION

_FILES = typer.Argument(
    metavar="FILE | SCORES SCORES | JUDGEMENTS RUN RUN",
    help="Topic and two scores per line; or outputs of inex_eval -q; or judgements and two runs.",
)
_MEASURE = typer.Option("-m", "--measure", help="The measure to compare by, where there are several.")
_OUT = typer.Option(metavar="FILE", help="Also write the three-column file.")
_COMPAT = typer.Option("--compat", help="Print as the script did: its s^2 is the sum of squared deviations.")
_COMMON = typer.Option("--common-topics", help="Where a system lacks topics, keep those that both have.")
_OUTPUT = typer.Option("-o", "--output", help="Format: table or json.")


def ttest(
    files: Annotated[list[str] | None, _FILES] = None,
    measure: Annotated[str, _MEASURE] = "",
    out: Annotated[str, _OUT] = "",
    compat: Annotated[bool, _COMPAT] = False,
    collection: Annotated[str, COLLECTION] = "",
    common_topics: Annotated[bool, _COMMON] = False,
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    task: Annotated[str, TASK] = "",
    output: Annotated[str, _OUTPUT] = "table",
) -> None:
    """Test whether the third column is better than the second: difference = third - second, one-tailed.

    Example (after `inexlab demo --out demo`):
    `inexlab ttest demo/judgements.qrels demo/runs/focused-articles.txt demo/runs/focused-sections.txt
    -m MAiP`
    """
    import json

    import numpy as np

    from inexlab.cli.compare import campaign_matrices, said, score_matrix
    from inexlab.errors import UnknownNameError, UsageError
    from inexlab.output import write_file
    from inexlab.statistics.score_files import holds_scores, read_scores
    from inexlab.statistics.significance.t import mean_and_error
    from inexlab.statistics.testing import Sampling, significance_tests

    if output not in ("table", "json"):
        raise UnknownNameError("output format", output, ("table", "json"))
    files = files or []
    if campaign_file:
        manifest = open_manifest(campaign_file, collection)
        if len(files) != 2:
            raise UsageError("with --campaign-file name the ids of two of its runs: inexlab ttest RUN RUN.")
        [(_, all_runs)] = campaign_matrices(manifest, one_task(manifest, task), measure, common_topics, "")
        for name in files:
            if name not in all_runs.systems:
                raise UnknownNameError("run", name, all_runs.systems)
        matrix = all_runs.choose(files)
    elif len(files) == 1 or (len(files) == 2 and holds_scores(files[0])):
        matrix = said(read_scores(files, measure, common=common_topics))
    else:
        if len(files) != 3:
            raise UsageError("give one three-column file, two files of scores, or judgements and two runs.")
        matrix = score_matrix(files, measure, collection, common=common_topics)
    if len(matrix.systems) != 2:
        raise UsageError(f"{files[0]} holds {len(matrix.systems)} systems; a t-test compares two.")
    if out:
        rows = zip(matrix.topics, *matrix.values.tolist(), strict=True)
        text = "".join(f"{topic}\t{x!r}\t{y!r}\n" for topic, x, y in rows)
        write_file(out, [text.encode()])
    differences = matrix.values[1] - matrix.values[0]
    n = len(differences)
    _, standard_error = mean_and_error(matrix.values[1:], matrix.values[:1])
    squares = float(standard_error[0, 0] ** 2 * n * max(1, n - 1))
    outcome = significance_tests["t"].run(matrix.values[1:], matrix.values[:1], Sampling())
    result = {
        "n": n,
        "df": n - 1,
        "sum": float(differences.sum()),
        "mean": float(differences.mean()),
        "s^2": squares if compat else squares / max(1, n - 1),
        "t": float(outcome.statistic[0, 0]),
    }
    if not compat:
        result["p"] = float(outcome.greater[0, 0])
    if output == "json":
        print(json.dumps({k: v if np.isfinite(v) else None for k, v in result.items()}))
    else:
        for label, value in result.items():
            print(f"{label} : {value:.10g}")
    if not compat:
        print(f"inexlab: {matrix.systems[1]} against {matrix.systems[0]}, one-tailed", file=sys.stderr)
