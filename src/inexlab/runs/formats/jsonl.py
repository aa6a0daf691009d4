"""JSON Lines runs: `{"topic", "doc", "start", "end", "score"}` or `{"topic", "doc", "path", "score"}`.

The run's id is the file's name. This is the form for chunks and quoted passages of any system. A passage
between two paths has `until` beside `path`; `"start": null, "end": null` is a result that was not located.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import NoneType
from typing import Any

import numpy as np

from inexlab.errors import InputError
from inexlab.files import Source
from inexlab.jsonl import LARGEST, JsonRow, json_lines, json_number, json_row, json_strings
from inexlab.runs.convert import as_they_are
from inexlab.runs.read import RunFormat, run_formats
from inexlab.runs.rows import Row, Rows
from inexlab.runs.table import NO_SPAN, Run, RunBuilder
from inexlab.runs.write import RunWriter, run_writers
from inexlab.streams import Stream
from inexlab.tables import Codes, Ints, Names

_AT_ONCE = 1 << 13  # lines, so that their objects do not all take room at the same time


def _recognises(source: Source) -> bool:
    return source.first_row[1][:1] == b"{"


def _read(source: Source) -> Run:
    run = _read_columns(source)
    return _read_rows(source) if run is None else run


def _read_rows(source: Source) -> Run:
    """Read row by row, and say what is wrong with the first one that cannot be read."""
    builder = RunBuilder()
    for of_line in json_lines(source):
        row = _row(of_line)
        builder.add(row.topic, row.doc, row.score, span=row.span, path=row.path, until=row.until)
    return builder.build(source.stem, source.name)


def _read_columns(source: Source) -> Run | None:
    """Read a run whose rows have the same fields at once; None where one is out of the ordinary."""
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
    """Return the fields of all rows as lists, or None where not every line is one plain object.

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
    """Return distinct names and the number of each; None where one is not plainly a name."""
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
    """Return numbers of characters; None where one is none."""
    if _types(values) == {int} and min(values) >= 0 and max(values) <= LARGEST:
        return np.array(values, dtype=np.int64)
    return None


def _row(row: JsonRow) -> Row:
    topic, doc = row.string("topic"), row.string("doc")
    score = row.number("score", default=float("nan"))
    path = row.string("path") if "path" in row else None
    until = row.string("until") if "until" in row else None
    if "start" not in row and "end" not in row and (path is not None or row.has_null("start", "end")):
        return Row(row.line, topic, doc, float("nan"), score, path=path, until=until)
    start, end = row.whole_number("start"), row.whole_number("end")
    if end < start:
        raise row.problem(f"[{start}, {end}) is no span", fix="A span is 0 <= start <= end.")
    return Row(row.line, topic, doc, float("nan"), score, start, end, path, until)


def _rows(stream: Stream) -> Rows:
    return Rows(_each(stream), {"run_id": stream.head.stem})


def _each(stream: Stream) -> Iterator[Row | InputError]:
    for number, line in enumerate(stream.lines(), start=1):
        try:
            of_line = json_row(stream.head, number, line)
            if of_line is not None:
                yield _row(of_line)
        except InputError as error:
            yield error


def _write(run: Run) -> Iterator[bytes]:
    topics, docs, paths = (json_strings(names) for names in (run.topics, run.docs, run.paths))
    step = 1 << 16
    for first in range(0, len(run), step):
        part = slice(first, first + step)
        columns = (run.topic, run.doc, run.path, run.until, run.start, run.end, run.score)
        lines = []
        for topic, doc, path, until, start, end, score in zip(
            *(c[part].tolist() for c in columns), strict=True
        ):
            place = "" if path < 0 else f', "path": {paths[path]}'
            if until >= 0:
                place += f', "until": {paths[until]}'
            if start != NO_SPAN:
                place += f', "start": {start}, "end": {end}'
            place = place or ', "start": null, "end": null'
            known = "" if score != score else f', "score": {json_number(score)}'
            lines.append(f'{{"topic": {topics[topic]}, "doc": {docs[doc]}{place}{known}}}\n')
        yield "".join(lines).encode()


run_formats.add("jsonl", RunFormat("jsonl", _recognises, _read, _rows))
run_writers.add(
    "jsonl",
    RunWriter(
        name="jsonl",
        years="",
        carries="JSON Lines: spans, paths or both, as given; with --collection spans for paths; scores",
        convert=as_they_are,
        write=_write,
        read_by="jsonl",
        keeps_id=False,
    ),
)
