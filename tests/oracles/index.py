"""What an index must hold, worked out slowly and plainly from a document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from inexlab import xml_parser
from inexlab.index.analysis.words import cut, normalised, shapes


@dataclass
class Read:
    """A document: its text, its elements (tag, parent, start, end), its tokens (text, leaf).

    `raw` are the characters that the tokens came from.
    """

    text: str = ""
    elements: list[tuple[str, int, int, int]] = field(default_factory=list)
    tokens: list[tuple[str, int]] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)

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


def read(data: bytes, kinds: Mapping[str, str]) -> Read:
    """Read a document; `kinds` says which tags are `inline` or `skip`."""
    here = [-1]
    made = Read()
    pieces: list[str] = []  # between two tags
    tags: list[str] = []
    parents: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    shape: list[str] = []  # what each character is to words, and a space where a border ends them
    letters: list[tuple[str, int]] = []  # each character, and the element it is in; "" for a border
    length = skipping = 0

    def border(tag: str, step: int) -> None:
        nonlocal skipping
        piece = "".join(pieces)
        pieces.clear()
        shape.append(" " * len(piece) if skipping else shapes(piece))
        letters.extend((character, here[-1]) for character in piece)
        kind = kinds.get(tag)
        if kind != "inline":
            shape.append(" ")
            letters.append(("", -1))
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
        nonlocal length
        pieces.append(characters)
        length += len(characters)

    xml_parser.parse(data, "document", start=start, end=end, text=text)
    made.text = "".join(character for character, _ in letters)
    made.elements = list(zip(tags, parents, starts, ends, strict=True))
    for first, last in cut("".join(shape)):
        raw = "".join(character for character, _ in letters[first:last])
        made.raw.append(raw)
        made.tokens.append((normalised(raw), letters[first][1]))
    return made
