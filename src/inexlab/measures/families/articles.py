"""The article-level view by its own name; the measures of documents have names of their own as well."""

from __future__ import annotations

from collections.abc import Hashable

from inexlab.measures.documents import DocumentTopic, by_document, document_evidence, known_measure
from inexlab.measures.measure import Parameter, measure


def _full_name(name: str) -> Hashable:
    return str(known_measure(name))


@measure(
    "Article",
    document_evidence,
    Parameter("measure", "AP", "a measure of ir_measures, over documents", reader=_full_name),
    breakdown=by_document,
    documents=True,
)
def article(topic: DocumentTopic, measure: str) -> float:
    """A measure of document retrieval on the run's documents: `Article(measure=AP)`, `Article(measure=P@10)`.

    The run is reduced to its documents in order of their first result. A document is relevant if any of
    its text is highlighted or any of its elements has an exhaustivity above 0 (`?` counts). Its grade is
    the one that qrels of TREC state, 1 where text is highlighted, and else the greatest exhaustivity in
    it (`?` as 1). Any measure of ir_measures serves: AP (whose mean is MAP), P@5, RR, nDCG@10,
    Judged@10. Each may also be asked for by its name alone: `-m nDCG@10`.

    Source: the ir_measures library (MacAvaney, Macdonald and Ounis, 2022), which computes it.

    Example: A and B are relevant; results A[0,50), C[0,100), A[60,80), B[0,100) are the documents A, C,
    B: AP = (1 + 2/3) / 2 = .833333.
    """
    return float(topic.evidence.scores(measure)[topic.number])
