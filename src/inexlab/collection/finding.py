"""From paths to spans, for all results of a run at once: one way through the elements of each document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.collection.document import Elements
from inexlab.collection.path_tree import NONE, Branches, Paths, PathTree, slot_of
from inexlab.spans import Span
from inexlab.tables import SECRET, Codes, Hashes, Ints, Names, distinct

Column = npt.NDArray[np.unsignedinteger]
Rows = npt.NDArray[np.intp]
_STEPS = 2  # of plain Python to an element, if it is looked at for itself


@dataclass(frozen=True)
class NamedPlaces:
    """Places asked for: each a document and a path, by their numbers."""

    docs: Names
    paths: Paths
    doc: Codes
    path: Codes

    def __len__(self) -> int:
        return len(self.doc)

    def part(self, rows: Rows) -> NamedPlaces:
        """Return some of them."""
        return replace(self, doc=self.doc[rows], path=self.path[rows])

    def by_document(self) -> list[Rows]:
        """Return the places of each document, in the order of the documents' numbers."""
        order = np.argsort(self.doc, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(self.doc[order])) + 1) if len(order) else []


class ElementTable(NamedTuple):
    """The elements of documents, one document after the other.

    Document d has those from `first[d]` to before `last[d]`. `back` is how many elements before each its
    parent is, 0 of a root, `tags` the names of the codes of tags, `spans` says where elements begin and end.
    """

    first: Ints
    last: Ints
    tag: Column
    back: Column
    tags: list[str] | tuple[str, ...]
    spans: Callable[[Ints], tuple[Ints, Ints]]


class WrongParentError(Exception):
    """A parent that is not among the elements of its document before it; only a made-up table has one."""


class WrongTagError(Exception):
    """A tag that has no name."""


def nowhere(count: int) -> tuple[Ints, Ints]:
    """Return starts and ends of so many places that are not found."""
    return np.full(count, NONE, dtype=np.int64), np.full(count, NONE, dtype=np.int64)


def is_worth_a_tree(elements: int, places: int) -> bool:
    """Whether so many places in documents of so many elements are found in less time all at once."""
    return _find_elements.for_work(_STEPS * elements + 10 * places) is not _find_elements.plain


