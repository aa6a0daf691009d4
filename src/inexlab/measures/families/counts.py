"""The six counts of the official tool: documents and characters returned, relevant, and both."""

from __future__ import annotations

import functools

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.measures.breakdown import by_result
from inexlab.measures.counting import all_shown
from inexlab.measures.measure import measure
from inexlab.measures.spans import SpanEvidence, TopicEvidence, span_evidence
from inexlab.tables import Codes, Ints

_count = functools.partial(measure, evidence=span_evidence, total="sum", breakdown=by_result)


def _sizes(evidence: SpanEvidence) -> list[float]:
    """Return the distinct text of all topics, whatever precision divides by."""
    if evidence.policy.denominator == "full":
        return [characters_returned(topic) for topic in evidence.topics]
    return [seen.distinct for seen in all_shown(evidence, None)]


def _documents(evidence: SpanEvidence) -> Ints:
    """Return how many documents each topic's results are from, and how many of these are relevant."""
    rows_from, judged = evidence.judgements.rows_from, evidence.judged_relevant
    count = _count_documents.for_work(3 * len(evidence.document) + len(judged))
    return count(evidence.results_from, evidence.document, evidence.row, rows_from, judged)


@Kernel
def _count_documents(
    results_from: Ints, document: Codes, row: Codes, rows_from: Ints, judged_relevant: Ints
) -> Ints:
    """Count documents, which are numbered as they appear, and the judged ones among them that are relevant.

    There are two places for every topic, one for every judgement, and one for results without a judgement.
    """
    counts = np.zeros((2, len(results_from) - 1), dtype=np.int64)
    returned = np.zeros(len(judged_relevant) + 1, dtype=np.bool_)
    for topic in range(len(results_from) - 1):
        latest = -1
        for i in range(results_from[topic], results_from[topic + 1]):
            latest = max(latest, document[i])
            returned[np.int64(row[i]) + len(returned) * (row[i] < 0)] = True  # -1 is the last place
        relevant = 0
        for r in range(rows_from[topic], rows_from[topic + 1]):
            relevant += returned[r] & (judged_relevant[r] > 0)
        counts[0, topic], counts[1, topic] = latest + 1, relevant
    return counts


@_count(
    "num_ret",
    at_once=lambda evidence: evidence.once(_documents)[0].tolist(),
)
def documents_returned(topic: TopicEvidence) -> float:
    """Documents returned (not results): each document counts once, however many parts of it are returned.

    Source: the official tool of INEX 2008-2010; Cherukuri (2010), Table 5. Topics are added up.

    Example: results A[0,50), C[0,100), B[0,100) give num_ret 3.
    """
    return len(topic.documents)


@_count(
    "num_rel",
    at_once=lambda evidence: evidence.relevant_documents.tolist(),
)
def documents_relevant(topic: TopicEvidence) -> float:
    """Relevant documents of the topic: those with highlighted text.

    Source: the official tool of INEX 2008-2010. Topics are added up.

    Example: judgements A 0:60 and B 50:40, D judged without highlights, give num_rel 2.
    """
    return topic.relevant_documents


@_count(
    "num_rel_ret",
    at_once=lambda evidence: evidence.once(_documents)[1].tolist(),
)
def documents_relevant_returned(topic: TopicEvidence) -> float:
    """Relevant documents returned, whether or not the returned part is itself highlighted.

    Source: the official tool of INEX 2008-2010. Topics are added up.

    Example: A 0:60 and B 50:40 are relevant; results A[0,50), C[0,100), B[0,10) give num_rel_ret 2.
    """
    return int((topic.documents.relevant > 0).sum())


@_count(
    "ret_size",
    at_once=_sizes,
)
def characters_returned(topic: TopicEvidence) -> float:
    """Distinct characters returned.

    Source: the official tool of INEX 2008-2010, which does not see overlap and counts repeated text
    again (policy seen_text=again). Topics are added up.

    Example: results A[0,50), A[40,60) give ret_size 60.
    """
    return int(topic.size.sum())


@_count(
    "rel_size",
    at_once=lambda evidence: evidence.total_relevant.tolist(),
)
def characters_relevant(topic: TopicEvidence) -> float:
    """Highlighted characters of the topic, over all judged documents.

    Source: the official tool of INEX 2008-2010, which takes the rsize column at its word (policy
    relevant_size=stated). Topics are added up.

    Example: judgements A 0:60 and B 50:40 give rel_size 100.
    """
    return topic.total_relevant


@_count(
    "rel_ret_size",
    at_once=lambda evidence: [seen.relevant for seen in all_shown(evidence, None)],
)
def characters_relevant_returned(topic: TopicEvidence) -> float:
    """Distinct highlighted characters returned.

    rel_ret_size / rel_size is the final recall, rel_ret_size / ret_size the final precision.

    Source: the official tool of INEX 2008-2010. Topics are added up.

    Example: A 0:60 and B 50:40 are highlighted; results A[0,50), C[0,100), B[0,100) give rel_ret_size 90.
    """
    return int(topic.relevant.sum())
