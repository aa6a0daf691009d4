"""Judgement sets and strict runs of content-and-structure topics in print."""

from __future__ import annotations

from inexlab.experiments.cas import CountedSets, StrictRun, StrictRuns
from inexlab.judgements.cas import INTERPRETATIONS
from inexlab.report.tables import Cell, Grid


def counts_grid(counted: CountedSets) -> Grid:
    """Return the number of relevant elements in the four sets of each topic."""
    rows: list[list[Cell]] = [
        [id, *(counts[name] for name in INTERPRETATIONS)] for id, counts in counted.counts.items()
    ]
    return Grid(("topic", *INTERPRETATIONS), rows)


def strict_runs_grid(strict: StrictRuns) -> Grid:
    """Return how much of each run is left."""
    return Grid([name.replace("_", " ") for name in StrictRun._fields], strict.runs)
