"""`inexlab profile`: what runs are like: their size, overlap and granularity, and what of them is judged."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE
from inexlab.cli.options import OUTPUT, RUNS
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import print_notes
from inexlab.cli.terminal import terminal_width
from inexlab.cli.units import UNIT

_BY = typer.Option(
    metavar="run|tag|depth|rank", help="One line per run, or per tag, depth or range of ranks of it."
)
_JUDGEMENTS = typer.Option(metavar="FILE", help="Judgements, to say how much of the runs they cover.")
_COLLECTION = typer.Option(
    metavar="DIR", help="Folder or archive of the XML documents: for lengths, and elements given as offsets."
)
_TASK = typer.Option(help="With --campaign-file: only the runs of this task.")


def profile(
    runs: Annotated[list[str] | None, RUNS] = None,
    by: Annotated[str, _BY] = "run",
    judgements: Annotated[str, _JUDGEMENTS] = "",
    collection: Annotated[str, _COLLECTION] = "",
    unit: Annotated[list[str] | None, UNIT] = None,
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    task: Annotated[str, _TASK] = "",
    output: Annotated[str, OUTPUT] = "table",
) -> None:
    """Describe runs: how much they return, how much of it overlaps, which elements, how deep, what is judged.

    Examples (after `inexlab demo --out demo`):

    - `inexlab profile demo/runs/focused-*.txt --judgements demo/judgements.qrels --collection demo/articles`

    - `inexlab profile demo/runs/*.txt --collection demo/articles --by tag`
    """
    from inexlab.api.files import profile as describe
    from inexlab.report.grids import known_format

    known_format(output)
    with showing_progress():
        result = describe(
            runs or [],
            by=by,
            judgements=judgements or None,
            collection=collection,
            unit=unit or [],
            campaign_file=campaign_file,
            task=task,
        )
    print_notes(result.notes)
    sys.stdout.write(result.text(output, width=terminal_width()))
