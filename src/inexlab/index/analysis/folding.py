"""Words without accents and ligatures, in Latin, Greek and Cyrillic scripts: what many people type.

In other scripts marks are vowels or change the word: they stay.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Sequence

from inexlab.index.analysis.traits import Trait, spelled
from inexlab.tables import Ints

# letters that Unicode does not take apart, and what people write for them
_LETTERS = str.maketrans(
    {
        **{"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i"},
        **{"ŧ": "t", "ŋ": "n", "ĸ": "k", "ƒ": "f", "ǝ": "e", "ə": "e", "ɑ": "a", "ɓ": "b", "ɗ": "d"},
        **{"ƀ": "b", "ƙ": "k", "ƴ": "y", "ɨ": "i", "ɫ": "l", "ⱥ": "a", "ɇ": "e", "ɍ": "r", "ɏ": "y"},
        **{"ʼ": "", "ʹ": "", "ʻ": "", "ȷ": "j", "ƶ": "z", "ǥ": "g", "ȼ": "c", "ɛ": "e", "ɔ": "o"},
        **{"ґ": "г", "ғ": "г", "қ": "к", "ң": "н", "ү": "у", "ұ": "у", "ө": "о", "ҳ": "х", "ҷ": "ч"},
        **{"ҹ": "ч", "ә": "а", "һ": "х", "є": "е", "ѣ": "е", "ѳ": "ф", "ѵ": "и", "ў": "у"},
        **{"ѹ": "у", "ꙋ": "у", "ȣ": "ou", "ꜳ": "aa", "ꜵ": "ao", "ꜷ": "au", "ꜹ": "av", "ꜽ": "ay"},
        **{"ꝏ": "oo", "ꝡ": "vy"},
    }
)
_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC")
_APOSTROPHES = "ʼʹʻ"  # letters in words of these scripts


class _Letters(dict[int, str]):
    """What is left of each character that is not a mark by itself."""

    def __missing__(self, point: int) -> str:
        character = chr(point)
        left = character
        if _is_plain(character):
            apart = unicodedata.normalize("NFD", character)
            left = "".join(c for c in apart if not _is_mark(c)).translate(_LETTERS)
        self[point] = left
        return left


_LEFT = _Letters()


@functools.lru_cache(1 << 16)
def _is_plain(character: str) -> bool:
    if character.isascii() or character in _APOSTROPHES:
        return True
    return unicodedata.name(character, "").startswith(_SCRIPTS)


@Trait
def _is_mark(character: str) -> bool:
    """Whether a character is a mark that goes with a letter and has no place of its own."""
    return unicodedata.category(character) in ("Mn", "Me")


def folded(word: str) -> str:
    """Return what is left of a word, in the form of an index, without accents and ligatures.

    >>> folded("müller"), folded("μῆνιν"), folded("ёлка"), folded("œuvre"), folded("हिन्दी")
    ('muller', 'μηνιν', 'елка', 'oeuvre', 'हिन्दी')
    """
    if word.isascii():
        return word
    if any(map(_is_mark, word)):
        word = "".join(c for k, c in enumerate(word) if not (_is_mark(c) and _follows_plain(word, k)))
    return word.translate(_LEFT) or word  # no letter becomes longer


def all_folded(words: Sequence[str]) -> list[str]:
    """Return what is left of many words; those that have marks by themselves are looked at one by one."""
    together = "\n".join(words)
    if together.isascii():
        return list(words)
    letters = spelled(words)
    for character in _is_folded.characters(letters):  # what is left of one stays: the order does not matter
        together = together.replace(character, _LEFT[ord(character)])
    left = together.split("\n")
    if "" in left:
        left = [short or word for short, word in zip(left, words, strict=True)]
    for k in _is_mark.words(letters):
        left[k] = folded(words[k])
    return left


def count_accents(words: Sequence[str]) -> Ints:
    """Return how many letters of each word have accents, or are ligatures, and how many marks it has."""
    return _is_accented.counts(spelled(words))


def accents(word: str) -> str:
    """Return the letters of a word that have accents, or are ligatures, with their places.

    >>> accents("drücken"), accents("νόμος")
    ('2ü', '1ό')
    """
    return "".join(f"{k}{character}" for k, character in enumerate(word) if _is_accented(character))


@Trait
def _is_folded(character: str) -> bool:
    """Whether something else is left of a character."""
    return _LEFT[ord(character)] != character


@Trait
def _is_accented(character: str) -> bool:
    """Whether a character may be another one, or none, in a word without accents."""
    return _is_mark(character) or _is_folded(character)


def _follows_plain(word: str, at: int) -> bool:
    """Whether the letter that a mark belongs to is of one of the scripts."""
    return next((_is_plain(c) for c in reversed(word[:at]) if not _is_mark(c)), False)
