"""From tokens to terms: stop words are dropped, the others stemmed, each different token once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from inexlab.errors import UnknownNameError
from inexlab.tables import Codes

# The words that carry the grammar of English and little else.
ENGLISH_STOP_WORDS = frozenset(
    """a about above after again against all also although am an and any are as at be became because been before
    being below between both but by can cannot could did do does doing down during each either else few for from
    further had has have having he her here hers herself him himself his how however i if in into is it its itself
    just may me might more most much must my myself neither no nor not of off on once one only or other our ours
    ourselves out over own same shall she should since so some such than that the their theirs them themselves then
    there these they this those through thus to too under until up upon us very was we were what when where whether
    which while who whom whose why will with within without would yet you your yours yourself yourselves
    s t d ll m re ve""".split()
)


def stop_words(name: str) -> frozenset[str]:
    """Return a list of stop words: `none`, `english`, or a file with one word per line."""
    if name == "none":
        return frozenset()
    if name == "english":
        return ENGLISH_STOP_WORDS
    from pathlib import Path

    from inexlab.files import read_source

    if not Path(name).exists():
        raise UnknownNameError("list of stop words", name, ("none", "english", "FILE"))
    return frozenset(read_source(name).data.decode(errors="replace").lower().split())


def stemmer(name: str) -> Callable[[Sequence[str]], list[str]]:
    """Return the function that stems words: `none`, or a Snowball stemmer such as `english`."""
    if name == "none":
        return list
    import Stemmer

    if name not in Stemmer.algorithms():
        raise UnknownNameError("stemmer", name, ("none", *Stemmer.algorithms()))
    made = Stemmer.Stemmer(name, 0)  # each word comes once: a cache would only cost

    def stem(words: Sequence[str]) -> list[str]:
        stems: list[str] = made.stemWords(words)
        return stems

    return stem


class Terms:
    """The terms so far, and which term each type of token is; -1 for stop words."""

    def __init__(self, stemmer_name: str, stop_words_name: str) -> None:
        self.stemmer_name, self.stop_words_name = stemmer_name, stop_words_name
        self._stem, self._stop = stemmer(stemmer_name), stop_words(stop_words_name)
        self.numbers: dict[str, int] = {}
        self._of_type: Codes = np.full(1 << 16, -1, dtype=np.int32)
        self._types = 0

    def __len__(self) -> int:
        return len(self.numbers)

    def learn(self, words: Sequence[str]) -> None:
        """Take note of types that were not there before."""
        # what has digits in it is a name or a number, and no stemmer's business
        alphabetic = [word.isalpha() for word in words]
        stems = iter(self._stem([word for word, alpha in zip(words, alphabetic, strict=True) if alpha]))
        terms = [next(stems) if alpha else word for word, alpha in zip(words, alphabetic, strict=True)]
        number, numbers, stop = self.numbers.setdefault, self.numbers, self._stop
        codes = [
            -1 if word in stop else number(term, len(numbers))
            for word, term in zip(words, terms, strict=True)
        ]
        self._grow(len(codes))
        self._of_type[self._types : self._types + len(codes)] = codes
        self._types += len(codes)

    def _grow(self, more: int) -> None:
        if self._types + more > len(self._of_type):
            self._of_type = np.resize(self._of_type, 2 * (self._types + more))

    @property
    def of_type(self) -> Codes:
        """The term of every type."""
        return self._of_type

    def of_words(self, words: Sequence[str]) -> list[str]:
        """Return the terms of some words of a query, without stop words."""
        kept = [word for word in words if word not in self._stop]
        return [self._stem([word])[0] if word.isalpha() else word for word in kept]
