"""Topics in print: a list of them, counts of kinds, clauses and stages, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable

from inexlab.experiments.topics import ExaminedTopics
from inexlab.report.tables import Cell, Grid
from inexlab.topics import Topic
from inexlab.topics.decompose import single_clauses, target
from inexlab.topics.families import parents, structured_query
from inexlab.topics.query import path_text
from inexlab.topics.statistics import topic_statistics
from inexlab.topics.table import FIELDS
from inexlab.wording import counted

_LONGEST_QUERY = 60


def problem_grid(examined: ExaminedTopics) -> Grid:
    """Return one row for each problem."""
    return Grid(("file", "line", "topic", "kind", "problem"), examined.problems)


def topic_grid(given: Iterable[Topic], *, for_programs: bool = False) -> Grid:
    """Return one row for each topic: for people what fits on a line, for programs every field."""
    topics = list(given)
    above = parents({topic.id: topic for topic in topics})
    rows: list[list[Cell]] = []
    for topic in topics:
        query = structured_query(topic)
        parent = above.get(topic.id)
        row: list[Cell] = [
            topic.id,
            topic.kind,
            None if query is None else len(single_clauses(query)),
            None if query is None else path_text(target(query)),
            None if parent is None else parent.id,
        ]
        if for_programs:
            row += [topic.candidate, topic.file, topic.line, *(getattr(topic, name) for name in FIELDS)]
        else:
            row.append(_shortened(topic.plain or topic.structured))
        rows.append(row)
    header = ["topic", "type", "clauses", "target", "child of"]
    return Grid([*header, *(["candidate", "file", "line", *FIELDS] if for_programs else ["query"])], rows)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_QUERY else f"{line[: _LONGEST_QUERY - 1]}…"


def statistics_grid(examined: ExaminedTopics, *, for_programs: bool = False) -> Grid:
    """Return the counts of each file of topics and of all together, with percentages for people.

    Stages are of the campaign, not of one of its files: they stand in the last row.
    """
    kinds = sorted({topic.kind for topics in examined.parts.values() for topic in topics.values()})
    header = ["topics in", "topics", *kinds, "children", *(counted(n, "clause") for n in (1, 2, 3))]
    header += ["4+ clauses", *examined.stages]
    parts = {name: list(topics.values()) for name, topics in examined.parts.items()}
    if len(parts) > 1:
        parts["total"] = list(examined.together.values())
    rows: list[list[Cell]] = []
    for name, of_part in parts.items():
        counts = topic_statistics(of_part)
        row: list[Cell] = [name, counts.topics, *(counts.kinds.get(kind, 0) for kind in kinds)]
        row.append(counts.children)
        if for_programs:
            row += counts.clauses
        else:  # as in print
            row += [f"{n} ({p}%)" for n, p in zip(counts.clauses, counts.percentages, strict=True)]
        rows.append(row)
    survived = examined.survival()
    nothing: list[Cell] = [None] * len(examined.stages)
    of_all: list[Cell] = [getattr(survived, stage) for stage in examined.stages]
    return Grid(header, [[*row, *(of_all if row is rows[-1] else nothing)] for row in rows])
