"""How far assessors agree: the character F1 of each pair on every topic, and its mean with its interval."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inexlab.errors import UsageError
from inexlab.report.figure import PALETTE, Data, FigureRow, OnPage, figure, number
from inexlab.report.figures import plotting

if TYPE_CHECKING:
    from inexlab.experiments.assessors import AssessorAgreement

SECTION, SHORT, PLACE = "assessors", "Assessors", 10


def _chart(words: Mapping[str, str]) -> Any:
    alt = plotting()
    axis = alt.Y("pair:N", sort=None, title=None, axis=alt.Axis(labelLimit=240))
    scale = alt.Scale(domain=[0, 1])
    width = 480
    dots = (
        alt.Chart(alt.NamedData("topics"), width=width)
        .mark_point(filled=True, size=34, opacity=0.7, color=PALETTE[1])
        .encode(
            x=alt.X("f1:Q", scale=scale, title=words["x"]),
            y=axis,
            tooltip=["pair:N", "topic:N", alt.Tooltip("f1:Q", format=".3f", title="F1")],
        )
    )
    means = alt.Chart(alt.NamedData("pairs"), width=width)
    tooltip = ["pair:N", *(alt.Tooltip(f"{name}:Q", format=".3f") for name in ("mean", "low", "high"))]
    bars = means.mark_rule(strokeWidth=3, color=PALETTE[0]).encode(
        x=alt.X("low:Q", scale=scale, title=words["x"]), x2="high:Q", y=axis, tooltip=tooltip
    )
    centres = means.mark_point(filled=True, size=110, color=PALETTE[0], opacity=1).encode(
        x=alt.X("mean:Q", scale=scale, title=words["x"]), y=axis, tooltip=tooltip
    )
    return bars + dots + centres  # dots above the interval, which would hide them


_CHARTS = {"assessors": {"x": "character F1"}}


@figure(
    "assessors",
    "assessors",
    _chart,
    on_page=OnPage(SECTION, SHORT, PLACE, _CHARTS, rows_of_figure=True),
)
def assessors(found: AssessorAgreement) -> Data:
    """The character F1 of each pair of assessors: a small dot for each topic, their mean, its interval."""
    means: list[FigureRow] = []
    topics: list[FigureRow] = []
    for pair in found.pairs:
        if ("text", "F1") not in pair.statistics:
            continue
        name = f"{pair.a} – {pair.b}"
        mean = pair["text", "F1"]
        values = pair.by_topic[:, pair.statistics.index(("text", "F1"))].tolist()
        means.append(
            {"pair": name, "mean": number(mean.value), "low": number(mean.low), "high": number(mean.high)}
        )
        topics += [
            {"pair": name, "topic": topic, "f1": number(value)}
            for topic, value in zip(pair.topics, values, strict=True)
            if value == value
        ]
    if not topics:
        raise UsageError("which text the assessors highlighted is not known: give `collection=DIR`.")
    return Data({"topics": topics, "pairs": means}, {"x": "character F1"}, 34 * len(means) + 10)
