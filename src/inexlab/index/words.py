"""From tokens to terms: stop words are dropped, the others stemmed, each different token once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from inexlab.errors import UnknownNameError
from inexlab.files import explained, read_source
from inexlab.index.tokens import tokens
from inexlab.index.vocabulary import Vocabulary
from inexlab.tables import Bytes, Codes, Ints

# The words that carry the grammar of English and little else, and what is left of `it's` and `we'll`.
_ENGLISH = """
a about above after again against all also although am an and any are as at
be became because been before being below between both but by can cannot could
did do does doing down during each either else few for from further
had has have having he her here hers herself him himself his how however
i if in into is it its itself just may me might more most much must my myself
neither no nor not of off on once one only or other our ours ourselves out over own
same shall she should since so some such than that the their theirs them themselves then there these they
this those through thus to too under until up upon us very was we were what when where whether which while
who whom whose why will with within without would yet you your yours yourself yourselves
s t d ll m re ve
"""


def stop_words(name: str) -> frozenset[str]:
    """Return a list of stop words: `none`, `english`, or those of a file, up to a `#` or `|` in a line."""
    if name == "none":
        return frozenset()
    if name == "english":
        return frozenset(_ENGLISH.split())
    with explained(name):
        found = Path(name).exists()
    if not found:
        raise UnknownNameError("list of stop words", name, ("none", "english", "FILE"))
    lines = read_source(name).data.decode(errors="replace").splitlines()
    return frozenset(word for line in lines for word in re.split("[#|]", line)[0].split())


def stemmer(name: str) -> Callable[[Sequence[bytes]], list[bytes]]:
    """Return the function that stems words in UTF-8: `none`, or a Snowball stemmer such as `english`."""
    if name == "none":
        return list
    import Stemmer

    if name not in Stemmer.algorithms():
        raise UnknownNameError("stemmer", name, ("none", *Stemmer.algorithms()))
    made = Stemmer.Stemmer(name, 0)  # each word comes once: a cache would only cost

    def stem(words: Sequence[bytes]) -> list[bytes]:
        stems: list[bytes] = made.stemWords(words)
        # of an `s` alone, Porter leaves nothing
        return [stem or word for stem, word in zip(stems, words, strict=True)] if b"" in stems else stems

    return stem


class Terms:
    """How words become terms: what has digits in it is a name or a number, and no stemmer's business."""

    def __init__(self, stemmer_name: str, stop: Iterable[str]) -> None:
        """Stop words are brought into the form of tokens; what is not one token, such as `don't`, is none."""
        self.stemmer_name, cut = stemmer_name, map(tokens, stop)
        self.stop_words = frozenset(found[0] for found in cut if len(found) == 1)
        self.stem = stemmer(stemmer_name)

    def of_words(self, words: Sequence[str]) -> list[str]:
        """Return the terms of some words of a query, without stop words."""
        kept = [word for word in words if word not in self.stop_words]
        return [self.stem([word.encode()])[0].decode() if word.isalpha() else word for word in kept]


class TermNumbers:
    """Numbers the terms of tokens; stop words have none."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._tokens, self._stems = Vocabulary(), Vocabulary()
        self._tokens.add([word.encode() for word in sorted(terms.stop_words)])
        self._tokens.give_values(0, np.full(len(self._tokens), -1, dtype=np.int32))

    def __len__(self) -> int:
        return len(self._stems)

    def numbers(self, text: Bytes, borders: Codes) -> Codes:
        """Return the number of the term of each token of a text, -1 for stop words."""
        known = len(self._tokens)
        numbers, new = self._tokens.values(text, borders)
        if len(new):
            learned = self._learn(known)
            self._tokens.give_values(known, learned)
            numbers[new] = learned[-2 - known - numbers[new]]
        return numbers

    def _learn(self, known: int) -> Codes:
        """Return the numbers of the terms of tokens from a number on."""
        tokens = np.arange(known, len(self._tokens))
        has_digit, beyond_ascii = self._tokens.shapes(known)
        stemmed = ~has_digit
        stemmed[beyond_ascii] = [text.decode().isalpha() for text in self._tokens.texts(tokens[beyond_ascii])]
        out = np.empty(len(tokens), dtype=np.int32)
        out[stemmed] = self._stems.add(self._terms.stem(self._tokens.texts(tokens[stemmed])))
        out[~stemmed] = self._stems.add_from(self._tokens, tokens[~stemmed])
        return out

    def in_order(self) -> tuple[Ints, Bytes, Ints]:
        """Return the numbers of all terms in the order of their texts, these as bytes, and the borders."""
        return self._stems.in_order()
