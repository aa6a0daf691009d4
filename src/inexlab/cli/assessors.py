"""`inexlab assessors`: how far those who judged agree."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from inexlab.cli.options import ALPHA, CORRECTION, OUTPUT, RESAMPLES, SEED, TEST
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import print_notes, scoring
from inexlab.cli.terminal import terminal_width

_JUDGEMENTS = typer.Argument(
    metavar="JUDGEMENTS...", help="Judgements of one assessor each, or of several; files or folders."
)
_RUNS = typer.Option(metavar="RUN", help="Runs, to rank them by each assessor; repeatable.")
_PER_TOPIC = typer.Option("-q", "--per-topic", help="Print every topic's values instead.")
_TOP = typer.Option(min=2, help="How many of the best systems tau of the best is over.")
_CANDIDATE = typer.Option(
    metavar="NAME", help="Test whether this assessor may stand for the people (alternative annotator test)."
)
_EPSILON = typer.Option(help="How much worse than a person the candidate may be.")


@scoring
def assessors(
    judgements: Annotated[list[str] | None, _JUDGEMENTS] = None,
    runs: Annotated[list[str] | None, _RUNS] = None,
    per_topic: Annotated[bool, _PER_TOPIC] = False,
    top: Annotated[int, _TOP] = 10,
    candidate: Annotated[str, _CANDIDATE] = "",
    epsilon: Annotated[float, _EPSILON] = 0.2,
    test: Annotated[str, TEST] = "bootstrap",
    correction: Annotated[str, CORRECTION] = "by",
    alpha: Annotated[float, ALPHA] = 0.05,
    resamples: Annotated[int, RESAMPLES] = 10_000,
    seed: Annotated[int, SEED] = 2006,
    output: Annotated[str, OUTPUT] = "table",
    *,
    options: dict[str, Any],
) -> None:
    """Say how far assessors agree: on documents, on text, on elements, and on which system is better.

    Precision is the share of what the first highlighted that the second did, too; recall the share of what
    the second did. Files that name no assessor stand for one each. With --candidate, an assessor such as a
    model is tested against the others: may it stand for them?

    Examples (here both say the same):
    - `inexlab convert demo/judgements.qrels --to jsonl --out anna.jsonl`

    - `inexlab convert demo/judgements.qrels --to jsonl --out bob.jsonl`

    - `inexlab assessors anna.jsonl bob.jsonl --resamples 100`

    - `inexlab assessors anna.jsonl bob.jsonl --runs demo/runs -m MAiP --collection demo/articles`
    """
    from inexlab.api.assessing import assessors as compare
    from inexlab.report.grids import known_format

    known_format(output)
    with showing_progress():
        result = compare(
            judgements or [],
            **options,
            runs=runs or [],
            per_topic=per_topic,
            top=top,
            candidate=candidate,
            epsilon=epsilon,
            test=test,
            correction=correction,
            alpha=alpha,
            resamples=resamples,
            seed=seed,
        )
    print_notes(result.notes)
    sys.stdout.write(result.text(output, width=terminal_width()))
