"""TREC qrels of whole documents: `topic 0 doc relevance`.

They say that a document is relevant and not where. Measures of documents take the grades as they are. For
measures of text all text of a document with a grade above 0 is relevant, which the collection tells; those
below 0 (spam, at TREC) are not relevant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from inexlab.collection.paths import WHOLE_DOCUMENT
from inexlab.files import Source
from inexlab.judgements.convert import as_documents
from inexlab.judgements.lines import judged_twice, read_lines, topic_and_document
from inexlab.judgements.read import JudgementFormat, Selection, judgement_formats
from inexlab.judgements.table import Judgements, JudgementsBuilder
from inexlab.judgements.write import JudgementWriter, judgement_writers
from inexlab.text_columns import fit_for_columns
from inexlab.wording import counted

_GRADE = re.compile(rb"[+-]?[0-9]{1,9}")
_COLUMNS = "Columns are: topic 0 doc relevance."


def _recognises(source: Source) -> bool:
    columns = source.first_row[1].split()
    if source.is_xml or len(columns) != 4 or columns[1] == b"Q0":  # that would be INEX qrels, cut off
        return False
    return _GRADE.fullmatch(columns[3]) is not None


def _read(source: Source, builder: JudgementsBuilder, _selection: Selection) -> None:
    read_lines(source, builder, _add)


def _add(source: Source, number: int, columns: list[bytes], builder: JudgementsBuilder) -> None:
    if len(columns) != 4:
        raise source.problem(f"{counted(len(columns), 'column')}, expected 4", number, _COLUMNS)
    topic, doc = topic_and_document(source, number, columns)
    if _GRADE.fullmatch(columns[3]) is None:
        relevance = columns[3].decode(errors="replace")
        raise source.problem(f"relevance {relevance!r} is not a whole number", number, _COLUMNS)
    grade = int(columns[3])
    builder.at(number)
    if not builder.add(topic, doc, grade=grade):
        raise judged_twice(source, number, topic, doc)
    if grade > 0:
        builder.add_passage(topic, doc, WHOLE_DOCUMENT, WHOLE_DOCUMENT)
    if grade > 1:
        builder.remark("with a relevance above 1, which measures of text take as 1")


def _write(judgements: Judgements) -> Iterator[bytes]:
    where = judgements.file or "judgements"
    topics = fit_for_columns("topic", judgements.topics, where, leading=True)
    docs = fit_for_columns("document", judgements.docs, where)
    columns = (judgements.topic, judgements.doc, judgements.document_grades)
    for topic, doc, grade in zip(*(column.tolist() for column in columns), strict=True):
        yield f"{topics[topic]} 0 {docs[doc]} {grade}\n".encode()


judgement_formats.add("trec-qrels", JudgementFormat("trec-qrels", _recognises, _read))
judgement_writers.add(
    "trec-qrels",
    JudgementWriter(
        name="trec-qrels",
        years="",
        carries="topic 0 doc relevance: whole documents, by their grade, greatest exhaustivity or 1",
        convert=as_documents,
        write=_write,
        read_by="trec-qrels",
    ),
)
