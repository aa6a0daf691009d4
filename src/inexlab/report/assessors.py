"""Agreement of assessors in print: a table for each pair, for all together, of rankings, of a candidate."""

from __future__ import annotations

import math

from inexlab.experiments.agreeing import Agreeing
from inexlab.experiments.assessors import AssessorAgreement
from inexlab.experiments.ranking_effect import RankingEffect
from inexlab.report.tables import Cell, Grid
from inexlab.statistics.alternative import AlternativeTest, HeldOut
from inexlab.wording import counted

_MEANS = {"macro": "mean over topics", "micro": "mean over documents", "": "all together"}


def assessor_grids(found: AssessorAgreement, *, for_programs: bool = False) -> list[Grid]:
    """Return the tables of a comparison of assessors."""
    parts = [*found.pairs, *([found.together] if found.together else [])]
    grids = [_records(parts)] if for_programs else [_for_people(part) for part in parts]
    if found.effects:
        grids.append(_effects(found))
    if found.test:
        grids.append(_candidate(found.test))
    return grids


def topic_grids(found: AssessorAgreement) -> list[Grid]:
    """Return the statistics of each pair topic by topic."""
    parts = [*found.pairs, *([found.together] if found.together else [])]
    grids = []
    for part in parts:
        names = [f"{name} ({group})" for group, name in part.statistics]
        rows: list[list[Cell]] = [
            [part.a, part.b or None, topic, *(_number(value) for value in values)]
            for topic, values in zip(part.topics, part.by_topic.tolist(), strict=True)
        ]
        grids.append(Grid(["a", "b", "topic", *names], rows, title_of(part)))
    return grids


def title_of(part: Agreeing) -> str:
    """Return who is compared, on how many documents."""
    who = f"{part.a} against {part.b}" if part.b else part.a
    return f"{who}: {counted(part.documents, 'document')}, {counted(len(part.topics), 'topic')}"


def _for_people(part: Agreeing) -> Grid:
    rows: list[list[Cell]] = [
        [e.group, e.name, _MEANS[e.average], _number(e.value), _number(e.low), _number(e.high)]
        for e in part.estimates
    ]
    return Grid(["of", "statistic", "over", "value", "low", "high"], rows, title_of(part))


def _records(parts: list[Agreeing]) -> Grid:
    header = ["a", "b", "documents", "topics", "of", "statistic", "average", "value", "low", "high"]
    rows: list[list[Cell]] = [
        [
            *(part.a, part.b or None, part.documents, len(part.topics)),
            *(e.group, e.name, e.average or "pooled", _number(e.value), _number(e.low), _number(e.high)),
        ]
        for part in parts
        for e in part.estimates
    ]
    return Grid(header, rows, "agreement")


def _effects(found: AssessorAgreement) -> Grid:
    rows = [[_number(cell) for cell in effect] for effect in found.effects]
    header = [name.replace("_", " ") for name in RankingEffect._fields]
    return Grid(header, rows, f"ranking of systems by {found.measure}")


def _candidate(test: AlternativeTest) -> Grid:
    rows: list[list[Cell]] = [
        [p.person, p.items, p.advantage, p.advantage_of_person, p.p, p.p_adjusted, "yes" if p.won else "no"]
        for p in test.people
    ]
    return Grid(
        [name.replace("_", " ") for name in HeldOut._fields],
        rows,
        f"alternative annotator test of {test.candidate}",
        [verdict(test)],
    )


def verdict(test: AlternativeTest) -> str:
    """Return the outcome of the test in words."""
    may = "may" if test.passed else "may not"
    return (
        f"winning rate {test.winning_rate:.2f}, average advantage {test.advantage:.2f} with epsilon "
        f"{test.epsilon:g}: {test.candidate} {may} stand for the people (0.5 is needed)"
    )


def _number(value: Cell) -> Cell:
    return None if isinstance(value, float) and not math.isfinite(value) else value