def spans_in(elements: Elements, asked: NamedPlaces) -> tuple[Ints, Ints]:
    """Return where places asked for in one document begin and end, -1 where it has no such place."""
    if is_worth_a_tree(len(elements), len(asked)):
        back = (np.arange(len(elements)) - elements.parent).astype(np.uint32)
        back[0] = 0
        table = ElementTable(
            np.array([0]),
            np.array([len(elements)]),
            elements.tag.astype(np.uint32),
            back,
            elements.tags,
            lambda some: (elements.start[some], elements.end[some]),
        )
        return spans_at(table, asked.paths.tree, np.array([0, len(asked)]), asked.path)
    known: dict[int, Span] = {}
    for path in asked.path.tolist():
        if path not in known:
            known[path] = elements.find(asked.paths.names[path]) or Span(NONE, NONE)
    found = np.array([known[path] for path in asked.path.tolist()], dtype=np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def spans_at(table: ElementTable, tree: PathTree, asked_from: Ints, path: Codes) -> tuple[Ints, Ints]:
    """Return where paths asked for begin and end; document d is asked for those from `asked_from[d]` on."""
    largest = int((table.last - table.first).max(initial=0))
    work = _STEPS * int((table.last - table.first).sum())
    element, wrong = _find_elements.for_work(work)(
        table.first,
        table.last,
        table.tag,
        table.back,
        tree.codes_of(table.tags),
        tree.branches,
        tree.groups,
        tree.nodes,
        asked_from,
        tree.node[path],
        largest,
        SECRET,
    )
    if wrong:
        raise WrongParentError if wrong == _PARENT else WrongTagError
    start, end = nowhere(len(path))
    known = np.flatnonzero(element >= 0)
    start[known], end[known] = table.spans(element[known])
    texts = known[tree.text_node[path[known]] != NONE]
    if len(texts):
        last = np.repeat(table.last, np.diff(asked_from))
        start[texts], end[texts] = _text_pieces(
            table, element[texts], last[texts], tree.text_node[path[texts]]
        )
    point = start + tree.offset[path]
    points = (tree.offset[path] != NONE) & (start != NONE)
    missed = points & (point > end)
    start, end = np.where(points, point, start), np.where(points, point, end)
    return np.where(missed, NONE, start), np.where(missed, NONE, end)


_PARENT, _TAG = 1, 2  # what can be wrong


@Kernel
def _find_elements(
    first: Ints,
    last: Ints,
    tag: Column,
    back: Column,
    codes: Codes,
    tree: Branches,
    groups: int,
    nodes: int,
    asked_from: Ints,
    asked: Codes,
    largest: int,
    secret: Hashes,
) -> tuple[Ints, int]:
    """Return the element at each node asked for, -1 where its document has none, and what is wrong, or 0.

    On the way through a document each element gets its node: among the children of its parent's node, that
    of its tag and its number among siblings of this tag. A node is no more than one element of a document.

    There is a place for every node asked for, and for every group and node of the tree; `largest` is as long
    as any document, and an element has its parent before it in the same one, or that is wrong.
    """
    found = np.full(len(asked), NONE, dtype=np.int64)
    node_at = np.empty(largest, dtype=np.int32)
    counted_in = np.full(groups, NONE, dtype=np.int64)  # the document that a group was met in last
    count = np.zeros(groups, dtype=np.int64)
    met_in = np.full(nodes, NONE, dtype=np.int64)
    element = np.empty(nodes, dtype=np.int64)
    for d in range(len(first)):
        root = np.int64(first[d])
        for e in range(root, np.int64(last[d])):
            above = np.int64(e) - np.int64(back[e])
            if (e > root) != (above < e) or above < root:
                return found, _PARENT
            if tag[e] >= len(codes):
                return found, _TAG
            node = np.int64(node_at[above - root]) if e > root else np.int64(0)
            code = codes[tag[e]]
            if node != NONE and code != NONE:
                slot = slot_of(tree.group_slots, tree.group_node, tree.group_tag, node, code, secret)
                group = np.int64(tree.group_slots[slot]) - 1
                node = np.int64(NONE)
                if group != NONE:
                    if counted_in[group] != d:
                        counted_in[group], count[group] = d, 0
                    count[group] += 1
                    slot = slot_of(
                        tree.node_slots, tree.node_group, tree.node_number, group, count[group], secret
                    )
                    node = np.int64(tree.node_slots[slot]) - 1
                    if node != NONE:
                        met_in[node], element[node] = d, e
            else:
                node = np.int64(NONE)
            node_at[e - root] = node
        met_in[0], element[0] = d, root  # the path `/`
        for k in range(asked_from[d], asked_from[d + 1]):
            if asked[k] != NONE and met_in[asked[k]] == d:
                found[k] = element[asked[k]]
    return found, 0


def _text_pieces(table: ElementTable, element: Ints, last: Ints, number: Codes) -> tuple[Ints, Ints]:
    """Return where the n-th pieces of elements' own text begin and end, -1 where there are not as many."""
    parents = distinct(element)
    which = np.searchsorted(parents, element)
    until = np.empty(len(parents), dtype=np.int64)
    until[which] = last
    work = _STEPS * int((table.last - table.first).sum())
    child_from, children = _find_children.for_work(work)(parents, until, table.back)
    piece_from, begin, end = _cut_pieces.for_work(4 * len(children))(
        *table.spans(parents), child_from, *table.spans(children)
    )
    place = piece_from[which] + number - 1
    missed = (number < 1) | (place >= piece_from[which + 1])
    begin, end = (np.append(column, NONE)[np.where(missed, -1, place)] for column in (begin, end))
    return begin, end


@Kernel
def _find_children(parents: Ints, last: Ints, back: Column) -> tuple[Ints, Ints]:
    """Return the children of each parent, and where those of each begin.

    They are counted first, so that there is room for them. Elements are in document order: behind the first
    whose parent is before, there are no more.
    """
    child_from = np.zeros(len(parents) + 1, dtype=np.int64)
    count = 0
    for k in range(len(parents)):
        for e in range(parents[k] + 1, last[k]):
            above = np.int64(e) - np.int64(back[e])
            if above < parents[k]:
                break
            count += above == parents[k]
        child_from[k + 1] = count
    children = np.empty(count, dtype=np.int64)
    count = 0
    for k in range(len(parents)):
        for e in range(parents[k] + 1, last[k]):
            if count == child_from[k + 1]:
                break
            if np.int64(e) - np.int64(back[e]) == parents[k]:
                children[count] = e
                count += 1
    return child_from, children


@Kernel
def _cut_pieces(
    start: Ints, end: Ints, child_from: Ints, child_start: Ints, child_end: Ints
) -> tuple[Ints, Ints, Ints]:
    """Return where the pieces of text between the children of elements begin and end, those with any text.

    Before each child there may be one, and behind the last of each element: for these there is room.
    """
    room = len(child_start) + len(start)
    piece_from = np.zeros(len(start) + 1, dtype=np.int64)
    begins = np.empty(room, dtype=np.int64)
    ends = np.empty(room, dtype=np.int64)
    count = 0
    for k in range(len(start)):
        at = start[k]
        for c in range(child_from[k], child_from[k + 1]):
            if at < child_start[c]:
                begins[count], ends[count] = at, child_start[c]
                count += 1
            at = child_end[c]
        if at < end[k]:
            begins[count], ends[count] = at, end[k]
            count += 1
        piece_from[k + 1] = count
    return piece_from, begins[:count], ends[:count]
