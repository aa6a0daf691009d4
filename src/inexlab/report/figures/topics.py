"""Hard and easy topics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inexlab.report.figure import GREY, PALETTE, Data, OnPage, axis_name, figure
from inexlab.report.figures import plotting

if TYPE_CHECKING:
    from inexlab.scores import Scores


KEY = {"range of all systems": GREY, "their middle half": PALETTE[5], "their mean": PALETTE[1]}


def _chart(words: Mapping[str, str]) -> Any:
    alt = plotting()
    base = alt.Chart(alt.NamedData("topics"), width=560, height=260)
    x = alt.X("topic:N", sort=None, title=words["x"], axis=alt.Axis(labelAngle=-90, labelOverlap=True))
    tip = [
        "topic:N",
        "title:N",
        *(alt.Tooltip(f"{name}:Q", format=".4f") for name in ("mean", "low", "q1", "median", "q3", "high")),
        alt.Tooltip("best:N", title="best system"),
    ]

    def y(field: str) -> Any:
        return alt.Y(f"{field}:Q", title=words["y"])

    key = alt.Color(
        "part:N",
        scale=alt.Scale(domain=list(KEY), range=list(KEY.values())),
        legend=alt.Legend(title=None, orient="bottom"),
    )
    whole, middle, mean = (base.transform_calculate(part=f"'{name}'") for name in KEY)
    ranges = whole.mark_rule().encode(x=x, y=y("low"), y2="high:Q", color=key)
    halves = middle.mark_bar(width={"band": 0.6}).encode(x=x, y=y("q1"), y2="q3:Q", color=key, tooltip=tip)
    means = mean.mark_point(filled=True, size=30, opacity=1).encode(x=x, y=y("mean"), color=key, tooltip=tip)
    return ranges + halves + means


_CHARTS = {"topics": {"x": "topics, hard to easy"}}


@figure("topics", "matrix", _chart, on_page=OnPage("topics", "Topics", 9, _CHARTS, rows_of_figure=True))
def topics(matrix: Scores, titles: Mapping[str, str] | None = None) -> Data:
    """The scores of all systems on each topic, hardest first: range, middle half and mean (dot)."""
    import numpy as np

    low, q1, median, q3, high = np.percentile(matrix.values, [0, 25, 50, 75, 100], axis=0)
    mean = matrix.values.mean(axis=0)
    rows = [
        {
            "topic": matrix.topics[t],
            "title": (titles or {}).get(matrix.topics[t], ""),
            "mean": float(mean[t]),
            "low": float(low[t]),
            "q1": float(q1[t]),
            "median": float(median[t]),
            "q3": float(q3[t]),
            "high": float(high[t]),
            "best": matrix.systems[int(matrix.values[:, t].argmax())],
        }
        for t in mean.argsort(kind="stable").tolist()
    ]
    return Data({"topics": rows}, {"x": "topics, hard to easy", "y": axis_name(matrix)})
