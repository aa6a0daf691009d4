"""Exact top-k: the best units of a query, without scoring what cannot be among them.

A document bounds what is in it: no unit has a term more often than its document. Documents that promise most
come first; what is among the best so far is the border that others have to reach. In a document a position
bounds the units that begin before it, as `visiting` says. Only what may reach the border is scored, by the
model itself, so that results are the same to the last digit. Bounds are below the border by more than
rounding can make up before anything is left out.

A task may count fewer than all units, such as those that do not overlap better ones. What counts is decided
document by document, so it can be known while others have not been visited.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from inexlab.index.guide import Mask
from inexlab.index.index import Index
from inexlab.retrieval.bounding import (
    DAMAGED,
    PASSED,
    SEEN,
    TESTED,
    BoundedRows,
    BoundTables,
    Levels,
    Scratch,
    bound_rows,
    gather,
    share_levels,
)
from inexlab.retrieval.candidates import Candidates
from inexlab.retrieval.model import Statistics, Weighting
from inexlab.retrieval.terms import QueryTerms
from inexlab.retrieval.visiting import Found
from inexlab.tables import Codes, Floats, Ints, distinct

WORTH = 6000  # positions of a query's terms: fewer are sooner scored than bounded
MARGIN = 1e-9  # of the scores that are compared: what rounding of a few terms can make up is less
_LEVELS = 17  # of the share of a term in an article: none, up to 1/32768, … 1
_ROOM = 1 << 12  # units that are scored at once, at first
_FIRST = 8  # documents that are visited before there is a border, at least
_STEP = 64  # documents that are visited next before the border is moved
_GROWTH = 4  # times as many as before are visited then
_PROMISING = 16  # results wanted, for each of which there is one of these documents, or two of the next ones
_EXACT = 16  # frequencies up to this are bounded one by one, larger ones by steps of a quarter
_MOST = 255  # and those from this one on together
_CLASSES = 6  # of units of a cut or a list by their lengths

# the shares of a term in an article that bound others, in parts of the last one
_SHARES: Codes = np.array([0, *(1 << np.arange(1, _LEVELS))], dtype=np.int32)

Count = Callable[[Ints, Codes, Floats], Floats]
Fits = Callable[[Ints], Mask]
Score = Callable[[Candidates], Floats]


class LengthClasses(NamedTuple):
    """Units by their lengths: where each class begins, and over how many tokens its units reach."""

    least: Ints
    widest: Ints
    group: Ints  # where each group of classes begins that are tried together, and the end

    def of(self) -> Levels:
        """Return the class of each length, the last one for all that are longer."""
        lengths = np.arange(int(self.least[-1]) + 1)
        return (np.searchsorted(self.least, lengths, side="right") - 1).clip(0).astype(np.uint8)


def element_classes(tokens: int) -> LengthClasses:
    """Return classes for elements, whose lengths are the tokens that they reach over."""
    least = np.array([1, 3, 5, 9, 17, 33, 65, 129, 257, 513, 1025], dtype=np.int64)
    widest = np.append(least[1:] - 1, max(tokens, 1))
    return LengthClasses(least, widest, np.array([0, 5, 8, 10, 11], dtype=np.int64))


def classes_of_lengths(length: Codes | Ints, width: Ints) -> LengthClasses:
    """Divide units of some lengths and widths into classes with about as many of them each."""
    if not len(length):
        one = np.ones(1, dtype=np.int64)
        return LengthClasses(one, one, np.array([0, 1], dtype=np.int64))
    shares = np.linspace(0, 1, _CLASSES, endpoint=False)
    # the shortest ones, which score most, are told apart more finely
    places = (shares**2 * (len(length) - 1)).astype(np.int64)
    up_to = np.cumsum(np.bincount(length))  # how many are so long at most
    least = distinct(np.searchsorted(up_to, places, side="right"))
    widest = np.zeros(len(up_to), dtype=np.int64)  # of each length
    np.maximum.at(widest, length, width)
    group = np.array([0, len(least)], dtype=np.int64)
    return LengthClasses(least, np.maximum.reduceat(widest, least), group)


@dataclass
class QueryProfile:
    """What a query took: documents that have its terms, those visited, and how many positions and units.

    Of the `positions` of its terms those of visited documents were `seen`, and those `passed` around which
    units could be among the best. Of the units that were
    `scored` so many `reached` the best so far. `everything` says why all units were scored, if they were.
    """

    documents: int = 0
    visited: int = 0
    positions: int = 0
    seen: int = 0
    passed: int = 0
    scored: int = 0
    reached: int = 0
    everything: str = ""
    border: float = field(default=-np.inf)

    def __str__(self) -> str:
        if self.everything:
            return f"all units with its words were scored, as {self.everything}"
        return (
            f"{self.documents:,} documents have its words, {self.positions:,} times; "
            f"visited {self.visited:,} documents ({self.seen:,} words), scored {self.scored:,} units, "
            f"{self.reached:,} of them among the best so far; the last of the best scores {self.border:.4g}"
        )


class Bounds(NamedTuple):
    """What a model bounds the terms of a query by; the bounds of a unit add up to no more than `largest`."""

    tables: BoundTables
    largest: float

    def margin(self, positions: int = 0, added: float = 0.0) -> float:
        """Return how much less than a score its bound can be, as sums are rounded; to which so much is added.

        In documents with so many positions each is added to a sum and taken away again: rounding of either by
        half of epsilon, and as much in the difference that is added.
        """
        return (MARGIN + 4 * positions * float(np.finfo(np.float64).eps)) * (self.largest + added)


def _buckets() -> tuple[Ints, Ints]:
    """Return the bucket of each frequency, and the largest one in each bucket."""
    largest = list(range(_EXACT + 1))
    while largest[-1] < _MOST - 1:
        largest.append(min(_MOST - 1, largest[-1] + largest[-1] // 4))
    bucket = np.searchsorted(largest, np.arange(_MOST))
    # the last one is for whatever is more often in a unit
    return np.append(bucket, len(largest)), np.array([*largest, (1 << 31) - 1], dtype=np.int64)


_BUCKET, _LARGEST = _buckets()


def bounds(weighting: Weighting, statistics: Statistics, classes: LengthClasses) -> Bounds | None:
    """Return what a model bounds the terms of a query by; None if it does not, or not by numbers."""
    if weighting.model.bound is None:
        return None
    try:
        # where an article without the term is as good as one that has nothing else, articles do not matter
        value = _values(weighting, statistics, classes, _SHARES[[0, -1]])
        if (value[:, :, 0] == value[:, :, 1]).all():
            value = value[:, :, :1]
        else:
            value = _values(weighting, statistics, classes, _SHARES)
    except ZeroDivisionError:  # which compiled code raises
        return None
    if not np.isfinite(value).all():
        return None
    groups = list(pairwise(classes.group.tolist()))
    of_groups = [value[a:b].max(axis=0) for a, b in groups]
    value = np.concatenate((value, np.stack([*of_groups, value.max(axis=0)])))[..., _BUCKET]
    gain = np.zeros_like(value)
    np.subtract(value[..., 1:], value[..., :-1], out=gain[..., :-1])
    widest = [int(classes.widest[a:b].max()) for a, b in groups]
    tables = BoundTables(
        value.reshape(-1),
        gain.reshape(-1),
        np.array([*classes.widest.tolist(), *widest, max(widest)], dtype=np.int64),
        classes.group,
        value.shape[2],
        value.shape[3],
    )
    return Bounds(tables, float(np.abs(value).max(axis=(0, 2, 3)).sum()))


def _values(weighting: Weighting, statistics: Statistics, classes: LengthClasses, shares: Codes) -> Floats:
    """Return the bounds of units that are made up: by classes of length, terms, shares and frequencies."""
    offered = weighting.model.bound
    assert offered is not None
    shape = len(classes.least), len(shares), len(_LARGEST)
    often = np.minimum(_LARGEST[None, :], classes.widest[:, None])
    length = np.minimum(np.maximum(classes.least[:, None], often), _LARGEST[-1])
    tf, lengths = (
        np.broadcast_to(column[:, None, :], shape).astype(np.int32).reshape(-1) for column in (often, length)
    )
    level = np.broadcast_to(np.arange(len(shares), dtype=np.int32)[None, :, None], shape).reshape(-1)
    none = np.full(len(tf), -1, dtype=np.int32)
    made_up = Candidates(
        np.zeros(len(tf), dtype=np.int64),
        none,
        tf[:, None],
        none,
        level,
        lengths,
        lengths,
        shares[:, None],
        np.full(len(shares), _SHARES[-1], dtype=np.int32),
    )
    found = np.empty((shape[0], len(statistics.weight), *shape[1:]))
    with np.errstate(all="ignore"):
        for t in range(len(statistics.weight)):
            one = offered(made_up, _of_term(statistics, t), **weighting.parameters).reshape(shape)
            found[:, t] = one[:, :1, :1] if statistics.weight[t] < 0 else one
    return found


def _of_term(s: Statistics, t: int) -> Statistics:
    one = slice(t, t + 1)
    return Statistics(
        s.units, s.mean_length, s.mean_terms, s.tokens, s.units_with[one], s.frequency[one], s.weight[one]
    )


Visit = Callable[..., tuple[int, int]]


class DocumentVisitor(NamedTuple):
    """How the units of one kind are found: a loop, what it is given beyond what all are, and classes."""

    visit: Visit
    arguments: tuple[object, ...]
    classes: LengthClasses
    check: Callable[[], None]  # called where documents were gone through that had not been compared before


def best_units(
    index: Index,
    visitor: DocumentVisitor,
    terms: QueryTerms,
    limit: int,
    offered: Bounds,
    score: Score,
    *,
    documents: Ints | None = None,
    count: Count | None = None,
    added: Floats | None = None,
    profile: QueryProfile | None = None,
) -> tuple[Ints, Codes, Floats]:
    """Return all units that score as much as the last of the best that count; and some more.

    What each document has `added` to the scores of its units is in what `score` returns. `count` returns the
    scores of the units that count among those of some documents. Columns are the units' numbers, their
    documents and scores, in no order.
    """
    profile = profile if profile is not None else QueryProfile()
    rows = DocumentRows(index, terms, documents)
    bounded, likely = rows.bounded(index, offered, visitor.classes, added)
    bound = bounded.bound
    search = _Search(index, visitor, bounded, offered, score, count, limit, profile)
    profile.documents, profile.positions = len(rows.document), len(rows.positions)
    begin = max(_FIRST, limit // _PROMISING)
    if len(bound) > 2 * begin:
        some, step = np.argpartition(likely, -begin)[-begin:], max(_STEP, 2 * begin)
        search.visit(some)
        left = np.ones(len(bound), dtype=np.bool_)
        while len(some):
            left[some] = False
            some = np.flatnonzero(left & (bound >= search.border))
            if len(some) > 2 * step:
                some = np.sort(some[np.argpartition(bound[some], -step)[-step:]])
            search.visit(some)
            step *= _GROWTH
    else:
        search.visit(np.argsort(-likely))
    return search.best()


class DocumentRows:
    """The documents that have any of the terms: one row each."""

    def __init__(self, index: Index, terms: QueryTerms, documents: Ints | None) -> None:
        count, places = len(index.documents), terms.positions
        total = sum(map(len, places))
        self.borders = np.cumsum([0, *map(len, places)], dtype=np.int64)
        self.positions = places[0] if len(places) == 1 else np.concatenate(places)
        wanted = np.ones(count, dtype=np.uint8)
        if documents is not None:
            wanted[:] = 0
            wanted[documents] = 1
        room = min(count, total)
        document = np.empty(room, dtype=np.int32)
        frequency, begin = (np.empty((room, len(places)), dtype=d) for d in (np.int32, np.int64))
        rows = gather.for_work(4 * total)(
            self.positions, self.borders, index.document_tokens, wanted, document, frequency, begin
        )
        if rows == DAMAGED:
            raise index.damaged("positions")
        self.document, self.frequency, self.begin = document[:rows], frequency[:rows], begin[:rows]

    def bounded(
        self, index: Index, offered: Bounds, classes: LengthClasses, added: Floats | None = None
    ) -> tuple[BoundedRows, Floats]:
        """Return what bounds the units of each document, and what they are likely to score at most."""
        rows, levels = self.frequency.shape[0], offered.tables.levels
        level = np.zeros((0, self.frequency.shape[1]), dtype=np.uint8)
        if levels > 1:
            level = share_levels.for_work(4 * self.frequency.size)(
                self.document, self.frequency, index.document_tokens, levels
            )
        bound, likely = np.empty(rows), np.empty(rows)
        bound_rows.for_work(4 * self.frequency.size)(
            self.frequency,
            level,
            offered.tables,
            min(4, len(classes.least) - 1),
            bound,
            likely,
        )
        more = np.zeros(rows) if added is None else added[self.document]
        bound += more
        likely += more
        found = self.document, self.frequency, self.begin, self.positions
        return BoundedRows(*found, bound, level, more), likely


class _Search:
    """A search at work: what was found so far, and the border that more has to reach."""

    def __init__(
        self,
        index: Index,
        visitor: DocumentVisitor,
        rows: BoundedRows,
        offered: Bounds,
        score: Score,
        count: Count | None,
        limit: int,
        profile: QueryProfile,
    ) -> None:
        self._index, self._visitor, self._rows, self._offered = index, visitor, rows, offered
        self._score, self._count, self._limit, self._profile = score, count, limit, profile
        terms, most = rows.frequency.shape[1], int(rows.frequency.sum(axis=1).max(initial=0))
        self._margin = offered.margin(most, float(np.abs(rows.added).max(initial=0.0)))
        self._scratch = _scratch(most, terms)
        self._found = _room(_ROOM, terms)
        self._class_of = visitor.classes.of()
        self._counted = np.zeros(0)  # the scores of the best that count
        self._pool: list[tuple[Ints, Codes, Floats]] = []
        self._lengths: Codes = np.zeros(len(rows.document), dtype=np.int32)
        self.border = -np.inf

    def visit(self, rows: Ints) -> None:
        """Visit some documents, in this order."""
        counts = np.zeros(3, dtype=np.int64)
        at = 0
        while at < len(rows):
            some = rows[at:]
            gone, count = self._call(some, counts)
            if count == DAMAGED:
                raise self._index.damaged("positions", "element-parent")
            if gone == 0 and len(some):
                if len(self._found.unit) < 1 << 30:
                    self._found = _room(4 * len(self._found.unit), self._found.frequency.shape[1])
                continue
            if counts[TESTED]:
                self._visitor.check()
                counts[TESTED] = 0
            self._profile.visited += int(np.count_nonzero(self._rows.bound[some[:gone]] >= self.border))
            self._take(count)
            at += gone
        self._profile.seen += int(counts[SEEN])
        self._profile.passed += int(counts[PASSED])

    def _call(self, some: Ints, counts: Ints) -> tuple[int, int]:
        return self._visitor.visit(
            some,
            self.border,
            self._rows,
            self._offered.tables,
            self._class_of,
            self._index.document_tokens,
            *self._visitor.arguments,
            counts,
            self._scratch,
            self._found,
        )

    def _take(self, count: int) -> None:
        """Score units that were found, and move the border."""
        if not count:
            return
        room = self._found
        unit, row, frequency = room.unit[:count], room.row[:count], room.frequency[:count]
        roots = self._rows.document[row]
        found = Candidates(
            unit,
            roots,
            frequency,
            np.full(count, -1, dtype=np.int32),
            row,
            room.length[:count],
            room.terms[:count],
            self._rows.frequency,
            self._article_lengths(),
        )
        scores = self._score(found)
        self._profile.scored += count
        kept = np.flatnonzero((scores >= self.border) & (scores > -np.inf))
        if not len(kept):
            return
        self._profile.reached += len(kept)
        best = unit[kept], roots[kept], scores[kept]
        self._pool.append(best)
        counting = best[2] if self._count is None else self._count(*best)
        counted = np.concatenate((self._counted, counting))
        if len(counted) >= self._limit:
            counted = np.partition(counted, len(counted) - self._limit)[len(counted) - self._limit :]
            # rounding is made up for
            self.border = float(counted.min()) - self._margin
            self._profile.border = float(counted.min())
        self._counted = counted

    def _article_lengths(self) -> Codes:
        if not self._lengths.any():
            tokens = self._index.document_tokens
            document = self._rows.document
            self._lengths[:] = tokens[document + 1] - tokens[document]
        return self._lengths

    def best(self) -> tuple[Ints, Codes, Floats]:
        """Return all that was found and reaches the border."""
        nothing = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0)
        unit, document, score = (np.concatenate(column) for column in zip(nothing, *self._pool, strict=True))
        kept = score >= self.border
        return unit[kept], document[kept], score[kept]


def _scratch(positions: int, terms: int) -> Scratch:
    term, passing = (np.empty(positions, dtype=np.int32) for _ in range(2))
    of_terms = (np.empty(terms, dtype=np.int64) for _ in range(4))
    return Scratch(np.empty(positions, dtype=np.int64), term, passing, *of_terms)


def _room(units: int, terms: int) -> Found:
    row, length, different = (np.empty(units, dtype=np.int32) for _ in range(3))
    unit, frequency = np.empty(units, dtype=np.int64), np.empty((units, terms), dtype=np.int32)
    return Found(unit, row, length, different, frequency)
