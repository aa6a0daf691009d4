"""Climbing from an element of an index to those around it, in compiled loops."""

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
