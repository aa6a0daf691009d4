"""A segment: the terms of some documents, gathered in memory until there are enough to invert them.

For every term there is a row of numbers, next to each other in memory, as a token needs all of them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.index.characters import Bytes, int64
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

# What is known of a term in this segment, in 16 bytes: its last token, counted from 1 and with stop words;
# how many units of retrieval hold it; how often it occurs.
LAST_TOKEN, UNITS, FREQUENCY = range(3)
ROW = 4

# what is known of documents beyond their elements
UNIT_COUNT, UNIT_TOKENS, UNIT_TERMS, DEPTH = range(4)


@Kernel
def add_documents(
    term: Codes,
    leaf: Codes,
    element_from: Ints,
    token_from: Ints,
    seen: int,
    tag: Codes,
    parent: Codes,
    start: Codes,
    end: Codes,
    first: Codes,
    tokens: Codes,
    kinds: Bytes,
    rows: Codes,
    out: Codes,
    kept: Ints,
    columns: npt.NDArray[np.uint32],
    at: int,
    facts: Ints,
) -> None:
    """Write the terms of some documents to `out`, their elements to `columns` from `at` on, and count.

    `term` is the term of each token, -1 for a stop word; `seen` tokens came before in the segment. `kept`
    gets the number of terms before each document, and at the end.

    An element holds as many different terms as it has tokens whose term it did not have before. So a token
    counts for its innermost unit, and if its term came before in the document, the innermost unit that holds
    both takes it off again; what a unit has counted counts for the one around it.
    """
    size = len(tag)
    unit = np.empty(size, dtype=np.int32)  # the innermost unit that an element is, or is in; -1 for none
    above = np.empty(size, dtype=np.int32)  # the innermost unit around a unit
    units = np.empty(size, dtype=np.int32)  # how many there are from the root to that unit
    for e in range(size):
        above[e] = -1 if parent[e] < 0 else unit[parent[e]]
        inline = kinds[tag[e]] == INLINE
        unit[e] = above[e] if inline else e
        units[e] = (0 if above[e] < 0 else units[above[e]]) + (not inline)
    new = np.zeros(size + 1, dtype=np.int32)  # the last one is for tokens that are in no unit
    before = np.empty(len(term) + 1, dtype=np.int32)  # tokens before each, without stop words
    count = 0
    for document in range(len(kept) - 1):
        kept[document] = count
        seen_before = seen + token_from[document]
        for k in range(token_from[document], token_from[document + 1]):
            before[k] = count
            if term[k] < 0:
                continue
            t = np.uint64(term[k])
            e = unit[leaf[k]]
            held = units[leaf[k]]
            new[e] += 1
            last = rows[t, LAST_TOKEN]
            if last > seen_before:
                while e >= 0 and seen + first[e] >= last:
                    e = above[e]
                new[e] -= 1
                held -= 0 if e < 0 else units[e]
            rows[t, LAST_TOKEN] = seen + k + 1
            rows[t, UNITS] += held
            rows[t, FREQUENCY] += 1
            out[count] = term[k]
            count += 1
    before[len(term)] = count
    kept[len(kept) - 1] = count
    for e in range(size - 1, -1, -1):
        if unit[e] == e and above[e] >= 0:
            new[above[e]] += new[e]
    depth = units  # which is not needed any more
    facts[:] = 0
    for document in range(len(kept) - 1):
        for e in range(element_from[document], element_from[document + 1]):
            begin = before[first[e]]
            held = before[first[e] + tokens[e]] - begin
            around = parent[e]
            depth[e] = 1 if around < 0 else depth[around] + 1
            columns[0, at + e] = tag[e]
            columns[1, at + e] = 0 if around < 0 else e - around
            columns[2, at + e] = start[e]
            columns[3, at + e] = end[e] - start[e]
            columns[4, at + e] = begin - kept[document]
            columns[5, at + e] = held
            columns[6, at + e] = new[e] if unit[e] == e else 0
            facts[DEPTH] = max(facts[DEPTH], int64(depth[e]))
            if held > 0 and unit[e] == e:
                facts[UNIT_COUNT] += 1
                facts[UNIT_TOKENS] += held
                facts[UNIT_TERMS] += new[e]
