"""The terms of a query as positions: words stemmed as the index was, phrases by neighbouring positions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from inexlab.index.index import Index
from inexlab.index.scan import character_tables
from inexlab.tables import Floats, Ints
from inexlab.topics.query import Term

_WANTED = 2.0  # what a `+` makes of a term's weight


@dataclass(frozen=True)
class QueryTerms:
    """The different terms of a query that the collection has: columns, and the positions of each.

    `units_with` is -1 for phrases: in how many units they are, only counting can say.
    """

    names: tuple[str, ...]
    positions: tuple[Ints, ...]
    weight: Floats
    frequency: Floats
    units_with: Floats

    def __len__(self) -> int:
        return len(self.names)

    @property
    def most_units(self) -> int:
        """How many units there can be with any of the terms; a phrase is where its words are."""
        return int(np.maximum(self.units_with, 0).sum())


def query_terms(index: Index, terms: Iterable[Term]) -> QueryTerms:
    """Look up the terms of a query; words of a phrase count as words, too."""
    weights: dict[tuple[str, ...], float] = {}
    for term in terms:
        words = [word for text in term.words for word in tokens(text)]
        stems = index.words.of_words(words)
        weight = {"": 1.0, "+": _WANTED, "-": -1.0}[term.sign]
        for stem in stems:
            weights[(stem,)] = weights.get((stem,), 0.0) + weight
        if term.phrase and len(stems) > 1:
            key = tuple(stems)
            weights[key] = weights.get(key, 0.0) + weight
    names, positions, kept, units = [], [], [], []
    for stems_of, weight in weights.items():
        numbers = [index.term(stem) for stem in stems_of]
        if min(numbers) < 0:
            continue
        if len(numbers) == 1:
            found, with_it = index.positions(numbers[0]), float(index.term_elements[numbers[0]])
        else:
            found, with_it = _phrase([index.positions(n) for n in numbers]), -1.0
        if len(found):
            names.append(" ".join(stems_of))
            positions.append(found)
            kept.append(weight)
            units.append(with_it)
    frequency = np.array([len(p) for p in positions], dtype=np.float64)
    return QueryTerms(tuple(names), tuple(positions), np.array(kept), frequency, np.array(units))


def _phrase(positions: Sequence[Ints]) -> Ints:
    """Return where a row of words begins."""
    found = positions[0]
    for distance, later in enumerate(positions[1:], start=1):
        found = found[np.isin(found + distance, later, assume_unique=True)]
    return found


def tokens(text: str) -> list[str]:
    """Cut a text into lower-case tokens, as the index does.

    >>> tokens("TCP/IP, H2O")
    ['tcp', 'ip', 'h2o']
    """
    word = character_tables()[0]
    pieces = "".join(c if word[ord(c)] else " " for c in text).split()
    return [_lower(piece)[:64] for piece in pieces]


def _lower(word: str) -> str:
    return (
        word.lower()
        if re.fullmatch(r"[\x00-\x7f]*", word)
        else "".join(small if len(small := c.lower()) == 1 else c for c in word)
    )
