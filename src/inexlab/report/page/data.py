"""The report's content as JSON for the page: every number once, with all its digits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from inexlab.experiments.assessors import AssessorAgreement
from inexlab.report.assessors import assessor_grids
from inexlab.report.content import ReportContent, SystemProfile, TaskContent
from inexlab.report.curves import Curve
from inexlab.report.latex_tables import in_words
from inexlab.report.page.sections import finite, page_figures, page_sections
from inexlab.report.tables import shortened
from inexlab.statistics import Comparison
from inexlab.statistics.agreement import agreement
from inexlab.statistics.correlation import correlations
from inexlab.statistics.names import name_of_correction, procedure
from inexlab.statistics.testing import significance_tests


def page_data(content: ReportContent) -> dict[str, Any]:
    """Return all that the page's script needs."""
    testing = content.testing
    test, correction = in_words(testing.test, testing.correction)
    return {
        "title": content.title,
        "titles": dict(content.titles),
        "testing": {
            "test": test,
            "samples": significance_tests[testing.test].samples,
            "correction": correction,
            "alpha": testing.alpha,
            "resamples": testing.sampling.resamples,
            "seed": testing.sampling.seed,
        },
        "sections": page_sections(cuts=any(task.cuts for task in content.tasks)),
        "versions": dict(content.versions),
        "files": [list(file) for file in content.files],
        "tasks": [_task(task, content.titles) for task in content.tasks],
    }


def _task(task: TaskContent, titles: Mapping[str, str]) -> dict[str, Any]:
    scores = task.evaluation.scores
    systems = scores[0].systems
    of_matrix = [next(i for i, s in enumerate(scores) if str(s.measure) == m.name) for m in task.matrices]
    return {
        "name": task.name,
        "title": task.title,
        "systems": list(systems),
        "participants": [task.participants.get(s, "") for s in systems],
        "descriptions": [task.descriptions.get(s, "") for s in systems],
        "submitted": [task.submitted.get(s, "") for s in systems],
        "unjudged": _unjudged(task, systems),
        "topics": list(scores[0].topics),
        "measures": [
            {
                "name": str(s.measure),
                "summary": s.measure.definition.summary,
                "sum": s.measure.definition.total == "sum",
                "doubtful": str(s.measure) in task.doubtful,
                "means": numbers(s.totals()),
                "scores": numbers(s.values),
            }
            for s in scores
        ],
        "main": of_matrix[0],
        "comparison": _comparison(task.comparison) if task.comparison else None,
        "conditions": _conditions(task, of_matrix),
        "curves": [_curve(curve) for curve in task.curves],
        "profile": _profile(task.profiles),
        "figures": page_figures(task, titles),
        "cuts": asdict(task.cuts) if task.cuts else None,
        "assessors": _assessors(task.assessors),
        "policy": list(task.policy),
        "notes": list(task.notes),
    }


def _unjudged(task: TaskContent, systems: Sequence[str]) -> list[float] | None:
    """The share of each system's results in unjudged documents; None if all are judged."""
    shares = task.evaluation.unjudged
    return [float(shares.get(s, 0.0)) for s in systems] if any(shares.values()) else None


def _comparison(comparison: Comparison) -> dict[str, Any]:
    order, letters = comparison.order(), comparison.letters()
    by_system = dict(zip(order, letters, strict=True))
    return {
        "topics": list(comparison.matrix.topics),
        "means": numbers(comparison.matrix.totals()),
        "low": numbers(comparison.mean_low),
        "high": numbers(comparison.mean_high),
        "order": order,
        "letters": [by_system[s] for s in range(len(order))],
        "short": [shortened(by_system[s]) for s in range(len(order))],
        "how": procedure(comparison.test, comparison.tail, comparison.correction, comparison.alpha),
        "family": name_of_correction(comparison.correction, len(comparison)),
        "conclusive": comparison.conclusive,
        "few": comparison.few_topics,
        "better": _bits(comparison),
        "p": _p_values(comparison),
        "found": int(comparison.significant.sum()),
        "hypotheses": len(comparison),
        "warnings": list(comparison.warnings),
    }


def _p_values(comparison: Comparison) -> list[list[float | None]]:
    """The adjusted p-value of "row is no better than column", to four digits: more would be noise."""
    table = np.full((len(comparison.matrix.systems),) * 2, np.nan)
    table[comparison.a, comparison.b] = comparison.p_adjusted
    return [[None if v != v else float(f"{v:.4g}") for v in row] for row in table.tolist()]


def _bits(comparison: Comparison) -> list[str]:
    return ["".join("1" if found else "0" for found in row) for row in comparison.better.tolist()]


def _conditions(task: TaskContent, of_matrix: Sequence[int]) -> dict[str, Any] | None:
    """Measures against each other: correlations of all, agreement of decisions of the first few."""
    if len(task.matrices) < 2 or task.comparison is None:
        return None
    found: dict[str, Any] = {
        "names": [m.name for m in task.matrices],
        "measures": list(of_matrix),
        "means": [numbers(m.totals()) for m in task.matrices],
        "tau": numbers(correlations(task.matrices)),
        "decisions": [],
    }
    if len(task.decisions) > 1:
        agreed = agreement(task.decisions)
        tables = {name: getattr(agreed, name) for name in ("share", "recall", "precision", "f1")}
        found["decisions"] = [
            {"name": c.matrix.name, "means": numbers(c.matrix.totals()), "better": _bits(c)}
            for c in task.decisions
        ]
        found["agreement"] = {name: numbers(table) for name, table in tables.items()}
        found["topics"] = len(task.decisions[0].matrix.topics)
        found["few"] = task.decisions[0].few_topics
    return found


def _curve(curve: Curve) -> dict[str, Any]:
    return {
        "name": curve.name,
        "axis": curve.axis,
        "points": list(curve.points),
        "values": numbers(curve.values),
    }


def _assessors(found: AssessorAgreement | None) -> dict[str, Any] | None:
    """How far assessors agree: a table for each pair and for all, of rankings, and of a candidate."""
    if found is None:
        return None
    grids = assessor_grids(found)
    return {
        "names": list(found.names),
        "tables": [
            {
                "title": grid.title,
                "columns": list(grid.header),
                "rows": [[finite(cell) for cell in row] for row in grid.rows],
            }
            for grid in grids
        ],
        "notes": list(found.notes),
    }


def _profile(profiles: Sequence[SystemProfile]) -> dict[str, Any] | None:
    if not profiles:
        return None
    columns = list(dict.fromkeys(name for p in profiles for name in p.figures))
    return {
        "systems": [p.system for p in profiles],
        "columns": columns,
        "rows": [[finite(p.figures.get(name)) for name in columns] for p in profiles],
    }


def numbers(table: Any) -> Any:
    """Return an array as lists, with None if a number is undefined and whole numbers without a point."""
    if isinstance(table, np.ndarray):
        return numbers(table.tolist())
    if isinstance(table, list):
        return [numbers(entry) for entry in table]
    if not math.isfinite(table):
        return None
    return int(table) if float(table).is_integer() else table
