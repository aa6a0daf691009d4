"""A segment: some documents' terms, positions and elements, gathered in memory and written out when full."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.index.scan import INLINE, Bytes, Scan
from inexlab.tables import Codes, Ints

# columns of the element table: name -> why it is kept
ELEMENT_COLUMNS = {
    "tag": "code of the tag",
    "parent": "how many elements back the parent is, 0 for a root",
    "start": "first character in the document's text",
    "length": "characters",
    "first": "first token in the document",
    "tokens": "tokens",
    "terms": "different terms",
}


@Kernel
def keep_indexed(
    type: Codes, leaf: Codes, term_of: Codes, first: Ints, tokens: Ints, term: Codes, kept_leaf: Codes
) -> int:
    """Drop tokens that are not indexed (stop words) and count the elements' tokens without them."""
    before = np.empty(len(type) + 1, dtype=np.int64)
    count = 0
    for k in range(len(type)):
        before[k] = count
        t = term_of[type[k]]
        if t >= 0:
            term[count] = t
            kept_leaf[count] = leaf[k]
            count += 1
    before[len(type)] = count
    for e in range(len(first)):
        begin = first[e]
        stop = begin + tokens[e]
        first[e] = before[begin]
        tokens[e] = before[stop] - before[begin]
    return count


@Kernel
def count_terms(
    term: Codes,
    leaf: Codes,
    base: int,
    tag: Codes,
    parent: Codes,
    first: Ints,
    kinds: Bytes,
    last: Ints,
    frequency: Ints,
    elements_with: Ints,
    terms: Ints,
) -> None:
    """Count for each element its different terms, and for each term the units of retrieval that hold it.

    A token's term is new to the elements around it that begin after its last occurrence; `last` is that,
    on the axis.
    """
    for k in range(len(term)):
        t = term[k]
        previous = last[t] - base
        e = leaf[k]
        while e >= 0 and first[e] > previous:
            if kinds[tag[e]] != INLINE:
                terms[e] += 1
                elements_with[t] += 1
            e = parent[e]
        last[t] = base + k
        frequency[t] += 1


class ElementColumns:
    """The element table while it grows: one array of bytes per column, in 32 bits."""

    def __init__(self) -> None:
        self._parts: dict[str, list[npt.NDArray[np.uint32]]] = {name: [] for name in ELEMENT_COLUMNS}
        self.count = 0

    def add(self, scan: Scan, terms: Ints) -> None:
        """Add one document's elements."""
        count = len(scan.tag)
        numbers = np.arange(count, dtype=np.int64)
        back = np.where(scan.parent >= 0, numbers - scan.parent, 0)
        columns = (scan.tag, back, scan.start, scan.end - scan.start, scan.first, scan.tokens, terms)
        for part, column in zip(self._parts.values(), columns, strict=True):
            part.append(column.astype(np.uint32))
        self.count += count

    def columns(self) -> dict[str, npt.NDArray[np.uint32]]:
        """Return the whole columns."""
        return {
            name: np.concatenate(parts) if parts else np.zeros(0, dtype=np.uint32)
            for name, parts in self._parts.items()
        }


def narrowest(largest: int) -> str:
    """Return the smallest type of unsigned numbers that holds a number.

    >>> narrowest(255), narrowest(256), narrowest(70_000)
    ('u1', 'u2', 'u4')
    """
    return "u1" if largest < 1 << 8 else "u2" if largest < 1 << 16 else "u4" if largest < 1 << 32 else "u8"
