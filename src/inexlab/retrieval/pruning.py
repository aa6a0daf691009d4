"""Exact top-k: the best units of a query, without scoring what cannot be among them.

A document bounds what is in it: no unit has a term more often than its document. Documents that promise most
come first; what is among the best so far is the border that others have to reach. In a document a position
bounds the units that begin before it, as `visiting` says. Only what may reach the border is scored, by the
model itself, so that results are the same to the last digit. Bounds are below the border by more than
rounding can make up before anything is left out.

A task may count fewer than all units, such as those that do not overlap better ones. Mostly that is decided
document by document, so it can be known while others have not been visited. Where it depends on units of
other documents, such as better ones with the same text, what is found later may take away from what counted.
So the border is a guess then: all that reaches it has been found in the end, which shows whether enough of it
counts. If not, more is searched for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
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
    Scratch,
    bound_rows,
    gather,
    share_levels,
)
from inexlab.retrieval.candidates import Candidates
from inexlab.retrieval.offers import Bounds, LengthClasses
from inexlab.retrieval.terms import QueryTerms
from inexlab.retrieval.visiting import Found
from inexlab.tables import Codes, Floats, Ints

WORTH = 6000  # positions of a query's terms: fewer are sooner scored than bounded
_ROOM = 1 << 12  # units that are scored at once, at first
_LEAST = float(np.finfo(np.float64).min)  # that an answer scores
_FIRST = 8  # documents that are visited before there is a border, at least
_STEP = 128  # documents that are visited next before the border is moved
_GROWTH = 8  # times as many as before are visited then
_LONGEST = 1 << 15  # documents that are visited at once, twice as many in the end: signals wait for a visit
_GROWN = 1.5  # times as many units as before are counted again, where that is decided across documents
FURTHER = 4  # times as many as before are searched for, where too few count
_PROMISING = 16  # results wanted, for each of which there is one of these documents, or two of the next ones

Count = Callable[[Ints, Codes, Floats, int], Floats]
Fits = Callable[[Ints], Mask]
Score = Callable[[Candidates], Floats]


class CountingScores(NamedTuple):
    """What returns the scores of the best so many units that count among some, and of some more.

    Where that is decided across documents, `likely` returns what is likely to count among all so far, and
    `exact` what does; else the first is exact.
    """

    likely: Count
    exact: Count | None = None

    def enough(self, found: tuple[Ints, Codes, Floats], limit: int, last: float) -> bool:
        """Whether so many count among all that score as much as what was taken for the last of them."""
        return self.exact is None or int(np.count_nonzero(self.exact(*found, limit) >= last)) >= limit


Add = Callable[[Ints, Codes, Floats], Floats]


@dataclass
class QueryProfile:
    """What a query took: documents that have its terms, those visited, and how many positions and units.

    Of the `positions` of its terms those of visited documents were `seen`, and those `passed` around which
    units could be among the best. Of the units that were `scored`, once or again, so many `reached` the best
    so far; articles and sections `around` units were scored for what they add. `everything` says why all
    units were scored, if they were.
    """

    documents: int = 0
    visited: int = 0
    positions: int = 0
    seen: int = 0
    passed: int = 0
    scored: int = 0
    reached: int = 0
    around: int = 0
    everything: str = ""
    border: float = field(default=-np.inf)

    def __str__(self) -> str:
        if self.everything and not self.visited:
            found = f"all {self.scored:,} units with its words were scored, as {self.everything}"
        else:
            found = (
                f"{self.documents:,} documents have its words, {self.positions:,} times; "
                f"visited {self.visited:,} documents ({self.seen:,} words, {self.passed:,} of them where "
                f"units could be among the best), scored {self.scored:,} units, {self.reached:,} of them "
                "among the best so far"
            )
            if np.isfinite(self.border):
                found += f"; the last of the best scores {self.border:.4g}"
            if self.everything:  # in one of several shards, or searches
                found += f"; where bounds did not pay, all units were scored, as {self.everything}"
        return found + (f"; scored {self.around:,} articles and sections around units" if self.around else "")

    def before(self, more: QueryProfile) -> QueryProfile:
        """Return what this search and another one for the same query took together."""
        return replace(
            more,
            visited=self.visited + more.visited,
            seen=self.seen + more.seen,
            passed=self.passed + more.passed,
            scored=self.scored + more.scored,
            reached=self.reached + more.reached,
            around=self.around + more.around,
            everything=more.everything or self.everything,
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
    counts: CountingScores | None = None,
    added: Floats | None = None,
    add: Add | None = None,
    profile: QueryProfile | None = None,
) -> tuple[Ints, Codes, Floats]:
    """Return all units that score as much as the last of the best that count; and some more.

    To what `score` returns `add` adds something, but no more than each document has `added` to the scores of
    its units at most; if that is -inf, it has no results. `counts` says which units count towards the limit.
    Columns are the units' numbers, their documents and scores, in no order.
    """
    profile = profile if profile is not None else QueryProfile()
    if added is not None and (without := np.isneginf(added)).any():
        documents = np.flatnonzero(~without) if documents is None else documents[~without[documents]]
        added = np.where(without, 0.0, added)
    rows = DocumentRows(index, terms, documents)
    bounded, likely, most = rows.bounded(index, offered, visitor.classes, added)
    profile.documents = len(rows.document)
    profile.positions = len(rows.positions) if documents is None else int(rows.frequency.sum())
    asked_for = limit
    while True:
        search = _Search(index, visitor, bounded, offered, score, add, counts, asked_for, profile, most)
        _visit_by_bounds(search, bounded.bound, likely, asked_for)
        found = search.best()
        if np.isneginf(search.last_score) or counts is None or counts.enough(found, limit, search.last_score):
            return found
        asked_for *= FURTHER


def _visit_by_bounds(search: _Search, bound: Floats, likely: Floats, limit: int) -> None:
    """Visit the documents that promise most, and then all that may reach the border."""
    begin = max(_FIRST, limit // _PROMISING)
    if len(likely) > 2 * begin:
        some, step = np.argpartition(likely, -begin)[-begin:], max(_STEP, 2 * begin)
        search.visit(some)
        waiting, last = bound.copy(), False
        while not last:
            waiting[some] = np.nan  # which reaches no border
            some = np.flatnonzero(waiting >= search.border)
            last = len(some) <= 2 * step
            if not last:
                some = np.sort(some[np.argpartition(waiting[some], -step)[-step:]])
            search.visit(some, last=last)
            step = max(step, min(_GROWTH * step, _LONGEST))
    else:
        search.visit(np.argsort(-likely))


class DocumentRows:
    """The documents that have any of the terms: one row each."""

    def __init__(self, index: Index, terms: QueryTerms, documents: Ints | None) -> None:
        count, total = len(index.documents), terms.total
        self.borders, self.positions = terms.borders, terms.joined
        wanted = np.ones(count, dtype=np.uint8)
        if documents is not None:
            wanted[:] = 0
            wanted[documents] = 1
        room = min(count, total)
        document = np.empty(room, dtype=np.int32)
        frequency, begin = (np.empty((room, len(terms)), dtype=d) for d in (np.int32, np.int64))
        rows = gather.for_work(4 * total)(
            self.positions, self.borders, index.document_tokens, wanted, document, frequency, begin
        )
        if rows == DAMAGED:
            raise index.damaged("positions")
        self.document, self.frequency, self.begin = document[:rows], frequency[:rows], begin[:rows]

    def bounded(
        self, index: Index, offered: Bounds, classes: LengthClasses, added: Floats | None = None
    ) -> tuple[BoundedRows, Floats, int]:
        """Return what bounds the units of each document, what they are likely to score at most.

        And how many positions there are in the document that has most.
        """
        rows, levels = self.frequency.shape[0], offered.tables.levels
        level = np.zeros((0, self.frequency.shape[1]), dtype=np.uint8)
        if levels > 1:
            level = share_levels.for_work(4 * self.frequency.size)(
                self.document, self.frequency, index.document_tokens, levels
            )
        found = self.document, self.frequency, self.begin, self.positions
        more = np.zeros(rows) if added is None else added[self.document]
        bounded = BoundedRows(*found, np.empty(rows), level, more, np.empty(rows, dtype=np.int32))
        likely, middle = np.empty(rows), min(4, len(classes.least) - 1)
        bound = bound_rows.for_work(4 * self.frequency.size)
        most = bound(bounded, index.document_tokens, offered.tables, middle, likely)
        return bounded, likely, most


class _Search:
    """A search at work: what was found so far, and the border that more has to reach.

    The room in which units are found is its own, and each visit uses it again: what is kept is a copy.
    """

    def __init__(
        self,
        index: Index,
        visitor: DocumentVisitor,
        rows: BoundedRows,
        offered: Bounds,
        score: Score,
        add: Add | None,
        counts: CountingScores | None,
        limit: int,
        profile: QueryProfile,
        most: int,
    ) -> None:
        self._index, self._visitor, self._rows, self._offered = index, visitor, rows, offered
        self._score, self._add = score, add
        self._count = None if counts is None else counts.likely
        self._across = counts is not None and counts.exact is not None
        self._limit, self._profile = limit, profile
        terms = rows.frequency.shape[1]
        self._margin = offered.margin(most, float(np.abs(rows.added).max(initial=0.0)))
        self._scratch = _scratch(most, terms)
        self._found = _room(_ROOM, terms)
        self._class_of = visitor.classes.of
        self._counted = np.zeros(0)  # the scores of the best that count
        self._known = 0  # units that were counted last
        self._pool: list[tuple[Ints, Codes, Floats]] = []
        self._no_parent: Codes = np.full(_ROOM, -1, dtype=np.int32)
        self.last_score = -np.inf  # of the best that count
        self.border = -np.inf  # below it, by more than rounding can make up

    def visit(self, rows: Ints, *, last: bool = False) -> None:
        """Visit some documents, in this order; where they are the last, the border need not be moved."""
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
                    self._no_parent = np.full(len(self._found.unit), -1, dtype=np.int32)
                continue
            if counts[TESTED]:
                self._visitor.check()
                counts[TESTED] = 0
            # all that are given reach the border, which may have been moved since
            reach = gone if not at else np.count_nonzero(self._rows.bound[some[:gone]] >= self.border)
            self._profile.visited += int(reach)
            at += gone
            self._take(count, last=last and at == len(rows))
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

    def _take(self, count: int, *, last: bool) -> None:
        """Score units that were found, and move the border, unless they are the last."""
        if not count:
            return
        room = self._found
        unit, row, frequency = room.unit[:count], room.row[:count], room.frequency[:count]
        roots = self._rows.document[row]
        found = Candidates(
            unit,
            roots,
            frequency,
            self._no_parent[:count],
            row,
            room.length[:count],
            room.terms[:count],
            self._rows.frequency,
            self._rows.length,
        )
        scores = self._score(found)
        reach = max(self.border, _LEAST)
        kept = np.flatnonzero(scores + self._rows.added[row] >= reach)
        best = unit[kept], roots[kept], scores[kept]
        if self._add is not None and len(kept):
            together = self._add(*best)
            kept = np.flatnonzero(together >= reach)
            best = best[0][kept], best[1][kept], together[kept]
        if not len(kept):
            return
        self._profile.reached += len(kept)
        self._pool.append(best)
        if last:
            return
        if self._count is not None and self._across:
            if sum(len(some[0]) for some in self._pool) < _GROWN * self._known:
                return
            self._pool = [self.best()]
            self._known = len(self._pool[0][0])
            self._counted = self._count(*self._pool[0], self._limit)
        else:
            counting = best[2] if self._count is None else self._count(*best, self._limit)
            self._counted = np.concatenate((self._counted, counting))
        score, self._counted = best_so_many(self._counted, self._limit)
        if score > self.last_score:  # what was found last may have taken away from what counted
            self._profile.border = self.last_score = score
            self.border = score - self._margin

    def best(self) -> tuple[Ints, Codes, Floats]:
        """Return all that was found and reaches the border."""
        nothing = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0)
        unit, document, score = (np.concatenate(column) for column in zip(nothing, *self._pool, strict=True))
        kept = score >= self.border
        return unit[kept], document[kept], score[kept]


def best_so_many(scores: Floats, count: int) -> tuple[float, Floats]:
    """Return the last of the best so many scores, and these; -inf and all if there are fewer."""
    if len(scores) < count:
        return -np.inf, scores
    some = np.partition(scores, -count)[-count:]
    return float(some[0]), some


def _scratch(positions: int, terms: int) -> Scratch:
    term, passing = (np.empty(positions, dtype=np.int32) for _ in range(2))
    of_terms = (np.empty(terms, dtype=np.int64) for _ in range(4))
    return Scratch(np.empty(positions, dtype=np.int64), term, passing, *of_terms)


def _room(units: int, terms: int) -> Found:
    row, length, different = (np.empty(units, dtype=np.int32) for _ in range(3))
    unit, frequency = np.empty(units, dtype=np.int64), np.empty((units, terms), dtype=np.int32)
    return Found(unit, row, length, different, frequency)
