"""A segment: the terms of some documents, gathered in memory until there are enough to invert them.

For every term there is a row of numbers, next to each other in memory, as a token needs all of them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.index.characters import Bytes, int64
from inexlab.index.postings import width
from inexlab.index.scan import INLINE
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

# What is known of a term in this segment, in 32 bytes: the last document with it and its last token there,
# stop words counted; its last position in the segment, where they are not; how many units of retrieval hold
# it; how often it occurs; the bytes of its positions.
DOCUMENT, LAST_TOKEN, LAST_POSITION, UNITS, FREQUENCY, SIZE = range(6)
NEW_TERM = (-1, -1, -1, 0, 0, 0, 0, 0)

# what is known of a document beyond its elements
TERMS, UNIT_COUNT, UNIT_TOKENS, UNIT_TERMS, DEPTH = range(5)


@Kernel
def add_document(
    token: Codes,
    leaf: Codes,
    term_of: Codes,
    document: int,
    base: int,
    filled: int,
    tag: Codes,
    parent: Codes,
    start: Codes,
    end: Codes,
    first: Codes,
    tokens: Codes,
    kinds: Bytes,
    rows: Codes,
    out: Codes,
    columns: npt.NDArray[np.uint32],
    at: int,
    facts: Ints,
) -> None:
    """Write the terms of a document's tokens to `out` and its elements to `columns` from `at` on, and count.

    A token's term is new to the elements around it that begin after the term's last token. The segment
    begins at `base` on the axis, and `filled` of its positions are taken.
    """
    unit = np.empty(len(tag), dtype=np.int32)  # the innermost unit that an element is, or is in
    above = np.empty(len(tag), dtype=np.int32)  # the innermost unit around that
    for e in range(len(tag)):
        around = -1 if parent[e] < 0 else unit[parent[e]]
        unit[e] = around if kinds[tag[e]] == INLINE else e
        above[e] = around
    count = 0
    before = np.empty(
        len(token) + 1, dtype=np.int32
    )  # tokens of the document before each, without stop words
    terms = columns[6][at : at + len(tag)]
    terms[:] = 0
    for k in range(len(token)):
        before[k] = count
        term = term_of[token[k]]
        if term < 0:
            continue
        previous = rows[term, LAST_TOKEN] if rows[term, DOCUMENT] == document else -1
        units = 0
        e = unit[leaf[k]]
        while e >= 0 and first[e] > previous:
            terms[e] += np.uint32(1)
            units += 1
            e = above[e]
        position = filled + count
        if rows[term, LAST_POSITION] < 0:  # the first one counts from the beginning of the axis
            rows[term, SIZE] += width(base + position + 1)
        else:
            rows[term, SIZE] += width(position - rows[term, LAST_POSITION])
        rows[term, DOCUMENT] = document
        rows[term, LAST_TOKEN] = k
        rows[term, LAST_POSITION] = position
        rows[term, UNITS] += units
        rows[term, FREQUENCY] += 1
        out[count] = term
        count += 1
    before[len(token)] = count
    depth = np.empty(len(tag), dtype=np.int32)
    facts[:] = 0
    facts[TERMS] = count
    for e in range(len(tag)):
        begin = before[first[e]]
        held = before[first[e] + tokens[e]] - begin
        around = parent[e]
        depth[e] = 1 if around < 0 else depth[around] + 1
        columns[0, at + e] = tag[e]
        columns[1, at + e] = 0 if around < 0 else e - around
        columns[2, at + e] = start[e]
        columns[3, at + e] = end[e] - start[e]
        columns[4, at + e] = begin
        columns[5, at + e] = held
        facts[DEPTH] = max(facts[DEPTH], int64(depth[e]))
        if held > 0 and unit[e] == e:
            facts[UNIT_COUNT] += 1
            facts[UNIT_TOKENS] += held
            facts[UNIT_TERMS] += int64(terms[e])
