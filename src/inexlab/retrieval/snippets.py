"""Results for people: a document's title, a breadcrumb of the titles above the result, and a snippet.

The snippet of a passage is the passage itself.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np

from inexlab.collection.paths import local_name
from inexlab.collection.profile import names_tag
from inexlab.index.analysis.character_classes import IGNORED, NOTHING, class_of
from inexlab.index.analysis.words import Word
from inexlab.index.index import Index
from inexlab.index.tag_table import INLINE, SKIPPED
from inexlab.retrieval.answers import Answers
from inexlab.retrieval.candidates import Mask
from inexlab.retrieval.document_words import document_words, innermost, parts_of
from inexlab.retrieval.matching import matches, matching
from inexlab.retrieval.queries import wanted_terms
from inexlab.spans import Span
from inexlab.tables import distinct
from inexlab.topics.query import Query

_SNIPPET = 160  # characters of a snippet
_PASSAGE = 600  # of a passage, which is shown as a whole up to this length
_BEFORE = 20  # of them before its first match
_WORD = 30  # that it may be longer, to begin and to end with a word
_TITLE = 40  # characters of a title in the breadcrumb
_OPENING = "([{<“‘«„"  # after which a word may follow at once
_POINTS, _SIGNS = ".,", "+#"  # which may be part of a word: of a number, and of what a letter begins
_TITLE_WITHIN = 8  # elements: a title comes at the beginning


class Hit(NamedTuple):
    """One result as people see it; `marks` are the characters of the snippet that match the query."""

    rank: int
    score: float
    doc: str
    title: str
    path: str
    breadcrumb: str
    start: int
    end: int
    snippet: str
    marks: tuple[tuple[int, int], ...]


def hits(found: Answers, query: Query, begin: int = 1) -> list[Hit]:
    """Return results, described for people; the first one has rank `begin`."""
    if found.engine.index.is_sharded:
        from inexlab.retrieval.sharded import ShardedEngine  # few indexes are

        assert isinstance(found.engine, ShardedEngine)
        parts = enumerate(found.engine.parts(found.ranking, query), start=begin)
        return [
            hit
            for rank, (engine, ranking) in parts
            for hit in hits(Answers(ranking, engine.units_for(query), engine, found.profile), query, rank)
        ]
    index, units, ranking, analyser = found.units.index, found.units, found.ranking, found.engine.analyser
    wanted = matching(analyser, wanted_terms(query))
    places = (ranking.document, units.elements(ranking.element), *units.spans(ranking.element))
    rows = zip(*(column.tolist() for column in places), ranking.score.tolist(), strict=True)
    described = []
    for rank, (document, element, start, end, score) in enumerate(rows, start=begin):
        span = Span(start, end)
        if not units.are_elements:
            text = index.text(document)[start:end]
            begins = start + len(text) - len(text.lstrip())
            span = Span(begins, begins + len(text.strip()))
        shown = _shown(index, element, span, instead={})
        matching_words = matches(analyser, document_words(index, element, span), wanted)
        longest = _SNIPPET if units.are_elements else _PASSAGE
        snippet, marks = _snippet(shown.text, [shown.place(word) for word in matching_words], longest)
        doc, title = index.documents[document], index.titles[document]
        path, titles = index.path(element), breadcrumb(index, element)
        described.append(Hit(rank, score, doc, title, path, titles, span.start, span.end, snippet, marks))
    return described


def grouped_by_document(described: Sequence[Hit]) -> list[Hit]:
    """Return results of one document one after the other, documents in the order of their first."""
    place: dict[str, int] = {}
    for hit in described:
        place.setdefault(hit.doc, len(place))
    return sorted(described, key=lambda hit: place[hit.doc])


def breadcrumb(index: Index, element: int) -> str:
    """Return the titles from the document down to an element: Methods › Participants."""
    document = index.document_of(element)
    text = index.text(document)
    # the title of the document itself is shown separately
    titles = [" ".join(index.titles[document].split())]
    while index.parent(element) >= 0:
        title = _title_of(index, element, text)
        if title and title not in (titles[0], titles[-1]):
            titles.append(title)
        element = index.parent(element)
    return " › ".join(t if len(t) <= _TITLE else f"{t[: _TITLE - 1].rstrip()}…" for t in titles[:0:-1])


def _title_of(index: Index, element: int, text: str) -> str:
    """Return the text of the first part that is a title by the profile; empty if there is none."""
    stop = int(index.document_elements[index.document_of(element) + 1])
    tags: dict[int, tuple[str, ...]] = {element: ()}  # from the element down to a part
    for part in range(element + 1, min(element + 1 + _TITLE_WITHIN, stop)):
        above = index.parent(part)
        if above < element:
            break
        if above in tags:
            tags[part] = (*tags[above], index.tag(part))
            if any(_same_tags(path.split("/"), tags[part]) for path in index.profile.titles):
                start, end = index.span(part)
                return " ".join(text[start:end].split())
    return ""


def _same_tags(path: Sequence[str], tags: Sequence[str]) -> bool:
    """Whether tags are those of a title's path."""
    return len(path) == len(tags) and all(
        names_tag(tag, (wanted,)) for tag, wanted in zip(tags, path, strict=True)
    )


