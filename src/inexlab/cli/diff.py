"""`inexlab diff`: what changed between two results files, and why."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from inexlab.cli.options import OUTPUT
from inexlab.cli.terminal import print_notes, terminal_width
from inexlab.wording import counted

_BEFORE = typer.Argument(metavar="A", help="A file that `inexlab evaluate --out` wrote.")
_AFTER = typer.Argument(metavar="B", help="Another one.")
_TOLERANCE = typer.Option(min=0, help="Differences up to this are none.")
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
    from inexlab.errors import UsageError
    from inexlab.experiments.results import causes, common_scores, read_results, score_changes, why
    from inexlab.report.grids import known_format, write_grid
    from inexlab.report.tables import Cell, Grid

    known_format(output)
    old, new = read_results(before), read_results(after)
    changes = causes(old, new)
    for change in changes:
        what = f"{change.kind} {change.what}".strip()
        print_notes([f"{what}: {_shown(change.before)} -> {_shown(change.after)}"])
    if not common_scores(old, new):
        raise UsageError(
            f"nothing could be compared: {before} and {after} have no score of the same task, run, topic and "
            "measure."
        )
    scores = score_changes(old, new, tolerance)
    rows: list[list[Cell]] = []
    for key, a, b in scores:
        if per_topic or key[2] == "all":
            difference = b - a if a is not None and b is not None else None
            rows.append([*key, a, b, difference, "; ".join(why(key, changes)) or "unknown"])
    topics = {key[:2] + key[2:3] for key, _, _ in scores if key[2] != "all"}
    runs, asked = len({key[:2] for key, _, _ in scores}), len({topic for _, _, topic in topics})
    print_notes(
        [
            f"{counted(len(scores), 'score')} changed, of {counted(runs, 'run')} on {counted(asked, 'topic')}"
            if scores
            else "no score changed"
        ]
    )
    header = ["task", "run", "topic", "measure", "before", "after", "difference", "because of"]
    if rows or output != "table":
        sys.stdout.write(write_grid(Grid(header, rows), output, terminal_width()))
    if scores:
        raise typer.Exit(1)


def _shown(value: object) -> str:
    return "nothing" if value is None else str(value)
