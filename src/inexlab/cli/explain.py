"""`inexlab explain`: why a score is what it is."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from inexlab.cli.progress import showing_progress
from inexlab.cli.scoring import print_notes, scoring
from inexlab.cli.terminal import PLAIN, UNDERLINED
from inexlab.wording import counted

_FILES = typer.Argument(
    metavar="JUDGEMENTS RUN", help="Judgements and a run; with --campaign-file only the run (file or id)."
)
_TOPIC = typer.Option(metavar="ID", help="The topic.")
_RANK = typer.Option(min=1, help="Only this rank, in full, with its text where there is a collection.")
_FIRST = typer.Option(min=0, help="Show at most N ranks (0: all). JSON, CSV and TSV have all unless given.")
_OUTPUT = typer.Option("-o", "--output", help="Format: table, json, csv, tsv or markdown.")

_FIRST_IN_TABLES = 30


@scoring
def explain(
    files: Annotated[list[str], _FILES],
    topic: Annotated[str, _TOPIC] = "",
    rank: Annotated[int | None, _RANK] = None,
    first: Annotated[int | None, _FIRST] = None,
    output: Annotated[str, _OUTPUT] = "table",
    *,
    options: dict[str, Any],
) -> None:
    """Take a score apart: what each result of a topic adds, down to the number that evaluate prints.

    The last column is what the score would be had the list ended there.

    Examples (after `inexlab demo --out demo`):

    - `inexlab explain demo/judgements.qrels demo/runs/focused-paragraphs.txt --collection demo/articles
      --topic 2026001 -m MAiP`

    - `inexlab explain demo/judgements.qrels demo/runs/focused-paragraphs.txt --collection demo/articles
      --topic 2026001 -m "MAep(quant=gen5,overlap=on)" --rank 2`
    """
    from inexlab.api.explaining import explain as take_apart
    from inexlab.errors import UnknownNameError, UsageError
    from inexlab.report.explanation import FORMATS

    if output not in FORMATS:
        raise UnknownNameError("output format", output, FORMATS)
    wanted = 1 if options["campaign_file"] else 2
    if len(files) != wanted and wanted == 1:
        raise UsageError("with --campaign-file name one run of the task, by its id or its file.")
    if len(files) != wanted:
        raise UsageError("give judgements and one run: inexlab explain JUDGEMENTS RUN.")
    people = output in ("table", "markdown")
    most = _FIRST_IN_TABLES if first is None and people else first or 0
    judgements, run = (files[0] if wanted == 2 else None), files[-1]
    with showing_progress():
        result = take_apart(judgements, run, topic, **options, rank=rank, first=most)
    if not rank and most and len(result) == most and first is None:
        print_notes([f"the first {counted(most, 'rank')}; --first 0 shows all"])
    print_notes(result.notes)
    marks = (UNDERLINED, PLAIN) if sys.stdout.isatty() else ("[[", "]]")
    sys.stdout.write(result.text(output, marks=marks))
