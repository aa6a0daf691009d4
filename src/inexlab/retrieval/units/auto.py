"""What `search` returns by default: passages within the answers of the profile."""

from __future__ import annotations

from inexlab.retrieval.cut import Places
from inexlab.retrieval.layout import Layout, LayoutRules
from inexlab.retrieval.unit import FlatUnitSpec, UnitText, unit_kind
from inexlab.retrieval.units.passages import pack

_CHARACTERS = 400


@unit_kind("auto", "auto", "passages within what the profile calls answers: the default of search")
def auto(written: UnitText) -> FlatUnitSpec:
    """Parse `auto`: passages in answers, none shorter than the profile says."""
    written.nothing_more()

    return FlatUnitSpec("auto", LayoutRules("answers"), _cut)


def _cut(layout: Layout) -> Places:
    return pack(layout, _CHARACTERS, layout.least, layout.least_passage)
