"""Runs pooled for judging: which runs, by which method, and who judges what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from inexlab.collection import Collection
from inexlab.errors import UsageError
from inexlab.experiments.choices import Choices, open_manifest
from inexlab.experiments.experiment import Entry, OffsetUnits
from inexlab.experiments.inputs import notes_of, opened
from inexlab.files import files_in
from inexlab.judgements import Judgements
from inexlab.pooling.making import in_words, make_pool
from inexlab.pooling.method import pooling_methods
from inexlab.pooling.plan import plan, read_volunteers
from inexlab.pooling.table import Pool
from inexlab.progress import reporting
from inexlab.runs import Run
from inexlab.tables import by_number_and_name
from inexlab.topics import read_topics
from inexlab.wording import counted

USUAL_DEPTH = 100


@dataclass(frozen=True)
class Pooling:
    """How a pool is made: a method of the registry, and how many results or documents."""

    method: str
    number: int

    @classmethod
    def of(cls, depth: int | None, documents: int | None, method: str = "") -> Pooling:
        """Return what is asked for by `depth=` or `documents=`, and perhaps a method by name."""
        if depth is not None and documents is not None:
            raise UsageError("give either `depth=` (results of each run) or `documents=` (of each topic).")
        name = method or ("round-robin" if documents is not None else "depth")
        counts = pooling_methods[name].counts
        number = documents if counts == "documents" else depth
        if number is None and counts == "documents":
            raise UsageError(f"{name} needs `documents=N`, how many to judge for each topic.")
        if (depth if counts == "documents" else documents) is not None:
            option = "documents" if depth is not None else "depth"
            raise UsageError(f"{name} counts {counts}: give `{option}=N`.")
        return cls(name, USUAL_DEPTH if number is None else number)

    def __str__(self) -> str:
        return in_words(self.method, self.number)

    def shallower(self) -> list[int]:
        """Return the numbers below this one that are worth a look: 10, 20, 50, 100 and so on; few from 1."""
        least = 0 if self.number <= 20 else 1
        steps = [digit * 10**power for power in range(least, 7) for digit in (1, 2, 5)]
        return [step for step in steps if step < self.number]


def chosen_runs(runs: Sequence[Run | str | Path], choices: Choices) -> list[Entry]:
    """Return the runs that are given, or those of a campaign's tasks, each once."""
    if not choices.campaign_file:
        found: list[Entry] = []
        for run in runs:
            found += [Entry(run)] if isinstance(run, Run) else [Entry(file) for file in files_in(run, "run")]
        if not found:
            raise UsageError("a pool is made of runs: give at least one, or a `campaign_file=`.")
        return found
    manifest = open_manifest(choices.campaign_file, runs or choices.collection)
    entries = (entry for task in manifest.chosen(choices.task) for entry in task.runs)
    return list({entry.file.resolve(): entry for entry in entries}.values())


def pool_runs(
    runs: Sequence[Run | str | Path],
    pooling: Pooling,
    choices: Choices,
    *,
    assessors: str | Path = "",
    double: float = 0.0,
    reserve: float = 0.0,
) -> tuple[Pool, Collection | None]:
    """Pool runs and plan who judges what; return the pool, whose notes say how, and the documents."""
    if (double or reserve) and not str(assessors):
        raise UsageError("`double=` and `reserve=` say who judges what: give `assessors=FILE`.")
    entries = chosen_runs(runs, choices)
    collection = choices.collection
    if choices.campaign_file:
        collection = open_manifest(choices.campaign_file, None).collection
    documents, units = opened(collection), OffsetUnits.of(choices.unit)
    wanted = set(read_topics(choices.topics)) if choices.topics else None

    def read() -> Iterator[tuple[Run, str]]:
        for entry in reporting(entries, "reading runs", "runs"):
            run = units.run_in_characters(entry.read(choices.input_format), documents)
            yield run, entry.participant or run.about.get("participant", "")

    pool = make_pool(read(), pooling.method, pooling.number, collection=documents, topics=wanted)
    topics = by_number_and_name(pool.by_topic)
    notes = [
        *notes_of(documents),
        f"{counted(len(pool), 'document')} of {counted(len(topics), 'topic')} to judge: {pooling}, "
        f"{counted(len(entries), 'run')}",
    ]
    missing = by_number_and_name(wanted - set(topics)) if wanted else []
    if not pool.participants:
        notes.append("no run names its participant: each stands for itself")
    if missing:
        notes.append(f"topics that no run returns anything for: {', '.join(missing)}")
    if not str(assessors):
        return replace(pool, notes=tuple(notes)), documents
    assigned = plan(topics, read_volunteers(assessors, topics), double=double, reserve=reserve)
    counts = [sum(len(names) == n for names in assigned.values()) for n in (1, 2, 0)]
    notes.append(
        f"{counted(counts[0], 'topic')} judged by one assessor, {counts[1]} by two, {counts[2]} kept back"
    )
    return replace(pool, assessors=assigned, notes=tuple(notes)), documents


def relevant_documents(judgements: Judgements) -> set[tuple[str, str]]:
    """Return topics and documents that anybody found relevant."""
    grades = judgements.document_grades > 0
    rows = zip(judgements.topic[grades].tolist(), judgements.doc[grades].tolist(), strict=True)
    return {(judgements.topics[topic], judgements.docs[doc]) for topic, doc in rows}
