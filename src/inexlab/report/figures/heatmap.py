"""The heat map of scores, systems by topics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inexlab.report.figure import Data, OnPage, axis_name, figure
from inexlab.report.figures import plotting

if TYPE_CHECKING:
    from inexlab.scores import Scores


def _chart(words: Mapping[str, str]) -> Any:
    alt = plotting()
    base = alt.Chart(alt.NamedData("cells"), width=alt.Step(12), height=alt.Step(14))
    return base.mark_rect().encode(
        x=alt.X("topic:N", sort=None, title=words["x"], axis=alt.Axis(labelAngle=-90)),
        y=alt.Y("system:N", sort=None, title=None, axis=alt.Axis(labelLimit=260)),
        color=alt.Color("score:Q", scale=alt.Scale(scheme="cividis"), title=words["title"]),
        tooltip=["system:N", "topic:N", "title:N", alt.Tooltip("score:Q", format=".4f")],
    )


@figure("heatmap", "matrix", _chart, on_page=OnPage("heatmap", "Heat map", 3))
def heat_map(matrix: Scores, titles: Mapping[str, str] | None = None) -> Data:
    """Every system's score on every topic: systems best first, topics from hard to easy."""
    by_mean = (-matrix.totals()).argsort(kind="stable").tolist()
    by_difficulty = matrix.values.mean(axis=0).argsort(kind="stable").tolist()
    rows = [
        {
            "system": matrix.systems[s],
            "topic": matrix.topics[t],
            "title": (titles or {}).get(matrix.topics[t], ""),
            "score": float(matrix.values[s, t]),
        }
        for s in by_mean
        for t in by_difficulty
    ]
    return Data({"cells": rows}, {"x": "topics, hard to easy", "title": axis_name(matrix)})
