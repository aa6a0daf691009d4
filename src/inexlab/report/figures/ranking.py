"""The ranking of systems with confidence intervals and group letters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inexlab.report.figure import PALETTE, Data, FigureRow, OnPage, axis_name, figure, number
from inexlab.report.figures import plotting
from inexlab.report.tables import shortened

if TYPE_CHECKING:
    from inexlab.statistics import Comparison


def _chart(words: Mapping[str, str]) -> Any:
    alt = plotting()
    base = alt.Chart(alt.NamedData("systems"), width=420)
    y = alt.Y("system:N", sort=None, title=None, axis=alt.Axis(labelLimit=260))

    def x(field: str) -> Any:
        return alt.X(f"{field}:Q", title=words["x"], scale=alt.Scale(zero=False, nice=True))

    interval = base.mark_rule(color=PALETTE[0], strokeWidth=1.5).encode(y=y, x=x("low"), x2="high:Q")
    mean = base.mark_point(color=PALETTE[0], filled=True, opacity=1, size=36).encode(y=y, x=x("mean"))
    group = base.mark_text(align="left", dx=6, fontSize=9, color="#666").encode(
        y=y, x=x("high"), text="group:N"
    )
    return interval + mean + group


@figure("ranking", "comparison", _chart, on_page=OnPage("ranking", "Ranking", 1))
def ranking(comparison: Comparison) -> Data:
    """Means of the systems, best first, with confidence intervals; a shared letter: not shown to differ."""
    means, letters = comparison.matrix.totals(), comparison.letters()
    rows: list[FigureRow] = [
        {
            "system": comparison.matrix.systems[s],
            "mean": float(means[s]),
            "low": number(comparison.mean_low[s]),
            "high": number(comparison.mean_high[s]),
            "group": shortened(group),
        }
        for s, group in zip(comparison.order(), letters, strict=True)
    ]
    level = f"{100 * (1 - comparison.alpha):g}% interval"
    words = {"x": f"{axis_name(comparison.matrix)}, mean and {level}"}
    return Data({"systems": rows}, words, 16 * len(rows), note=comparison.few_topics)