class ShownText(NamedTuple):
    """A text as people see it, in pieces: where each begins in it, and where it is in the document."""

    text: str
    at: list[int]
    begins: list[int]
    ends: list[int]

    def place(self, word: Word) -> Word:
        """Return where a word of the document is in the text, as far as it is."""
        piece = bisect_right(self.begins, word.start) - 1
        shift = self.at[piece] - self.begins[piece]
        return word._replace(start=word.start + shift, end=min(word.end, self.ends[piece]) + shift)


def text_with_breaks(
    index: Index,
    element: int,
    gap: str = " ",
    *,
    skipped: bool = False,
    instead: Mapping[tuple[int, int], str] | None = None,
) -> str:
    """Return the text of an element, with a gap where only the border of an element parts two words.

    Parts that the profile skips are left out unless wanted: no query finds them. `instead` says what to write
    for some parts, from one character to another, which do not overlap. A label stays on the line of what it
    is the label of.
    """
    return _shown(index, element, index.span(element), gap, skipped=skipped, instead=instead or {}).text


def _shown(
    index: Index,
    element: int,
    span: Span,
    gap: str = " ",
    *,
    skipped: bool = False,
    instead: Mapping[tuple[int, int], str],
) -> ShownText:
    """Return some characters of an element with gaps, and where they are in the document."""
    start, end = span
    parts = parts_of(index, element, end)
    blocks = parts.kind != INLINE
    borders = distinct(np.concatenate((parts.begins[blocks], parts.ends[blocks])))
    borders = borders[(borders > start) & (borders < end)]
    for first, last in instead:
        inside = borders[(borders <= first) | (borders >= last)]
        borders = distinct(np.concatenate((inside, (first, last))))
    begins = np.concatenate(([start], borders))
    hidden = (parts.kind == SKIPPED) & (not skipped)
    left_out = innermost(begins, parts.begins[hidden], parts.ends[hidden]) >= 0
    after_labels = {*parts.ends[_are_labels(index)[parts.tag]].tolist()}
    text = index.text(index.document_of(element))
    shown, written, length = ShownText("", [], [], []), "", 0
    pieces = []
    for (a, b), out in zip(pairwise([*begins.tolist(), end]), left_out.tolist(), strict=True):
        piece = instead.get((a, b), text[a:b])
        if not piece or out:
            continue
        if written and not written[-1].isspace() and written[-1] not in _OPENING and _begins_anew(piece):
            pieces.append(" " if a in after_labels else gap)
            length += len(pieces[-1])
        shown.at.append(length)
        shown.begins.append(a)
        shown.ends.append(b)
        pieces.append(piece)
        written, length = piece, length + len(piece)
    return shown._replace(text="".join(pieces))


def _are_labels(index: Index) -> Mask:
    """Return which tags are those of labels."""
    if "labels" not in index.kept:
        index.kept["labels"] = np.array([local_name(tag) == "label" for tag in index.tags], dtype=np.bool_)
    known: Mask = index.kept["labels"]
    return known


def _begins_anew(piece: str) -> bool:
    """Whether a piece begins with a word, or would be taken for a part of the word before it."""
    seen = [*islice((c for c in piece if class_of(c) != IGNORED), 2)]
    if seen and seen[0] in _POINTS:
        return seen[-1].isdigit()
    return bool(seen) and (seen[0] in _OPENING or seen[0] in _SIGNS or class_of(seen[0]) != NOTHING)


def _snippet(shown: str, found: list[Word], size: int) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the stretch of a text with the most different terms of the query, and where they are in it."""
    begin = max(0, _densest(found, size) - _BEFORE) if found and len(shown) > size else 0
    earlier = range(begin, max(-1, begin - _WORD), -1)  # not every language has spaces
    begin = next((at for at in earlier if at == 0 or shown[at - 1].isspace()), begin)
    end = min(len(shown), begin + size)
    while end < len(shown) and not shown[end].isspace() and end - begin < size + _WORD:
        end += 1
    inside = (m for m in found if begin < m.end and m.start < end)
    marks = _joined((max(m.start, begin) - begin, min(m.end, end) - begin) for m in inside)
    # one white space for one, so that marks keep their places
    return "".join(" " if c.isspace() else c for c in shown[begin:end]), marks


def _joined(marks: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Join marks that overlap, as pairs of letters in a run do."""
    joined: list[tuple[int, int]] = []
    for start, end in marks:
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return tuple(joined)


def _densest(matches: list[Word], size: int) -> int:
    """Return where the first stretch begins that has the most different terms."""
    starts = [match.start for match in matches]
    inside: Counter[str] = Counter()
    most, place, end = 0, starts[0], 0
    for first, match in enumerate(matches):
        beyond = bisect_left(starts, match.start + size - _BEFORE, lo=end)
        inside.update(other.token for other in matches[end:beyond])
        end = beyond
        if len(inside) > most:
            most, place = len(inside), match.start
        inside[matches[first].token] -= 1
        if not inside[matches[first].token]:
            del inside[matches[first].token]
    return place
