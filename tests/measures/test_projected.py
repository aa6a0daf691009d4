"""Measures of documents on chunks: the worked example, what counts as relevant, and plain loops."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexlab.errors import UsageError
from inexlab.measures import explain, parse
from inexlab.runs.chunking import Chunking
from tests.builders import a_run, judged, judgement_lines, results, score, scores


def test_the_example() -> None:
    found = a_run("A[0,20)", "A[20,60)", "A[60,90)")
    names = [f"Chunk(measure=RR,rel={rel})" for rel in ("0.5", "0.3", "0.7")]
    assert scores(names, judged("A 0:60"), found) == [0.5, 1, 0]


def test_what_no_chunk_has_enough_of_is_missing_from_recall() -> None:
    # of two highlights one is found; the other is in no chunk that the run is known to have
    found = a_run("A[0,20)", "B[0,20)")
    assert score("Chunk(measure=R@5)", judged("A 0:20", "C 0:20"), found) == 0.5


def test_chunks_that_are_not_returned_count_where_they_are_known() -> None:
    found = a_run("A[0,20)", "B[0,20)")
    known = Chunking.of("c", [("A", 0, 20), ("A", 10, 30), ("B", 0, 20), ("A", 30, 60)])
    gold = judged("A 5:20")
    assert score("Chunk(measure=R@5)", gold, found) == 1
    assert score("Chunk(measure=R@5)", gold, replace(found, chunking=known)) == 0.5


def test_a_chunk_that_comes_again_is_not_relevant_again() -> None:
    found = a_run("A[0,20)", "A[0,20)", "A[0,20)")
    assert scores(["Chunk(measure=P@3)", "Chunk(measure=R@3)"], judged("A 0:20"), found) == [1 / 3, 1]


def test_an_explanation_marks_relevant_chunks() -> None:
    taken_apart = explain(judged("A 0:60"), a_run("A[0,20)", "A[20,60)"), "1", "Chunk(measure=AP)")
    assert taken_apart.columns["relevant"] == ["no", "yes"]
    assert taken_apart.value == 0.5


@pytest.mark.parametrize("name", ["Chunk(rel=1.5)", "Chunk(measure=nothing)"])
def test_what_cannot_be_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        parse(name)


@settings(deadline=None, max_examples=40)
@given(
    results(topics=("1",), documents=("A", "B", "C"), most=10),
    judgement_lines(topics=("1",), documents=("A", "B"), relevant=True),
    st.integers(0, 8),
)
def test_projection_equals_plain_loops(found: list[str], lines: list[str], eighths: int) -> None:
    gold, run = judged(*lines), a_run(*found)
    chunks = [(r.doc, r.start, r.end) for r in run]
    spans = [(row.doc, start, end) for row in gold for start, end in row.spans]

    def enough(chunk: tuple[str, int | None, int | None], span: tuple[str, int, int]) -> bool:
        if chunk[0] != span[0] or chunk[1] is None or chunk[2] is None:
            return False
        common = len(set(range(chunk[1], chunk[2])) & set(range(span[1], span[2])))
        return common > 0 and 8 * common >= eighths * (span[2] - span[1])

    relevant = {chunk for chunk in chunks if any(enough(chunk, span) for span in spans)}
    missed = sum(not any(enough(chunk, span) for chunk in chunks) for span in spans)
    top = set(chunks[:5]) & relevant
    first = next((k for k, chunk in enumerate(chunks, start=1) if chunk in relevant), None)
    rel = eighths / 8
    names = [f"Chunk(measure={m},rel={rel:g})" for m in ("P@5", "R@5", "RR")]
    expected = [len(top) / 5, len(top) / (len(relevant) + missed), 1 / first if first else 0]
    assert scores(names, gold, run) == pytest.approx(expected)
