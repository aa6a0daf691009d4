"""The terms of a query: words cut and stemmed as the index was, phrases as rows of neighbouring words."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from inexlab.index.index import Index
from inexlab.index.tokens import tokens
from inexlab.retrieval.candidates import candidates
from inexlab.retrieval.phrases import phrase_positions
from inexlab.tables import Floats, Ints
from inexlab.topics.query import Term

# How much a term counts in a query: an important one twice; an unwanted one against whatever has it.
_WEIGHTS = {"": 1.0, "+": 2.0, "-": -1.0}


@dataclass(frozen=True)
class QueryTerms:
    """The different terms of a query that the collection has: columns, and the positions of each.

    `reach` is how many tokens a term has behind its first. `wanted` and `unwanted` are the columns of terms
    that were written with `+` and `-`; one of the former is `missing` where the collection does not have it.
    """

    names: tuple[str, ...]
    positions: tuple[Ints, ...]
    weight: Floats
    frequency: Floats
    reach: tuple[int, ...]
    wanted: tuple[int, ...]
    unwanted: tuple[int, ...]
    missing: bool
    _index: Index
    _numbers: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.names)

    @functools.cached_property
    def units_with(self) -> Floats:
        """How many elements hold each term."""
        found = [
            self._index.units_with(numbers[0]) if len(numbers) == 1 else len(candidates(self._index, [at]))
            for numbers, at in zip(self._numbers, self.positions, strict=True)
        ]
        return np.array(found, dtype=np.float64)

    @property
    def most_units(self) -> int:
        """How many units there can be with any of the terms."""
        return int(self.units_with.sum())


def query_terms(index: Index, terms: Iterable[Term]) -> QueryTerms:
    """Look up the terms of a query; the words of a phrase count as words, too, unless it is unwanted."""
    asked = list(terms)
    column: dict[tuple[str, ...], int] = {}
    numbers_of, positions, weights = [], [], []
    for stems, weight in _weighted(index, asked).items():
        numbers = tuple(index.term(stem) for stem in stems)
        if min(numbers) < 0:
            continue
        found = phrase_positions(index, numbers)
        if len(found):
            column[stems] = len(column)
            positions.append(found)
            weights.append(weight)
            numbers_of.append(numbers)
    signed = {
        sign: [stems for term in asked if term.sign == sign and (stems := tuple(stems_of(index, [term])))]
        for sign in "+-"
    }
    return QueryTerms(
        tuple(" ".join(stems) for stems in column),
        tuple(positions),
        np.array(weights),
        np.array([len(found) for found in positions], dtype=np.float64),
        tuple(len(numbers) - 1 for numbers in numbers_of),
        tuple(column[stems] for stems in signed["+"] if stems in column),
        tuple(column[stems] for stems in signed["-"] if stems in column),
        any(stems not in column for stems in signed["+"]),
        index,
        tuple(numbers_of),
    )


def _weighted(index: Index, terms: Iterable[Term]) -> dict[tuple[str, ...], float]:
    """Return the words and phrases of a query as rows of stems, with their weights."""
    weights: dict[tuple[str, ...], float] = {}
    for term in terms:
        stems = stems_of(index, [term])
        # in quotes, or a word such as x-ray, which an index has as two
        phrase = [tuple(stems)] if len(stems) > 1 else []
        # who does not want a phrase has nothing against its words
        rows = phrase if phrase and term.sign == "-" else [(stem,) for stem in stems] + phrase
        for row in rows:
            weights[row] = weights.get(row, 0.0) + _WEIGHTS[term.sign]
    return weights


def stems_of(index: Index, terms: Iterable[Term]) -> list[str]:
    """Return the words of terms as the index has them, without stop words."""
    return index.words.of_words([token for term in terms for text in term.words for token in tokens(text)])
