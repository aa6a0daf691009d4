"""A small campaign for the tests of reports: five systems on twelve topics, and all that follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from inexlab.experiments.assessors import AssessorAgreement, compare_sets
from inexlab.experiments.judged_sets import JudgedSet
from inexlab.experiments.ranking_effect import ranking_effect
from inexlab.judgements import JudgementsBuilder
from inexlab.judgements.assessor import Assessor
from inexlab.measures import Evaluation, parse
from inexlab.report.content import ReportContent, SystemProfile, TaskContent, statistics_of
from inexlab.report.curves import Curve
from inexlab.scores import Scores
from inexlab.statistics.procedure import Procedure

SYSTEMS = ("best", 'a "quoted" & <b>run</b>', "middle", "low", "lowest")
TOPICS = tuple(str(101 + t) for t in range(12))
TITLES = {"101": "</script><script>alert(1)</script>", "102": "the second topic"}
MEASURES = ("MAiP", "iP@0.01", "num_ret")


@cache
def an_evaluation() -> Evaluation:
    """Scores with clear winners; topic 112 has none by any measure but the count."""
    random = np.random.default_rng(3)
    quality = np.linspace(0.7, 0.1, len(SYSTEMS))[:, None]
    scores = []
    for name in MEASURES:
        values = np.clip(quality + random.normal(scale=0.12, size=(len(SYSTEMS), len(TOPICS))), 0, 1)
        values[:, -1] = np.nan
        if name == "num_ret":
            values = np.rint(np.nan_to_num(values) * 100)
        scores.append(parse(name).tabulate(SYSTEMS, TOPICS, values))
    return Evaluation(tuple(scores), ("means are over 12 judged topics",))


@cache
def a_task() -> TaskContent:
    """The task of these scores, compared by the t-test."""
    evaluation = an_evaluation()
    points = (0.0, 0.5, 1.0)
    values = np.outer(evaluation.scores[0].totals(), [1.0, 0.5, 0.0])
    profiles = [
        SystemProfile(
            s, {"run": s, "results": 10 + i, "% overlapping": 12.5}, {"p": 8, "sec": 2 + i}, {1: 2 + i, 3: 8}
        )
        for i, s in enumerate(SYSTEMS)
    ]
    matrices, comparison, decisions = statistics_of(evaluation, Procedure(test="t"))
    return TaskContent(
        "focused",
        "Focused",
        evaluation,
        matrices,
        comparison,
        decisions,
        [Curve("iP", "recall", points, SYSTEMS, values)],
        profiles,
        notes=evaluation.notes,
        policy=["limit=10 (results kept)"],
        doubtful=["iP@0.01"],
        assessors=an_agreement(matrices),
    )


def an_agreement(matrices: Sequence[Scores]) -> AssessorAgreement:
    """Two assessors of the topics, one of whom highlights a little more on each."""
    sets = []
    for name, more in (("anna", 0), ("bob", 5)):
        builder = JudgementsBuilder()
        builder.by(Assessor("person", name))
        for place, topic in enumerate(TOPICS):
            builder.add(topic, "A", [(10, 40 + more * place)], size=200)
        judgements = builder.build()
        sets.append(JudgedSet(name, judgements.assessors[0], judgements, text=True))
    found = compare_sets(sets, None, Procedure(test="t"))
    scores = {"anna": matrices[0], "bob": matrices[1]}
    effect = ranking_effect("anna", "bob", scores, 3, Procedure(test="t"))
    assert effect is not None
    return replace(found, effects=(effect,), scores=scores, measure="MAiP")


@cache
def a_report() -> ReportContent:
    """The report of the one task."""
    files = [("judgements", "q.qrels", "ab" * 32)]
    return ReportContent("A & B <test>", [a_task()], Procedure(test="t"), TITLES, {"inexlab": "0"}, files)


def a_small_report(topics: int, *, neighbours: bool = False) -> ReportContent:
    """A report of few topics and of passages alone; or of ten systems, each alike to those four places on."""
    systems = tuple(f"s{i}" for i in range(10)) if neighbours else SYSTEMS
    names = tuple(str(101 + t) for t in range(topics))
    levels = np.linspace(0.9, 0.1, len(systems))[:, None] + np.zeros((1, topics))
    scores = tuple(parse(name).tabulate(systems, names, levels) for name in MEASURES[:2])
    unjudged = {} if neighbours else {SYSTEMS[0]: 0.001, SYSTEMS[-1]: 0.25}
    evaluation = Evaluation(scores, (), unjudged=unjudged)
    matrices, comparison, decisions = statistics_of(evaluation, Procedure(test="t"))
    if neighbours and comparison:
        comparison = replace(comparison, significant=comparison.b - comparison.a >= 5)
    profiles = [SystemProfile(s, {"run": s, "results": 5}, {"(passage)": 5}, {0: 5}) for s in systems]
    task = TaskContent("focused", "Focused", evaluation, matrices, comparison, decisions, (), profiles)
    return ReportContent("Few", [task], Procedure(test="t"))
