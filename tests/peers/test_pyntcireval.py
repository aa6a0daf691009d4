"""Q is the Q-measure of NTCIR where elements do not overlap: the same numbers as pyNTCIREVAL's, with beta 1.

Kazai and Lalmas (2005) took it from Sakai, whose own reading (cig is the plain cumulated gain of the ideal
list) their text departs from; the peer shows which of the two the numbers follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyNTCIREVAL import Labeler
from pyNTCIREVAL.metrics import QMeasure

from tests.builders import calm
from tests.oracles import graded, ranked, topic_scores

# whole articles and sections beside each other: none holds another
ELEMENTS = (
    "A/a[1]",
    "B/a[1]/s[1]",
    "B/a[1]/s[2]",
    "B/a[1]/s[10]",
    "C/a[1]/s[1]/p[1]",
    "C/a[1]/s[2]",
    "D/a[1]",
)
UNJUDGED = ("B/a[1]/s[3]", "Z/a[1]")


def by_pyntcireval(gains: Mapping[str, int], ranking: Sequence[str]) -> float:
    """Return the peer's Q; level 1, 2, 3 … has the gain 1, 2, 3 …."""
    levels = max(gains.values()) + 1
    labeler = Labeler(dict(gains))
    peer = QMeasure(labeler.compute_per_level_doc_num(levels), list(range(1, levels)), 1.0)
    return float(peer.compute(labeler.label(list(ranking))))


@st.composite
def ranked_gains(draw: st.DrawFn, most: int) -> tuple[dict[str, int], list[str]]:
    """Whole gains, one of them above 0, and a ranking without duplicates."""
    gains = draw(st.dictionaries(st.sampled_from(ELEMENTS), st.integers(0, most)))
    gains[draw(st.sampled_from(ELEMENTS))] = draw(st.integers(1, most))
    ranking = draw(st.lists(st.sampled_from((*ELEMENTS, *UNJUDGED)), min_size=1, unique=True))
    return gains, ranking


@pytest.mark.parametrize("overlap", ["off", "on", "2006"])
@calm
@given(ranked_gains(2))
def test_gains_of_the_generalised_quantisation(overlap: str, drawn: tuple[dict[str, int], list[str]]) -> None:
    """The value of a wholly relevant element is its exhaustivity."""
    gains, ranking = drawn
    judgements = graded(*(f"{element} {gain} {gain and 9}/9" for element, gain in gains.items()))
    name = f"Q(quant=gen5,overlap={overlap})"
    found = topic_scores([name], judgements, ranked(*ranking))[name]
    assert found == [pytest.approx(by_pyntcireval(gains, ranking), abs=1e-12)]


@calm
@given(ranked_gains(3))
def test_gains_of_the_lifted_quantisation(drawn: tuple[dict[str, int], list[str]]) -> None:
    """The values of wholly relevant elements are 1 for too small ones, 2 and 3 for the others."""
    gains, ranking = drawn
    grade = {0: "0 0/9", 1: "? 9/9", 2: "1 9/9", 3: "2 9/9"}
    judgements = graded(*(f"{element} {grade[gain]}" for element, gain in gains.items()))
    name = "Q(quant=genLifted,overlap=on)"
    found = topic_scores([name], judgements, ranked(*ranking))[name]
    assert found == [pytest.approx(by_pyntcireval(gains, ranking), abs=1e-12)]


def test_the_ideal_ranking_scores_1_there_too() -> None:
    """With the bonus that the text of 2005 gives cig it would not."""
    assert by_pyntcireval({"A": 3, "B": 2, "C": 1}, ["A", "B", "C"]) == pytest.approx(1)
