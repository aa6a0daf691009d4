"""Span algebra: every part of a text is a half-open range `[start, end)` of code points.

An element, a passage, a highlight, a chunk are all spans of a document's canonical text (its character
data in document order). Sets of spans are kept *normal*: sorted, disjoint, none empty, none touching.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int


def union(spans: Iterable[tuple[int, int]]) -> list[Span]:
    """Return the text covered by any of the spans, as normal spans.

    >>> union([(5, 9), (0, 3), (3, 4), (8, 12), (7, 7)])
    [Span(start=0, end=4), Span(start=5, end=12)]
    """
    merged: list[Span] = []
    for start, end in sorted(spans):
        if start >= end:
            continue
        if merged and start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, end))
        else:
            merged.append(Span(start, end))
    return merged


def intersection(a: Iterable[tuple[int, int]], b: Iterable[tuple[int, int]]) -> list[Span]:
    """Return the text covered by both sets, as normal spans.

    >>> intersection([(0, 10)], [(8, 12), (2, 3)])
    [Span(start=2, end=3), Span(start=8, end=10)]
    """
    left, right = union(a), union(b)
    common, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        start, end = max(left[i].start, right[j].start), min(left[i].end, right[j].end)
        if start < end:
            common.append(Span(start, end))
        if left[i].end <= right[j].end:
            i += 1
        else:
            j += 1
    return common


def covered_by(sets: Iterable[Iterable[tuple[int, int]]], at_least: int) -> list[Span]:
    """Return the text that at least so many of the sets cover, as normal spans.

    >>> covered_by([[(0, 6)], [(2, 8)], [(4, 9)]], 2)
    [Span(start=2, end=8)]
    """
    edges = sorted(edge for spans in sets for a, b in union(spans) for edge in ((a, 1), (b, -1)))
    found, covering = [], 0
    for place, (position, change) in enumerate(edges):
        covering += change
        if covering >= at_least and place + 1 < len(edges):
            found.append((position, edges[place + 1][0]))
    return union(found)


def length(spans: Iterable[tuple[int, int]]) -> int:
    """Return the number of distinct characters the spans cover.

    >>> length([(0, 10), (5, 12)])
    12
    """
    return sum(end - start for start, end in union(spans))


def to_utf16(text: str, offsets: Sequence[int]) -> list[int]:
    """Turn code point offsets of `text` into the UTF-16 offsets that browsers count in.

    >>> to_utf16("a😀b", [0, 1, 2, 3])
    [0, 1, 3, 4]
    """
    position = _utf16_positions(text)
    return [position[offset] for offset in offsets]


def from_utf16(text: str, offsets: Sequence[int]) -> list[int]:
    """Turn UTF-16 offsets into code points; one inside a surrogate pair moves to the character's start.

    >>> from_utf16("a😀b", [0, 1, 2, 3, 4])
    [0, 1, 1, 2, 3]
    """
    position = _utf16_positions(text)
    found = [bisect_left(position, offset) for offset in offsets]
    return [
        i if i < len(position) and position[i] == offset else i - 1
        for i, offset in zip(found, offsets, strict=True)
    ]


def _utf16_positions(text: str) -> list[int]:
    """Return the UTF-16 offset of every code point of `text`, and of its end."""
    return list(accumulate((1 + (ord(character) > 0xFFFF) for character in text), initial=0))


# What offsets may count, and what that means; inexlab itself counts code points.
UNITS = {
    "char": "Unicode code points of the text",
    "byte": "bytes of its UTF-8",
    "merged": "code points, each run of white space counted as one",
    "merged-byte": "bytes of its UTF-8, each run of white space counted as one",
    "source": "code points of the source file, whose text is kept as it is (Markdown, plain text)",
}
_SPACES = re.compile(r"[ \t\n\r\f\v]+")


def length_in(unit: str, text: str) -> int:
    r"""Return how long a text is in one of the units.

    >>> [length_in(unit, "caf\u00e9 \n bar") for unit in UNITS]
    [10, 11, 8, 9, 10]
    """
    if unit.startswith("merged"):
        text = _SPACES.sub(" ", text)
    return len(text) if not unit.endswith("byte") or text.isascii() else len(text.encode())


def code_points_from(unit: str, text: str) -> Callable[[int], int]:
    r"""Return the function that turns an offset into `text`, counted in a unit, into code points.

    An offset inside a character moves to its start; one past the end stays as far past it.

    >>> from_bytes = code_points_from("byte", "caf\u00e9 bar")
    >>> [from_bytes(offset) for offset in (3, 4, 5, 9, 11)]
    [3, 3, 4, 8, 10]
    >>> code_points_from("merged", "a \n b")(2)
    4
    """
    if unit in ("char", "source") or (unit == "byte" and text.isascii()):
        return lambda offset: offset
    widths = [1] * len(text)
    if unit.endswith("byte"):
        widths = [1 + (c > "\x7f") + (c > "\u07ff") + (c > "\uffff") for c in text]
    if unit.startswith("merged"):
        for run in _SPACES.finditer(text):
            widths[run.start() + 1 : run.end()] = [0] * (run.end() - run.start() - 1)
    begins = list(accumulate(widths, initial=0))

    def convert(offset: int) -> int:
        past = max(0, offset - begins[-1])
        return bisect_right(begins, offset) - 1 + past

    return convert
