"""The ceiling of a chunking: what the best ranking of its chunks could reach."""

from __future__ import annotations

import functools
from math import nan

from inexlab.errors import UsageError
from inexlab.measures.chunked import best_at_rank, best_in_budget, chunks_with_gold
from inexlab.measures.counting import judgements_in_words, shown
from inexlab.measures.measure import Budget, Measure, Parameter, measure, parse
from inexlab.measures.spans import TopicEvidence, span_evidence

KINDS = ("SpanP", "SpanR", "SpanF", "SpanIoU")


def _known(name: str) -> str:
    found = parse(name)
    if found.definition.name not in KINDS:
        raise UsageError(f"Ceiling is known of {', '.join(KINDS)}, not of {name}.")
    return str(found)


@functools.cache
def inner_measure(name: str) -> Measure:
    """Return the measure of a name, which is parsed once."""
    return parse(name)


@measure(
    "Ceiling",
    span_evidence,
    Parameter(
        "measure", "SpanR@10", f"the measure whose best value is meant: {', '.join(KINDS)}", reader=_known
    ),
)
def ceiling(topic: TopicEvidence, measure: str) -> float:
    """The best that a chunking could reach with a perfect ranking: `Ceiling(measure=SpanR@1000c)`.

    Ceiling(measure=M) = the greatest M of any list of the chunking's chunks, whatever the run returns.
    What is missing to 1 is the chunker's; what is missing from the run's own M to this is the ranking's.

    Where no two chunks overlap it is exact: at a rank the best choice of so many chunks, within a budget
    the best choice of chunks that fill it, the last one cut. Where chunks overlap it is an upper bound, as
    it is for budgets so large that trying what fits takes too long (20 million steps). The chunks are
    those that the run was made of (`inexlab chunks`, or `chunking` in Python); results alone do not tell.

    Source: the ideal ranking of cumulated gain measures, over text.

    Example: A 0:60 is highlighted, chunks are A[0,50), A[50,100): Ceiling(measure=SpanR@1) = 50/60,
    Ceiling(measure=SpanR@2) = 1, Ceiling(measure=SpanIoU@2) = 50/60, as A[50,100) would cost more than it
    brings: 60/100.
    """
    wanted = inner_measure(measure)
    unit, cutoff = str(wanted.parameters.get("unit", "char")), wanted.cutoff
    evidence = topic.evidence
    pieces = evidence.once(chunks_with_gold, unit)[topic.number]
    if not shown(topic, 1, unit).total:
        return nan
    kind = wanted.definition.name
    extra = {"SpanR": -1, "SpanP": 0}.get(kind, pieces.total)
    if isinstance(cutoff, Budget):
        if (cutoff.unit == "c") != (unit == "char"):
            raise UsageError(f"Ceiling of {measure}: the budget has to be counted as the text is.")
        judged = evidence.judgements if unit == "char" else judgements_in_words(evidence)
        gold = judged.spans_from, judged.span_start, judged.span_end
        value = best_in_budget(pieces, cutoff.size, extra, gold)
    else:
        value = best_at_rank(pieces, None if cutoff is None else int(cutoff), extra)
    if kind == "SpanF":
        return min(1.0, 2 * value)
    if kind == "SpanIoU":
        return min(1.0, value / (1 - value)) if value < 0.5 else 1.0
    return min(1.0, value)
