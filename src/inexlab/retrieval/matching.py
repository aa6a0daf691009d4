"""What a query matches in the text of a document, to be marked for people: what the index finds, and no more.

A word matches by its index term, in the language that it is in where an element says which. Words of a phrase
match where they stand in a row, as those do that are stop words and match nowhere else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from inexlab.index.analysis.terms import STOP, stop_term
from inexlab.index.analysis.words import Word, first_letter, is_letter_of_run
from inexlab.retrieval.document_words import DocumentWords
from inexlab.retrieval.terms import QueryAnalyser, texts_of, tokens_of
from inexlab.topics.query import Term


class Matching(NamedTuple):
    """What matches a query: texts of index terms, of single words, and of the words of phrases in a row.

    With each, whether the whole of it was asked for, or only the letter that it begins with.
    """

    single: Mapping[str, bool]
    phrases: tuple[tuple[Mapping[str, bool], ...], ...] = ()


def matching(analyser: QueryAnalyser, terms: Sequence[Term]) -> Matching:
    """Return what some terms match: single words that are no stop words, and phrases.

    Stop words by themselves only where there is nothing else.
    """
    tokens = {token for term in terms for token in tokens_of(term).single}
    rows = {row for term in terms if len(row := tokens_of(term).row) > 1}
    plain = tokens - analyser.stop_words(terms)
    single: dict[str, bool] = {}
    for token in plain if plain or rows else tokens:
        for text, whole in _texts(analyser, token, in_phrase=not plain).items():
            single[text] = single.get(text, False) or whole
    phrases = ([_texts(analyser, token, in_phrase=True) for token in row] for row in sorted(rows))
    return Matching(single, tuple(map(tuple, phrases)))


def _texts(analyser: QueryAnalyser, token: str, *, in_phrase: bool) -> dict[str, bool]:
    """Return the texts of all index terms that a word stands for, and whether it asks for all of each."""
    found = texts_of(analyser.index, analyser.variants(token, in_phrase=in_phrase))[0]
    return dict.fromkeys(found, not is_letter_of_run(token))


def matches(analyser: QueryAnalyser, found: DocumentWords, wanted: Matching) -> list[Word]:
    """Return the words of a document that match, with what matches in the place of tokens."""
    texts = _texts_of(analyser, found, wanted)
    places = [place for place, of in enumerate(texts) if of]
    matched: dict[int, dict[str, bool]] = {}

    def match(place: int, asked: Mapping[str, bool]) -> None:
        by = matched.setdefault(place, {})
        for text in asked.keys() & texts[place]:
            by[text] = by.get(text, False) or asked[text]

    for place in places:
        if not wanted.single.keys().isdisjoint(texts[place]):
            match(place, wanted.single)
    for phrase in wanted.phrases:
        for place in places:
            row = range(place, min(place + len(phrase), len(texts)))
            alike = (not of.keys().isdisjoint(texts[at]) for of, at in zip(phrase, row, strict=False))
            if len(row) == len(phrase) and all(alike) and len({*found.block_of[row].tolist()}) == 1:
                for of, at in zip(phrase, row, strict=True):
                    match(at, of)
    marks = []
    for place, by in sorted(matched.items()):
        word = found.words[place]
        end = word.end if any(by.values()) else word.start + first_letter(found.text, word)
        marks.append(Word(word.start, end, min(by)))
    return marks


def _texts_of(analyser: QueryAnalyser, found: DocumentWords, wanted: Matching) -> list[Collection[str]]:
    """Return by which index terms each word may match.

    It has that of the language that an element declares, else those of all that queries are read in.
    """
    texts = {*wanted.single, *(text for phrase in wanted.phrases for of in phrase for text in of)}
    tokens = [word.token for word in found.words]
    if found.languages is None:
        known = _known(analyser, tokens, "", texts)
        return [known.get(token, ()) for token in tokens]
    of_language: dict[str, list[str]] = {}
    for language, token in zip(found.languages, tokens, strict=True):
        of_language.setdefault(language, []).append(token)
    known_in = {language: _known(analyser, of, language, texts) for language, of in of_language.items()}
    both = zip(found.languages, tokens, strict=True)
    return [known_in[language].get(token, ()) for language, token in both]


def _known(
    analyser: QueryAnalyser, tokens: Iterable[str], language: str, wanted: AbstractSet[str]
) -> dict[str, set[str]]:
    """Return which index terms of those that are wanted words may be, if they may be any."""
    row = [*set(tokens)]
    codes = (language,) if language else analyser.languages
    terms = [analyser.index.analyser.terms(row, code) for code in codes]
    if not language and any(text.startswith(STOP) for text in wanted):
        terms.append([*map(stop_term, row)])
    known: dict[str, set[str]] = {}
    for of in terms:
        for token, text in zip(row, of, strict=True):
            if text in wanted:
                known.setdefault(token, set()).add(text)
    return known
