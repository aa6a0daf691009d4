"""Campaign manifests on the command line: the option that all verbs share, and a campaign's results page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import typer

from inexlab.cli.terminal import working

if TYPE_CHECKING:
    from inexlab.campaigns.manifest import Manifest, Task
    from inexlab.campaigns.results import Part
    from inexlab.collection import Collection
    from inexlab.measures import Evaluation, Measure
    from inexlab.runs import Run
    from inexlab.statistics import Comparison

CAMPAIGN_FILE = typer.Option(
    "--campaign-file",
    metavar="FILE",
    help="A campaign manifest (TOML), which names collection, judgements, tasks, runs and measures.",
)

TASK = typer.Option("--task", help="With --campaign-file: only this task.")


def open_manifest(campaign_file: str, beside: object) -> Manifest:
    """Read a manifest; nothing that it names itself may stand `beside` it on the command line."""
    from inexlab.campaigns.manifest import read_manifest
    from inexlab.errors import UsageError

    if beside:
        raise UsageError(
            "--campaign-file names collection, judgements and runs itself: give none of them beside it."
        )
    return read_manifest(campaign_file)


def one_task(manifest: Manifest, name: str) -> str:
    """Return the name of the task asked for, or of the only one there is."""
    from inexlab.errors import UsageError

    if not name and len(manifest.tasks) > 1:
        raise UsageError(f"choose a task of {manifest.file} with --task: {', '.join(manifest.tasks)}.")
    return name


def fitted(asked: Sequence[Measure], own: Sequence[Measure], where: str) -> list[Measure]:
    """Return measures as a task means them, having said which parameters are as in the task's own."""
    from inexlab.campaigns.fitting import fit_measures

    measures, taken = fit_measures(asked, own)
    if taken:
        values = ", ".join(f"{name}={value}" for name, value in taken.items())
        print(f"inexlab: {where}: {values}, as in its measures", file=sys.stderr)
    return measures


def evaluate_task(
    task: Task, collection: Collection | None, measures: Sequence[Measure] = ()
) -> tuple[Evaluation, Mapping[str, str], Mapping[str, str], Mapping[str, str]]:
    """Score a task's runs; return the scores and, by run id, file, participant and description.

    Of `measures` asked for, parameters left out are as in the task's own.
    """
    from inexlab.judgements import read_judgements
    from inexlab.measures import evaluate

    files: dict[str, str] = {}
    participants: dict[str, str] = {}
    descriptions: dict[str, str] = {}

    def runs() -> Iterator[Run]:
        for entry in task.runs:
            run = entry.read()
            files[run.id] = str(entry.file)
            participants[run.id] = entry.participant or run.about.get("participant", "") or run.id
            descriptions[run.id] = entry.description
            yield run

    wanted = fitted(measures, task.measures, task.name) if measures else task.measures
    with working(f"scoring {task.name}"):
        scored = evaluate(
            read_judgements(task.judgements),
            runs(),
            wanted,
            collection=collection,
            policy=task.policy,
        )
    return scored, files, participants, descriptions


def open_documents(manifest: Manifest) -> Collection | None:
    """Open the collection of a manifest, if it names one."""
    from inexlab.collection import open_collection

    with working("opening the collection"):
        return open_collection(manifest.collection) if manifest.collection else None


def evaluate_campaign(
    manifest: Manifest,
    task_name: str,
    measures: Sequence[Measure],
    output: str,
    *,
    top: int,
    best: bool,
    per_topic: bool,
    quiet: bool = False,
    compared: Callable[[Evaluation], Sequence[Comparison | None]] = lambda _: (),
    baseline: str = "",
) -> list[Part]:
    """Print the results page of a campaign, or of one task; return what a results file holds of it.

    `compared` tests a task's runs by each measure, for tables that mark what is significant.
    """
    from inexlab.campaigns.results import Part
    from inexlab.report.results import TaskResults, write_results_page

    documents = open_documents(manifest)
    tables, parts = [], []
    for task in manifest.chosen(task_name):
        scored, files, participants, descriptions = evaluate_task(task, documents, measures)
        doubtful = [str(s.measure) for s in scored.scores if task.preset and task.preset.doubts(s.measure)]
        about = (task.name, task.title, scored, participants, descriptions, doubtful)
        tables.append(TaskResults(*about, compared(scored), baseline))
        parts.append(Part(task.name, scored, str(task.judgements), files, task.policy))
        notes = (*scored.notes, *(task.preset.notes() if task.preset else []))
        for note in () if quiet else notes:
            print(f"inexlab: {task.name}: {note}", file=sys.stderr)
    sys.stdout.write(write_results_page(tables, output, top=top, best=best, per_topic=per_topic))
    return parts
