"""Two systems topic by topic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inexlab.errors import UnknownNameError
from inexlab.report.figure import PALETTE, Data, OnPage, axis_name, figure
from inexlab.report.figures import plotting

if TYPE_CHECKING:
    from inexlab.scores import Scores


def _chart(words: Mapping[str, str]) -> Any:
    alt = plotting()
    base = alt.Chart(alt.NamedData("topics"), width=560, height=260)
    sign = alt.condition(alt.datum.difference > 0, alt.value(PALETTE[0]), alt.value(PALETTE[1]))
    bars = base.mark_bar().encode(
        x=alt.X("topic:N", sort=None, title=words["x"], axis=alt.Axis(labelAngle=-90, labelOverlap=True)),
        y=alt.Y("difference:Q", title=words["y"]),
        color=sign,
        tooltip=[
            "topic:N",
            "title:N",
            *(alt.Tooltip(f"{name}:Q", format=".4f") for name in ("a", "b", "difference")),
        ],
    )
    zero = base.mark_rule(color="#888").encode(y=alt.datum(0))
    return bars + zero


_CHARTS = {"differences": {"x": "topics"}}


@figure("differences", "pair", _chart, on_page=OnPage("differences", "Differences", 5, _CHARTS))
def differences(matrix: Scores, a: str, b: str, titles: Mapping[str, str] | None = None) -> Data:
    """The difference of two systems on every topic, from the first one's best to the second one's."""
    for name in (a, b):
        if name not in matrix.systems:
            raise UnknownNameError("system", name, matrix.systems)
    one, two = (matrix.values[matrix.systems.index(name)].tolist() for name in (a, b))
    rows = [
        {"topic": t, "title": (titles or {}).get(t, ""), "a": x, "b": y, "difference": x - y}
        for t, x, y in zip(matrix.topics, one, two, strict=True)
    ]
    rows.sort(key=lambda row: -float(row["difference"]))
    return Data({"topics": rows}, {"x": "topics", "y": f"{axis_name(matrix)}: {a} − {b}"})
