"""Pools in print: what runs and participants contributed, who judges what, what leaving out changes."""

from __future__ import annotations

from collections.abc import Sequence

from inexlab.experiments.reusability import LeftOut, Reusability, Shallower, Unjudged
from inexlab.pooling.table import Contribution, Pool, contributions
from inexlab.report.tables import Cell, Grid, percent


def pool_grids(pool: Pool, relevant: set[tuple[str, str]] | None = None) -> list[Grid]:
    """Return what each run, and each participant, contributed, and what each assessor judges.

    `relevant` are topics and documents with relevant text, where that is known.
    """
    runs = pool.runs
    found = [_contributed("runs", "run", contributions(pool, {run: run for run in runs}, relevant or set()))]
    names = {run: pool.participant(run) for run in runs}
    if pool.participants:
        counts = contributions(pool, names, relevant or set())
        found.append(_contributed("participants", "participant", counts))
    if relevant is None:
        found = [Grid(grid.header[:3], [row[:3] for row in grid.rows], grid.title) for grid in found]
    if pool.assessors:
        found.append(_assessors(pool))
    return found


def _contributed(title: str, name: str, counts: Sequence[Contribution]) -> Grid:
    header = [name, "documents", "alone", "relevant", "relevant alone"]
    return Grid(header, [list(count) for count in counts], title)


def _assessors(pool: Pool) -> Grid:
    names = dict.fromkeys(name for judges in pool.assessors.values() for name in judges)
    rows: list[list[Cell]] = []
    for name in names:
        topics = [topic for topic, judges in pool.assessors.items() if name in judges]
        shared = sum(len(pool.assessors[topic]) > 1 for topic in topics)
        documents = sum(len(pool.by_topic.get(topic, ())) for topic in topics)
        rows.append([name, len(topics), shared, documents, " ".join(topics)])
    return Grid(["assessor", "topics", "with another", "documents", "which"], rows, "assessors")


def reusability_grids(found: Reusability, *, for_programs: bool = False) -> list[Grid]:
    """Return three tables: runs whose participant is left out, unjudged results, and shallower pools."""
    columns = [
        *("run", "participant", "alone", "relevant alone", found.measure, "without", "change"),
        *("rank", "rank without", "significant", "significant without"),
    ]
    runs: list[Sequence[Cell]] = [_defined(row) for row in found.runs]
    unjudged: list[Sequence[Cell]] = [_defined(row) for row in found.unjudged]
    if not for_programs:
        unjudged = [[row[0], row[1], *(percent(float(share)) for share in row[2:])] for row in found.unjudged]
    shallow = [
        *("pool", "documents", "relevant", "topics"),
        *(f"mean {found.measure}", "mean with all", "tau", "tau-ap"),
    ]
    names = columns if not for_programs else list(LeftOut._fields)
    return [
        Grid(names, runs, "each participant left out"),
        Grid(list(Unjudged._fields), unjudged, "unjudged results"),
        Grid(
            list(Shallower._fields) if for_programs else shallow,
            [_defined(row) for row in found.shallower],
            "shallower pools",
        ),
    ]


def _defined(row: Sequence[Cell]) -> list[Cell]:
    return [None if cell != cell else cell for cell in row]
