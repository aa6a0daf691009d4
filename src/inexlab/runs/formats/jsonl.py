"""JSON Lines runs: `{"topic", "doc", "start", "end", "score"}` or `{"topic", "doc", "path", "score"}`.

The run's id is the file's name. Results are ranked by score; where a topic has no scores, by their rows
(`inexlab.runs.order`). This is the form for chunks and quoted passages of any system. A passage
between two paths has `until` beside `path`; `"start": null, "end": null` is a result that was not located.
Rows with the same fields are read at once; whatever is odd is left to the reader here, which explains.
"""

from __future__ import annotations

from collections.abc import Iterator

from inexlab.errors import InputError
from inexlab.files import Source
from inexlab.jsonl import JsonRow, json_lines, json_number, json_row, json_strings
from inexlab.runs.convert import unchanged
from inexlab.runs.formats.jsonl_columns import read_columns
from inexlab.runs.order import by_score
from inexlab.runs.read import RunFormat, run_formats
from inexlab.runs.rows import Rows, RunRow
from inexlab.runs.table import NO_SPAN, Run, RunBuilder
from inexlab.runs.write import RunWriter, run_writers
from inexlab.streams import Stream


def _recognises(source: Source) -> bool:
    return source.first_row[1][:1] == b"{"


def _read(source: Source) -> Run:
    run = read_columns(source)
    return by_score(_read_slowly(source) if run is None else run)


def _read_slowly(source: Source) -> Run:
    """Read row by row, and say what is wrong with the first one that cannot be read."""
    builder = RunBuilder()
    for of_line in json_lines(source):
        row = _row(of_line)
        builder.add(row.topic, row.doc, row.score, span=row.span, path=row.path, until=row.until)
    return builder.build(source.stem, source.name)


def _row(row: JsonRow) -> RunRow:
    topic, doc = row.string("topic"), row.string("doc")
    score = row.number("score", default=float("nan"))
    path = row.string("path") if "path" in row else None
    until = row.string("until") if "until" in row else None
    if "start" not in row and "end" not in row and (path is not None or row.has_null("start", "end")):
        return RunRow(row.line, topic, doc, float("nan"), score, path=path, until=until)
    start, end = row.whole_number("start"), row.whole_number("end")
    if end < start:
        raise row.problem(f"[{start}, {end}) is not a span", fix="A span has 0 <= start <= end.")
    return RunRow(row.line, topic, doc, float("nan"), score, start, end, path, until)


def _rows(stream: Stream) -> Rows:
    return Rows(_each(stream), {"run_id": stream.head.stem})


def _each(stream: Stream) -> Iterator[RunRow | InputError]:
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
        carries="JSON Lines: spans, paths or both, as given; with `collection=` spans for paths; scores",
        convert=unchanged,
        write=_write,
        read_by="jsonl",
        keeps_id=False,
        ranked_by="score",
    ),
)
