"""JSON Lines runs with the same fields in all rows, read at once: many lines as one array, fields as columns.

Where a row is out of the ordinary, or wrong, the reader that goes row by row takes the whole file.
"""

from __future__ import annotations

import json
from types import NoneType
from typing import Any

import numpy as np

from inexlab.files import Source
from inexlab.jsonl import LARGEST
from inexlab.runs.table import NO_SPAN, Run
from inexlab.tables import Codes, Ints, Names

_AT_ONCE = 1 << 13  # lines, so that their objects do not all take room at the same time


def read_columns(source: Source) -> Run | None:
    """Read a run whose rows have the same fields at once; None if one is out of the ordinary."""
    columns = _columns(source.data)
    if columns is None:
        return None
    topics, docs, paths = (_names(columns[key]) for key in ("topic", "doc", "path"))
    scores = columns["score"]
    start, end = _whole_numbers(columns["start"]), _whole_numbers(columns["end"])
    no_path = _types(columns["path"]) == {NoneType}
    no_span = _types(columns["start"]) | _types(columns["end"]) == {NoneType}
    if no_path:
        paths = Names.of([]), np.full(len(scores), -1, dtype=np.int32)
    if no_span:
        start, end = (np.full(len(scores), NO_SPAN, dtype=np.int64) for _ in range(2))
    if topics is None or docs is None or paths is None or start is None or end is None:
        return None
    if (no_path and no_span) or (end < start).any() or not _types(scores) <= {int, float, NoneType}:
        return None
    try:
        score = np.array([np.nan if value is None else value for value in scores], dtype=np.float64)
    except OverflowError:
        return None
    return Run(
        id=source.stem,
        topics=topics[0],
        docs=docs[0],
        paths=paths[0],
        topic=topics[1],
        doc=docs[1],
        score=score,
        start=start,
        end=end,
        path=paths[1],
        until=np.full(len(score), -1, dtype=np.int32),
        file=source.name,
    )


def _columns(data: bytes) -> dict[str, list[Any]] | None:
    """Return the fields of all rows as lists, or None if not every line is one plain object.

    Many lines are read as one array. Every line has one brace, at its beginning: so where there are as many
    objects as lines, each line is one of them.
    """
    lines = data.removesuffix(b"\n").split(b"\n")
    if data.count(b"{") != len(lines) or not all(line.startswith(b"{") for line in lines):
        return None
    columns: dict[str, list[Any]] = {key: [] for key in ("topic", "doc", "path", "start", "end", "score")}
    for first in range(0, len(lines), _AT_ONCE):
        some = lines[first : first + _AT_ONCE]
        try:
            rows = json.loads(b"[%b]" % b",".join(some))
        except (ValueError, RecursionError):
            return None
        if len(rows) != len(some) or any("until" in row for row in rows):
            return None
        for key, column in columns.items():
            column += [row.get(key) for row in rows]
    return columns


def _types(values: list[Any]) -> set[type]:
    return set(map(type, values))


def _names(values: list[Any]) -> tuple[Names, Codes] | None:
    """Return distinct names and the number of each; None if one is not plainly a name."""
    if _types(values) != {str}:
        return None
    numbers = {name: number for number, name in enumerate(dict.fromkeys(values))}
    try:
        if all(map(str.strip, numbers)):
            return Names.of(numbers), np.array([numbers[name] for name in values], dtype=np.int32)
    except UnicodeEncodeError:  # JSON may hold half of a surrogate pair
        pass
    return None


def _whole_numbers(values: list[Any]) -> Ints | None:
    """Return numbers of characters; None if one is none."""
    if _types(values) == {int} and min(values) >= 0 and max(values) <= LARGEST:
        return np.array(values, dtype=np.int64)
    return None
