"""`inexlab diff`: what changed between two results files, and why."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from inexlab.cli.options import OUTPUT
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import print_notes
from inexlab.cli.terminal import terminal_width

_BEFORE = typer.Argument(metavar="A", help="A file that `inexlab evaluate --out` wrote.")
_AFTER = typer.Argument(metavar="B", help="The file to compare it with.")
_TOLERANCE = typer.Option(min=0, help="Ignore differences up to this.")
_PER_TOPIC = typer.Option("-q", "--per-topic", help="Show every topic's change, not only that over all.")


def diff(
    before: Annotated[str, _BEFORE],
    after: Annotated[str, _AFTER],
    tolerance: Annotated[float, _TOLERANCE] = 0.0,
    per_topic: Annotated[bool, _PER_TOPIC] = False,
    output: Annotated[str, OUTPUT] = "table",
) -> None:
    """Say which scores changed between two results files, and what can have changed them.

    Causes go to standard error, changed scores to standard output. Exit code 1 if any score changed; 2 if the
    files have no score in common (of the same task, run, topic and measure), so that nothing was compared.

    Example (after `inexlab demo --out demo`):

    - `inexlab evaluate demo/judgements.qrels demo/runs/focused-sections.txt -m MAiP --out a.json`

    - `inexlab evaluate demo/judgements.qrels demo/runs/focused-sections.txt -m MAiP --limit 5 --out b.json`

    - `inexlab diff a.json b.json`
    """
    from inexlab.api.checking import diff as compare_results
    from inexlab.report.grids import known_format

    known_format(output)
    with showing_progress():
        result = compare_results(before, after, tolerance=tolerance, per_topic=per_topic)
    print_notes([*result.notes, result.conclusion()])
    if result.grid().rows or output != "table":
        sys.stdout.write(result.text(output, width=terminal_width()))
    if result.scores:
        raise typer.Exit(1)
