"""Chunks as other programs have them, known by their shape: no other package is imported here.

    LangChain    page_content, metadata["start_index"], metadata["source"]; also (document, score)
    LlamaIndex   text, start_char_idx, end_char_idx, ref_doc_id; also with .node and .score
    Chonkie      text, start_index, end_index
    Haystack     content, meta["split_idx_start"], meta["source_id"], score
    records      text or content, doc, start, end, score, by these and other usual names; our own results

A text alone is a chunk, too. Offsets are what the program says; whether they are true is seen when the chunk
is placed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from inexlab.errors import UsageError
from inexlab.frames import frame_rows, is_frame, is_missing

# names of fields, our own first; those of other programs, and usual names in frames
_TEXT = ("text", "page_content", "content", "chunk", "chunk_text", "quote", "passage")
_DOC = (
    *("doc", "doc_id", "docno", "docid", "document", "document_id", "ref_doc_id", "corpus_id", "source"),
    *("file_path", "file_name", "filename", "source_id", "file"),
)
_START = ("start", "start_index", "start_char_idx", "start_char", "split_idx_start", "begin", "start_idx")
_END = ("end", "end_index", "end_char_idx", "end_char", "stop", "end_idx")
_SCORE = ("score", "similarity", "sim", "_score")
_TOPIC = ("topic", "topic_id", "query_id", "qid", "q_id", "question", "query")
_FIELDS = {"text": _TEXT, "doc": _DOC, "start": _START, "end": _END, "score": _SCORE, "topic": _TOPIC}


@dataclass(frozen=True)
class Piece:
    """One chunk as it was given: its text, where it is said to be, and what it was returned for."""

    text: str | None = None
    doc: str = ""
    start: int | None = None
    end: int | None = None
    score: float | None = None
    topic: str = ""


def pieces_of(data: object) -> list[Piece]:
    """Return the chunks of a list of objects, of records, or of a frame."""
    if is_frame(data):
        rows: Iterable[Any] = frame_rows(data)
    elif isinstance(data, str | bytes | Mapping) or not isinstance(data, Iterable):
        rows = [data]
    else:
        rows = data
    return [piece_of(value, place) for place, value in enumerate(rows, start=1)]


def piece_of(value: Any, place: int = 1) -> Piece:
    """Return one chunk, by the shape of what is given."""
    if isinstance(value, Piece):
        return value
    if isinstance(value, str):
        return Piece(text=value)
    score: Any = None
    if isinstance(value, tuple) and len(value) == 2 and not hasattr(value, "_fields"):
        value, score = value
        if isinstance(value, str):
            return Piece(text=value, score=_number(score, "score", place))
    if (node := getattr(value, "node", None)) is not None:  # LlamaIndex wraps a node with its score
        value, score = node, getattr(value, "score", None)
    found = {name: _field(value, names) for name, names in _FIELDS.items()}
    if found["text"] is None and (found["start"] is None or found["end"] is None):
        raise UsageError(
            f"chunk {place}, a {type(value).__name__}, has neither a text ({', '.join(_TEXT[:3])}) nor a "
            "start and an end."
        )
    if found["text"] is not None and not isinstance(found["text"], str):
        raise UsageError(f"chunk {place}: its text is a {type(found['text']).__name__}.")
    given_score = score if score is not None else found["score"]
    return Piece(
        text=found["text"],
        doc="" if found["doc"] is None else str(found["doc"]),
        start=_offset(found["start"], "start", place),
        end=_offset(found["end"], "end", place),
        score=None if given_score is None else _number(given_score, "score", place),
        topic="" if found["topic"] is None else str(found["topic"]),
    )


def _field(value: Any, names: tuple[str, ...]) -> Any:
    """Return the first of some fields that there is: of the value itself, else of its metadata."""
    places: list[Any] = [value]
    for name in ("metadata", "meta", "extra_info"):
        inner = value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
        if isinstance(inner, Mapping):
            places.append(inner)
    for where in places:
        for name in names:
            found = where.get(name) if isinstance(where, Mapping) else getattr(where, name, None)
            if found is not None and not callable(found) and not is_missing(found):
                return found
    return None


def _offset(value: Any, what: str, place: int) -> int | None:
    if value is None:
        return None
    number = _number(value, what, place)
    if number != int(number):
        raise UsageError(f"chunk {place}: {what} is {value!r}, expected a whole number.")
    return int(number)


def _number(value: Any, what: str, place: int) -> float:
    try:
        if isinstance(value, bool | str):
            raise ValueError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"chunk {place}: {what} is {str(value)[:40]!r}, expected a number.") from None
