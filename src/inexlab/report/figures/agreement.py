"""Agreement of two conditions: the scatter and stacked density of Ogilvie and Lalmas (2006), Figure 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inexlab.errors import UsageError
from inexlab.report.figure import PALETTE, Data, OnPage, axis_name, figure
from inexlab.report.figures import plotting

if TYPE_CHECKING:
    from inexlab.statistics import Comparison

FOUND = ("hit", "miss", "false alarm")
_WHOLE = "datum.value % 1 === 0 ? format(datum.value, ',d') : ''"  # there is no half of a pair
FEWEST_OF_A_DENSITY = 30  # pairs: a density of fewer shows the smoothing, not the pairs


def _chart(words: Mapping[str, str]) -> Any:
    alt = plotting()
    base = alt.Chart(alt.NamedData("pairs"), width=280, height=260)
    scale = alt.Scale(domain=list(FOUND), range=[PALETTE[5], PALETTE[1], PALETTE[2]])
    legend = alt.Legend(title=None, orient="bottom")
    scatter = base.mark_point(size=14, filled=True, opacity=0.7).encode(
        x=alt.X("x:Q", title=words["x"]),
        y=alt.Y("y:Q", title=words["y"]),
        color=alt.Color("found:N", scale=scale, legend=legend),
        shape=alt.Shape(
            "found:N",
            scale=alt.Scale(domain=list(FOUND), range=["circle", "triangle-up", "square"]),
            legend=legend,
        ),
        tooltip=[
            "a:N",
            "b:N",
            "found:N",
            alt.Tooltip("x:Q", format=".4f", title=words["x"]),
            alt.Tooltip("y:Q", format=".4f", title=words["y"]),
        ],
    )
    colour = alt.Color("found:N", scale=scale, legend=None)
    if words["shape"] == "density":
        beside = (
            base.transform_density(
                "x", groupby=["found"], as_=["x", "density"], counts=True, resolve="shared", steps=80
            )
            .mark_area(opacity=0.85)
            .encode(
                x=alt.X("x:Q", title=words["x"]),
                y=alt.Y("density:Q", stack="zero", title="density × number of pairs"),
                color=colour,
            )
        )
    else:
        beside = base.mark_bar(opacity=0.85).encode(
            x=alt.X("x:Q", bin=alt.Bin(maxbins=15), title=words["x"]),
            y=alt.Y("count():Q", stack="zero", title="number of pairs", axis=alt.Axis(labelExpr=_WHOLE)),
            color=colour,
        )
    return alt.hconcat(scatter, beside, spacing=30).resolve_scale(color="independent", shape="independent")


_CHARTS = {"agreement": {"shape": "density"}, "agreement of few": {"shape": "histogram"}}


@figure("agreement", "two comparisons", _chart, on_page=OnPage("agreement", "Agreement", 6, _CHARTS))
def agreement(x: Comparison, y: Comparison) -> Data:
    """Pairs of systems that either of two conditions finds different, by their difference in each.

    A hit is found by both, a miss by the condition of the y-axis only, a false alarm by that of the x-axis
    only. On the right the same pairs as stacked densities over the difference on the x-axis; fewer than 30
    as a histogram.
    """
    systems = x.matrix.systems
    if y.matrix.systems != systems:
        raise UsageError("the two conditions compare different systems.")
    means = x.matrix.totals(), y.matrix.totals()
    rows = []
    for a, b in zip(*(x.better | y.better).nonzero(), strict=True):
        kind = 0 if x.better[a, b] and y.better[a, b] else 1 if y.better[a, b] else 2
        apart = [float(m[a] - m[b]) for m in means]
        rows.append({"a": systems[a], "b": systems[b], "x": apart[0], "y": apart[1], "found": FOUND[kind]})
    words = {
        "x": f"difference in {axis_name(x.matrix)}",
        "y": f"difference in {axis_name(y.matrix)}",
        "shape": "density" if len(rows) >= FEWEST_OF_A_DENSITY else "histogram",
    }
    return Data({"pairs": rows}, words, note=x.few_topics or y.few_topics)
