"""Which elements systems return."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inexlab.errors import UsageError
from inexlab.report.figure import GREY, PALETTE, Data, FigureRow, OnPage, figure
from inexlab.report.figures import plotting

if TYPE_CHECKING:
    from inexlab.report.content import SystemProfile

OTHER = "other"


def share_chart(words: Mapping[str, str]) -> Any:
    """Draw shares of kinds as bars of one length."""
    alt = plotting()
    base = alt.Chart(alt.NamedData("shares"), width=480)
    return base.mark_bar(stroke="white", strokeWidth=0.5).encode(
        x=alt.X("share:Q", title=words["x"], axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])),
        y=alt.Y("system:N", sort=None, title=None, axis=alt.Axis(labelLimit=260)),
        color=alt.Color(
            "kind:N",
            sort=None,
            title=words["title"],
            scale=alt.Scale(range=[*PALETTE, GREY]),
            legend=alt.Legend(orient="bottom", columns=4),
        ),
        order=alt.Order("place:Q"),
        tooltip=["system:N", "kind:N", "results:Q", alt.Tooltip("share:Q", format=".1%")],
    )


RETURNED = OnPage("returned", "Returned", 8, rows_of_figure=True)
_CHARTS = {"granularity": {"x": "share of results", "title": "element"}}


@figure("granularity", "profiles", share_chart, on_page=replace(RETURNED, charts=_CHARTS))
def granularity(profiles: Sequence[SystemProfile], order: Sequence[str] = ()) -> Data:
    """The share of each element type among a system's results, best system first; the rarer types together.

    `order` names the systems, best first; without it they stay as they come.
    """
    profiles = ranked(profiles, order)
    total: Counter[str] = Counter()
    for profile in profiles:
        total.update(profile.tags)
    return shares([(p.system, p.tags) for p in profiles], [t for t, _ in total.most_common()], "element")


def ranked(profiles: Sequence[SystemProfile], order: Sequence[str]) -> list[SystemProfile]:
    """Return the profiles in the order of the systems named, others last."""
    place = {system: i for i, system in enumerate(order)}
    return sorted(profiles, key=lambda profile: place.get(profile.system, len(place)))


def shares(counted: Sequence[tuple[str, Mapping[str, int]]], kinds: Sequence[str], title: str) -> Data:
    """Return the share of each kind in each system; beyond the colours there are, kinds are put together."""
    if len(kinds) == 1:
        raise UsageError(f"all results are of one {title}, {kinds[0]}: there are no shares to draw.")
    kept = list(kinds) if len(kinds) <= len(PALETTE) + 1 else list(kinds[: len(PALETTE)])
    rows: list[FigureRow] = []
    for system, counts in counted:
        results = sum(counts.values())
        numbers = {kind: counts.get(kind, 0) for kind in kept}
        if len(kinds) > len(kept):
            numbers[OTHER] = results - sum(numbers.values())
        for place, (kind, count) in enumerate(numbers.items()):
            share = count / results if results else 0.0
            rows.append({"system": system, "kind": kind, "place": place, "results": count, "share": share})
    return Data({"shares": rows}, {"x": "share of results", "title": title}, 18 * len(counted))
