"""Columns of numbers that only large documents have large: 16 bits of each, and where the others change.

    element-start         lower 16 bits of every number
    element-start-turn    elements from which on the upper bits are others
    element-start-upper   what they are from there on

They are 0 where a document begins, and again where it ends: columns of parts follow one another as they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.index.blocks import Array
from inexlab.index.characters import int64
from inexlab.index.store import ArrayFile
from inexlab.tables import Ints

BITS = 16
HALVED = ("start", "length")  # of the element table
TURN, UPPER = "turn", "upper"
_STEPS = 2  # of plain Python to a number

Numbers = npt.NDArray[np.uint32]
Halved = tuple[Array, Ints, Numbers]  # lower bits, turns and upper bits, for loops


class HalvedFile:
    """Such a column while it grows."""

    def __init__(self, folder: Path, name: str) -> None:
        self._lower = ArrayFile(folder, name)
        self._turns, self._uppers = (ArrayFile(folder, f"{name}-{part}") for part in (TURN, UPPER))
        self.files = (self._lower, self._turns, self._uppers)
        self._count = 0

    def add(self, numbers: Numbers, back: Numbers) -> None:
        """Write the numbers of some more documents; `back` is 0 where one begins."""
        if int(numbers.max(initial=0)) >> BITS:
            turns, uppers = (np.empty(2 * len(numbers), dtype=np.int64) for _ in range(2))
            count = find_turns.for_work(_STEPS * len(numbers))(numbers, back, turns, uppers)
            self._turns.add(turns[:count] + self._count)
            self._uppers.add(uppers[:count])
        self._lower.add(numbers.astype(np.uint16))  # which leaves the upper bits out
        self._count += len(numbers)


@Kernel
def find_turns(numbers: Numbers, back: Numbers, turns: Ints, uppers: Ints) -> int:
    """Write where the upper halves of numbers change, and what they are from there on; return how many.

    `turns` and `uppers` have two places for every number: of its own, and of the end of a document, which
    comes before every number but the first, or behind the last.
    """
    count, now = 0, int64(0)
    for e in range(len(numbers)):
        upper = int64(numbers[e]) >> BITS
        if back[e] == 0 and now:
            turns[count], uppers[count] = e, 0
            count, now = count + 1, int64(0)
        if upper != now:
            turns[count], uppers[count] = e, upper
            count, now = count + 1, upper
    if now:
        turns[count], uppers[count] = len(numbers), 0
        count += 1
    return count


class Uppers(NamedTuple):
    """The upper bits of a column's numbers, in their place: `uppers[k]` from element `turns[k]` on."""

    turns: Ints
    uppers: Numbers

    def of(self, elements: Ints) -> Numbers:
        """Return those of some elements."""
        return self.uppers[np.searchsorted(self.turns, elements, side="right") - 1]

    def between(self, first: int, last: int) -> Numbers | np.uint32:
        """Return those of the elements from `first` to before `last`, or the one that all of them have."""
        begin = int(self.turns.searchsorted(first, side="right")) - 1
        end = max(begin + 1, int(self.turns.searchsorted(last)))
        if end == begin + 1:
            return np.uint32(self.uppers[begin])
        sizes = np.diff(np.concatenate(([first], self.turns[begin + 1 : end], [last])))
        return np.repeat(self.uppers[begin:end], sizes)


def uppers_of(turns: Array, uppers: Array, elements: int) -> Uppers | None:
    """Return the upper bits of a column of some elements as its files have them; None if these cannot be."""
    if not (turns.dtype.kind == uppers.dtype.kind == "u" and len(turns) == len(uppers)):
        return None
    if np.any(turns[1:] < turns[:-1]) or np.any(turns[-1:] > elements):
        return None
    in_place = np.concatenate(([0], uppers)).astype(np.uint32) << np.uint32(BITS)
    return Uppers(np.concatenate(([0], turns)).astype(np.int64), in_place)


@Kernel
def turns_between(turns: Ints, root: int, beyond: int) -> tuple[int, int]:
    """Return the turns that elements of a document may have been at last: the first, and behind the last."""
    first = int64(np.searchsorted(turns, root, side="right")) - 1
    return first, max(first + 1, int64(np.searchsorted(turns, beyond)))


@Kernel
def number_of(lower: Array, turns: Ints, uppers: Numbers, first: int, last: int, e: int) -> int:
    """Return the number of an element, whose last turn is among those from `first` to before `last`."""
    while last - first > 1:
        middle = (first + last) >> 1
        if turns[middle] <= e:
            first = middle
        else:
            last = middle
    return int64(lower[e]) + int64(uppers[first])
