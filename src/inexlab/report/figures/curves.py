"""Curves over recall or ranks: ep/gr, nxCG, iP, gP, precall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from inexlab.report.figure import GREYS, PALETTE, Data, OnPage, figure, number
from inexlab.report.figures import plotting

if TYPE_CHECKING:
    from inexlab.report.curves import Curve


# No line is of dots alone, which vanish on dark paper.
DASHES = ([1, 0], [8, 3], [5, 2], [8, 3, 2, 3], [3, 2], [12, 4])


def _chart(words: Mapping[str, str]) -> Any:
    alt = plotting()
    scale = alt.Scale(type="log", nice=False) if words["x"] == "rank" else alt.Scale(domain=[0, 1])
    x = alt.X("x:Q", title=words["x"], scale=scale, axis=alt.Axis(tickCount=10))

    def y(field: str) -> Any:
        return alt.Y(f"{field}:Q", title=words["y"], scale=alt.Scale(zero=True))

    band = alt.Chart(alt.NamedData("everyone"))
    whole = band.mark_area(color=GREYS[0]).encode(x=x, y=y("low"), y2="high:Q")
    middle = band.mark_area(color=GREYS[1]).encode(x=x, y=y("q1"), y2="q3:Q")
    colour = alt.Color(
        "system:N",
        sort=None,
        scale=alt.Scale(range=list(PALETTE)),
        legend=alt.Legend(title=None, orient="bottom", columns=2, labelLimit=300, symbolType="stroke"),
    )
    dash = alt.StrokeDash("system:N", sort=None, scale=alt.Scale(range=list(DASHES)))
    tip = [
        alt.Tooltip("system:N"),
        alt.Tooltip("x:Q", title=words["x"]),
        alt.Tooltip("y:Q", title=words["y"], format=".4f"),
    ]
    lines = alt.Chart(alt.NamedData("lines"), width=480, height=320)
    chosen = lines.mark_line(strokeWidth=2).encode(x=x, y=y("y"), color=colour, strokeDash=dash, tooltip=tip)
    return whole + middle + chosen


_CHARTS = {"curves over recall": {"x": "recall"}, "curves over rank": {"x": "rank"}}


@figure("curves", "curve", _chart, on_page=OnPage("curves", "Curves", 2, _CHARTS))
def curves(curve: Curve, systems: Sequence[str] = ()) -> Data:
    """A curve over recall or ranks: some systems in colour, all systems (and their middle half) in grey."""
    import numpy as np

    best = [curve.systems[s] for s in np.argsort(-np.nan_to_num(curve.values).mean(axis=1), kind="stable")]
    shown = list(systems or best[: len(PALETTE)])
    lines = [
        {"system": name, "x": point, "y": number(value)}
        for name in shown
        for point, value in zip(curve.points, curve.values[curve.systems.index(name)], strict=True)
    ]
    names = ("low", "q1", "q3", "high")
    defined = curve.values[~np.isnan(curve.values).any(axis=1)]  # a system without any topic has no curve
    everyone = []
    if len(curve.systems) > len(shown) and len(defined):
        quartiles = np.percentile(defined, [0, 25, 75, 100], axis=0).T.tolist()
        everyone = [
            {"x": point, **dict(zip(names, row, strict=True))}
            for point, row in zip(curve.points, quartiles, strict=True)
        ]
    return Data({"lines": lines, "everyone": everyone}, {"x": curve.axis, "y": curve.name})
