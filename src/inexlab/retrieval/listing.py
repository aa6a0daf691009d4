"""Elements at one place, listed: what `//sec` names is found without looking at all that is around a word.

A list costs a pass over all elements. So it is made for places that are asked for again, once queries have
taken about as long as that.
"""

from __future__ import annotations

import contextlib
from typing import Any, NamedTuple

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.index.characters import int64
from inexlab.index.guide import Mask
from inexlab.index.index import GONE_THROUGH, SOUND, Index
from inexlab.index.tag_table import INLINE
from inexlab.index.widths import number_at
from inexlab.retrieval.bounding import (
    PASSED,
    SEEN,
    TESTED,
    BoundedRows,
    BoundTables,
    Levels,
    Scratch,
    bounded_by,
    can_reach,
    merge,
)
from inexlab.retrieval.climbing import last_at_or_before
from inexlab.retrieval.offers import LengthClasses, element_classes
from inexlab.retrieval.visiting import Found
from inexlab.tables import Bytes, Codes, Ints

PASS = 64  # elements of a pass that take as long as one position of a query without a list
_LARGEST = 16  # of so many elements one may be in a list, or in all that are remembered
_ASKED = 1000  # places, of which it is known how often they were asked for
_BLOCK = 1 << 20  # elements that are looked at together


class ListedElements(NamedTuple):
    """Units among the elements, in their order; `above` is the place of the next one around each, or -1.

    `first` and `last` are the tokens of the document where they begin, and before which they end. Those of a
    document begin at its border; `most` is how many of them one has at most. `present` are the classes of
    length that each document has, as bits.
    """

    element: Ints
    first: Codes
    last: Codes
    above: Codes
    borders: Ints
    most: int
    present: Ints
    classes: LengthClasses


def elements_at(index: Index, paths: Mask, positions: int) -> ListedElements | None:
    """Return the units that have one of some tag paths; None if a list of them is not worth its while.

    That depends on how many `positions` of terms there were in all queries that asked for them.
    """
    known: dict[bytes, ListedElements | None] = index.kept.setdefault("listed", {})
    import hashlib  # which takes long to load, and few queries need it

    key = hashlib.blake2b(paths.tobytes(), digest_size=16).digest()
    with contextlib.suppress(KeyError):  # other threads may leave it out
        return known[key]
    asked: dict[bytes, int] = index.kept.setdefault("asked for", {})
    so_far = asked[key] = asked.pop(key, 0) + positions
    _forget(asked, _ASKED)
    if PASS * so_far < len(index.guide.path):
        return None
    made = _listed(index, paths)
    sizes = [0 if some is None else len(some.element) for some in (made, *list(known.values())[::-1])]
    room = int(np.count_nonzero(np.cumsum(sizes) * _LARGEST <= len(index.guide.path)))
    _forget(known, min(room, _ASKED) - 1)
    known[key] = made
    return made


def _forget(known: dict[bytes, Any], most: int) -> None:
    """Leave out what was added first; other threads may do the same."""
    for old in list(known)[: max(0, len(known) - most)]:
        known.pop(old, None)


def _listed(index: Index, paths: Mask) -> ListedElements | None:
    """List the units that have one of some tag paths; None if they are too many."""
    guide, columns = index.guide, index.columns
    wanted = paths & (index.tag_kinds[guide.tag] != INLINE)
    parts = [np.zeros(0, dtype=np.int64)]
    for at in range(0, len(guide.path), _BLOCK):
        block = slice(at, at + _BLOCK)
        parts.append(at + np.flatnonzero(wanted[guide.path[block]] & (columns["tokens"][block] > 0)))
    element = np.concatenate(parts)
    if len(element) * _LARGEST > len(guide.path) or np.diff(index.document_tokens).max(initial=0) >= 1 << 31:
        return None
    borders = np.searchsorted(element, index.document_elements)
    tokens = columns["tokens"][element].astype(np.int64)
    begin = columns["first"][element].astype(np.int64)
    first, last = begin.astype(np.int32), (begin + tokens).astype(np.int32)
    above = _nest.for_work(4 * len(element))(borders, first, last)
    classes = element_classes(index.longest_document)
    which = np.searchsorted(classes.least, tokens, side="right") - 1
    present = np.zeros(len(index.documents), dtype=np.int64)
    documents = np.repeat(np.arange(len(present)), np.diff(borders))
    for k in range(len(classes.least)):
        present[documents[which == k]] |= 1 << k
    most = int(np.diff(borders).max(initial=0))
    return ListedElements(element, first, last, above, borders, most, present, classes)


