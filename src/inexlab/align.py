"""Where a quoted text is in a document: exactly, but for white space, or by its words.

    exact        the text is there as it is
    white space  the same characters, white space aside
    words        most of its words are there in order, whatever their case, accents' encoding and punctuation

Each place has a confidence from 0 to 1. It says how sure it is that the quote was taken from there and from
nowhere else: a text that is in the document twice has half of it. HIGH is what may be relied upon.

    stated       1, where an offset was given and the text is there
    exact        1 / places
    white space  0.95 / places
    words        0.9 × share of words that both have, halved where another place is nearly as good

A place that is the only exact one among several that are alike but for white space is not sure either (0.6):
who changes white space may have changed it to that. All is linear in the document and in the quotes but for
sorting, with hashes of short stretches; whatever a hash finds is compared.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

HIGH = 0.8
_ONLY_EXACT = 0.6  # of several that are alike but for white space
_LEAST = 0.6  # of the words of a quote, and of its place, that have to be in both
_RIVAL = 0.2  # as much less alike a second place has to be
_MOST = 1000  # places of one quote that are looked at
_GRAM = 16  # characters that are hashed together; a power of two
_WORDS = 3  # words that are hashed together
_BASE = 0x9E3779B97F4A7C15  # of hashes
_FREQUENT = 64  # so many places of three words say nothing
_WORD = re.compile(r"[\w\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")

Numbers = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]
How = Literal["stated", "exact", "white space", "words"]


class Placed(NamedTuple):
    """Where a quote is, how sure that is, and how it was found."""

    start: int
    end: int
    confidence: float
    how: How


class _Candidates(NamedTuple):
    """A quote without white space, and where it is in the text without white space."""

    quote: str
    squeezed: str
    places: list[int]


class SourceText:
    """A document's text, prepared for many quotes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._squeezed = "".join(text.split())

    def place(self, quote: str, stated: tuple[int, int | None] | None = None) -> Placed | None:
        """Return where a quote is, None where it is not.

        `stated` is where somebody says that it begins, and ends if that is said, which holds if it is true.

        >>> SourceText("one two  three").place("two three")
        Placed(start=4, end=14, confidence=0.95, how='white space')
        """
        if (found := self.as_stated(quote, stated)) is not None:
            return found
        candidates = self._candidates(quote)
        if candidates.places:
            near = stated[0] if stated is not None else 0
            return self._best(candidates, candidates.places, near)
        return self._by_words(quote)

    def as_stated(self, quote: str, stated: tuple[int, int | None] | None) -> Placed | None:
        """Return the place that is stated, if the quote is there."""
        if stated is None or stated[0] < 0 or not quote:
            return None
        start, end = stated[0], stated[0] + len(quote) if stated[1] is None else stated[1]
        return Placed(start, end, 1.0, "stated") if self.text[start:end] == quote else None

    def place_in_order(self, quotes: Sequence[str]) -> list[Placed | None]:
        """Return where quotes are that come in the order of the text, as chunks do.

        That tells places of a repeated text apart: each is after the earliest place of those before it, and
        before the latest of those after it. Where quotes are in no such order, each is placed by itself.
        """
        candidates = [self._candidates(quote) for quote in quotes]
        found = [k for k, c in enumerate(candidates) if c.places]
        earliest = _earliest([candidates[k] for k in found])
        latest = _earliest([candidates[k] for k in found], backwards=True)
        if earliest is None or latest is None:
            return [self._best(c, c.places, 0) if c.places else self._by_words(c.quote) for c in candidates]
        placed: list[Placed | None] = [None] * len(quotes)
        for k, low, high in zip(found, earliest, latest, strict=True):
            between = [at for at in candidates[k].places if low <= at <= high]
            placed[k] = self._best(candidates[k], between or [low], 0)
        for k, one in enumerate(candidates):
            placed[k] = placed[k] or self._by_words(one.quote)
        return placed

    # --- the same characters -------------------------------------------------------------------------------

    @functools.cached_property
    def _offsets(self) -> Places:
        """Where each character that is no white space is, and the end."""
        space = np.array([ord(c) for c in set(self.text) if c.isspace()], dtype=np.uint32)
        return np.append(np.flatnonzero(~np.isin(_codes(self.text), space)), len(self.text)).astype(np.int64)

    @functools.cached_property
    def _grams(self) -> tuple[Numbers, Places]:
        """The hashes of all stretches of the text without white space, sorted, and where they are."""
        hashes = _hashes(_codes(self._squeezed).astype(np.uint64), _GRAM)
        order = np.argsort(hashes, kind="stable").astype(np.int64)
        return hashes[order], order

    def _candidates(self, quote: str) -> _Candidates:
        squeezed = "".join(quote.split())
        return _Candidates(quote, squeezed, self._places(squeezed) if squeezed else [])

    def _places(self, wanted: str) -> list[int]:
        """Return where a text without white space is, in order; of very many places the first ones."""
        if len(wanted) >= _GRAM and len(self._squeezed) >= _GRAM:
            hashes, order = self._grams
            own = _hashes(_codes(wanted).astype(np.uint64), _GRAM)
            offsets = sorted({0, len(own) // 2, len(own) - 1})
            low = np.searchsorted(hashes, own[offsets])
            high = np.searchsorted(hashes, own[offsets], side="right")
            rarest = int(np.argmin(high - low))
            if high[rarest] - low[rarest] <= _MOST:
                begins = order[low[rarest] : high[rarest]] - offsets[rarest]
                return [at for at in begins.tolist() if at >= 0 and self._squeezed.startswith(wanted, at)]
        found: list[int] = []
        at = self._squeezed.find(wanted)
        while at >= 0 and len(found) < _MOST:
            found.append(at)
            at = self._squeezed.find(wanted, at + 1)
        return found

    def _best(self, candidates: _Candidates, places: Sequence[int], near: int) -> Placed:
        """Return the exact place among some, else the one nearest to a place."""
        quote, size = candidates.quote, len(candidates.squeezed)
        before, after = len(quote) - len(quote.lstrip()), len(quote) - len(quote.rstrip())
        spans = [(int(self._offsets[at]), int(self._offsets[at + size - 1]) + 1) for at in places]
        exact = [
            (start - before, end + after)
            for start, end in spans
            if start >= before and self.text[start - before : end + after] == quote
        ]
        start, end = min(exact or spans, key=lambda span: abs(span[0] - near))
        if not exact:
            return Placed(start, end, 0.95 / len(spans), "white space")
        only = _ONLY_EXACT if len(spans) > 1 else 1.0
        return Placed(start, end, only if len(exact) == 1 else 1 / len(spans), "exact")

    # --- the same words ------------------------------------------------------------------------------------

    @functools.cached_property
    def _known_words(self) -> dict[str, int]:
        return {}

    @functools.cached_property
    def _words(self) -> tuple[Places, Places]:
        """The words of the text, as numbers, and where they begin and end."""
        numbers, places = _words_of(self.text, self._known_words, add=True)
        return numbers, places

    @functools.cached_property
    def _rows(self) -> tuple[Numbers, Places]:
        """The hashes of all rows of three words, sorted, and where they are."""
        hashes = _row_hashes(self._words[0])
        order = np.argsort(hashes, kind="stable").astype(np.int64)
        return hashes[order], order

    def _by_words(self, quote: str) -> Placed | None:
        """Return the place that has most of the words of a quote in order."""
        words, places = self._words
        own, own_places = _words_of(quote, self._known_words, add=False)
        if not len(own) or not len(words):
            return None
        regions = self._regions(own)
        found = sorted((r for region in regions if (r := _aligned(own, words, *region))), reverse=True)
        if not found or found[0][0] < _LEAST:
            return None
        alike, first, last = found[0]
        rivals = [r for r in found[1:] if r[1] >= last or r[2] <= first]
        rival = max((r[0] for r in rivals), default=0.0) > alike - _RIVAL
        start, end = int(places[first, 0]), int(places[last - 1, 1])
        lead, trail = quote[: own_places[0, 0]].split(), quote[own_places[-1, 1] :].split()
        start -= _signs(self.text[max(0, start - 50) : start][::-1], sum(map(len, lead)))
        end += _signs(self.text[end : end + 50], sum(map(len, trail)))
        return Placed(start, end, 0.9 * alike / (1 + rival), "words")

    def _regions(self, own: Places) -> list[tuple[int, int]]:
        """Return where rows of the quote's words are close together, the best few, as ranges of words."""
        words = self._words[0]
        if len(own) < _WORDS or len(words) < _WORDS:
            where = np.flatnonzero(words == own[0])[:_MOST]
            return [(int(at), int(at) + len(own)) for at in where]
        hashes, order = self._rows
        rows = _row_hashes(own)
        low, high = np.searchsorted(hashes, rows), np.searchsorted(hashes, rows, side="right")
        telling = np.flatnonzero((high > low) & (high - low <= _FREQUENT))
        begins = [order[low[k] : high[k]] - k for k in telling.tolist()]
        if not begins:
            return []
        slack = max(4, len(own) // 4)
        begin, votes = np.unique(np.concatenate(begins) // slack, return_counts=True)
        best = begin[np.argsort(-votes, kind="stable")[:8]].tolist()
        return [
            (max(0, (at - 1) * slack), min(len(words), (at + 2) * slack + len(own))) for at in sorted(best)
        ]


def _earliest(candidates: Sequence[_Candidates], backwards: bool = False) -> list[int] | None:
    """Return the first place of each that is behind that of the one before; None where there is none.

    Backwards, the last place that is before that of the one behind.
    """
    found: list[int] = []
    before: tuple[int, int] | None = None  # where the neighbour begins, and how long it is
    for one in reversed(candidates) if backwards else candidates:
        size = len(one.squeezed)
        for at in reversed(one.places) if backwards else one.places:
            apart = at if before is None else before[0] - at if backwards else at - before[0]
            if before is None or apart > 0 or (apart == 0 and size != before[1]):
                break
        else:
            return None
        before = (at, size)
        found.append(at)
    return found[::-1] if backwards else found


def _codes(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def _hashes(numbers: Numbers, size: int) -> Numbers:
    """Return a hash of every stretch of so many numbers, a power of two, by putting halves together."""
    hashes, width, base = numbers + np.uint64(1), 1, _BASE
    while width < size and len(hashes) > width:
        hashes = hashes[:-width] * np.uint64(base) + hashes[width:]
        base, width = base * base % 2**64, 2 * width
    return hashes


def _row_hashes(words: Places) -> Numbers:
    numbers = (words + 2).astype(np.uint64)
    base = np.uint64(_BASE)
    return (numbers[:-2] * base + numbers[1:-1]) * base + numbers[2:]


def _words_of(text: str, known: dict[str, int], *, add: bool) -> tuple[Places, Places]:
    """Return the words of a text as numbers, -1 for those not known, and their places."""
    numbers, places = [], []
    for found in _WORD.finditer(text):
        word = _folded(found[0])
        numbers.append(known.setdefault(word, len(known)) if add else known.get(word, -1))
        places.append(found.span())
    return np.array(numbers, dtype=np.int64), np.array(places, dtype=np.int64).reshape(-1, 2)


@functools.lru_cache(1 << 16)
def _folded(word: str) -> str:
    return word.lower() if word.isascii() else unicodedata.normalize("NFKC", word).casefold()


def _aligned(own: Places, words: Places, low: int, high: int) -> tuple[float, int, int] | None:
    """Return how alike a quote and the best stretch of a range of words are, and where that is.

    Of a word that is there several times the first is taken for the quote's, or, from behind, the last:
    whichever way makes them more alike is right.
    """
    forwards = _one_way(own, words[low:high])
    backwards = _one_way(own[::-1], words[low:high][::-1])
    found = [(alike, low + first, low + last) for alike, first, last in filter(None, [forwards])]
    found += [(alike, high - last, high - first) for alike, first, last in filter(None, [backwards])]
    return max(found, default=None, key=lambda one: one[0])


def _one_way(own: Places, words: Places) -> tuple[float, int, int] | None:
    from rapidfuzz.distance import LCSseq

    worth = np.full(len(words), -1, dtype=np.int64)  # a word that is in both is a gain, any other a loss
    for tag, _, _, start, end in LCSseq.opcodes(own.tolist(), words.tolist()):
        if tag == "equal":
            worth[start:end] = 1
    so_far = np.concatenate(([0], np.cumsum(worth)))
    lowest = np.minimum.accumulate(so_far)
    last = int(np.argmax(so_far - lowest))
    first = int(np.flatnonzero(so_far[: last + 1] == lowest[last])[-1])
    if last <= first:
        return None
    common = int(np.count_nonzero(worth[first:last] == 1))
    return 2 * common / (len(own) + last - first), first, last


def _signs(text: str, most: int) -> int:
    """Return how many signs a text begins with, up to so many: the punctuation that belongs to a quote."""
    count = 0
    while count < min(most, len(text)) and not text[count].isspace() and not text[count].isalnum():
        count += 1
    return count
