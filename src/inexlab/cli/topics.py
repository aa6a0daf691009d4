"""`inexlab topics`: what is asked, how complex it is, and what is wrong with it."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE
from inexlab.cli.options import OUTPUT
from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import print_notes

_FILES = typer.Argument(metavar="FILE...", help="Topic files, or folders of them.")
_COLLECTION = typer.Option(
    metavar="DIR", help="Folder, archive or index of the documents, to check tags against."
)
_STATISTICS = typer.Option("--statistics", help="Write counts of kinds and clauses, one row for each FILE.")
_PROBLEMS = typer.Option("--problems", help="Write the problems, and exit with 1 if there are any.")
_LIST = typer.Option(
    metavar="FILE",
    help="With --statistics: topics, judgements or ids of this stage, to be counted; repeatable.",
)
_EQUIVALENCE = typer.Option(metavar="NAME|FILE", help="Tags that count as equal, with --collection.")
_INPUT_FORMAT = typer.Option(metavar="NAME", help="Read topics as {topic_formats}.")


def topics(
    files: Annotated[list[str] | None, _FILES] = None,
    collection: Annotated[str, _COLLECTION] = "",
    statistics: Annotated[bool, _STATISTICS] = False,
    problems: Annotated[bool, _PROBLEMS] = False,
    candidate: Annotated[list[str] | None, _LIST] = None,
    selected: Annotated[list[str] | None, _LIST] = None,
    assessed: Annotated[list[str] | None, _LIST] = None,
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    equivalence: Annotated[str, _EQUIVALENCE] = "sections",
    input_format: Annotated[str, _INPUT_FORMAT] = "",
    output: Annotated[str, OUTPUT] = "table",
) -> None:
    """List topics, count them, or check them.

    Problems, always named with file and line: queries that cannot be read, signs and symbols that mean
    nothing where they stand, tags that the collection does not have, children that are not clauses of their
    parent, near-duplicates. With --campaign-file topics, documents (for --problems) and the stages to be
    counted are those of the manifest.

    Examples (after `inexlab demo --out demo`):
    `inexlab topics demo/topics.xml`,
    `inexlab topics demo/topics.xml --statistics --assessed demo/judgements.qrels`,
    `inexlab topics --campaign-file demo/campaign.toml --statistics`,
    `inexlab topics demo/topics.xml --problems --collection demo/articles -o json`
    """
    from inexlab.api.files import list_topics
    from inexlab.report.grids import known_format

    known_format(output)
    with showing_progress():
        result = list_topics(
            files or [],
            collection=collection,
            statistics=statistics,
            problems=problems,
            candidate=candidate or [],
            selected=selected or [],
            assessed=assessed or [],
            campaign_file=campaign_file,
            equivalence=equivalence,
            input_format=input_format,
        )
    print_notes(result.notes)
    sys.stdout.write(result.text(output))
    if problems and result.problems:
        raise typer.Exit(1)
