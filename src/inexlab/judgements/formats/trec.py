"""TREC qrels of whole documents, to write only: `topic 0 doc relevance`.

They say that a document is relevant and not where, so no measure of inexlab could use them.
"""

from __future__ import annotations

from collections.abc import Iterator

from inexlab.judgements.convert import as_documents
from inexlab.judgements.elements import TOO_SMALL
from inexlab.judgements.table import Judgements
from inexlab.judgements.write import JudgementWriter, judgement_writers
from inexlab.text_columns import fit_for_columns


def _write(judgements: Judgements) -> Iterator[bytes]:
    where = judgements.file or "judgements"
    topics = fit_for_columns("topic", judgements.topics, where, leading=True)
    docs = fit_for_columns("document", judgements.docs, where)
    with_passage = {passage.row for passage in judgements.passages if passage.end is not None}
    for row in range(len(judgements)):
        if judgements.elements is not None:
            mine = slice(*judgements.elements.elements_from[row : row + 2].tolist())
            grades = judgements.elements.exhaustivity[mine].tolist()
            grade = max((1 if e == TOO_SMALL else e for e in grades), default=0)
        else:
            grade = int(judgements.relevant[row] > 0 or row in with_passage)
        yield f"{topics[int(judgements.topic[row])]} 0 {docs[int(judgements.doc[row])]} {grade}\n".encode()


judgement_writers.add(
    "trec-qrels",
    JudgementWriter(
        name="trec-qrels",
        years="",
        carries="topic 0 doc relevance: whole documents, by greatest exhaustivity or 1",
        convert=as_documents,
        write=_write,
    ),
)
