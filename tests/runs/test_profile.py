"""What a run is like: overlap against every pair of results, tags and depths."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.collection import Collection, open_collection
from inexlab.runs import Run, locate
from inexlab.runs.profile import DOCUMENT, PASSAGE, overlapping, tags_and_depths
from inexlab.runs.table import RunBuilder
from tests.builders import a_run, calm, spans

Place = tuple[str, str, tuple[int, int]]  # topic, document, span
Steps = tuple[tuple[str, int], ...]


def brute_force(run: Sequence[Place]) -> list[bool]:
    """Compare every result with every other."""
    return [
        any(
            i != j and here[:2] == there[:2] and max(here[2][0], there[2][0]) < min(here[2][1], there[2][1])
            for j, there in enumerate(run)
        )
        for i, here in enumerate(run)
    ]


@calm
@given(st.lists(st.tuples(st.sampled_from("12"), st.sampled_from("AB"), spans()), max_size=20))
def test_overlap_of_spans(places: list[Place]) -> None:
    builder = RunBuilder()
    for topic, doc, span in places:
        builder.add(topic, doc, span=span)
    assert overlapping(builder.build("run")).tolist() == brute_force(places)


_steps = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from([1, 2, 10])), max_size=3).map(
    lambda below: (("a", 1), *below)
)


def spelled(steps: Steps, short: bool) -> str:
    """Return a path, where `short` without the numbers that are 1."""
    return "".join(f"/{tag}" if short and number == 1 else f"/{tag}[{number}]" for tag, number in steps)


@calm
@given(st.lists(st.tuples(st.sampled_from("12"), st.sampled_from("AB"), _steps, st.booleans()), max_size=20))
def test_overlap_of_paths(places: list[tuple[str, str, Steps, bool]]) -> None:
    """Two elements overlap if the steps to one begin with those to the other."""
    builder = RunBuilder()
    for topic, doc, steps, short in places:
        builder.add(topic, doc, path=spelled(steps, short))
    expected = [
        any(
            i != j and here[:2] == there[:2] and here[2][: len(there[2])] == there[2][: len(here[2])]
            for j, there in enumerate(places)
        )
        for i, here in enumerate(places)
    ]
    assert overlapping(builder.build("run")).tolist() == expected


def test_whole_documents_and_results_that_are_nowhere() -> None:
    run = a_run("A/", "A/x[1]/y[2]", "B/x[1]", "B?", "C?", "C?")
    assert overlapping(run).tolist() == [True, True, False, False, False, False]
    assert overlapping(a_run()).tolist() == []


def test_touching_is_not_overlapping() -> None:
    assert overlapping(a_run("A[0,5)", "A[5,9)", "A[5,5)")).tolist() == [False, False, False]


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    (tmp_path / "A.xml").write_text("<article><sec><p>12345</p></sec><sec>678<p>90</p></sec></article>")
    return open_collection(tmp_path)


def described(run: Run, collection: Collection | None = None) -> list[tuple[str, int]]:
    tags, depths = tags_and_depths(run, collection)
    return list(zip(tags, depths.tolist(), strict=True))


def test_tags_and_depths_of_paths() -> None:
    run = a_run("A/article[1]", "A/article[1]/sec[2]/p[1]", "A/", "A[0,5)", "A?")
    assert described(run) == [("article", 1), ("p", 3), (DOCUMENT, 1), (PASSAGE, 0), (PASSAGE, 0)]


def test_a_text_node_is_a_passage() -> None:
    assert described(a_run("A/article[1]/sec[1]/text()[1]")) == [(PASSAGE, 0)]


def test_a_passage_between_two_elements_is_none_of_them() -> None:
    builder = RunBuilder()
    builder.add("1", "A", path="/article[1]/sec[1]", until="/article[1]/sec[2]")
    assert described(builder.build("run")) == [(PASSAGE, 0)]


def test_spans_of_elements_are_looked_up(collection: Collection) -> None:
    """The first section has the span of its paragraph: the outermost element counts."""
    run = a_run("A[0,10)", "A[0,5)", "A[8,10)", "A[0,4)", "B[0,5)")
    assert described(run, collection) == [("article", 1), ("sec", 2), ("p", 3), (PASSAGE, 0), (PASSAGE, 0)]
    assert described(run) == [(PASSAGE, 0)] * 5


def test_paths_keep_their_own_tag_where_they_are_located(collection: Collection) -> None:
    run = locate(a_run("A/article[1]/sec[1]/p[1]"), collection, None)
    assert described(run, collection) == [("p", 3)]
