"""The significance matrix: who beats whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inexlab.report.figure import PALETTE, Data, OnPage, axis_name, figure
from inexlab.report.figures import plotting

if TYPE_CHECKING:
    from inexlab.statistics import Comparison

OUTCOMES = ("better", "worse", "no difference shown")


def _chart(_words: Mapping[str, str]) -> Any:
    alt = plotting()
    base = alt.Chart(alt.NamedData("pairs"), width=alt.Step(12), height=alt.Step(12))
    scale = alt.Scale(domain=list(OUTCOMES), range=[PALETTE[0], PALETTE[4], "#8883"])
    x = alt.X("b:N", sort=None, title=None, axis=alt.Axis(labelAngle=-90, labelLimit=160))
    y = alt.Y("a:N", sort=None, title=None, axis=alt.Axis(labelLimit=160))
    cells = base.mark_rect(stroke="white", strokeWidth=0.5).encode(
        x=x,
        y=y,
        color=alt.Color("outcome:N", scale=scale, title="row against column"),
        opacity=alt.condition(alt.datum.a == alt.datum.b, alt.value(0), alt.value(1)),
        tooltip=["a:N", "b:N", "outcome:N", alt.Tooltip("p:Q", format=".2g", title="adjusted p")],
    )
    star = base.mark_text(color="white", fontSize=9).encode(x=x, y=y, text="mark:N")
    return cells + star


@figure("significance", "comparison", _chart, on_page=OnPage("significance", "Significance", 4))
def significance(comparison: Comparison) -> Data:
    """All pairs of systems, best first: * where the row is better than the column beyond chance."""
    order, systems = comparison.order(), comparison.matrix.systems
    pairs = zip(comparison.a.tolist(), comparison.b.tolist(), strict=True)
    p = dict(zip(pairs, comparison.p_adjusted.tolist(), strict=True))
    rows = []
    for a in order:
        for b in order:
            if a != b and not comparison.tested[a, b]:
                continue
            won, lost = bool(comparison.better[a, b]), bool(comparison.better[b, a])
            key = (b, a) if (lost or (a, b) not in p) and (b, a) in p else (a, b)
            outcome = OUTCOMES[0] if won else OUTCOMES[1] if lost else OUTCOMES[2]
            cell = {"a": systems[a], "b": systems[b], "outcome": outcome, "p": p.get(key)}
            rows.append({**cell, "mark": "*" if won else ""})
    title = f"{axis_name(comparison.matrix)}: {comparison.description}"
    return Data({"pairs": rows}, {}, title=title, note=comparison.few_topics)
