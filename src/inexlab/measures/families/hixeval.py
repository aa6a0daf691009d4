"""HiXEval: precision and recall of highlighted text with a chosen price for overlap."""

from __future__ import annotations

from fractions import Fraction
from math import nan

import numpy as np

from inexlab.measures.breakdown import by_result
from inexlab.measures.measure import Parameter, measure
from inexlab.measures.spans import TopicEvidence, span_evidence
from inexlab.tables import Floats, Ints

_ALPHA = Parameter("alpha", Fraction(1), "share of seen relevant text that no longer counts", maximum=1)


def _gains(topic: TopicEvidence, alpha: Fraction) -> tuple[Floats, Ints]:
    """Return the relevant text credited to results 1..r, and their length, for every r."""
    seen = topic.full_relevant - topic.relevant
    return np.cumsum(topic.full_relevant - float(alpha) * seen), np.cumsum(topic.full_size)


@measure("HiXEvalP", span_evidence, _ALPHA, cutoff="optional rank", breakdown=by_result)
def hixeval_precision(topic: TopicEvidence, cutoff: int | None, alpha: Fraction) -> float:
    """HiXEval precision down to a rank: `HiXEvalP(alpha=1)@10`.

    rel(e_r) = highlighted characters of result r - α × those already returned at earlier ranks
    P@r      = rel(e_1) + … + rel(e_r) / size(e_1) + … + size(e_r)

    The denominator is the whole length of every result, seen or not; that is the difference from SpanP.

    Source: HiXEval (Pehcevski and Thom, INEX 2005); the formula is recalled, not verified.

    Example: A 0:60 is highlighted; results A[0,50), A[40,60): α = 1 gives P@2 = (50 + 10)/(50 + 20), α
    = 0 gives 70/70.
    """
    if not topic.total_relevant:
        return nan
    gain, size = (column[:cutoff] for column in _gains(topic, alpha))
    return float(gain[-1] / size[-1]) if len(size) and size[-1] else 0.0


@measure("HiXEvalR", span_evidence, _ALPHA, cutoff="optional rank", breakdown=by_result)
def hixeval_recall(topic: TopicEvidence, cutoff: int | None, alpha: Fraction) -> float:
    """HiXEval recall down to a rank: `HiXEvalR(alpha=1)@10`.

    R@r = rel(e_1) + … + rel(e_r) / all highlighted characters of the topic, with rel as in HiXEvalP.
    With α < 1 text returned twice counts more than once, and recall can exceed 1.

    Source: HiXEval (Pehcevski and Thom, INEX 2005); the formula is recalled, not verified.

    Example: A 0:60 and B 50:40 are highlighted; results A[0,50), A[40,60): α = 1 gives R@2 = 60/100.
    """
    if not topic.total_relevant:
        return nan
    gain = _gains(topic, alpha)[0][:cutoff]
    return float(gain[-1] / topic.total_relevant) if len(gain) else 0.0


@measure("HiXEvalF", span_evidence, _ALPHA, cutoff="optional rank", breakdown=by_result)
def hixeval_f(topic: TopicEvidence, cutoff: int | None, alpha: Fraction) -> float:
    """HiXEval F down to a rank: `HiXEvalF(alpha=1)@10`.

    F@r = 2 P@r R@r / (P@r + R@r), with P and R as in HiXEvalP and HiXEvalR; 0 where both are 0.

    Source: HiXEval (Pehcevski and Thom, INEX 2005); the formula is recalled, not verified.

    Example: A 0:60 and B 50:40 are highlighted; result A[0,50): P@1 = 1, R@1 = .5, F@1 = 2/3.
    """
    precision, recall = hixeval_precision(topic, cutoff, alpha), hixeval_recall(topic, cutoff, alpha)
    if precision + recall == 0:
        return 0.0
    return 2 * precision * recall / (precision + recall)


@measure("HiXEvalMAP", span_evidence, _ALPHA, breakdown=by_result)
def hixeval_map(topic: TopicEvidence, alpha: Fraction) -> float:
    """HiXEval mean average precision.

    MAP = mean of P@r over the ranks r that add relevant text (rel(e_r) > 0); 0 where no rank does

    Relevant text that is never returned does not lower it: read it together with HiXEvalR.

    Source: HiXEval (Pehcevski and Thom, INEX 2005); the formula is recalled, not verified.

    Example: A 0:60 is highlighted; results A[0,50), C[0,100), A[40,60): with α = 1 ranks 1 and 3 add
    relevant text, MAP = (50/50 + 60/170) / 2 = .676471.
    """
    if not topic.total_relevant:
        return nan
    gain, size = _gains(topic, alpha)
    adds = np.diff(gain, prepend=0.0) > 0
    return float(np.mean(gain[adds] / size[adds])) if adds.any() else 0.0
