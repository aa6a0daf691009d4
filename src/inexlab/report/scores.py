"""An evaluation in print: its numbers in any of the output formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from inexlab.measures import Evaluation, Measure
from inexlab.report.grids import FORMATS, write_grid
from inexlab.report.latex_tables import scores_table
from inexlab.report.tables import SUBMITTED, Cell, Grid, percent, to_separated, with_tasks
from inexlab.statistics import Comparison

__all__ = ["FORMATS", "best_first", "write_scores"]


def write_scores(
    evaluation: Evaluation,
    output: str,
    *,
    per_topic: bool = False,
    doubtful: Callable[[Measure], bool] = lambda _: False,
    width: int = 100,
    comparisons: Sequence[Comparison | None] = (),
    baseline: str = "",
    submitted: Mapping[str, str] | None = None,
) -> str:
    """Return the scores as text; for programs in the order of the runs, for people best first.

    Best is by the first measure. Measures with a `doubtful` value carry a `?` in tables for people. LaTeX
    has the best in bold and marks what `comparisons` (one per measure) found against the best or a
    baseline. `submitted` has the task of each run, where these are of several.
    """
    if output in ("json", "csv", "tsv"):
        header = ["run", *([SUBMITTED] if submitted else []), "topic", "measure", "value"]
        rows = (
            [row.run, *([submitted[row.run]] if submitted else []), row.topic, row.measure, row.value]
            for row in evaluation.rows(per_topic)
        )
        if output == "json":
            records = [json.dumps(dict(zip(header, row, strict=True))) for row in rows]
            return "[\n" + ",\n".join(records) + "\n]\n"
        return to_separated(rows, header, "," if output == "csv" else "\t")
    evaluation = best_first(evaluation)
    if output == "latex" and not per_topic and evaluation.scores:
        tested = comparisons or [None] * len(evaluation.scores)
        return scores_table(evaluation, tested, baseline, doubtful, submitted)
    grid = _grid(evaluation, per_topic, doubtful)
    if output != "latex" and not per_topic and any(evaluation.unjudged.values()):
        shares: list[list[Cell]] = [[*row, percent(evaluation.unjudged[str(row[0])])] for row in grid.rows]
        grid = Grid([*grid.header, "unjudged"], shares)
    if submitted:
        grid = with_tasks(grid, submitted)
    if output == "latex":
        grid = Grid(grid.header, grid.rows, "Scores on each topic, and over all")
    return write_grid(grid, output, width)


def best_first(evaluation: Evaluation) -> Evaluation:
    """Return the evaluation with its runs in the order of the first measure; runs without a score last."""
    if not evaluation.scores:
        return evaluation
    first = evaluation.scores[0]
    order = np.argsort(-np.nan_to_num(first.totals(), nan=-np.inf), kind="stable").tolist()
    ranked = [first.systems[s] for s in order]
    return replace(evaluation, scores=tuple(scores.choose(ranked) for scores in evaluation.scores))


def _grid(evaluation: Evaluation, per_topic: bool, doubtful: Callable[[Measure], bool]) -> Grid:
    names = [f"{scores.measure}{'?' if doubtful(scores.measure) else ''}" for scores in evaluation.scores]
    header = ["run", "topic", *names] if per_topic else ["run", *names]
    rows: list[list[Cell]] = []
    key: tuple[str, str] | None = None
    for row in evaluation.rows(per_topic):
        if (row.run, row.topic) != key:
            key = (row.run, row.topic)
            rows.append([row.run, row.topic] if per_topic else [row.run])
        rows[-1].append(row.value)
    return Grid(header, rows)
