"""Systems under two conditions: the scatter plots of Trotman and Lalmas (2005), Figures 1-3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from inexlab.errors import UsageError
from inexlab.report.figure import GREY, PALETTE, Data, FigureRow, OnPage, axis_name, figure
from inexlab.report.figures import plotting

if TYPE_CHECKING:
    from inexlab.scores import Scores

MOST_NAMES = 20  # systems that can all be named; of more only those whose ranks differ most
MOVED_NAMES = 8
LEAST_SPREAD = 0.25  # of the common axes: with less on one of them the dots would be a clot


def _chart(words: Mapping[str, str]) -> Any:
    alt = plotting()
    base = alt.Chart(alt.NamedData("systems"), width=360, height=360, title=words["title"])
    x = alt.X("x:Q", title=words["x"], scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=8))
    y = alt.Y("y:Q", title=words["y"], scale=alt.Scale(zero=False))
    line = alt.Chart(alt.NamedData("diagonal")).mark_line(color=GREY, strokeDash=[4, 3], strokeWidth=1)
    dots = base.mark_point(filled=True, size=50, color=PALETTE[0], opacity=0.9).encode(
        x=x,
        y=y,
        tooltip=[
            "system:N",
            alt.Tooltip("x:Q", format=".4f", title=words["x"]),
            alt.Tooltip("y:Q", format=".4f", title=words["y"]),
        ],
    )
    text = {"dy": -4, "fontSize": 9, "color": GREY}
    after = base.mark_text(align="left", dx=7, **text).encode(x=x, y=y, text="after:N")
    before = base.mark_text(align="right", dx=-7, **text).encode(x=x, y=y, text="before:N")
    return line.encode(x=x, y=y) + dots + after + before


@figure(
    "correlation",
    "two matrices",
    _chart,
    on_page=OnPage("correlation", "Correlation", 7, {"correlation": {}}),
)
def correlation(x: Scores, y: Scores) -> Data:
    """Each system's mean under one condition against its mean under another, with Kendall's tau.

    The dashed line is where both means are the same. Of many systems those are named whose ranks differ most.
    """
    from inexlab.statistics.correlation import correlations

    if x.systems != y.systems:
        raise UsageError("the two conditions score different systems.")
    means = x.totals().tolist(), y.totals().tolist()
    named = _named(*means)
    middle = (min(means[0]) + max(means[0])) / 2  # names on the right go before their dots, to stay inside
    rows: list[FigureRow] = []
    for i, (s, a, b) in enumerate(zip(x.systems, *means, strict=True)):
        name = s if i in named else ""
        sides = {"after": "" if a > middle else name, "before": name if a > middle else ""}
        rows.append({"system": s, "x": a, "y": b, **sides})
    tau = float(correlations([x, y])[0, 1])
    words = {"x": axis_name(x), "y": axis_name(y), "title": f"Kendall's τ = {tau:.3f}" if tau == tau else ""}
    return Data({"systems": rows, "diagonal": _diagonal(*means)}, words)


def _named(x: Sequence[float], y: Sequence[float]) -> set[int]:
    """Return the places of the systems to name."""
    if len(x) <= MOST_NAMES:
        return set(range(len(x)))
    first, second = (
        {s: rank for rank, s in enumerate(sorted(range(len(v)), key=lambda s: -v[s]))} for v in (x, y)
    )
    moved = sorted(range(len(x)), key=lambda s: -abs(first[s] - second[s]))
    return set(moved[:MOVED_NAMES])


def _diagonal(x: Sequence[float], y: Sequence[float]) -> list[FigureRow]:
    """Return the ends of the line of equal means; none where the axes have too little in common."""
    low, high = min(*x, *y), max(*x, *y)
    if min(max(v) - min(v) for v in (x, y)) < LEAST_SPREAD * (high - low) or low == high:
        return []
    return [{"x": low, "y": low}, {"x": high, "y": high}]
