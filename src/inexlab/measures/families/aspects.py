"""Aspects: how many of the things that an answer should have are touched by what is returned."""

from __future__ import annotations

from math import nan

import numpy as np

from inexlab.measures.breakdown import Breakdown, Cell
from inexlab.measures.counting import counted
from inexlab.measures.measure import Budget, measure
from inexlab.measures.spans import SpanEvidence, TopicEvidence, span_evidence
from inexlab.tables import Ints

NEVER = np.iinfo(np.int64).max


def first_touches(evidence: SpanEvidence) -> list[Ints]:
    """Return by topic the place in the list, from 0, at which each of its aspects is first touched."""
    judged, aspects = evidence.judgements, evidence.judgements.aspects
    row = np.repeat(np.arange(len(judged)), np.diff(judged.spans_from))
    start, end, name = judged.span_start, judged.span_end, -1 - np.arange(len(row))
    if aspects is not None:  # a topic that has named ones has no others
        named_topics = np.unique(judged.topic[aspects.row])
        rest = ~np.isin(judged.topic[row], named_topics)
        row = np.concatenate((row[rest], aspects.row))
        start, end = np.concatenate((start[rest], aspects.start)), np.concatenate((end[rest], aspects.end))
        name = np.concatenate((name[rest], aspects.name))
    found: list[dict[int, int]] = [{} for _ in evidence.names]
    part_of = _parts_by_row(evidence)
    for r, a, b, n in zip(row.tolist(), start.tolist(), end.tolist(), name.tolist(), strict=True):
        topic = int(judged.topic[r])
        rank = NEVER
        if r in part_of:
            places, begins, ends = part_of[r]
            touching = np.flatnonzero((begins < b) & (ends > a) & (ends > begins))
            rank = int(places[touching[0]]) if len(touching) else NEVER
        found[topic][n] = min(rank, found[topic].get(n, NEVER))
    return [np.array(list(ranks.values()), dtype=np.int64) for ranks in found]


def _parts_by_row(evidence: SpanEvidence) -> dict[int, tuple[Ints, Ints, Ints]]:
    """Return by judged document its results, in their order: places in the list, and what they show."""
    borders = evidence.results_from
    place = np.arange(borders[-1]) - np.repeat(borders[:-1], np.diff(borders))
    judged = np.flatnonzero(evidence.row >= 0)
    order = judged[np.argsort(evidence.row[judged], kind="stable")]
    groups = np.split(order, np.flatnonzero(np.diff(evidence.row[order])) + 1) if len(order) else []
    return {int(evidence.row[g[0]]): (place[g], evidence.start[g], evidence.end[g]) for g in groups}


def _breakdown(topic: TopicEvidence, cutoff: int | Budget | None) -> Breakdown:
    """List how many aspects each result is the first to touch."""
    seen = counted(topic, cutoff)
    firsts = seen.evidence.once(first_touches)[topic.number]
    new = np.bincount(firsts[firsts != NEVER], minlength=len(topic))
    columns: dict[str, list[Cell]] = {
        "length": seen.full_size.tolist(),
        "new aspects": new.tolist(),
        "aspects so far": np.cumsum(new).tolist(),
    }
    return Breakdown("result", np.arange(len(topic)), columns, [("aspects of the topic", len(firsts))])


@measure("Aspects", span_evidence, cutoff="optional rank or budget", breakdown=_breakdown)
def aspects_touched(topic: TopicEvidence, cutoff: int | Budget | None) -> float:
    """Share of a topic's aspects of which some text is returned: `Aspects@10`, `Aspects@1000c`.

    Aspects@k = aspects with a character in results 1..k / aspects of the topic. Aspects are named in the
    judgements (`"aspects": {"nugget 1": [[start, end], …]}`), the same name in several documents is the
    same aspect; where a topic has none, each of its highlights is one. `@1000c` and `@512w` are budgets,
    as in SpanP.

    Source: the nugget recall of question answering, over text; the subtopic recall of Zhai, Cohen and
    Lafferty (2003).

    Example: the aspects are x, A[0,10) and B[5,9), and y, A[20,30); results A[25,26), B[9,50), B[0,6):
    Aspects@1 = .5, Aspects@2 = .5, Aspects@3 = 1.
    """
    firsts = counted(topic, cutoff).evidence.once(first_touches)[topic.number]
    if not len(firsts):
        return nan
    rank = None if isinstance(cutoff, Budget) else cutoff
    return float(np.mean(firsts < (NEVER if rank is None else rank)))
