"""Tokens of a text as the scan cuts them from documents, in plain Python: for queries and stop words."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from inexlab.index.vocabulary import LONGEST


class Word(NamedTuple):
    """A word of a text: where it is, and the token it becomes."""

    start: int
    end: int
    token: str


def tokens(text: str) -> list[str]:
    """Cut a text into lower-case tokens, as the index does.

    >>> tokens("TCP/IP, H2O")
    ['tcp', 'ip', 'h2o']
    """
    return [word.token for word in words(text)]


def words(text: str) -> list[Word]:
    """Return the words of a text with their places."""
    # character for character, so that places stay: others than those of words become spaces
    small = text.translate({ord(c): _small(c) if _is_in_words(c) else " " for c in set(text)})
    return [Word(*found.span(), _cut(found[0])) for found in re.finditer("[^ ]+", small)]


def _is_in_words(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character)[0] == "M"


def _small(character: str) -> str:
    small = character.lower()
    return small if len(small) == 1 else character


def _cut(token: str) -> str:
    """Return the part of a token that the index keeps: a character of up to four bytes must fit."""
    if 4 * len(token) <= LONGEST:
        return token
    size = 0
    for at, character in enumerate(token):
        if size + 4 > LONGEST:
            return token[:at]
        size += len(character.encode())
    return token
