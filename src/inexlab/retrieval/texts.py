"""Results with the same text, of which a person is shown the best one.

Two texts are the same if they have as many words, and the same letters and digits in them: punctuation and
case make no difference. A text is on disk, and how many words it has is known. So texts are read only of
results that have as many words as another. While a search goes on none are read: what has the same score
and as many words and characters as another most likely has its text.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np

from inexlab.index.analysis.character_classes import IGNORED, NOTHING, class_of
from inexlab.retrieval.counting import Across, Counting, at_most, every_place
from inexlab.retrieval.ranking import Ranking
from inexlab.retrieval.unit import Units
from inexlab.tables import Codes, Ints


class _PartsOfWords(dict[int, int | None]):
    """What is left of a character in the words of a text: itself, or nothing."""

    def __missing__(self, point: int) -> int | None:
        self[point] = None if class_of(chr(point)) in (NOTHING, IGNORED) else point
        return self[point]


_PARTS_OF_WORDS = _PartsOfWords()


class Texts:
    """What is known of the texts of units of one query: digests, of which each is made once."""

    def __init__(self, units: Units) -> None:
        self._units = units
        self._known: dict[int, bytes] = {}

    def firsts(self, ranking: Ranking) -> Ints:
        """Return the places of units that no better one has the text of."""
        words = self._units.words(ranking.element)
        _, kind, often = np.unique(words, return_inverse=True, return_counts=True)
        shared = np.flatnonzero(often[kind] > 1)
        self._read(ranking.element[shared], ranking.document[shared])
        first = np.ones(len(ranking), dtype=np.bool_)
        seen = set()
        rows = zip(*(row[shared].tolist() for row in (ranking.element, words)), strict=True)
        for place, (unit, count) in zip(shared.tolist(), rows, strict=True):
            text = self._known[unit], count
            first[place] = text not in seen
            seen.add(text)
        return np.flatnonzero(first)

    def likely_firsts(self, ranking: Ranking) -> Ints:
        """Return which places these most likely are, without reading a text.

        Copies that score differently are taken for different texts, and different texts of one length that
        score the same for copies.
        """
        start, end = self._units.spans(ranking.element)
        columns = (end - start, self._units.words(ranking.element), ranking.score)
        order = np.lexsort(columns)  # by which equal ones stay in their order
        first = np.ones(len(order), dtype=np.bool_)
        first[1:] = np.logical_or.reduce([column[order][1:] != column[order][:-1] for column in columns])
        return np.sort(order[first])

    def _read(self, units: Ints, documents: Codes) -> None:
        new = np.array([unit not in self._known for unit in units.tolist()], dtype=np.bool_)
        units, documents = units[new], documents[new]
        for document in np.unique(documents).tolist():  # one after the other, as one text may be large
            whole = self._units.index.text(document)
            some = units[documents == document]
            start, end = self._units.spans(some)
            for unit, a, b in zip(some.tolist(), start.tolist(), end.tolist(), strict=True):
                words = whole[a:b].casefold().translate(_PARTS_OF_WORDS)
                self._known[unit] = blake2b(words.encode(), digest_size=16).digest()


def shown(texts: Texts, per_document: int, counted: Counting | None = None) -> Counting:
    """Return what counts units with different texts, so many of a document at most, of those that count.

    A text counts as that of the best unit that has it, even where too many of its document are better. All of
    a document may count where `per_document` is 0.
    """
    places, whole, _ = counted or Counting(every_place)
    exact, likely = (
        at_most(per_document, firsts) if per_document else firsts
        for firsts in (texts.firsts, texts.likely_firsts)
    )
    return Counting(places, whole, Across(exact, likely))
