"""Classes of characters, as far as words are concerned.

LETTER   a letter or digit: part of a word
RUN      a letter of a script without spaces between words: part of a run of them
SYMBOL   stands for several characters, and is a word by itself: `㎏`, `℃`, `⑴`
MARK     belongs to the character before it, whatever that is: part of a word where that is
IGNORED  is not seen at all: soft hyphen, zero-width characters, variation selectors
NOTHING  ends words

Letters, digits and marks are what Unicode says they are, by Python's `unicodedata`. A symbol or number that
Unicode's compatibility composition (NFKC) makes a letter is what that letter is: `⽇` is `日`, `Ⓐ` is `A`.
"""

from __future__ import annotations

import functools
import sys
import unicodedata

import numpy as np
import numpy.typing as npt

from inexlab.tables import Bytes

NOTHING, LETTER, RUN, MARK, IGNORED, SYMBOL = range(6)

Points = npt.NDArray[np.int32]

# Han, Kana, Thai, Lao, Burmese, Khmer, and relatives of these that Unicode has break lines like them: Tai Le,
# New Tai Lue, Tai Tham, Tai Viet, Ahom. Every one has three bytes or more in UTF-8.
_RUNS = (
    *((0x3005, 0x3007), (0x3021, 0x3029), (0x3038, 0x303C), (0x3400, 0x4DBF), (0x4E00, 0x9FFF)),
    *((0xF900, 0xFAFF), (0x20000, 0x3FFFF)),
    *((0x3041, 0x309F), (0x30A1, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9D), (0x1AFF0, 0x1B16F)),
    *((0x0E00, 0x0E7F), (0x0E80, 0x0EFF), (0x1000, 0x109F), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F)),
    *((0x1780, 0x17FF), (0x1950, 0x197F), (0x1980, 0x19DF), (0x1A20, 0x1AAF), (0xAA80, 0xAADF)),
    (0x11700, 0x1174F),
)
# Unicode's Default_Ignorable_Code_Point
_IGNORED = (
    *((0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5)),
    *((0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164)),
    *((0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3)),
    *((0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)
_HALF_WIDTH_MARKS = (0xFF9E, 0xFF9F)  # voiced and semi-voiced: letters to Unicode, for the sake of old files
_TRADE_MARKS = (0x2120, 0x2122, 0x1F16A, 0x1F16B, 0x1F16C)  # who looks for a name does not write them
_PLANES = (0, 1, 2, 3, 14)  # the others have no letters: not assigned, or for private use


@functools.lru_cache(1 << 16)
def class_of(character: str) -> int:
    """Return the class of a character."""
    point = ord(character)
    if _among(point, _IGNORED):
        return IGNORED
    category = unicodedata.category(character)
    if category[0] == "M" or point in _HALF_WIDTH_MARKS:
        return MARK
    if (category[0] == "L" or category == "Nl") and _among(point, _RUNS):
        return RUN
    if category[0] in "NS" and point not in _TRADE_MARKS and not unicodedata.is_normalized("NFKC", character):
        return _class_of_symbol(character)
    return LETTER if character.isalnum() else NOTHING


def _class_of_symbol(character: str) -> int:
    """Return the class of a symbol or number by what it stands for."""
    whole = unicodedata.normalize("NFKC", character)
    if len(whole) == 1:
        return class_of(whole)
    bare = without_signs_around(whole)
    if bare and all(class_of(c) in (LETTER, RUN, MARK) for c in bare):
        return LETTER if bare == whole and character.isalnum() else SYMBOL
    return LETTER if character.isalnum() else NOTHING


def without_signs_around(text: str) -> str:
    """Return a text from its first letter or digit on, up to the last and its marks.

    >>> without_signs_around("(1)"), without_signs_around("°c"), without_signs_around(" \u0301")
    ('1', 'c', '')
    """
    begin, end = 0, len(text)
    while begin < end and class_of(text[begin]) not in (LETTER, RUN):
        begin += 1
    while end > begin and class_of(text[end - 1]) == NOTHING:
        end -= 1
    return text[begin:end]


def _among(point: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= point <= last for first, last in ranges)


@functools.lru_cache(1 << 16)
def lower_case(character: str) -> str:
    """Return a character in lower case, where that is one character again."""
    lower = character.lower()
    return lower if len(lower) == 1 else character


@functools.cache
def character_classes() -> Bytes:
    """Return the class of every code point, for compiled loops."""
    classes = np.zeros(sys.maxunicode + 1, dtype=np.uint8)
    for plane in _PLANES:
        first = plane << 16
        characters = [chr(point) for point in range(first, first + 0x10000)]
        part = classes[first : first + 0x10000]
        part[:] = [c.isalnum() for c in characters]
        both = "".join(map(unicodedata.category, characters)).encode()
        category, more = np.frombuffer(both, dtype=np.uint8).reshape(-1, 2).T
        letters = (category == ord("L")) | ((category == ord("N")) & (more == ord("l")))
        for begin, end in _RUNS:
            run = slice(max(begin - first, 0), max(min(end + 1 - first, 0x10000), 0))
            part[run][letters[run]] = RUN
        part[category == ord("M")] = MARK
        for place in np.flatnonzero((category == ord("N")) | (category == ord("S"))).tolist():
            if not unicodedata.is_normalized("NFKC", characters[place]):
                part[place] = class_of(characters[place])
    classes[list(_HALF_WIDTH_MARKS)] = MARK
    for begin, end in _IGNORED:
        classes[begin : end + 1] = IGNORED
    return classes


@functools.cache
def lower_case_characters() -> Points:
    """Return every code point in lower case, and -1 for one that is not seen, for compiled loops."""
    lower = np.arange(sys.maxunicode + 1, dtype=np.int32)
    classes = character_classes()
    for point in np.flatnonzero((classes == LETTER) | (classes == MARK) | (classes == SYMBOL)).tolist():
        lower[point] = ord(lower_case(chr(point)))
    lower[classes == IGNORED] = -1
    return lower
