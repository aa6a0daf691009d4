"""A cut: units that are intervals of the axis and of the text, with what models need to know of them.

A cut is made when it is first asked for, and kept with the index, in a folder of its own. Units come in the
order of the text; they may overlap, but none begins or ends before one that comes earlier.
"""

from __future__ import annotations

import contextlib
import functools
import json
import shutil
import tempfile
import threading
import zlib
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from inexlab.accelerate import Kernel, blocks
from inexlab.index.blocks import Array
from inexlab.index.characters import int64
from inexlab.index.index import Index
from inexlab.index.inference import keep_inferred
from inexlab.index.store import BESIDE, files_folder
from inexlab.retrieval.candidates import Candidates, Frequencies
from inexlab.retrieval.layout import Layout, LayoutRules, lay_out
from inexlab.retrieval.offers import LengthClasses, classes_of_lengths
from inexlab.retrieval.scratch import ReusedArrays
from inexlab.retrieval.visiting import SHIFT
from inexlab.tables import Bytes, Codes, Ints

_VERSION = 3
_MOST_AT_ONCE = 1 << 22  # units that hold positions, for which numpy takes memory


class Places(NamedTuple):
    """Where units are: tokens from `first` to before `last`, characters from `start` to before `end`."""

    first: Codes
    last: Codes
    start: Codes
    end: Codes

    def first_of(self, count: int) -> Places:
        """Return the first so many."""
        return Places(*(column[:count] for column in self))


def no_places(room: int) -> Places:
    """Return room for so many units."""
    return Places(*(np.empty(room, dtype=np.int32) for _ in range(4)))


@dataclass(frozen=True)
class Cut:
    """Units of one kind, of all documents: columns by unit.

    `first` and `last` are positions on the axis, `start` and `end` characters of the document, `length`
    counts tokens that have a term, `terms` different ones. `near` is, for each block of positions, the first
    unit that ends behind its beginning, `most` the largest number of units that hold a position. `holding` is
    how many units hold each term of the index.
    """

    first: Ints
    last: Ints
    start: Codes
    end: Codes
    length: Codes
    terms: Codes
    holding: Codes
    near: Codes
    most: int

    @functools.cached_property
    def classes(self) -> LengthClasses:
        """The units by their lengths, for bounds."""
        return classes_of_lengths(self.length, self.last - self.first)

    def __len__(self) -> int:
        return len(self.first)


_STORED = ("first", "last", "start", "end", "length", "terms", "holding", "near")


def cut_of(index: Index, name: str, rules: LayoutRules, cut: Callable[[Layout], Places]) -> Cut:
    """Return a cut of an index: the one in memory, the one kept with the index, or a new one."""
    key = cut_key(name, rules)
    known: dict[str, Cut] = index.kept.setdefault("cuts", {})
    if key not in known:
        folder = _folder(index, key)
        found = _load(index, folder)
        if found is None:
            made = make_cut(index, rules, cut)
            _save(index, folder, made)
            keep_inferred(index)  # which whoever uses the cut needs, too
            found = _load(index, folder) or made  # on disk it takes no memory of this process
            vars(index).pop("guide", None)  # nor does a guide that nobody may need any more
        known[key] = found
    return known[key]


def cut_key(name: str, rules: LayoutRules) -> str:
    """Return what tells a cut from others of one index."""
    return f"{name}{'+outside' if rules.outside else ''}{'+apart' if rules.apart else ''}"


def make_cut(index: Index, rules: LayoutRules, cut: Callable[[Layout], Places]) -> Cut:
    """Cut all documents, and count the terms of every unit."""
    pieces: list[tuple[Array, ...]] = []
    for layout in lay_out(index, rules):
        places = cut(layout)
        axis = (places.first.astype(np.int64) + layout.base, places.last.astype(np.int64) + layout.base)
        pieces.append((*axis, places.start.copy(), places.end.copy()))
    none = tuple(np.zeros(0, dtype=dtype) for dtype in (np.int64, np.int64, np.int32, np.int32))
    first, last, start, end = (np.concatenate(column) for column in zip(none, *pieces, strict=True))
    length, terms = np.zeros(len(first), dtype=np.int32), np.zeros(len(first), dtype=np.int32)
    near = _near(last, index.tokens)
    data = index.array("positions")
    borders = index.borders("positions-from", len(data)).astype(np.int64)
    if len(borders) != len(index.terms) + 1:
        raise index.damaged("positions-from")
    holding = np.zeros(len(borders) - 1, dtype=np.int32)
    count = _count_terms.for_work(20 * index.tokens)
    for part in blocks(len(borders) - 1):
        some = borders[part.start : part.stop + 1]
        if not count(data, some, index.tokens, first, last, near, length, terms, holding[part]):
            raise index.damaged("positions", "positions-from")
    kept = np.flatnonzero(length)  # what has no term is not a unit
    if len(kept) < len(first):
        first, last, start, end, length, terms = (
            column[kept] for column in (first, last, start, end, length, terms)
        )
    return _complete(first, last, start, end, length, terms, holding, _near(last, index.tokens))


