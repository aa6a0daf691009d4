"""What a report shows of an experiment, gathered in one pass over its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from inexlab.experiments import Experiment, Scored, score
from inexlab.experiments.assessors import agreement_of
from inexlab.experiments.experiment import unusual_choices
from inexlab.experiments.manifest import Manifest
from inexlab.experiments.results import file_hash, versions
from inexlab.experiments.scoring import with_open_collections
from inexlab.judgements import Judgements
from inexlab.measures import Evaluation
from inexlab.measures.profile import by_depth, by_run, by_tag
from inexlab.progress import reporting
from inexlab.report.content import ReportContent, SystemProfile, TaskContent, statistics_of
from inexlab.report.curves import Curve, averaged, curves_of
from inexlab.runs import Run, locate
from inexlab.statistics.procedure import Procedure
from inexlab.topics import Topics, read_topics


def gather(
    experiment: Experiment, *, curves: bool = False, profiles: bool = False
) -> tuple[Scored, list[Curve], list[SystemProfile]]:
    """Score an experiment, with the curves that belong to its measures and what its runs are like."""
    points = curves_of(experiment.measures) if curves else {}
    found: list[SystemProfile] = []

    def describe(run: Run, judged: Judgements, documents: Any) -> None:
        found.append(_profile(run, judged, documents))

    also = [point for curve in points.values() for point in curve]
    scored = score(experiment, also=also, seen=describe if profiles else None)
    every, own = scored.evaluation, len(experiment.measures)
    evaluation = Evaluation(every.scores[:own], every.notes, every.oddities, every.unjudged)
    return replace(scored, evaluation=evaluation), averaged(points, every.scores[own:]), found


def _profile(run: Run, judged: Judgements, documents: Any) -> SystemProfile:
    if documents is not None:
        run = locate(run, documents, judged.size_of)
    figures = next(by_run(run, judged, documents))
    tags = {str(row["tag"]): int(row["results"] or 0) for row in by_tag(run, judged, documents)}
    depths = {int(row["depth"] or 0): int(row["results"] or 0) for row in by_depth(run, judged, documents)}
    return SystemProfile(run.id, figures, tags, depths)


def task_content(experiment: Experiment, procedure: Procedure) -> TaskContent:
    """Return an experiment as a report shows it."""
    return _content(*gather(experiment, curves=True, profiles=True), procedure)


def _content(
    scored: Scored, curves: Sequence[Curve], profiles: Sequence[SystemProfile], procedure: Procedure
) -> TaskContent:
    experiment, evaluation = scored.experiment, scored.evaluation
    matrices, comparison, decisions = statistics_of(evaluation, procedure)
    return TaskContent(
        experiment.name or (experiment.preset.task if experiment.preset else ""),
        experiment.title,
        evaluation,
        matrices,
        comparison,
        decisions,
        curves,
        profiles,
        scored.participants,
        scored.descriptions,
        scored.submitted,
        unusual_choices(experiment.policy),
        scored.notes,
        [s.name for s in evaluation.scores if experiment.doubtful(s.measure)],
    )


def report_content(
    title: str,
    experiments: Sequence[Experiment],
    procedure: Procedure,
    *,
    manifest: Manifest | None = None,
) -> ReportContent:
    """Return all that a report of some experiments shows, and the files it is made of.

    Where a campaign's manifest names several sets of judgements, or one has several assessors, these are
    compared.
    """
    topics = {id(given): given for experiment in experiments for given in experiment.topics}
    titles = topic_titles(list(topics.values()))
    tasks = []
    named = {("topics", str(given)) for given in topics.values() if isinstance(given, str | Path)}
    opened = list(zip(experiments, with_open_collections(experiments), strict=True))
    for given, experiment in reporting(opened, "describing tasks", "tasks"):
        scored, curves, profiles = gather(experiment, curves=True, profiles=True)
        agreement = agreement_of(experiment, procedure, manifest)
        tasks.append(replace(_content(scored, curves, profiles, procedure), assessors=agreement))
        if given.collection is not None:
            named |= {("collection", str(getattr(given.collection, "name", given.collection)))}
        named |= {("judgements", scored.judgements.file or "judgements")}
        named |= {(f"run {run}", file or run) for run, file in scored.files.items()}
    hashes = [(what, file_hash(file)) for what, file in sorted(named)]
    files = [(what, made["name"], made["sha256"]) for what, made in hashes]
    return ReportContent(title, tasks, procedure, titles, versions(), files)


def topic_titles(given: Sequence[str | Path | Topics]) -> Mapping[str, str]:
    """Return the title of each topic of some topic files, by id: its words, else its structured query."""
    return {id: t.title or t.castitle for topics in given for id, t in read_topics(topics).items()}
