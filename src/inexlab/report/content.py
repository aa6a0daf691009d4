"""What a report is about, as plain tables: scores, comparisons, curves and what the systems return.

Everything that a page or a figure shows is made of this. It knows no documents and no files but by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from inexlab.errors import UsageError
from inexlab.experiments.assessors import AssessorAgreement
from inexlab.measures import Evaluation, Measure
from inexlab.report.curves import Curve
from inexlab.report.cuts import Cuts
from inexlab.report.tables import Cell
from inexlab.scores import Scores, common_topics
from inexlab.statistics import Comparison
from inexlab.statistics.procedure import Procedure

MOST_CONDITIONS = 6  # measures whose decisions are compared; each costs a comparison of all pairs


@dataclass(frozen=True)
class SystemProfile:
    """What a system returns: figures about it, and how many results have each tag and depth."""

    system: str
    figures: Mapping[str, Cell]
    tags: Mapping[str, int]
    depths: Mapping[int, int]


@dataclass(frozen=True)
class TaskContent:
    """One task: its scores by all measures, the official one first, and what follows from them.

    `matrices` are the means-to-be of each measure that has them, on the topics where all systems have a
    score; `comparison` is by the first of them, `decisions` by the first few (on their common topics).
    With one system there is nothing to compare.
    """

    name: str
    title: str
    evaluation: Evaluation
    matrices: Sequence[Scores]
    comparison: Comparison | None
    decisions: Sequence[Comparison]
    curves: Sequence[Curve] = ()
    profiles: Sequence[SystemProfile] = ()
    participants: Mapping[str, str] = field(default_factory=dict)
    descriptions: Mapping[str, str] = field(default_factory=dict)
    submitted: Mapping[str, str] = field(default_factory=dict)  # by system, where they are of several tasks
    policy: Sequence[str] = ()  # the choices that differ from the default
    notes: Sequence[str] = ()
    doubtful: Sequence[str] = ()  # measures with an unverified parameter
    cuts: Cuts | None = None  # what chunkings make of the gold
    assessors: AssessorAgreement | None = None  # where several judged the same documents


@dataclass(frozen=True)
class ReportContent:
    """A whole report: its tasks, the titles of topics, and where everything came from."""

    title: str
    tasks: Sequence[TaskContent]
    testing: Procedure
    titles: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    files: Sequence[tuple[str, str, str]] = ()  # what it is, name, SHA-256


def statistics_of(
    evaluation: Evaluation, testing: Procedure
) -> tuple[list[Scores], Comparison | None, list[Comparison]]:
    """Return the matrices of measures with means, the comparison by the first, decisions by some."""
    matrices = [
        scores.complete(common=True)
        for scores in evaluation.scores
        if scores.total == "mean" and not np.isnan(scores.values).any(axis=0).all()
    ]
    if not matrices:
        raise UsageError("no topic has a score of every run by any measure with a mean; nothing to report.")
    if len(matrices[0].systems) < 2:
        return matrices, None, []
    comparison = testing.compare(matrices[0])
    chosen = [matrices[i] for i in conditions(matrices)]
    shared, left_out = common_topics(chosen) if len(chosen) > 1 else ([], [])
    same = not left_out and shared and shared[0].topics == matrices[0].topics
    decisions = [
        comparison if i == 0 and same else testing.compare(matrix, intervals=False)
        for i, matrix in enumerate(shared)
    ]
    return matrices, comparison, decisions


def conditions(matrices: Sequence[Scores]) -> list[int]:
    """Return which matrices to compare by their decisions: the first, then its other quantisations."""
    others = range(1, len(matrices))
    requantised = [i for i in others if _other_quantisation(matrices[0].measure, matrices[i].measure)]
    rest = [i for i in others if i not in requantised]
    return [0, *requantised, *rest][:MOST_CONDITIONS]


def _other_quantisation(a: Measure, b: Measure) -> bool:
    """Whether two measures are the same but for their quantisation."""
    rest = [{k: v for k, v in m.parameters.items() if k != "quant"} for m in (a, b)]
    same = a.definition is b.definition and a.cutoff == b.cutoff and rest[0] == rest[1]
    return same and "quant" in a.parameters
