"""How deep in the tree the results of systems lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from inexlab.report.figure import Data, figure
from inexlab.report.figures.granularity import RETURNED, ranked, share_chart, shares

if TYPE_CHECKING:
    from inexlab.report.content import SystemProfile

PASSAGE = "passage"


_CHARTS = {"depth": {"x": "share of results", "title": "depth"}}


@figure("depth", "profiles", share_chart, on_page=replace(RETURNED, charts=_CHARTS))
def depth(profiles: Sequence[SystemProfile], order: Sequence[str] = ()) -> Data:
    """The share of each depth among a system's results, best system first; 1 is the whole document.

    `order` names the systems, best first; without it they stay as they come.
    """
    profiles = ranked(profiles, order)
    depths = sorted({depth for profile in profiles for depth in profile.depths})
    counted = [(p.system, {named(d): count for d, count in p.depths.items()}) for p in profiles]
    return shares(counted, [named(d) for d in depths], "depth")


def named(depth: int) -> str:
    """Return the name of a depth."""
    return str(depth) if depth else PASSAGE
