"""From tokens to terms: each different token of each language is looked at once, and numbered by its term."""

from __future__ import annotations

import operator
from collections import Counter
from itertools import compress

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.index.analysis.languages import (
    AUTO,
    LANGUAGES,
    NONE,
    NUMBERS,
    UNKNOWN,
    code_of,
    guessed,
    indicative_words,
    number_of,
)
from inexlab.index.analysis.terms import STOP, Analyser
from inexlab.index.analysis.words import all_composed
from inexlab.index.batch import Batch
from inexlab.index.characters import int64
from inexlab.index.scan import BORDERS, ELEMENTS, Numbers16
from inexlab.index.vocabulary import Vocabulary
from inexlab.instructions import lowest_bit
from inexlab.tables import Bytes, Codes, Ints

_STEPS = 6  # of plain Python to a token
_LOOKED_AT = 4000  # words of a document by which its language is guessed
_NEW, _SEEN = -1, -2  # tokens whose terms are not known yet: one that was not there before, or was

Masks = npt.NDArray[np.uint64]


class TermNumbers:
    """Numbers the terms of tokens, in the languages of their elements."""

    def __init__(self, terms: Analyser) -> None:
        self._terms = terms
        self._telling_words = indicative_words() if terms.language == AUTO else {}
        self._telling: Masks = np.array(list(self._telling_words.values()), dtype=np.uint64)
        self._counts: Ints = np.zeros(NUMBERS, dtype=np.int64)
        self.forget()

    def forget(self) -> None:
        """Begin again with the numbers; what was counted stays."""
        self._texts = Vocabulary()  # tokens and terms: a term that is also a token has the token's number
        self._texts.add([word.encode() for word in self._telling_words])
        self._rows: list[str] = []  # languages so far that are looked at by themselves, "" for all others
        self._row_of: Bytes = np.full(NUMBERS, 255, dtype=np.uint8)
        self._term_of: Codes = np.empty((0, 0), dtype=np.int32)
        self._forget_variants()

    def _forget_variants(self) -> None:
        self._keys = Vocabulary()  # words without accents
        self._pairs: list[Codes] = []  # of numbers: such a word, and a term that it stands for

    def __len__(self) -> int:
        """How many texts are in memory, tokens and terms: numbers of terms are less."""
        return len(self._texts)

    @property
    def languages(self) -> Counter[str]:
        """How many tokens there are of each language."""
        numbers = np.flatnonzero(self._counts)
        return Counter({code_of(int(n)): int(self._counts[n]) for n in numbers})

    def numbers(self, batch: Batch) -> Codes:
        """Return the number of the term of each token of a batch."""
        ends = np.array(batch.ends)
        tokens = self._texts.numbers(batch.text, batch.borders[: batch.filled[BORDERS]])
        spoken, languages = self._languages(batch, tokens, ends[:, BORDERS] // 2)
        self._make_room(languages)
        out, new, first = (np.empty(len(tokens), dtype=np.int32) for _ in range(3))
        find = find_terms.for_work(_STEPS * len(tokens))
        left, different = find(
            tokens, batch.leaf, spoken, self._row_of, self._term_of, self._counts, out, new, first
        )
        if left:
            self._learn(tokens, batch.leaf, spoken, first[:different])
            fill = find_learned.for_work(_STEPS * left)
            fill(tokens, batch.leaf, spoken, self._row_of, self._term_of, new[:left], out)
        return out

    def _languages(self, batch: Batch, tokens: Codes, token_from: Ints) -> tuple[Numbers16, Ints]:
        """Return the number of the language of each element, and all that there are.

        It is the one that the element says, or that of its document's words.
        """
        spoken = batch.language[: batch.filled[ELEMENTS]]
        if self._terms.language != AUTO:
            number = number_of("" if self._terms.language == NONE else self._terms.language)
            return np.full(len(spoken), number, dtype=np.uint16), np.array([number])
        counts = np.zeros((len(token_from) - 1, len(LANGUAGES)), dtype=np.int64)
        work = min(len(tokens), _LOOKED_AT * len(counts))
        count_indicative.for_work(_STEPS * work)(
            tokens, batch.leaf, spoken, token_from, self._telling, counts
        )
        guesses = guessed(counts)
        sizes = np.diff([end[ELEMENTS] for end in batch.ends])
        of_documents = np.repeat(guesses, sizes)
        if not spoken.any():
            return of_documents, np.unique(guesses).astype(np.int64)
        mixed = np.where(spoken == UNKNOWN, of_documents, spoken)
        return mixed, np.flatnonzero(np.bincount(mixed))

    def _make_room(self, languages: Ints) -> None:
        """See that there is a row for each language, and a place for each token."""
        for number in languages[self._row_of[languages] == 255].tolist():
            code = code_of(number)
            known = code if code in LANGUAGES else ""
            if known not in self._rows:
                self._rows.append(known)
            self._row_of[number] = self._rows.index(known)
        rows, places = self._term_of.shape
        if len(self._rows) > rows or len(self._texts) > places:
            places = places if len(self._texts) <= places else 2 * len(self._texts)
            larger = np.full((len(self._rows), places), _NEW, dtype=np.int32)
            larger[:rows, : self._term_of.shape[1]] = self._term_of
            self._term_of = larger

    def _learn(self, tokens: Codes, leaf: Codes, spoken: Numbers16, which: Codes) -> None:
        """Find the terms of tokens that are new in their languages, each of them named once."""
        rows = self._row_of[spoken[leaf[which]]]
        for row, code in enumerate(self._rows):
            new = tokens[which[rows == row]].astype(np.int64)
            if len(new):
                self._term_of[row, new] = self._terms_of(new, code)

    def _terms_of(self, tokens: Ints, language: str) -> Codes:
        """Return the numbers of the terms of some tokens of a language."""
        other, composed = self._texts.shapes(tokens)
        stem = self._terms.stem_of(language)
        out = np.empty(len(tokens), dtype=np.int32)
        stop = frozenset(word.encode() for word in self._terms.stop_words(language))
        stemmed = ~other & ~composed
        words = self._texts.texts(tokens[stemmed])
        stems = stem(words)
        if not b"".join(stems).isascii():  # Turkish takes the c of `sureci` for a ç
            odd = np.array([not text.isascii() for text in stems])
            composed[np.flatnonzero(stemmed)[odd]] = True
            words, stems = (list(compress(texts, ~odd)) for texts in (words, stems))
            stemmed &= ~composed
        out[stemmed] = self._texts.add(_with_stop_words(words, stems, stop))
        plain = other & ~composed
        out[plain] = tokens[plain]
        if any(word.isascii() and not word.isalpha() for word in stop):  # of a list that somebody gave
            words = self._texts.texts(tokens[plain])
            out[plain] = self._texts.add(_with_stop_words(words, words, stop))
        if composed.any():
            out[composed] = self._composed(tokens[composed], language)
        return out

    def _composed(self, tokens: Ints, language: str) -> Codes:
        """Return the numbers of the terms of words that have to be composed, one or more; note their keys."""
        words = all_composed(self._texts.lines(tokens).decode().split("\n")[:-1])
        terms, keys = self._terms.terms_and_keys(words, language)
        numbers = self._texts.add_lines(_as_lines(terms))
        differ = np.fromiter(map(operator.ne, keys, terms), dtype=np.bool_, count=len(keys))
        if differ.any():
            of_keys = self._keys.add_lines(_as_lines(list(compress(keys, differ))))
            self._pairs.append(np.column_stack((of_keys, numbers[differ])))
        return numbers

    def take_variants(self) -> tuple[Vocabulary, Ints]:
        """Return words without accents, and pairs of the number of such a word and that of a term.

        Those since this was last asked for: of terms that tokens have had since.
        """
        none, keys = np.empty((0, 2), dtype=np.int64), self._keys
        pairs = np.concatenate((none, *self._pairs))
        self._forget_variants()
        return keys, pairs

    def in_order(self, numbers: Ints | None = None) -> tuple[Ints, Bytes, Ints]:
        """Return the numbers of terms in the order of their texts, these as bytes, and the borders.

        Of all terms, or of some.
        """
        return self._texts.in_order(numbers)


def _as_lines(words: list[str]) -> bytes:
    """Return words in UTF-8, each with a line break behind it."""
    return "\n".join([*words, ""]).encode()


def _with_stop_words(words: list[bytes], terms: list[bytes], stop: frozenset[bytes]) -> list[bytes]:
    """Return the terms of words, stop words among them as such."""
    found = stop.intersection(words)
    if not found:
        return terms
    mark = STOP.encode()
    return [mark + word if word in found else term for word, term in zip(words, terms, strict=True)]


@Kernel
def count_indicative(
    tokens: Codes, leaf: Codes, spoken: Numbers16, token_from: Ints, telling: Masks, counts: Ints
) -> None:
    """Count the telling words of each language among the first words of documents without one.

    `telling` has a bit for each language; `counts` has a row for each document, with a place for each bit.
    """
    other = np.uint64(len(telling))
    seen = np.zeros(other + np.uint64(1), dtype=np.int64)  # of each telling word, and of all others
    for document in range(len(counts)):
        begin, end = np.uint64(token_from[document]), np.uint64(token_from[document + 1])
        left, stop = _LOOKED_AT, begin
        while stop < end and left:
            if spoken[np.uint64(leaf[stop])] == UNKNOWN:
                seen[min(np.uint64(tokens[stop]), other)] += 1
                left -= 1
            stop += np.uint64(1)
        seen[other] = 0
        # each word once: which of them tell something no processor could guess
        for k in range(begin, stop):
            word = min(np.uint64(tokens[k]), other)
            if seen[word]:
                bits = telling[word]
                while bits:
                    counts[document, int64(lowest_bit(bits))] += seen[word]
                    bits &= bits - np.uint64(1)
                seen[word] = 0


@Kernel
def find_terms(
    tokens: Codes,
    leaf: Codes,
    spoken: Numbers16,
    row_of: Bytes,
    term_of: Codes,
    counts: Ints,
    out: Codes,
    new: Codes,
    first: Codes,
) -> tuple[int, int]:
    """Write the terms of tokens that are known, and which ones are not; return how many, and different ones.

    Of tokens that are the same `first` has one. Also counts the tokens of every language. In most batches
    there is one language, and no token needs to be asked which it is in.

    Why it writes nowhere else: `out`, `new` and `first` have a place for every token, `row_of` and
    `counts` one for every language, `term_of` a row for every language that there is and a place in it for
    every token.
    """
    left = different = np.uint64(0)
    alike = True
    for e in range(1, len(spoken)):
        alike &= spoken[e] == spoken[0]
    row = np.uint64(0)
    if alike and len(spoken):
        counts[spoken[0]] += len(tokens)
        row = np.uint64(row_of[spoken[0]])
    for k in range(np.uint64(len(tokens))):
        if not alike:
            language = np.uint64(spoken[np.uint64(leaf[k])])
            counts[language] += 1
            row = np.uint64(row_of[language])
        token = np.uint64(tokens[k])
        term = term_of[row, token]
        out[k] = term
        if term < 0:
            new[left] = k
            left += np.uint64(1)
            if term == _NEW:
                first[different] = k
                different += np.uint64(1)
                term_of[row, token] = _SEEN
    return int64(left), int64(different)


@Kernel
def find_learned(
    tokens: Codes, leaf: Codes, spoken: Numbers16, row_of: Bytes, term_of: Codes, which: Codes, out: Codes
) -> None:
    """Write the terms of some tokens, which are all known by now; `out` has a place for every token."""
    for k in range(len(which)):
        place = np.uint64(which[k])
        row = np.uint64(row_of[np.uint64(spoken[np.uint64(leaf[place])])])
        out[place] = term_of[row, np.uint64(tokens[place])]
