"""What an index must hold, worked out slowly and plainly from a document."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

from inexlab import xml_parser


@dataclass
class Read:
    """A document: its text, its elements (tag, parent, start, end), its tokens (text, leaf)."""

    text: str = ""
    elements: list[tuple[str, int, int, int]] = field(default_factory=list)
    tokens: list[tuple[str, int]] = field(default_factory=list)

    def ancestors(self, element: int) -> list[int]:
        """An element and those around it."""
        found = []
        while element >= 0:
            found.append(element)
            element = self.elements[element][1]
        return found

    def tokens_in(self, element: int) -> list[str]:
        """The tokens whose first character is in an element."""
        return [text for text, leaf in self.tokens if element in self.ancestors(leaf)]


def is_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character).startswith("M")


def lower(character: str) -> str:
    """Lower case, of one character for one character."""
    small = character.lower()
    return small if len(small) == 1 else character


def cut(token: str) -> str:
    """What is kept of a token: the characters that begin in its first 61 bytes."""
    kept = ""
    for character in token:
        if len(kept.encode()) > 60:
            break
        kept += character
    return kept


def read(data: bytes, kinds: Mapping[str, str]) -> Read:
    """Read a document; `kinds` says which tags are `inline` or `skip`."""
    here = [-1]
    made = Read()
    pieces: list[str] = []
    tags: list[str] = []
    parents: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    tokens: list[tuple[list[str], int]] = []
    open_token = False
    length = skipping = 0

    def border(tag: str, step: int) -> None:
        nonlocal open_token, skipping
        kind = kinds.get(tag)
        if kind != "inline":
            open_token = False
        if kind == "skip":
            skipping += step

    def start(tag: str, _attributes: Mapping[str, str]) -> None:
        border(tag, 1)
        tags.append(tag)
        parents.append(here[-1])
        starts.append(length)
        ends.append(length)
        here.append(len(tags) - 1)

    def end(tag: str) -> None:
        border(tag, -1)
        ends[here.pop()] = length

    def text(characters: str) -> None:
        nonlocal length, open_token
        pieces.append(characters)
        length += len(characters)
        for character in characters:
            if skipping or not is_word(character):
                open_token = False
            elif open_token:
                tokens[-1][0].append(lower(character))
            else:
                open_token = True
                tokens.append(([lower(character)], here[-1]))

    xml_parser.parse(data, "document", start=start, end=end, text=text)
    made.text = "".join(pieces)
    made.elements = list(zip(tags, parents, starts, ends, strict=True))
    made.tokens = [(cut("".join(characters)), leaf) for characters, leaf in tokens]
    return made
