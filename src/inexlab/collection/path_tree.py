"""The paths that somebody asks for, as one tree: what a document has of them is found on one way through it.

The paths of a run begin alike, and have few different steps. So each different step is read once, and the
tree has a node for every different beginning of a path; node 0 is the document, above its root. The steps
below a node are grouped by their tags, and within a group told apart by their numbers.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from inexlab.accelerate import Kernel, LoopStep
from inexlab.collection.paths import parse_place
from inexlab.instructions import folded_product
from inexlab.tables import SECRET, Bytes, Codes, Hashes, Ints, Names, Slots, hash_of, same_bytes, table_size

NONE = -1
_SLASH = ord("/")


class Branches(NamedTuple):
    """The tree for loops: groups by node and tag, nodes by group and number, each in a hash table."""

    group_slots: Slots
    group_node: Codes
    group_tag: Codes
    node_slots: Slots
    node_group: Codes
    node_number: Codes


class PathTree(NamedTuple):
    """Where each path ends: in a node, at a piece of its text, at a point of either; `NONE` for no such.

    `tags` are those of all steps, whose places are their codes.
    """

    tags: list[str]
    branches: Branches
    groups: int
    nodes: int
    node: Codes
    text_node: Codes
    offset: Ints

    def codes_of(self, tags: list[str] | tuple[str, ...]) -> Codes:
        """Return the codes of the tags that documents have; `NONE` of those on no path."""
        known = {tag: code for code, tag in enumerate(self.tags)}
        return np.array([known.get(tag, NONE) for tag in tags], dtype=np.int32)


class Paths:
    """Paths, and the tree of them once somebody needs it."""

    def __init__(self, names: Names) -> None:
        self.names = names

    @functools.cached_property
    def tree(self) -> PathTree:
        """The tree of all paths."""
        return _make_tree(self.names)


def is_whole_document(paths: Names) -> Any:
    """Return which of some paths are `/`.

    >>> is_whole_document(Names.of(["/a[1]", "/"])).tolist()
    [False, True]
    """
    data = np.frombuffer(paths.data or b"\0", dtype=np.uint8)
    return (paths.ends - paths.starts == 1) & (data[np.minimum(paths.starts, len(data) - 1)] == _SLASH)


def _make_tree(paths: Names) -> PathTree:
    data = np.frombuffer(paths.data or b"\0", dtype=np.uint8)
    size = int((paths.ends - paths.starts).sum())
    room = int(_count_slashes.for_work(size)(data, paths.starts, paths.ends))
    step, step_from, begin, end = _cut.for_work(2 * size)(
        data, paths.starts, paths.ends, room, table_size(room), SECRET
    )
    tags: dict[str, int] = {}
    texts = zip(begin.tolist(), end.tolist(), strict=True)
    known = [_read_step(paths.data[a:b].decode(), tags) for a, b in texts]
    steps = np.array(known, dtype=np.int64).reshape(-1, 4).T.copy()
    branches, groups, nodes, node, last = _grow.for_work(8 * room)(
        step,
        step_from,
        steps,
        np.where(is_whole_document(paths), 0, NONE).astype(np.int32),
        SECRET,
        table_size(room),
    )
    text_node, offset = (np.where(last < 0, NONE, np.append(column, NONE)[last]) for column in steps[2:])
    return PathTree(list(tags), branches, groups, nodes, node, text_node.astype(np.int32), offset)


def _read_step(text: str, tags: dict[str, int]) -> tuple[int, int, int, int]:
    """Return the tag and number of a step, the number of a piece of text, and the offset of a point.

    >>> _read_step("p[2]", {}), _read_step("text()[3].7", {}), _read_step("[", {})
    ((0, 2, -1, -1), (-1, -1, 3, 7), (-1, -1, -1, -1))
    """
    place = parse_place(f"/x/{text}")  # behind another step, as `text()` is
    if place is None:
        return NONE, NONE, NONE, NONE
    tag, number = NONE, NONE
    if len(place.steps) > 1:
        name, number = place.steps[1]
        tag = tags.setdefault(name, len(tags))
    node, offset = (NONE if value is None else value for value in (place.text_node, place.offset))
    return tag, number, node, offset


@Kernel
def _count_slashes(data: Bytes, starts: Ints, ends: Ints) -> int:
    count = 0
    for p in range(len(starts)):
        for at in range(starts[p], ends[p]):
            count += data[at] == _SLASH
    return count


@Kernel
def _cut(
    data: Bytes, starts: Ints, ends: Ints, room: int, size: int, secret: Hashes
) -> tuple[Codes, Ints, Ints, Ints]:
    """Cut paths into steps, and number their different texts; return these, and where each text is.

    A path has as many steps as slashes, of which there are `room`; what does not begin with one has none, nor
    has `/`. `table_size` has made the table so large that half of it stays free, and a search ends.
    """
    step = np.empty(room, dtype=np.int32)
    step_from = np.zeros(len(starts) + 1, dtype=np.int64)
    begin = np.empty(room, dtype=np.int64)
    end = np.empty(room, dtype=np.int64)
    hashes = np.empty(room, dtype=np.uint64)
    slots = np.zeros(size, dtype=np.uint32)
    mask, one = np.uint64(size - 1), np.uint64(1)
    count, texts = 0, 0
    for p in range(len(starts)):
        at = starts[p] + 1
        if at < ends[p] and data[at - 1] == _SLASH:
            while at <= ends[p]:
                stop = at
                while stop < ends[p] and data[stop] != _SLASH:
                    stop += 1
                key = hash_of(data, at, stop, secret)
                slot = key & mask
                while slots[slot]:
                    other = np.int64(slots[slot]) - 1
                    if hashes[other] == key and same_bytes(data, at, stop, data, begin[other], end[other]):
                        break
                    slot = (slot + one) & mask
                if not slots[slot]:
                    begin[texts], end[texts], hashes[texts] = at, stop, key
                    texts += 1
                    slots[slot] = texts
                step[count] = np.int64(slots[slot]) - 1
                count += 1
                at = stop + 1
        step_from[p + 1] = count
    return step[:count], step_from, begin[:texts], end[:texts]


@LoopStep
def slot_of(slots: Slots, left: Codes, right: Codes, a: Any, b: Any, secret: Hashes) -> Any:
    """Return the slot of a pair of numbers, or the free one where it would be.

    What is in a slot is 1 + the number of a pair in `left` and `right`. Half of the slots are free.
    """
    mask, one = np.uint64(len(slots) - 1), np.uint64(1)
    slot = folded_product(np.uint64(a) ^ secret[0], np.uint64(b) ^ secret[1]) & mask
    while slots[slot]:
        other = np.int64(slots[slot]) - 1
        if left[other] == a and right[other] == b:
            break
        slot = (slot + one) & mask
    return slot


@Kernel
def _grow(
    step: Codes, step_from: Ints, steps: Ints, node: Codes, secret: Hashes, size: int
) -> tuple[Branches, int, int, Codes, Codes]:
    """Make the tree of paths; return it, its groups and nodes, the node of each path, and its last step.

    `steps` are the different ones: tags, numbers, pieces of text and offsets, of which the last two can only
    be at the end; a number has nine digits at most, and fits. `node` is what it is of paths without steps.
    A step makes one group and one node at most, for which there is room, and tables of a `size` to leave
    half of them free.
    """
    room = len(step) + 1
    group_slots = np.zeros(size, dtype=np.uint32)
    group_node = np.empty(room, dtype=np.int32)
    group_tag = np.empty(room, dtype=np.int32)
    node_slots = np.zeros(size, dtype=np.uint32)
    node_group = np.empty(room, dtype=np.int32)
    node_number = np.empty(room, dtype=np.int32)
    node_group[0], node_number[0] = NONE, NONE  # the document
    last = np.full(len(node), NONE, dtype=np.int32)
    groups, nodes = 0, 1
    for p in range(len(node)):
        here: Any = 0
        for k in range(step_from[p], step_from[p + 1]):
            tag, number = steps[0, step[k]], steps[1, step[k]]
            ends = steps[2, step[k]] != NONE or steps[3, step[k]] != NONE
            at_end = k == step_from[p + 1] - 1
            if (ends and not at_end) or (tag == NONE and (not ends or k == step_from[p])):
                here = NONE  # a step that cannot be here
                break
            if tag != NONE:
                slot = slot_of(group_slots, group_node, group_tag, here, tag, secret)
                if not group_slots[slot]:
                    group_node[groups], group_tag[groups] = here, tag
                    groups += 1
                    group_slots[slot] = groups
                group = np.int64(group_slots[slot]) - 1
                slot = slot_of(node_slots, node_group, node_number, group, number, secret)
                if not node_slots[slot]:
                    node_group[nodes], node_number[nodes] = group, number
                    nodes += 1
                    node_slots[slot] = nodes
                here = np.int64(node_slots[slot]) - 1
        if step_from[p] < step_from[p + 1]:
            node[p] = here
            last[p] = step[step_from[p + 1] - 1] if here != NONE else NONE
    branches = Branches(group_slots, group_node, group_tag, node_slots, node_group, node_number)
    return branches, groups, nodes, node, last
