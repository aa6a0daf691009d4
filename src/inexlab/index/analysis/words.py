"""The words of a text, in plain Python: the definition that compiled loops follow.

A word is a row of letters and digits, each with the marks behind it. Beside these

- a point or comma between two ASCII digits belongs to their number (`3.14`, `1,000`);
- `++` and `#` after a single ASCII letter belong to it (`C++`, `F#`), but not in `a++b`, `c#d`;
- what is IGNORED belongs to the word it is in, and is left out of it; it parts no sign from a letter;
- a SYMBOL is a word by itself: what it stands for, without signs around that.

A mark behind a sign, or with nothing before it, belongs to no word. All other signs end words, also those
inside `don't`, `e.g.`, `state-of-the-art`, `10.7554/eLife.00003`: a query that has several words in one is a
phrase of them, and each can be found by itself.

In scripts without spaces every letter, with its marks, begins a word of its own, which the next letter of the
run ends: overlapping pairs. The last letter of a run is a word by itself, so that every letter begins one:
a single letter is found as the beginning of any pair. Of a letter that stands for a mark and a letter (Thai
`ำ`) the mark belongs to the letter before; Lao `ຫນ` and `ຫມ` are one letter, as they can be written.

A word is brought into one form: ignored characters left out, Unicode's compatibility composition (NFKC) and
case folding, and what is too long cut. An iota subscript stays a mark.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from inexlab.index.analysis.character_classes import (
    IGNORED,
    LETTER,
    MARK,
    NOTHING,
    RUN,
    SYMBOL,
    class_of,
    lower_case,
    without_signs_around,
)
from inexlab.index.analysis.traits import Trait, spelled

LONGEST = 64  # bytes of a word; it is cut before a character that begins later than four bytes before
LONGEST_RAW = 4 * LONGEST  # before it is composed, by which its bytes become four times as few at most

_KINDS = {NOTHING: " ", LETTER: "a", RUN: "r", MARK: "m", IGNORED: "z", SYMBOL: "s"}
_PART = re.compile("a[amz]*|r[mz]*|s")
_LETTER_OF_RUN = re.compile("r[mz]*")
_POINTS = re.compile("(?<=[0-9])[.,](?=[0-9])")
_SIGNS = re.compile(r"[A-Za-z](\+\+(?![A-Za-z])|#(?![A-Za-z0-9]))")
_SECOND = re.compile("(?<=ຫ)[ນມ]")  # part of one letter in Lao, which is also written as one character
_IOTA_SUBSCRIPT = "\u0345"


class Word(NamedTuple):
    """A word of a text: where it is, and the form it is brought into."""

    start: int
    end: int
    token: str


def tokens(text: str) -> list[str]:
    """Cut a text into words, as the index does.

    >>> tokens("TCP/IP, H2O: 3.14 C++ 東京都")
    ['tcp', 'ip', 'h2o', '3.14', 'c++', '東京', '京都', '都']
    """
    return [word.token for word in words(text)]


def words(
    text: str,
    borders: Iterable[int] = (),
    tags: Iterable[int] = (),
    stretch: tuple[int, int] | None = None,
) -> list[Word]:
    """Return the words of a text with their places.

    A word ends at the borders of elements that the text has; signs belong to no letters beyond a tag. Of a
    `stretch` of the text, with borders and tags in that, words are those that it has by itself.

    >>> [word.token for word in words("BeesC++", borders=[4])]
    ['bees', 'c++']
    """
    normal: dict[str, str] = {}
    found = []
    begin, end = stretch or (0, len(text))
    ends = {begin, *borders, end}
    pieces = [*pairwise(sorted(ends.union(tags)))]
    parted = shapes("\n".join(text[a:b] for a, b in pieces))  # all at once, which takes less time
    shape = "".join(parted[a - begin + k : b - begin + k] for k, (a, b) in enumerate(pieces))
    for first, last in pairwise(sorted(ends)):
        for a, b in cut(shape[first - begin : last - begin]):
            raw = text[first + a : first + b]
            if raw not in normal:
                normal[raw] = normalised(raw)
            found.append(Word(first + a, first + b, normal[raw]))
    return found


def shapes(text: str) -> str:
    """Return what the characters of a text are to words, a letter for each.

    The text is one piece, which no mark-up parts: signs belong to adjacent letters and digits,
    whatever is ignored between them.
    """
    shape = text.translate({ord(c): _KINDS[class_of(c)] for c in set(text)})
    seen = text
    places: Sequence[int] = range(len(text))
    if "z" in shape:  # the text without what is ignored, and where its characters are
        places = [place for place, kind in enumerate(shape) if kind != "z"]
        seen = "".join(text[place] for place in places)
    joined = [found.start() for found in _POINTS.finditer(seen)]
    for found in _SIGNS.finditer(seen):
        if found.start() == 0 or shape[places[found.start() - 1]] in " rs":
            joined += range(found.start() + 1, found.end())
    second = [found.start() for found in _SECOND.finditer(text)]
    if not joined and not second:
        return shape
    parts = list(shape)
    for place in joined:
        parts[places[place]] = "a"
    for place in second:
        parts[place] = "m"
    return "".join(parts)


def cut(shape: str) -> Iterator[tuple[int, int]]:
    """Yield where the words are in a text whose characters are this."""
    waiting: tuple[int, int] | None = None  # the last letter of a run so far
    for found in _PART.finditer(shape):
        start, end = found.span()
        run = shape[start] == "r"
        if waiting:
            yield (waiting[0], end) if run and waiting[1] == start else waiting
        waiting = (start, end) if run else None
        if not run:
            yield start, end
    if waiting:
        yield waiting


def is_letter_of_run(token: str) -> bool:
    """Whether a word is one letter, with its marks, of a script without spaces."""
    return not token.isascii() and _LETTER_OF_RUN.fullmatch(shapes(token)) is not None


def first_letter(text: str, word: Word) -> int:
    """Return how many characters the first letter of a word of a run has, with its marks."""
    found = _LETTER_OF_RUN.match(shapes(text[word.start : word.end]))
    return found.end() if found else word.end - word.start


def normalised(raw: str) -> str:
    """Bring a word into the form by which it is known.

    >>> normalised("Straße"), normalised("CAFE\u0301"), normalised("infor\u00admation")
    ('strasse', 'café', 'information')
    """
    kept = "".join(lower_case(c) for c in raw if class_of(c) != IGNORED)
    return composed(shortened(kept, LONGEST_RAW))


def all_composed(kept: Sequence[str]) -> list[str]:
    """Return many words in their forms; only those are looked at that are long, or may change."""
    letters = spelled(kept)
    forms = list(kept)
    for k in (*np.flatnonzero(letters.lengths > LONGEST // 4).tolist(), *_may_change.words(letters)):
        forms[k] = composed(kept[k])
    return forms


@Trait
def _may_change(character: str) -> bool:
    """Whether a character may become another one, as marks and parts of Hangul do next to others."""
    joins = unicodedata.category(character)[0] == "M" or 0x1160 <= ord(character) < 0x1200
    return joins or not _is_composed(character)


def _is_composed(text: str) -> bool:
    return unicodedata.is_normalized("NFKC", text) and text.casefold() == text


def composed(kept: str) -> str:
    """Return a word in lower case, without ignored characters, with what is the same written the same."""
    if kept.isascii() or _is_composed(kept):
        return shortened(kept)
    before, form = "", kept
    while form != before:  # once or twice
        before, form = form, unicodedata.normalize("NFKC", _case_folded(unicodedata.normalize("NFKC", form)))
    if class_of(kept[0]) == SYMBOL:
        form = without_signs_around(form)
    elif class_of(kept[0]) == RUN:
        form = form.lstrip("".join(c for c in form if class_of(c) == MARK))
    # what case folding makes capital (Cherokee) is lower case in an index
    return shortened("".join(lower_case(c) for c in form if class_of(c) != IGNORED))


def _case_folded(text: str) -> str:
    return "".join(c if _has_iota_subscript(c) else c.casefold() for c in text)


def _has_iota_subscript(character: str) -> bool:
    return not character.isascii() and _IOTA_SUBSCRIPT in unicodedata.normalize("NFD", character)


def shortened(word: str, longest: int = LONGEST) -> str:
    """Return the part of a word that an index keeps: a character of up to four bytes must fit."""
    if 4 * len(word) <= longest or len(word.encode()) <= longest - 3:
        return word
    size = 0
    for at, character in enumerate(word):
        if size + 4 > longest:
            return word[:at]
        size += len(character.encode())
    return word
