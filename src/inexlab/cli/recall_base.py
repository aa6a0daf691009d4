"""`inexlab recall-base`: the relevant elements of each topic, or the ideal ones."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE, TASK
from inexlab.cli.options import ASSESSOR, MERGE
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import print_notes
from inexlab.cli.units import UNIT

_JUDGEMENTS = typer.Argument(
    metavar="JUDGEMENTS", help="Assessments of 2002-2006 (file or folder), or highlights."
)
_QUANT = typer.Option(help="Quantisation, such as gen, strict5, spec6(links=out), or a TOML file.")
_IDEAL = typer.Option("--ideal", help="The ideal recall base, without overlap, in place of the full one.")
_CONSTRUCTION = typer.Option(metavar="NAME", help="Construction of the ideal recall base: {ideals}.")
_TOPIC = typer.Option(metavar="T", help="One topic only; repeatable.")
_COLLECTION = typer.Option(
    metavar="DIR", help="Folder or archive of the documents, for judgements by highlights."
)
_POOL = typer.Option(metavar="ID", help="Only assessments of this pool; repeatable.")
_OUTPUT = typer.Option("-o", "--output", help="Format: table, json, csv, tsv or markdown.")


def recall_base(
    judgements: Annotated[str, _JUDGEMENTS] = "",
    quant: Annotated[str, _QUANT] = "gen",
    ideal: Annotated[bool, _IDEAL] = False,
    construction: Annotated[str, _CONSTRUCTION] = "official",
    topic: Annotated[list[str] | None, _TOPIC] = None,
    collection: Annotated[str, _COLLECTION] = "",
    pool: Annotated[list[str] | None, _POOL] = None,
    assessor: Annotated[list[str] | None, ASSESSOR] = None,
    merge: Annotated[str, MERGE] = "",
    unit: Annotated[list[str] | None, UNIT] = None,
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    task: Annotated[str, TASK] = "",
    output: Annotated[str, _OUTPUT] = "table",
) -> None:
    """Write the recall base: topic, document, path and value of every element that counts.

    How many elements each topic and each tag has goes to standard error.

    Example (after `inexlab demo --out demo`):
    `inexlab recall-base demo/judgements.qrels --collection demo/articles --quant spec6 --ideal`
    """
    from inexlab.api.files import recall_base as find_recall_base
    from inexlab.report.recall_base import known_format

    known_format(output)
    with showing_progress():
        result = find_recall_base(
            judgements or None,
            quant=quant,
            ideal=ideal,
            construction=construction,
            topic=topic or [],
            collection=collection,
            pool=pool or [],
            assessor=assessor or [],
            merge=merge,
            unit=unit or [],
            campaign_file=campaign_file,
            task=task,
        )
    print_notes(result.notes)
    sys.stdout.write(result.text(output))
