"""One document: its canonical text and its element table, made in a single pass over what its reader tells.

The canonical text is the character data of the root element in document order: what XPath `string()` of
the root gives, counted in Unicode code points. White space between tags counts; comments, processing
instructions, tags and attributes do not; an entity or character reference counts one. INEX called this
file-offset-length (FOL). How other documents than XML become text is described in `readers`.
"""

from __future__ import annotations

import functools
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from inexlab.collection.entities import Entities
from inexlab.collection.paths import Place, parse_place
from inexlab.collection.reader import Events, Reader, document_readers, reader_of
from inexlab.errors import InputError
from inexlab.spans import Span, code_points_from
from inexlab.tables import Codes, Ints


class Element(NamedTuple):
    """One row of the element table."""

    number: int
    parent: int
    tag: str
    start: int
    end: int


@dataclass(frozen=True)
class Elements:
    """All elements of a document in document order, as columns; element 0 is the root, its parent is -1."""

    tags: tuple[str, ...]
    tag: Codes
    parent: Codes
    nth: Codes
    start: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.tag)

    def __iter__(self) -> Iterator[Element]:
        for number in range(len(self)):
            yield self[number]

    def __getitem__(self, number: int) -> Element:
        return Element(
            number,
            int(self.parent[number]),
            self.tags[self.tag[number]],
            int(self.start[number]),
            int(self.end[number]),
        )

    def path(self, number: int) -> str:
        """Return the element's XPath, every step counted among same-named siblings."""
        steps = []
        while number >= 0:
            steps.append(f"/{self.tags[self.tag[number]]}[{self.nth[number]}]")
            number = int(self.parent[number])
        return "".join(reversed(steps))

    def find(self, path: str) -> Span | None:
        """Return the span of an XPath, a text node or a point in one; None if there is no such place.

        >>> d = read_document(b"<a>x<b>yz</b><b/>w</a>", "d")
        >>> d.elements.find("/a[1]/b[1]"), d.elements.find("/a/b"), d.elements.find("/a[1]/b[3]")
        (Span(start=1, end=3), Span(start=1, end=3), None)
        >>> d.elements.find("/a[1]/text()[2]"), d.elements.find("/a[1]/b[1]/text()[1].1")
        (Span(start=3, end=4), Span(start=2, end=2))
        """
        place = parse_place(path)
        if place is None:
            return None
        number = self._number(place)
        if number is None:
            return None
        span = self._span_in(number, place)
        if span is None or place.offset is None:
            return span
        point = span.start + place.offset
        return Span(point, point) if point <= span.end else None

    def number_of(self, path: str) -> int | None:
        """Return the number of the element with this path; None if the document has no such element."""
        place = parse_place(path)
        if place is None or not place.steps or place.text_node is not None or place.offset is not None:
            return None
        return self._number(place)

    def children(self, number: int) -> list[int]:
        """Return the numbers of an element's children, in order."""
        found: list[int] = np.flatnonzero(self.parent == number).tolist()
        return found

    def _number(self, place: Place) -> int | None:
        """Return the number of the element at the end of the steps, -1 for the document above its root."""
        number, keys, order = -1, *self._in_order
        for tag, nth in place.steps:
            code = self._codes.get(tag)
            if code is None or nth < 1:
                return None
            key = (number + 1) * len(self.tags) + code
            at = bisect_left(keys, key) + nth - 1
            if at >= len(keys) or keys[at] != key:
                return None
            number = order[at]
        return number

    def _span_in(self, number: int, place: Place) -> Span | None:
        if number < 0:  # the path `/`, the whole document
            return Span(int(self.start[0]), int(self.end[0]))
        if place.text_node is None:
            return Span(int(self.start[number]), int(self.end[number]))
        runs = self.text_runs(number)
        return runs[place.text_node - 1] if 0 < place.text_node <= len(runs) else None

    def text_runs(self, number: int) -> list[Span]:
        """Return the element's own pieces of text, between its children."""
        children = np.flatnonzero(self.parent == number)
        borders = [int(self.start[number])]
        for child in children:
            borders += [int(self.start[child]), int(self.end[child])]
        borders.append(int(self.end[number]))
        return [Span(a, b) for a, b in zip(borders[::2], borders[1::2], strict=True) if a < b]

    @functools.cached_property
    def _codes(self) -> dict[str, int]:
        return {tag: code for code, tag in enumerate(self.tags)}

    @functools.cached_property
    def _in_order(self) -> tuple[list[int], list[int]]:
        """All elements by parent and tag, as one number of both, those alike in the order of the document.

        A dictionary by parent, tag and place among siblings takes several times as long to make, and most
        documents are asked for a few paths only.
        """
        keys = (self.parent.astype(np.int64) + 1) * len(self.tags) + self.tag
        order = np.argsort(keys, kind="stable")
        return keys[order].tolist(), order.tolist()


@dataclass(frozen=True)
class Document:
    """A document's id, canonical text and elements."""

    id: str
    text: str
    elements: Elements

    @property
    def keeps_source(self) -> bool:
        """Whether the text is that of the source file, so that an offset into one is one into the other."""
        root = self.elements.tags[self.elements.tag[0]]
        return any(reader.keeps_source == root for reader in document_readers.values())

    def code_points_from(self, unit: str) -> Callable[[int], int]:
        """Return the function that turns an offset counted in a unit into one into the text."""
        if unit == "source" and not self.keeps_source:
            raise InputError(
                "its text is not that of its source file, as in Markdown and plain text",
                file=self.id,
                fix="Give offsets into its text, which count characters unless `unit=` says otherwise.",
            )
        return code_points_from(unit, self.text)


def read_document(
    data: bytes,
    id: str,
    name: str | None = None,
    *,
    reader: Reader | None = None,
    entities: Entities | None = None,
) -> Document:
    r"""Parse one document; `name` is what messages call it, and with the content tells what kind it is.

    >>> d = read_document("<article>\n<p>Caf&#233; &amp; bar</p><p>x</p></article>".encode(), "d")
    >>> [(e.tag, e.start, e.end - e.start) for e in d.elements]
    [('article', 0, 12), ('p', 1, 10), ('p', 11, 1)]
    """
    tags: dict[str, int] = {}
    tag: list[int] = []
    parent: list[int] = []
    nth: list[int] = []
    begins: list[int] = []
    ends: list[int] = []
    pieces: list[str] = []
    open_elements = [-1]
    counts: list[dict[int, int]] = [{}]  # for each open element, how many children of each tag so far
    length = 0

    def start(name: str) -> None:
        code = tags.setdefault(name, len(tags))
        siblings = counts[-1]
        siblings[code] = siblings.get(code, 0) + 1
        tag.append(code)
        parent.append(open_elements[-1])
        nth.append(siblings[code])
        begins.append(length)
        ends.append(length)
        open_elements.append(len(tag) - 1)
        counts.append({})

    def end(_name: str) -> None:
        ends[open_elements.pop()] = length
        counts.pop()

    def text(characters: str) -> None:
        nonlocal length
        pieces.append(characters)
        length += len(characters)

    how = reader or reader_of(name or id, data)
    how.read(data, name or id, Events(start, end, text), entities or Entities())
    table = Elements(
        tuple(tags),
        np.array(tag, dtype=np.int32),
        np.array(parent, dtype=np.int32),
        np.array(nth, dtype=np.int32),
        np.array(begins, dtype=np.int64),
        np.array(ends, dtype=np.int64),
    )
    return Document(id, "".join(pieces), table)
