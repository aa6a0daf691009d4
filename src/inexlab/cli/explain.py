"""`inexlab explain`: why a score is what it is."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.scoring import print_notes, scoring
from inexlab.cli.terminal import PLAIN, UNDERLINED, working
from inexlab.wording import counted

if TYPE_CHECKING:
    from inexlab.collection import Collection
    from inexlab.experiments import Choices, Entry, Experiment
    from inexlab.judgements import Judgements
    from inexlab.measures import Explanation

_FILES = typer.Argument(
    metavar="JUDGEMENTS RUN", help="Judgements and a run; with --campaign-file only the run (file or id)."
)
_TOPIC = typer.Option(metavar="ID", help="The topic.")
_RANK = typer.Option(min=1, help="Only this rank, in full, with its text where there is a collection.")
_FIRST = typer.Option(min=0, help="Show so many ranks (0: all). JSON, CSV and TSV have all unless given.")
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
    choices: Choices,
) -> None:
    """Take a score apart: what each result of a topic adds, down to the number that evaluate prints.

    The last column is what the score would be had the list ended there.

    Examples (after `inexlab demo --out demo`):

    - `inexlab explain demo/judgements.qrels demo/runs/focused-paragraphs.txt --collection demo/articles
      --topic 2026001 -m MAiP`

    - `inexlab explain demo/judgements.qrels demo/runs/focused-paragraphs.txt --collection demo/articles
      --topic 2026001 -m "MAep(quant=gen5,overlap=on)" --rank 2`
    """
    from inexlab.errors import UnknownNameError, UsageError
    from inexlab.experiments.inputs import notes_of
    from inexlab.experiments.scoring import explain as take_apart
    from inexlab.report.explanation import FORMATS, write_explanation

    if output not in FORMATS:
        raise UnknownNameError("output format", output, FORMATS)
    experiment = _one_run(files, choices)
    if not topic or not (choices.measure or choices.campaign_file):
        raise UsageError("name the topic and the measure: --topic ID -m MEASURE.")
    print_notes(experiment.notes)
    people = output in ("table", "markdown")
    most = _FIRST_IN_TABLES if first is None and people else first or 0
    with working("scoring"):
        explanation, judged, documents = take_apart(
            experiment, topic, first=max(most, rank or 0) if most else 0
        )
    if rank and rank > len(explanation):
        raise UsageError(
            f"{explanation.run} has {counted(len(explanation), 'rank')} on topic {topic}; --rank is {rank}."
        )
    if not rank and most and len(explanation) == most and first is None:
        print_notes([f"the first {counted(most, 'rank')}; --first 0 shows all"])
    print_notes([*notes_of(documents), *explanation.notes])
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
    return replace(explanation, columns=columns)


def _one_run(files: list[str], choices: Choices) -> Experiment:
    """Return the experiment of one run by one measure: the official one where none is asked for."""
    from inexlab.errors import UsageError
    from inexlab.experiments import choose_one

    if len(choices.measure) > 1:
        raise UsageError("one measure is explained; give -m once.")
    if choices.campaign_file:
        experiment = choose_one([], choices)
        if len(files) != 1:
            raise UsageError("with --campaign-file name one run of the task, by its id or its file.")
        experiment = replace(experiment, runs=(_of_task(experiment, files[0]),))
    else:
        if len(files) != 2:
            raise UsageError("give judgements and one run: inexlab explain JUDGEMENTS RUN.")
        experiment = choose_one(files, choices)
    return replace(experiment, measures=experiment.measures[:1])


def _of_task(experiment: Experiment, name: str) -> Entry:
    """Return the run of a task that is named by its id or its file."""
    from inexlab.errors import UnknownNameError

    known = []
    for entry in experiment.runs:
        run = entry.read(experiment.input_format)
        if name in (run.id, str(entry.file), entry.file.name):
            return replace(entry, run=run)
        known.append(run.id)
    raise UnknownNameError(f"run of task {experiment.name}", name, known)


def _text(explanation: Explanation, rank: int, judged: Judgements, documents: Collection) -> str:
    """Return the text of one result, what assessors highlighted in it marked."""
    from inexlab.report.explanation import marked_text
    from inexlab.spans import Span

    row = explanation.rows()[rank - 1]
    doc, start, end = row["document"], row.get("start"), row.get("end")
    if not isinstance(start, int) or not isinstance(end, int) or doc not in documents:
        return ""
    spans = [j.spans for j in judged if (j.topic, j.doc) == (explanation.topic, doc)]
    marks = (UNDERLINED, PLAIN) if sys.stdout.isatty() else ("[[", "]]")
    text = marked_text(documents[str(doc)].text, Span(start, end), spans[0] if spans else [], marks)
    return f"\n{text}\n"
