"""Span algebra: every part of a text is a half-open range `[start, end)` of code points.

An element, a passage, a highlight, a chunk are all spans of a document's canonical text (its character
data in document order). Sets of spans are kept *normal*: sorted, disjoint, none empty, none touching.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
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
