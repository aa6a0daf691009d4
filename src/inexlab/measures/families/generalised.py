"""Generalised precision and recall over documents: the in-context measures of INEX 2007-2010.

The documents of a topic are ranked by their first result. Each has a score S(d) in [0, 1] that says how
well the returned text (or entry point) serves it; `score` names how.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, nan

import numpy as np

from inexlab.measures.breakdown import Breakdown, by_document
from inexlab.measures.measure import Parameter, measure
from inexlab.measures.spans import TopicEvidence, span_evidence
from inexlab.runs.table import NO_SPAN
from inexlab.tables import Floats

_SCORE = (
    Parameter("score", "F", "what a document's results are worth", choices=("F", "BEP", "T2I")),
    Parameter("beta", Fraction(1), "weight of recall in F", when=("score", "F")),
    Parameter(
        "n",
        500,
        "characters from the best entry point where the score reaches 0",
        minimum=1,
        when=("score", "BEP"),
    ),
    Parameter("tolerance", 300, "non-relevant characters read before giving up", when=("score", "T2I")),
)


def document_scores(topic: TopicEvidence, score: str, beta: Fraction, n: int, tolerance: int) -> Floats:
    """Return S(d) of each document in the ranking."""
    documents = topic.documents
    if score == "BEP":
        # |x - b| in characters; a result that was not located is infinitely far away
        distance = np.abs(documents.entry - documents.bep)
        known = (documents.relevant > 0) & (documents.bep >= 0) & (documents.entry != NO_SPAN)
        return np.where(known & (distance <= n), (n - distance) / n, 0.0)
    hit = (documents.hit > 0) & (documents.relevant > 0)
    if score == "T2I":
        return (hit & (documents.lead <= tolerance)).astype(np.float64)
    precision = np.divide(documents.hit, documents.retrieved, out=np.zeros(len(hit)), where=hit)
    recall = np.divide(documents.hit, documents.relevant, out=np.zeros(len(hit)), where=hit)
    square = float(beta * beta)
    return np.divide(
        (1 + square) * precision * recall, square * precision + recall, out=np.zeros(len(hit)), where=hit
    )


def _breakdown(
    topic: TopicEvidence,
    score: str = "",
    beta: Fraction = Fraction(1),
    n: int = 1,
    tolerance: int = 0,
    cutoff: int | Fraction | None = None,  # noqa: ARG001 - it does not change what a document is worth
) -> Breakdown:
    """Take a topic's score apart by document."""
    scores = document_scores(topic, score, beta, n, tolerance) if score else np.zeros(len(topic.documents))
    return by_document(topic, scores, score)


def generalised_precision(topic: TopicEvidence, score: str, beta: Fraction, n: int, tolerance: int) -> Floats:
    """Return gP at each rank of the document list."""
    scores = document_scores(topic, score, beta, n, tolerance)
    return np.cumsum(scores) / np.arange(1, len(scores) + 1)


@measure("gP", span_evidence, *_SCORE, cutoff="rank", breakdown=_breakdown)
def gp(
    topic: TopicEvidence,
    cutoff: int,
    score: str,
    beta: Fraction = Fraction(1),
    n: int = 1,
    tolerance: int = 0,
) -> float:
    """Generalised precision at a rank of documents: `gP(score=F,beta=1)@10`.

    gP@r = (S(d_1) + … + S(d_r)) / r, for the documents d_1, d_2, … in order of their first result

    score=F    S(d) = (1 + β²) P R / (β² P + R), with P and R the precision and recall of d's returned
               text in characters; 0 if nothing relevant is returned (Relevant in Context)
    score=BEP  S(d) = (n - |x - b|) / n if |x - b| <= n else 0, with x the offset of d's first result
               and b the assessor's best entry point; 0 if d has none (Best in Context)
    score=T2I  S(d) = 1 if relevant text is met before more than `tolerance` non-relevant characters
               have been read, in the order of d's results, else 0. An approximation of the "tolerance
               to irrelevance" of INEX 2010, whose exact form is not recoverable

    Results of a document count together wherever they stand in the list. Beyond the end of the list gP
    still divides by r; the official tool repeated the last value (policy beyond=last). The tool's
    defaults are β = 0.25 and n = 500; β = 1 until 2008 and n = 1000 in 2007 are recalled, not verified.

    Source: INEX 2007-2010; Cherukuri (2010) §2.3, Figure 4.

    Example: A 0:60 and B 50:40 are highlighted, with best entry points 0 and 50; results A[0,50),
    C[0,100), B[0,100). F, β = 1: S = .909091, 0, .571429 and gP@3 = .493506; BEP, n = 500: S = 1, 0, .9
    and gP@3 = .633333.
    """
    if not topic.relevant_documents:
        return nan
    precision = generalised_precision(topic, score, beta, n, tolerance)
    if not len(precision):
        return 0.0
    at = min(cutoff, len(precision))
    shrink = 1.0 if topic.policy.beyond == "last" else at / cutoff
    return float(precision[at - 1] * shrink)


