"""`inexlab convert`: from one format to another."""

from __future__ import annotations

from typing import Annotated

import typer

from inexlab.cli.options import ASSESSOR, MERGE, POOL
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import print_notes
from inexlab.cli.units import UNIT

_FILE = typer.Argument(metavar="FILE", help="A run or judgements in any format; a folder of assessments.")
_TO = typer.Option("--to", metavar="FORMAT", help="Format to write; `inexlab formats` lists them.")
_OUT = typer.Option(
    metavar="PATH", help="File to write, a new folder for assessments, `-` for standard output."
)
_COLLECTION = typer.Option(
    metavar="DIR", help="Folder or archive of the documents, to turn paths into offsets and back."
)
_INPUT_FORMAT = typer.Option(metavar="NAME", help="Force a reader; `inexlab formats` lists them.")
_RUN_ID = typer.Option(metavar="NAME", help="Another id for the run.")
_ABOUT = typer.Option(
    metavar="NAME=VALUE", help="Description of the run in XML: participant, task, query, …; repeatable."
)


def convert(
    file: Annotated[str, _FILE],
    to: Annotated[str, _TO],
    out: Annotated[str, _OUT],
    collection: Annotated[str, _COLLECTION] = "",
    input_format: Annotated[str, _INPUT_FORMAT] = "",
    unit: Annotated[list[str] | None, UNIT] = None,
    pool: Annotated[list[str] | None, POOL] = None,
    assessor: Annotated[list[str] | None, ASSESSOR] = None,
    merge: Annotated[str, MERGE] = "",
    run_id: Annotated[str, _RUN_ID] = "",
    about: Annotated[list[str] | None, _ABOUT] = None,
) -> None:
    """Write a run or judgements in another format, and say on standard error what was lost.

    What would have to be invented is refused: grades from highlights, offsets without documents. Offsets are
    written in characters; --unit says what those of FILE count.

    Examples (after `inexlab demo --out demo`):

    - `inexlab convert demo/runs/in-context.xml --to 2009-fol --collection demo/articles --out -`

    - `inexlab convert demo/runs/focused-chunks.jsonl --to trec --out -`

    - `inexlab convert demo/judgements.qrels --to jsonl --out -`
    """
    from inexlab.api.files import convert as write_in_another_format

    with showing_progress():
        result = write_in_another_format(
            file,
            to,
            out,
            collection=collection,
            input_format=input_format,
            unit=unit or [],
            pool=pool or [],
            assessor=assessor or [],
            merge=merge,
            run_id=run_id,
            about=about or [],
        )
    print_notes(result.notes)
