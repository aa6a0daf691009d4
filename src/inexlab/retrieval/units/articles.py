"""Articles: whole documents."""

from __future__ import annotations

from inexlab.retrieval.unit import Written, unit_kind
from inexlab.retrieval.units.elements import ElementKind


@unit_kind("articles", "articles", "whole documents")
def articles(written: Written) -> ElementKind:
    """Parse `articles`."""
    written.nothing_more()
    return ElementKind("articles", lambda _index, path: len(path) == 1)
