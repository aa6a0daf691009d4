"""The six counts of the official tool: documents and characters returned, relevant, and both."""

from __future__ import annotations

from inexlab.measures.breakdown import by_result
from inexlab.measures.measure import measure
from inexlab.measures.spans import TopicEvidence, span_evidence


@measure("num_ret", span_evidence, total="sum", breakdown=by_result)
def documents_returned(topic: TopicEvidence) -> float:
    """Documents returned (not results): each document counts once, however many parts of it are returned.

    Source: the official tool of INEX 2008-2010; Cherukuri (2010), Table 5. Topics are added up.

    Example: results A[0,50), C[0,100), B[0,100) give num_ret 3.
    """
    return len(topic.documents)


@measure("num_rel", span_evidence, total="sum", breakdown=by_result)
def documents_relevant(topic: TopicEvidence) -> float:
    """Relevant documents of the topic: those with highlighted text.

    Source: the official tool of INEX 2008-2010. Topics are added up.

    Example: judgements A 0:60 and B 50:40, D judged without highlights, give num_rel 2.
    """
    return topic.relevant_documents


@measure("num_rel_ret", span_evidence, total="sum", breakdown=by_result)
def documents_relevant_returned(topic: TopicEvidence) -> float:
    """Relevant documents returned, whether or not the returned part is itself highlighted.

    Source: the official tool of INEX 2008-2010. Topics are added up.

    Example: A 0:60 and B 50:40 are relevant; results A[0,50), C[0,100), B[0,10) give num_rel_ret 2.
    """
    return int((topic.documents.relevant > 0).sum())


@measure("ret_size", span_evidence, total="sum", breakdown=by_result)
def characters_returned(topic: TopicEvidence) -> float:
    """Distinct characters returned.

    Source: the official tool of INEX 2008-2010, which does not see overlap and counts repeated text
    again (policy seen_text=again). Topics are added up.

    Example: results A[0,50), A[40,60) give ret_size 60.
    """
    return int(topic.size.sum())


@measure("rel_size", span_evidence, total="sum", breakdown=by_result)
def characters_relevant(topic: TopicEvidence) -> float:
    """Highlighted characters of the topic, over all judged documents.

    Source: the official tool of INEX 2008-2010, which takes the rsize column at its word (policy
    relevant_size=stated). Topics are added up.

    Example: judgements A 0:60 and B 50:40 give rel_size 100.
    """
    return topic.total_relevant


@measure("rel_ret_size", span_evidence, total="sum", breakdown=by_result)
def characters_relevant_returned(topic: TopicEvidence) -> float:
    """Distinct highlighted characters returned.

    rel_ret_size / rel_size is the final recall, rel_ret_size / ret_size the final precision.

    Source: the official tool of INEX 2008-2010. Topics are added up.

    Example: A 0:60 and B 50:40 are highlighted; results A[0,50), C[0,100), B[0,100) give rel_ret_size 90.
    """
    return int(topic.relevant.sum())
