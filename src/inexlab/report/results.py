"""The results page of a campaign: for each task the best run of each participant, best first."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inexlab.errors import UnknownNameError
from inexlab.measures import Evaluation
from inexlab.report.grids import write_grid
from inexlab.report.scores import FORMATS, percent
from inexlab.report.tables import Cell, Grid, to_separated


@dataclass(frozen=True)
class TaskResults:
    """A task's scores, with what is known of its runs: participant and description, by run id."""

    name: str
    title: str
    evaluation: Evaluation
    participants: Mapping[str, str]
    descriptions: Mapping[str, str]
    doubtful: Sequence[str] = ()  # measures with an unverified parameter


def write_results_page(
    tasks: Sequence[TaskResults], output: str, *, top: int = 10, best: bool = True, per_topic: bool = False
) -> str:
    """Return the page. Tables show the `best` run of each participant, the `top` of them (0: all).

    For programs every run, measure and (if asked for) topic has its row.
    """
    if output not in FORMATS:
        raise UnknownNameError("output format", output, FORMATS)
    if output in ("json", "csv", "tsv"):
        rows = [
            (task.name, task.participants[row.run], *row)
            for task in tasks
            for row in task.evaluation.rows(per_topic)
        ]
        header = ("task", "participant", "run", "topic", "measure", "value")
        if output == "json":
            records = [json.dumps(dict(zip(header, row, strict=True))) for row in rows]
            return "[\n" + ",\n".join(records) + "\n]\n"
        return to_separated(iter(rows), header, "," if output == "csv" else "\t")
    grids = [_grid(task, top, best) for task in tasks]
    return "\n".join(write_grid(grid, output, 10_000) for grid in grids)


def _grid(task: TaskResults, top: int, best: bool) -> Grid:
    scores = task.evaluation.scores
    totals = [s.totals().tolist() for s in scores]
    systems = scores[0].systems
    ranked = sorted(range(len(systems)), key=lambda s: (-_low(totals[0][s]), systems[s]))
    if best:
        first: dict[str, int] = {}
        for s in ranked:
            first.setdefault(task.participants[systems[s]], s)
        ranked = list(first.values())
    named = any(task.participants[run] != run for run in systems)
    described = any(task.descriptions.get(systems[s]) for s in ranked)
    measures = [f"{m.measure}{'?' if str(m.measure) in task.doubtful else ''}" for m in scores]
    unjudged = task.evaluation.unjudged if any(task.evaluation.unjudged.values()) else {}
    header = [
        "rank",
        *(["participant"] if named else []),
        "run",
        *measures,
        *(["unjudged"] if unjudged else []),
        *(["description"] if described else []),
    ]
    rows: list[list[Cell]] = []
    for place, s in enumerate(ranked[: top or None], start=1):
        run = systems[s]
        whole = [m.measure.definition.total == "sum" for m in scores]
        values: list[Cell] = [
            None if math.isnan(total[s]) else int(total[s]) if sums else total[s]
            for total, sums in zip(totals, whole, strict=True)
        ]
        who = [task.participants[run]] if named else []
        what = [task.descriptions.get(run, "")] if described else []
        share = [percent(unjudged[run])] if unjudged else []
        rows.append([place, *who, run, *values, *share, *what])
    shown = f", best run of each of {len(first)} participants" if best and named else ""
    return Grid(header, rows, f"{task.title}: {len(systems)} runs{shown}")


def _low(value: float) -> float:
    return -math.inf if math.isnan(value) else value
