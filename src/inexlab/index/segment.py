"""A segment: the terms of some documents, gathered in memory until there are enough to invert them.

For every term there is a row of numbers, next to each other in memory, as a token needs all of them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel, LoopStep
from inexlab.index.characters import int64
from inexlab.index.postings import width
from inexlab.index.scan import Forest
from inexlab.index.tag_table import INLINE
from inexlab.instructions import count_below, prefetch
from inexlab.tables import Bytes, Codes, Ints

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

# What is known of a term in this segment, in 16 bytes: its last position, counted from 1; how many units of
# retrieval hold it; how often it occurs; how many bytes its positions take.
LAST, UNITS, FREQUENCY, BYTES = range(4)
ROW = 4

# what is known of documents beyond their elements
UNIT_COUNT, UNIT_TOKENS, UNIT_TERMS, DEPTH = range(4)

_SOON = 64  # terms ahead
_NEVER = (1 << 31) - 1  # a position that no token has


@Kernel
def add_documents(
    term: Codes,
    forest: Forest,
    element_from: Ints,
    token_from: Ints,
    kinds: Bytes,
    rows: Codes,
    segment: Codes,
    filled: int,
    columns: npt.NDArray[np.uint32],
    at: int,
    facts: Ints,
) -> None:
    """Write the terms of some documents to `segment`, their elements to `columns`, and count.

    `term` is the term of each token. There are `filled` terms and `at` elements already.

    Before, `segment` was given room for a term of every token, `columns` for every element, and `rows` for
    every term there is.

    Numbers without a sign, as indexes, spare the check for negative ones, here a third of the time.
    """
    _, tag, parent, start, end, first, tokens, _, _, leaf = forest
    size = np.uint64(element_from[-1])
    unit = np.empty(size, dtype=np.int32)  # the innermost unit that an element is, or is in; -1 for none
    above = np.empty(size, dtype=np.int32)  # the innermost unit around a unit
    units = np.empty(size, dtype=np.int32)  # how many there are from the root to that unit
    for e in range(size):
        inline = kinds[np.uint64(tag[e])] == INLINE
        around = -1 if parent[e] < 0 else unit[np.uint64(parent[e])]
        above[e] = around
        unit[e] = around if inline else int64(e)
        units[e] = (0 if around < 0 else units[np.uint64(around)]) + (not inline)
    segment[filled : filled + len(term)] = term
    new = _count_terms(term, filled, leaf, unit, above, units, first, rows)
    depth = units  # which is not needed any more
    facts[:] = 0
    column = np.uint64(at)
    for document in range(len(element_from) - 1):
        for e in range(np.uint64(element_from[document]), np.uint64(element_from[document + 1])):
            held = tokens[e]
            around = parent[e]
            depth[e] = 1 if around < 0 else depth[np.uint64(around)] + 1
            columns[0, column + e] = tag[e]
            columns[1, column + e] = 0 if around < 0 else int64(e) - around
            columns[2, column + e] = start[e]
            columns[3, column + e] = end[e] - start[e]
            columns[4, column + e] = first[e] - token_from[document]
            columns[5, column + e] = held
            columns[6, column + e] = new[e] if unit[e] == e else 0
            facts[DEPTH] = max(facts[DEPTH], int64(depth[e]))
            if held > 0 and unit[e] == e:
                facts[UNIT_COUNT] += 1
                facts[UNIT_TOKENS] += held
                facts[UNIT_TERMS] += new[e]


@Kernel
def _count_terms(
    term: Codes,
    filled: int,
    leaf: Codes,
    unit: Codes,
    above: Codes,
    units: Codes,
    first: Codes,
    rows: Codes,
) -> Codes:
    """Count terms, which come behind others, and return how many different ones each unit holds.

    A unit holds as many different terms as it has tokens whose term it did not have before. So a token counts
    for its innermost unit, and the innermost unit that also holds the term's last occurrence takes it off
    again; what a unit has counted counts for the one around it. (What is in no unit goes to a last number.)

    The units around a token are a path, and those of them that begin before the last occurrence hold it. A
    path is as long as the deepest unit is deep, and there is room for sixteen more, of which `count_below`
    looks at so many at once: how far a search would go no processor could guess.
    """
    nowhere = len(unit)
    new = np.zeros(nowhere + 1, dtype=np.int32)
    deepest = units.max() if nowhere else 0
    path = np.full(16 + deepest, nowhere, dtype=np.int32)  # the units around a token, from the second on
    begins = np.full(16 + deepest, _NEVER, dtype=np.int32)  # where they begin, from the first on
    length, here, since = np.uint64(0), -1, 0  # the units around the tokens from `since` on
    one, four = np.uint64(1), np.uint64(ROW)
    flat, none = rows.reshape(-1), np.uint64(0)
    for k in range(len(term)):
        if k + _SOON < len(term):
            prefetch(flat, four * np.uint64(term[k + _SOON]))
        if leaf[k] != here:
            new[np.uint64(path[length])] += k - since
            here, since = leaf[k], k
            e = unit[np.uint64(here)]
            other = none if e < 0 else np.uint64(units[np.uint64(e)])
            while length > other:
                length -= one
                begins[length] = _NEVER
            step = length = other
            while step and path[step] != e:
                path[step] = e
                step -= one
                begins[step] = filled + first[np.uint64(e)]
                e = above[np.uint64(e)]
        row, ahead = four * np.uint64(term[k]), filled + k + 1
        last = flat[row + np.uint64(LAST)]
        shared = count_below(begins, last)
        if shared > np.uint64(15):  # nearly never
            shared = _first_not_before(begins, shared, length, last)
        new[np.uint64(path[shared])] -= 1
        flat[row + np.uint64(LAST)] = ahead
        flat[row + np.uint64(UNITS)] += int64(length - shared)
        flat[row + np.uint64(FREQUENCY)] += 1
        flat[row + np.uint64(BYTES)] += width(ahead - last)
    new[np.uint64(path[length])] += len(term) - since
    for e in range(nowhere - 1, -1, -1):
        if unit[e] == e and above[e] >= 0:
            new[above[e]] += new[e]
    return new


@LoopStep
def _first_not_before(begins: Codes, low: np.uint64, high: np.uint64, position: int) -> np.uint64:
    """Return the first place between two where something begins that is not before a position."""
    while low < high:
        middle = (low + high) >> np.uint64(1)
        if begins[middle] < position:
            low = middle + np.uint64(1)
        else:
            high = middle
    return low
