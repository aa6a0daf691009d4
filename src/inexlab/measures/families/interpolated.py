"""Precision and recall in characters along the list: the Focused and Thorough measures of INEX 2007-2010."""

from __future__ import annotations

import functools
from fractions import Fraction
from math import ceil, nan

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.measures.breakdown import by_result
from inexlab.measures.measure import measure
from inexlab.measures.spans import SpanEvidence, TopicEvidence, span_evidence
from inexlab.tables import Floats, Ints


def interpolated_curves(evidence: SpanEvidence) -> Floats:
    """Return iP at the recall levels 0, 0.01, …, 1 of every topic."""
    size = evidence.full_size if evidence.policy.denominator == "full" else evidence.size
    compute = _curves.for_work(10 * len(size))
    floor = evidence.policy.recall_levels == "floor"
    return compute(evidence.results_from, size, evidence.relevant, evidence.total_relevant, floor)


@Kernel
def _curves(results_from: Ints, size: Ints, relevant: Ints, totals: Ints, floor: bool) -> Floats:
    """Keep the best precision at the highest level each rank reaches, then let levels inherit from above.

    A result without new relevant text reaches no new level, and no precision above that of the one before it.

    There is a place for 101 levels: what is found is not negative, and more than all there is counts as all.
    Sums are below 2^53, which `span_evidence` sees to, so a hundred times as much does not run over.
    """
    topics = len(totals)
    curves = np.zeros((topics, 101), dtype=np.float64)
    for topic in range(topics):
        read, found = 0, 0
        for i in range(results_from[topic], results_from[topic + 1]):
            read += size[i]
            found += relevant[i]
            if relevant[i] > 0 and read > 0 and totals[topic] > 0:
                # exactly, in whole characters; or as the official tool, where 100 × 0.29 is 28.999…
                level = int(100.0 * (found / totals[topic])) if floor else 100 * found // totals[topic]
                level = min(level, 100)
                curves[topic, level] = max(curves[topic, level], found / read)
        for level in range(99, -1, -1):
            curves[topic, level] = max(curves[topic, level], curves[topic, level + 1])
    return curves


def _at_empty_topic(topic: TopicEvidence) -> float:
    return 0.0 if topic.policy.empty_topics == "zero" else nan


@functools.lru_cache(maxsize=256)
def _whole_percent(cutoff: Fraction) -> int | None:
    """Return a recall level in percent where that is a whole number; multiplying fractions takes its time."""
    percent = 100 * cutoff
    return percent.numerator if percent.denominator == 1 else None


def _precisions(evidence: SpanEvidence, cutoff: Fraction) -> list[float]:
    """Return iP of all topics."""
    percent = _whole_percent(cutoff)
    if percent is None:
        return [interpolated_precision(topic, cutoff) for topic in evidence.topics]
    return _where_relevant(evidence, evidence.once(interpolated_curves)[:, percent])


def _averages(evidence: SpanEvidence) -> list[float]:
    """Return AiP of all topics, added up in order, as the official tool does; numpy's own sum differs."""
    return _where_relevant(evidence, np.cumsum(evidence.once(interpolated_curves), axis=1)[:, -1] / 101)


def _where_relevant(evidence: SpanEvidence, scores: Floats) -> list[float]:
    empty = 0.0 if evidence.policy.empty_topics == "zero" else nan
    found: list[float] = np.where(evidence.total_relevant > 0, scores, empty).tolist()
    return found


@measure(
    "iP",
    span_evidence,
    cutoff="recall",
    curve=[Fraction(k, 100) for k in range(101)],
    breakdown=by_result,
    at_once=_precisions,
)
def interpolated_precision(topic: TopicEvidence, cutoff: Fraction) -> float:
    """Interpolated precision at a recall level: `iP@0.01`, the official measure of the Focused task.

    P[r] = relevant characters in results 1..r / characters in results 1..r
    R[r] = relevant characters in results 1..r / all relevant characters of the topic
    iP@x = max { P[r] : R[r] >= x }, and 0 where recall x is never reached

    Only text not seen before counts, in both sums. R[r] >= x is decided in whole characters; the
    official tool compared floor(100 R[r]) in floating point and lost a level at a recall of exactly
    0.29, 0.57 or 0.58 (policy recall_levels=floor).

    Source: INEX 2007-2010; Cherukuri (2010) §2.3, Figure 3. The printed condition, "max (P[r] ∧ R[r])",
    is garbled; it must be the maximum over the ranks with R[r] >= x.

    Example: A 0:60 and B 50:40 are highlighted; results A[0,50), C[0,100), B[0,100). Then
    P = 1, 50/150, 90/250 and R = .5, .5, .9; iP@0.5 = 1, iP@0.9 = .36, iP@0.91 = 0.
    """
    if not topic.total_relevant:
        return _at_empty_topic(topic)
    percent = _whole_percent(cutoff)
    if percent is not None:
        return float(topic.evidence.once(interpolated_curves)[topic.number, percent])
    reached = topic.relevant_so_far >= ceil(cutoff * topic.total_relevant)
    size, relevant = topic.retrieved_so_far[reached], topic.relevant_so_far[reached]
    return float(np.max(relevant[size > 0] / size[size > 0], initial=0.0))


@measure("MAiP", span_evidence, breakdown=by_result, at_once=_averages)
def average_interpolated_precision(topic: TopicEvidence) -> float:
    """Mean average interpolated precision: the official measure of the Thorough task.

    AiP  = (iP@0 + iP@0.01 + … + iP@1) / 101
    MAiP = mean of AiP over the topics

    Source: INEX 2007-2010; Cherukuri (2010) §2.3, Figure 1. The divisor 101 agrees with the AiP printed
    there in Table 5.

    Example: A 0:60 and B 50:40 are highlighted; results A[0,50), C[0,100), B[0,100). iP is 1 at the 51
    levels up to .50, .36 at the 40 levels up to .90, then 0: AiP = (51 + 40 × .36) / 101 = .6475.
    """
    if not topic.total_relevant:
        return _at_empty_topic(topic)
    # added up in order, as the official tool does; numpy's own sum differs in the last digit
    return float(np.cumsum(topic.evidence.once(interpolated_curves)[topic.number])[-1] / 101)
