"""Sets of text: how much of what is returned is relevant, and how much of what is relevant is returned.

All of them count every character once, however often, and in however many overlapping results, it is
returned, and however many highlights it is in; results that only touch have nothing in common. So each is a
ratio of sets, and lies between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable
from math import nan

from inexlab.measures.breakdown import Breakdown, by_result
from inexlab.measures.counting import UNIT, Shown, all_shown, counted, shown
from inexlab.measures.measure import Budget, measure
from inexlab.measures.spans import TopicEvidence, span_evidence

At = int | Budget | None


def _by_result(topic: TopicEvidence, cutoff: At, unit: str = "char") -> Breakdown:
    """Follow a reader down the results, in characters or words, each as far as a budget reaches."""
    return by_result(counted(topic, cutoff, unit))


def _at_once(score: Callable[[Shown], float]) -> Callable[..., list[float]]:
    """Return what scores all topics by what their results show."""
    return lambda evidence, cutoff, unit="char": [score(seen) for seen in all_shown(evidence, cutoff, unit)]


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _precision(seen: Shown) -> float:
    return _ratio(seen.relevant, seen.distinct) if seen.total else nan


def _recall(seen: Shown) -> float:
    return _ratio(seen.relevant, seen.total) if seen.total else nan


@measure(
    "SpanP",
    span_evidence,
    UNIT,
    cutoff="optional rank or budget",
    breakdown=_by_result,
    at_once=_at_once(_precision),
)
def precision_of_text(topic: TopicEvidence, cutoff: At, unit: str = "char") -> float:
    """Share of the returned text that is relevant: `SpanP@10`, `SpanP@1000c`, or `SpanP` for the whole list.

    SpanP@k = relevant characters in results 1..k / characters in results 1..k, each counted once; a
    shorter list counts as it is, an empty one scores 0.

    `@1000c` and `@512w` are budgets of characters or words: results are taken in order, each with its
    full length, text seen before included, and the last is cut. `unit=word` counts words, which belong
    to the text that has their first character.

    Source: P[r] of Cherukuri (2010), Figure 3, at a fixed rank. Over the whole list it is the character
    precision of the Restricted Focused task of INEX 2010, whose runs held at most 1,000 characters per
    topic (recalled, not verified), and the precision of retrieved excerpts in RAG evaluation.

    Example: A 0:60 is highlighted; results A[0,50), C[0,100): SpanP@1 = 1, SpanP@2 = 50/150,
    SpanP@70c = 50/70.
    """
    return _precision(shown(topic, cutoff, unit))


@measure(
    "SpanR",
    span_evidence,
    UNIT,
    cutoff="optional rank or budget",
    breakdown=_by_result,
    at_once=_at_once(_recall),
)
def recall_of_text(topic: TopicEvidence, cutoff: At, unit: str = "char") -> float:
    """Share of the relevant text that is returned: `SpanR@10`, `SpanR@1000c`, or `SpanR` for the whole list.

    SpanR@k = relevant characters in results 1..k, each counted once / all relevant characters of the
    topic. `@1000c`, `@512w` and `unit=word` are as in SpanP.

    Source: R[r] of Cherukuri (2010), Figure 3, at a fixed rank; the recall of retrieved excerpts in RAG
    evaluation.

    Example: A 0:60 and B 50:40 are highlighted; results A[0,50), C[0,100), B[0,100): SpanR@2 = .5,
    SpanR@3 = .9, SpanR@210c = .6 (of B the first 60 characters).
    """
    return _recall(shown(topic, cutoff, unit))


@measure("SpanF", span_evidence, UNIT, cutoff="optional rank or budget", breakdown=_by_result)
def f_of_text(topic: TopicEvidence, cutoff: At, unit: str = "char") -> float:
    """Harmonic mean of SpanP and SpanR: `SpanF@10`, `SpanF@1000c`, or `SpanF` for the whole list.

    SpanF@k = 2 × relevant characters in results 1..k / (characters in results 1..k + all relevant
    characters of the topic), each counted once. Cut-offs and `unit` are as in SpanP.

    Source: F1 over characters, the agreement of two sets of text.

    Example: A 0:60 is highlighted; results A[0,50), C[0,100): SpanF@1 = 2 × 50 / (50 + 60) = 10/11,
    SpanF@2 = 100 / 210.
    """
    seen = shown(topic, cutoff, unit)
    return _ratio(2 * seen.relevant, seen.distinct + seen.total) if seen.total else nan


@measure("SpanIoU", span_evidence, UNIT, cutoff="optional rank or budget", breakdown=_by_result)
def overlap_of_text(topic: TopicEvidence, cutoff: At, unit: str = "char") -> float:
    """Returned and relevant text over text that is either: `SpanIoU@10`, `SpanIoU@1000c`, or `SpanIoU`.

    SpanIoU@k = relevant characters in results 1..k / (characters in results 1..k + all relevant
    characters of the topic - relevant characters in results 1..k), each counted once. Cut-offs and
    `unit` are as in SpanP.

    Source: the Jaccard index over characters (intersection over union), in use for chunks since Chroma's
    chunking evaluation (2024); that one counts text in two overlapping chunks twice, this one does not.

    Example: A 0:60 is highlighted; results A[0,50), C[0,100): SpanIoU@1 = 50/60, SpanIoU@2 = 50/160.
    """
    seen = shown(topic, cutoff, unit)
    return _ratio(seen.relevant, seen.distinct + seen.total - seen.relevant) if seen.total else nan


@measure("Density", span_evidence, UNIT, cutoff="optional rank or budget", breakdown=_by_result)
def density_of_text(topic: TopicEvidence, cutoff: At, unit: str = "char") -> float:
    """Distinct relevant text over all returned text, repeats included: `Density@10`, `Density@1000c`.

    Density@k = relevant characters in results 1..k, each counted once / sum of the lengths of results
    1..k; 0 where nothing is returned. What a reader, or a prompt, has to bear is the full length of every
    result; so this falls where chunks overlap, and SpanP does not. Cut-offs and `unit` are as in SpanP.

    Source: the precision of a prompt; P[r] of Cherukuri (2010), Figure 3, with whole results below.

    Example: A 0:60 is highlighted; results A[0,50), A[40,90): relevant are 60, lengths are 100:
    Density@2 = .6, where SpanP@2 = 60/90.
    """
    seen = shown(topic, cutoff, unit)
    return _ratio(seen.relevant, seen.returned) if seen.total else nan


@measure(
    "Redundancy",
    span_evidence,
    UNIT,
    cutoff="optional rank or budget",
    breakdown=_by_result,
    needs="results",
)
def redundancy(topic: TopicEvidence, cutoff: At, unit: str = "char") -> float:
    """Share of the returned text that had been returned before: `Redundancy@10`, `Redundancy@1000c`.

    Redundancy@k = 1 - distinct characters in results 1..k / sum of the lengths of results 1..k; undefined
    where nothing is returned. Lower is better. Cut-offs and `unit` are as in SpanP.

    Source: the overlap that INEX counted in results, here in characters.

    Example: results A[0,50), A[40,90): 90 different characters of 100: Redundancy@2 = .1.
    """
    seen = shown(topic, cutoff, unit)
    return 1 - seen.distinct / seen.returned if seen.returned else nan
