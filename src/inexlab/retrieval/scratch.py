"""Arrays that are used again by the next query: fresh memory costs more than the work in it.

What a query finds stays in them, and is handed out as views. An array is used again only when nobody has it,
or a view of it, any more, so whoever keeps candidates finds them as they were, whatever is searched
meanwhile, and has nothing to copy.
"""

from __future__ import annotations

import sys
import threading

import numpy as np
import numpy.typing as npt

from inexlab.index.blocks import Array


class ReusedArrays(threading.local):
    """Arrays of one thread, one of each type."""

    def __init__(self, *types: npt.DTypeLike) -> None:
        # the last one is never handed out
        self._arrays: list[Array] = [np.empty(0, dtype=each) for each in (*types, np.int8)]

    def room(self, *lengths: int) -> list[Array]:
        """Return an array of each type, as long or longer, that nobody else has; what is in it is left over.

        A view of an array, or of a view of it, has a reference to that array. So an array to which there are
        as many references as to the one that was never handed out has no views. One that has any is theirs
        from now on, and another takes its place.
        """
        arrays = self._arrays
        *references, unused = map(sys.getrefcount, arrays)
        for k, length in enumerate(lengths):
            if references[k] > unused or len(arrays[k]) < length:
                arrays[k] = np.empty(length * 3 // 2, dtype=arrays[k].dtype)
        return arrays[:-1]
