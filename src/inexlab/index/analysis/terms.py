"""Words become terms: stop words are marked as such, the others stemmed, in the language they are in.

A stop word keeps its place in an index, so that phrases with it are found, but under a term of its own: what
is a stop word in one language (`die`, `car`) may be none in another.

Some stemmers take accents off: German ones make `druck` of `drücken` as of `drucken`. Then the accents of a
word are part of its term, so that one form can be told from the other.
"""

from __future__ import annotations

import functools
import operator
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from inexlab.errors import UnknownNameError
from inexlab.files import explained, read_source
from inexlab.index.analysis.folding import accents, all_folded, count_accents
from inexlab.index.analysis.languages import (
    AUTO,
    LANGUAGES,
    NONE,
    in_one_word,
    need_language,
    stop_words_of,
    words_of_list,
)
from inexlab.index.analysis.traits import Trait, spelled
from inexlab.index.analysis.words import LONGEST, shortened

_SHORT = LONGEST // 4  # characters that need not be cut
STOP = "\x01"  # before a stop word; no word has it
_ACCENTS = "\x02"  # before the accents that a stem has lost; no word has it


def read_stop_words(name: str) -> frozenset[str] | None:
    """Return a list of stop words: `none`, that of a language, or of a file; None for `auto`.

    In a file a `|`, or a `#` that is not part of a word such as `C#`, ends a line.
    """
    if name == AUTO:
        return None
    if name == NONE:
        return frozenset()
    language = {one.stemmer: code for code, one in LANGUAGES.items()}.get(name, name)
    if language in LANGUAGES:
        return frozenset(stop_words_of(language))
    with explained(name):
        found = Path(name).exists()
    if not found:
        raise UnknownNameError("list of stop words", name, (AUTO, NONE, *LANGUAGES, "FILE"))
    return frozenset(in_one_word(words_of_list(read_source(name).data.decode(errors="replace"))))


def stemmer(name: str) -> Callable[[Sequence[bytes]], list[bytes]]:
    """Return the function that stems words in UTF-8: `none`, or a Snowball stemmer such as `english`."""
    if name == NONE:
        return list
    import Stemmer

    if name not in Stemmer.algorithms():
        raise UnknownNameError("stemmer", name, (AUTO, NONE, *Stemmer.algorithms()))
    made = Stemmer.Stemmer(name, 0)  # each word comes once: a cache would only cost

    def stem(words: Sequence[bytes]) -> list[bytes]:
        stems: list[bytes] = made.stemWords(words)
        # of an `s` alone, Porter leaves nothing
        return [stem or word for stem, word in zip(stems, words, strict=True)] if b"" in stems else stems

    return stem


class Analyser:
    """How words of each language become terms.

    `language` is `auto` (each text in its own), `none`, or the one that all texts are taken to be in;
    `stemmer` and `stop` may be given for all languages alike.
    """

    def __init__(self, language: str = AUTO, stemmer: str = AUTO, stop: Iterable[str] | None = None) -> None:
        self.language, self.stemmer = need_language(language), stemmer
        self.given_stop = None if stop is None else frozenset(in_one_word(list(stop)))
        self.stem_of(self.language if self.language in LANGUAGES else "en")  # which says if it is none

    @functools.cached_property
    def _stemmers(self) -> dict[str, Callable[[Sequence[bytes]], list[bytes]]]:
        return {}

    def stem_of(self, language: str) -> Callable[[Sequence[bytes]], list[bytes]]:
        """Return the function that stems words of a language in UTF-8."""
        name = self.stemmer
        if name == AUTO:
            known = LANGUAGES.get(language) if self.language != NONE else None
            name = known.stemmer if known else NONE
        if name not in self._stemmers:
            self._stemmers[name] = stemmer(name)
        return self._stemmers[name]

    def stop_words(self, language: str) -> frozenset[str]:
        """Return the stop words of a language."""
        if self.given_stop is not None:
            return self.given_stop
        return _stop_set(language) if self.language != NONE else frozenset()

    def terms(self, words: Sequence[str], language: str) -> list[str]:
        """Return the terms of words."""
        return self._terms(words, all_folded(words), language)

    def keys(self, words: Sequence[str], language: str, *, stop: bool = True) -> list[str]:
        """Return what all words have in common that differ in accents and ligatures only.

        Unless `stop` words count, they are as all others.
        """
        plain = all_folded(words)
        return self._keys(words, plain, language) if stop else all_folded(self._stems(plain, language))

    def terms_and_keys(self, words: Sequence[str], language: str) -> tuple[list[str], list[str]]:
        """Return the terms of words, and what they have in common with others."""
        plain = all_folded(words)
        return self._terms(words, plain, language), self._keys(words, plain, language)

    def _terms(self, words: Sequence[str], plain: Sequence[str], language: str) -> list[str]:
        stems = self._stems(words, language)
        if any(map(operator.ne, words, plain)):
            for k in np.flatnonzero(count_accents(words) > count_accents(stems)).tolist():
                if words[k] != plain[k]:
                    stems[k] = shortened(f"{stems[k]}{_ACCENTS}{accents(words[k])}")
        return self._with_stop_words(words, words, stems, language)

    def _keys(self, words: Sequence[str], plain: Sequence[str], language: str) -> list[str]:
        return self._with_stop_words(words, plain, all_folded(self._stems(plain, language)), language)

    def _with_stop_words(
        self, words: Sequence[str], forms: Sequence[str], stems: list[str], language: str
    ) -> list[str]:
        """Return the stems of words, and of stop words their forms, marked as such."""
        stop = self.stop_words(language).intersection(words)
        if not stop:
            return stems
        rows = zip(words, forms, stems, strict=True)
        return [stop_term(form) if word in stop else stem for word, form, stem in rows]

    def _stems(self, words: Sequence[str], language: str) -> list[str]:
        if not words:
            return []
        joined = b"\n".join(self.stem_of(language)("\n".join(words).encode().split(b"\n"))).decode()
        stems = joined.split("\n")
        if max(map(len, stems)) > _SHORT:
            stems = [stem if len(stem) <= _SHORT else shortened(stem) for stem in stems]
        for k in _is_in_names.words(spelled(words)):
            stems[k] = words[k]
        return stems


@functools.cache
def _stop_set(language: str) -> frozenset[str]:
    return frozenset(stop_words_of(language))


def stop_term(word: str) -> str:
    """Return the term of a stop word."""
    return shortened(STOP + word)


@Trait
def _is_in_names(character: str) -> bool:
    """Whether words with a character are names or numbers, not for stemmers: a digit or a sign."""
    return not (character.isalpha() or unicodedata.category(character)[0] == "M")
