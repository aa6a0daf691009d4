"""Where results are: in known documents, at places that exist, with some text in them."""

from __future__ import annotations

import functools

from inexlab.collection.paths import parse_place
from inexlab.runs.rows import RunRow
from inexlab.runs.table import NO_SPAN
from inexlab.runs.validate import Look, RunContext, row_rule
from inexlab.spans import length_in


@row_rule(
    "unknown-document",
    "error",
    "the collection has no document of this name; the result counts as not relevant",
    "Write document ids as the collection has them: file names without extension.",
)
def unknown_document(context: RunContext) -> Look | None:
    """A document that the collection does not have."""
    collection = context.collection
    if collection is None:
        return None
    return lambda row: None if row.doc in collection else f"no document {row.doc} in {collection.name}"


@row_rule(
    "not-located",
    "error",
    "X or -1 in place of an offset: the system could not find its own result, which counts as nothing",
    "Leave the result out, or find it.",
)
def not_located(_context: RunContext) -> Look | None:
    """A result without any place."""

    def look(row: RunRow) -> str | None:
        if row.start != NO_SPAN or row.path is not None:
            return None
        return f"a result in document {row.doc} without a place"

    return look


@row_rule(
    "bad-path",
    "error",
    "a path is malformed: steps are /tag[number], then perhaps /text()[number] and .offset",
    "Write full paths such as /article[1]/bdy[1]/sec[2].",
)
def bad_path(_context: RunContext) -> Look | None:
    """A path that cannot be parsed."""

    def look(row: RunRow) -> str | None:
        for path in (row.path, row.until):
            if path is not None and parse_place(path) is None and parse_place(path.rstrip("/")) is None:
                return f"{path} is not a path"
        return None

    return look


@row_rule(
    "unknown-path",
    "error",
    "the document has no such element, or the passage ends before it begins; the result counts as nothing",
    "Count steps among siblings of the same name, from 1; check that it is the same edition of the text.",
)
def unknown_path(context: RunContext) -> Look | None:
    """A path that is not in its document."""
    collection = context.collection
    if collection is None:
        return None

    def look(row: RunRow) -> str | None:
        if row.start != NO_SPAN or row.path is None:
            return None
        elements = collection.elements(row.doc)
        if elements is None:
            return None
        for path in (row.path, row.until):
            if path is not None and elements.find(path) is None:
                return f"document {row.doc} has no {path}" if parse_place(path) else None
        return f"the passage from {row.path} to {row.until} ends before it begins"

    return look


@row_rule(
    "outside-document",
    "error",
    "a span reaches past the end of its document",
    "Count Unicode characters of the text, from 0; `unit=byte` reads offsets that count bytes.",
)
def outside_document(context: RunContext) -> Look | None:
    """A span beyond the length that the collection has, or else the judgements state."""
    if context.collection is None and context.size_of is None:
        return None

    def look(row: RunRow) -> str | None:
        size = context.length_of(row.doc) if row.start != NO_SPAN else None
        if size is None or row.end <= size:
            return None
        return f"[{row.start}, {row.end}) reaches past the end of document {row.doc} at {size:,}" + in_bytes(
            row.doc, row.end
        )

    @functools.lru_cache(maxsize=256)
    def bytes_of(doc: str) -> int:
        if context.collection is None or doc not in context.collection or context.unit != "char":
            return 0
        return length_in("byte", context.collection[doc].text)

    def in_bytes(doc: str, end: int) -> str:
        return "; counted in bytes it does not: try `unit=byte`" if end <= bytes_of(doc) else ""

    return look


@row_rule(
    "empty-result",
    "error",
    "a result without any text, in a task that returns text",
    "Leave it out.",
)
def empty_result(context: RunContext) -> Look | None:
    """A span of no length that is not an entry point."""
    task = context.task
    if task is not None and task.entry_points:
        return None

    def look(row: RunRow) -> str | None:
        if row.start == NO_SPAN or row.start < row.end or (row.point and task is None):
            return None
        what = row.path or f"offset {row.start}"
        return f"{what} of document {row.doc} holds no text"

    return look
