"""CAS judgement sets: hand-worked, by law, and as the conformance cases say."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import InputError, UnknownNameError
from inexlab.judgements import Judgements, JudgementsBuilder, read_judgements
from inexlab.judgements.cas import (
    INTERPRETATIONS,
    CasSets,
    CasTopic,
    Child,
    Support,
    known_interpretation,
)
from inexlab.judgements.cas_topics import from_specification, from_topics
from inexlab.judgements.elements import TOO_SMALL
from inexlab.judgements.quantisation import parse_quantisation
from inexlab.judgements.table import ElementGrade
from inexlab.topics import Topic, Topics
from inexlab.topics.equivalence import read_equivalence
from inexlab.topics.patterns import PathPattern, pattern
from tests.builders import calm
from tests.conformance import CASES

SECTIONS = read_equivalence()

# Of each topic and document the assessed elements: path and exhaustivity (`?` too small).
Assessed = Mapping[str, Mapping[str, Mapping[str, str]]]

A, S, S2, P, F = (
    "/article[1]",
    "/article[1]/bdy[1]/sec[1]",
    "/article[1]/bdy[1]/ss1[1]",
    "/article[1]/bdy[1]/sec[1]/p[1]",
    "/article[1]/fm[1]",
)


def assessed(given: Assessed) -> Judgements:
    builder = JudgementsBuilder()
    for topic, documents in given.items():
        for doc, elements in documents.items():
            builder.add(topic, doc)
            for path, grade in elements.items():
                e = TOO_SMALL if grade == "?" else int(grade)
                rsize = 0 if e == 0 else 10
                assert builder.add_element(topic, doc, ElementGrade(path, e, -1, 10, rsize), "2005") is None
    return builder.build("judged")


def path(text: str) -> PathPattern:
    return pattern(text, SECTIONS)


def members(sets: CasSets, topic: str, interpretation: str) -> set[tuple[str, str]] | None:
    chosen = sets.chosen(topic, interpretation)
    if chosen is None:
        return None
    judged, elements = sets.judgements, sets.elements
    row = np.repeat(np.arange(len(judged)), np.diff(elements.elements_from))
    return {
        (judged.docs[int(judged.doc[row[e]])], elements.paths[int(elements.path[e])])
        for e in np.flatnonzero(chosen).tolist()
    }


def sets_of(given: Assessed, topics: Mapping[str, CasTopic]) -> CasSets:
    judged = assessed(given)
    assert judged.elements is not None
    return CasSets(judged, judged.elements, topics)


# //article[about(., x)]//sec[about(., y)] with children 2 (//article…) and 3 (//article//sec…).
JUDGED: Assessed = {
    "1": {
        "d1": {A: "2", S: "2", P: "1"},  # both children hold
        "d2": {A: "1", S2: "?", F: "0"},  # child 3 holds in a paragraph only
        "d3": {S: "0", P: "2"},  # child 2 is not relevant
        "d4": {},
    },
    "2": {"d1": {A: "1"}, "d2": {A: "?"}, "d3": {A: "0"}, "d4": {A: "2"}},
    "3": {"d1": {S2: "?"}, "d2": {P: "2"}, "d3": {S: "2"}, "d4": {}},
}
BOTH = Support("and", (Child("2", path("//article")), Child("3", path("//article//sec"))))


def test_the_four_sets_by_hand() -> None:
    sets = sets_of(JUDGED, {"1": CasTopic(path("//article//sec"), BOTH)})
    everything = {(d, p) for d, elements in JUDGED["1"].items() for p in elements}
    assert members(sets, "1", "VVCAS") == everything
    assert members(sets, "1", "SVCAS") == {("d1", S), ("d2", S2), ("d3", S)}
    assert members(sets, "1", "VSCAS") == {("d1", A), ("d1", S), ("d1", P)}
    assert members(sets, "1", "SSCAS") == {("d1", S)}
    gen, strict = (parse_quantisation(name).values(sets.elements) for name in ("gen5", "strict5"))
    assert sets.counts("1", gen) == {"SSCAS": 1, "SVCAS": 1, "VSCAS": 3, "VVCAS": 5}
    assert sets.counts("1", strict) == {"SSCAS": 1, "SVCAS": 1, "VSCAS": 2, "VVCAS": 3}


@pytest.mark.parametrize(
    ("support", "documents"),
    [
        (BOTH, {"d1"}),
        (Support("or", BOTH.parts), {"d1", "d2", "d3", "d4"}),
        (Support("and", (Child("2", None), Child("3", None))), {"d1", "d2"}),
        (Support("and", (Child("3", path("//article//sec")),)), {"d1", "d3"}),
        (Support("and", (Child("3", path("//fm")),)), set()),
        (Support("or", ()), {"d1", "d2", "d3", "d4"}),
        (Support("and", (Child("2", None), Support("or", (Child("3", path("//fm")), BOTH)))), {"d1"}),
        (Support("or", (Child("3", path("//fm")), Support("and", ()))), {"d1", "d2", "d3", "d4"}),
    ],
)
def test_children_are_joined(support: Support, documents: set[str]) -> None:
    found = members(sets_of(JUDGED, {"1": CasTopic(path("//*"), support)}), "1", "VSCAS")
    assert found is not None
    assert {doc for doc, _ in found} == documents - {"d4"}  # where nothing was assessed


def test_what_is_judged_stays_judged() -> None:
    sets = sets_of(JUDGED, {"1": CasTopic(path("//article//sec"), BOTH)})
    strict = sets.judgements_of("SSCAS")
    assert [(j.topic, j.doc) for j in strict] == [("1", "d1"), ("1", "d2"), ("1", "d3"), ("1", "d4")]
    assert strict.elements is not None
    assert len(strict.elements) == 1
    vague = sets.judgements_of("VVCAS")
    assert vague.elements is not None
    assert sorted(vague.elements.exhaustivity.tolist()) == sorted([2, 2, 1, 1, TOO_SMALL, 0, 0, 2])


def test_a_set_that_cannot_be_known_is_undefined_not_empty() -> None:
    unjudged = Support("or", (Child("2", None), Child("7", None), Child("8", None)))
    sets = sets_of(JUDGED, {"1": CasTopic(path("//sec"), unjudged), "2": CasTopic(path("//article"))})
    assert sets.undefined("1") == "its children 7, 8 are not judged"
    assert [name for name in INTERPRETATIONS if sets.chosen("1", name) is None] == ["SSCAS", "VSCAS"]
    assert sets.counts("1", np.ones(len(sets.elements)))["VSCAS"] is None
    assert list(sets.judgements_of("VSCAS").topics) == ["2"]
    assert list(sets.judgements_of("SVCAS").topics) == ["1", "2"]


def test_topics_that_are_not_judged_have_no_sets() -> None:
    assert list(sets_of(JUDGED, {"9": CasTopic(path("//a")), "3": CasTopic(path("//a"))}).topics) == ["3"]


def test_passages_are_part_of_the_unchanged_judgements_only() -> None:
    builder = JudgementsBuilder()
    builder.add("1", "d")
    builder.add_element("1", "d", ElementGrade(A, 2, -1, 10, 10), "2005")
    builder.add_passage("1", "d", A, P)
    builder.add_passage("1", "d", S, None)
    judged = builder.build()
    assert judged.elements is not None
    sets = CasSets(judged, judged.elements, {"1": CasTopic(path("//article"))})
    assert sets.judgements_of("VVCAS").passages == judged.passages
    assert sets.judgements_of("SVCAS").passages == ()


def test_names() -> None:
    assert [known_interpretation(name) for name in ("SSCAS", "vscas", "SCAS", "VCAS")] == [
        "SSCAS",
        "VSCAS",
        "SVCAS",
        "VVCAS",
    ]
    with pytest.raises(UnknownNameError, match="unknown interpretation 'XCAS'"):
        known_interpretation("XCAS")


# From parent and child topics.

X, Y, Z = "about(., x)", "about(., y)", "about(., z)"


def family(parent: str, *children: str, more: Sequence[Topic] = ()) -> Topics:
    below = [Topic(str(n), castitle=child, parent=parent) for n, child in enumerate(children, start=2)]
    return Topics([Topic("1", castitle=parent), *below, *more])


def demanded(topics: Topics, judged: Sequence[str] = ("1", "2", "3", "4")) -> tuple[CasTopic, list[str]]:
    found, notes = from_topics(topics, [id for id in judged if id in topics], SECTIONS)
    assert list(found) == ["1"]
    return found["1"], notes


def joined(support: Support) -> str:
    parts = (
        f"{part.topic}:{part.pattern}" if isinstance(part, Child) else f"({joined(part)})"
        for part in support.parts
    )
    return f" {support.combine} ".join(parts)


@pytest.mark.parametrize(
    ("parent", "children", "expected"),
    [
        (f"//a[{X}]//b[{Y}]", [f"//a//b[{Y}]", f"//a[{X}]"], "3://a and 2://a//b"),
        (f"//a[{X} or {Y}]", [f"//a[{X}]", f"//a[{Y}]"], "(2://a or 3://a)"),
        (
            f"//a[{X}]//b[{Y} or {Z}]",
            [f"//a[{X}]", f"//a//b[{Y}]", f"//a//b[{Z}]"],
            "2://a and (3://a//b or 4://a//b)",
        ),
        (f"//a[{X} and about(.//b, y)]", [f"//a[{X}]", "//a[about(.//b,y)]"], "(2://a and 3://a)"),
    ],
)
def test_children_are_joined_as_the_query_says(parent: str, children: list[str], expected: str) -> None:
    topic, notes = demanded(family(parent, *children))
    assert (joined(topic.support), topic.undefined, notes) == (expected, "", [])


def test_a_single_clause_has_no_children() -> None:
    topic, _ = demanded(family(f"//a//b[{X}]"))
    assert (str(topic.target), topic.support, topic.undefined) == ("//a//b", Support(), "")


def test_children_that_are_not_there() -> None:
    topic, _ = demanded(family(f"//a[{X}]//b[{Y}]", f"//a[{X}]"))
    assert topic.undefined == "no child topic for its clause //a//b[about(., y)]"


def test_a_comparison_needs_no_child() -> None:
    topic, notes = demanded(family(f"//a[.//yr > 1999 and {X}]//b[{Y}]", f"//a[{X}]", f"//a//b[{Y}]"))
    assert joined(topic.support) == "(2://a) and 3://a//b"
    assert notes == ["topic 1: no child topic for .//yr > 1999, which is left out of the support"]


@pytest.mark.parametrize(("word", "which"), [("and", "all of them"), ("or", "one of them")])
def test_children_that_are_no_clauses_are_joined_all_the_same(word: str, which: str) -> None:
    topic, notes = demanded(family(f"//a[{X} {word} {Y}]", f"//a[{X}]", "//b[about(., w)]"))
    assert joined(topic.support) == f"2://a {word} 3://b"
    assert notes == [f"topic 1: its children are not its clauses; {which} must hold in a document"]


def test_only_judged_parents_with_structure_are_looked_at() -> None:
    others = [Topic("5", title="bees"), Topic("6", castitle="//broken["), Topic("7", castitle=f"//a[{Z}]")]
    _, notes = demanded(family(f"//a[{X}]", more=others), ["1", "2", "5"])
    assert notes == ["judged topics without a structured query, left out: 5"]
    _, notes = from_topics(family(f"//a[{X}]"), ["1", "8", "9"], SECTIONS)
    assert notes == ["judged topics not in the topic files, left out: 8, 9"]
    with pytest.raises(InputError, match="the castitle of topic 6 cannot be read"):
        from_topics(Topics(others), ["6"], SECTIONS)


# From a specification.


def specified(content: Any, folder: Path) -> dict[str, CasTopic]:
    file = folder / "cas.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return from_specification(str(file), SECTIONS)


def test_a_specification(tmp_path: Path) -> None:
    entry = {"target": "//a//b", "children": ["2", "3"], "patterns": ["/a", None], "combine": "or"}
    found = specified({"1": entry, "2": {"target": "//a"}}, tmp_path)
    assert found["1"] == CasTopic(path("//a//b"), Support("or", (Child("2", path("/a")), Child("3", None))))
    assert found["2"] == CasTopic(path("//a"), Support())
    entry["patterns"] = None  # type: ignore[assignment]
    assert specified({"1": entry}, tmp_path)["1"].support.children == (Child("2", None), Child("3", None))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "is not JSON"),
        ("[]", "is not an object of topics"),
        ("{}", "is not an object of topics"),
        ({"1": []}, "topic 1: is not an object"),
        ({"1": {}}, "topic 1: target is None, expected a path"),
        ({"1": {"target": "a"}}, "topic 1: target 'a', column 1: expected '//' or '/', found 'a'"),
        ({"1": {"target": "//a", "child": []}}, "'child' is not understood"),
        ({"1": {"target": "//a", "children": [2]}}, "'children' is not a list of topic ids"),
        ({"1": {"target": "//a", "children": ["2"], "patterns": []}}, "'patterns' is not a list of one path"),
        ({"1": {"target": "//a", "children": ["2"], "patterns": [3]}}, "pattern is 3, expected a path"),
        ({"1": {"target": "//a", "combine": "xor"}}, "'combine' is 'xor'"),
    ],
)
def test_bad_specifications(content: Any, problem: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        specified(content, tmp_path)
    assert problem in str(caught.value)
    assert "cas.json" in str(caught.value)


# Laws.

DOCUMENTS = ("d1", "d2", "d3")
PATHS = (A, F, S, S2, P, "/article[1]/bdy[1]", "/article[1]/bdy[1]/sec[2]")
PATTERNS = ("//article", "//sec", "//article//(sec|p)", "//bdy//*", "/article/*", "//sec//p")
grades = st.dictionaries(st.sampled_from(PATHS), st.sampled_from(["0", "1", "2", "?"]), max_size=5)
documents = st.dictionaries(st.sampled_from(DOCUMENTS), grades, min_size=1)
patterns = st.sampled_from(PATTERNS).map(path)
children = st.builds(Child, st.sampled_from(["2", "3"]), st.none() | patterns)
supports = st.builds(Support, st.sampled_from(["and", "or"]), st.lists(children, max_size=3).map(tuple))


@st.composite
def all_sets(draw: st.DrawFn, supports: st.SearchStrategy[Support]) -> CasSets:
    given = {topic: draw(documents) for topic in ("1", "2", "3")}
    given["3"] = {**given["3"], "d4": {A: "1"}}  # so that there is an element
    return sets_of(given, {"1": CasTopic(draw(patterns), draw(supports))})


@calm
@given(all_sets(supports))
def test_stricter_sets_are_subsets(sets: CasSets) -> None:
    found = {name: members(sets, "1", name) for name in INTERPRETATIONS}
    ss, sv, vs, vv = (found[name] for name in ("SSCAS", "SVCAS", "VSCAS", "VVCAS"))
    assert ss is not None and sv is not None and vs is not None and vv is not None  # noqa: PT018
    assert ss == sv & vs
    assert ss <= sv <= vv
    assert ss <= vs <= vv
    counts = sets.counts("1", parse_quantisation("gen5").values(sets.elements))
    strict = sets.counts("1", parse_quantisation("strict5").values(sets.elements))
    for name in INTERPRETATIONS:
        members_now, generalised, few = found[name], counts[name], strict[name]
        assert members_now is not None and generalised is not None and few is not None  # noqa: PT018
        assert few <= generalised <= len(members_now)


@calm
@given(all_sets(st.just(Support())))
def test_without_children_the_support_changes_nothing(sets: CasSets) -> None:
    assert members(sets, "1", "SSCAS") == members(sets, "1", "SVCAS")
    assert members(sets, "1", "VSCAS") == members(sets, "1", "VVCAS")


@calm
@given(all_sets(supports))
def test_the_judgements_of_a_set_are_its_members(sets: CasSets) -> None:
    for name in INTERPRETATIONS:
        judged = sets.judgements_of(name)
        again = {(doc, path) for _, doc, path in _elements(judged)}
        assert again == members(sets, "1", name)


def _elements(judged: Judgements) -> list[tuple[str, str, str]]:
    elements = judged.elements
    found = []
    for row, document in enumerate(judged):
        first, last = elements.elements_from[row : row + 2].tolist() if elements is not None else (0, 0)
        for e in range(first, last):
            assert elements is not None
            found.append((document.topic, document.doc, elements.paths[int(elements.path[e])]))
    return found


# The conformance cases.


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"case {case.name}")
def test_conformance(case: Path) -> None:
    expected = json.loads((case / "expected.json").read_text())["cas"]["sets"]
    judged = read_judgements(case / "assessments2005")
    assert judged.elements is not None
    sets = CasSets(judged, judged.elements, from_specification(str(case / "cas.json"), SECTIONS))
    assert len(expected) == 4
    for topic, of_topic in expected.items():
        for interpretation, elements in of_topic.items():
            assert members(sets, topic, interpretation) == {tuple(element) for element in elements}
