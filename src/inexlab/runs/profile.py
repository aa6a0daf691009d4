"""Runs without judgements: how much of them overlaps, which elements they return, and how deep."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from inexlab.collection import Collection
from inexlab.collection.paths import WHOLE_DOCUMENT, parse_place
from inexlab.runs.table import NO_SPAN, Run
from inexlab.tables import Codes

Mask = npt.NDArray[np.bool_]

PASSAGE = "(passage)"  # a span that is not an element, or where nobody said of what
DOCUMENT = "(document)"


def overlapping(run: Run) -> Mask:
    """Say of each result whether another result of its topic has text in common with it.

    Two results with spans overlap by these, two without by their paths; so that of any two it can be said
    without a look at others. Results of no length overlap nothing.
    """
    return _overlapping_spans(run) | _overlapping_paths(run)


def _overlapping_spans(run: Run) -> Mask:
    order = np.lexsort((-run.end, run.start, run.doc, run.topic))
    order = order[run.end[order] > run.start[order]]
    start, end = run.start[order], run.end[order]
    together = run.topic[order].astype(np.int64) * len(run.docs) + run.doc[order]
    group = np.cumsum(np.diff(together, prepend=-1) != 0)
    # shifting every group beyond the reach of the one before lets one running maximum serve all of them
    shift = group * (int(end.max(initial=0)) + 1)
    furthest = np.maximum.accumulate(end + shift)
    touches_next = np.zeros(len(order) + 1, dtype=np.bool_)
    touches_next[1:-1] = (start + shift)[1:] < furthest[:-1]
    begins_inside = touches_next[:-1]
    covers_next = np.append((start + shift)[1:] < (end + shift)[:-1], False)
    found = np.zeros(len(run), dtype=np.bool_)
    found[order] = begins_inside | covers_next
    return found


def _overlapping_paths(run: Run) -> Mask:
    keys = [_key(path) for path in run.paths]
    by_path = sorted(range(len(keys)), key=keys.__getitem__)
    place = np.empty(len(keys) + 1, dtype=np.int64)
    place[by_path] = np.arange(len(keys))
    place[-1] = -1
    known = np.flatnonzero((run.path >= 0) & (run.start == NO_SPAN))
    order = known[np.lexsort((place[run.path[known]], run.doc[known], run.topic[known]))]
    found = np.zeros(len(run), dtype=np.bool_)
    above: list[tuple[str, int]] = []  # the results that the current one may lie in
    group = (-1, -1)
    for i in order.tolist():
        here = (int(run.topic[i]), int(run.doc[i]))
        if here != group:
            above, group = [], here
        key = keys[run.path[i]]
        while above and not key.startswith(above[-1][0]):
            above.pop()
        if above:
            found[i] = found[above[-1][1]] = True
        above.append((key, i))
    return found


def _key(path: str) -> str:
    """Return a path such that whatever lies in the element has a key that begins with its key."""
    if path == WHOLE_DOCUMENT:
        return "/"
    place = parse_place(path)
    if place is None:
        return f"{path}/"
    return "".join(f"/{tag}[{number}]" for tag, number in place.steps) + "/"


def tags_and_depths(run: Run, collection: Collection | None = None) -> tuple[list[str], Codes]:
    """Return the tag of each result's element, and how many steps it is below the document, root 1.

    A result given by a span is the element with exactly that span, the outermost one, if there is a
    collection to look it up in; else it is a passage, at the depth 0.
    """
    of_path = [_tag_and_depth(path) for path in run.paths]
    found = [
        of_path[p] if p >= 0 and u < 0 else (PASSAGE, 0)
        for p, u in zip(run.path.tolist(), run.until.tolist(), strict=True)
    ]
    if collection is not None:
        for i, looked_up in _looked_up(run, collection):
            found[i] = looked_up
    return [tag for tag, _ in found], np.array([depth for _, depth in found], dtype=np.int32)


def _tag_and_depth(path: str) -> tuple[str, int]:
    if path == WHOLE_DOCUMENT:
        return DOCUMENT, 1
    place = parse_place(path)
    if place is None or not place.steps or place.text_node is not None or place.offset is not None:
        return PASSAGE, 0
    return place.steps[-1][0], len(place.steps)


def _looked_up(run: Run, collection: Collection) -> Iterator[tuple[int, tuple[str, int]]]:
    """Yield the results that are spans of whole elements, document by document."""
    waiting = np.flatnonzero((run.path < 0) & (run.start != NO_SPAN))
    waiting = waiting[np.argsort(run.doc[waiting], kind="stable")]
    for group in np.split(waiting, np.flatnonzero(np.diff(run.doc[waiting])) + 1):
        elements = collection.elements(run.docs[int(run.doc[group[0]])]) if len(group) else None
        if elements is None:
            continue
        depth = np.ones(len(elements), dtype=np.int32)
        for number in range(1, len(elements)):  # parents come first
            depth[number] = depth[elements.parent[number]] + 1
        spans: dict[tuple[int, int], int] = {}
        for number, span in enumerate(zip(elements.start.tolist(), elements.end.tolist(), strict=True)):
            spans.setdefault(span, number)
        for i in group.tolist():
            number = spans.get((int(run.start[i]), int(run.end[i])), -1)
            if number >= 0:
                yield i, (elements.tags[elements.tag[number]], int(depth[number]))
