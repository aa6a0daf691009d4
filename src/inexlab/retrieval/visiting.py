"""The loops of pruned search: which documents have the terms, what they can score, and which units may do.

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
from inexlab.index.index import GONE_THROUGH, SOUND
from inexlab.index.scan import INLINE
from inexlab.index.widths import number_at
from inexlab.retrieval.candidates import Frequencies
from inexlab.tables import Bytes, Codes, Floats, Ints

DAMAGED = -2
SHIFT = 6  # units of a cut are looked up by blocks of 2 to the power of this of positions
_NOWHERE = np.int64((1 << 63) - 1)  # behind all positions
_NEAR = 64  # tokens over which units of a group may reach that are tried one by one
_FAR = 512  # and in which these are, where few have to be tried
_RARE = 6  # one in so many
_MANY = 0.5  # marks to a position: nearly as many units have to be looked at as there are
_TRY = 16  # documents, of which one is marked all the same
_FEW = 48  # positions of a unit, or tokens, that are counted one by one

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


class Scratch(NamedTuple):
    """Room for the positions of one document: where, of which term, and which classes of length may do."""

    place: Ints
    term: Codes
    passing: Codes


class Found(NamedTuple):
    """Room for units that may be among the best: number, row of its document, length, terms, frequencies."""

    unit: Ints
    row: Codes
    length: Codes
    terms: Codes
    frequency: Frequencies


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
def _merge(
    row: int, frequency: Frequencies, begin: Ints, positions: Ints, at: Ints, place: Ints, term: Codes
) -> int:
    """Write the positions of a document's terms in their order; return how many there are.

    `place` and `term` are as long as the document with the most positions needs, `at` as there are terms.
    """
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
    which: int,
    row: int,
    frequency: Frequencies,
    level: Levels,
    tables: BoundTables,
    border: float,
    base: Ints,
) -> bool:
    """Say whether units of a class or group can reach the border with all that their document has.

    `base` has a place for each term: where its numbers are in the tables.
    """
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
    count: int,
    place: Ints,
    term: Codes,
    tables: BoundTables,
    width: int,
    border: float,
    base: Ints,
    held: Ints,
    passing: Codes,
    only: int,
    bit: int,
) -> int:
    """Mark with a bit positions from which on a width holds enough to reach the border; return how many.

    `only` those that have another bit are. There are as many places in `passing` as positions, and in `held`
    and `base` as terms.
    """
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
    held: Ints,
) -> int:
    """Mark positions with the classes of a group whose units can reach the border; return how many marks.

    `only` those that have another bit are tried, one by one: the units of the group are short, or these few.
    Where no term is enough `alone`, another one has to be near. Scratch has a place for each position, `held`
    for each term.
    """
    place, term, passing = scratch
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
def _enough_alone(
    which: int, row: int, frequency: Frequencies, level: Levels, tables: BoundTables, border: float
) -> bool:
    """Say whether one term of a document is enough for units of a group to reach the border."""
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
    count: int,
    scratch: Scratch,
    row: int,
    frequency: Frequencies,
    level: Levels,
    tables: BoundTables,
    border: float,
    base: Ints,
    held: Ints,
) -> int:
    """Say for each position which classes of units can reach the border; return how many marks there are.

    These are units that hold the position and none before it: what they hold is within their width from it
    on. A group of classes is tried before the classes in it. Scratch has a place for each position.
    """
    place, term, passing = scratch
    for i in range(count):
        passing[i] = 0
    marked = 0
    groups = len(tables.group) - 1
    classes = tables.group[groups]
    for g in range(groups):
        which = classes + g
        if not _can_reach(which, row, frequency, level, tables, border, base):
            continue
        width, first, last = tables.widest[which], tables.group[g], tables.group[g + 1]
        if width <= _NEAR:
            alone = _enough_alone(which, row, frequency, level, tables, border)
            marked += _mark_near(count, scratch, g, row, level, tables, border, 0, alone, held)
            continue
        some = int64(1) << (first if last - first == 1 else which)
        found = _slide(count, place, term, tables, width, border, base, held, passing, 0, some)
        if last - first == 1:
            marked += found
        elif found and width <= _FAR and found * _RARE < count:
            marked += _mark_near(count, scratch, g, row, level, tables, border, some, True, held)
        elif found:
            for k in range(first, last):
                if _can_reach(k, row, frequency, level, tables, border, base):
                    bit = int64(1) << k
                    marked += _slide(
                        count, place, term, tables, tables.widest[k], border, base, held, passing, some, bit
                    )
    of_classes = (int64(1) << classes) - 1
    for i in range(count):
        passing[i] &= of_classes
    return marked


@Kernel
def _first_behind(positions: Ints, low: int, high: int, place: int) -> int:
    """Return the first of some positions that is at a place or behind it."""
    while low < high:
        middle = (low + high) >> 1
        if positions[middle] < place:
            low = middle + 1
        else:
            high = middle
    return low


@Kernel
def _count_in(
    i: int,
    count: int,
    end: int,
    many: bool,
    place: Ints,
    term: Codes,
    row: int,
    begin: Ints,
    document_frequency: Frequencies,
    positions: Ints,
    reach: Ints,
    out: Frequencies,
    at: int,
) -> int:
    """Write how often each term is in a unit that holds nothing before position i, and ends at `end`.

    A term that reaches over further tokens has to end in it. `out` has a place for each term at `at`. Returns
    how many positions there are.
    """
    terms = out.shape[1]
    held = 0
    if many:
        for t in range(terms):
            first = begin[row, t]
            last = first + int64(document_frequency[row, t])
            low = _first_behind(positions, first, last, place[i])
            high = _first_behind(positions, low, last, end - reach[t])
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
def _bounded_by(
    which: int, row: int, level: Levels, tables: BoundTables, frequency: Frequencies, at: int
) -> float:
    """Return what a unit of a class scores at most with the frequencies that it has."""
    terms, most, block = frequency.shape[1], tables.frequencies - 1, tables.levels * tables.frequencies
    score, value, often = 0.0, tables.value, tables.frequencies
    for t in range(terms):
        of = int64(level[row, t]) * often if level.shape[0] > 0 else int64(0)
        score += value[(which * terms + t) * block + of + min(int64(frequency[at, t]), most)]
    return score


@Kernel
def visit_elements(
    rows: Ints,
    border: float,
    document: Codes,
    frequency: Frequencies,
    begin: Ints,
    positions: Ints,
    bound: Floats,
    level: Levels,
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
    position before. While no further element begins, a climb goes on from where the last one found its token.
    """
    tag, back, first, tokens, different = columns
    of_tag, of_back, of_first, of_tokens, of_different = widths
    unit, of_row, unit_length, unique, unit_frequency = found
    room = len(unit)
    place, term, passing = scratch
    held, base = np.zeros(frequency.shape[1], dtype=np.int64), np.zeros(frequency.shape[1], dtype=np.int64)
    reach = np.zeros(frequency.shape[1], dtype=np.int64)  # phrases are in one element
    terms = frequency.shape[1]
    longest = len(class_of) - 1
    total, many = 0, 0.0
    for visited in range(len(rows)):
        row = rows[visited]
        if bound[row] < border:
            continue
        d = document[row]
        count = _merge(row, frequency, begin, positions, held, place, term)
        counts[SEEN] += count
        everything = border == -np.inf or (many > _MANY and visited % _TRY)
        if not everything:
            marked = _mark(count, scratch, row, frequency, level, tables, border, base, held)
            counts[PASSED] += marked
            many += (marked / count - many) / 4  # the mean of the last few documents
            if marked == 0:
                continue
        else:
            counts[PASSED] += count
        if checked[d] != SOUND:
            checked[d] = GONE_THROUGH
            counts[TESTED] += 1
        token_base, root = document_tokens[d], document_elements[d]
        size = document_elements[d + 1] - root
        here, climbed_from, held_by = int64(0), int64(-1), int64(0)
        before, start = int64(-1), total
        for i in range(count):
            token = place[i] - token_base
            if not everything and passing[i] == 0:
                before = token
                continue
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
                length = number_at(tokens, of_tokens, at_e)
                if begins + length > token:
                    if held_by < 0:
                        held_by = e
                    if begins <= before:
                        break
                    which = int64(class_of[min(length, longest)])
                    wide = everything or (passing[i] >> which) & 1
                    if wide and kinds[number_at(tag, of_tag, at_e)] != INLINE:
                        if total == room:
                            return visited, start
                        end, enough = token_base + begins + length, behind + _FEW
                        while behind < min(count, enough) and place[behind] < end:
                            held[term[behind]] += 1
                            behind += 1
                        if behind < enough or behind == count:
                            for t in range(terms):
                                unit_frequency[total, t] = held[t]
                        else:
                            _count_in(
                                i,
                                count,
                                end,
                                True,
                                place,
                                term,
                                row,
                                begin,
                                frequency,
                                positions,
                                reach,
                                unit_frequency,
                                total,
                            )
                        if _bounded_by(which, row, level, tables, unit_frequency, total) >= border:
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
    return len(rows), total


