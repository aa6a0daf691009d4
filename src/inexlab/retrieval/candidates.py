"""Candidates: every unit of retrieval that holds a term of a query, with the frequencies of the terms in it.

No element has postings of its own. The positions of the terms are walked document by document; the innermost
element around a position is found by its interval, and whatever contains it is one of its ancestors. So the
frequencies of a term add up from the leaves to the root, as in Flex's dynamic element retrieval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.index.blocks import Array
from inexlab.index.index import GONE_THROUGH, SOUND, Index
from inexlab.index.tag_table import INLINE
from inexlab.retrieval.climbing import last_at_or_before
from inexlab.retrieval.scratch import ReusedArrays
from inexlab.tables import Bytes, Codes, Ints

Mask = npt.NDArray[np.bool_]
Frequencies = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Candidates:
    """Units that hold a term, in the order of the collection; `frequency[c, t]`: how often c has term t.

    `element` is the number of the unit: that of the element in the index, or of the unit in its cut;
    `document` is that of its document, `parent` the next candidate above it (-1: none), a place in these
    columns. `length` counts tokens, `terms` different ones. `root` is the place of the document in
    `article_frequency` and `article_length`, which are these columns themselves unless given.
    """

    element: Ints
    document: Codes
    frequency: Frequencies
    parent: Codes
    root: Codes
    length: Codes
    terms: Codes
    of_articles: Frequencies | None = None
    length_of_articles: Codes | None = None

    @property
    def article_frequency(self) -> Frequencies:
        """How often documents have each term."""
        return self.frequency if self.of_articles is None else self.of_articles

    @property
    def article_length(self) -> Codes:
        """How many tokens documents have."""
        return self.length if self.length_of_articles is None else self.length_of_articles

    def only(self, which: Mask) -> Candidates:
        """Return some of the candidates; the parent of each is the next one above it among these."""
        nearest = _nearest_kept.for_work(4 * len(which))(self.parent, which)
        return Candidates(
            self.element[which],
            self.document[which],
            self.frequency[which],
            nearest[which],
            self.root[which],
            self.length[which],
            self.terms[which],
            self.article_frequency,
            self.article_length,
        )

    def copy(self) -> Candidates:
        """Return the same candidates in arrays of their own, which may be changed and kept."""
        columns = {field.name: getattr(self, field.name) for field in fields(self)}
        return replace(
            self, **{name: column.copy() for name, column in columns.items() if column is not None}
        )

    def __len__(self) -> int:
        return len(self.element)

    def roots(self) -> Candidates:
        """Return the topmost candidates alone: the documents."""
        which = self.parent < 0
        itself = np.arange(int(np.count_nonzero(which)), dtype=np.int32)
        return Candidates(
            self.element[which],
            self.document[which],
            self.frequency[which],
            np.full(len(itself), -1, dtype=np.int32),
            itself,
            self.length[which],
            self.terms[which],
        )


@Kernel
def _nearest_kept(parent: Codes, kept: Mask) -> Codes:
    """Return for each candidate the next kept one above it, counted among those kept; -1 for none.

    A candidate comes after the one above it.
    """
    place = np.empty(len(parent), dtype=np.int32)  # of a candidate, or of the next kept one above it
    above = np.empty(len(parent), dtype=np.int32)
    count = 0
    for c in range(len(parent)):
        up = parent[c]
        above[c] = np.int32(-1) if up < 0 else place[up]
        place[c] = above[c]
        if kept[c]:
            place[c] = np.int32(count)
            count += 1
    return above


_scratch = ReusedArrays(np.int64, np.int32, np.int32, np.int32, np.int32, np.int32, np.int32)


def within(index: Index, positions: Ints, documents: Ints) -> Ints:
    """Return those of some positions that are in some documents, which are listed in their order."""
    if 2 * len(documents) > len(index.documents):
        return positions
    first = np.searchsorted(positions, index.document_tokens[documents])
    last = np.searchsorted(positions, index.document_tokens[documents + 1])
    parts = [positions[a:b] for a, b in zip(first.tolist(), last.tolist(), strict=True) if a < b]
    return np.concatenate([positions[:0], *parts])


def candidates(
    index: Index, positions: Sequence[Ints], documents: Ints | None = None, most: int = 0
) -> Candidates:
    """Return the candidates of some terms, given by their positions; of some documents only, if listed.

    `most` is how many candidates there can be, where that is known. The columns are views of room that no
    further call writes into while anyone has them.
    """
    if documents is not None:
        positions = [within(index, places, documents) for places in positions]
    total = sum(map(len, positions))
    borders = np.cumsum([0, *map(len, positions)], dtype=np.int64)
    joined = np.concatenate([*positions, np.zeros(0, dtype=np.int64)])
    wanted = np.ones(len(index.documents), dtype=np.bool_)
    if documents is not None:
        wanted[:] = False
        wanted[documents] = True
    c = index.unchecked_columns
    new = np.zeros(1, dtype=np.int64)
    walk = _walk.for_work(20 * total)
    rows = min(8 * total if documents is not None else most or 8 * total, len(c["tag"])) + 16
    while True:
        *columns, flat = _scratch.room(*[rows] * 6, rows * len(positions))
        frequency = flat[: rows * len(positions)].reshape(rows, len(positions))
        count = walk(  # type: ignore[call-arg]
            joined,
            borders,
            index.document_tokens,
            index.document_elements,
            c["tag"],
            c["parent"],
            c["first"],
            c["tokens"],
            c["terms"],
            index.tag_kinds,
            wanted,
            index.checked,
            new,
            index.largest_document,
            *columns,
            frequency,
        )
        if new[0]:
            index.check_documents()
        if count >= 0:
            element, document, parent, root, length, terms = (column[:count] for column in columns)
            return Candidates(element, document, frequency[:count], parent, root, length, terms)
        if count == _DAMAGED:
            raise index.damaged("positions", "element-parent")
        rows *= 2


_NO_ROOM, _DAMAGED = -1, -2
_NOT_MET = -2  # of an element that has no slot yet; -1 is inline mark-up in no unit


@Kernel
def _walk(
    positions: Ints,
    borders: Ints,
    document_tokens: Ints,
    document_elements: Ints,
    tag: Array,
    back: Array,
    first: Array,
    tokens: Array,
    different: Array,
    kinds: Bytes,
    wanted: Mask,
    checked: Bytes,
    new: Ints,
    largest: int,
    element: Ints,
    document: Codes,
    parent: Codes,
    root: Codes,
    length: Codes,
    unique: Codes,
    frequency: Frequencies,
) -> int:
    """Go through the documents that have any of the terms; there may be no room for all candidates.

    In a document the positions of all terms are taken in their order, so candidates come in the order of
    the elements, each after the one above it. A position counts for the innermost unit around it; in the
    end every candidate hands its counts up.

    Documents whose elements were not compared with their checksums before are marked in `checked`, and `new`
    counts them. Room for candidates is checked, that for elements of one document is that of the largest, and
    a climb beyond a root is stopped.

    However deep a document is, an element is climbed over a few times at most: one that holds a token is
    given a slot, inline mark-up that of the unit around it, where the next climb ends; and while no further
    element begins, a climb goes on from where the last one found its token, above all that has ended.
    """
    terms = len(borders) - 1
    room = len(frequency)
    slot = np.full(largest, _NOT_MET, dtype=np.int32)
    chain = np.empty(largest + 1, dtype=np.int64)
    inline = np.empty(largest, dtype=np.int64)  # that was given a slot in a document: each once
    at = borders[:-1].copy()
    count = 0
    d = 0
    documents = len(document_tokens) - 1
    while True:
        nearest = np.int64(-1)
        for t in range(terms):
            if at[t] < borders[t + 1] and (nearest < 0 or positions[at[t]] < nearest):
                nearest = positions[at[t]]
        if nearest < 0:
            break
        if nearest >= document_tokens[documents]:
            return _DAMAGED
        low, high = d, documents  # the last document that begins at or before the position
        while high - low > 1:
            middle = (low + high) >> 1
            if document_tokens[middle] <= nearest:
                low = middle
            else:
                high = middle
        d = low
        token_base, token_end = document_tokens[d], document_tokens[d + 1]
        if not wanted[d]:
            for t in range(terms):
                while at[t] < borders[t + 1] and positions[at[t]] < token_end:
                    at[t] += 1
            continue
        if checked[d] != SOUND:
            checked[d] = GONE_THROUGH
            new[0] += 1
        base = document_elements[d]
        size = document_elements[d + 1] - base
        begin = count
        here, inlines = 0, 0
        climbed_from, held_by = np.int64(-1), np.int64(0)
        while True:
            term, nearest = -1, token_end
            for t in range(terms):
                if at[t] < borders[t + 1] and positions[at[t]] < nearest:
                    term, nearest = t, positions[at[t]]
            if term < 0:
                break
            at[term] += 1
            token = nearest - token_base
            here = last_at_or_before(token, first, base + here, base + size) - base
            e = held_by if climbed_from == here else np.int64(here)
            climbed_from = np.int64(here)
            height = 0
            innermost = np.int32(-1)
            while True:
                at_e = base + e
                if np.int64(first[at_e]) + np.int64(tokens[at_e]) > token:
                    if slot[e] != _NOT_MET:
                        innermost = slot[e]
                        break
                    chain[height] = e
                    height += 1
                if back[at_e] == 0:
                    break
                e -= np.int64(back[at_e])
                if e < 0:
                    return _DAMAGED
            held_by = chain[0] if height > 0 else e
            while height > 0:
                height -= 1
                e = chain[height]
                if kinds[tag[base + e]] == INLINE:
                    slot[e] = innermost
                    inline[inlines] = e
                    inlines += 1
                    continue
                if count == room:
                    return _NO_ROOM
                slot[e] = count
                element[count] = base + e
                document[count] = d
                parent[count] = innermost
                root[count] = begin
                length[count] = tokens[base + e]
                unique[count] = different[base + e]
                for other in range(terms):
                    frequency[count, other] = 0
                innermost = np.int32(count)
                count += 1
            if innermost >= 0:
                frequency[innermost, term] += 1
        for k in range(inlines):
            slot[inline[k]] = _NOT_MET
        for c in range(count - 1, begin - 1, -1):
            slot[element[c] - base] = _NOT_MET
            if parent[c] >= 0:
                for t in range(terms):
                    frequency[parent[c], t] += frequency[c, t]
    return count