def _complete(
    first: Ints,
    last: Ints,
    start: Codes,
    end: Codes,
    length: Codes,
    terms: Codes,
    holding: Codes,
    near: Codes,
) -> Cut:
    return Cut(first, last, start, end, length, terms, holding, near, _most(first, last))


def _most(first: Ints, last: Ints) -> int:
    """Return the largest number of units that hold a position, 1 if there are none."""

    def are_enough(count: int) -> bool:
        """Whether every unit has ended where the one begins that comes so many later."""
        return bool(np.all(first[count:] >= last[: max(len(last) - count, 0)]))

    enough = 1
    while not are_enough(enough):
        enough *= 2
    return bisect_left(range(enough + 1), True, lo=enough // 2 + 1, key=are_enough)


def _near(last: Ints, tokens: int) -> Codes:
    begins = np.arange((tokens >> SHIFT) + 1, dtype=np.int64) << SHIFT
    return np.searchsorted(last, begins, side="right").astype(np.int32)


@Kernel
def _count_terms(
    data: Bytes,
    borders: Ints,
    tokens: int,
    first: Ints,
    last: Ints,
    near: Codes,
    length: Codes,
    terms: Codes,
    holding: Codes,
) -> bool:
    """Add up tokens and different terms of units, for some terms by their positions; False for damaged ones.

    Positions are compared with the number of tokens before they are looked up; every column of units has a
    place for each of them, and `holding`, which is how many hold a term, one for each term.
    """
    units = len(first)
    for t in range(len(borders) - 1):
        position, number, shift = int64(-1), int64(0), 0
        counted = -1  # the last unit that has this term
        for k in range(borders[t], borders[t + 1]):
            b = int64(data[k])
            if b < 128:
                number |= b << shift
                shift += 7
                continue
            position += number | ((b & 127) << shift)
            number, shift = int64(0), 0
            if position < 0 or position >= tokens:
                return False
            u = int64(near[position >> SHIFT])
            while u < units and last[u] <= position:
                u += 1
            while u < units and first[u] <= position:
                length[u] += 1
                if u > counted:
                    terms[u] += 1
                    holding[t] += 1
                    counted = u
                u += 1
    return True


def _folder(index: Index, key: str) -> Path:
    safe = "".join(c if c.isalnum() or c in "-+" else "_" for c in key)
    return files_folder(index.folder) / BESIDE / safe


def _save(index: Index, folder: Path, cut: Cut) -> None:
    """Keep a cut with the index, in the place of a damaged one, or of one of an index that was there.

    If it cannot be written, it is made again the next time.
    """
    with contextlib.suppress(OSError):
        folder.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".", dir=folder.parent) as name:
            space = Path(name) / "cut"
            space.mkdir()
            entries = {}
            for column in _STORED:
                values = np.ascontiguousarray(getattr(cut, column))
                (space / f"{column}.bin").write_bytes(values.data)
                entries[column] = {"crc32": zlib.crc32(values.data)}
            content = {**_identity(index), "units": len(cut), "columns": entries}
            (space / "cut.json").write_text(json.dumps(content), encoding="utf-8")
            shutil.rmtree(folder, ignore_errors=True)
            space.replace(folder)


def _identity(index: Index) -> dict[str, int]:
    """Return what tells this way to cut this index from others, as one may take the place of another."""
    return {"version": _VERSION, "index": index.identity}


