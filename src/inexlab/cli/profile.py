"""`inexlab profile`: what runs are like: their size, overlap and granularity, and what of them is judged."""

from __future__ import annotations

import sys
from decimal import Decimal
from typing import Annotated, Any

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE, open_documents, open_manifest
from inexlab.cli.options import OUTPUT, RUNS
from inexlab.cli.terminal import terminal_width, working
from inexlab.cli.units import UNIT, judgements_in_characters, run_in_characters

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
    from inexlab.cli.collections import opened
    from inexlab.errors import UnknownNameError, UsageError
    from inexlab.judgements import read_judgements
    from inexlab.measures.profile import VIEWS
    from inexlab.report.grids import known_format, write_grid
    from inexlab.report.tables import Cell, Grid
    from inexlab.runs import locate, read_run
    from inexlab.runs.order import order_notes

    known_format(output)
    if by not in VIEWS:
        raise UnknownNameError("value of --by", by, VIEWS)
    if campaign_file:
        manifest = open_manifest(campaign_file, runs or judgements or collection or unit)
        documents = open_documents(manifest)
        listed = {str(run.file): str(t.judgements_file) for t in manifest.chosen(task) for run in t.runs}
    else:
        if not runs:
            raise UsageError("name at least one run, or a --campaign-file.")
        documents = opened(collection)
        listed = dict.fromkeys(runs, judgements)
    sets = {
        name: judgements_in_characters(read_judgements(name), documents, unit or [])
        for name in dict.fromkeys(listed.values())
        if name
    }
    people = output not in ("json", "csv", "tsv")
    header: list[str] = []
    rows: list[list[Cell]] = []
    for file, judged_by in listed.items():
        with working(f"reading {file}"):
            run = run_in_characters(read_run(file), documents, unit or [])
            judged = sets.get(judged_by)
            if documents is not None:
                run = locate(run, documents, judged.size_of if judged else None)
            made = list(VIEWS[by](run, judged, documents))
        header = list(made[0]) if made else header
        rows += [[_rounded(cell) if people else cell for cell in row.values()] for row in made]
        for note in order_notes(run):
            print(f"inexlab: {run.id}: {note}", file=sys.stderr)
    sys.stdout.write(write_grid(Grid(header, rows), output, terminal_width()))


def _rounded(cell: Any) -> Any:
    """Return a number as people want it, with one decimal: of 44 results, 4.5455% says no more than 4.5%."""
    return Decimal(f"{cell:.1f}") if isinstance(cell, float) else cell
