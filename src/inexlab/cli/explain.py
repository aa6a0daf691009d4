"""`inexlab explain`: why a score is what it is."""

from __future__ import annotations

import dataclasses
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.campaign import CAMPAIGN_FILE, fitted, one_task, open_documents, open_manifest
from inexlab.cli.options import LIMIT, POLICY, POOL
from inexlab.cli.terminal import working
from inexlab.cli.units import UNIT, judgements_in_characters, run_in_characters

if TYPE_CHECKING:
    from inexlab.campaigns.manifest import Task
    from inexlab.collection import Collection
    from inexlab.judgements import Judgements
    from inexlab.measures import Explanation
    from inexlab.runs import Run

_FILES = typer.Argument(
    metavar="JUDGEMENTS RUN", help="Judgements and a run; with --campaign-file only the run (file or id)."
)
_TOPIC = typer.Option(metavar="ID", help="The topic.")
_MEASURE = typer.Option("-m", "--measure", help="The measure, such as MAiP or MAep(quant=gen5,overlap=on).")
_RANK = typer.Option(min=1, help="Only this rank, in full, with its text where there is a collection.")
_FIRST = typer.Option(min=0, help="Show so many ranks (0: all). JSON, CSV and TSV have all unless given.")
_COLLECTION = typer.Option(
    metavar="DIR", help="Folder or archive of the XML documents: for paths, and to show text."
)
_CAMPAIGN = typer.Option(help="Take the policy of a year: inex2002 … inex2010.")
_TASK = typer.Option(help="With --campaign or --campaign-file: its task.")
_OUTPUT = typer.Option("-o", "--output", help="Format: table, json, csv, tsv or markdown.")

_FIRST_IN_TABLES = 30


def explain(
    files: Annotated[list[str], _FILES],
    topic: Annotated[str, _TOPIC] = "",
    measure: Annotated[str, _MEASURE] = "",
    rank: Annotated[int | None, _RANK] = None,
    first: Annotated[int | None, _FIRST] = None,
    collection: Annotated[str, _COLLECTION] = "",
    campaign: Annotated[str, _CAMPAIGN] = "",
    task: Annotated[str, _TASK] = "",
    limit: Annotated[int | None, LIMIT] = None,
    policy: Annotated[list[str] | None, POLICY] = None,
    pool: Annotated[list[str] | None, POOL] = None,
    unit: Annotated[list[str] | None, UNIT] = None,
    campaign_file: Annotated[str, CAMPAIGN_FILE] = "",
    output: Annotated[str, _OUTPUT] = "table",
) -> None:
    """Take a score apart: what each result of a topic adds, down to the number that evaluate prints.

    The last column is what the score would be had the list ended there.

    Examples (after `inexlab demo --out demo`):

    - `inexlab explain demo/judgements.qrels demo/runs/focused-paragraphs.txt --collection demo/articles
      --topic 2026001 -m MAiP`

    - `inexlab explain demo/judgements.qrels demo/runs/focused-paragraphs.txt --collection demo/articles
      --topic 2026001 -m "MAep(quant=gen5,overlap=on)" --rank 2`
    """
    from inexlab.cli.evaluate import chosen_policy, chosen_preset
    from inexlab.collection import open_collection
    from inexlab.errors import UnknownNameError, UsageError
    from inexlab.judgements import read_judgements
    from inexlab.measures import explain as take_apart
    from inexlab.measures import parse
    from inexlab.report.explanation import FORMATS, write_explanation
    from inexlab.runs import read_run

    if output not in FORMATS:
        raise UnknownNameError("output format", output, FORMATS)
    if campaign_file:
        beside = collection or campaign or policy or pool or unit or limit is not None
        manifest = open_manifest(campaign_file, beside)
        of_task = manifest.task(one_task(manifest, task) or next(iter(manifest.tasks)))
        judged, run = read_judgements(of_task.judgements), _of_campaign(of_task, files)
        applied, documents = of_task.policy, open_documents(manifest)
        own, where = of_task.measures, of_task.name
        measure = measure or str(own[0])
    else:
        if len(files) != 2:
            raise UsageError("give judgements and one run: inexlab explain JUDGEMENTS RUN.")
        judged, run = read_judgements(files[0], pools=pool or []), read_run(files[1])
        preset = chosen_preset(campaign, task)
        own, where = preset.measures if preset else (), f"{campaign} {task}"
        applied = chosen_policy(preset, limit, policy or [])
        with working(f"opening {collection}"):
            documents = open_collection(collection) if collection else None
        judged = judgements_in_characters(judged, documents, unit or [])
        run = run_in_characters(run, documents, unit or [])
    if not topic or not measure:
        raise UsageError("name the topic and the measure: --topic ID -m MEASURE.")
    [wanted] = fitted([parse(measure)], own, where)
    people = output in ("table", "markdown")
    most = _FIRST_IN_TABLES if first is None and people else first or 0
    with working("scoring"):
        explanation = take_apart(
            judged,
            run,
            topic,
            wanted,
            collection=documents,
            policy=applied,
            first=max(most, rank or 0) if most else 0,
        )
    if rank and rank > len(explanation):
        raise UsageError(
            f"{explanation.run} has {len(explanation)} ranks on topic {topic}; --rank is {rank}."
        )
    if not rank and most and len(explanation) == most and first is None:
        print(f"inexlab: the first {most} ranks; --first 0 shows all", file=sys.stderr)
    for note in explanation.notes:
        print(f"inexlab: {note}", file=sys.stderr)
    if people and not rank:
        explanation = _with_cut(explanation)
    sys.stdout.write(write_explanation(explanation, output, rank=rank or 0))
    if rank and documents is not None and people:
        sys.stdout.write(_text(explanation, rank, judged, documents))


def _with_cut(explanation: Explanation) -> Explanation:
    """Return the explanation with a column that says which ranks count, where the measure has a cut-off."""
    if explanation.cut is None:
        return explanation
    rank, *others = explanation.columns.items()
    counts = ["yes" if place <= explanation.cut else "no" for place in range(1, len(explanation) + 1)]
    columns = dict([rank, (f"in first {explanation.cut}", counts), *others])
    return dataclasses.replace(explanation, columns=columns)


def _of_campaign(task: Task, named: list[str]) -> Run:
    """Return the run of a task that is named by its id or its file."""
    from inexlab.errors import UnknownNameError, UsageError

    if len(named) != 1:
        raise UsageError("with --campaign-file name one run of the task, by its id or its file.")
    known = []
    for entry in task.runs:
        run = entry.read()
        if named[0] in (run.id, str(entry.file), entry.file.name):
            return run
        known.append(run.id)
    raise UnknownNameError(f"run of task {task.name}", named[0], known)


def _text(explanation: Explanation, rank: int, judged: Judgements, documents: Collection) -> str:
    """Return the text of one result, what assessors highlighted in it marked."""
    from inexlab.report.explanation import marked_text
    from inexlab.spans import Span

    row = explanation.rows()[rank - 1]
    doc, start, end = row["document"], row.get("start"), row.get("end")
    if not isinstance(start, int) or not isinstance(end, int) or doc not in documents:
        return ""
    spans = [j.spans for j in judged if (j.topic, j.doc) == (explanation.topic, doc)]
    marks = ("\033[1;4m", "\033[0m") if sys.stdout.isatty() else ("[[", "]]")
    return (
        "\n"
        + marked_text(documents[str(doc)].text, Span(start, end), spans[0] if spans else [], marks)
        + "\n"
    )
