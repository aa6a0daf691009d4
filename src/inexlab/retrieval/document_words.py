"""The words of a document as its index has them, or those of a stretch of it.

Words are cut from the document's own text, by the borders of elements and tags; what the profile skips has
none. A stretch may begin and end anywhere: its words are those of the document that begin in it.
"""

from __future__ import annotations

import functools
from bisect import bisect_left
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from inexlab.index.analysis.character_classes import NOTHING, class_of
from inexlab.index.analysis.languages import AUTO
from inexlab.index.analysis.words import Word, words
from inexlab.index.blocks import Array
from inexlab.index.index import Index
from inexlab.index.tag_table import INLINE, SKIPPED
from inexlab.spans import Span
from inexlab.tables import Ints

_SIGNS = ".,+#"  # which may be part of a word


class Parts(NamedTuple):
    """Elements in another one, in the order of the document: their tags, what these are, and their places."""

    tag: Array
    kind: Array
    begins: Ints
    ends: Ints


@dataclass(frozen=True)
class DocumentWords:
    """Some words of a document, in a row, and the elements that may part the words of a phrase.

    `languages` are those that elements declare: of each word the one it is in, empty where that is none; None
    where no element declares any.
    """

    text: str
    words: list[Word]
    languages: list[str] | None = None
    blocks: tuple[Ints, Ints] = (np.zeros(0, dtype=np.int64),) * 2

    @functools.cached_property
    def block_of(self) -> Ints:
        """The innermost element around each word that is no inline mark-up: a phrase is in one of them."""
        return innermost(_starts(self.words), *self.blocks)


def document_words(index: Index, element: int, span: Span | None = None) -> DocumentWords:
    """Return the words of an element, or of a `span` in it, as the index has them."""
    document = index.document_of(element)
    text = index.text(document)
    if not int(index.column("tokens", element, element + 1)[0]):  # also where the profile skips it
        return DocumentWords(text, [])
    around = element
    while (above := index.parent(around)) >= 0 and index.tag_kinds[_tag(index, around)] == INLINE:
        around = above
    outer = index.span(around)
    start, end = span or (outer if around == element else index.span(element))
    first, last = start, end
    while first > outer.start and _joins(text[first - 1]):
        first -= 1
    while last < outer.end and _joins(text[last]):
        last += 1
    parts = parts_of(index, around, last)
    tags = _within(np.concatenate((parts.begins, parts.ends)), first, last)
    blocks = parts.kind != INLINE
    begins, ends = parts.begins[blocks], parts.ends[blocks]
    borders = _within(np.concatenate((begins, ends)), first, last)
    found = words(text, borders.tolist(), tags.tolist(), (first, last))
    if first < start or last > end:
        found = found[_place(found, start) : _place(found, end)]
    hidden = parts.kind == SKIPPED
    if hidden.any():
        inside = innermost(_starts(found), parts.begins[hidden], parts.ends[hidden]).tolist()
        found = [word for word, part in zip(found, inside, strict=True) if part < 0]
    return DocumentWords(text, found, _languages(index, document, found), (begins, ends))


def parts_of(index: Index, element: int, end: int) -> Parts:
    """Return the elements in an element that begin before a place in it."""
    stop = int(index.document_elements[index.document_of(element) + 1])
    starts = index.column("start", element + 1, stop)
    beyond = element + 1 + int(np.searchsorted(starts, end))
    tag = index.column("tag", element + 1, beyond)
    begins = starts[: beyond - element - 1].astype(np.int64)
    return Parts(tag, index.tag_kinds[tag], begins, begins + index.column("length", element + 1, beyond))


def innermost(places: Ints, begins: Ints, ends: Ints) -> Ints:
    """Return the innermost of some elements, in the order of the document, around each place; -1 for none.

    Places are in order, too.
    """
    found = np.full(len(places), -1, dtype=np.int64)
    first, last = np.searchsorted(places, begins), np.searchsorted(places, ends)
    for part in np.flatnonzero(first < last).tolist():  # what is in another element comes later
        found[first[part] : last[part]] = part
    return found


def _languages(index: Index, document: int, found: list[Word]) -> list[str] | None:
    """Return the language that an element declares for each word; an index may leave all that aside."""
    if index.analyser.language != AUTO:
        return None
    declared = index.declared_languages(document)
    if not declared:
        return None
    numbers = np.array([*declared], dtype=np.int64) + index.document_elements[document]
    codes = [*declared.values(), ""]
    return [codes[part] for part in innermost(_starts(found), *index.spans(numbers)).tolist()]


def _tag(index: Index, element: int) -> int:
    return int(index.column("tag", element, element + 1)[0])


def _joins(character: str) -> bool:
    """Whether a word may go on at a character: nothing beyond any other one matters to what a word is."""
    return character in _SIGNS or class_of(character) != NOTHING


def _within(places: Ints, first: int, last: int) -> Ints:
    return places[(places > first) & (places < last)]


def _starts(found: list[Word]) -> Ints:
    return np.fromiter((word.start for word in found), dtype=np.int64, count=len(found))


def _place(found: list[Word], at: int) -> int:
    """Return the first word that begins at a place or behind it."""
    return bisect_left(found, at, key=lambda word: word.start)
