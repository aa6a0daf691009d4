"""Systems under two conditions: the scatter plots of Trotman and Lalmas (2005), Figures 1-3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inexlab.errors import UsageError
from inexlab.report.figure import PALETTE, Data, figure
from inexlab.report.figures import plotting

if TYPE_CHECKING:
    from inexlab.statistics import ScoreMatrix


def _chart(words: Mapping[str, str]) -> Any:
    alt = plotting()
    base = alt.Chart(alt.NamedData("systems"), width=360, height=360, title=words["title"])
    return base.mark_point(filled=True, size=50, color=PALETTE[0], opacity=0.9).encode(
        x=alt.X("x:Q", title=words["x"], scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=8)),
        y=alt.Y("y:Q", title=words["y"], scale=alt.Scale(zero=False)),
        tooltip=[
            "system:N",
            alt.Tooltip("x:Q", format=".4f", title=words["x"]),
            alt.Tooltip("y:Q", format=".4f", title=words["y"]),
        ],
    )


@figure("correlation", "two matrices", _chart)
def correlation(x: ScoreMatrix, y: ScoreMatrix) -> Data:
    """Each system's mean under one condition against its mean under another, with Kendall's tau."""
    from inexlab.statistics.correlation import correlations

    if x.systems != y.systems:
        raise UsageError("the two conditions score different systems.")
    means = x.means().tolist(), y.means().tolist()
    rows = [{"system": s, "x": a, "y": b} for s, a, b in zip(x.systems, *means, strict=True)]
    tau = float(correlations([x, y])[0, 1])
    return Data({"systems": rows}, {"x": x.name, "y": y.name, "title": f"Kendall's τ = {tau:.3f}"})
