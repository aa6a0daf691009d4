"""Articles: whole documents."""

from __future__ import annotations

from inexlab.retrieval.unit import UnitText, unit_kind
from inexlab.retrieval.units.elements import ElementUnitSpec


@unit_kind("articles", "articles", "whole documents")
def articles(written: UnitText) -> ElementUnitSpec:
    """Parse `articles`."""
    written.nothing_more()
    return ElementUnitSpec("articles", lambda index: index.guide.above < 0)
