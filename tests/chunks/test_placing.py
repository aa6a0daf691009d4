"""Chunks placed in their documents: stated, by text, in any document, in none."""

from __future__ import annotations

from functools import partial

import pytest

from inexlab.chunks.pieces import Piece
from inexlab.chunks.placing import UNPLACED, Sources, WithTexts, place_chunking, place_results
from inexlab.collection import Collection

A = "The cat sat on the mat. The dog sat on the log. The cat sat on the mat. Nobody knows why."
B = "Another text about birds. It has two sentences."


def texts(**given: str) -> Collection:
    return Collection(
        "texts", {id: (f"{id}.txt", partial(bytes, text.encode())) for id, text in given.items()}
    )


SOURCES = Sources(texts(a=A, b=B))


@pytest.mark.parametrize("name", ["a", "a.md", "docs/a.txt", "/home/me/docs/a.html", "C:\\docs\\a.txt"])
def test_documents_are_known_by_their_files(name: str) -> None:
    assert SOURCES.find(name) == "a"


def test_an_unknown_document_is_none() -> None:
    assert SOURCES.find("c.md") is None
    assert SOURCES.find("") is None


def test_a_path_that_two_documents_end_in_is_none() -> None:
    assert Sources(texts(**{"x/a": A, "y/a": B})).find("a.md") is None


def test_chunks_are_placed_in_the_order_of_their_document() -> None:
    pieces = [Piece("The cat sat on the mat.", "a"), Piece("The dog sat on the log.", "a")]
    pieces += [Piece("The cat sat on the mat.", "a"), Piece("Nobody knows why.", "a", 72)]
    chunking, report = place_chunking("c", pieces, SOURCES)
    assert list(zip(chunking.start.tolist(), chunking.end.tolist(), strict=True)) == [
        (0, 23),
        (24, 47),
        (48, 71),
        (72, 89),
    ]
    assert report.how == {"exact": 3, "stated": 1}
    assert list(report.notes("c", "left out")) == []


def test_false_offsets_are_told_and_repaired() -> None:
    chunking, report = place_chunking("c", [Piece("The dog sat on the log.", "a", 3)], SOURCES)
    assert (chunking.start.tolist(), chunking.end.tolist()) == ([24], [47])
    assert list(report.notes("c", "left out")) == [
        "c: 1 of 1 chunk not at the stated offset, placed by the text"
    ]


def test_a_text_alone_is_found_in_any_document() -> None:
    run, report = place_results("r", {"q1": [Piece("It has two sentences.")]}, SOURCES)
    assert [(r.doc, r.start, r.end) for r in run] == [("b", 26, 47)]
    assert report.doubtful == 0


def test_what_is_in_no_document_is_returned_text_of_a_document_of_its_own() -> None:
    strange = "these words were never written by anybody in there"
    run, report = place_results("r", {"q1": [Piece(strange, "a"), Piece(strange, "a")]}, SOURCES)
    results = list(run)
    assert len({r.doc for r in results}) == 1  # the same text is the same text
    assert results[0].doc.startswith(UNPLACED)
    assert [(r.start, r.end) for r in results] == [(0, len(strange))] * 2
    assert list(report.notes("r", "counted as returned and not relevant")) == [
        "r: 2 of 2 chunks in no document (50 characters), counted as returned and not relevant"
    ]
    both = WithTexts(SOURCES.collection, report.unplaced)
    assert both[results[0].doc].text == strange
    assert list(both) == ["a", "b", results[0].doc]
    assert results[0].doc in both
    assert len(both) == 3


def test_spans_without_text_are_taken_as_they_are() -> None:
    run, _ = place_results("r", {"q1": [Piece(None, "a", 3, 9), Piece(None, "c", 3, 9)]}, SOURCES)
    assert [(r.doc.startswith(UNPLACED), r.start, r.end) for r in run] == [(False, 3, 9), (True, 0, 6)]


def test_scores_rank_where_all_have_one() -> None:
    pieces = [Piece(None, "a", 0, 3, 1.0), Piece(None, "b", 0, 3, 2.0)]
    assert [r.doc for r in place_results("r", {"q1": pieces}, SOURCES)[0]] == ["b", "a"]
    pieces.append(Piece(None, "b", 4, 5))
    assert [r.doc for r in place_results("r", {"q1": pieces}, SOURCES)[0]] == ["a", "b", "b"]
