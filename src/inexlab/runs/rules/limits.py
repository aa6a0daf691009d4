"""How much a run may return: 1,500 results for a topic, and the limits on text of 2010."""

from __future__ import annotations

from inexlab.runs.rows import RunRow
from inexlab.runs.table import NO_SPAN
from inexlab.runs.validate import Look, RunContext, row_rule
from inexlab.spans import Span, length, union
from inexlab.wording import counted


@row_rule(
    "too-many-results",
    "error",
    "a topic has more results than the limit (1,500); the rest is cut, and not checked",
    "Keep the best results of each topic.",
    beyond=True,
)
def too_many(context: RunContext) -> Look | None:
    """One problem for each topic, at its first result too many."""
    if not context.limit:
        return None

    def look(row: RunRow) -> str | None:
        if row.place != context.limit + 1:
            return None
        return f"the limit is {counted(context.limit, 'result')}"

    return look


@row_rule(
    "too-much-text",
    "error",
    "a restricted task of 2010 returns more text than 1,000 characters for a topic or 500 for a document",
    "Cut the list, or the passages, at the limit.",
)
def too_much_text(context: RunContext) -> Look | None:
    """One problem where the limit is passed, for each topic or document."""
    task = context.task
    if task is None or not (task.characters_per_topic or task.characters_per_document):
        return None
    shown = context.by_topic(dict[str, list[Span]])
    most, whole_topic = task.characters_per_topic or task.characters_per_document, task.characters_per_topic

    def look(row: RunRow) -> str | None:
        if row.start == NO_SPAN or row.start == row.end:
            return None
        of_topic = shown[row.topic]
        before = _text(of_topic, row.doc, bool(whole_topic))
        of_topic[row.doc] = union([*of_topic.get(row.doc, ()), (row.start, row.end)])
        after = _text(of_topic, row.doc, bool(whole_topic))
        if not before <= most < after:
            return None
        where = "the topic" if whole_topic else f"document {row.doc}"
        return f"{where} has {counted(after, 'character')} by now, at most {most:,} are allowed"

    return look


def _text(shown: dict[str, list[Span]], doc: str, whole_topic: bool) -> int:
    documents = shown if whole_topic else [doc]
    return sum(length(shown.get(each, ())) for each in documents)
