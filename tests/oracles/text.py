"""Sets of text by brute force: every character, or word, of every result one by one. No code of ours."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Place = tuple[str, int]  # a document, and a character or a word of it
Result = tuple[str, int, int]


@dataclass(frozen=True)
class Lists:
    """What a list of results returns, one place after the other, repeats included, and what is relevant."""

    returned: Sequence[Place]
    gold: set[Place]

    def scores(self) -> dict[str, float]:
        """Return all set measures by their names."""
        distinct = set(self.returned)
        hit = distinct & self.gold
        found = {
            "SpanP": len(hit) / len(distinct) if distinct else 0.0,
            "SpanR": len(hit) / len(self.gold),
            "SpanF": 2 * len(hit) / (len(distinct) + len(self.gold)),
            "SpanIoU": len(hit) / len(distinct | self.gold),
            "Density": len(hit) / len(self.returned) if self.returned else 0.0,
        }
        if self.returned:
            found["Redundancy"] = 1 - len(distinct) / len(self.returned)
        return found


def characters(results: Sequence[Result]) -> list[Place]:
    """Return all characters of results, in order."""
    return [(doc, at) for doc, start, end in results for at in range(start, end)]


def in_words(results: Sequence[Result], texts: Mapping[str, str]) -> list[list[Place]]:
    """Return the words of each result: those whose first character it has."""
    begins = {doc: {m.start() for m in re.finditer(r"\w+", text)} for doc, text in texts.items()}
    return [
        [(doc, at) for at in range(start, end) if at in begins.get(doc, ())] for doc, start, end in results
    ]


def within(results: Sequence[Result], budget: int) -> list[Place]:
    """Return the characters of results that a budget of characters has room for."""
    return characters(results)[:budget]


def within_words(results: Sequence[Result], texts: Mapping[str, str], budget: int) -> list[Place]:
    """Return the characters of results that a budget of words has room for: the last word to its end."""
    kept: list[Place] = []
    left = budget
    for (doc, start, end), words in zip(results, in_words(results, texts), strict=True):
        if len(words) <= left:
            kept += characters([(doc, start, end)])
            left -= len(words)
            continue
        if left:
            last = words[left - 1][1]
            found = re.compile(r"\w+").match(texts[doc], last)
            assert found is not None
            kept += characters([(doc, start, min(end, found.end()))])
        break
    return kept
