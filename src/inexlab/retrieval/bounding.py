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

from inexlab.accelerate import Kernel, LoopStep
from inexlab.index.characters import int64
from inexlab.retrieval.candidates import Frequencies
from inexlab.retrieval.climbing import last_at_or_before
from inexlab.tables import Bytes, Codes, Floats, Ints

DAMAGED = -2
_NOWHERE = np.int64((1 << 63) - 1)  # behind all positions
_DENSE = 2.0  # positions about that a unit holds: where there are more, a sum over them is moved along
_RARE = 6  # positions, of which one is marked: fewer are tried one by one
_MANY = 0.3  # of the positions are marked: nearly as many units have to be looked at as there are
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

    There is a `level` for every row and term, or none at all. What a document has `added` to the scores of
    its units is in its bound, but not in what units are bounded by. `length` counts a document's tokens.
    """

    document: Codes
    frequency: Frequencies
    begin: Ints
    positions: Ints
    bound: Floats
    level: Levels
    added: Floats
    length: Codes


class Scratch(NamedTuple):
    """Room for the positions of one document: where, of which term, and which classes of length may do.

    The others have a place for each term.
    """

    place: Ints
    term: Codes
    passing: Codes
    base: Ints
    held: Ints
    once: Ints
    repeated: Ints


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
        d = last_at_or_before(nearest, document_tokens, d, documents)
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
    rows: BoundedRows, document_tokens: Ints, tables: BoundTables, middle: int, likely: Floats
) -> int:
    """Write what units of each document score at most, what those of a `middle` class do, and its length.

    Returns how many positions there are in the document that has most. There is a place for every row in
    each column, and what is added to scores is added.
    """
    frequency, level, bound = rows.frequency, rows.level, rows.bound
    terms, most = frequency.shape[1], tables.frequencies - 1
    block = tables.levels * tables.frequencies
    all_of, some_of = (len(tables.widest) - 1) * terms * block, middle * terms * block
    levels, value, often = level.shape[0] > 0, tables.value, tables.frequencies
    most_positions = int64(0)
    for row in range(len(frequency)):
        d = rows.document[row]
        rows.length[row] = document_tokens[d + 1] - document_tokens[d]
        score = other = 0.0
        positions = int64(0)
        for t in range(terms):
            positions += int64(frequency[row, t])
            at = t * block + min(int64(frequency[row, t]), most)
            if levels:
                at += int64(level[row, t]) * often
            score += value[all_of + at]
            other += value[some_of + at]
        bound[row] = score + rows.added[row]
        likely[row] = other + rows.added[row]
        most_positions = max(most_positions, positions)
    return most_positions


@LoopStep
def merge(row: int, rows: BoundedRows, scratch: Scratch) -> tuple[int, int]:
    """Write the positions of a document's terms in their order.

    Returns how many there are, and how far apart two of different terms are at least.
    `place` and `term` are as long as the document with the most positions needs, `held` as there are terms.
    """
    place, term, _, _, at, _, _ = scratch
    frequency, begin, positions = rows.frequency, rows.begin, rows.positions
    terms = frequency.shape[1]
    count = 0
    for t in range(terms):
        at[t] = begin[row, t]
        count += int64(frequency[row, t])
    before, of_before, closest = -_NOWHERE >> 1, -1, _NOWHERE
    for i in range(count):
        nearest, of = _NOWHERE, 0
        for t in range(terms):
            if at[t] < begin[row, t] + frequency[row, t] and positions[at[t]] < nearest:
                nearest, of = positions[at[t]], t
        at[of] += 1
        place[i] = nearest
        term[i] = of
        if of != of_before:
            if nearest - before < closest:
                closest = nearest - before
            of_before = of
        before = nearest
    return count, int64(closest)


@LoopStep
def _reaching(
    row: int, rows: BoundedRows, tables: BoundTables, border: float, once: Ints, repeated: Ints
) -> int:
    """Return the classes whose units can reach the border with all that a document has, as bits.

    `once` and `repeated` have a place for each term: the classes whose units reach it with this term alone,
    once or as often as the document has it. A group of classes is tried before the classes in it.
    """
    frequency, level = rows.frequency, rows.level
    terms, most, block = frequency.shape[1], tables.frequencies - 1, tables.levels * tables.frequencies
    value, often, leveled = tables.value, tables.frequencies, level.shape[0] > 0
    for t in range(terms):
        once[t] = repeated[t] = 0
    can = int64(0)
    groups = len(tables.group) - 1
    classes = tables.group[groups]
    for g in range(groups):
        first, last = tables.group[g], tables.group[g + 1]
        # the group itself comes first, where there is more than one class in it
        for k in range(first - 1 if last - first > 1 else first, last):
            base = (classes + g if k < first else k) * terms * block
            score = nothing = 0.0
            for t in range(terms):
                at = base + t * block + (int64(level[row, t]) * often if leveled else int64(0))
                nothing += value[at]
                score += value[at + min(int64(frequency[row, t]), most)]
            if score < border:
                if k < first:
                    break
                continue
            if k < first:
                continue
            can |= int64(1) << k
            for t in range(terms):
                at = base + t * block + (int64(level[row, t]) * often if leveled else int64(0))
                others, often_here = nothing - value[at], min(int64(frequency[row, t]), most)
                if often_here > 0 and others + value[at + often_here] >= border:
                    repeated[t] |= int64(1) << k
                    if others + value[at + 1] >= border:
                        once[t] |= int64(1) << k
    return can


@LoopStep
def widest_of(classes: int, widest: Ints) -> int:
    """Return over how many tokens units of some classes reach at most; these are given as bits."""
    width, k = int64(0), 0
    while k < len(widest) and classes >> k:
        if (classes >> k) & 1:
            width = max(width, widest[k])
        k += 1
    return width


@LoopStep
def _slide(
    count: int,
    which: int,
    row: int,
    level: Levels,
    tables: BoundTables,
    border: float,
    scratch: Scratch,
    bit: int,
) -> int:
    """Mark with a bit positions from which on a width holds enough to reach the border; return how many.

    There are as many places in `passing` as positions, and in `held` and `base` as terms.
    """
    place, term, passing, base, held, _, _ = scratch
    terms, most, block = len(base), tables.frequencies - 1, tables.levels * tables.frequencies
    value, gain, width = tables.value, tables.gain, tables.widest[which]
    score = 0.0
    for t in range(terms):
        held[t] = 0
        base[t] = (which * terms + t) * block
        if level.shape[0] > 0:
            base[t] += int64(level[row, t]) * tables.frequencies
        score += value[base[t]]
    behind, marked = 0, 0
    for i in range(count):
        beyond = place[i] + width
        while behind < count and place[behind] < beyond:
            t = term[behind]
            score += gain[base[t] + min(held[t], most)]
            held[t] += 1
            behind += 1
        if score >= border:
            passing[i] |= bit
            marked += 1
        t = term[i]
        held[t] -= 1
        score -= gain[base[t] + min(held[t], most)]
    return marked


@LoopStep
def _mark_near(
    count: int,
    can: int,
    only: int,
    row: int,
    level: Levels,
    tables: BoundTables,
    border: float,
    scratch: Scratch,
) -> None:
    """Mark positions with the classes, of some, whose units can reach the border, one position by one.

    `only` those that have another bit are tried. Whether one term is enough is known, and marked. Where it is
    not, another one has to be near. Scratch has a place for each position, and in `held` for each term.
    """
    place, term, passing, _, held, once, repeated = scratch
    terms, most, block = len(held), tables.frequencies - 1, tables.levels * tables.frequencies
    value, widest, often, leveled = tables.value, tables.widest, tables.frequencies, level.shape[0] > 0
    last, width = 0, widest_of(can, widest)
    while can >> last:
        last += 1
    next_other = place[count - 1] + width  # position of another term
    for i in range(count - 1, -1, -1):
        of = term[i]
        if i + 1 < count and term[i + 1] != of:
            next_other = place[i + 1]
        if passing[i] & only != only:
            continue
        left = can & ~once[of]
        gap = next_other - place[i]
        if i + 1 < count and left & repeated[of]:
            gap = place[i + 1] - place[i]
        if gap >= width or left == 0:
            continue
        for t in range(terms):
            held[t] = 0
        behind, failed = i, i  # what is before this was not enough for shorter units
        for k in range(last):
            if widest[k] <= gap or not (left >> k) & 1:
                continue
            beyond = place[i] + widest[k]
            while behind < count and place[behind] < beyond:
                held[term[behind]] += 1
                behind += 1
            if behind == failed:
                continue
            score, at = 0.0, k * terms * block
            for t in range(terms):
                at_level = int64(level[row, t]) * often if leveled else int64(0)
                score += value[at + at_level + min(held[t], most)]
                at += block
            if score >= border:
                passing[i] |= int64(1) << k
            else:
                failed = behind


@LoopStep
def _mark_all(count: int, can: int, scratch: Scratch, tables: BoundTables) -> int:
    """Mark positions with all classes of units that can reach the border; return how many are marked.

    But where the next one is too far away to be in the same unit, with those that need no other. There are
    as many places in `passing` as positions.
    """
    place, term, passing, _, _, once, _ = scratch
    width = widest_of(can, tables.widest)
    marked = 0
    for i in range(count):
        alone = i + 1 == count or place[i + 1] - place[i] >= width
        passing[i] = once[term[i]] if alone else can
        if passing[i] != 0:
            marked += 1
    return marked


@LoopStep
def _mark(
    count: int,
    closest: int,
    can: int,
    scratch: Scratch,
    row: int,
    rows: BoundedRows,
    tables: BoundTables,
    border: float,
) -> int:
    """Say for each position which classes of units, of those that can, reach the border; return how many do.

    These are units that hold the position and none before it: what they hold is within their width from it
    on. Two terms can be in one only if that is wider than they are apart, which is `closest` at least.
    Scratch has a place for each position.
    """
    place, term, passing, _, _, once, repeated = scratch
    alone = int64(0)
    for t in range(len(repeated)):
        alone |= repeated[t]
    groups = len(tables.group) - 1
    classes = tables.group[groups]
    for k in range(classes):
        if tables.widest[k] <= closest:
            can &= alone | ~(int64(1) << k)
    if can == 0:
        return 0
    for i in range(count):
        passing[i] = once[term[i]]
    span, near = place[count - 1] - place[0] + 1, int64(0)
    for g in range(groups):
        first, last = tables.group[g], tables.group[g + 1]
        some = can & ((int64(1) << last) - (int64(1) << first))
        if some == 0:
            continue
        if min(tables.widest[classes + g], span) * count <= _DENSE * span:
            near |= some
            continue
        one_of = int64(1) << (classes + g)
        found = _slide(count, classes + g, row, rows.level, tables, border, scratch, one_of)
        if found and found * _RARE < count:
            _mark_near(count, some, one_of, row, rows.level, tables, border, scratch)
            found = 0
        for k in range(first, last):
            if found and (some >> k) & 1:
                _slide(count, k, row, rows.level, tables, border, scratch, int64(1) << k)
    if near:
        _mark_near(count, near, 0, row, rows.level, tables, border, scratch)
    marked, of_classes = 0, (int64(1) << classes) - 1
    for i in range(count):
        passing[i] &= of_classes
        if passing[i] != 0:
            marked += 1
    return marked


@LoopStep
def mark_document(
    visited: int,
    row: int,
    rows: BoundedRows,
    tables: BoundTables,
    border: float,
    many: float,
    scratch: Scratch,
    counts: Ints,
) -> tuple[int, float]:
    """Write the positions of a document's terms, and which classes of units around them can reach the border.

    Returns how many positions there are, 0 if no unit can reach it, and what share of the positions was
    marked in the last few documents, which was `many` before: where nearly all are, they are not told apart.
    `counts` has a place for each thing that is counted, scratch for each position.
    """
    can = int64(-1)
    if border > -np.inf:
        can = _reaching(row, rows, tables, border, scratch.once, scratch.repeated)
        if can == 0:
            return 0, many
    count, closest = merge(row, rows, scratch)
    counts[SEEN] += count
    if border == -np.inf:
        for i in range(count):
            scratch.passing[i] = can
        marked = count
    elif many > _MANY and visited % _TRY:
        marked = _mark_all(count, can, scratch, tables)
    else:
        marked = _mark(count, closest, can, scratch, row, rows, tables, border)
        many += (marked / count - many) / 4
    counts[PASSED] += marked
    return (count if marked else 0), many


@LoopStep
def can_reach(present: int, row: int, rows: BoundedRows, tables: BoundTables, border: float) -> bool:
    """Say whether units of some classes, given as bits, can reach the border with all that a document has."""
    k = 0
    while present >> k:
        if (present >> k) & 1 and bounded_by(k, row, rows.level, tables, rows.frequency, row) >= border:
            return True
        k += 1
    return False


@LoopStep
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
