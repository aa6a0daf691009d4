"""Scoring an experiment: the one place where judgements and runs are read, brought together and scored."""

from __future__ import annotations

import collections
import functools
import pickle
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from inexlab.collection import Collection, open_collection
from inexlab.errors import UsageError
from inexlab.executors import Executor, SpreadTask
from inexlab.experiments.experiment import Entry, Experiment, TopicList
from inexlab.experiments.inputs import merged, opened
from inexlab.judgements import Judgements, read_judgements
from inexlab.measures import Evaluation, Explanation, Measure, evaluate
from inexlab.measures import explain as take_apart
from inexlab.measures.scoring import Over, ScoredRun, Scorer, make_scorer
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
    executor: Executor | None = None,
) -> Scored:
    """Score the runs of an experiment, on as many cores as it says.

    Measures in `also` come after the experiment's own. `seen` is called with every run, in order, and
    `watch` passes the entries on as they are done, to show how far the work is. An `executor` reads and
    scores each run somewhere else, where nobody sees it.
    """
    documents = opened_collection(experiment)
    judgements = read_judged(experiment, documents)
    over, topic_notes = _averaged_over(experiment, judgements)
    measures = [*experiment.measures, *also]
    options: dict[str, Any] = {"collection": documents, "policy": experiment.policy, "over": over}
    abouts: list[_RunAbout] = []
    if executor is None:
        entries = iter(watch(experiment.runs))

        def scored(run: Run) -> None:
            abouts.append(_about(run, next(entries)))
            if seen is not None:
                seen(run, judgements, documents)

        readers = [functools.partial(read_run_of, experiment, entry, documents) for entry in experiment.runs]
        evaluation = evaluate(judgements, readers, measures, **options, jobs=experiment.jobs, scored=scored)
        collections.deque(entries, maxlen=0)  # nothing is left: what watches them sees the end
    else:
        scorer = make_scorer(judgements, measures, **options)
        evaluation = scorer.evaluation(_scored_elsewhere(experiment, also, watch, executor, abouts))
    experiment = replace(experiment, notes=(*experiment.notes, *topic_notes))
    columns = ({about.id: about[k] for about in abouts} for k in range(1, len(_RunAbout._fields)))
    return Scored(experiment, judgements, evaluation, *columns)


class _RunAbout(NamedTuple):
    """What is known of a run beside its results."""

    id: str
    file: str
    participant: str
    description: str
    task: str


def _about(run: Run, entry: Entry) -> _RunAbout:
    participant = entry.participant or run.about.get("participant", "")
    return _RunAbout(run.id, run.file, participant, entry.description, run.about.get("task", ""))


def _scored_elsewhere(
    experiment: Experiment,
    also: Sequence[Measure],
    watch: Watch,
    executor: Executor,
    abouts: list[_RunAbout],
) -> Iterator[ScoredRun]:
    """Yield the scores of runs that an executor reads and scores."""
    if isinstance(experiment.collection, Collection):
        raise AssertionError("a collection is opened where runs are scored")
    # a worker keeps what it has read, but for this command alone: files may change until the next one
    command = secrets.token_hex(8)
    sent = pickle.dumps((replace(experiment, runs=()), tuple(also), command))
    tasks = [
        SpreadTask(f"scoring {entry.file}", score_entry, (sent, _here(entry, experiment)))
        for entry in experiment.runs
    ]
    results = executor.results(tasks)
    for _ in watch(experiment.runs):
        scored, about = next(results)
        abouts.append(about)
        yield scored


def _here(entry: Entry, experiment: Experiment) -> Entry:
    """Return an entry that can be read anywhere: standard input cannot."""
    return replace(entry, run=entry.read(experiment.input_format)) if str(entry.run) == "-" else entry


def score_entry(sent: bytes, entry: Entry) -> tuple[ScoredRun, _RunAbout]:
    """Read and score one run of an experiment."""
    experiment, scorer = _scorer_of(sent)
    run = read_run_of(experiment, entry, scorer.collection)
    return scorer.score(run), _about(run, entry)


@functools.lru_cache(maxsize=1)
def _scorer_of(sent: bytes) -> tuple[Experiment, Scorer]:
    """Return an experiment that was sent to this process, with its judgements read."""
    experiment, also, _command = pickle.loads(sent)
    documents = opened_collection(experiment)
    judgements = read_judged(experiment, documents)
    over, _ = _averaged_over(experiment, judgements)
    measures = [*experiment.measures, *also]
    scorer = make_scorer(judgements, measures, collection=documents, policy=experiment.policy, over=over)
    return experiment, scorer


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
