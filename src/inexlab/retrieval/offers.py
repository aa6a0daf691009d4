"""What a model offers to bound units by: tables of the most that a term adds, by length and frequency.

A model is asked for units that are made up: by classes of length, shares of a term in an article, and
frequencies. What does not depend on the query is made once for each kind of unit.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from inexlab.retrieval.bounding import BoundTables, Levels
from inexlab.retrieval.candidates import Candidates
from inexlab.retrieval.model import Statistics, Weighting
from inexlab.tables import Codes, Floats, Ints, distinct

MARGIN = 1e-9  # of the scores that are compared: what rounding of a few terms can make up is less
_LEVELS = 17  # of the share of a term in an article: none, up to 1/32768, … 1
_EXACT = 16  # frequencies up to this are bounded one by one, larger ones by steps of a quarter
_MOST = 255  # and those from this one on together
_NUMBERS = (1 << 31) - 1  # the largest frequency that there can be
_CLASSES = 6  # of units of a cut or a list by their lengths

# the shares of a term in an article that bound others, in parts of the last one
_SHARES: Codes = np.array([0, *(1 << np.arange(1, _LEVELS))], dtype=np.int32)


def _buckets() -> tuple[Ints, Ints, Ints]:
    """Return the bucket of each frequency, and the smallest and the largest one in each bucket.

    The last frequency stands for all that are higher. Several buckets are for these, from its own on: what
    has a term so often is as long at least.
    """
    largest = list(range(_EXACT + 1))
    while largest[-1] < _MOST - 1:
        largest.append(min(_MOST - 1, largest[-1] + largest[-1] // 4))
    bucket = np.searchsorted(largest, np.arange(_MOST + 1))
    while largest[-1] < _NUMBERS:
        largest.append(min(_NUMBERS, largest[-1] + largest[-1] // 4))
    smallest = np.array([0, *largest[:-1]], dtype=np.int64) + 1
    smallest[0] = 0
    return bucket, smallest, np.array(largest, dtype=np.int64)


_BUCKET, _SMALLEST, _LARGEST = _buckets()
_IN_BUCKET = np.bincount(_BUCKET)  # frequencies


@dataclass(frozen=True, eq=False)
class LengthClasses:
    """Units by their lengths: where each class begins, and over how many tokens its units reach.

    `group` is where each group of classes begins that are tried together, and the end.
    """

    least: Ints
    widest: Ints
    group: Ints

    @functools.cached_property
    def of(self) -> Levels:
        """The class of each length, the last one for all that are longer."""
        lengths = np.arange(int(self.least[-1]) + 1)
        return (np.searchsorted(self.least, lengths, side="right") - 1).clip(0).astype(np.uint8)

    @functools.cached_property
    def all_widest(self) -> Ints:
        """Over how many tokens units of each class, of each group and of all reach."""
        of_groups = np.maximum.reduceat(self.widest, self.group[:-1])
        return np.concatenate((self.widest, of_groups, of_groups.max(keepdims=True)))

    @functools.cached_property
    def with_and_without(self) -> Candidates:
        """Units that are made up, in articles without a term, and with nothing else."""
        return self._made_up(_SHARES[[0, -1]])

    @functools.cached_property
    def with_shares(self) -> Candidates:
        """Units that are made up, in articles with every share of a term."""
        return self._made_up(_SHARES)

    @functools.cached_property
    def _tried(self) -> tuple[Ints, Ints]:
        """The classes and the buckets of frequencies that units are made up for: those that there can be."""
        which, bucket = np.nonzero(_SMALLEST[None, :] <= self.widest[:, None])
        return which, bucket

    @functools.cached_property
    def _columns(self) -> tuple[Ints, Ints]:
        """Where made-up units of each column begin that is for one bucket of a class; the columns of all.

        What is more often in a unit than one of a class can have it is bounded by what that can have.
        """
        which, bucket = self._tried
        told_apart = np.minimum(bucket, _BUCKET[-1])
        begins = np.flatnonzero((np.diff(told_apart, prepend=-1) != 0) | (np.diff(which, prepend=-1) != 0))
        end = np.searchsorted(which[begins], np.arange(len(self.least)), side="right")
        first = np.append(0, end[:-1])
        return begins, np.minimum(first[:, None] + np.arange(_BUCKET[-1] + 1), end[:, None] - 1)

    @functools.cached_property
    def without(self) -> Ints:
        """The place of the made-up unit of the same class that does not have a term, for each."""
        which, _ = self._tried
        return np.searchsorted(which, which)

    def by_class(self, values: Floats) -> Floats:
        """Return values of made-up units, the last axis, by classes, the other axes and buckets.

        They do not fall: what has a term fewer times is bounded by them, too.
        """
        begins, columns = self._columns
        found = np.maximum.reduceat(values, begins, axis=-1).take(columns, axis=-1)
        if (found[..., 1:] < found[..., :-1]).any():
            np.maximum.accumulate(found, axis=-1, out=found)
        return found.transpose(2, 0, 1, 3)

    def _made_up(self, shares: Codes) -> Candidates:
        """Make up units that have a term as often as any in a bucket, and are as short.

        They may have it more often than they have tokens.
        """
        which, bucket = self._tried
        often = np.minimum(_LARGEST[bucket], self.widest[which])
        length = np.minimum(np.maximum(self.least[which], _SMALLEST[bucket]), _NUMBERS)
        tf, lengths = (np.tile(column, len(shares)).astype(np.int32) for column in (often, length))
        none = np.full(len(tf), -1, dtype=np.int32)
        return Candidates(
            np.zeros(len(tf), dtype=np.int64),
            none,
            tf[:, None],
            none,
            np.repeat(np.arange(len(shares), dtype=np.int32), len(which)),
            lengths,
            lengths,
            shares[:, None],
            np.full(len(shares), _SHARES[-1], dtype=np.int32),
        )


@functools.lru_cache(maxsize=8)  # indexes that are searched in turn
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


def bounds(
    weighting: Weighting, statistics: Statistics, classes: LengthClasses, least: float = -np.inf
) -> Bounds | None:
    """Return what a model bounds the terms of a query by; None if it does not, or not by numbers.

    Each term bounds units by so much at `least`.
    """
    if weighting.model.bound is None:
        return None
    try:
        values = _values(weighting, statistics, classes, classes.with_and_without)
        # where an article without the term is as good as one that has nothing else, articles do not matter
        if (values[:, 0] == values[:, 1]).all():
            values = values[:, :1]
        else:
            values = _values(weighting, statistics, classes, classes.with_shares)
    except ZeroDivisionError:  # which compiled code raises
        return None
    largest = float(np.abs(values).max()) * len(values)
    if not np.isfinite(largest):
        return None
    value = classes.by_class(np.maximum(values, least))
    of_groups = np.maximum.reduceat(value, classes.group[:-1])
    every = np.concatenate((value, of_groups, of_groups.max(axis=0, keepdims=True)))
    every = np.repeat(every, _IN_BUCKET, axis=-1)
    flat = every.reshape(-1)
    gain = np.empty_like(flat)
    np.subtract(flat[1:], flat[:-1], out=gain[:-1])
    gain[len(_BUCKET) - 1 :: len(_BUCKET)] = 0
    tables = BoundTables(flat, gain, classes.all_widest, classes.group, every.shape[2], every.shape[3])
    return Bounds(tables, largest)


def _values(
    weighting: Weighting, statistics: Statistics, classes: LengthClasses, made_up: Candidates
) -> Floats:
    """Return the bounds of units that are made up: by terms, shares and these units."""
    offered = weighting.model.bound
    assert offered is not None
    terms, shares = len(statistics.weight), len(made_up.article_length)
    values = np.empty((terms, shares, len(made_up) // shares))
    with np.errstate(all="ignore"):
        for t in range(terms):
            # a model from outside the package may keep or change what it gets
            some = made_up if weighting.model.is_own else made_up.copy()
            one = offered(some, _of_term(statistics, t), **weighting.parameters).reshape(shares, -1)
            values[t] = one[0, classes.without] if statistics.weight[t] < 0 else one
    return values


def _of_term(s: Statistics, t: int) -> Statistics:
    one = slice(t, t + 1)
    return Statistics(
        s.units, s.mean_length, s.mean_terms, s.tokens, s.units_with[one], s.frequency[one], s.weight[one]
    )
