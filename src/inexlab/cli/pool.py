"""`inexlab pool`: what to judge, by whom, and whether a pool can be used again."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from inexlab.cli.options import ALPHA, CORRECTION, OUTPUT, RESAMPLES, RUNS, SEED, TEST
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import print_notes, scoring
from inexlab.cli.terminal import terminal_width

_OUT = typer.Option(metavar="POOL", help="The pool to write: a file, or a new folder for pool-xrai.")
_TO = typer.Option(metavar="FORMAT", help="Format of the pool: {pool_writers}.")
_DEPTH = typer.Option(help="Take the first N results of each run; 100 unless given.", min=1)
_DOCUMENTS = typer.Option(help="Take documents from runs in turn, until a topic has N.", min=1)
_METHOD = typer.Option(metavar="NAME", help="Way of pooling: {poolings}.")
_ASSESSORS = typer.Option(
    metavar="FILE", help="Who judges: lines NAME N [TOPIC ...], how many topics and which they asked for."
)
_DOUBLE = typer.Option(metavar="SHARE", help="Share of the topics that two assessors judge.")
_RESERVE = typer.Option(metavar="SHARE", help="Share of the topics kept back for latecomers.")
_JUDGEMENTS = typer.Option(
    metavar="FILE", help="Judgements: what of the pool is relevant, and for --leave-one-out."
)
_LEAVE = typer.Option(
    "--leave-one-out", help="Score runs as if what only their participant contributed were not judged."
)


@scoring
def pool(
    runs: Annotated[list[str] | None, RUNS] = None,
    out: Annotated[str, _OUT] = "",
    to: Annotated[str, _TO] = "pool-jsonl",
    depth: Annotated[int | None, _DEPTH] = None,
    documents: Annotated[int | None, _DOCUMENTS] = None,
    method: Annotated[str, _METHOD] = "",
    assessors: Annotated[str, _ASSESSORS] = "",
    double: Annotated[float, _DOUBLE] = 0.0,
    reserve: Annotated[float, _RESERVE] = 0.0,
    judgements: Annotated[str, _JUDGEMENTS] = "",
    leave_one_out: Annotated[bool, _LEAVE] = False,
    test: Annotated[str, TEST] = "bootstrap",
    correction: Annotated[str, CORRECTION] = "by",
    alpha: Annotated[float, ALPHA] = 0.05,
    resamples: Annotated[int, RESAMPLES] = 10_000,
    seed: Annotated[int, SEED] = 2006,
    output: Annotated[str, OUTPUT] = "table",
    *,
    options: dict[str, Any],
) -> None:
    """Pool runs: which documents to judge for each topic, by whom, and what each run contributed.

    What runs returned of a document stays with it as hints. With --leave-one-out, --judgements and -m: how
    scores, ranks and significant pairs change where what only one participant contributed is not judged.

    Examples (after `inexlab demo --out demo`):

    - `inexlab pool demo/runs/focused-*.* --depth 5 --collection demo/articles --out pool.jsonl`

    - `inexlab pool demo/runs/focused-*.* --judgements demo/judgements.qrels --collection demo/articles
      --depth 5 -m MAiP --leave-one-out`
    """
    from inexlab.api.pooling import pool as pool_runs
    from inexlab.report.grids import known_format

    known_format(output)
    with showing_progress():
        result = pool_runs(
            runs or [],
            **options,
            out=out,
            to=to,
            depth=depth,
            documents=documents,
            method=method,
            assessors=assessors,
            double=double,
            reserve=reserve,
            judgements=judgements or None,
            leave_one_out=leave_one_out,
            test=test,
            correction=correction,
            alpha=alpha,
            resamples=resamples,
            seed=seed,
        )
    print_notes(result.notes)
    sys.stdout.write(result.text(output, width=terminal_width()))
