"""How two assessors rank the systems: the mean of each system by the one and by the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inexlab.errors import UsageError
from inexlab.report.figure import PALETTE, Data, OnPage, figure
from inexlab.report.figures import plotting
from inexlab.report.figures.assessors import PLACE, SECTION, SHORT
from inexlab.scores import common_topics

if TYPE_CHECKING:
    from inexlab.experiments.assessors import AssessorAgreement


MOST_NAMED = 15  # systems with their names beside them; more would lie on top of each other


def _chart(words: Mapping[str, str]) -> Any:
    alt = plotting()
    base = alt.Chart(alt.NamedData("systems"), width=320, height=300)
    dots = base.mark_point(filled=True, size=60, color=PALETTE[0], opacity=0.8).encode(
        x=alt.X("x:Q", title=words["x"], scale=alt.Scale(zero=False)),
        y=alt.Y("y:Q", title=words["y"], scale=alt.Scale(zero=False)),
        tooltip=[
            "system:N",
            alt.Tooltip("x:Q", format=".4f", title=words["x"]),
            alt.Tooltip("y:Q", format=".4f", title=words["y"]),
        ],
    )
    line = (
        alt.Chart(alt.NamedData("diagonal"), width=320, height=300)
        .mark_line(color="#888", strokeDash=[4, 4])
        .encode(x="x:Q", y="y:Q")
    )
    names = base.mark_text(align="left", dx=7, dy=-5, fontSize=10).encode(x="x:Q", y="y:Q", text="label:N")
    return line + dots + names


@figure(
    "assessor-ranking",
    "assessors",
    _chart,
    on_page=OnPage(SECTION, SHORT, PLACE, {"assessor-ranking": {}}, rows_of_figure=True),
)
def assessor_ranking(found: AssessorAgreement) -> Data:
    """The mean score of every system by two assessors; of several, the two who rank systems least alike.

    On the dashed line both give a system the same; what one finds better than the other does lies beside it.
    """
    if not found.effects or not found.scores:
        raise UsageError("no system is ranked by two assessors: give runs and a measure.")
    least = min(found.effects, key=lambda effect: effect.tau if effect.tau == effect.tau else 2.0)
    (one, other), _ = common_topics([found.scores[least.a], found.scores[least.b]])
    means = one.totals().tolist(), other.totals().tolist()
    named = len(one.systems) <= MOST_NAMED
    rows = [
        {"system": s, "label": s if named else "", "x": x, "y": y}
        for s, x, y in zip(one.systems, *means, strict=True)
    ]
    ends = [min(min(m) for m in means), max(max(m) for m in means)]
    return Data(
        {"systems": rows, "diagonal": [{"x": end, "y": end} for end in ends]},
        {"x": f"{found.measure} by {least.a}", "y": f"{found.measure} by {least.b}"},
        title=f"tau {least.tau:.2f}, tau-AP {least.tau_ap:.2f}",
    )
