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
_CLASSES = 6  # of units of a cut or a list by their lengths

# the shares of a term in an article that bound others, in parts of the last one
_SHARES: Codes = np.array([0, *(1 << np.arange(1, _LEVELS))], dtype=np.int32)


def _buckets() -> tuple[Ints, Ints]:
    """Return the bucket of each frequency, and the largest one in each bucket."""
    largest = list(range(_EXACT + 1))
    while largest[-1] < _MOST - 1:
        largest.append(min(_MOST - 1, largest[-1] + largest[-1] // 4))
    bucket = np.searchsorted(largest, np.arange(_MOST))
    # the last one is for whatever is more often in a unit
    return np.append(bucket, len(largest)), np.array([*largest, (1 << 31) - 1], dtype=np.int64)


_BUCKET, _LARGEST = _buckets()


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

    def _made_up(self, shares: Codes) -> Candidates:
        shape = len(self.least), len(shares), len(_LARGEST)
        often = np.minimum(_LARGEST[None, :], self.widest[:, None])
        length = np.minimum(np.maximum(self.least[:, None], often), _LARGEST[-1])
        tf, lengths = (
            np.broadcast_to(column[:, None, :], shape).astype(np.int32).reshape(-1)
            for column in (often, length)
        )
        level = np.broadcast_to(np.arange(len(shares), dtype=np.int32)[None, :, None], shape).reshape(-1)
        none = np.full(len(tf), -1, dtype=np.int32)
        return Candidates(
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


def bounds(weighting: Weighting, statistics: Statistics, classes: LengthClasses) -> Bounds | None:
    """Return what a model bounds the terms of a query by; None if it does not, or not by numbers."""
    if weighting.model.bound is None:
        return None
    try:
        # where an article without the term is as good as one that has nothing else, articles do not matter
        value = _values(weighting, statistics, classes, classes.with_and_without)
        if (value[:, :, 0] == value[:, :, 1]).all():
            value = value[:, :, :1]
        else:
            value = _values(weighting, statistics, classes, classes.with_shares)
    except ZeroDivisionError:  # which compiled code raises
        return None
    largest = float(np.abs(value).max()) * value.shape[1]
    if not np.isfinite(largest):
        return None
    of_groups = np.maximum.reduceat(value, classes.group[:-1])
    every = np.concatenate((value, of_groups, of_groups.max(axis=0, keepdims=True))).take(_BUCKET, axis=-1)
    flat = every.reshape(-1)
    gain = np.empty_like(flat)
    np.subtract(flat[1:], flat[:-1], out=gain[:-1])
    gain[len(_BUCKET) - 1 :: len(_BUCKET)] = 0
    tables = BoundTables(flat, gain, classes.all_widest, classes.group, every.shape[2], every.shape[3])
    return Bounds(tables, largest)


def _values(
    weighting: Weighting, statistics: Statistics, classes: LengthClasses, made_up: Candidates
) -> Floats:
    """Return the bounds of units that are made up: by classes of length, terms, shares and frequencies."""
    offered = weighting.model.bound
    assert offered is not None
    shape = len(classes.least), len(made_up.article_length), len(_LARGEST)
    found = np.empty((shape[0], len(statistics.weight), *shape[1:]))
    with np.errstate(all="ignore"):
        for t in range(len(statistics.weight)):
            # a model from outside the package may keep or change what it gets
            some = made_up if weighting.model.is_own else made_up.copy()
            one = offered(some, _of_term(statistics, t), **weighting.parameters).reshape(shape)
            found[:, t] = one[:, :1, :1] if statistics.weight[t] < 0 else one
    return found


def _of_term(s: Statistics, t: int) -> Statistics:
    one = slice(t, t + 1)
    return Statistics(
        s.units, s.mean_length, s.mean_terms, s.tokens, s.units_with[one], s.frequency[one], s.weight[one]
    )
