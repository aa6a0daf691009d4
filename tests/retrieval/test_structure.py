"""The four interpretations against a brute-force reading; comparisons; equivalent tags."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.api.searching import search
from inexlab.errors import UnknownNameError
from inexlab.index import guide
from inexlab.retrieval import structure, unit
from inexlab.retrieval.comparison import meets
from inexlab.retrieval.cut import flat_candidates
from inexlab.retrieval.model import parse_weighting
from inexlab.retrieval.pruning import QueryProfile
from inexlab.retrieval.ranking import Ranking
from inexlab.retrieval.searching import search_elements
from inexlab.retrieval.structure import INTERPRETATIONS, search_structure
from inexlab.retrieval.terms import query_terms
from inexlab.retrieval.unit import units_of
from inexlab.topics.equivalence import Equivalence
from inexlab.topics.patterns import pattern
from inexlab.topics.query import Compare
from tests.examples import examples
from tests.oracles.elements import MODELS, Structure
from tests.oracles.units import StructureOnUnits, cut
from tests.retrieval.trees import (
    PROFILE,
    STOP,
    corpus_of,
    described,
    documents,
    indexed,
    of_elements,
    structured,
    terms,
    texts,
)

BM25 = parse_weighting("bm25")
SAME = {"b": "a"}  # two tags that are used alike

_TAGS = st.sampled_from(("a", "b", "p", "r", "*", "(a|p)"))
_AXES = st.sampled_from(("//", "//", "/"))
_WORDS = st.sampled_from(
    ("bee", "wax", "hive", "dance", "+queen", "bee -wax", '"bee wax"', "nowhere", "-wax", "the")
)


def _clauses(depth: int = 1) -> st.SearchStrategy[str]:
    below = st.just("") | st.builds("{}{}".format, _AXES, _TAGS)
    about = st.builds("about(.{}, {})".format, below, _WORDS)
    compare = st.builds(
        ".{} {} {}".format,
        below,
        st.sampled_from(("=", "<", ">=")),
        st.sampled_from(("'bee'", "'dance wax'", "12", "'9'")),
    )
    clause = st.one_of(about, about, about, compare)
    if not depth:
        return clause
    joined = st.builds("({}) {} ({})".format, _clauses(0), st.sampled_from(("and", "or")), _clauses(0))
    return clause | joined


@st.composite
def cas_queries(draw: st.DrawFn) -> str:
    """Draw structured queries of one to three steps; the last one has a clause, most others none."""
    steps = []
    for k in range(draw(st.integers(1, 3))):
        axis = "//" if not k else draw(_AXES)
        clause = draw(st.just("") | st.just("") | _clauses().map("[{}]".format))
        steps.append(f"{axis}{draw(_TAGS)}{clause}")
    if "[" not in steps[-1] and ("[" not in "".join(steps) or draw(st.booleans())):
        steps[-1] += f"[{draw(_clauses())}]"
    return "".join(steps)


@examples(20)
@given(
    collection=documents(3),
    query=cas_queries(),
    interpretation=st.sampled_from(sorted(INTERPRETATIONS)),
    model=st.sampled_from(MODELS),
)
def test_equals_the_brute_force_reading(
    collection: list[str], query: str, interpretation: str, model: str
) -> None:
    corpus = corpus_of(*collection)
    asked = structured(query)
    expected = Structure(corpus, asked, interpretation, SAME, STOP, model).results()
    with indexed(*collection) as index:
        weighting = parse_weighting(model)
        ranking = search_structure(index, asked, weighting, interpretation, Equivalence(SAME))
        found = of_elements(corpus, ranking)
    assert sorted(texts(found)) == sorted(texts(expected))
    assert ranking.score.tolist() == pytest.approx([expected[e] for e in found], rel=1e-9, abs=1e-12)
    keys = list(zip((-ranking.score).tolist(), ranking.element.tolist(), strict=True))
    assert keys == sorted(keys)


@examples(10)
@given(
    collection=documents(3),
    query=cas_queries(),
    interpretation=st.sampled_from(sorted(INTERPRETATIONS)),
    by=st.sampled_from(
        ("passages:12c", "sentences:1", "sentences:2", "windows:3w/2w", "windows:10c", "auto")
    ),
    model=st.sampled_from(MODELS),
)
def test_passages_in_elements_equal_the_brute_force_reading(
    collection: list[str], query: str, interpretation: str, by: str, model: str
) -> None:
    corpus = corpus_of(*collection)
    asked = structured(query)
    expected = StructureOnUnits(corpus, asked, interpretation, SAME, STOP, model)
    expected.units = cut(corpus, by, PROFILE)
    with indexed(*collection) as index:
        units = units_of(index, by)
        weighting = parse_weighting(model)
        ranking = search_structure(index, asked, weighting, interpretation, Equivalence(SAME), units=units)
        found = [expected.units[unit] for unit in ranking.element.tolist()]
    scores = expected.results()
    assert {(u.document, u.start, u.text) for u in found} == {(u.document, u.start, u.text) for u in scores}
    assert ranking.score.tolist() == pytest.approx([scores[u] for u in found], rel=1e-9, abs=1e-12)


@examples(10)
@given(collection=documents(3), query=cas_queries())
def test_the_stricter_the_fewer(collection: list[str], query: str) -> None:
    asked = structured(query)
    with indexed(*collection) as index:
        found = {
            name: set(search_structure(index, asked, BM25, name).element.tolist()) for name in INTERPRETATIONS
        }
    assert found["SSCAS"] <= found["SVCAS"] <= found["VVCAS"]
    assert found["SSCAS"] <= found["VSCAS"] <= found["VVCAS"]


@examples(10)
@given(collection=documents(3), words=_WORDS)
def test_anything_about_words_is_the_keyword_query(collection: list[str], words: str) -> None:
    with indexed(*collection) as index:
        plain = search_elements(index, terms(words), BM25)
        for name in INTERPRETATIONS:
            cas = search_structure(index, structured(f"//*[about(., {words})]"), BM25, name)
            assert cas.score.tolist() == plain.score.tolist()
            assert cas.element.tolist() == plain.element.tolist()


BEES = """<article><fm><yr>1999</yr><title>Bees</title></fm>
<sec><title>Dance</title><p>wax and honey</p></sec>
<sec><title>Wax</title><p>dance of bees</p><ss1><p>queen</p></ss1></sec></article>"""
WASPS = "<article><fm><yr>2003</yr></fm><sec><title>Nests</title><p>wax is no matter here</p></sec></article>"


def answers(query: str, interpretation: str, same: dict[str, str] | None = None) -> list[tuple[str, str]]:
    with indexed(BEES, WASPS) as index:
        ranking = search_structure(index, structured(query), BM25, interpretation, Equivalence(same or {}))
        return sorted(described(index, ranking))


def test_strict_and_vague_by_hand() -> None:
    query = "//article[about(.//title, bees)]//sec[about(.//title, wax)]"
    assert answers(query, "SSCAS") == [("d0", "/article[1]/sec[2]")]
    assert answers(query, "SVCAS") == [
        ("d0", "/article[1]/sec[1]"),
        ("d0", "/article[1]/sec[2]"),
        ("d1", "/article[1]/sec[1]"),
    ]
    # a section of d0 has wax in its title, an article of d0 bees in its title: all of d0 that has wax
    assert answers(query, "VSCAS") == [
        ("d0", "/article[1]"),
        ("d0", "/article[1]/sec[1]"),
        ("d0", "/article[1]/sec[1]/p[1]"),
        ("d0", "/article[1]/sec[2]"),
        ("d0", "/article[1]/sec[2]/title[1]"),
    ]
    assert len(answers(query, "VVCAS")) == 8


def test_a_step_without_a_clause_returns_what_is_in_the_context() -> None:
    assert answers("//sec[about(.//title, dance)]//p", "SSCAS") == [("d0", "/article[1]/sec[1]/p[1]")]
    assert answers("//sec[about(., nests)]/p", "SVCAS") == [("d1", "/article[1]/sec[1]/p[1]")]


@pytest.mark.parametrize(
    ("condition", "documents_left"),
    [
        (".//yr > 2000", ["d1"]),
        (".//yr <= 1999", ["d0"]),
        (".//yr >= 1999", ["d0", "d1"]),
        (".//yr = '1999'", ["d0"]),
        (".//title = 'wax'", ["d0"]),
        (".//title = 'WAX' or .//yr > 2000", ["d0", "d1"]),
        (".//title = 'wax' and .//yr > 2000", []),
        (".//nothing = 'wax'", []),
    ],
)
@pytest.mark.parametrize("interpretation", sorted(INTERPRETATIONS))
def test_comparisons(condition: str, documents_left: list[str], interpretation: str) -> None:
    found = answers(f"//article[{condition}]//p[about(., wax)]", interpretation)
    assert sorted({doc for doc, _ in found}) == documents_left
    alone = answers(f"//article[{condition}]", interpretation)
    assert sorted({doc for doc, _ in alone}) == documents_left


@pytest.mark.parametrize(
    ("text", "comparison", "holds"),
    [
        ("in 1998-2003", Compare((), "=", "1998", False), True),
        ("3.25 kg", Compare((), ">", "3.2", False), True),
        ("-4", Compare((), "<", "0", False), True),
        ("no number", Compare((), ">=", "0", False), False),
        ("  Karl   VON\nFrisch ", Compare((), "=", "karl von frisch", True), True),
        ("10", Compare((), "<", "9", False), False),
        (" 10 ", Compare((), "<", "9", True), False),  # a quoted number is a number for a text that is one
        ("2000.0", Compare((), "=", "2000", True), True),
        ("10 km", Compare((), "<", "9", True), True),  # strings are in the order of their characters
        ("x", Compare((), ">", "9", True), True),
        (".5", Compare((), "<", "1", False), True),
        ("volume A-3", Compare((), ">", "0", False), True),  # a hyphen is not a minus
        ("", Compare((), "<", "1", False), False),
    ],
)
def test_values(text: str, comparison: Compare, holds: bool) -> None:
    assert meets(text, comparison) is holds


def test_equivalent_tags() -> None:
    query = "//sec//sec[about(., queen)]"
    assert answers(query, "SSCAS") == []
    assert answers(query, "SSCAS", {"ss1": "sec"}) == [("d0", "/article[1]/sec[2]/ss1[1]")]
    assert answers("//ss1[about(., nests)]", "SVCAS", {"ss1": "sec"}) == [("d1", "/article[1]/sec[1]")]


def test_a_child_step_is_looked_at_where_it_leads_from() -> None:
    """Of two sections around a paragraph, the one that is its parent is meant."""
    text = "<r><s><t>bee</t><s><t>wax</t><p>hive</p></s></s></r>"
    with indexed(text) as index:

        def found(query: str) -> Ranking:
            return search_structure(index, structured(query), BM25, "SSCAS")

        assert len(found("//s[about(./t, bee)]//p[about(., hive)]")) == 1
        assert len(found("//s[about(./t, bee)]/p[about(., hive)]")) == 0
        assert len(found("//s[about(./t, wax)]/p[about(., hive)]")) == 1


def test_a_support_is_reached_from_its_context() -> None:
    """Strictly, the path of a clause leads on from the element it is about, not from anywhere to anything."""
    text = "<r><s><t>wax</t><s><t>bee</t></s><s><t>hive</t><p>dance</p></s></s></r>"
    with indexed(text) as index:

        def found(query: str) -> list[str]:
            ranking = search_structure(index, structured(query), BM25, "SSCAS")
            return sorted(path for _, path in described(index, ranking))

        # no section in these: they are at //s//s, but not below themselves
        assert found("//s[about(.//s, bee)]") == ["/r[1]/s[1]"]
        assert found("//*[about(.//t, bee)]") == ["/r[1]", "/r[1]/s[1]", "/r[1]/s[1]/s[1]"]
        assert found("//s[about(./t, bee)]") == ["/r[1]/s[1]/s[1]"]
        # the title of a section next to the paragraph's own
        assert found("//s[about(./t, bee)]//p") == []
        assert (
            found("//s[about(./t, hive)]//p") == found("//s[about(./t, wax)]//p") == ["/r[1]/s[1]/s[2]/p[1]"]
        )
        assert found("//s[./t = 'bee']//p") == []
        assert found("//s[./t = 'bee']") == ["/r[1]/s[1]/s[1]"]
        # of the sections around the paragraph one has to meet both, not each one of them
        assert found("//s[about(./t, hive) and about(./t, wax)]//p") == []
        assert found("//s[about(./t, wax)]//s[about(./t, hive)]//p") == ["/r[1]/s[1]/s[2]/p[1]"]


@pytest.mark.parametrize("interpretation", sorted(INTERPRETATIONS))
def test_what_is_about_words_itself_has_its_own_score(interpretation: str) -> None:
    with indexed(BEES, WASPS) as index:
        plain = search_elements(index, terms("wax dance"), BM25)
        asked = structured("//*[about(., wax dance)]")
        ranking = search_structure(index, asked, BM25, interpretation)
        assert ranking.element.tolist() == plain.element.tolist()
        assert ranking.score.tolist() == plain.score.tolist()


@pytest.mark.parametrize("interpretation", sorted(INTERPRETATIONS))
def test_clauses_that_want_no_word_ask_for_nothing(interpretation: str) -> None:
    with indexed("<r><p>bee wax</p><p>bee hive</p></r>", "<r><p>wax</p></r>") as index:

        def found(query: str) -> list[tuple[str, str]]:
            return described(index, search_structure(index, structured(query), BM25, interpretation))

        bees = found("//r//p[about(., bee)]")
        assert found("//r[about(., the)]//p[about(., bee) and about(., of the)]") == bees
        # what is unwanted is there, but last
        assert sorted(found("//r//p[about(., bee) and about(., -wax)]")) == sorted(bees)
        assert found("//p[about(., bee) and about(., -wax)]")[-1] == ("d0", "/r[1]/p[1]")
        assert {doc for doc, _ in found("//r[about(., bee)]//p[about(., -wax)]")} == {"d0"}
        assert found("//p[about(., -wax)]") == found("//p[about(., the)]") == []


def test_scores_add_up_over_steps_and_ands() -> None:
    with indexed(BEES, WASPS) as index:

        def score(query: str, interpretation: str) -> float:
            return float(search_structure(index, structured(query), BM25, interpretation).score[0])

        title = score("//sec//title[about(., wax)]", "SSCAS")
        bees = score("//article//fm//title[about(., bees)]", "SSCAS")
        both = "//article[about(.//fm//title, bees)]//sec[about(.//title, wax)]"
        assert score(both, "SSCAS") == pytest.approx(title + bees)
        dance = score("//sec//p[about(., dance)]", "SSCAS")
        assert score("//sec[about(.//title, wax) and about(.//p, dance)]", "SSCAS") == pytest.approx(
            title + dance
        )
        assert score("//sec[about(.//title, wax) or about(.//p, dance)]", "SSCAS") == pytest.approx(
            max(title, dance)
        )


def test_unknown_interpretation() -> None:
    with indexed(BEES) as index, pytest.raises(UnknownNameError, match="did you mean 'SSCAS'"):
        search_structure(index, structured("//a[about(., b)]"), BM25, "SSCA")


@pytest.mark.parametrize("by", ["elements:*", "passages:400c"])
def test_words_are_looked_up_and_counted_once_however_many_documents_are_looked_at(
    by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words too frequent to be remembered, and phrases, of which no index says how many units have them."""
    looked_up: list[Any] = []
    counted: list[Any] = []

    def noted(calls: list[Any], function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*some: Any) -> Any:
            calls.append(some)
            return function(*some)

        return call

    monkeypatch.setattr(structure, "query_terms", noted(looked_up, query_terms))
    monkeypatch.setattr(unit, "flat_candidates", noted(counted, flat_candidates))
    texts = [f"<r><a>bee wax</a><p>bee wax {'hive ' * (k % 9)}</p></r>" for k in range(90)]
    with indexed(*texts) as index:
        query = structured('//r[about(.//p, "bee wax")]//p[about(., "bee wax") and about(., hive)]')
        found = search_structure(
            index, query, BM25, "SSCAS", limit=3, units=units_of(index, by), profile=(took := QueryProfile())
        )
    assert len(found) == 3
    assert took.visited > 32  # in several steps
    assert len(looked_up) == 2
    assert sum(len(positions) == 1 and reach == [1] for _, _, positions, reach in counted) <= 1


def test_however_many_queries_there_are_few_paths_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of equal tables of equivalent tags once; and the last ones only."""
    monkeypatch.setattr(guide, "_REMEMBERED", 4)
    table = Equivalence({"b": "a"})
    with indexed("<r><a>bee</a><b>bee</b></r>") as index:
        for _ in range(3):
            search(index, "//a[about(., bee)]", within="//r")
        assert len(index.guide._known) == 2
        for k in range(9):
            search(index, f"//(a|b{k})[about(., bee)]")
        assert len(index.guide._known) == 4
        one, other = (index.guide.matching(pattern("//a", some)) for some in (table, Equivalence()))
        assert (one.sum(), other.sum()) == (2, 1)
        assert index.guide.matching(pattern("//a", Equivalence({"b": "a"}))) is one
