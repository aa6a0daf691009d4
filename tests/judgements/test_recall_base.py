"""Recall bases: worked examples, the laws of the ideal one, and its construction by brute force."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inexlab.errors import UnknownNameError
from inexlab.judgements import Judgements
from inexlab.judgements.elements import GradedElements
from inexlab.judgements.quantisation import parse_quantisation
from inexlab.judgements.recall_base import Mask, RecallBase, ideal_constructions, recall_base
from inexlab.judgements.table import ElementGrade, JudgementsBuilder
from inexlab.tables import Floats
from tests.builders import calm

Steps = tuple[str, ...]
Values = dict[Steps, Fraction]  # the elements of one document
Documents = dict[tuple[str, str], Values]  # by topic and document

both_ways = pytest.mark.parametrize("compiled", ["never", pytest.param("always", marks=pytest.mark.compiled)])


def judgements_of(documents: Documents) -> tuple[Judgements, GradedElements]:
    """Graded elements whose specificity is the value that is wanted."""
    builder = JudgementsBuilder()
    for (topic, doc), values in documents.items():
        builder.add(topic, doc)
        for steps, value in values.items():
            path = "".join(f"/{step}" for step in steps)
            grade = ElementGrade(path, 2, -1, value.denominator, value.numerator)
            assert builder.add_element(topic, doc, grade, "2005") is None
    judgements = builder.build()
    assert judgements.elements is not None
    return judgements, judgements.elements


def members(
    documents: Documents, *, ideal: bool, compiled: str = "never", construction: str = "official"
) -> dict[tuple[str, str], set[Steps]]:
    """The elements in the recall base of each topic and document."""
    judgements, elements = judgements_of(documents)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("INEXLAB_COMPILED", compiled)
        base = recall_base(judgements, elements, parse_quantisation("spec6"), construction, ideal)
    found: dict[tuple[str, str], set[Steps]] = {}
    for row, judged in enumerate(judgements):
        rows = range(int(elements.elements_from[row]), int(elements.elements_from[row + 1]))
        paths = [elements.paths[int(elements.path[e])] for e in rows if base.ideal[e]]
        found[judged.topic, judged.doc] = {tuple(path.split("/")[1:]) for path in paths}
    return found


def ideal_of(values: Mapping[str, float | str], construction: str = "official") -> set[str]:
    """The ideal elements of one document, written `a/s1/p1`."""
    document = {tuple(name.split("/")): Fraction(str(value)) for name, value in values.items()}
    numbered = {tuple(f"{step}[1]" for step in steps): value for steps, value in document.items()}
    (found,) = members({("1", "d"): numbered}, ideal=True, construction=construction).values()
    return {"/".join(step.removesuffix("[1]") for step in steps) for steps in found}


# By hand.


@pytest.mark.parametrize(
    ("values", "ideal"),
    [
        pytest.param({"sec": 0.5, "sec/p1": 0.5, "sec/p2": 1}, {"sec"}, id="definition"),
        pytest.param({"sec": 0.6, "sec/p1": 1, "sec/p2": 0.5}, {"sec"}, id="worked example"),
        pytest.param({"sec": 0.4, "sec/p1": 0.5, "sec/p2": 1}, {"sec/p1", "sec/p2"}, id="both below better"),
        pytest.param({"a": 1, "a/sec": 1, "a/sec/p": 1}, {"a"}, id="ties go to the root"),
        pytest.param({"a": 0.2, "a/sec": 0.9, "a/sec/p": 0.5}, {"a/sec"}, id="the best in the middle"),
        pytest.param({"a": 0.3, "a/sec": 0, "a/sec/p": 0.9}, {"a/sec/p"}, id="nothing in the middle"),
        pytest.param({"a": 0, "a/sec": 0.9, "a/sec/p": 0}, {"a/sec"}, id="only what has value"),
        pytest.param({"a": 0.3, "a/sec/p": 0.3}, {"a"}, id="a generation not assessed"),
        pytest.param(
            {"a": 0.1, "a/s1": 0.4, "a/s1/p": 0.2, "a/s2": 0.1}, {"a"}, id="one path takes the root"
        ),
        pytest.param({"a/s1": 0.5, "a/s2/p": 0.5, "b": 1}, {"a/s1", "a/s2/p", "b"}, id="several trees"),
        pytest.param({"a": 0, "a/p": 0}, set(), id="nothing relevant"),
    ],
)
def test_the_ideal_elements_of_a_document(values: dict[str, float], ideal: set[str]) -> None:
    assert ideal_of(values) == ideal


def test_the_ideal_elements_depend_on_the_quantisation() -> None:
    builder = JudgementsBuilder()
    builder.add("1", "d")
    for path, exhaustivity, rsize in (("/a[1]", 2, 6), ("/a[1]/p[1]", 1, 10), ("/a[1]/p[2]", -1, 10)):
        builder.add_element("1", "d", ElementGrade(path, exhaustivity, -1, 10, rsize), "2005")
    judgements = builder.build()
    elements = judgements.elements
    assert elements is not None

    def ideal(quant: str) -> list[bool]:
        mask: list[bool] = recall_base(
            judgements, elements, parse_quantisation(quant), "official", True
        ).ideal.tolist()
        return mask

    assert ideal("gen5") == [True, False, False]  # 1.2, 1, 0
    assert ideal("genLifted") == [True, False, False]  # 1.8, 2, 1: the second path takes the article
    assert ideal("binExh") == [False, True, True]  # .6, 1, 1
    assert ideal("strict5") == [False, False, False]


def test_gains_are_sorted_within_topics_and_within_documents() -> None:
    half, third = Fraction(1, 2), Fraction(1, 3)
    judgements, elements = judgements_of(
        {
            ("1", "d"): {("a[1]",): third, ("a[1]", "p[1]"): Fraction(1)},
            ("1", "e"): {("a[1]",): half, ("a[1]", "p[1]"): Fraction(0)},
            ("2", "d"): {},
            ("3", "e"): {("a[1]",): half},
        }
    )
    full = recall_base(judgements, elements, parse_quantisation("spec6"), "official", False)
    assert full.gains.tolist() == [1, 1 / 2, 1 / 3, 1 / 2]
    assert full.gains_from.tolist() == [0, 3, 3, 4]
    assert full.row_gains.tolist() == [1, 1 / 3, 1 / 2, 1 / 2]
    assert full.row_gains_from.tolist() == [0, 2, 3, 3, 4]
    ideal = recall_base(judgements, elements, parse_quantisation("spec6"), "official", True)
    assert ideal.gains.tolist() == [1, 1 / 2, 1 / 2]
    assert ideal.gains_from.tolist() == [0, 2, 2, 3]


def test_a_recall_base_is_built_once() -> None:
    judgements, elements = judgements_of({("1", "d"): {("a[1]",): Fraction(1, 2)}})

    def build(quant: str, ideal: bool) -> RecallBase:
        return recall_base(judgements, elements, parse_quantisation(quant), "official", ideal)

    assert build("spec6", True) is build("spec6", True)
    assert build("spec6", True) is not build("spec6", False)
    assert build("spec6", True) is not build("gen5", True)


# Laws, on random trees of small values so that ties abound.

step = st.sampled_from(("s[1]", "s[2]", "s[10]", "p[1]", "p1[1]"))
steps = st.lists(step, max_size=4).map(lambda inner: ("a[1]", *inner))
value = st.integers(0, 4).map(lambda n: Fraction(n, 4))
document = st.dictionaries(steps, value, max_size=10)
documents = st.dictionaries(
    st.tuples(st.sampled_from("12"), st.sampled_from("de")),
    document,
    min_size=1,
    max_size=4,
).filter(lambda found: any(found.values()))


def is_above(outer: Steps, inner: Steps) -> bool:
    return len(outer) < len(inner) and inner[: len(outer)] == outer


def overlap(one: Steps, other: Steps) -> bool:
    return one == other or is_above(one, other) or is_above(other, one)


def relevant_paths(values: Values) -> list[list[Steps]]:
    """For each relevant element with no relevant one below it, the relevant elements down to it."""
    relevant = [element for element, worth in values.items() if worth > 0]
    leaves = [e for e in relevant if not any(is_above(e, other) for other in relevant)]
    return [[e for e in relevant if e == leaf or is_above(e, leaf)] for leaf in leaves]


def ideal_by_hand(values: Values) -> set[Steps]:
    """The best of each relevant path, the higher one in a tie; then no one below another."""
    best = {max(path, key=lambda e: (values[e], -len(e))) for path in relevant_paths(values)}
    return {e for e in best if not any(is_above(other, e) for other in best)}


@both_ways
@calm
@given(judged=documents)
@example(judged={("1", "d"): {("a[1]", "s[1]"): Fraction(1, 4), ("a[1]", "s[10]"): Fraction(1, 2)}})
def test_the_ideal_recall_base_is_the_one_made_by_hand(compiled: str, judged: Documents) -> None:
    found = members(judged, ideal=True, compiled=compiled)
    assert found == {key: ideal_by_hand(values) for key, values in judged.items()}


def best_first_by_hand(values: Values) -> set[Steps]:
    """By falling value, the higher element in a tie, what overlaps nothing taken before."""
    chosen: list[Steps] = []
    for element in sorted((e for e in values if values[e] > 0), key=lambda e: (-values[e], len(e))):
        if not any(overlap(element, other) for other in chosen):
            chosen.append(element)
    return set(chosen)


@both_ways
@calm
@given(judged=documents)
def test_the_other_construction_takes_the_best_first(compiled: str, judged: Documents) -> None:
    found = members(judged, ideal=True, compiled=compiled, construction="best-first")
    assert found == {key: best_first_by_hand(values) for key, values in judged.items()}


@pytest.mark.parametrize(
    ("values", "official", "best_first"),
    [
        ({"sec": 0.6, "sec/p1": 1, "sec/p2": 0.5}, {"sec"}, {"sec/p1", "sec/p2"}),
        ({"sec": 0.5, "sec/p1": 0.5, "sec/p2": 0.25}, {"sec"}, {"sec"}),
        ({"a": 0.4, "a/s": 0.2, "a/s/p": 0.9, "a/t": 0.3}, {"a"}, {"a/s/p", "a/t"}),
    ],
)
def test_where_the_constructions_differ(
    values: dict[str, float], official: set[str], best_first: set[str]
) -> None:
    assert (ideal_of(values), ideal_of(values, "best-first")) == (official, best_first)


@calm
@given(documents)
def test_the_full_recall_base_is_all_that_has_value(judged: Documents) -> None:
    found = members(judged, ideal=False)
    assert found == {key: {e for e, worth in values.items() if worth > 0} for key, values in judged.items()}


@calm
@given(documents)
def test_ideal_elements_do_not_overlap_and_are_relevant(judged: Documents) -> None:
    full = members(judged, ideal=False)
    for key, ideal in members(judged, ideal=True).items():
        assert ideal <= full[key]
        assert not any(is_above(one, other) for one in ideal for other in ideal)


@calm
@given(documents)
def test_every_relevant_path_has_one_ideal_element_at_most_and_meets_one(judged: Documents) -> None:
    for key, ideal in members(judged, ideal=True).items():
        for path in relevant_paths(judged[key]):
            assert len(ideal.intersection(path)) <= 1
            assert any(overlap(element, path[-1]) for element in ideal)
        assert bool(ideal) == any(worth > 0 for worth in judged[key].values())


@both_ways
@pytest.mark.parametrize("ideal", [False, True], ids=["full", "ideal"])
@calm
@given(judged=documents)
def test_each_element_knows_the_member_at_or_nearest_above_it(
    compiled: str, ideal: bool, judged: Documents
) -> None:
    judgements, elements = judgements_of(judged)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("INEXLAB_COMPILED", compiled)
        base = recall_base(judgements, elements, parse_quantisation("spec6"), "official", ideal)
    paths = [tuple(elements.paths[code].split("/")[1:]) for code in elements.path.tolist()]
    for row in range(len(judgements)):
        rows = range(int(elements.elements_from[row]), int(elements.elements_from[row + 1]))
        for e in rows:
            over = [m for m in rows if base.ideal[m] and (m == e or is_above(paths[m], paths[e]))]
            assert base.ideal_at[e] == max(over, key=lambda m: len(paths[m]), default=-1)


@calm
@given(documents, st.booleans())
def test_gains_are_the_values_of_the_members_largest_first(judged: Documents, ideal: bool) -> None:
    judgements, elements = judgements_of(judged)
    base = recall_base(judgements, elements, parse_quantisation("spec6"), "official", ideal)
    chosen = members(judged, ideal=ideal)

    def largest_first(keys: list[tuple[str, str]]) -> list[float]:
        return sorted((float(judged[key][e]) for key in keys for e in chosen[key]), reverse=True)

    for t, topic in enumerate(judgements.topics):
        gains = base.gains[base.gains_from[t] : base.gains_from[t + 1]].tolist()
        assert gains == largest_first([key for key in judged if key[0] == topic])
    for r, row in enumerate(judgements):
        gains = base.row_gains[base.row_gains_from[r] : base.row_gains_from[r + 1]].tolist()
        assert gains == largest_first([(row.topic, row.doc)])


# Other constructions.


def test_an_unknown_construction_is_refused() -> None:
    judgements, elements = judgements_of({("1", "d"): {("a[1]",): Fraction(1)}})
    with pytest.raises(
        UnknownNameError, match="unknown construction of the ideal recall base 'offical'; did"
    ):
        recall_base(judgements, elements, parse_quantisation("spec6"), "offical", True)


def test_a_construction_of_ones_own_is_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {name: ideal_constructions[name] for name in ideal_constructions}
    monkeypatch.setattr(ideal_constructions, "_entries", known)

    def roots(elements: GradedElements, worth: Floats) -> Mask:
        return (elements.trees[0] < 0) & (worth > 0)

    ideal_constructions.add("roots", roots)
    judgements, elements = judgements_of(
        {("1", "d"): {("a[1]",): Fraction(1, 4), ("a[1]", "p[1]"): Fraction(1)}}
    )
    quant = parse_quantisation("spec6")
    mine = recall_base(judgements, elements, quant, "roots", True)
    assert mine.ideal.tolist() == [True, False]
    assert mine.gains.tolist() == [0.25]
    assert recall_base(judgements, elements, quant, "official", True).ideal.tolist() == [False, True]
    assert np.array_equal(mine.ideal_at, [0, 0])
