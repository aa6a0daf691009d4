"""The qrels of INEX 2008-2010: `topic Q0 doc rsize docsize [bep offset:length offset:length …]`.

`rsize` is the number of highlighted characters, 0 for a document judged not relevant, whose line stops
after `docsize`. Where no best entry point is known, the passages follow `docsize` directly. A document
judged twice for one topic is refused: the official tool counted it twice.
"""

from __future__ import annotations

from collections.abc import Iterator

from inexlab.files import Source
from inexlab.judgements.convert import as_qrels, as_qrels_without_entry_points
from inexlab.judgements.lines import judged_twice, read_lines, topic_and_document
from inexlab.judgements.read import JudgementFormat, Selection, judgement_formats
from inexlab.judgements.table import Judgements, JudgementsBuilder
from inexlab.judgements.write import JudgementWriter, judgement_writers
from inexlab.text_columns import fit_for_columns
from inexlab.wording import counted

_COLUMNS = "Columns are: topic Q0 doc rsize docsize, and for relevant text bep offset:length …"


def _recognises(source: Source) -> bool:
    columns = source.first_row[1].split()
    return not source.is_xml and len(columns) >= 5 and columns[3].isdigit() and columns[4].isdigit()


def _read(source: Source, builder: JudgementsBuilder, _selection: Selection) -> None:
    read_lines(source, builder, _add)


def _add(source: Source, number: int, columns: list[bytes], builder: JudgementsBuilder) -> None:
    pointless = len(columns) > 5 and b":" in columns[5]
    if len(columns) < 5 or (len(columns) == 6 and not pointless):
        raise source.problem(
            f"{counted(len(columns), 'column')}, expected 5 (not relevant) or at least 7",
            number,
            _COLUMNS,
        )
    topic, doc = topic_and_document(source, number, columns)
    rsize = _whole(source, number, "rsize", columns[3])
    docsize = _whole(source, number, "docsize", columns[4])
    bep, spans = None, []
    if len(columns) > 5:
        bep = None if pointless else _whole(source, number, "best entry point", columns[5])
        spans = [_passage(source, number, column) for column in columns[5 if pointless else 6 :]]
    elif rsize:
        fix = "Add bep and offset:length pairs, or write rsize 0."
        raise source.problem(f"rsize is {rsize} but no passages follow", number, fix)
    builder.at(number)
    if not builder.add(topic, doc, spans, size=docsize, bep=bep, stated=rsize):
        raise judged_twice(source, number, topic, doc)


def _passage(source: Source, line: int, column: bytes) -> tuple[int, int]:
    offset, colon, length = column.partition(b":")
    if not colon:
        raise source.problem(
            f"passage {column.decode(errors='replace')!r} is not offset:length", line, _COLUMNS
        )
    start = _whole(source, line, "offset", offset)
    return start, start + _whole(source, line, "length", length)


def _whole(source: Source, line: int, name: str, column: bytes) -> int:
    if column.isdigit() and len(column) < 16:
        return int(column)
    shown = column.decode(errors="replace")
    raise source.problem(f"{name} {shown!r} is not a whole number of characters", line, _COLUMNS)


def _write(judgements: Judgements) -> Iterator[bytes]:
    where = judgements.file or "judgements"
    topics = fit_for_columns("topic", judgements.topics, where, leading=True)
    docs = fit_for_columns("document", judgements.docs, where)
    for row, judged in enumerate(judgements):
        ids = f"{topics[int(judgements.topic[row])]} Q0 {docs[int(judgements.doc[row])]}"
        bep = [] if judged.bep is None else [str(judged.bep)]
        passages = [f"{start}:{end - start}" for start, end in judged.spans]
        columns = [ids, str(judgements.stated[row]), str(judgements.size[row]), *bep, *passages]
        yield f"{' '.join(columns)}\n".encode()


judgement_formats.add("qrels", JudgementFormat("qrels", _recognises, _read))
judgement_writers.add(
    "qrels",
    JudgementWriter(
        name="qrels",
        years="2008–2010",
        carries="topic Q0 doc rsize docsize [bep offset:length …]: highlights",
        convert=as_qrels,
        write=_write,
        read_by="qrels",
    ),
)
judgement_writers.add(
    "qrels-nobep",
    JudgementWriter(
        name="qrels-nobep",
        years="2008–2010",
        carries="as qrels, without best entry points",
        convert=as_qrels_without_entry_points,
        write=_write,
        read_by="qrels",
    ),
)
