"""Measures of documents on chunks: a chunk is relevant where it has enough of a highlight."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

import numpy as np

from inexlab.measures.breakdown import Breakdown, Cell
from inexlab.measures.documents import DocumentEvidence, known_measure
from inexlab.measures.measure import Parameter, measure
from inexlab.measures.results import Results
from inexlab.measures.spans import SpanEvidence, TopicEvidence, span_evidence
from inexlab.runs.chunking import Chunking
from inexlab.runs.order import Moves


def projected(evidence: SpanEvidence, rel: Fraction) -> DocumentEvidence:
    """Return the results as documents of their own, and which chunks are relevant, returned or not."""
    known, numbers = evidence.once(known_chunks)
    items, missed = _relevant_chunks(evidence, known, rel)
    row = np.full(len(evidence.kept), -1, dtype=np.int32)
    # a chunk that comes again keeps its rank, and is not relevant again: each result is a document
    borders = evidence.results_from
    document = (np.arange(borders[-1]) - np.repeat(borders[:-1], np.diff(borders))).astype(np.int32)
    rows_from = [0]
    for topic in range(len(evidence.names)):
        number = {chunk: k for k, chunk in enumerate(items[topic])}
        first, last = borders[topic : topic + 2].tolist()
        for i, chunk in enumerate(numbers[first:last], start=first):
            if (place := number.pop(chunk, None)) is not None:
                row[i] = rows_from[-1] + place
        rows_from.append(rows_from[-1] + len(items[topic]) + missed[topic])
    results = Results(borders, evidence.kept, row, document, row, 0, 0, Moves())
    grades = np.ones(rows_from[-1], dtype=np.int64)
    borders_of_rows = np.array(rows_from, dtype=np.int64)
    return DocumentEvidence(evidence.names, results, grades, borders_of_rows, evidence.findings)


def known_chunks(evidence: SpanEvidence) -> tuple[Chunking, list[int]]:
    """Return all chunks that are known, and which of them each result is; -1 for none."""
    known = evidence.run.chunking or _returned(evidence)
    rows = zip(known.doc.tolist(), known.start.tolist(), known.end.tolist(), strict=True)
    number = {chunk: k for k, chunk in enumerate(rows)}
    doc = evidence.run.docs.codes_in(known.docs)[evidence.run.doc[evidence.kept]]
    results = zip(doc.tolist(), evidence.start.tolist(), evidence.end.tolist(), strict=True)
    return known, [number.get(result, -1) for result in results]


def _returned(evidence: SpanEvidence) -> Chunking:
    """Return the chunks that a run has for any topic: what is known where the chunking is not."""
    run = evidence.run
    docs = [run.docs[d] for d in run.doc.tolist()]
    return Chunking.of(run.id, zip(docs, run.start.tolist(), run.end.tolist(), strict=True))


def _relevant_chunks(
    evidence: SpanEvidence, known: Chunking, rel: Fraction
) -> tuple[list[list[int]], list[int]]:
    """Return by topic the chunks that are relevant, and how many highlights no chunk has enough of."""
    judged = evidence.judgements
    items: list[dict[int, None]] = [{} for _ in evidence.names]
    missed = [0] * len(evidence.names)
    for row in range(len(judged)):
        topic = int(judged.topic[row])
        part = known.rows_of(judged.docs[int(judged.doc[row])])
        start, end = known.start[part], known.end[part]
        reach = np.maximum.accumulate(end) if len(end) else end
        for k in range(*judged.spans_from[row : row + 2].tolist()):
            a, b = int(judged.span_start[k]), int(judged.span_end[k])
            low, high = int(np.searchsorted(reach, a, side="right")), int(np.searchsorted(start, b))
            common = np.minimum(end[low:high], b) - np.maximum(start[low:high], a)
            enough = (common > 0) & (common * rel.denominator >= rel.numerator * (b - a))
            found = (part.start + low + np.flatnonzero(enough)).tolist()
            items[topic].update(dict.fromkeys(found))
            missed[topic] += not found
    return [list(chunks) for chunks in items], missed


def _breakdown(topic: TopicEvidence, measure: str, rel: Fraction) -> Breakdown:
    """List the results, and which are relevant chunks."""
    seen = topic.evidence.once(projected, rel)
    rows = seen.results.row[slice(*seen.results.results_from[topic.number : topic.number + 2])]
    columns: dict[str, list[Cell]] = {"relevant": ["yes" if row >= 0 else "no" for row in rows.tolist()]}
    known = int(seen.rows_from[topic.number + 1] - seen.rows_from[topic.number])
    steps = [(f"relevant chunks, and highlights that none has {float(rel):g} of ({measure})", known)]
    return Breakdown("result", np.arange(len(topic)), columns, steps)


def _full_name(name: str) -> Hashable:
    return str(known_measure(name))


@measure(
    "Chunk",
    span_evidence,
    Parameter("measure", "nDCG@10", "a measure of ir_measures, over chunks", reader=_full_name),
    Parameter("rel", Fraction(1, 2), "how much of a highlight a relevant chunk has", maximum=1),
    breakdown=_breakdown,
)
def chunk(topic: TopicEvidence, measure: str, rel: Fraction) -> float:
    """A measure of document retrieval on chunks: `Chunk(measure=nDCG@10,rel=0.5)`, `Chunk(measure=RR)`.

    A chunk is relevant if it has that share of a highlight, and at least a character (`rel=0`: any). How
    many relevant ones there are, which recall, AP and nDCG ask for, is counted over all chunks that the
    run was made of (`inexlab chunks`); where these are not known, over all that it returns for any topic.
    A highlight that no chunk has enough of counts as one more that nobody can return. The same chunk
    again keeps its rank, and is not relevant again.

    How much it depends on `rel` is worth a look: `inexlab chunks` prints a table. Measures of text
    (SpanR, SpanIoU, iP) need no threshold.

    Source: the projection of gold spans onto chunks that RAG evaluation uses; ir_measures (MacAvaney,
    Macdonald and Ounis, 2022) computes the measure.

    Example: A 0:60 is highlighted; results A[0,20), A[20,60), A[60,90): A[20,60) has 2/3 of it:
    Chunk(measure=RR,rel=0.5) = .5, Chunk(measure=RR,rel=0.3) = 1, Chunk(measure=RR,rel=0.7) = 0.
    """
    return float(topic.evidence.once(projected, rel).scores(measure)[topic.number])