def _load(index: Index, folder: Path) -> Cut | None:
    """Return the cut in a folder, mapped into memory; None if there is none, or it is damaged."""
    dtypes = {"first": np.int64, "last": np.int64}
    lengths = {"holding": len(index.terms), "near": (index.tokens >> SHIFT) + 1}
    try:
        content = json.loads((folder / "cut.json").read_text(encoding="utf-8"))
        if any(content[key] != value for key, value in _identity(index).items()):
            return None
        columns: list[Array] = []
        for column in _STORED:
            length, path = lengths.get(column, content["units"]), folder / f"{column}.bin"
            dtype = np.dtype(dtypes.get(column, np.int32))
            if path.stat().st_size != length * dtype.itemsize:
                return None
            values = np.asarray(np.memmap(path, dtype, "r")) if length else np.zeros(0, dtype=dtype)
            if zlib.crc32(values.data) != content["columns"][column]["crc32"]:
                return None
            columns.append(values)
        return _complete(*columns) if _can_be(index, *columns) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _can_be(
    index: Index,
    first: Ints,
    last: Ints,
    _start: Codes,
    _end: Codes,
    length: Codes,
    terms: Codes,
    _holding: Codes,
    near: Codes,
) -> bool:
    """Whether columns can be those of a cut, whatever their checksums say: compiled loops trust them.

    Units are in order and on the axis, and have as many tokens with a term as they can.
    """
    in_order = all(np.all(column[1:] >= column[:-1]) for column in (first, last))
    on_axis = np.all(first >= 0) and np.all(first < last) and np.all(last <= index.tokens)
    counted = np.all(length >= terms) and np.all(terms > 0) and np.all(length <= last - first)
    return bool(in_order and on_axis and counted and np.all(near >= 0))


class _Slots(threading.local):
    """A place for every unit, -1 in all, for one query after the other."""

    def __init__(self) -> None:
        self._slots: Codes = np.empty(0, dtype=np.int32)

    def take(self, units: int) -> Codes:
        """Return places for so many units; a query that breaks off spoils them, and gives none back."""
        slots, self._slots = self._slots, np.empty(0, dtype=np.int32)
        return slots if len(slots) >= units else np.full(units, -1, dtype=np.int32)

    def give_back(self, slots: Codes) -> None:
        """Take back places that are all -1 again."""
        self._slots = slots


_slots, _scratch = _Slots(), ReusedArrays(np.int64, np.int32)


def flat_candidates(
    index: Index, cut: Cut, positions: Sequence[Ints], reach: Sequence[int]
) -> tuple[Candidates, Ints]:
    """Return the units of a cut that hold a term, and how many hold each.

    A term is given by its positions; one that reaches over so many further tokens, a phrase, counts in units
    that hold all of it. The columns are views of room that no further call writes into while anyone has
    them.
    """
    total = sum(map(len, positions))
    borders = np.cumsum([0, *map(len, positions)], dtype=np.int64)
    joined = np.concatenate([*positions, np.zeros(0, dtype=np.int64)])
    rows = min(len(cut), total * cut.most)
    unit, flat = _scratch.room(rows, rows * len(positions))
    frequency = flat[: rows * len(positions)].reshape(rows, len(positions))
    holding = np.zeros(len(positions), dtype=np.int64)
    reaches = np.array(reach, dtype=np.int64)
    walk, slots = _walk.for_work(10 * total * cut.most), _slots.take(len(cut))
    columns = cut.first, cut.last, cut.near
    count = walk(joined, borders, reaches, index.tokens, *columns, slots, unit, frequency, holding)
    _slots.give_back(slots)
    if count < 0:
        raise index.damaged("positions")
    unit, frequency = unit[:count], frequency[:count]
    of_documents = document_frequencies.for_work(4 * total)(joined, borders, index.document_tokens)
    document = (np.searchsorted(index.document_tokens, cut.first[unit], side="right") - 1).astype(np.int32)
    alone = np.full(count, -1, dtype=np.int32)
    found = Candidates(
        unit,
        document,
        frequency,
        alone,
        document,
        cut.length[unit],
        cut.terms[unit],
        of_documents,
        index.document_lengths,
    )
    return found, holding


