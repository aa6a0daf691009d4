"""The scale of 2002: topical relevance 0-3 and coverage N, S, L or E; the tables are not verified."""

from __future__ import annotations

from inexlab.judgements.elements import COVERAGE, GradedElements
from inexlab.judgements.quantisation import from_table, quantisation
from inexlab.tables import Floats

_GENERALISED = {
    "3E": "1",
    **dict.fromkeys(("2E", "3L"), ".75"),
    **dict.fromkeys(("1E", "2L", "2S"), ".5"),
    **dict.fromkeys(("1S", "1L"), ".25"),
}
_gen = from_table({(int(pair[0]), COVERAGE.index(pair[1])): value for pair, value in _GENERALISED.items()})
_strict = from_table({(3, COVERAGE.index("E")): 1})


@quantisation("strict2", "2002", binary=True)
def strict2(elements: GradedElements) -> Floats:
    """1 for highly relevant with exact coverage (3E), else 0 (unverified)."""
    return _strict(elements)


@quantisation("gen2", "2002")
def gen2(elements: GradedElements) -> Floats:
    """1 for 3E; .75 for 2E, 3L; .5 for 1E, 2L, 2S; .25 for 1S, 1L; else 0 (unverified)."""
    return _gen(elements)
