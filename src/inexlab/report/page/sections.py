"""The figures of the page: its sections, and the rows of each figure that needs no choice of the reader."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from inexlab.errors import PlugInError, UsageError
from inexlab.report.content import TaskContent
from inexlab.report.figure import Figure, figures
from inexlab.report.figures import specification
from inexlab.scores import common_topics


def page_sections(*, cuts: bool = False) -> list[dict[str, str]]:
    """Return the sections in their order: what was compared, those of the figures, then figures as they are.

    Where chunks are compared, one of what they cut follows the overview. One without `heading` is made by the
    page's script.
    """
    placed = {f.on_page.place: f.on_page for f in figures.values() if f.on_page is not None}
    sections = [{"id": "overview", "short": "Overview"}]
    sections += [{"id": "cuts", "short": "Cuts"}] if cuts else []
    sections += [{"id": placed[i].section, "short": placed[i].short} for i in sorted(placed)]
    for figure in figures.values():
        if figure.on_page is None:
            heading, _, how = figure.doc.partition("\n")
            short = figure.name.replace("-", " ")
            sections.append(
                {
                    "id": f"figure-{figure.name}",
                    "short": short[:1].upper() + short[1:],
                    "heading": heading.rstrip(".") or short,
                    "how": " ".join(how.split()),
                    "figure": figure.name,
                }
            )
    return sections


def page_figures(task: TaskContent, titles: Mapping[str, str]) -> dict[str, Any]:
    """Return for each figure whose rows are made here its tables, or the reason why there are none."""
    made = {}
    for figure in figures.values():
        if figure.on_page is None or figure.on_page.rows_of_figure:
            material = _material(figure, task, titles)
            if material is not None:
                made[figure.name] = _drawn(figure, *material)
    return made


def _material(
    figure: Figure, task: TaskContent, titles: Mapping[str, str]
) -> tuple[list[Any], dict[str, Any]] | None:
    """Return what a figure is made of; None if the task has no such thing."""
    options: dict[str, Any] = {}
    found: list[Any] = []
    matrix = task.matrices[0]
    by_mean = [matrix.systems[s] for s in (-matrix.totals()).argsort(kind="stable").tolist()]
    if figure.needs == "assessors":
        found = [task.assessors] if task.assessors else []
    elif figure.needs == "profiles":
        found, options = [task.profiles] if task.profiles else [], {"order": by_mean}
    elif figure.needs == "curve":
        found = list(task.curves[:1])
    elif figure.needs == "comparison":
        found = [task.comparison] if task.comparison else []
    elif figure.needs == "two comparisons":
        found = list(task.decisions[:2]) if len(task.decisions) > 1 else []
    elif figure.needs == "two matrices":
        found = list(common_topics(task.matrices[:2])[0]) if len(task.matrices) > 1 else []
    elif figure.needs == "pair":
        found, options = [matrix, *by_mean[:2]] if len(by_mean) > 1 else [], {"titles": titles}
    else:
        found, options = [matrix], {"titles": titles}
    return (found, options) if found else None


def _drawn(figure: Figure, material: list[Any], options: dict[str, Any]) -> dict[str, Any]:
    try:
        data = figure.data(*material, **options)
    except PlugInError:
        raise
    except UsageError as error:  # there is nothing to draw, and the message says why
        return {"message": str(error)}
    rows = {
        name: [{key: finite(value) for key, value in row.items()} for row in rows]
        for name, rows in data.tables.items()
    }
    own = {} if figure.on_page is not None else {"chart": specification(figure.chart(data.words))}
    words = {"words": dict(data.words)}
    return {"tables": rows, "height": data.height, "title": data.title, "note": data.note, **words, **own}


def finite(cell: Any) -> Any:
    """Return a cell as JSON has it: None if a number is undefined."""
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell
