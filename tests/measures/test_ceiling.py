"""Ceilings of chunkings: the worked example, all lists by brute force, and bounds where chunks overlap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexlab.collection import Collection
from inexlab.errors import UsageError
from inexlab.measures import chunked, evaluate, parse
from inexlab.runs import Run
from inexlab.runs.chunking import Chunking
from tests.builders import a_run, judged, judgement_lines, score, scores

KINDS = ("SpanP", "SpanR", "SpanF", "SpanIoU")
Chunk = tuple[str, int, int]


def with_chunks(run: Run, chunks: list[Chunk]) -> Run:
    return replace(run, chunking=Chunking.of("chunks", chunks))


HALVES: list[Chunk] = [("A", 0, 50), ("A", 50, 100)]


def test_the_example() -> None:
    run = with_chunks(a_run("A[50,100)"), HALVES)
    names = [f"Ceiling(measure={m})" for m in ("SpanR@1", "SpanR@2", "SpanIoU@2")]
    assert scores(names, judged("A 0:60"), run) == [50 / 60, 1, 50 / 60]


def test_the_last_chunk_within_a_budget_is_cut() -> None:
    run = with_chunks(a_run("A[50,100)"), HALVES)
    assert score("Ceiling(measure=SpanR@55c)", judged("A 0:60"), run) == 55 / 60
    assert score("Ceiling(measure=SpanP@55c)", judged("A 0:60"), run) == 1


def test_a_ceiling_needs_the_chunks() -> None:
    with pytest.raises(UsageError, match="all chunks"):
        score("Ceiling(measure=SpanR@1)", judged("A 0:60"), a_run("A[0,50)"))


def test_ceilings_of_other_measures_are_not_known() -> None:
    with pytest.raises(UsageError, match="SpanIoU, not of MAiP"):
        parse("Ceiling(measure=MAiP)")


def test_words_have_ceilings_too() -> None:
    text = b"one two three four five six"
    documents = Collection("texts", {"A": ("A.txt", partial(bytes, text))})
    run = with_chunks(a_run("A[8,13)"), [("A", 0, 8), ("A", 8, 19), ("A", 19, 27)])
    names = ["Ceiling(measure=SpanR(unit=word)@1)", "Ceiling(measure=SpanR(unit=word)@3w)"]
    found = evaluate(judged("A 4:14"), [run], names, collection=documents)  # two, three, four
    assert [float(s.values[0, 0]) for s in found.scores] == [2 / 3, pytest.approx(2 / 3)]


def test_a_chunking_knows_how_deep_it_overlaps() -> None:
    assert Chunking.of("c", HALVES).depth == 1
    assert Chunking.of("c", [("A", 0, 60), ("A", 40, 100), ("A", 50, 55), ("B", 0, 9)]).depth == 3


@st.composite
def disjoint(draw: st.DrawFn) -> list[Chunk]:
    """At most five chunks of two texts of 40 characters, which do not overlap."""
    chunks = []
    for doc in "AB":
        borders = sorted(draw(st.sets(st.integers(0, 40), min_size=2, max_size=4)))
        chunks += [(doc, a, b) for a, b in pairwise(borders)]
    return chunks[:5]


def _lists(chunks: list[Chunk]) -> Iterator[list[str]]:
    for length in range(len(chunks) + 1):
        for some in permutations(chunks, length):
            yield [f"{doc}[{start},{end})" for doc, start, end in some]


LINES = judgement_lines(topics=("1",), documents=("A", "B"), relevant=True)


@settings(deadline=None, max_examples=8)
@given(disjoint(), LINES, st.integers(1, 4), st.integers(1, 60))
def test_ceilings_of_disjoint_chunks_are_the_best_of_all_lists(
    chunks: list[Chunk], lines: list[str], rank: int, budget: int
) -> None:
    gold = judged(*lines)
    wanted = [f"{kind}@{at}" for kind in KINDS for at in (rank, f"{budget}c")]
    runs = [replace(a_run(*found), id=f"r{k}") for k, found in enumerate(_lists(chunks))]
    every = evaluate(gold, runs, wanted, need_judged_topics=False)
    best = [float(s.values.max()) for s in every.scores]
    run = with_chunks(a_run("1:A[0,1)"), chunks)
    assert scores([f"Ceiling(measure={m})" for m in wanted], gold, run) == pytest.approx(best)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from("AB"), st.integers(0, 39), st.integers(1, 20)), min_size=1, max_size=9
    ),
    LINES,
    st.integers(1, 6),
    st.integers(1, 90),
    st.booleans(),
)
def test_no_list_of_overlapping_chunks_is_above_the_ceiling(
    given_chunks: list[Chunk], lines: list[str], rank: int, budget: int, few_steps: bool
) -> None:
    chunks = [(doc, start, start + length) for doc, start, length in given_chunks]
    run = with_chunks(a_run(*(f"{doc}[{a},{b})" for doc, a, b in chunks)), chunks)
    wanted = [f"{kind}@{at}" for kind in KINDS for at in (rank, f"{budget}c")]
    with pytest.MonkeyPatch.context() as patch:
        if few_steps:
            patch.setattr(chunked, "LARGEST_TABLE", 0)
        reached = scores(wanted, judged(*lines), run)
        ceilings = scores([f"Ceiling(measure={m})" for m in wanted], judged(*lines), run)
    for name, value, ceiling in zip(wanted, reached, ceilings, strict=True):
        assert value <= ceiling + 1e-12, name
        assert 0 <= ceiling <= 1
