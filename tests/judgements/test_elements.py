"""Graded elements: paths in order, the trees they make, and places of results that nobody assessed.

The oracle knows a path as the tuple of its steps: one is below another if it begins with it and is longer.
"""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inexlab.judgements.elements import GradedElements, full_path
from inexlab.judgements.table import ElementGrade, JudgementsBuilder
from tests.builders import calm

Steps = tuple[str, ...]

both_ways = pytest.mark.parametrize("compiled", ["never", pytest.param("always", marks=pytest.mark.compiled)])

# Names that begin like others, with characters before and after `/` and `[` in the order of code points.
TAGS = ("article", "sec", "sec1", "p", "p1", "p-x", "p.x", "mml:p", "é")
step = st.builds("{}[{}]".format, st.sampled_from(TAGS), st.sampled_from((1, 2, 10, 11)))
few_steps = st.builds("{}[{}]".format, st.sampled_from(TAGS[1:5]), st.sampled_from((1, 10)))
path = st.lists(step, min_size=1, max_size=4).map(tuple) | st.lists(few_steps, min_size=1, max_size=4).map(
    lambda inner: ("article[1]", *inner)
)


@st.composite
def documents(draw: st.DrawFn) -> list[set[Steps]]:
    """Assessed documents; some of the paths above others are assessed too, as INEX asks, some are not."""
    found: list[set[Steps]] = []
    for _ in range(draw(st.integers(1, 3))):
        below = draw(st.lists(path, max_size=8))
        above = [p[:n] for p in below for n in range(1, len(p)) if draw(st.booleans())]
        found.append({*below, *above})
    found[0].add(draw(path))
    return found


def text(steps: Steps) -> str:
    return "".join(f"/{s}" for s in steps)


def is_below(inner: Steps, outer: Steps) -> bool:
    return len(inner) > len(outer) and inner[: len(outer)] == outer


def graded(assessed: list[set[Steps]]) -> GradedElements:
    builder = JudgementsBuilder()
    for number, paths in enumerate(assessed):
        doc = f"d{number}"
        builder.add("1", doc)
        for steps in paths:
            assert builder.add_element("1", doc, ElementGrade(text(steps), 1, -1, 10, 5), "2005") is None
    elements = builder.build().elements
    assert elements is not None
    return elements


def trees(elements: GradedElements, compiled: str) -> tuple[list[int], list[int], list[int]]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("INEXLAB_COMPILED", compiled)
        above, parent, end = elements.trees
    return above.tolist(), parent.tolist(), end.tolist()


def steps_of(elements: GradedElements) -> list[Steps]:
    """The paths of the table as the oracle knows them."""
    return [tuple(p.split("/")[1:]) for p in elements.paths]


# Paths with and without numbers.


@pytest.mark.parametrize(
    ("given_path", "whole"),
    [
        ("/article[1]/bdy[1]/sec[3]", "/article[1]/bdy[1]/sec[3]"),
        ("/article/bdy/sec", "/article[1]/bdy[1]/sec[1]"),
        ("/article[1]/bdy/sec[3]/p", "/article[1]/bdy[1]/sec[3]/p[1]"),
        ("/article", "/article[1]"),
        ("/mml:math/p-1[12]", "/mml:math[1]/p-1[12]"),
        ("/article[1]/", "/article[1]"),
    ],
)
def test_a_step_without_a_number_means_the_first(given_path: str, whole: str) -> None:
    assert full_path(given_path) == whole


@given(path, st.data())
def test_leaving_out_any_number_1_changes_nothing(steps: Steps, data: st.DataObject) -> None:
    short = [s.removesuffix("[1]") if data.draw(st.booleans()) else s for s in steps]
    assert full_path(text(tuple(short))) == text(steps)


# The table of paths.


@calm
@given(documents())
def test_every_path_is_in_the_table_once_and_what_is_below_it_follows(assessed: list[set[Steps]]) -> None:
    elements = graded(assessed)
    known = steps_of(elements)
    assert len(known) == len(set(known))
    assert set(known) == set().union(*assessed)
    for code, steps in enumerate(known):
        below = [other for other, inner in enumerate(known) if is_below(inner, steps)]
        assert below == list(range(code + 1, int(elements.path_end[code])))


@calm
@given(documents())
def test_the_path_above_in_the_table_is_the_nearest_one(assessed: list[set[Steps]]) -> None:
    elements = graded(assessed)
    known = steps_of(elements)
    for code, steps in enumerate(known):
        above = [other for other in known if is_below(steps, other)]
        nearest = max(above, key=len, default=None)
        assert elements.path_parent[code] == (-1 if nearest is None else known.index(nearest))
        assert elements.depth[code] == len(steps)
        assert elements.direct[code] == (nearest is not None and len(nearest) == len(steps) - 1)


# The trees of the documents.


