"""Aspects: the worked example, highlights in their place, budgets, and brute force."""

from __future__ import annotations

from math import isnan
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexlab.judgements import read_judgements, write_judgements
from inexlab.judgements.merging import choose_assessors, merge
from inexlab.judgements.table import Judgements, JudgementsBuilder
from inexlab.measures import explain
from tests.builders import a_run, judged, results, score, scores, spans

Named = dict[str, dict[str, list[tuple[int, int]]]]  # document, aspect, spans


def with_aspects(aspects: Named) -> Judgements:
    builder = JudgementsBuilder()
    for doc, named in aspects.items():
        builder.add("1", doc, [span for parts in named.values() for span in parts])
        builder.add_aspects("1", doc, named)
    return builder.build()


EXAMPLE = with_aspects({"A": {"x": [(0, 10)], "y": [(20, 30)]}, "B": {"x": [(5, 9)]}})


def test_the_example() -> None:
    found = a_run("A[25,26)", "B[9,50)", "B[0,6)")
    assert scores([f"Aspects@{k}" for k in (1, 2, 3)], EXAMPLE, found) == [0.5, 0.5, 1]
    assert scores(["Aspects@42c", "Aspects@47c", "Aspects@48c"], EXAMPLE, found) == [0.5, 0.5, 1]


def test_the_text_of_aspects_is_relevant() -> None:
    assert score("SpanR", EXAMPLE, a_run("A[0,12)")) == 10 / 24


def test_without_aspects_each_highlight_is_one() -> None:
    assert score("Aspects@1", judged("A 0:10 20:10", "B 0:5"), a_run("A[5,25)")) == 2 / 3


def test_a_topic_without_anything_relevant_has_no_score() -> None:
    assert isnan(score("Aspects@1", judged("A"), a_run("A[5,25)")))


def test_an_explanation_says_which_result_brings_what() -> None:
    taken_apart = explain(EXAMPLE, a_run("A[25,26)", "B[9,50)", "B[0,6)"), "1", "Aspects")
    assert taken_apart.columns["new aspects"] == [1, 0, 1]
    assert taken_apart.columns["score so far"] == [0.5, 0.5, 1]
    assert taken_apart.steps == [("aspects of the topic", 2)]


@settings(deadline=None, max_examples=50)
@given(
    st.dictionaries(
        st.sampled_from("AB"),
        st.dictionaries(st.sampled_from("xyz"), st.lists(spans(1), min_size=1, max_size=3), min_size=1),
        min_size=1,
    ),
    results(topics=("1",), documents=("A", "B", "C"), most=8),
    st.integers(1, 9),
)
def test_aspects_equal_brute_force(aspects: Named, found: list[str], rank: int) -> None:
    returned = {
        (r.doc, at) for r in a_run(*found[:rank]) if r.start is not None for at in range(r.start, r.end or 0)
    }
    names = {name for named in aspects.values() for name in named}
    touched = {
        name
        for doc, named in aspects.items()
        for name, parts in named.items()
        if any((doc, at) in returned for start, end in parts for at in range(start, end))
    }
    assert score(f"Aspects@{rank}", with_aspects(aspects), a_run(*found)) == pytest.approx(
        len(touched) / len(names)
    )


def test_aspects_are_read_and_written(tmp_path: Path) -> None:
    file = tmp_path / "gold.jsonl"
    file.write_text('{"topic": "1", "doc": "A", "aspects": {"x": [[0, 10], [5, 12]], "y": [[20, 30]]}}\n')
    judgements = read_judgements(file)
    assert [row.spans for row in judgements] == [((0, 12), (20, 30))]
    write_judgements(judgements, tmp_path / "again.jsonl", "jsonl")
    again = read_judgements(tmp_path / "again.jsonl")
    assert again.aspects is not None
    assert again.aspects.of_row(0) == {"x": [(0, 12)], "y": [(20, 30)]}


def test_aspects_follow_their_rows_and_assessors(tmp_path: Path) -> None:
    file = tmp_path / "gold.jsonl"
    file.write_text(
        '{"topic": "1", "doc": "A", "assessor": "ann", "aspects": {"x": [[0, 10]]}}\n'
        '{"topic": "1", "doc": "A", "assessor": "bob", "aspects": {"y": [[20, 30]]}}\n'
    )
    judgements = read_judgements(file)
    of_bob = choose_assessors(judgements, ["bob"])
    assert of_bob.aspects is not None
    assert of_bob.aspects.of_row(0) == {"y": [(20, 30)]}
    assert score("Aspects@1", of_bob, a_run("A[25,26)")) == 1
    assert "aspects not kept" in " ".join(merge(judgements, "union").not_kept)


def test_aspects_that_are_no_object_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "gold.jsonl"
    file.write_text('{"topic": "1", "doc": "A", "aspects": [[0, 10]]}\n')
    with pytest.raises(Exception, match=r"line 1: 'aspects' is not an object"):
        read_judgements(file)
