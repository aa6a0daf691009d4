"""What units can score at most: by the documents that have the terms, and by positions in these.

A unit is an interval of the axis. So whatever begins behind the position before one, and holds that one, has
no more of a term than there is within its width from there on. That bounds its score before any unit is
looked at, and nearly all positions need none to be looked at.

Units are counted by classes of length: all of one have a least length, and reach over so many tokens at most.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.index.characters import int64
from inexlab.retrieval.candidates import Frequencies
from inexlab.tables import Bytes, Codes, Floats, Ints

DAMAGED = -2
_NOWHERE = np.int64((1 << 63) - 1)  # behind all positions
_NEAR = 64  # tokens over which units of a group may reach that are tried one by one
_FAR = 512  # and in which these are, where few have to be tried
_RARE = 6  # one in so many
_MANY = 0.5  # marks to a position: nearly as many units have to be looked at as there are
_TRY = 16  # documents, of which one is marked all the same

# what a search counts
SEEN, PASSED, TESTED = range(3)

Levels = npt.NDArray[np.uint8]


class BoundTables(NamedTuple):
    """What terms bound units by: numbers in one row, by groups, terms, levels and frequencies in this order.

    `value` is the bound, `gain` what it gains by one more occurrence; the last frequency stands for all that
    are higher. First come the classes of length, then groups of them, each from `group[g]` to before
    `group[g + 1]`, and in the end all of them. `widest` says over how many tokens the units of each reach.
    """

    value: Floats
    gain: Floats
    widest: Ints
    group: Ints
    levels: int
    frequencies: int


class BoundedRows(NamedTuple):
    """Documents that have any of the terms: how often each, from which position on, and what they bound.

    There is a `level` for every row and term, or none at all.
    """

    document: Codes
    frequency: Frequencies
    begin: Ints
    positions: Ints
    bound: Floats
    level: Levels


class Scratch(NamedTuple):
    """Room for the positions of one document: where, of which term, and which classes of length may do.

    `base` and `held` have a place for each term.
    """

    place: Ints
    term: Codes
    passing: Codes
    base: Ints
    held: Ints


@Kernel
def gather(
    positions: Ints,
    borders: Ints,
    document_tokens: Ints,
    wanted: Bytes,
    document: Codes,
    frequency: Frequencies,
    begin: Ints,
) -> int:
    """Write which wanted documents have any of the terms, how often, and from which position on.

    Returns how many there are, or -2 for positions that cannot be. There is room for every document that is
    wanted, or for every position: no document is written twice.
    """
    terms, documents = len(borders) - 1, len(document_tokens) - 1
    at = borders[:-1].copy()
    rows, d = 0, 0
    while True:
        nearest = int64(-1)
        for t in range(terms):
            if at[t] < borders[t + 1] and (nearest < 0 or positions[at[t]] < nearest):
                nearest = positions[at[t]]
                if nearest < 0:
                    return DAMAGED
        if nearest < 0:
            return rows
        if nearest < document_tokens[d] or nearest >= document_tokens[documents]:
            return DAMAGED
        step = 1  # the last document that begins at or before the position: leap, then halve
        while d + step < documents and document_tokens[d + step] <= nearest:
            d += step
            step <<= 1
        high = min(d + step, documents)
        while high - d > 1:
            middle = (d + high) >> 1
            if document_tokens[middle] <= nearest:
                d = middle
            else:
                high = middle
        end = document_tokens[d + 1]
        is_wanted = wanted[d] != 0
        for t in range(terms):
            first, k, last = at[t], at[t], borders[t + 1]
            while k < last and positions[k] < end:
                if positions[k] < nearest:
                    return DAMAGED
                k += 1
            at[t] = k
            if is_wanted:
                frequency[rows, t] = k - first
                begin[rows, t] = first
        if is_wanted:
            document[rows] = d
            rows += 1


@Kernel
def share_levels(document: Codes, frequency: Frequencies, document_tokens: Ints, levels: int) -> Levels:
    """Return, for shares of terms in documents, the level that bounds them: 0 for none.

    Each level but the first is twice as much as the one below, the last is all; there is a place for every
    row and term.
    """
    level = np.zeros(frequency.shape, dtype=np.uint8)
    for row in range(len(document)):
        d = document[row]
        for t in range(frequency.shape[1]):
            if frequency[row, t] > 0:
                most, at = document_tokens[d + 1] - document_tokens[d], levels - 1
                while at > 1 and 2 * int64(frequency[row, t]) * (int64(1) << (levels - 1 - at)) <= most:
                    at -= 1
                level[row, t] = at
    return level


@Kernel
def bound_rows(
    frequency: Frequencies, level: Levels, tables: BoundTables, middle: int, bound: Floats, likely: Floats
) -> None:
    """Write what units of each document score at most, and what those of a `middle` class do.

    There is a place for every row.
    """
    terms, most = frequency.shape[1], tables.frequencies - 1
    block = tables.levels * tables.frequencies
    all_of, some_of = (len(tables.widest) - 1) * terms * block, middle * terms * block
    levels, value, often = level.shape[0] > 0, tables.value, tables.frequencies
    for row in range(len(frequency)):
        score = other = 0.0
        for t in range(terms):
            at = t * block + min(int64(frequency[row, t]), most)
            if levels:
                at += int64(level[row, t]) * often
            score += value[all_of + at]
            other += value[some_of + at]
        bound[row] = score
        likely[row] = other


@Kernel
def _merge(row: int, rows: BoundedRows, scratch: Scratch) -> int:
    """Write the positions of a document's terms in their order; return how many there are.

    `place` and `term` are as long as the document with the most positions needs, `held` as there are terms.
    """
    place, term, _, _, at = scratch
    frequency, begin, positions = rows.frequency, rows.begin, rows.positions
    terms = frequency.shape[1]
    count = 0
    for t in range(terms):
        at[t] = begin[row, t]
        count += int64(frequency[row, t])
    for i in range(count):
        nearest, of = _NOWHERE, 0
        for t in range(terms):
            if at[t] < begin[row, t] + frequency[row, t] and positions[at[t]] < nearest:
                nearest, of = positions[at[t]], t
        at[of] += 1
        place[i] = nearest
        term[i] = of
    return count


@Kernel
def _can_reach(
    which: int, row: int, rows: BoundedRows, tables: BoundTables, border: float, base: Ints
) -> bool:
    """Say whether units of a class or group can reach the border with all that their document has.

    `base` has a place for each term: where its numbers are in the tables.
    """
    frequency, level = rows.frequency, rows.level
    terms, most, block = frequency.shape[1], tables.frequencies - 1, tables.levels * tables.frequencies
    score, value, often = 0.0, tables.value, tables.frequencies
    for t in range(terms):
        at = (which * terms + t) * block
        if level.shape[0] > 0:
            at += int64(level[row, t]) * often
        base[t] = at
        score += value[at + min(int64(frequency[row, t]), most)]
    return score >= border


@Kernel
def _slide(
    count: int, scratch: Scratch, tables: BoundTables, width: int, border: float, only: int, bit: int
) -> int:
    """Mark with a bit positions from which on a width holds enough to reach the border; return how many.

    `only` those that have another bit are. There are as many places in `passing` as positions, and in `held`
    and `base` as terms.
    """
    place, term, passing, base, held = scratch
    most, value, gain = tables.frequencies - 1, tables.value, tables.gain
    score = 0.0
    for t in range(len(base)):
        held[t] = 0
        score += value[base[t]]
    behind, marked = 0, 0
    for i in range(count):
        beyond = place[i] + width
        while behind < count and place[behind] < beyond:
            t = term[behind]
            score += gain[base[t] + min(held[t], most)]
            held[t] += 1
            behind += 1
        if score >= border and passing[i] & only == only:
            passing[i] |= bit
            marked += 1
        t = term[i]
        held[t] -= 1
        score -= gain[base[t] + min(held[t], most)]
    return marked


@Kernel
def _mark_near(
    count: int,
    scratch: Scratch,
    g: int,
    row: int,
    level: Levels,
    tables: BoundTables,
    border: float,
    only: int,
    alone: bool,
) -> int:
    """Mark positions with the classes of a group whose units can reach the border; return how many marks.

    `only` those that have another bit are tried, one by one: the units of the group are short, or these few.
    Where no term is enough `alone`, another one has to be near. Scratch has a place for each position, and in
    `held` for each term.
    """
    place, term, passing, _, held = scratch
    groups, terms, most = len(tables.group) - 1, len(held), tables.frequencies - 1
    classes, block = tables.group[groups], tables.levels * tables.frequencies
    value, widest, often, leveled = tables.value, tables.widest, tables.frequencies, level.shape[0] > 0
    first, last, width = tables.group[g], tables.group[g + 1], widest[classes + g]
    other, marked = place[count - 1] + width, 0  # the next position of another term
    for i in range(count - 1, -1, -1):
        if i + 1 < count and term[i + 1] != term[i]:
            other = place[i + 1]
        if passing[i] & only != only or (not alone and other - place[i] >= width):
            continue
        for t in range(terms):
            held[t] = 0
        behind = i
        for k in range(first, last):
            beyond = place[i] + widest[k]
            while behind < count and place[behind] < beyond:
                held[term[behind]] += 1
                behind += 1
            score, at = 0.0, k * terms * block
            for t in range(terms):
                of = int64(level[row, t]) * often if leveled else int64(0)
                score += value[at + of + min(held[t], most)]
                at += block
            if score >= border:
                passing[i] |= int64(1) << k
                marked += 1
    return marked


@Kernel
def _enough_alone(which: int, row: int, rows: BoundedRows, tables: BoundTables, border: float) -> bool:
    """Say whether one term of a document is enough for units of a group to reach the border."""
    frequency, level = rows.frequency, rows.level
    terms, most, block = frequency.shape[1], tables.frequencies - 1, tables.levels * tables.frequencies
    nothing, best = 0.0, 0.0
    for t in range(terms):
        at = (which * terms + t) * block
        if level.shape[0] > 0:
            at += int64(level[row, t]) * tables.frequencies
        nothing += tables.value[at]
        best = max(best, tables.value[at + min(int64(frequency[row, t]), most)] - tables.value[at])
    return nothing + best >= border


@Kernel
def _mark(
    count: int, scratch: Scratch, row: int, rows: BoundedRows, tables: BoundTables, border: float
) -> int:
    """Say for each position which classes of units can reach the border; return how many marks there are.

    These are units that hold the position and none before it: what they hold is within their width from it
    on. A group of classes is tried before the classes in it. Scratch has a place for each position.
    """
    passing, base = scratch.passing, scratch.base
    for i in range(count):
        passing[i] = 0
    marked = 0
    groups = len(tables.group) - 1
    classes = tables.group[groups]
    for g in range(groups):
        which = classes + g
        if not _can_reach(which, row, rows, tables, border, base):
            continue
        width, first, last = tables.widest[which], tables.group[g], tables.group[g + 1]
        if width <= _NEAR:
            alone = _enough_alone(which, row, rows, tables, border)
            marked += _mark_near(count, scratch, g, row, rows.level, tables, border, 0, alone)
            continue
        some = int64(1) << (first if last - first == 1 else which)
        found = _slide(count, scratch, tables, width, border, 0, some)
        if last - first == 1:
            marked += found
        elif found and width <= _FAR and found * _RARE < count:
            marked += _mark_near(count, scratch, g, row, rows.level, tables, border, some, True)
        elif found:
            for k in range(first, last):
                if _can_reach(k, row, rows, tables, border, base):
                    marked += _slide(count, scratch, tables, tables.widest[k], border, some, int64(1) << k)
    of_classes = (int64(1) << classes) - 1
    for i in range(count):
        passing[i] &= of_classes
    return marked


@Kernel
def mark_document(
    visited: int,
    row: int,
    rows: BoundedRows,
    tables: BoundTables,
    border: float,
    many: float,
    scratch: Scratch,
    counts: Ints,
) -> tuple[int, bool, float]:
    """Write the positions of a document's terms, and which classes of units around them can reach the border.

    Returns how many positions there are, 0 if no unit can reach it; whether all units are to be looked at, as
    nearly all would be; and how many marks to a position there were in the last few documents, which was
    `many` before. `counts` has a place for each thing that is counted, scratch for each position.
    """
    count = _merge(row, rows, scratch)
    counts[SEEN] += count
    if border == -np.inf or (many > _MANY and visited % _TRY):
        counts[PASSED] += count
        return count, True, many
    marked = _mark(count, scratch, row, rows, tables, border)
    counts[PASSED] += marked
    many += (marked / count - many) / 4
    return (count if marked else 0), False, many


@Kernel
def bounded_by(
    which: int, row: int, level: Levels, tables: BoundTables, frequency: Frequencies, at: int
) -> float:
    """Return what a unit of a class scores at most with the frequencies that it has."""
    terms, most, block = frequency.shape[1], tables.frequencies - 1, tables.levels * tables.frequencies
    score, value, often = 0.0, tables.value, tables.frequencies
    for t in range(terms):
        of = int64(level[row, t]) * often if level.shape[0] > 0 else int64(0)
        score += value[(which * terms + t) * block + of + min(int64(frequency[at, t]), most)]
    return score
