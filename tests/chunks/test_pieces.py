"""Chunks of other programs, known by their shape alone."""

from __future__ import annotations

from collections import namedtuple
from types import SimpleNamespace
from typing import Any

import pandas as pd
import polars as pl
import pytest

from inexlab.chunks.pieces import Piece, piece_of, pieces_of
from inexlab.errors import UsageError

LANGCHAIN = SimpleNamespace(page_content="text", metadata={"source": "docs/a.md", "start_index": 7})
NODE = SimpleNamespace(text="text", ref_doc_id="a", start_char_idx=7, end_char_idx=11, metadata={}, node=None)
Row = namedtuple("Row", "doc start end score")


@pytest.mark.parametrize(
    ("given", "piece"),
    [
        ("text", Piece("text")),
        (("text", 0.5), Piece("text", score=0.5)),
        (LANGCHAIN, Piece("text", "docs/a.md", 7)),
        ((LANGCHAIN, 0.25), Piece("text", "docs/a.md", 7, score=0.25)),
        (NODE, Piece("text", "a", 7, 11)),
        (SimpleNamespace(node=NODE, score=0.5), Piece("text", "a", 7, 11, 0.5)),
        (SimpleNamespace(text="text", start_index=7, end_index=11, context=None), Piece("text", "", 7, 11)),
        (
            SimpleNamespace(content="text", meta={"source_id": "a", "split_idx_start": 7}, score=2.0),
            Piece("text", "a", 7, None, 2.0),
        ),
        ({"doc": "a", "start": 7, "end": 11, "topic": "q1"}, Piece(None, "a", 7, 11, topic="q1")),
        ({"text": "t", "question": "why?", "metadata": {"source": "a"}}, Piece("t", "a", topic="why?")),
        (Row("a", 7, 11, 1), Piece(None, "a", 7, 11, 1.0)),
    ],
)
def test_shapes(given: Any, piece: Piece) -> None:
    assert piece_of(given) == piece


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames(frame: Any) -> None:
    made = frame({"Doc": ["a", "b"], "text": ["x", None], "start": [1, 2], "end": [None, 5]})
    assert pieces_of(made) == [Piece("x", "a", 1), Piece(None, "b", 2, 5)]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (SimpleNamespace(nothing=1), "neither a text"),
        ({"text": "x", "start": "first"}, "start is 'first', expected a number"),
        ({"text": "x", "start": 1.5}, "expected a whole number"),
        ({"text": ["x"]}, "its text is a list"),
    ],
)
def test_what_is_no_chunk_is_refused(given: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        piece_of(given)
