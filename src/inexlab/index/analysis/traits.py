"""Traits of characters, and which of many words have one: each different character is looked at once.

A batch of new words comes in many scripts, and most of them need nothing special. To ask that of every word
by itself would take longer than to stem it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from inexlab.tables import Bytes, Ints, distinct

_UNKNOWN, _WITHOUT, _WITH = range(3)  # what is known of a character


@dataclass(frozen=True)
class SpelledWords:
    """The code points of words, one word behind the other, and where each begins."""

    points: Ints
    begins: Ints

    @property
    def lengths(self) -> Ints:
        """How many characters each word has."""
        return np.diff(self.begins) - 1


def spelled(words: Sequence[str]) -> SpelledWords:
    """Spell words, which have no line break in them."""
    together = "".join(["\n".join(words), "\n"]) if words else ""
    points = np.frombuffer(together.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.int64)
    return SpelledWords(points, np.concatenate(([0], np.flatnonzero(points == ord("\n")) + 1)))


class Trait:
    """Something that a character has or has not, by a function that says it; a line break has none."""

    def __init__(self, has: Callable[[str], bool]) -> None:
        self._has = has
        self._known: Bytes = np.zeros(sys.maxunicode + 1, dtype=np.uint8)
        self._known[ord("\n")] = _WITHOUT

    def __call__(self, character: str) -> bool:
        """Whether a character has it."""
        return self._has(character)

    def characters(self, words: SpelledWords) -> list[str]:
        """Return the different characters of words that have it."""
        return [chr(point) for point in distinct(words.points[self._places(words)])]

    def words(self, words: SpelledWords) -> list[int]:
        """Return the numbers of the words that have a character with it."""
        numbers = np.searchsorted(words.begins, self._places(words), side="right") - 1
        return [int(number) for number in distinct(numbers)]

    def counts(self, words: SpelledWords) -> Ints:
        """Return how many characters of each word have it."""
        numbers = np.searchsorted(words.begins, self._places(words), side="right") - 1
        return np.bincount(numbers, minlength=len(words.begins) - 1)

    def _places(self, words: SpelledWords) -> Ints:
        """Return where the characters are that have it."""
        known = self._known[words.points]
        new = distinct(words.points[known == _UNKNOWN])
        if len(new):
            self._known[new] = [_WITH if self._has(chr(point)) else _WITHOUT for point in new.tolist()]
            known = self._known[words.points]
        return np.flatnonzero(known == _WITH)
