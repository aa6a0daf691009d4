"""JSON Lines topics: `{"topic", "title", "castitle", "description", …}`, all but `topic` as needed.

`id` or `_id` is accepted for `topic`, `text` for `title`: other test collections write their queries so.
"""

from __future__ import annotations

from collections.abc import Iterator

from inexlab.files import Source
from inexlab.jsonl import json_lines
from inexlab.topics.read import TopicFormat, topic_formats
from inexlab.topics.table import FIELDS, Topic

_IDS = ("topic", "id", "_id")
_KNOWN = {*FIELDS, "query_type", "candidate", *_IDS, "text"}


def _recognises(source: Source) -> bool:
    return source.first_row[1][:1] == b"{"


def _read(source: Source) -> Iterator[Topic]:
    for row in json_lines(source):
        id = row.string(next((name for name in _IDS if name in row), "topic"))
        own = {name: row.text(name) for name in FIELDS}
        own["title"] = own["title"] or row.text("text")
        yield Topic(
            id,
            query_type=row.text("query_type"),
            candidate=row.text("candidate"),
            extra=row.others(_KNOWN),
            file=source.name,
            line=row.line,
            lines={},
            **own,
        )


topic_formats.add("jsonl", TopicFormat("jsonl", _recognises, _read))
