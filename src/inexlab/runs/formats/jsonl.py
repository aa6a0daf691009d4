"""JSON Lines runs: `{"topic", "doc", "start", "end", "score"}` or `{"topic", "doc", "path", "score"}`.

The run's id is the file's name. This is the form for chunks and quoted passages of any system.
"""

from __future__ import annotations

from collections.abc import Iterator

from inexlab.errors import InputError
from inexlab.files import Source
from inexlab.jsonl import JsonRow, json_lines, json_row
from inexlab.runs.read import RunFormat, run_formats
from inexlab.runs.rows import Row, Rows
from inexlab.runs.table import Run, RunBuilder
from inexlab.streams import Stream


def _recognises(source: Source) -> bool:
    return source.first_row[1][:1] == b"{"


def _read(source: Source) -> Run:
    builder = RunBuilder()
    for of_line in json_lines(source):
        row = _row(of_line)
        builder.add(row.topic, row.doc, row.score, span=row.span, path=row.path)
    return builder.build(source.stem, source.name)


def _row(row: JsonRow) -> Row:
    topic, doc = row.string("topic"), row.string("doc")
    score = row.number("score", default=float("nan"))
    path = row.string("path") if "path" in row else None
    if path is not None and "start" not in row:
        return Row(row.line, topic, doc, float("nan"), score, path=path)
    start, end = row.whole_number("start"), row.whole_number("end")
    if end < start:
        raise row.problem(f"[{start}, {end}) is no span", fix="A span is 0 <= start <= end.")
    return Row(row.line, topic, doc, float("nan"), score, start, end, path)


def _rows(stream: Stream) -> Rows:
    return Rows(_each(stream))


def _each(stream: Stream) -> Iterator[Row | InputError]:
    for number, line in enumerate(stream.lines(), start=1):
        try:
            of_line = json_row(stream.head, number, line)
            if of_line is not None:
                yield _row(of_line)
        except InputError as error:
            yield error


run_formats.add("jsonl", RunFormat("jsonl", _recognises, _read, _rows))
