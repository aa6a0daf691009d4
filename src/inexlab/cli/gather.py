"""What reports and figures show, gathered from files in one pass over the runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inexlab.cli.terminal import working

if TYPE_CHECKING:
    from inexlab.campaigns import Preset
    from inexlab.collection import Collection
    from inexlab.judgements import Judgements
    from inexlab.measures import Evaluation, Measure
    from inexlab.policy import Policy
    from inexlab.report.content import Procedure, Profile, TaskContent
    from inexlab.report.curves import Curve
    from inexlab.runs import Run


@dataclass(frozen=True)
class Material:
    """One task before it is scored: judgements, runs with what is known of them, measures and policy."""

    name: str
    title: str
    judgements: str
    runs: Sequence[tuple[str, str, str]]  # file, participant, description
    measures: Sequence[Measure]
    policy: Policy
    preset: Preset | None = None


@dataclass
class Gathered:
    """What one pass over the runs gives."""

    evaluation: Evaluation
    curves: Sequence[Curve]
    profiles: Sequence[Profile]
    files: Mapping[str, str]
    participants: Mapping[str, str]
    descriptions: Mapping[str, str] = field(default_factory=dict)


def gather(
    material: Material, documents: Collection | None, *, curves: bool = True, profiles: bool = True
) -> Gathered:
    """Read and score the runs of a task, each of them once."""
    from inexlab.judgements import read_judgements
    from inexlab.measures import Evaluation, evaluate
    from inexlab.report.curves import averaged, curves_of
    from inexlab.runs import read_run

    judged = read_judgements(material.judgements)
    points = curves_of(material.measures) if curves else {}
    files: dict[str, str] = {}
    participants: dict[str, str] = {}
    descriptions: dict[str, str] = {}
    described: list[Profile] = []

    def runs() -> Iterator[Run]:
        for file, participant, description in material.runs:
            run = read_run(file)
            files[run.id] = file
            participants[run.id] = participant or run.about.get("participant", "")
            descriptions[run.id] = description
            if profiles:
                described.append(_profile(run, judged, documents))
            yield run

    with working(f"scoring {material.name}".rstrip()):
        every = [*material.measures, *(point for curve in points.values() for point in curve)]
        scored = evaluate(judged, runs(), every, collection=documents, policy=material.policy)
    asked = len(material.measures)
    evaluation = Evaluation(scored.scores[:asked], scored.notes)
    return Gathered(
        evaluation, averaged(points, scored.scores[asked:]), described, files, participants, descriptions
    )


def _profile(run: Run, judged: Judgements, documents: Collection | None) -> Profile:
    from inexlab.measures.profile import by_depth, by_run, by_tag
    from inexlab.report.content import Profile
    from inexlab.runs import locate

    if documents is not None:
        run = locate(run, documents, judged.size_of)
    figures = next(by_run(run, judged, documents))
    tags = {str(row["tag"]): int(row["results"] or 0) for row in by_tag(run, judged, documents)}
    depths = {int(row["depth"] or 0): int(row["results"] or 0) for row in by_depth(run, judged, documents)}
    return Profile(run.id, figures, tags, depths)


def task_content(material: Material, gathered: Gathered, testing: Procedure) -> TaskContent:
    """Return the task as a report shows it."""
    from inexlab.report.content import TaskContent, statistics_of

    with working(f"comparing {material.name}".rstrip()):
        matrices, comparison, decisions = statistics_of(gathered.evaluation, testing)
    preset = material.preset
    scores = gathered.evaluation.scores
    return TaskContent(
        material.name,
        material.title,
        gathered.evaluation,
        matrices,
        comparison,
        decisions,
        gathered.curves,
        gathered.profiles,
        gathered.participants,
        gathered.descriptions,
        _unusual(material.policy),
        (*gathered.evaluation.notes, *(preset.notes() if preset else [])),
        [str(s.measure) for s in scores if preset and preset.doubts(s.measure)],
    )


def _unusual(policy: Policy) -> list[str]:
    """Return the choices of a policy that differ from the default, in words."""
    found = []
    for name, choice in type(policy).choices().items():
        value = getattr(policy, name)
        if value != choice.default:
            meaning = choice.metadata["values"].get(value)
            found.append(f"{name}={value} ({choice.metadata['meaning']}{f': {meaning}' if meaning else ''})")
    return found
