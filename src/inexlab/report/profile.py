"""Profiles of runs in print."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from inexlab.experiments.profile import RunProfile
from inexlab.report.tables import Cell, Grid


def profile_grid(profiles: Sequence[RunProfile], *, for_programs: bool = False) -> Grid:
    """Return the rows of all runs, numbers rounded for people."""
    made = [row for profile in profiles for row in profile.rows]
    rows: list[list[Cell]] = [
        [cell if for_programs else _rounded(cell) for cell in row.values()] for row in made
    ]
    return Grid(list(made[-1]) if made else [], rows)


def _rounded(cell: Any) -> Any:
    """Return a number as people want it, with one decimal: of 44 results, 4.5455% says no more than 4.5%."""
    return Decimal(f"{cell:.1f}") if isinstance(cell, float) else cell