@calm
@given(documents())
def test_each_document_has_its_elements_in_the_order_of_paths(assessed: list[set[Steps]]) -> None:
    elements = graded(assessed)
    known = steps_of(elements)
    assert len(elements) == sum(map(len, assessed))
    for row, paths in enumerate(assessed):
        codes = elements.path[elements.elements_from[row] : elements.elements_from[row + 1]].tolist()
        assert codes == sorted(codes)
        assert {known[code] for code in codes} == paths


@both_ways
@calm
@given(assessed=documents())
@example(assessed=[{("a[1]",), ("a[1]", "sec[1]"), ("a[1]", "sec[10]"), ("a[1]", "sec[1]", "p[1]")}])
@example(assessed=[{("a[1]", "p[1]"), ("a[1]", "p1[1]"), ("a[1]", "p1[1]", "p[1]")}, {("a[1]",)}])
def test_trees_are_those_of_the_oracle(compiled: str, assessed: list[set[Steps]]) -> None:
    elements = graded(assessed)
    known = steps_of(elements)
    above, parent, end = trees(elements, compiled)
    for row in range(len(assessed)):
        rows = range(int(elements.elements_from[row]), int(elements.elements_from[row + 1]))
        steps = {e: known[int(elements.path[e])] for e in rows}
        for e in rows:
            over = [other for other in rows if is_below(steps[e], steps[other])]
            nearest = max(over, key=lambda other: len(steps[other]), default=-1)
            assert above[e] == nearest
            assert parent[e] == next((o for o in over if steps[o] == steps[e][:-1]), -1)
            below = [other for other in rows if is_below(steps[other], steps[e])]
            assert below == list(range(e + 1, end[e]))


def test_a_small_tree_by_hand() -> None:
    elements = graded(
        [
            {("a[1]",), ("a[1]", "s[1]"), ("a[1]", "s[1]", "p[2]"), ("a[1]", "s[10]", "p[1]")},
            {("a[1]", "s[1]")},
        ]
    )
    assert list(elements.paths) == ["/a[1]", "/a[1]/s[10]/p[1]", "/a[1]/s[1]", "/a[1]/s[1]/p[2]"]
    assert elements.elements_from.tolist() == [0, 4, 5]
    assert elements.path.tolist() == [0, 1, 2, 3, 2]
    above, parent, end = trees(elements, "never")
    assert above == [-1, 0, 0, 2, -1]
    assert parent == [-1, -1, 0, 2, -1]  # s[10] itself is not assessed, so its paragraph has no parent
    assert end == [4, 2, 4, 4, 5]


# Places of paths, assessed or not.


@calm
@given(documents(), st.data())
def test_a_place_is_the_nearest_path_at_or_above_and_all_below(
    assessed: list[set[Steps]], data: st.DataObject
) -> None:
    elements = graded(assessed)
    known = steps_of(elements)
    inside = st.sampled_from(known).flatmap(
        lambda steps: st.sampled_from([steps[: n + 1] for n in range(len(steps))])
    )
    deeper = st.builds(lambda steps, more: (*steps, more), st.sampled_from(known), step)
    for steps in data.draw(st.lists(path | inside | deeper, min_size=1, max_size=5)):
        at, first, end = elements.place(text(steps))
        near = [code for code, other in enumerate(known) if steps == other or is_below(steps, other)]
        assert at == max(near, key=lambda code: len(known[code]), default=-1)
        under = [code for code, other in enumerate(known) if steps == other or is_below(other, steps)]
        assert list(range(first, end)) == under
        without_numbers = text(tuple(s.removesuffix("[1]") for s in steps))
        assert elements.place(without_numbers) == (at, first, end)


def test_places_by_hand() -> None:
    elements = graded([{("a[1]",), ("a[1]", "s[1]", "p[1]"), ("a[1]", "s[1]", "p[2]"), ("a[1]", "s[10]")}])
    assert list(elements.paths) == ["/a[1]", "/a[1]/s[10]", "/a[1]/s[1]/p[1]", "/a[1]/s[1]/p[2]"]
    assert elements.place("/a[1]/s[1]/p[2]") == (3, 3, 4)  # assessed itself
    assert elements.place("/a[1]/s[1]") == (0, 2, 4)  # between assessed ones
    assert elements.place("/a[1]/s[1]/p[2]/it[1]") == (3, 4, 4)  # inside an assessed one
    assert elements.place("/b[1]")[0] == -1  # elsewhere


# Work done once.


def test_work_is_done_once_for_each_key() -> None:
    elements = graded([{("a[1]",)}])
    done: list[str] = []

    def work(name: str) -> str:
        done.append(name)
        return f"the result of {name}"

    for _ in range(3):
        assert elements.once("x", lambda: work("x")) == "the result of x"
        assert elements.once(("x", 1), lambda: work("y")) == "the result of y"
    assert done == ["x", "y"]
    assert graded([{("a[1]",)}]).once("x", lambda: work("z")) == "the result of z"
