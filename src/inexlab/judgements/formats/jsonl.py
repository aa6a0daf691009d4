"""JSON Lines judgements: `{"topic", "doc", "spans": [[start, end], …], "bep", "size", "assessor"}`.

`"aspects": {"nugget 1": [[start, end], …]}` names parts of what is relevant; `spans` may be left out then.
Empty spans mean: judged, nothing relevant. `bep` and `size` may be null or missing. `assessor` is
`{"kind": "person|model", "name", "version"}` or a name alone; a document may be judged by several.
`exhaustivity` is `{path: 2|1|"?"}`, what the assessor said of elements with highlighted text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from inexlab.errors import InputError
from inexlab.files import Source
from inexlab.jsonl import JsonRow, json_row
from inexlab.judgements.assessor import KINDS, Assessor
from inexlab.judgements.convert import as_lines
from inexlab.judgements.elements import TOO_SMALL, full_path
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
    assessor = _assessor(row)
    builder.by(assessor)
    if not builder.add(topic, doc, spans, size=size, bep=bep):
        by = "" if assessor is None else f" by {assessor}"
        raise row.problem(
            f"document {doc} is judged a second time for topic {topic}{by}", fix="Keep one line."
        )
    builder.add_aspects(topic, doc, aspects)
    if "exhaustivity" in row:
        builder.add_exhaustivity(topic, doc, _exhaustivity(row))


def _assessor(row: JsonRow) -> Assessor | None:
    given = row.get("assessor")
    if given is None:
        return None
    fields = {"name": given} if isinstance(given, str) else given
    texts = isinstance(fields, dict) and all(
        isinstance(fields.get(name, ""), str | int) and str(fields.get(name, "")).isprintable()
        for name in Assessor._fields
    )
    kind = fields.get("kind", "person") if texts else ""
    if kind not in KINDS:
        raise row.problem(
            f"'assessor' is {str(given)[:60]!r}",
            fix='Write a name, or {"kind": "person" or "model", "name": …, "version": …}.',
        )
    return Assessor(kind, str(fields.get("name", "")) or kind, str(fields.get("version", "")))


def _exhaustivity(row: JsonRow) -> dict[str, int]:
    given = row.get("exhaustivity")
    grades = {"?": TOO_SMALL, 1: 1, 2: 2}
    found: dict[str, int] = {}
    for path, grade in given.items() if isinstance(given, dict) else [(None, None)]:
        known = type(grade) in (int, str) and grade in grades
        if path is None or not known or not full_path(path):
            raise row.problem(
                f"'exhaustivity' is {str(given)[:60]!r}",
                fix='Write {"/article[1]/p[2]": 2, …}: a grade 2, 1 or "?" for each path.',
            )
        found[full_path(path)] = grades[grade]
    return found


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
        given = judgements.exhaustivity.get(number, {})
        row: dict[str, object] = {
            "topic": judged.topic,
            "doc": judged.doc,
            "spans": judged.spans,
            "aspects": (judgements.aspects.of_row(number) if judgements.aspects else None) or None,
            "bep": judged.bep,
            "size": judged.size,
            "assessor": judged.assessor and {k: v for k, v in judged.assessor._asdict().items() if v},
            "exhaustivity": {path: "?" if e == TOO_SMALL else e for path, e in given.items()} or None,
        }
        known = {key: value for key, value in row.items() if value is not None}
        yield f"{json.dumps(known, ensure_ascii=False)}\n".encode()


judgement_formats.add("jsonl", JudgementFormat("jsonl", _recognises, _read))
judgement_writers.add(
    "jsonl",
    JudgementWriter(
        name="jsonl",
        years="",
        carries="JSON Lines: highlights as spans, aspects, best entry points, document lengths, assessors",
        assessors=True,
        convert=as_lines,
        write=_write,
        read_by="jsonl",
    ),
)
