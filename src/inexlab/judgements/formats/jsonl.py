"""JSON Lines judgements: `{"topic", "doc", "spans": [[start, end], …], "bep", "size", "assessor"}`.

`"aspects": {"nugget 1": [[start, end], …]}` names parts of what is relevant; `spans` may be left out then.
Empty spans mean: judged, nothing relevant. `bep` and `size` may be null or missing; `assessor` is allowed
and changes no score.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from inexlab.errors import InputError
from inexlab.files import Source
from inexlab.jsonl import JsonRow, json_row
from inexlab.judgements.convert import as_lines
from inexlab.judgements.read import JudgementFormat, Selection, judgement_formats
from inexlab.judgements.table import Judgements, JudgementsBuilder
from inexlab.judgements.write import JudgementWriter, judgement_writers
from inexlab.spans import union


def _recognises(source: Source) -> bool:
    return source.first_row[1][:1] == b"{"


def _read(source: Source, builder: JudgementsBuilder, _selection: Selection) -> None:
    for number, line in enumerate(source.data.split(b"\n"), start=1):
        try:
            row = json_row(source, number, line)
            if row is not None:
                _add(row, builder)
        except InputError as error:
            builder.refuse(error)


def _add(row: JsonRow, builder: JudgementsBuilder) -> None:
    topic, doc = row.string("topic"), row.string("doc")
    size = row.whole_number("size") if "size" in row else None
    bep = row.whole_number("bep") if "bep" in row else None
    builder.at(row.line)
    aspects = _aspects(row)
    spans = [] if aspects and "spans" not in row else _spans(row.get("spans"), row)
    if aspects:  # their text is relevant, too
        spans = [*union([*spans, *(span for parts in aspects.values() for span in parts)])]
    if not builder.add(topic, doc, spans, size=size, bep=bep):
        raise row.problem(f"document {doc} is judged a second time for topic {topic}", fix="Keep one line.")
    builder.add_aspects(topic, doc, aspects)


def _aspects(row: JsonRow) -> dict[str, list[tuple[int, int]]]:
    given = row.get("aspects")
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise row.problem("'aspects' is not an object", fix='Write {"nugget 1": [[start, end], …], …}.')
    return {name: _spans(spans, row) for name, spans in given.items()}


def _spans(given: object, row: JsonRow) -> list[tuple[int, int]]:
    if not isinstance(given, list):
        raise row.problem("'spans' is missing or not a list", fix="[] means judged, nothing relevant.")
    spans = []
    for pair in given:
        whole = isinstance(pair, list) and len(pair) == 2 and all(type(n) is int for n in pair)
        if not whole or not 0 <= pair[0] <= pair[1] <= 2**53:
            raise row.problem(f"{pair!r} is not a span", fix="A span is [start, end] with 0 <= start <= end.")
        spans.append((pair[0], pair[1]))
    return spans


def _write(judgements: Judgements) -> Iterator[bytes]:
    for number, judged in enumerate(judgements):
        row: dict[str, object] = {
            "topic": judged.topic,
            "doc": judged.doc,
            "spans": judged.spans,
            "aspects": (judgements.aspects.of_row(number) if judgements.aspects else None) or None,
            "bep": judged.bep,
            "size": judged.size,
        }
        known = {key: value for key, value in row.items() if value is not None}
        yield f"{json.dumps(known, ensure_ascii=False)}\n".encode()


judgement_formats.add("jsonl", JudgementFormat("jsonl", _recognises, _read))
judgement_writers.add(
    "jsonl",
    JudgementWriter(
        name="jsonl",
        years="",
        carries="JSON Lines: highlights as spans, aspects, best entry points, document lengths",
        convert=as_lines,
        write=_write,
        read_by="jsonl",
    ),
)
