"""Baselines: what they are ideal for, and what they need."""

from __future__ import annotations

from pathlib import Path

import pytest

from inexlab.collection import open_collection
from inexlab.errors import InputError, UnknownNameError, UsageError
from inexlab.retrieval.baselines import make_baseline
from tests.builders import judged, score

JUDGED = judged(
    "A 0:60 bep=0 size=100",
    "B 5:35 30:15 bep=5 size=50",
    "C size=100",
    "2:C 10:5 30:5 size=100",
    "2:A size=100",
)
ARTICLES = Path(__file__).parents[2] / "src" / "inexlab" / "handbook" / "articles"


@pytest.mark.parametrize("measure", ["iP@0", "iP@0.01", "iP@0.5", "iP@1", "MAiP", "SpanP@2"])
def test_ideal_passages_are_perfect(measure: str) -> None:
    assert score(measure, JUDGED, make_baseline("ideal-passages", JUDGED)) == 1


def test_ideal_documents() -> None:
    run = make_baseline("ideal-documents", JUDGED)
    # B has 40 relevant characters of 50, A 60 of 100: the larger share first
    assert [(r.topic, r.doc, r.start, r.end) for r in run] == [
        ("1", "B", 0, 50),
        ("1", "A", 0, 100),
        ("2", "C", 0, 100),
    ]


def test_articles() -> None:
    run = make_baseline("articles", JUDGED)
    assert [(r.topic, r.doc) for r in run] == [("1", "A"), ("1", "B"), ("1", "C"), ("2", "A"), ("2", "C")]
    assert score("SpanR@3", JUDGED, run) == 1


def test_random_is_seeded_and_of_the_collection() -> None:
    collection = open_collection(ARTICLES)
    run = make_baseline("random", JUDGED, collection, limit=50, seed=7)
    rows = [(r.topic, r.doc, r.start, r.end) for r in run]
    assert len(rows) == len(set(rows)) == 100
    again = make_baseline("random", JUDGED, collection, limit=50, seed=7)
    assert [(r.topic, r.doc, r.start, r.end) for r in again] == rows
    other = make_baseline("random", JUDGED, collection, limit=50, seed=8)
    assert [(r.topic, r.doc, r.start, r.end) for r in other] != rows
    for _, doc, start, end in rows:
        table = collection.elements(doc)
        assert table is not None
        assert (start, end) in set(zip(table.start.tolist(), table.end.tolist(), strict=True))


@pytest.mark.parametrize("kind", ["ideal-documents", "ideal-passages", "articles"])
def test_limits_and_falling_scores(kind: str) -> None:
    run = make_baseline(kind, JUDGED, limit=1)
    assert [r.topic for r in run] == ["1", "2"]
    scores = [r.score for r in make_baseline(kind, JUDGED) if r.topic == "1"]
    assert scores == sorted(scores, reverse=True)


def test_what_cannot_be_made() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'ideal-passages'"):
        make_baseline("ideal-passage", JUDGED)
    with pytest.raises(UsageError, match="collection="):
        make_baseline("random", JUDGED)
    with pytest.raises(InputError, match=r"how long document A is.*`collection=DIR`"):
        make_baseline("articles", judged("A 0:60", file="j.jsonl"))
    with pytest.raises(
        UsageError, match="cannot make ideal-passages: the judgements have no highlighted text"
    ):
        make_baseline("ideal-passages", judged("A size=100"))


def test_lengths_come_from_the_collection_where_judgements_have_none() -> None:
    collection = open_collection(ARTICLES)
    run = make_baseline("ideal-documents", judged("pooling 0:60"), collection)
    assert [r.end for r in run] == [len(collection["pooling"].text)]