@Kernel
def _walk(
    positions: Ints,
    borders: Ints,
    reach: Ints,
    tokens: int,
    first: Ints,
    last: Ints,
    near: Codes,
    slot: Codes,
    unit: Ints,
    frequency: Frequencies,
    holding: Ints,
) -> int:
    """Count terms in units; return how many units have any, or -1 for positions that cannot be.

    `slot` has a place for every unit, -1 in all of them before and after. A position adds as many rows as
    there are units that hold it at most, and there is room for that, or for all units.
    """
    units, terms = len(first), len(borders) - 1
    count = 0
    sound = True
    for t in range(terms):
        for k in range(borders[t], borders[t + 1]):
            position = positions[k]
            if position < 0 or position >= tokens:
                sound = False
                break
            u = int64(near[position >> SHIFT])
            while u < units and last[u] <= position:
                u += 1
            while u < units and first[u] <= position:
                if position + reach[t] < last[u]:
                    row = slot[u]
                    if row < 0:
                        row = count
                        slot[u] = count
                        unit[count] = u
                        for other in range(terms):
                            frequency[count, other] = 0
                        count += 1
                    if frequency[row, t] == 0:
                        holding[t] += 1
                    frequency[row, t] += 1
                u += 1
    for row in range(count):
        slot[unit[row]] = -1
    return count if sound else -1


@_walk.with_numpy
def _walk_all(
    positions: Ints,
    borders: Ints,
    reach: Ints,
    tokens: int,
    first: Ints,
    last: Ints,
    near: Codes,
    slot: Codes,
    unit: Ints,
    frequency: Frequencies,
    holding: Ints,
) -> int:
    if len(positions) and (positions.min() < 0 or positions.max() >= tokens):
        return -1
    terms = len(borders) - 1
    # the units that have begun, but not ended, at each position: those from `begin` to before `end`
    begin = np.searchsorted(last, positions, side="right")
    end = np.searchsorted(first, positions, side="right")
    times = np.maximum(end - begin, 0)
    if times.sum() > _MOST_AT_ONCE:
        return _walk(positions, borders, reach, tokens, first, last, near, slot, unit, frequency, holding)
    row = np.repeat(np.arange(len(positions)), times)
    held = np.arange(len(row)) - np.repeat(np.cumsum(times) - times, times) + begin[row]
    term = np.searchsorted(borders, row, side="right") - 1
    if reach.any():
        inside = positions[row] + reach[term] < last[held]
        held, term = held[inside], term[inside]
    found, where = _in_order_of_appearance(held)
    count = len(found)
    unit[:count] = found
    frequency[:count] = np.bincount(where * terms + term, minlength=count * terms).reshape(count, terms)
    holding += np.count_nonzero(frequency[:count], axis=0)
    return count


def _in_order_of_appearance(numbers: Ints) -> tuple[Ints, Ints]:
    """Return the different numbers, in the order of their first appearance, and which of them each one is."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    is_first = np.diff(ordered, prepend=-1) != 0
    appears = order[is_first]
    rank = np.empty(len(appears), dtype=np.int64)
    rank[np.argsort(appears)] = np.arange(len(appears))
    where = np.empty(len(numbers), dtype=np.int64)
    where[order] = rank[np.cumsum(is_first) - 1]
    return numbers[np.sort(appears)], where


@Kernel
def document_frequencies(positions: Ints, borders: Ints, document_tokens: Ints) -> Frequencies:
    """Return how often each document has each term; positions of a term are in order, and in documents.

    There is a place for every document, and none beyond the last is looked at.
    """
    terms, documents = len(borders) - 1, len(document_tokens) - 1
    frequency = np.zeros((documents, terms), dtype=np.int32)
    for t in range(terms):
        d = 0
        for k in range(borders[t], borders[t + 1]):
            while d + 1 < documents and document_tokens[d + 1] <= positions[k]:
                d += 1
            frequency[d, t] += 1
    return frequency


@document_frequencies.with_numpy
def _document_frequencies(positions: Ints, borders: Ints, document_tokens: Ints) -> Frequencies:
    terms, documents = len(borders) - 1, len(document_tokens) - 1
    document = np.searchsorted(document_tokens[1:-1], positions, side="right")
    term = np.repeat(np.arange(terms), np.diff(borders))
    counts = np.bincount(document * terms + term, minlength=documents * terms)
    return counts.reshape(documents, terms).astype(np.int32)
