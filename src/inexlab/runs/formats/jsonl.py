"""JSON Lines runs: `{"topic", "doc", "start", "end", "score"}` or `{"topic", "doc", "path", "score"}`.

The run's id is the file's name. This is the form for chunks and quoted passages of any system.
"""

from __future__ import annotations

from inexlab.files import Source
from inexlab.jsonl import json_lines
from inexlab.runs.read import RunFormat, run_formats
from inexlab.runs.table import Run, RunBuilder


def _recognises(source: Source) -> bool:
    return source.first_row[1][:1] == b"{"


def _read(source: Source) -> Run:
    builder = RunBuilder()
    for row in json_lines(source):
        topic, doc = row.string("topic"), row.string("doc")
        score = row.number("score", default=float("nan"))
        path = row.string("path") if "path" in row else None
        if path is not None and "start" not in row:
            builder.add(topic, doc, score, path=path)
            continue
        start, end = row.whole_number("start"), row.whole_number("end")
        if end < start:
            raise row.problem(f"[{start}, {end}) is no span", fix="A span is 0 <= start <= end.")
        builder.add(topic, doc, score, span=(start, end), path=path)
    return builder.build(source.stem, source.name)


run_formats.add("jsonl", RunFormat("jsonl", _recognises, _read))
