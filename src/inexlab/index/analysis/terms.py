"""Words become terms: stop words are marked as such, the others stemmed, in the language they are in.

A stop word keeps its place in an index, so that phrases with it are found, but under a term of its own: what
is a stop word in one language (`die`, `car`) may be none in another.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from inexlab.errors import UnknownNameError
from inexlab.files import explained, read_source
from inexlab.index.analysis.folding import all_folded
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
        stems = self._stems(words, language)
        stop = self.stop_words(language).intersection(words)
        if not stop:
            return stems
        return [stop_term(word) if word in stop else stem for word, stem in zip(words, stems, strict=True)]

    def keys(self, words: Sequence[str], language: str) -> list[str]:
        """Return what all words have in common that differ in accents and ligatures only."""
        plain = all_folded(words)
        stems = all_folded(self._stems(plain, language))
        stop = self.stop_words(language).intersection(words)
        if not stop:
            return stems
        return [
            stop_term(bare) if word in stop else stem
            for word, bare, stem in zip(words, plain, stems, strict=True)
        ]

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
