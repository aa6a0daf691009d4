"""The terms of a query: words cut and stemmed as the index was, phrases as rows of neighbouring words.

A word of a query stands for all terms that it may be: in each language of the index, with and without accents
and ligatures. Together they are one term. A stop word counts in phrases alone.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from inexlab.errors import UnknownNameError
from inexlab.index.analysis.folding import folded
from inexlab.index.analysis.languages import AUTO, code_named
from inexlab.index.analysis.terms import STOP, stop_term
from inexlab.index.analysis.words import is_letter_of_run, words
from inexlab.index.index import Index
from inexlab.index.whole import FrequencyQuestion, Row, WordQuestion, Words
from inexlab.retrieval.candidates import candidates
from inexlab.retrieval.phrases import phrase_positions
from inexlab.tables import Floats, Ints
from inexlab.topics.query import Term

# How much a term counts in a query: an important one twice; an unwanted one against whatever has it.
_REMEMBERED = 100  # queries: those of a set of topics
_MOST_POSITIONS = 50_000  # of a query that is remembered
_WEIGHTS = {"": 1.0, "+": 2.0, "-": -1.0}


class Variants(NamedTuple):
    """The terms of an index that a word of a query stands for; `exact` are those as it is written.

    A shard may have fewer of them than the whole has: `words` are the texts of those.
    """

    all: tuple[int, ...]
    exact: frozenset[int]
    words: Words | None = None

    @property
    def known(self) -> bool:
        """Whether the collection has any of them."""
        return bool(self.all if self.words is None else self.words[0])

    @property
    def have_others(self) -> bool:
        """Whether the collection has some that are not as the word is written."""
        every, exact = (self.all, self.exact) if self.words is None else self.words
        return len(exact) < len(every)


@dataclass(frozen=True)
class QueryAnalyser:
    """How the words of queries are read: in which languages, and whether accents have to be as written.

    The first language is the main one of the index.
    """

    index: Index
    languages: tuple[str, ...]
    exact: bool = False

    def stop_words(self, terms: Iterable[Term]) -> frozenset[str]:
        """Return the words that count in phrases alone: the stop words of the main language.

        Or of another one, where a query has so many more of them, two at least, that it must be in that.
        """
        tokens = [token for term in terms for token in tokens_of(term).single]
        lists = [self.index.analyser.stop_words(code) for code in self.languages]
        hits = [sum(token in stop for token in tokens) for stop in lists]
        most = hits.index(max(hits))
        return lists[most if hits[most] >= hits[0] + 2 else 0]

    def variants(self, token: str, *, in_phrase: bool = False) -> Variants:
        """Return the terms that a word stands for; stop words of a language only in a phrase."""
        whole = self.index.whole
        if whole is None:
            return self.own_variants(token, in_phrase=in_phrase)
        every, exact = whole[WordQuestion(self.languages, self.exact, token, in_phrase)]
        return variants_in(self.index, (every, exact))

    def own_variants(self, token: str, *, in_phrase: bool) -> Variants:
        """Return the terms that a word stands for, of those that this index has."""
        analysis, index = self.index.analyser, self.index
        exact = {term for code in self.languages for term in analysis.terms([token], code)}
        keys = exact
        if not (token.isascii() and all(map(str.isascii, exact))):  # else there is nothing to fold
            keys = {key for code in self.languages for key in analysis.keys([token], code)}
        if in_phrase:  # a stop word may be none without its accents, as `fur` for `für`
            others = {key for code in self.languages for key in analysis.keys([token], code, stop=False)}
            exact = {*exact, stop_term(token)}
            keys = {*keys, *others, stop_term(folded(token))}
        else:
            exact, keys = ({text for text in texts if text[0] != STOP} for texts in (exact, keys))
        numbers = {text: index.term(text) for text in exact}
        as_written = {number for number in numbers.values() if number >= 0}
        found = set(as_written)
        if not self.exact:
            found |= {number for key in keys for number in index.variants(key, numbers.get(key))}
        if is_letter_of_run(token):  # the beginning of any pair
            found |= set(index.terms_beginning(token))
            as_written = found
        return Variants(tuple(sorted(found)), frozenset(as_written))

    def asks(self, terms: Iterable[Term]) -> bool:
        """Whether some terms of a query ask for anything: a word that is not a stop word, or a phrase."""
        asked = list(terms)
        stop = self.stop_words(asked)
        rows = [tokens_of(term).row for term in asked]
        return any(len(row) > 1 or not stop.issuperset(row) for row in rows)


def texts_of(index: Index, variants: Variants) -> Words:
    """Return the texts of the terms that a word stands for, and of those that are as it is written."""
    if variants.words is not None:
        return variants.words
    every, exact = (tuple(index.terms[number] for number in sorted(of)) for of in variants[:2])
    return every, exact


def variants_in(index: Index, words: Words) -> Variants:
    """Return the terms of a shard that a word stands for, of which the whole has these."""
    numbers = {text: index.term(text) for text in words[0]}
    every, exact = ({number for text in texts if (number := numbers[text]) >= 0} for texts in words)
    return Variants(tuple(sorted(every)), frozenset(exact), words)


def query_analyser(index: Index, *, exact: bool = False, language: str = "") -> QueryAnalyser:
    """Return how to read the words of queries: in all languages of an index, or in one that is named."""
    if language in ("", AUTO):
        return QueryAnalyser(index, tuple(index.languages) or ("",), exact)
    code = code_named(language)
    if not code or code not in index.languages:
        raise UnknownNameError("language of this index", language, (AUTO, *filter(None, index.languages)))
    return QueryAnalyser(index, (code,), exact)


def as_analyser(analyser: QueryAnalyser | Index) -> QueryAnalyser:
    """Return how to read queries to an index, if nobody says otherwise."""
    return analyser if isinstance(analyser, QueryAnalyser) else query_analyser(analyser)


class Tokens(NamedTuple):
    """The words of a term: those that count by themselves, and all of them in a row, as an index has them.

    The last letter of a run is part of the pair before it, and counts only in the row, for its place; at the
    end of the row it has none to hold.
    """

    single: tuple[str, ...]
    row: tuple[str, ...]


@functools.lru_cache(maxsize=256)  # a query's terms are looked at several times
def tokens_of(term: Term) -> Tokens:
    """Return the words of a term."""
    found: list[tuple[str, bool]] = []
    for text in term.words:
        last = 0
        for word in words(text):
            found.append((word.token, word.end != last))
            last = word.end
    if found and not found[-1][1]:
        found.pop()
    return Tokens(tuple(token for token, counts in found if counts), tuple(token for token, _ in found))


@dataclass(frozen=True)
class QueryTerms:
    """The different terms of a query that the collection has: columns, and the positions of each.

    These are `joined` in one row, in which each begins at one of the `borders`, the last of which is the end.
    `reach` is how many tokens a term has behind its first. `exact` are positions of words that are as in the
    query, of terms that have others. `wanted` and `unwanted` are the columns of terms that were written with
    `+` and `-`; one of the former is `missing` where the collection does not have it.
    """

    index: Index
    rows: tuple[tuple[Variants, ...], ...]
    names: tuple[str, ...]
    joined: Ints
    borders: Ints
    weight: Floats
    frequency: Floats
    exact: tuple[Ints, ...] = ()
    wanted: tuple[int, ...] = ()
    unwanted: tuple[int, ...] = ()
    missing: bool = False

    def __len__(self) -> int:
        return len(self.names)

    @property
    def total(self) -> int:
        """How many positions the terms have."""
        return len(self.joined)

    @functools.cached_property
    def positions(self) -> tuple[Ints, ...]:
        """The positions of each term."""
        return tuple(self.joined[a:b] for a, b in pairwise(self.borders.tolist()))

    @property
    def reach(self) -> tuple[int, ...]:
        """How many tokens each term has behind its first."""
        return tuple(len(row) - 1 for row in self.rows)

    @functools.cached_property
    def units_with(self) -> Floats:
        """How many elements hold each term."""
        rows = zip(self.rows, self.positions, strict=True)
        return np.array([self._units_with(*row) for row in rows], dtype=np.float64)

    def _units_with(self, row: tuple[Variants, ...], positions: Ints) -> int:
        """Return how many elements hold a term: of its variants the most frequent one is in most of them."""
        index = self.index
        if not len(positions):  # of a shard without the term
            return 0
        if len(row) > 1:
            return len(candidates(index, [positions]))
        variants = row[0].all
        if len(variants) == 1:
            return index.units_with(variants[0])
        frequency = [int(index.part("term-frequency", term, term + 1)[0]) for term in variants]
        main = variants[frequency.index(max(frequency))]
        of_main = index.positions(main)
        elsewhere = phrase_positions(index, [[term for term in variants if term != main]])
        first, last = index.intervals(candidates(index, [elsewhere]).element)
        more = np.count_nonzero(np.searchsorted(of_main, first) == np.searchsorted(of_main, last))
        return index.units_with(main) + int(more)

    @property
    def most_units(self) -> int:
        """How many units there can be with any of the terms."""
        return int(self.units_with.sum())


def query_terms(analyser: QueryAnalyser | Index, terms: Iterable[Term]) -> QueryTerms:
    """Look up the terms of a query; the words of a phrase count as words, too, unless it is unwanted.

    An index remembers the last queries, as one may be asked of units of several kinds.
    """
    analyser = as_analyser(analyser)
    known: dict[Any, tuple[Any, ...]] = analyser.index.kept.setdefault("queries", {})
    key = (analyser.languages, analyser.exact, tuple(terms))
    looked_up = known.get(key)  # other threads may add some, and leave out this one
    if looked_up is None:
        looked_up = _look_up(analyser, key[2])
        for old in list(known)[: max(0, len(known) - _REMEMBERED + 1)]:
            known.pop(old, None)
        if len(looked_up[2]) <= _MOST_POSITIONS:
            known[key] = looked_up
    return QueryTerms(analyser.index, *looked_up)


def _look_up(analyser: QueryAnalyser, asked: Sequence[Term]) -> tuple[Any, ...]:
    """Return all that is known of the terms of a query, but for the index."""
    index = analyser.index
    column: dict[tuple[Variants, ...], int] = {}
    names, positions, weights, frequency, exact = [], [], [], [], []
    stop = analyser.stop_words(asked)
    weighted = _weighted(analyser, asked, stop)
    plain = [row[0].all[0] for row in weighted if _is_plain(row)]
    joined, borders = index.positions_of(plain)
    parts = (joined[a:b] for a, b in pairwise(borders.tolist()))
    for row, (name, weight) in weighted.items():
        found = next(parts) if _is_plain(row) else phrase_positions(index, [each.all for each in row])
        often = len(found) if index.whole is None else index.whole[FrequencyQuestion(words_of(row))]
        if not often:
            continue
        column[row] = len(column)
        names.append(name)
        positions.append(found)
        weights.append(weight)
        frequency.append(often)
        if weight > 0 and any(variants.have_others for variants in row):
            exact.append(phrase_positions(index, [sorted(variants.exact) for variants in row]))
    if not len(plain) == len(weighted) == len(positions):
        joined = np.concatenate([*positions, joined[:0]])
        borders = np.array([0, *accumulate(map(len, positions))], dtype=np.int64)
    signed = {
        sign: [row for term in asked if term.sign == sign and (row := _whole(analyser, term, stop))]
        for sign in "+-"
    }
    return (
        tuple(column),
        tuple(names),
        joined,
        borders,
        np.array(weights),
        np.array(frequency, dtype=np.float64),
        tuple(exact),
        tuple(column[row] for row in signed["+"] if row in column),
        tuple(column[row] for row in signed["-"] if row in column),
        any(row not in column for row in signed["+"]),
    )


def _is_plain(row: Sequence[Variants]) -> bool:
    """Whether a row of words is a single one that stands for one term."""
    return len(row) == 1 and len(row[0].all) == 1


def words_of(row: Sequence[Variants]) -> Row:
    """Return what a row of index terms is in the whole that a shard is a part of."""
    return tuple(variants.words or ((), ()) for variants in row)


def rows_of(analyser: QueryAnalyser, terms: Iterable[Term]) -> list[Row]:
    """Return the words and phrases of a query, as the whole has them; some may be nowhere."""
    asked = list(terms)
    return [words_of(row) for row in _weighted(analyser, asked, analyser.stop_words(asked))]


def _whole(analyser: QueryAnalyser, term: Term, stop: frozenset[str]) -> tuple[Variants, ...]:
    """Return all words of a term as a row of index terms; none for a stop word."""
    found = tokens_of(term).row
    if len(found) == 1 and found[0] in stop:
        return ()
    return tuple(analyser.variants(token, in_phrase=len(found) > 1) for token in found)


def _weighted(
    analyser: QueryAnalyser, asked: Iterable[Term], stop: frozenset[str]
) -> dict[tuple[Variants, ...], tuple[str, float]]:
    """Return the words and phrases of a query as rows of index terms, with their names and weights."""
    weighted: dict[tuple[Variants, ...], tuple[str, float]] = {}
    for term in asked:
        found = tokens_of(term)
        # in quotes, or a word such as x-ray, which an index has as two
        phrase = [found.row] if len(found.row) > 1 else []
        # who does not want a phrase has nothing against its words
        only_phrase = phrase and term.sign == "-"
        single = [] if only_phrase else [(token,) for token in found.single if token not in stop]
        for row in [*single, *phrase]:
            variants = tuple(analyser.variants(token, in_phrase=len(row) > 1) for token in row)
            if all(one.known for one in variants):
                name, weight = weighted.get(variants, (" ".join(row), 0.0))
                weighted[variants] = name, weight + _WEIGHTS[term.sign]
    return weighted
