"""Highlights and best entry points, against what the file itself says of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from inexlab.judgements.assessor import Assessor
from inexlab.judgements.recorder import JudgedDocument, Recorder
from inexlab.judgements.validate import Found, JudgementContext, document_rule, whole_rule
from inexlab.spans import length_in


@whole_rule(
    "judged-twice",
    "error",
    "a document is judged twice for a topic, by one assessor; the official tool counts it twice, inexlab "
    "refuses it",
    "Keep one of the judgements; `pool=` chooses among the pools of 2005-2006.",
)
def judged_twice(recorder: Recorder, _context: JudgementContext) -> Iterator[tuple[str, int | None, str]]:
    """The same topic and document again, by the same assessor."""
    first: dict[tuple[str, str, Assessor | None], JudgedDocument] = {}
    for judged in recorder.documents:
        known = first.setdefault((judged.topic, judged.doc, judged.assessor), judged)
        if known is not judged:
            where = f"{known.file}:{known.line}"
            message = f"topic {judged.topic}, document {judged.doc}: judged before, at {where}"
            yield judged.file, judged.line, message


@document_rule(
    "wrong-total",
    "error",
    "the lengths of the passages do not add up to rsize",
    "Correct rsize, or the passages that are wrong; inexlab counts the passages, the official tool rsize.",
)
def wrong_total(judged: JudgedDocument, _context: JudgementContext) -> Found:
    """A sum other than stated."""
    total = sum(end - start for start, end in judged.spans)
    if judged.stated is not None and judged.stated != total:
        yield judged.line, f"rsize is {judged.stated:,}, the passages add up to {total:,}"


@document_rule(
    "unsorted-passages",
    "error",
    "passages are not in the order of the text",
    "Sort them by offset.",
)
def unsorted(judged: JudgedDocument, _context: JudgementContext) -> Found:
    """A passage that begins before the one before it."""
    for (start, end), (next_start, next_end) in pairwise(judged.spans):
        if next_start < start:
            yield (
                judged.line,
                f"{_shown(next_start, next_end)} comes after {_shown(start, end)}",
            )


@document_rule(
    "overlapping-passages",
    "error",
    "passages of one document overlap; inexlab counts each character once",
    "Merge them, and correct rsize.",
)
def overlapping(judged: JudgedDocument, context: JudgementContext) -> Found:
    """Two passages with text in common, given by offsets or, with a collection, by paths."""
    spans = [(span, judged.line) for span in judged.spans]
    document = context.document(judged.doc) if judged.passages else None
    for marked in judged.passages:
        if document is None:
            break
        first = document.elements.find(marked.start)
        last = document.elements.find(marked.end) if marked.end is not None else None
        if first is not None and last is not None:
            spans.append(((first.start, last.end), marked.line))
    for ((start, end), _line), ((next_start, next_end), line) in pairwise(sorted(spans)):
        if next_start < end and next_start < next_end:
            yield line, f"{_shown(next_start, next_end)} overlaps {_shown(start, end)}"


@document_rule("empty-passage", "error", "a passage has no length", "Leave it out.")
def empty(judged: JudgedDocument, _context: JudgementContext) -> Found:
    """A passage without text."""
    for start, end in judged.spans:
        if start == end:
            yield judged.line, f"the passage at {start} is empty"


@document_rule(
    "outside-document",
    "error",
    "a passage, the best entry point or rsize goes beyond the end of the document",
    "Count Unicode characters of the text, from 0; `unit=byte` reads offsets that count bytes.",
)
def outside(judged: JudgedDocument, context: JudgementContext) -> Found:
    """Anything beyond the length in the collection or, where that is unknown, the stated length."""
    document = context.document(judged.doc)
    size = judged.size if document is None else len(document.text)
    if size is None:
        return
    hint = ""
    ends = [*(end for _start, end in judged.spans), judged.bep or 0, judged.stated or 0]
    if document is not None and context.unit == "char" and max(ends) > size:
        fits = max(ends) <= length_in("byte", document.text)
        hint = "; counted in bytes it does not: try `unit=byte`" if fits else ""
    for start, end in judged.spans:
        if end > size:
            yield judged.line, f"{_shown(start, end)} reaches past the end at {size:,}{hint}"
    if judged.bep is not None and judged.bep > size:
        yield judged.line, f"the best entry point {judged.bep} is past the end at {size:,}{hint}"
    if judged.stated is not None and judged.stated > size:
        yield judged.line, f"rsize is {judged.stated:,}, more than the document's {size:,} characters{hint}"


@whole_rule(
    "size-differs",
    "error",
    "topics do not agree about the length of a document",
    "Find out which edition of the document, or which unit, each was judged in.",
)
def size_differs(recorder: Recorder, _context: JudgementContext) -> Iterator[tuple[str, int | None, str]]:
    """Another docsize than before."""
    first: dict[str, JudgedDocument] = {}
    for judged in recorder.documents:
        if judged.size is None:
            continue
        known = first.setdefault(judged.doc, judged)
        if known.size != judged.size:
            where = f"{known.file}:{known.line}"
            message = f"document {judged.doc} has {judged.size:,} characters, and {known.size:,} at {where}"
            yield judged.file, judged.line, message


@whole_rule(
    "no-entry-point",
    "remark",
    "a relevant document has no best entry point, though others have; Best in Context gives 0 for it",
    "Add one, or do not score Best in Context.",
)
def no_entry_point(recorder: Recorder, _context: JudgementContext) -> Iterator[tuple[str, int | None, str]]:
    """A missing entry point, where there are some."""
    if not any(judged.bep is not None for judged in recorder.documents):
        return
    for judged in recorder.documents:
        if judged.spans and judged.bep is None:
            yield (
                judged.file,
                judged.line,
                f"topic {judged.topic}, document {judged.doc}: no best entry point",
            )


@whole_rule(
    "nothing-relevant",
    "remark",
    "a topic has nothing relevant; it has no score and is left out of means",
    "Nothing, if that is what the assessor found.",
)
def nothing_relevant(recorder: Recorder, _context: JudgementContext) -> Iterator[tuple[str, int | None, str]]:
    """A topic without a highlight and without a relevant element."""
    relevant = {
        judged.topic
        for judged in recorder.documents
        if any(start < end for start, end in judged.spans)
        or any(assessed.grade.exhaustivity for assessed in judged.elements)
        or any(marked.end is not None for marked in judged.passages)
    }
    for topic, file in recorder.topics.items():
        if topic not in relevant:
            yield file, None, f"topic {topic} has nothing relevant"


@whole_rule(
    "unknown-topic",
    "error",
    "a judged topic is in none of the topic files",
    "Write topic ids as the topic files have them.",
)
def unknown_topic(recorder: Recorder, context: JudgementContext) -> Iterator[tuple[str, int | None, str]]:
    """A topic that nobody asked."""
    if context.known_topics is not None:
        for topic, file in recorder.topics.items():
            if topic not in context.known_topics:
                yield file, None, f"no topic {topic} in the topic files"


def _shown(start: int, end: int) -> str:
    return f"passage {start}:{end - start}"
