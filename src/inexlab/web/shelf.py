"""Documents as pages, made once and kept: several people read the same ones, and one reads them again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import NamedTuple

from inexlab.collection import Document
from inexlab.index.index import Index
from inexlab.index.inference import inferred
from inexlab.index.sentences import sentences
from inexlab.index.tag_table import INLINE
from inexlab.retrieval.document_words import document_words
from inexlab.retrieval.matching import matches, matching
from inexlab.retrieval.terms import query_analyser
from inexlab.spans import Span, union
from inexlab.topics.query import Term
from inexlab.web.lab import Lab
from inexlab.web.rendering import Rendering, render

_CHARACTERS_KEPT = 30_000_000  # of all pages that are kept
_MATCHES_KEPT = 500


class ShelvedPage(NamedTuple):
    """A document as a page: with its mark-up, and where its sentences are."""

    rendering: Rendering
    html: str
    sentences: tuple[Span, ...]


class Shelf:
    """The pages of an index's documents; those asked for last are kept, for all threads."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self._kept: OrderedDict[str, ShelvedPage] = OrderedDict()
        self._matches: OrderedDict[tuple[str, tuple[Term, ...]], tuple[Span, ...]] = OrderedDict()
        self._characters, self._lock = 0, threading.Lock()

    def page(self, id: str) -> ShelvedPage | None:
        """Return the page of a document, None if the index has no such document."""
        with self._lock:
            if id in self._kept:
                self._kept.move_to_end(id)
                return self._kept[id]
        made = self._make(id)
        if made is None:
            return None
        with self._lock:
            if id not in self._kept:
                self._kept[id] = made
                self._characters += len(made.html)
            while self._characters > _CHARACTERS_KEPT and len(self._kept) > 1:
                self._characters -= len(self._kept.popitem(last=False)[1].html)
        return made

    def _make(self, id: str) -> ShelvedPage | None:
        document = self._lab.document(id)
        if document is None:
            return None
        index = self._lab.index
        languages = index.declared_languages(index.document_numbers[id])
        inline = inferred(index).inline
        rendering = render(document, index.profile, inline=inline, languages=languages)
        table = document.elements
        kinds = index.tag_kinds
        breaks = {
            border
            for tag, start, end in zip(
                table.tag.tolist(), table.start.tolist(), table.end.tolist(), strict=True
            )
            if kinds[tag] != INLINE and table.tags[tag] not in inline
            for border in (start, end)
        }
        found = sentences(document.text, sorted(breaks))
        return ShelvedPage(rendering, rendering.html(), tuple(found))

    def matches(self, id: str, terms: tuple[Term, ...]) -> tuple[Span, ...]:
        """Return where some words are in a document, as its index matches them."""
        key = (id, terms)
        with self._lock:
            if key in self._matches:
                self._matches.move_to_end(key)
                return self._matches[key]
        document = self._lab.document(id)
        found = tuple(_matches(self._lab.index, document, terms)) if document else ()
        with self._lock:
            self._matches[key] = found
            while len(self._matches) > _MATCHES_KEPT:
                self._matches.popitem(last=False)
        return found


def _matches(index: Index, document: Document, terms: tuple[Term, ...]) -> list[Span]:
    analyser = query_analyser(index)
    root = int(index.document_elements[index.document_numbers[document.id]])
    found = matches(analyser, document_words(index, root), matching(analyser, terms))
    return union((word.start, word.end) for word in found)