@measure("gR", span_evidence, cutoff="rank", breakdown=_breakdown)
def gr(topic: TopicEvidence, cutoff: int) -> float:
    """Generalised recall at a rank of documents: `gR@10`.

    gR@r = relevant documents among the first r / relevant documents of the topic. A document is
    relevant if any of its text is highlighted, even if the returned text misses the highlights.

    Source: INEX 2007-2010; Cherukuri (2010) §2.3, Figure 4.

    Example: A and B are relevant; the documents returned are A, C, B: gR@2 = .5, gR@3 = 1.
    """
    if not topic.relevant_documents:
        return nan
    return int((topic.documents.relevant[:cutoff] > 0).sum()) / topic.relevant_documents


@measure("MAgP", span_evidence, *_SCORE, breakdown=_breakdown)
def magp(
    topic: TopicEvidence, score: str, beta: Fraction = Fraction(1), n: int = 1, tolerance: int = 0
) -> float:
    """Mean average generalised precision: the official measure of Relevant in Context and Best in Context.

    AgP  = sum of gP@r over the ranks r with a relevant document / relevant documents of the topic
    MAgP = mean of AgP over the topics

    The document score is that of gP; `inexlab measures gP` describes the three.

    Source: INEX 2007-2010; Cherukuri (2010) §2.3, Figure 4.

    Example: A 0:60 and B 50:40 are highlighted, with best entry points 0 and 50; results A[0,50),
    C[0,100), B[0,100). AgP is .701299 with score=F,beta=1, .728020 with beta=0.25, .816667 with
    score=BEP,n=500, .825 with n=1000.
    """
    if not topic.relevant_documents:
        return nan
    precision = generalised_precision(topic, score, beta, n, tolerance)
    # added up in order, as the official tool does; numpy's own sum differs in the last digit
    return float(
        np.cumsum(np.append(0.0, precision[topic.documents.relevant > 0]))[-1] / topic.relevant_documents
    )


@measure("igP", span_evidence, *_SCORE, cutoff="recall", breakdown=_breakdown)
def interpolated_gp(
    topic: TopicEvidence,
    cutoff: Fraction,
    score: str,
    beta: Fraction = Fraction(1),
    n: int = 1,
    tolerance: int = 0,
) -> float:
    """Interpolated generalised precision at a level of document recall: `igP(score=F,beta=1)@0.1`.

    igP@x = max { gP@r : gR@r >= x }, and 0 where recall x is never reached

    Source: the 11 points `ircl_prn` of the official tool of INEX 2008-2010 in its in-context modes.

    Example: A 0:60 and B 50:40 are highlighted; results A[0,50), C[0,100), B[0,100), score=F,beta=1: gP
    is .909091, .454545, .493506 and gR .5, .5, 1, so igP@0.5 = .909091 and igP@1 = .493506.
    """
    if not topic.relevant_documents:
        return nan
    precision = generalised_precision(topic, score, beta, n, tolerance)
    best_from = np.append(np.maximum.accumulate(precision[::-1])[::-1], 0.0)
    found = np.cumsum(topic.documents.relevant > 0)
    if (
        topic.policy.recall_levels == "floor" and (10 * cutoff).denominator == 1
    ):  # one of the tool's 11 points
        first = np.searchsorted(np.floor(10 * (found / topic.relevant_documents)), int(10 * cutoff))
    else:
        first = np.searchsorted(found, ceil(cutoff * topic.relevant_documents))
    return float(best_from[first])
