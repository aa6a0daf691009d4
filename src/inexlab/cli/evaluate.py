"""`inexlab evaluate`: score runs."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from inexlab.cli.options import CLUSTER, CORRECTION, JUDGEMENTS_AND_RUNS, OUTPUT, TEST
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import judgements_and_runs, print_notes, scoring
from inexlab.cli.terminal import terminal_width

_PER_TOPIC = typer.Option("-q", "--per-topic", help="Also print the score of every topic.")
_OUT = typer.Option(
    metavar="FILE",
    help="Also write a results file: scores with versions, policy and hashes, for inexlab diff.",
)
_TOP = typer.Option(min=0, help="With --campaign-file: participants shown for each task (0: all).")
_ALL_RUNS = typer.Option("--all-runs", help="With --campaign-file: every run, not each participant's best.")
_BASELINE = typer.Option(metavar="RUN-ID", help="With -o latex: mark against this run, not against the best.")


@scoring
def evaluate(
    files: Annotated[list[str] | None, JUDGEMENTS_AND_RUNS] = None,
    per_topic: Annotated[bool, _PER_TOPIC] = False,
    output: Annotated[str, OUTPUT] = "table",
    top: Annotated[int, _TOP] = 10,
    all_runs: Annotated[bool, _ALL_RUNS] = False,
    out: Annotated[str, _OUT] = "",
    test: Annotated[str, TEST] = "bootstrap",
    correction: Annotated[str, CORRECTION] = "by",
    baseline: Annotated[str, _BASELINE] = "",
    cluster: Annotated[str, CLUSTER] = "",
    *,
    options: dict[str, Any],
) -> None:
    """Score runs against judgements.

    Numbers go to standard output, what was assumed to standard error. Tables have the best run by the
    first measure on top.

    Examples (on the built-in campaign, after `inexlab demo --out demo`):

    - `inexlab evaluate demo/judgements.qrels demo/runs/focused-sections.txt -m iP@0.01 -m MAiP`

    - `inexlab evaluate demo/judgements.qrels demo/runs/*.txt --collection demo/articles
      --campaign inex2009 --task focused`

    - `inexlab evaluate demo/judgements.qrels demo/runs/focused-chunks.jsonl -m SpanP@5 -m SpanR@5 -q -o csv`

    - `inexlab evaluate demo/judgements.qrels demo/runs/focused-paragraphs.txt --collection demo/articles
      --campaign inex2006 --task focused`

    - `inexlab evaluate --campaign-file demo/campaign.toml`
    """
    from inexlab.api.scoring import evaluate as score
    from inexlab.errors import UsageError
    from inexlab.report.grids import known_format
    from inexlab.statistics.procedure import Procedure

    known_format(output)
    if baseline and output != "latex":
        raise UsageError("--baseline marks a table of -o latex; to test against a run: inexlab compare.")
    if output == "latex" and test != "none" and not per_topic:
        Procedure(test, correction)  # which refuses names that are unknown
    given, runs = judgements_and_runs(files)
    with showing_progress():
        result = score(given, runs, **options, out=out, cluster=cluster)
    print_notes(result.notes)
    sys.stdout.write(
        result.text(
            output,
            per_topic=per_topic,
            top=top,
            all_runs=all_runs,
            test=test,
            correction=correction,
            baseline=baseline,
            width=terminal_width(),
        )
    )
