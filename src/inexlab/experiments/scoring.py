"""Scoring an experiment: the one place where judgements and runs are read, brought together and scored."""

from __future__ import annotations

import collections
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from inexlab.collection import Collection, open_collection
from inexlab.errors import UsageError
from inexlab.experiments.experiment import Entry, Experiment, TopicList
from inexlab.experiments.inputs import merged, opened
from inexlab.judgements import Judgements, read_judgements
from inexlab.measures import Evaluation, Explanation, Measure, evaluate
from inexlab.measures import explain as take_apart
from inexlab.measures.scoring import Over
from inexlab.runs import Run
from inexlab.topics import Topics, read_topics
from inexlab.wording import counted

Watch = Callable[[Sequence[Entry]], Iterable[Entry]]


@dataclass(frozen=True, eq=False)
class Scored:
    """An experiment with its scores, and by run id the file, participant, description and task of each run.

    `judgements` are as read, with offsets that count characters.
    """

    experiment: Experiment
    judgements: Judgements
    evaluation: Evaluation
    files: Mapping[str, str]
    participants: Mapping[str, str]
    descriptions: Mapping[str, str]
    tasks: Mapping[str, str] = field(default_factory=dict)

    @property
    def submitted(self) -> Mapping[str, str]:
        """The task that each run was submitted to, where runs of several tasks are scored together."""
        return self.tasks if len(set(self.tasks.values()) - {""}) > 1 else {}

    @property
    def notes(self) -> tuple[str, ...]:
        """What was assumed on the way to the numbers."""
        preset, measures = self.experiment.preset, [scores.measure for scores in self.evaluation.scores]
        doubts = preset.notes(measures) if preset else []
        return (*self.experiment.notes, *self.evaluation.notes, *doubts)

    def participant(self, run: str) -> str:
        """Return who made a run; a run that does not say stands for itself."""
        return self.participants.get(run) or run


def score(
    experiment: Experiment,
    *,
    also: Sequence[Measure] = (),
    seen: Callable[[Run, Judgements, Collection | None], Any] | None = None,
    watch: Watch = iter,
) -> Scored:
    """Score the runs of an experiment, on as many cores as it says.

    Measures in `also` come after the experiment's own. `seen` is called with every run, in order, and
    `watch` passes the entries on as they are done, to show how far the work is.
    """
    documents = opened_collection(experiment)
    judgements = read_judged(experiment, documents)
    files: dict[str, str] = {}
    participants: dict[str, str] = {}
    descriptions: dict[str, str] = {}
    tasks: dict[str, str] = {}

    def scored(run: Run) -> None:
        entry = next(entries)
        files[run.id] = run.file
        participants[run.id] = entry.participant or run.about.get("participant", "")
        descriptions[run.id] = entry.description
        tasks[run.id] = run.about.get("task", "")
        if seen is not None:
            seen(run, judgements, documents)

    readers = [functools.partial(read_run_of, experiment, entry, documents) for entry in experiment.runs]
    over, topic_notes = _averaged_over(experiment, judgements)
    entries = iter(watch(experiment.runs))
    evaluation = evaluate(
        judgements,
        readers,
        [*experiment.measures, *also],
        collection=documents,
        policy=experiment.policy,
        over=over,
        jobs=experiment.jobs,
        scored=scored,
    )
    collections.deque(entries, maxlen=0)  # nothing is left: what watches them sees the end
    experiment = replace(experiment, notes=(*experiment.notes, *topic_notes))
    return Scored(experiment, judgements, evaluation, files, participants, descriptions, tasks)


def _averaged_over(experiment: Experiment, judgements: Judgements) -> tuple[Over, list[str]]:
    """Return the topics that means are over, and what there is to say of that.

    Some tasks were averaged over topics with a structured query: those that are known to have one.
    """
    if isinstance(experiment.over, TopicList):
        return experiment.over.ids, []
    preset = experiment.preset
    if experiment.over == "run":
        return "run", []
    if preset is None or not preset.structured:
        return "judged", []
    who = f"{preset.campaign} {preset.task}"
    if not experiment.topics:
        return "judged", [
            f"{who}: its means were over the topics with a castitle, which are not known: give `topics=FILE`"
        ]
    topics = _topics(experiment)
    chosen = [id for id in judgements.topics if id in topics and topics[id].structured]
    if not chosen:
        raise UsageError(f"{who}: none of the judged topics has a castitle in the topics given.")
    return chosen, [f"{who}: {counted(len(chosen), 'judged topic')} with a castitle"]


def _topics(experiment: Experiment) -> Topics:
    return read_topics(experiment.topics) if experiment.topics else Topics([])


def explain(
    experiment: Experiment, topic: str, *, first: int = 0
) -> tuple[Explanation, Judgements, Collection | None]:
    """Take the score of an experiment's only run by its only measure apart, on one topic."""
    documents = opened_collection(experiment)
    judgements = read_judged(experiment, documents)
    [entry], [measure] = experiment.runs, experiment.measures
    explanation = take_apart(
        judgements,
        read_run_of(experiment, entry, documents),
        topic,
        measure,
        collection=documents,
        policy=experiment.policy,
        first=first,
    )
    return explanation, judgements, documents


def read_run_of(experiment: Experiment, entry: Entry, documents: Collection | None) -> Run:
    """Return a run, with offsets that count characters."""
    return experiment.units.run_in_characters(entry.read(experiment.input_format), documents)


def read_judged(experiment: Experiment, documents: Collection | None) -> Judgements:
    """Return the judgements of an experiment, with offsets that count characters."""
    kinds = {id: topic.kind for id, topic in _topics(experiment).items()} if experiment.query_type else {}
    judged = read_judgements(
        experiment.judgements,
        pools=experiment.pools,
        query_type=experiment.query_type,
        query_types=kinds,
        assessor=experiment.assessors,
        apart=bool(experiment.merge),
    )
    return merged(experiment.units.judgements_in_characters(judged, documents), experiment.merge, documents)


def opened_collection(experiment: Experiment) -> Collection | None:
    """Return the collection of an experiment, opened; None if it has none and needs none."""
    experiment.units.require_documents(experiment.collection)
    return opened(experiment.collection)


def with_open_collections(experiments: Sequence[Experiment]) -> list[Experiment]:
    """Return experiments whose collections are open, each opened once."""
    named = {e.collection for e in experiments if isinstance(e.collection, str | Path)}
    known = {name: open_collection(name) for name in named}
    return [
        replace(e, collection=known[e.collection]) if isinstance(e.collection, str | Path) else e
        for e in experiments
    ]
