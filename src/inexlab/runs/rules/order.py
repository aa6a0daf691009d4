"""The order of a run's rows: topics and documents together, ranks rising, scores falling."""

from __future__ import annotations

import math

from inexlab.runs.rows import RunRow
from inexlab.runs.validate import Look, RunContext, row_rule


@row_rule(
    "scattered-topic",
    "remark",
    "a topic's results are not consecutive; they are gathered in the order of the file",
    "Sort the file by topic.",
    beyond=True,
)
def scattered_topic(_context: RunContext) -> Look | None:
    """A topic that comes again after another one."""
    latest = ""

    def look(row: RunRow) -> str | None:
        nonlocal latest
        came_back = row.topic != latest and row.place > 1
        latest = row.topic
        return "the topic comes again after other topics" if came_back else None

    return look


@row_rule(
    "scattered-document",
    "error",
    "a task that ranks documents has a document's results in more than one place",
    "Write all results of a document one after the other.",
)
def scattered_document(context: RunContext) -> Look | None:
    """A document that comes again after another one, where the task groups by document."""
    if context.task is None or not context.task.by_document or context.task.entry_points:
        return None
    seen = context.by_topic(dict[str, int])
    latest = context.by_topic(list[str])

    def look(row: RunRow) -> str | None:
        before = latest[row.topic]
        first = seen[row.topic].setdefault(row.doc, row.place)
        came_back = first != row.place and before[0] != row.doc
        before[:] = [row.doc]
        if not came_back:
            return None
        return f"document {row.doc} comes again, after others and result {first:,}"

    return look


@row_rule(
    "rank-order",
    "remark",
    "the rank column goes down within a topic; nothing is ranked by it",
    "Write the rows in the order of their ranks.",
)
def rank_order(context: RunContext) -> Look | None:
    """A rank smaller than the one before."""
    latest = context.by_topic(lambda: [-math.inf])

    def look(row: RunRow) -> str | None:
        before = latest[row.topic]
        falls = row.rank < before[0]
        message = f"rank {row.rank:g} after rank {before[0]:g}" if falls else None
        before[0] = row.rank
        return message

    return look


@row_rule(
    "score-order",
    "remark",
    "a score is higher than the one before it; INEX runs are ranked by their rows (by precall by score), "
    "TREC files and JSON Lines by score",
    "Write the rows in the order of their scores.",
)
def score_order(context: RunContext) -> Look | None:
    """A score larger than the one before, in tasks whose results are ordered by score."""
    if context.task is not None and context.task.by_document:
        return None  # the elements of a document stand together, whatever their scores
    latest = context.by_topic(lambda: [math.inf])

    def look(row: RunRow) -> str | None:
        before = latest[row.topic]
        rises = row.score > before[0]
        message = f"score {row.score:g} after score {before[0]:g}" if rises else None
        before[0] = row.score
        return message

    return look
