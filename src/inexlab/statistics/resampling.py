"""Sums over resamples of the topics, and how often two systems' difference lies on one side of a line."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

import numpy as np

from inexlab.accelerate import Kernel, blocks, worth_compiling
from inexlab.statistics.testing import Sampling
from inexlab.tables import Floats

_AT_ONCE = 10_000  # resamples held in memory
_ONE_THREAD = 2**18  # multiplications of a product that is not spread over threads
_SMALL = 2**24
_PER_UNIT = 200  # resamples of a pair that numpy counts in one unit of work
_NEAR = 2**20  # sums that stay near the processor while all pairs are counted
_STRIP = 32  # systems on the right whose sums stay nearer still


# makes so many resamples of so many topics by chance
Draw = Callable[[np.random.Generator, int, int], Floats]


def draws(draw: Draw, topics: int, sampling: Sampling) -> Iterator[Floats]:
    """Yield resamples of the topics, so many at a time: the same for all pairs and all halves of a split."""
    yield first_draw(draw, topics, min(_AT_ONCE, sampling.resamples), sampling.seed)
    if sampling.resamples > _AT_ONCE:
        random = np.random.default_rng(sampling.seed)
        draw(random, topics, _AT_ONCE)  # the first ones again, to go on where they ended
        for done in range(_AT_ONCE, sampling.resamples, _AT_ONCE):
            yield draw(random, topics, min(_AT_ONCE, sampling.resamples - done))


@functools.lru_cache(maxsize=4)
def first_draw(draw: Draw, topics: int, resamples: int, seed: int) -> Floats:
    """Return the first resamples of a seed; they are kept, as most comparisons need no others."""
    return draw(np.random.default_rng(seed), topics, resamples)


def pieces(systems: int, resamples: Floats) -> Iterator[Floats]:
    """Cut resamples (columns) so that the sums of all systems over a piece stay near the processor.

    Counting goes through them once for every system: sums that have to come from memory each time cost
    more than the counting.
    """
    step = max(256, _NEAR // max(1, systems))
    if step >= resamples.shape[1]:
        yield resamples
        return
    for start in range(0, resamples.shape[1], step):
        yield np.ascontiguousarray(resamples[:, start : start + step])


def count_sides(
    left: Floats, right: Floats, lower: Floats, upper: Floats, *, same: bool
) -> tuple[Floats, Floats]:
    """Return for every pair how many differences left - right are at most `upper`, and at least `lower`.

    A row is a system, a column a resample. Where both sides are the `same` systems and `upper` is minus
    the transposed `lower`, one half of the table is the mirror of the other.
    """
    pairs = len(left) * (len(left) + 1) // 2 if same else len(left) * len(right)
    if worth_compiling(pairs * left.shape[1] // _PER_UNIT):
        at_most, at_least = (np.zeros((len(left), len(right))) for _ in range(2))
        for rows in blocks(len(left)):
            first = rows.start if same else 0
            least, most = (np.ascontiguousarray(limit[rows, first:]) for limit in (lower, upper))
            counted = count_one_by_one.compiled(left[rows], right[first:], least, most, same)
            at_most[rows, first:], at_least[rows, first:] = counted
        return _mirrored(at_most, at_least) if same else (at_most, at_least)
    return count_at_once(left, right, lower, upper, same)


def count_at_once(
    left: Floats, right: Floats, lower: Floats, upper: Floats, same: bool
) -> tuple[Floats, Floats]:
    """Count with numpy: no compiler has to be loaded for it."""
    at_most = np.zeros((len(left), len(right)))
    at_least = np.zeros((len(left), len(right)))
    for i in range(len(left)):
        for j in range(i if same else 0, len(right)):
            difference = left[i] - right[j]
            at_most[i, j] = np.count_nonzero(difference <= upper[i, j])
            at_least[i, j] = np.count_nonzero(difference >= lower[i, j])
    return _mirrored(at_most, at_least) if same else (at_most, at_least)


@Kernel
def count_one_by_one(
    left: Floats, right: Floats, lower: Floats, upper: Floats, same: bool
) -> tuple[Floats, Floats]:
    """Count in one pass over the resamples, ten times faster than numpy once compiled.

    There is a place for every i < len(left) and j < len(right) in both tables, and a strip ends with the last
    system; `same` leaves out what is below the diagonal.
    """
    at_most = np.zeros((len(left), len(right)))
    at_least = np.zeros((len(left), len(right)))
    for first in range(0, len(right), _STRIP):
        last = min(first + _STRIP, len(right))
        for i in range(len(left)):
            for j in range(max(i, first) if same else first, last):
                below, above = 0, 0
                for k in range(left.shape[1]):
                    difference = left[i, k] - right[j, k]
                    below += difference <= upper[i, j]
                    above += difference >= lower[i, j]
                at_most[i, j] = below
                at_least[i, j] = above
    return at_most, at_least


def _mirrored(at_most: Floats, at_least: Floats) -> tuple[Floats, Floats]:
    """Fill the lower halves from the upper ones."""
    above = np.triu(np.ones(at_most.shape, dtype=np.bool_))
    return np.where(above, at_most, at_least.T), np.where(above, at_least, at_most.T)


def resampled_sums(values: Floats, weights: Floats) -> Floats:
    """Return each system's sum over each resample: `weights[t, r]` is how topic t counts in resample r.

    A small product is taken in pieces: beyond some 2^18 multiplications numpy's library wakes its threads,
    and for a few systems that costs several times what the product does.
    """
    cost = values.size  # multiplications for one resample
    if cost * weights.shape[1] > _SMALL:
        sums: Floats = values @ weights
        return sums
    sums = np.empty((len(values), weights.shape[1]))
    step = max(1, _ONE_THREAD // cost)
    for start in range(0, weights.shape[1], step):
        sums[:, start : start + step] = values @ weights[:, start : start + step]
    return sums


def same_systems(left: Floats, right: Floats) -> bool:
    """Whether both sides are the same systems in the same order."""
    return left.shape == right.shape and bool((left == right).all())
