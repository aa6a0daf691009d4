"""Judgements from and to what other programs have in memory: frames, dictionaries, records, qrels of ranx."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from inexlab.collection.paths import WHOLE_DOCUMENT
from inexlab.errors import UsageError
from inexlab.frames import Columns, is_frame, is_missing, name_of, read_columns, whole
from inexlab.judgements.assessor import Assessor, labels
from inexlab.judgements.merging import require_one_assessor
from inexlab.judgements.table import UNGRADED, Judgements, JudgementsBuilder

_COLUMNS = ("topic", "doc", "spans", "start", "end", "size", "bep", "grade", "assessor")
_WHAT = "judgements"
Spans = list[tuple[int, int]]


def judgements_of(data: object) -> Judgements:
    """Return judgements from a frame, a dictionary, records, or qrels of ranx.

    A dictionary is {topic: {doc: grade}}, or {topic: {doc: [[start, end], …]}} with what is highlighted. A
    table has a grade of each document, or `spans`, or one highlight to a row as `start` and `end`; a column
    `assessor` names who judged.
    """
    if not is_frame(data) and not isinstance(data, Mapping) and hasattr(data, "to_dict"):  # qrels of ranx
        data = data.to_dict()
    builder = JudgementsBuilder()
    if isinstance(data, Mapping):
        for topic, docs in data.items():
            if not isinstance(docs, Mapping):
                raise UsageError(f"topic {topic}: expected {{document: grade}}, not {type(docs).__name__}.")
            for row, (doc, judged) in enumerate(docs.items(), start=1):
                what = f"judgements of topic {topic}"
                if isinstance(judged, list | tuple):
                    builder.add(str(topic), str(doc), _spans(judged, what, row))
                else:
                    _add_grade(builder, str(topic), str(doc), whole(judged, what, "grade", row))
    else:
        columns = read_columns(data, _COLUMNS, ("topic", "doc"), _WHAT, any_of=("grade", "spans", "start"))
        _add_table(builder, columns)
    made = builder.build()
    if not len(made.topics):
        raise UsageError("the data holds no judgements.")
    return made


def _add_grade(builder: JudgementsBuilder, topic: str, doc: str, grade: int) -> bool:
    """Add a document with its grade, as the reader of TREC qrels does."""
    new = builder.add(topic, doc, grade=grade)
    if grade > 0:
        builder.add_passage(topic, doc, WHOLE_DOCUMENT, WHOLE_DOCUMENT)
    if grade > 1:
        builder.remark("with a relevance above 1, which measures of text take as 1")
    return new


def _add_table(builder: JudgementsBuilder, columns: Mapping[str, list[Any]]) -> None:
    by_row = "spans" not in columns and "start" in columns  # a highlight to a row
    if by_row and "end" not in columns:
        raise UsageError("judgements with a column start need a column end.")
    merged: dict[tuple[str, str, str], tuple[Spans, int | None, int | None, int | None]] = {}
    for place in range(len(columns["topic"])):
        row = place + 1
        topic = name_of(columns["topic"][place], _WHAT, "topic", row)
        doc = name_of(columns["doc"][place], _WHAT, "document", row)
        size, bep, grade = (
            None
            if name not in columns or is_missing(columns[name][place])
            else whole(columns[name][place], _WHAT, name, row)
            for name in ("size", "bep", "grade")
        )
        spans: Spans = []
        if by_row and columns["start"][place] is not None:
            spans = _spans([(columns["start"][place], columns["end"][place])], _WHAT, row)
        elif "spans" in columns and columns["spans"][place] is not None:
            spans = _spans(columns["spans"][place], _WHAT, row)
        named = "assessor" in columns and not is_missing(columns["assessor"][place])
        who = name_of(columns["assessor"][place], _WHAT, "assessor", row) if named else ""
        if (topic, doc, who) in merged:
            if not by_row:
                raise UsageError(
                    f"judgements, row {row}: document {doc} is judged a second time for topic {topic}."
                )
            before = merged[topic, doc, who]
            merged[topic, doc, who] = (
                before[0] + spans,
                before[1] or size,
                before[2] or bep,
                before[3] or grade,
            )
        else:
            merged[topic, doc, who] = spans, size, bep, grade
    highlighted = "spans" in columns or by_row
    for (topic, doc, who), (spans, size, bep, grade) in merged.items():
        builder.by(Assessor("person", who) if who else None)
        if highlighted:
            builder.add(topic, doc, spans, size=size, bep=bep, grade=grade)
        else:
            if grade is None:
                raise UsageError(f"judgements of document {doc} for topic {topic}: the grade is missing.")
            _add_grade(builder, topic, doc, grade)


def _spans(given: Any, what: str, row: int) -> Spans:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise UsageError(f"{what}, row {row}: spans are [[start, end], …], not {str(given)[:40]!r}.")
    spans = []
    for pair in given:
        if isinstance(pair, str) or not isinstance(pair, Iterable) or len(both := list(pair)) != 2:
            raise UsageError(f"{what}, row {row}: {str(pair)[:40]!r} is not a span; a span is [start, end].")
        start, end = (
            whole(number, what, name, row) for number, name in zip(both, ("start", "end"), strict=True)
        )
        if not 0 <= start <= end:
            raise UsageError(
                f"{what}, row {row}: [{start}, {end}) is not a span; it must be 0 <= start <= end."
            )
        spans.append((start, end))
    return spans


def columns_of(judgements: Judgements) -> Columns:
    """Return judgements as columns: a document to a row, with its grade and, where known, its highlights."""
    topics, docs = list(judgements.topics), list(judgements.docs)
    columns: dict[str, list[Any]] = {
        "topic": [topics[t] for t in judgements.topic.tolist()],
        "doc": [docs[d] for d in judgements.doc.tolist()],
        "grade": judgements.document_grades.tolist(),
    }
    if judgements.grade is None or bool(np.any(judgements.grade == UNGRADED)) or len(judgements.span_start):
        rows = list(judgements)
        columns["spans"] = [[list(span) for span in row.spans] for row in rows]
        for name in ("size", "bep"):
            values = [getattr(row, name) for row in rows]
            if any(value is not None for value in values):
                columns[name] = values
    if judgements.assessor is not None:
        named = [*labels(judgements.assessors), None]  # the last one is for rows without
        columns["assessor"] = [named[code] for code in judgements.assessor.tolist()]
    return columns


def dictionary_of(judgements: Judgements) -> dict[str, dict[str, int]]:
    """Return judgements as {topic: {doc: grade}}."""
    require_one_assessor(judgements)
    found: dict[str, dict[str, int]] = {topic: {} for topic in judgements.topics}
    columns = (judgements.topic, judgements.doc, judgements.document_grades)
    for topic, doc, grade in zip(*(column.tolist() for column in columns), strict=True):
        found[judgements.topics[topic]][judgements.docs[doc]] = grade
    return found