@Kernel
def _nest(borders: Ints, first: Codes, last: Codes) -> Codes:
    """Return the place of the next one around each element, which has a place in `above`; -1 for none."""
    above = np.empty(len(first), dtype=np.int32)
    for d in range(len(borders) - 1):
        around = int64(-1)
        for j in range(borders[d], borders[d + 1]):
            while around >= 0 and last[around] <= first[j]:
                around = int64(above[around])
            above[j] = around
            around = int64(j)
    return above


@Kernel
def visit_listed(
    numbers: Ints,
    border: float,
    rows: BoundedRows,
    tables: BoundTables,
    class_of: Levels,
    document_tokens: Ints,
    terms_column: Bytes,
    width: int,
    checked: Bytes,
    element: Ints,
    first: Codes,
    last: Codes,
    above: Codes,
    borders: Ints,
    most: int,
    present: Ints,
    counts: Ints,
    scratch: Scratch,
    found: Found,
) -> tuple[int, int]:
    """Find the listed elements of some documents that may reach a border, as `visit_elements` does.

    Room for units is checked. `slot` and `chain` are as long as a document has listed elements at most: each
    is in a chain once, as it has a slot from then on. Units that are left out make room for later ones.

    A position counts for the innermost element around it; in the end each hands its counts up.
    """
    unit, of_row, unit_length, unique, unit_frequency = found
    place, term = scratch.place, scratch.term
    room, terms, longest = len(unit), rows.frequency.shape[1], len(class_of) - 1
    slot, chain = np.full(most, -1, dtype=np.int64), np.empty(most, dtype=np.int64)
    total = 0
    for visited in range(len(numbers)):
        row = numbers[visited]
        d = rows.document[row]
        begin, beyond = borders[d], borders[d + 1]
        least = border - rows.added[row]
        if rows.bound[row] < border or not can_reach(present[d], row, rows, tables, least):
            continue
        count, _ = merge(row, rows, scratch)
        counts[SEEN] += count
        counts[PASSED] += count
        if checked[d] != SOUND:
            checked[d] = GONE_THROUGH
            counts[TESTED] += 1
        token_base, start = document_tokens[d], total
        here, climbed_from, held_by = begin - 1, int64(-1), int64(-1)
        for i in range(count):
            token = place[i] - token_base
            here = last_at_or_before(token, first, here, beyond)
            if here < begin:
                continue
            j = held_by if climbed_from == here else here
            climbed_from = here
            while j >= 0 and last[j] <= token:
                j = int64(above[j])
            held_by = j
            height = 0
            while j >= 0 and slot[j - begin] < 0:
                chain[height] = j
                height += 1
                j = int64(above[j])
            if total + height > room:
                counts[SEEN] -= count
                counts[PASSED] -= count
                return visited, start
            while height > 0:  # what is around comes first
                height -= 1
                slot[chain[height] - begin] = total
                unit[total] = chain[height]
                for t in range(terms):
                    unit_frequency[total, t] = 0
                total += 1
            if held_by >= 0:
                unit_frequency[slot[held_by - begin], term[i]] += 1
        for c in range(total - 1, start - 1, -1):
            up = int64(above[unit[c]])
            if up >= 0:
                for t in range(terms):
                    unit_frequency[slot[up - begin], t] += unit_frequency[c, t]
        kept = start
        for c in range(start, total):
            j = unit[c]
            slot[j - begin] = -1
            length = int64(last[j]) - int64(first[j])
            which = int64(class_of[min(length, longest)])
            if bounded_by(which, row, rows.level, tables, unit_frequency, c) >= least:
                for t in range(terms):
                    unit_frequency[kept, t] = unit_frequency[c, t]
                unit[kept] = element[j]
                of_row[kept] = row
                unit_length[kept] = length
                unique[kept] = number_at(terms_column, width, element[j])
                kept += 1
        total = kept
    return len(numbers), total
