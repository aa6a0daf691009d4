"""What a run may return only once: a result, a piece of text, a document, depending on the task."""

from __future__ import annotations

from collections.abc import Hashable

from inexlab.collection.paths import WHOLE_DOCUMENT, parse_place
from inexlab.runs.rows import RunRow
from inexlab.runs.table import NO_SPAN
from inexlab.runs.validate import Look, RunContext, row_rule

_Steps = tuple[tuple[str, int], ...]
_Returned = tuple[int, int, int, str | None, str | None]  # start, end, place, path, until


@row_rule(
    "duplicate",
    "error",
    "a topic has the same result twice",
    "Keep the first one.",
)
def duplicate(context: RunContext) -> Look | None:
    """The same place of the same document, however it is spelt."""
    if context.task is not None and context.task.entry_points:
        return None  # a second result of the document, whatever it is
    seen = context.by_topic(dict[Hashable, int])

    def look(row: RunRow) -> str | None:
        if row.start == NO_SPAN and row.path is None:
            return None
        key: Hashable = (row.doc, row.start, row.end)
        if row.path is not None:
            key = (row.doc, *_notation(row.path, row.until))
        first = seen[row.topic].setdefault(key, row.place)
        return (
            None if first == row.place else f"{_shown(row)} of document {row.doc} is result {first:,} again"
        )

    return look


def _notation(path: str | None, until: str | None) -> tuple[Hashable, ...]:
    """Return the paths of a result in their one spelling."""
    if path is None:
        return ()
    place = parse_place(path.rstrip("/") or WHOLE_DOCUMENT)
    return (place or path, until and (parse_place(until) or until))


def _shown(row: RunRow) -> str:
    if row.path is not None:
        return row.path if row.until is None else f"{row.path} to {row.until}"
    return f"{row.start}:{row.end - row.start}" if row.end > row.start or not row.point else f"{row.start}"


@row_rule(
    "second-result",
    "error",
    "Best in Context has more than one entry point into a document; only the first counts",
    "Keep one result for each document.",
)
def second_result(context: RunContext) -> Look | None:
    """A document that was returned before, where the task wants one entry point."""
    if context.task is None or not context.task.entry_points:
        return None
    seen = context.by_topic(dict[str, int])

    def look(row: RunRow) -> str | None:
        first = seen[row.topic].setdefault(row.doc, row.place)
        return None if first == row.place else f"document {row.doc} is that of result {first:,}"

    return look


@row_rule(
    "overlap",
    "error",
    "a task without overlap returns text that another result of the topic shows already",
    "Keep one result on every path from root to leaf.",
)
def overlap(context: RunContext) -> Look | None:
    """Text returned before; without the text of the documents, an element above or below one returned."""
    if context.task is None or context.task.overlap:
        return None
    spans = context.by_topic(dict[str, list[_Returned]])
    elements = context.by_topic(dict[str, _Elements])

    def look(row: RunRow) -> str | None:
        if row.start == row.end != NO_SPAN:
            return None  # no text, no overlap
        if row.start != NO_SPAN:
            shown = spans[row.topic].setdefault(row.doc, [])
            other = _overlapped(row, shown)
            shown.append((row.start, row.end, row.place, row.path, row.until))
        elif row.path is not None and row.until is None:
            other = elements[row.topic].setdefault(row.doc, _Elements()).add(row.path, row.place)
        else:
            other = None
        return None if other is None else f"{_shown(row)} of document {row.doc} overlaps result {other:,}"

    return look


def _overlapped(row: RunRow, shown: list[_Returned]) -> int | None:
    """Return the place of the first result that shows some of the same text; None for the same result."""
    start, end, found = row.start, row.end, None
    for other_start, other_end, place, path, until in shown:
        if other_start < end and start < other_end:
            same_text = other_start == start and other_end == end
            if same_text and _notation(path, until) == _notation(row.path, row.until):
                return None
            found = found or place
    return found


class _Elements:
    """The elements of one document that one topic has returned, known by their paths alone."""

    def __init__(self) -> None:
        self.returned: dict[_Steps, int] = {}
        self.above: dict[_Steps, int] = {}

    def add(self, path: str, place: int) -> int | None:
        """Add an element; return the place of one around it or inside it, but not of the same one."""
        parsed = parse_place(path.rstrip("/") or WHOLE_DOCUMENT)
        if parsed is None or parsed.text_node is not None or parsed.steps in self.returned:
            return None
        steps = parsed.steps
        outer = [steps[:depth] for depth in range(len(steps))]
        inside = self.above.get(steps)
        found = inside or next((self.returned[o] for o in outer if o in self.returned), None)
        self.returned[steps] = place
        for around in outer:
            self.above.setdefault(around, place)
        return found
