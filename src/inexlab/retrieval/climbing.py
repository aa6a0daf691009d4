"""Finding the element at a token, and climbing from it to those around it, in compiled loops."""

from __future__ import annotations

from inexlab.accelerate import Kernel
from inexlab.index.blocks import Array
from inexlab.index.characters import int64


@Kernel
def element_above(e: int, root: int, back: Array) -> int:
    """Return the parent of an element; -1 of a root, and where an index says that it is before the root.

    A hand-made index can have any number there: no climb may leave the columns.
    """
    if back[e] == 0 or int64(back[e]) > e - root:
        return int64(-1)
    return e - int64(back[e])


@Kernel
def last_at_or_before(value: int, starts: Array, here: int, beyond: int) -> int:
    """Return the last place from `here` on and before `beyond` whose start is at most a value.

    It leaps, then halves: what is looked up in order is near. `here` itself is not looked at, nothing at or
    behind `beyond` is, and nothing is written.
    """
    step = 1
    while here + step < beyond and int64(starts[here + step]) <= value:
        here += step
        step <<= 1
    high = min(here + step, beyond)
    while high - here > 1:
        middle = (here + high) >> 1
        if int64(starts[middle]) <= value:
            here = middle
        else:
            high = middle
    return here
