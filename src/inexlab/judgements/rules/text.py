"""Judgements against the documents they are about: lengths, paths, and the units that offsets count."""

from __future__ import annotations

from inexlab.collection import Document
from inexlab.judgements.recorder import JudgedDocument
from inexlab.judgements.validate import Found, JudgementContext, document_rule
from inexlab.spans import UNITS, Span, intersection, length_in, union


@document_rule(
    "unknown-document",
    "error",
    "the collection has no document of this name",
    "Write document ids as the collection has them: file names without extension.",
)
def unknown_document(judged: JudgedDocument, context: JudgementContext) -> Found:
    """A judged document that is not there."""
    if context.collection is not None and judged.doc not in context.collection:
        yield judged.line, f"not in {context.collection.name}"


@document_rule(
    "wrong-docsize",
    "error",
    "docsize is not the length of the document's textin any known unit",
    "Check that it is the same edition of the documents.",
)
def wrong_docsize(judged: JudgedDocument, context: JudgementContext) -> Found:
    """Another length than the text's, without explanation."""
    if _explanation(judged, context) == "none":
        document = context.document(judged.doc)
        assert document is not None
        yield judged.line, f"docsize is {judged.size:,}, the text has {len(document.text):,} characters"


@document_rule(
    "byte-offsets",
    "error",
    "docsize is the number of bytes: offsets count bytes of UTF-8, not characters",
    "Read the file with `unit=byte`.",
)
def byte_offsets(judged: JudgedDocument, context: JudgementContext) -> Found:
    """A docsize in bytes."""
    if _explanation(judged, context) == "byte":
        yield (
            judged.line,
            f"docsize {judged.size:,} is the number of bytes: try `unit=byte`",
        )


@document_rule(
    "merged-white-space",
    "error",
    "docsize counts every run of white space as one character; offsets may, too",
    "Read the file with `unit=merged`, or merged-byte where the message says so.",
)
def merged_white_space(judged: JudgedDocument, context: JudgementContext) -> Found:
    """A docsize of the text with white space merged."""
    unit = _explanation(judged, context)
    if unit.startswith("merged"):
        bytes_too = " and counts bytes" if unit == "merged-byte" else ""
        yield judged.line, f"docsize {judged.size:,} merges white space{bytes_too}: try `unit={unit}`"


def _explanation(judged: JudgedDocument, context: JudgementContext) -> str:
    """Return the unit that explains a docsize, `none` where none does, empty if it is right."""
    document = context.document(judged.doc)
    if document is None or judged.size is None or judged.size == len(document.text):
        return ""
    if context.unit != "char":  # converted already
        return "none"
    units = (unit for unit in UNITS if judged.size == length_in(unit, document.text))
    return next(units, "none")


@document_rule(
    "unknown-path",
    "error",
    "a document has no such element, or a passage ends before it begins",
    "Check that it is the same edition of the documents.",
)
def unknown_path(judged: JudgedDocument, context: JudgementContext) -> Found:
    """A path of an assessed element, a passage or an entry point that leads nowhere."""
    document = context.document(judged.doc)
    if document is None:
        return
    for line, grade in judged.elements:
        if document.elements.find(grade.path) is None:
            yield line, f"there is no {grade.path}"
    for line, start, end, _size in judged.passages:
        missing = [path for path in (start, end) if path is not None and document.elements.find(path) is None]
        yield from ((line, f"there is no {path}") for path in missing)
        if not missing and end is not None and _passage(document, start, end) is None:
            yield line, f"the passage from {start} to {end} ends before it begins"


def _passage(document: Document, start: str, end: str) -> Span | None:
    first, last = document.elements.find(start), document.elements.find(end)
    return Span(first.start, last.end) if first and last and first.start <= last.end else None


@document_rule(
    "wrong-size",
    "error",
    "the size of an element or a passage is not that of its textin any known unit",
    "Check that it is the same edition of the documents.",
)
def wrong_size(judged: JudgedDocument, context: JudgementContext) -> Found:
    """A size without explanation."""
    for line, what, size, length in _sizes(judged, context, ""):
        yield line, f"{what} has a stated length of {size:,} characters, but has {length:,}"


@document_rule(
    "other-unit",
    "remark",
    "an element's or passage's size counts bytes, or merges white space; its share of relevant text is fine",
    "Nothing, unless sizes are compared with the text.",
)
def other_unit(judged: JudgedDocument, context: JudgementContext) -> Found:
    """A size in another unit."""
    for line, what, size, length in _sizes(judged, context, "byte"):
        yield line, f"{what} has {size:,} bytes, which are {length:,} characters"
    for line, what, size, length in _sizes(judged, context, "merged"):
        yield line, f"{what} has {size:,} characters with white space merged, {length:,} in all"
    for line, what, size, length in _sizes(judged, context, "merged-byte"):
        yield line, f"{what} has {size:,} bytes with white space merged, which are {length:,} characters"


def _sizes(judged: JudgedDocument, context: JudgementContext, unit: str) -> list[tuple[int, str, int, int]]:
    """Return sizes that are wrong and explained by the unit (empty: by none), with what they should be.

    The exporter of 2005 counted one character too many for every element.
    """
    document = context.document(judged.doc)
    if document is None:
        return []
    places: list[tuple[int, str, int, Span | None]] = [
        (line, grade.path, grade.size, document.elements.find(grade.path))
        for line, grade in judged.elements
        if judged.scale == "2005"
    ]
    for line, start, end, size in judged.passages:
        if end is not None and size is not None:
            places.append((line, f"the passage from {start}", size, _passage(document, start, end)))
    return [
        (line, what, size, span.end - span.start)
        for line, what, size, span in places
        if span is not None and _unit_of(size, document.text[span.start : span.end]) == unit
    ]


def _unit_of(size: int, text: str) -> str:
    """Return the unit in which a text has this size; empty if it has it in none."""
    return next((u for u in UNITS if size - length_in(u, text) in (0, 1)), "")


@document_rule(
    "wrong-highlight",
    "error",
    "an element's rsize is not what the file's passages highlight of it (2006)",
    "Check that it is the same edition of the documents.",
)
def wrong_highlight(judged: JudgedDocument, context: JudgementContext) -> Found:
    """Relevant text that is not where the passages are."""
    document = context.document(judged.doc)
    passages = [
        span
        for marked in judged.passages
        if document is not None
        and marked.end is not None
        and (span := _passage(document, marked.start, marked.end)) is not None
    ]
    if document is None or not passages:
        return
    highlighted = union(passages)
    for line, grade in judged.elements:
        place = document.elements.find(grade.path)
        if place is None:
            continue
        pieces = intersection(highlighted, [place])
        texts = [document.text[start:end] for start, end in pieces]
        excess = (grade.rsize - sum(length_in(unit, text) for text in texts) for unit in UNITS)
        if not any(0 <= more <= len(judged.passages) for more in excess):
            found = sum(end - start for start, end in pieces)
            yield line, f"{grade.path} has rsize {grade.rsize:,}, the passages highlight {found:,} of it"