@Kernel
def visit_cut(
    rows: Ints,
    border: float,
    document: Codes,
    frequency: Frequencies,
    begin: Ints,
    positions: Ints,
    bound: Floats,
    level: Levels,
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
    place, term, passing = scratch
    held, base = np.zeros(frequency.shape[1], dtype=np.int64), np.zeros(frequency.shape[1], dtype=np.int64)
    longest = len(class_of) - 1
    total, many = 0, 0.0
    for visited in range(len(rows)):
        row = rows[visited]
        if bound[row] < border:
            continue
        count = _merge(row, frequency, begin, positions, held, place, term)
        counts[SEEN] += count
        everything = border == -np.inf or (many > _MANY and visited % _TRY)
        if not everything:
            marked = _mark(count, scratch, row, frequency, level, tables, border, base, held)
            counts[PASSED] += marked
            many += (marked / count - many) / 4  # the mean of the last few documents
            if marked == 0:
                continue
        else:
            counts[PASSED] += count
        before, start = document_tokens[document[row]] - 1, total
        for i in range(count):
            if everything or passing[i] != 0:
                u = int64(near[place[i] >> SHIFT])
                while u < units and last[u] <= place[i]:
                    u += 1
                while u < units and first[u] <= place[i]:
                    which = int64(class_of[min(int64(length[u]), longest)])
                    if first[u] > before and (everything or (passing[i] >> which) & 1):
                        if total == room:
                            return visited, start
                        held_here = _count_in(
                            i,
                            count,
                            last[u],
                            last[u] - first[u] > _FEW,
                            place,
                            term,
                            row,
                            begin,
                            frequency,
                            positions,
                            reach,
                            unit_frequency,
                            total,
                        )
                        reaches = _bounded_by(which, row, level, tables, unit_frequency, total) >= border
                        if held_here and reaches:
                            unit[total] = u
                            of_row[total] = row
                            unit_length[total] = length[u]
                            unique[total] = different[u]
                            total += 1
                    u += 1
            before = place[i]
    return len(rows), total
