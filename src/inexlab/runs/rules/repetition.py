"""What a run may return only once: a result, a piece of text, a document, depending on the task."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable
from dataclasses import dataclass, field

from inexlab.collection.paths import WHOLE_DOCUMENT, parse_place
from inexlab.runs.rows import Row
from inexlab.runs.table import NO_SPAN
from inexlab.runs.validate import Look, Surroundings, row_rule

_Steps = tuple[tuple[str, int], ...]


@row_rule(
    "duplicate",
    "error",
    "a topic has the same result twice",
    "Keep the first one.",
)
def duplicate(around: Surroundings) -> Look | None:
    """The same place of the same document, however it is spelt."""
    if around.task is not None and around.task.entry_points:
        return None  # a second result of the document, whatever it is
    seen = around.by_topic(dict[Hashable, int])

    def look(row: Row) -> str | None:
        if row.start == NO_SPAN and row.path is None:
            return None
        first = seen[row.topic].setdefault((row.doc, *_place(row)), row.place)
        return (
            None if first == row.place else f"{_shown(row)} of document {row.doc} is result {first:,} again"
        )

    return look


def _place(row: Row) -> tuple[Hashable, ...]:
    if row.path is None:
        return (row.start, row.end)
    place = parse_place(row.path) if row.path == WHOLE_DOCUMENT else parse_place(row.path.rstrip("/"))
    return (place or row.path, row.until and (parse_place(row.until) or row.until))


def _shown(row: Row) -> str:
    if row.path is not None:
        return row.path if row.until is None else f"{row.path} to {row.until}"
    return f"{row.start}:{row.end - row.start}" if row.end > row.start or not row.point else f"{row.start}"


@row_rule(
    "second-result",
    "error",
    "Best in Context has more than one entry point into a document; only the first counts",
    "Keep one result for each document.",
)
def second_result(around: Surroundings) -> Look | None:
    """A document that was returned before, where the task wants one entry point."""
    if around.task is None or not around.task.entry_points:
        return None
    seen = around.by_topic(dict[str, int])

    def look(row: Row) -> str | None:
        first = seen[row.topic].setdefault(row.doc, row.place)
        return None if first == row.place else f"document {row.doc} is that of result {first:,}"

    return look


@row_rule(
    "overlap",
    "error",
    "a task without overlap returns text that another result of the topic shows already",
    "Keep one result on every path from root to leaf.",
)
def overlap(around: Surroundings) -> Look | None:
    """Text returned before; without the text of the documents, an element above or below one returned."""
    if around.task is None or around.task.overlap:
        return None
    shown = around.by_topic(dict[str, _Shown])

    def look(row: Row) -> str | None:
        of_topic = shown[row.topic]
        before = of_topic.get(row.doc)
        if before is None:
            before = of_topic[row.doc] = _Shown()
        other = before.add(row)
        return None if other is None else f"{_shown(row)} of document {row.doc} overlaps result {other:,}"

    return look


@dataclass(slots=True)
class _Shown:
    """What one topic has shown of one document: its text as sorted, disjoint regions, and its elements.

    `starts` and `ends` answer quickly whether there is overlap at all, `results` tell with what.
    """

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    results: list[tuple[int, int, int, Hashable]] = field(default_factory=list)
    elements: dict[_Steps, int] = field(default_factory=dict)
    above: dict[_Steps, int] = field(default_factory=dict)

    def add(self, row: Row) -> int | None:
        """Add a result; return the place of one that it overlaps. The same result again is a duplicate."""
        if row.start != NO_SPAN:
            return None if row.start == row.end else self._add_span(row)
        place = parse_place(row.path.rstrip("/") or WHOLE_DOCUMENT) if row.path is not None else None
        if place is None or row.until is not None or place.text_node is not None:
            return None
        return self._add_element(place.steps, row.place)

    def _add_span(self, row: Row) -> int | None:
        start, end, key = row.start, row.end, _place(row)
        first, last = bisect_right(self.ends, start), bisect_left(self.starts, end)
        other = None
        if first < last:
            met = [result for result in self.results if result[0] < end and start < result[1]]
            other = None if any(result[3] == key for result in met) else met[0][2]
            start, end = min(start, self.starts[first]), max(end, self.ends[last - 1])
        self.starts[first:last], self.ends[first:last] = [start], [end]
        self.results.append((row.start, row.end, row.place, key))
        return other

    def _add_element(self, steps: _Steps, place: int) -> int | None:
        if steps in self.elements:
            return None
        outer = [steps[:depth] for depth in range(len(steps))]
        found = self.above.get(steps) or next((self.elements[o] for o in outer if o in self.elements), None)
        self.elements[steps] = place
        for path in outer:
            self.above.setdefault(path, place)
        return found
