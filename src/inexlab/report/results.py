"""The results page of a campaign: for each task the best run of each participant, best first."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from inexlab.experiments import Scored
from inexlab.report.grids import known_format, write_grid
from inexlab.report.latex import Tex, latex_text, to_latex
from inexlab.report.latex_tables import caption, marked_columns
from inexlab.report.tables import SUBMITTED, Cell, Grid, percent, to_separated
from inexlab.statistics import Comparison
from inexlab.wording import counted


def write_results_page(
    tasks: Sequence[Scored],
    output: str,
    *,
    top: int = 10,
    best: bool = True,
    per_topic: bool = False,
    comparisons: Sequence[Sequence[Comparison | None]] = (),
    baseline: str = "",
) -> str:
    """Return the page. Tables show the `best` run of each participant, the `top` of them (0: all).

    LaTeX has a table per task, with the best in bold and what `comparisons` (of each task, by each of its
    measures) found against the best or a baseline marked. For programs every run, measure and (if asked
    for) topic has its row.
    """
    known_format(output)
    if output in ("json", "csv", "tsv"):
        several = any(task.submitted for task in tasks)
        rows = [
            (
                task.experiment.name,
                task.participant(row.run),
                row.run,
                *([task.tasks[row.run]] if several else []),
                *row[1:],
            )
            for task in tasks
            for row in task.evaluation.rows(per_topic)
        ]
        submitted = [SUBMITTED] if several else []
        header = ("task", "participant", "run", *submitted, "topic", "measure", "value")
        if output == "json":
            records = [json.dumps(dict(zip(header, row, strict=True))) for row in rows]
            return "[\n" + ",\n".join(records) + "\n]\n"
        return to_separated(iter(rows), header, "," if output == "csv" else "\t")
    if output == "latex":
        tested = [*comparisons] or [()] * len(tasks)
        return "\n".join(_latex(*both, baseline, top, best) for both in zip(tasks, tested, strict=True))
    grids = [_grid(task, top, best) for task in tasks]
    return "\n".join(write_grid(grid, output, 10_000) for grid in grids)


def _latex(
    task: Scored, comparisons: Sequence[Comparison | None], baseline: str, top: int, best: bool
) -> str:
    """Return a task's table for a paper: the rows of its grid, with the means marked."""
    grid, scores = _grid(task, top, best), task.evaluation.scores
    tested = comparisons or [None] * len(scores)
    columns = marked_columns(scores, tested, baseline)
    run = grid.header.index("run")
    rows: list[list[Cell]] = []
    for cells in grid.rows:
        system = scores[0].systems.index(str(cells[run]))
        marked = [column[system] for column in columns]
        first = run + 1 + bool(task.submitted)  # column of means
        rows.append([*cells[:first], *marked, *cells[first + len(columns) :]])
    doubts = any(task.experiment.doubtful(s.measure) for s in scores)
    caption_text = caption(scores, tested, baseline, doubts=doubts)
    return to_latex(Grid(grid.header, rows, Tex(f"{latex_text(grid.title)}. {caption_text}")))


def _grid(task: Scored, top: int, best: bool) -> Grid:
    scores = task.evaluation.scores
    totals = [s.totals().tolist() for s in scores]
    systems = scores[0].systems
    ranked = sorted(range(len(systems)), key=lambda s: (-_low(totals[0][s]), systems[s]))
    if best:
        first: dict[str, int] = {}
        for s in ranked:
            first.setdefault(task.participant(systems[s]), s)
        ranked = list(first.values())
    named = any(task.participant(run) != run for run in systems)
    described = any(task.descriptions.get(systems[s]) for s in ranked)
    measures = [f"{m.measure}{'?' if task.experiment.doubtful(m.measure) else ''}" for m in scores]
    unjudged = task.evaluation.unjudged if any(task.evaluation.unjudged.values()) else {}
    header = [
        "rank",
        *(["participant"] if named else []),
        "run",
        *([SUBMITTED] if task.submitted else []),
        *measures,
        *(["unjudged"] if unjudged else []),
        *(["description"] if described else []),
    ]
    rows: list[list[Cell]] = []
    for place, s in enumerate(ranked[: top or None], start=1):
        run = systems[s]
        whole = [m.total == "sum" for m in scores]
        values: list[Cell] = [
            None if math.isnan(total[s]) else int(total[s]) if sums else total[s]
            for total, sums in zip(totals, whole, strict=True)
        ]
        who = [task.participant(run)] if named else []
        what = [task.descriptions.get(run, "")] if described else []
        share = [percent(unjudged[run])] if unjudged else []
        submitted: list[Cell] = [task.submitted[run] or None] if task.submitted else []
        rows.append([place, *who, run, *submitted, *values, *share, *what])
    of_each = f", best run of each of {counted(len(first), 'participant')}" if best and named else ""
    return Grid(header, rows, f"{task.experiment.title}: {counted(len(systems), 'run')}{of_each}")


def _low(value: float) -> float:
    return -math.inf if math.isnan(value) else value
