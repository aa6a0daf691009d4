"""What a query took, as its profile says: on every path that is what was visited and scored."""

from __future__ import annotations

import pytest

import inexlab
from inexlab.retrieval import pruning
from inexlab.retrieval.candidates import Candidates
from inexlab.retrieval.engine import make_engine
from inexlab.retrieval.model import Statistics, Weighting
from inexlab.retrieval.pruning import QueryProfile
from inexlab.tables import Floats
from inexlab.topics.nexi import parse_nexi
from tests.retrieval.test_pruning import many
from tests.retrieval.trees import PROFILE, indexed

QUERIES = (
    "bee wax",
    "//p[about(., bee wax)]",
    "//p[about(., bee) and about(., wax)]",
    "//r[about(., hive)]//p[about(., bee)]",
    "//r[about(.//b, dance)]//p[about(., bee wax)]",
)


@pytest.fixture
def scored(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many units a model was given each time."""
    counts: list[int] = []
    call = Weighting.__call__

    def count(self: Weighting, found: Candidates, statistics: Statistics) -> Floats:
        counts.append(len(found))
        return call(self, found, statistics)

    monkeypatch.setattr(Weighting, "__call__", count)
    return counts


@pytest.mark.parametrize("worth", [0, 6000])
@pytest.mark.parametrize("by", ["elements:*", "passages:400c"])
@pytest.mark.parametrize("query", QUERIES)
def test_what_was_scored_is_what_models_were_given(
    query: str, by: str, worth: int, scored: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pruning, "WORTH", worth)
    with indexed(*many(40)) as index:
        for interpretation in ("SVCAS", "SSCAS", "VSCAS"):
            for overlap, task in (("correlation", "focused"), ("child", "focused"), ("child", "thorough")):
                for context in ("", "section=0.5,article=0.2"):
                    engine = make_engine(index, "bm25", interpretation, by=by, context=context)
                    scored.clear()
                    profile = QueryProfile()
                    engine.answer(parse_nexi(query), task, overlap, 2, profile)
                    assert profile.scored + profile.around == sum(scored)
                    assert profile.scored > 0
                    if not profile.everything:
                        assert 0 < profile.visited <= profile.documents <= 40
                        assert 0 < profile.passed <= profile.seen <= profile.positions
                        assert 0 < profile.reached <= profile.scored


def test_words_of_several_clauses_are_counted_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruning, "WORTH", 0)
    with indexed(*["<r><a>bee</a><p>bee wax</p></r>"] * 30) as index:
        profile = QueryProfile()
        engine = make_engine(index, "bm25", "SSCAS", by="passages:400c")
        query = parse_nexi("//r[about(., bee)]//p[about(., bee) and about(., wax)]")
        engine.answer(query, "thorough", limit=2, profile=profile)
    assert (profile.documents, profile.positions) == (30, 60 + 30)


def test_words_are_seen_once_where_there_is_no_room_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruning, "WORTH", 0)
    seen = []
    with indexed(*["<r><p>bee</p><p>bee</p><p>bee wax</p></r>"] * 9) as index:
        engine = make_engine(index, "bm25", "SVCAS")
        for query in ("bee", "//p[about(., bee)]"):
            for room in (1 << 12, 1):
                monkeypatch.setattr(pruning, "_ROOM", room)
                profile = QueryProfile()
                engine.answer(parse_nexi(query), "thorough", limit=20, profile=profile)
                seen.append((profile.seen, profile.passed))
    assert seen == [(27, 27)] * 4


def test_a_page_says_what_all_its_searches_took(scored: list[int]) -> None:
    """One that has to search again, as many results are copies."""
    copies = ["<r><p>bees dance</p></r>"] * 30 + [f"<r><p>bees and {k} words</p></r>" for k in range(5)]
    with indexed(*copies, profile=PROFILE) as index:
        found = inexlab.search(index, "bees", 3, by="elements:p", profile_query=True)
    assert len(scored) > 1
    assert f"all {sum(scored)} units" in found.notes[-1]


def test_no_results_at_all_have_no_last_one() -> None:
    with indexed("<r>bee</r>") as index:
        profile = QueryProfile()
        assert not len(
            make_engine(index, "bm25").answer(parse_nexi("bee"), "thorough", limit=0, profile=profile)
        )
