"""The path guide: which tag paths the elements of a collection have, and which of them each element has.

There are millions of elements but few different rows of tags from the root down, so whether an element
conforms to a path pattern is decided once for each row of tags.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.index.blocks import Array
from inexlab.index.keys import hash_of_key
from inexlab.index.widths import as_bytes, number_at
from inexlab.tables import SECRET, Bytes, Codes, Hashes
from inexlab.topics.patterns import START, PathPattern, State

Mask = npt.NDArray[np.bool_]

_REMEMBERED = 256  # patterns, of which it is known which tag paths conform to them


@dataclass(frozen=True)
class PathGuide:
    """For each element the number of its tag path; `above` and `tag` spell the paths."""

    path: Array
    above: Codes
    tag: Codes
    tags: tuple[str, ...]
    _known: dict[tuple[str, frozenset[tuple[str, str]]], Mask] = field(default_factory=dict)

    def tag_path(self, path: int) -> list[str]:
        """Return the tags of a path, from the root."""
        found = []
        while path >= 0:
            found.append(self.tags[self.tag[path]])
            path = int(self.above[path])
        return found[::-1]

    def beneath(self, paths: Mask) -> Mask:
        """Say of each tag path whether it is one of some, or goes on from one."""
        found = paths.tolist()
        for path, above in enumerate(self.above.tolist()):  # above comes first
            found[path] = found[path] or (above >= 0 and found[above])
        return np.array(found, dtype=np.bool_)

    def matching(self, pattern: PathPattern) -> Mask:
        """Say of each tag path whether it conforms to a pattern."""
        key = (str(pattern), pattern.equivalence.groups)
        known = self._known.get(key)  # other threads may add some, and leave out this one
        if known is None:
            states: list[State] = []
            for above, tag in zip(self.above.tolist(), self.tag.tolist(), strict=True):  # above comes first
                states.append(pattern.advance(states[above] if above >= 0 else START, self.tags[tag]))
            found = [pattern.accepts(state) for state in states]
            for old in list(self._known)[: max(0, len(self._known) - _REMEMBERED + 1)]:
                self._known.pop(old, None)
            known = self._known[key] = np.array(found, dtype=np.bool_)
        return known


def path_guide(tag: Array, back: Array, tags: tuple[str, ...]) -> PathGuide | None:
    """Number the tag paths of all elements; None if the columns cannot be those of elements."""
    room = 1 << 12
    if not (tag.dtype.kind == back.dtype.kind == "u"):  # not those of an index, which have no sign
        tag, back = tag.astype(np.uint32), back.astype(np.uint32)
    while True:
        number = _number.for_work(8 * len(tag))
        # there are as many paths as elements: two bytes to each where that will do
        path: Array = np.empty(len(tag), dtype=np.uint16 if room <= 1 << 16 else np.uint32)
        count, above, last = number(
            as_bytes(tag), tag.itemsize, as_bytes(back), back.itemsize, path, len(tags), room, SECRET
        )
        if count >= 0:
            path.setflags(write=False)  # as a mapped one is, or loops would be compiled for both
            return PathGuide(path, above[:count], last[:count], tags)
        if count == _DAMAGED:
            return None
        room *= 4


_NO_ROOM, _DAMAGED = -1, -2


@Kernel
def _number(
    tag: Bytes,
    of_tag: int,
    back: Bytes,
    of_back: int,
    path: Array,
    tags: int,
    room: int,
    secret: Hashes,
) -> tuple[int, Codes, Codes]:
    """Number (path above, tag) in the order of appearance; there may be no room for all.

    No element may be further back than the first: what is read and written is checked. There is a place in
    `path` for every element.
    """
    above = np.empty(room, dtype=np.int32)
    last = np.empty(room, dtype=np.int32)
    slots = np.full(4 * room, -1, dtype=np.int32)
    mask = np.uint64(4 * room - 1)
    count = 0
    for e in range(len(path)):
        t, height = number_at(tag, of_tag, e), number_at(back, of_back, e)
        if height > e or t >= tags:
            return _DAMAGED, above, last
        up = np.int64(-1)
        if height != 0:
            up = np.int64(path[e - height])
        slot = hash_of_key(np.uint64(up + 1), np.uint64(t), secret) & mask
        found = slots[slot]
        while found >= 0 and not (above[found] == up and last[found] == t):
            slot = (slot + np.uint64(1)) & mask
            found = slots[slot]
        if found < 0:
            if count == room:
                return _NO_ROOM, above, last
            found = np.int32(count)
            slots[slot] = found
            above[count] = up
            last[count] = t
            count += 1
        path[e] = found
    return count, above, last
