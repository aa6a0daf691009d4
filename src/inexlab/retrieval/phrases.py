"""Phrases: where words stand next to each other in one element.

A phrase reaches across inline mark-up and elements without a word; the border of any other element ends it,
as it ends a word.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.index.blocks import Array
from inexlab.index.index import GONE_THROUGH, SOUND, Index
from inexlab.index.tag_table import INLINE
from inexlab.retrieval.climbing import element_above
from inexlab.tables import Bytes, Ints


def phrase_positions(index: Index, terms: Sequence[Sequence[int]]) -> Ints:
    """Return where a row of words begins, each one of some terms; a single word is where it is."""
    found = _positions(index, terms[0])
    if len(terms) == 1:
        return found
    for distance, variants in enumerate(terms[1:], start=1):
        found = found[np.isin(found + distance, _positions(index, variants), assume_unique=True)]
    where = _elements_around(index, found)
    for distance in range(1, len(terms)):
        same = _elements_around(index, found + distance) == where
        found, where = found[same], where[same]
    return found


def _positions(index: Index, terms: Sequence[int]) -> Ints:
    """Return where any of some terms is."""
    if len(terms) == 1:
        return index.positions(terms[0])
    some = [np.zeros(0, dtype=np.int64), *map(index.positions, terms)]
    return np.sort(np.concatenate(some), kind="stable")


def _elements_around(index: Index, positions: Ints) -> Ints:
    """Return the innermost unit around each position, -1 where there is none."""
    c, new = index.unchecked_columns, np.zeros(1, dtype=np.int64)
    found = _innermost.for_work(60 * len(positions))(
        positions,
        index.document_tokens,
        index.document_elements,
        c["tag"],
        c["parent"],
        c["first"],
        c["tokens"],
        index.tag_kinds,
        index.checked,
        new,
        index.largest_document,
    )
    if new[0]:
        index.check_documents()
    return found


@Kernel
def _innermost(
    positions: Ints,
    document_tokens: Ints,
    document_elements: Ints,
    tag: Array,
    back: Array,
    first: Array,
    tokens: Array,
    kinds: Bytes,
    checked: Bytes,
    new: Ints,
    largest: int,
) -> Ints:
    """Find the innermost unit around each position; these come in their order, which saves climbing.

    The unit around inline mark-up is noted for every element on the way to it, in `unit`, which is as long as
    the largest document; `noted` tells of which document that is. While no further element begins, what has
    ended before a position has ended before the next one, so a climb goes on from where the last one ended.
    No climb leaves its document, and `found` has a place for each position.
    """
    found = np.full(len(positions), -1, dtype=np.int64)
    end = document_tokens[len(document_tokens) - 1]
    unit = np.empty(largest, dtype=np.int64)
    noted = np.full(largest, -1, dtype=np.int64)
    climbed_from, ended_at, last_position = np.int64(-1), np.int64(-1), np.int64(-1)
    for k in range(len(positions)):
        if positions[k] < 0 or positions[k] >= end:  # of a damaged index, or beyond its end
            continue
        document = np.searchsorted(document_tokens, positions[k], side="right") - 1
        if checked[document] != SOUND:
            checked[document] = GONE_THROUGH
            new[0] += 1
        token = positions[k] - document_tokens[document]
        # the last element that begins at or before the token; what holds the token is above it, or itself
        root, beyond = document_elements[document], document_elements[document + 1]
        e = root
        while beyond - e > 1:
            middle = (e + beyond) >> 1
            if np.int64(first[middle]) <= token:
                e = middle
            else:
                beyond = middle
        begin = e
        if begin == climbed_from and positions[k] >= last_position:
            e = ended_at
        climbed_from, last_position = begin, positions[k]
        while e >= 0:
            if kinds[tag[e]] == INLINE:
                start = e
                while e >= 0 and kinds[tag[e]] == INLINE and noted[e - root] != document:
                    e = element_above(e, root, back)
                if e >= 0 and kinds[tag[e]] == INLINE:
                    e = unit[e - root]
                while start >= 0 and kinds[tag[start]] == INLINE and noted[start - root] != document:
                    noted[start - root] = document
                    unit[start - root] = e
                    start = element_above(start, root, back)
            elif np.int64(first[e]) + np.int64(tokens[e]) > token:
                found[k] = e
                break
            else:
                e = element_above(e, root, back)
        ended_at = e
    return found
