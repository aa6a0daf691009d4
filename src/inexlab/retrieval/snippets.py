"""Results for people: a document's title, the way to an element in words, and a snippet of its text."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from inexlab.index.index import Index
from inexlab.retrieval.terms import tokens

_SNIPPET = 160
_TITLE = 40


class Hit(NamedTuple):
    """One result as people see it; `marks` are the characters of the snippet that match the query."""

    rank: int
    score: float
    document: str
    title: str
    path: str
    way: str
    start: int
    end: int
    snippet: str
    marks: tuple[tuple[int, int], ...]


def make_hit(
    index: Index, rank: int, element: int, document: int, score: float, stems: Collection[str]
) -> Hit:
    """Describe one result."""
    span = index.span(element)
    snippet, marks = _snippet(index, index.text(document)[span.start : span.end], stems)
    return Hit(
        rank,
        score,
        index.documents[document],
        index.titles[document],
        index.path(element),
        way_in_words(index, element, document),
        span.start,
        span.end,
        snippet,
        marks,
    )


def way_in_words(index: Index, element: int, document: int) -> str:
    """Return the titles on the way from the document down to an element: Methods › Participants."""
    text = index.text(document)
    words: list[str] = []
    while index.parent(element) >= 0:
        title = _title_of(index, element, text)
        if title and title not in words[-1:]:
            words.append(title)
        element = index.parent(element)
    return " › ".join(reversed(words))


def _title_of(index: Index, element: int, text: str) -> str:
    """Return the text of the first child that is a title, cut short; empty where there is none."""
    stop = int(index.document_elements[index.document_of(element) + 1])
    child = element + 1
    while child < stop and child - element <= 8:  # a title comes at the beginning
        if index.parent(child) == element and index.tag(child) in index.profile.titles:
            start, end = index.span(child)
            title = " ".join(text[start:end].split())
            return title if len(title) <= _TITLE else title[: _TITLE - 1].rstrip() + "…"
        if index.parent(child) < element:
            break
        child += 1
    return ""


def _snippet(index: Index, text: str, stems: Collection[str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the stretch of a text with the most different terms of the query, and where they are in it."""
    words = _words(text)
    matching = [(start, end, stem) for start, end, stem in _stemmed(index, words) if stem in stems]
    begin = 0
    if matching:
        scores = [
            len({stem for other, _, stem in matching if start <= other < start + _SNIPPET - 20})
            for start, _, _ in matching
        ]
        begin = max(0, matching[scores.index(max(scores))][0] - 20)
        while begin > 0 and not text[begin - 1].isspace():
            begin -= 1
    end = min(len(text), begin + _SNIPPET)
    while end < len(text) and not text[end].isspace() and end - begin < _SNIPPET + 30:
        end += 1
    marks = tuple((a - begin, b - begin) for a, b, _ in matching if begin <= a and b <= end)
    # one white space for one: marks keep their places
    return "".join(" " if c.isspace() else c for c in text[begin:end]), marks


def _words(text: str) -> list[tuple[int, int, str]]:
    """Return the words of a text with their places."""
    found, start = [], -1
    for i, c in enumerate([*text, " "]):
        is_word = bool(tokens(c))
        if is_word and start < 0:
            start = i
        elif not is_word and start >= 0:
            found.append((start, i, text[start:i]))
            start = -1
    return found


def _stemmed(index: Index, words: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    known: dict[str, str] = {}
    for _, _, word in words:
        if word not in known:
            known[word] = next(iter(index.words.of_words(tokens(word))), "")
    return [(start, end, known[word]) for start, end, word in words]
