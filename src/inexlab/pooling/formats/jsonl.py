"""Pools as JSON Lines: `{"topic", "doc", "hints": [[start, end], …], "runs": […], "assessors": […]}`.

The first of `runs` brought the document in, at `rank`. `paths` are hints without a span: a path, or two of a
passage. Without a plan there are no `assessors`; with one, an empty list is a topic kept for latecomers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from inexlab.files import Source
from inexlab.jsonl import JsonRow, json_lines
from inexlab.pooling.files import PoolBuilder, PoolFormat, PoolWriter, pool_formats, pool_writers
from inexlab.pooling.table import Hint, Pool, PooledDocument
from inexlab.spans import Span


def _recognises(source: Source) -> bool:
    row = source.first_row[1]
    if not row.startswith(b"{"):
        return False
    try:
        fields = json.loads(row)
    except (ValueError, RecursionError):  # whoever reads it will say what is wrong
        return False
    return "hints" in fields and "spans" not in fields and "doc" in fields


def _read(source: Source, builder: PoolBuilder) -> None:
    for row in json_lines(source):
        topic, doc = row.string("topic"), row.string("doc")
        rank = row.whole_number("rank") if "rank" in row else None
        document = PooledDocument(topic, doc, _hints(row), _names(row, "runs"), rank, _paths(row))
        if not builder.add(document):
            raise row.problem(f"document {doc} is in the pool of topic {topic} twice", fix="Keep one line.")
        if row.get("assessors") is not None and not builder.assign(topic, _names(row, "assessors")):
            raise row.problem(
                f"topic {topic} has other assessors than on the lines before",
                fix="All lines of a topic name the same.",
            )


def _hints(row: JsonRow) -> tuple[Span, ...]:
    found = []
    for pair in _list(row, "hints"):
        whole = isinstance(pair, list) and len(pair) == 2 and all(type(n) is int for n in pair)
        if not whole or not 0 <= pair[0] <= pair[1] <= 2**53:
            raise row.problem(
                f"hint {str(pair)[:40]!r} is not a span", fix="A span is [start, end] with 0 <= start <= end."
            )
        found.append(Span(*pair))
    return tuple(found)


def _paths(row: JsonRow) -> tuple[Hint, ...]:
    found = []
    for given in _list(row, "paths"):
        texts = [given] if isinstance(given, str) else given
        if (
            not isinstance(texts, list)
            or len(texts) not in (1, 2)
            or not all(isinstance(t, str) for t in texts)
        ):
            raise row.problem(
                f"'paths' has {str(given)[:40]!r}", fix="Write a path, or [start, end] of a passage."
            )
        found.append(Hint(*texts))
    return tuple(found)


def _names(row: JsonRow, key: str) -> tuple[str, ...]:
    names = _list(row, key)
    if not all(isinstance(name, str) and name for name in names):
        raise row.problem(f"{key!r} is {str(names)[:60]!r}, expected a list of names")
    return tuple(names)


def _list(row: JsonRow, key: str) -> list[Any]:
    given = row.get(key)
    if given is None:
        return []
    if not isinstance(given, list):
        raise row.problem(f"{key!r} is {str(given)[:40]!r}, expected a list")
    return given


def _write(pool: Pool, _lost: list[str]) -> Iterator[bytes]:
    for topic in pool.topics:
        for document in pool.by_topic.get(topic, ()):
            row: dict[str, Any] = {"topic": topic, "doc": document.doc, "hints": document.hints}
            if document.paths:
                paths = document.paths
                row["paths"] = [hint.path if hint.until is None else list(hint) for hint in paths]
            if document.runs:
                row["runs"] = document.runs
            if document.rank is not None:
                row["rank"] = document.rank
            if pool.assessors:
                row["assessors"] = pool.assessors.get(topic, ())
            yield f"{json.dumps(row, ensure_ascii=False)}\n".encode()


pool_formats.add("pool-jsonl", PoolFormat("pool-jsonl", _recognises, _read))
pool_writers.add(
    "pool-jsonl",
    PoolWriter("pool-jsonl", "JSON Lines: documents to judge, hints, runs, assessors", write=_write),
)
