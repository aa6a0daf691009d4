"""The loops of pruned search: which units of a document may be among the best, as `bounding` knows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from inexlab.accelerate import Kernel, LoopStep
from inexlab.index.characters import int64
from inexlab.index.index import GONE_THROUGH, SOUND
from inexlab.index.tag_table import INLINE
from inexlab.index.widths import number_at
from inexlab.retrieval.bounding import (
    DAMAGED,
    PASSED,
    SEEN,
    TESTED,
    BoundedRows,
    BoundTables,
    Levels,
    Scratch,
    bounded_by,
    mark_document,
    widest_of,
)
from inexlab.retrieval.candidates import Frequencies
from inexlab.tables import Bytes, Codes, Ints

SHIFT = 6  # units of a cut are looked up by blocks of 2 to the power of this of positions
_FEW = 48  # positions of a unit, or tokens, that are counted one by one


class Found(NamedTuple):
    """Room for units that may be among the best: number, row of its document, length, terms, frequencies."""

    unit: Ints
    row: Codes
    length: Codes
    terms: Codes
    frequency: Frequencies


@LoopStep
def _first_behind(positions: Ints, low: int, high: int, place: int) -> int:
    """Return the first of some positions that is at a place or behind it."""
    while low < high:
        middle = (low + high) >> 1
        if positions[middle] < place:
            low = middle + 1
        else:
            high = middle
    return low


@LoopStep
def _count_in(
    i: int,
    count: int,
    end: int,
    many: bool,
    row: int,
    rows: BoundedRows,
    scratch: Scratch,
    reach: Ints,
    out: Frequencies,
    at: int,
) -> int:
    """Write how often each term is in a unit that holds nothing before position i, and ends at `end`.

    A term that reaches over further tokens has to end in it. `out` has a place for each term at `at`. Returns
    how many positions there are.
    """
    place, term = scratch.place, scratch.term
    terms = out.shape[1]
    held = 0
    if many:
        for t in range(terms):
            first = rows.begin[row, t]
            last = first + int64(rows.frequency[row, t])
            low = _first_behind(rows.positions, first, last, place[i])
            high = _first_behind(rows.positions, low, last, end - reach[t])
            out[at, t] = max(high - low, 0)
            held += max(high - low, 0)
        return held
    for t in range(terms):
        out[at, t] = 0
    while i < count and place[i] < end:
        t = term[i]
        if place[i] + reach[t] < end:
            out[at, t] += 1
            held += 1
        i += 1
    return held


@Kernel
def visit_elements(
    numbers: Ints,
    border: float,
    rows: BoundedRows,
    tables: BoundTables,
    class_of: Levels,
    document_tokens: Ints,
    document_elements: Ints,
    columns: tuple[Bytes, Bytes, Bytes, Bytes, Bytes],
    widths: tuple[int, int, int, int, int],
    kinds: Bytes,
    checked: Bytes,
    counts: Ints,
    scratch: Scratch,
    found: Found,
) -> tuple[int, int]:
    """Find the elements of some documents that may reach a border; there may be no room for all.

    Returns how many of the documents were gone through, and how many elements were found; less than 0 for a
    damaged index. Room is checked, and where a document's elements do not fit, it counts as not gone through;
    scratch arrays are as long as the document with the most positions needs; a climb beyond a root ends.

    An element is looked at from the first position in it: a climb ends where an element also holds the
    position before, or begins so far before it that none around it is short enough. While no further element
    begins, a climb goes on from where the last one found its token.
    """
    tag, back, first, tokens, different = columns
    of_tag, of_back, of_first, of_tokens, of_different = widths
    unit, of_row, unit_length, unique, unit_frequency = found
    room = len(unit)
    place, term, passing, _, held, _, _ = scratch
    terms = len(held)
    reach = np.zeros(terms, dtype=np.int64)  # phrases are in one element
    longest = len(class_of) - 1
    bound, added, document, level = rows.bound, rows.added, rows.document, rows.level
    widest = tables.widest
    total, many = 0, 0.0
    for visited in range(len(numbers)):
        row = numbers[visited]
        if bound[row] < border:
            continue
        least = border - added[row]
        seen, passed = counts[SEEN], counts[PASSED]
        count, many = mark_document(visited, row, rows, tables, least, many, scratch, counts)
        if count == 0:
            continue
        d = document[row]
        if checked[d] != SOUND:
            checked[d] = GONE_THROUGH
            counts[TESTED] += 1
        token_base, root = document_tokens[d], document_elements[d]
        size = document_elements[d + 1] - root
        here, climbed_from, held_by = int64(0), int64(-1), int64(0)
        before, start = int64(-1), total
        measured, width = int64(0), int64(0)  # classes, and over how many tokens the widest of them reaches
        for i in range(count):
            token = place[i] - token_base
            if passing[i] == 0:
                before = token
                continue
            if passing[i] != measured:
                measured = int64(passing[i])
                width = widest_of(measured, widest)
            step = 1  # the last element that begins at or before the token: leap, then halve
            while here + step < size and number_at(first, of_first, root + here + step) <= token:
                here += step
                step <<= 1
            high = min(here + step, size)
            while high - here > 1:
                middle = (here + high) >> 1
                if number_at(first, of_first, root + middle) <= token:
                    here = middle
                else:
                    high = middle
            e = held_by if climbed_from == here else here
            climbed_from, held_by = here, int64(-1)
            behind = i  # what is before it was counted
            for t in range(terms):
                held[t] = 0
            while True:
                at_e = root + e
                begins = number_at(first, of_first, at_e)
                if begins + width <= token:
                    break
                length = number_at(tokens, of_tokens, at_e)
                if begins + length > token:
                    if held_by < 0:
                        held_by = e
                    if begins <= before:
                        break
                    which = int64(class_of[min(length, longest)])
                    if passing[i] >> which == 0:  # what is around is no shorter
                        break
                    if (passing[i] >> which) & 1 and kinds[number_at(tag, of_tag, at_e)] != INLINE:
                        if total == room:
                            counts[SEEN], counts[PASSED] = seen, passed
                            return visited, start
                        end, enough = token_base + begins + length, behind + _FEW
                        while behind < min(count, enough) and place[behind] < end:
                            held[term[behind]] += 1
                            behind += 1
                        if behind < enough or behind == count:
                            for t in range(terms):
                                unit_frequency[total, t] = held[t]
                        else:
                            _count_in(i, count, end, True, row, rows, scratch, reach, unit_frequency, total)
                        if bounded_by(which, row, level, tables, unit_frequency, total) >= least:
                            unit[total] = at_e
                            of_row[total] = row
                            unit_length[total] = length
                            unique[total] = number_at(different, of_different, at_e)
                            total += 1
                up = number_at(back, of_back, at_e)
                if up == 0:
                    break
                e -= up
                if e < 0:
                    return DAMAGED, DAMAGED
            if held_by < 0:
                held_by = e
            before = token
    return len(numbers), total


@Kernel
def visit_cut(
    numbers: Ints,
    border: float,
    rows: BoundedRows,
    tables: BoundTables,
    class_of: Levels,
    document_tokens: Ints,
    reach: Ints,
    first: Ints,
    last: Ints,
    length: Codes,
    different: Codes,
    near: Codes,
    counts: Ints,
    scratch: Scratch,
    found: Found,
) -> tuple[int, int]:
    """Find the units of a cut that may reach a border, as `visit_elements` does, if there is room.

    `near` has a place for every block of positions; scratch arrays are as long as the document with the most
    positions needs.
    """
    unit, of_row, unit_length, unique, unit_frequency = found
    room, units = len(unit), len(first)
    place, passing = scratch.place, scratch.passing
    longest = len(class_of) - 1
    total, many = 0, 0.0
    for visited in range(len(numbers)):
        row = numbers[visited]
        if rows.bound[row] < border:
            continue
        least = border - rows.added[row]
        seen, passed = counts[SEEN], counts[PASSED]
        count, many = mark_document(visited, row, rows, tables, least, many, scratch, counts)
        if count == 0:
            continue
        before, start = document_tokens[rows.document[row]] - 1, total
        for i in range(count):
            if passing[i] != 0:
                u = int64(near[place[i] >> SHIFT])
                while u < units and last[u] <= place[i]:
                    u += 1
                while u < units and first[u] <= place[i]:
                    which = int64(class_of[min(int64(length[u]), longest)])
                    if first[u] > before and (passing[i] >> which) & 1:
                        if total == room:
                            counts[SEEN], counts[PASSED] = seen, passed
                            return visited, start
                        held_here = _count_in(
                            i,
                            count,
                            last[u],
                            last[u] - first[u] > _FEW,
                            row,
                            rows,
                            scratch,
                            reach,
                            unit_frequency,
                            total,
                        )
                        reaches = bounded_by(which, row, rows.level, tables, unit_frequency, total) >= least
                        if held_here and reaches:
                            unit[total] = u
                            of_row[total] = row
                            unit_length[total] = length[u]
                            unique[total] = different[u]
                            total += 1
                    u += 1
            before = place[i]
    return len(numbers), total
