"""Chunkers compared, as tables: means, intervals, groups, ceilings, and how much a threshold matters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inexlab.report.tables import Cell, Grid
from inexlab.scores import Scores
from inexlab.statistics import Comparison


def chunk_table(parts: Mapping[str, Any], *, for_programs: bool = False) -> Grid:
    """Return a chunking to a row, the best by the first measure on top; for programs with every number."""
    scores: Sequence[Scores] = parts["scores"]
    compared: Sequence[Comparison] = parts["comparisons"]
    ceilings: Scores | None = parts["ceilings"]
    first = scores[0]
    totals = [s.totals().tolist() for s in scores]
    order = sorted(range(len(first.systems)), key=lambda s: (-_or_zero(totals[0][s]), s))
    by_first = compared[0] if compared and compared[0].matrix.name == first.name else None
    letters = dict(zip(by_first.order(), by_first.letters(), strict=True)) if by_first else {}
    level = f"{100 * (1 - by_first.alpha):g}%" if by_first else ""
    header = ["chunks", "number", "mean length", "gold in one chunk", first.name]
    if by_first:
        header += ["low", "high", "group"] if for_programs else [f"{level} interval", "group"]
    header += ["ceiling"] if ceilings is not None else []
    header += [s.name for s in scores[1:]]
    rows: list[list[Cell]] = []
    for s in order:
        name = first.systems[s]
        size, whole = parts["sizes"].get(name), parts["whole"].get(name)
        row: list[Cell] = [
            name,
            size[0] if size else None,
            _length(size[1], for_programs) if size else None,
            whole if for_programs or whole is None else f"{100 * whole:.0f}%",
            _cell(totals[0][s]),
        ]
        if by_first:
            low, high = float(by_first.mean_low[s]), float(by_first.mean_high[s])
            interval = None if math.isnan(low) else f"{low:.4f} … {high:.4f}"
            row += [_cell(low), _cell(high)] if for_programs else [interval]
            row.append(letters.get(s, "") or None)
        if ceilings is not None:
            row.append(_cell(ceilings.totals()[s]))
        row += [_cell(total[s]) for total in totals[1:]]
        if for_programs:
            row += [_cell(value) for value in parts["sensitivity"].get(name, {}).values()]
        rows.append(row)
    if for_programs:
        shares: Mapping[str, float] = next(iter(parts["sensitivity"].values()), {})
        header += [f"Chunk(measure=nDCG@10,rel={share})" for share in shares]
    notes = []
    if by_first:
        notes = [f"Chunkings that share a letter are not shown to differ: {by_first.description}."]
        notes += [by_first.few_topics] if by_first.few_topics else []
    if ceilings is not None:
        notes.append(
            "The ceiling is what the best ranking of the same chunks would reach; where chunks overlap, an "
            "upper bound."
        )
    return Grid(header, rows, notes=notes)


def chunk_grids(parts: Mapping[str, Any]) -> Iterator[Grid]:
    """Yield the tables for people: chunkings, then how nDCG@10 depends on what a relevant chunk is."""
    table = chunk_table(parts)
    yield table
    sensitivity: Mapping[str, Mapping[str, float]] = parts["sensitivity"]
    shares = list(next(iter(sensitivity.values()), {}))
    if shares:
        rows: list[list[Cell]] = [
            [row[0], *(_cell(value) for value in sensitivity[str(row[0])].values())] for row in table.rows
        ]
        title = "nDCG@10 of chunks, by how much of a highlight a relevant chunk has"
        yield Grid(["chunks", *shares], rows, title)


def _length(mean: float, for_programs: bool) -> Cell:
    return mean if for_programs else round(mean)


def _cell(value: float) -> float | None:
    return None if value != value else float(value)


def _or_zero(value: float) -> float:
    return 0.0 if value != value else float(value)
