"""`inexlab cas`: judgements, or runs, under the four interpretations of structure."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE, TASK
from inexlab.cli.options import ASSESSOR, MERGE, OUTPUT
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import print_notes
from inexlab.cli.units import UNIT

_FILES = typer.Argument(metavar="JUDGEMENTS | --runs RUN...", help="Judgements; with --runs, runs.")
_RUNS = typer.Option("--runs", help="Filter runs by the target path in place of judgements.")
_TOPICS = typer.Option(metavar="FILE", help="Topics, parents and children; repeatable.")
_SPEC = typer.Option(metavar="FILE.json", help="{topic: {target, children, patterns, combine}}.")
_INTERPRETATION = typer.Option(help="SSCAS, SVCAS, VSCAS or VVCAS; SCAS and VCAS of 2003-2004.")
_EQUIVALENCE = typer.Option(
    metavar="NAME|FILE", help="Tags that count as equal: sections, inex-ieee, none, or a TOML file."
)
_QUANT = typer.Option(help="Quantisation that decides what the table counts as relevant.")
_COLLECTION = typer.Option(metavar="DIR", help="The documents, for highlights and for results by offset.")
_POOL = typer.Option(metavar="ID", help="Only assessments of this pool; repeatable.")
_OUT = typer.Option(metavar="DIR", help="Folder to write the assessments, or the strict runs, to.")


def cas(
    files: Annotated[list[str] | None, _FILES] = None,
    runs: Annotated[bool, _RUNS] = False,
    topics: Annotated[list[str] | None, _TOPICS] = None,
    spec: Annotated[str, _SPEC] = "",
    interpretation: Annotated[str, _INTERPRETATION] = "",
    equivalence: Annotated[str, _EQUIVALENCE] = "sections",
    quant: Annotated[str, _QUANT] = "gen",
    collection: Annotated[str, _COLLECTION] = "",
    unit: Annotated[list[str] | None, UNIT] = None,
    pool: Annotated[list[str] | None, _POOL] = None,
    assessor: Annotated[list[str] | None, ASSESSOR] = None,
    merge: Annotated[str, MERGE] = "",
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    task: Annotated[str, TASK] = "",
    out: Annotated[str, _OUT] = "",
    output: Annotated[str, OUTPUT] = "table",
) -> None:
    """Make the judgement sets of content-and-structure topics, or strict runs from vague ones.

    The first letter is for the target element, the second for the support elements: S strict, V vague.
    The table counts the relevant elements of each topic in all four sets; a set is undefined where the
    children of a topic are not judged. Strict runs keep the lines of their files; those in XML are written
    anew.

    Examples (after `inexlab demo --out demo`):
    `inexlab cas demo/judgements.qrels --topics demo/topics.xml --collection demo/articles --quant spec6
    --interpretation SVCAS --out svcas`,
    `inexlab cas --runs demo/runs/focused-paragraphs.txt --topics demo/topics.xml --out strict`
    """
    from inexlab.api.files import cas as make_sets
    from inexlab.report.grids import known_format

    known_format(output)
    with showing_progress():
        result = make_sets(
            files or [],
            runs=runs,
            topics=topics or [],
            spec=spec,
            interpretation=interpretation,
            equivalence=equivalence,
            quant=quant,
            collection=collection,
            unit=unit or [],
            pool=pool or [],
            assessor=assessor or [],
            merge=merge,
            campaign_file=campaign_file,
            task=task,
            out=out,
        )
    print_notes(result.notes)
    sys.stdout.write(result.text(output, width=10_000))
