"""Topics from and to what other programs have in memory: frames, dictionaries, records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from inexlab.frames import Columns, name_of, read_columns
from inexlab.topics.table import FIELDS, Topic, Topics

_WHAT = "topics"


def topics_of(data: object) -> Iterator[Topic]:
    """Yield topics from a dictionary {topic: query}, a frame or records with an id and a query.

    A query that begins with `/` is a structured one. Other fields of topics, such as `castitle` and
    `description`, are read by their names.
    """
    if isinstance(data, Topics):
        yield from data.values()
        return
    if isinstance(data, Topic):
        yield data
        return
    if isinstance(data, Mapping):
        data = [{"topic": topic, "query": query} for topic, query in data.items()]
    elif isinstance(data, list | tuple) and all(isinstance(topic, Topic) for topic in data):
        yield from data
        return
    columns = read_columns(data, ("topic", "query", *_OTHERS), ("topic",), _WHAT, any_of=("query", *_OTHERS))
    for place, id in enumerate(columns["topic"]):
        fields: dict[str, Any] = {
            "title" if name == "query" else name: str(column[place])
            for name, column in columns.items()
            if name != "topic" and column[place] is not None
        }
        yield Topic(name_of(id, _WHAT, "topic", place + 1), **fields)


_OTHERS = tuple(name for name in FIELDS if name != "title")


def columns_of(topics: Topics) -> Columns:
    """Return topics as columns: id, kind, and the fields that any of them has."""
    found = {"topic": list(topics), "kind": [topic.kind for topic in topics.values()]}
    for name in FIELDS:
        column = [getattr(topic, name) for topic in topics.values()]
        if any(column):
            found[name] = column
    return found
