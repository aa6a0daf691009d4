"""The topics of a run, compared with those of the topic files and those that were judged."""

from __future__ import annotations

from collections.abc import Iterator

from inexlab.runs.rows import RunRow
from inexlab.runs.validate import Look, RunContext, row_rule, whole_rule
from inexlab.wording import counted


@row_rule(
    "unknown-topic",
    "error",
    "a topic of the run is in none of the topic files",
    "Write topic ids as the topic files have them.",
)
def unknown_topic(context: RunContext) -> Look | None:
    """A topic that nobody asked, at its first result."""
    known, reported = context.known_topics, set[str]()
    if known is None:
        return None

    def look(row: RunRow) -> str | None:
        if row.topic in known or row.topic in reported:
            return None
        reported.add(row.topic)
        return f"no topic {row.topic} in the topic files"

    return look


@whole_rule(
    "unanswered-topic",
    "remark",
    "a topic of the topic files has no result in the run",
    "Return something for every topic.",
)
def unanswered_topic(context: RunContext, topics: dict[str, int]) -> Iterator[str]:
    """A topic without results; of judged topics another rule says so."""
    for topic in context.known_topics or ():
        if topic not in topics and (context.topics is None or topic not in context.topics):
            yield f"topic {topic} has no results"


@whole_rule(
    "no-judged-topic",
    "error",
    "none of the run's topics is judged: nothing of it can be scored",
    "Check that run and judgements are of the same year and write topic ids alike.",
)
def no_judged_topic(context: RunContext, topics: dict[str, int]) -> Iterator[str]:
    """Not one topic in common."""
    if context.topics is not None and not any(topic in context.topics for topic in topics):
        example = next(iter(context.topics), "none")
        yield f"none of {counted(len(topics), 'topic')} is judged: {next(iter(topics))} here, {example} there"


@whole_rule(
    "unjudged-topic",
    "remark",
    "a topic of the run is not judged, and so not scored",
    "Nothing, if the topic was not assessed; otherwise check its id.",
)
def unjudged_topic(context: RunContext, topics: dict[str, int]) -> Iterator[str]:
    """A topic that is not among the judged ones."""
    if context.topics is not None and any(topic in context.topics for topic in topics):
        for topic in topics:
            if topic not in context.topics:
                yield f"topic {topic} is not judged"


@whole_rule(
    "missing-topic",
    "remark",
    "a judged topic has no result in the run, which scores 0 for it",
    "Return something for every topic.",
)
def missing_topic(context: RunContext, topics: dict[str, int]) -> Iterator[str]:
    """A judged topic without results."""
    if context.topics is not None and any(topic in context.topics for topic in topics):
        for topic in context.topics:
            if topic not in topics:
                yield f"topic {topic} is judged but has no results"
