"""Reading down the results of a topic: what of each is new, how much of that is relevant, what comes before.

The loops behind the evidence of the highlighting measures. Each is linear but for the logarithm of a search:
in the results, and in the highlights of the documents they are in.
"""

from __future__ import annotations

import numpy as np

from inexlab.accelerate import Kernel, LoopStep
from inexlab.judgements import Judgements
from inexlab.measures.results import Mask, Results
from inexlab.tables import Codes, Ints


def read_down_the_list(
    results: Results, start: Ints, end: Ints, judgements: Judgements
) -> tuple[Ints, Ints, Ints, Ints]:
    """Return of each result the new text, the new relevant text, all its relevant text, and the lead."""
    columns = (results.row, start, end, judgements.spans_from, judgements.span_start, judgements.span_end)
    covered = judgements.highlighted_before
    *found, crowded = _read_down.for_work(20 * len(start))(
        results.results_from, results.document, *columns, covered, _CROWD
    )
    if crowded.any():
        topic = np.repeat(np.arange(len(results.results_from) - 1), np.diff(results.results_from))
        group = topic * np.int64(len(start)) + results.document
        which = np.flatnonzero(crowded)
        which = which[np.argsort(group[which], kind="stable")]
        ends = np.concatenate((start[which], end[which]))
        order = np.lexsort((ends, np.concatenate((group[which], group[which])))).astype(np.int64)
        _paint.for_work(40 * len(which))(which, group[which], order, *columns, covered, *found)
    new, new_relevant, all_relevant, lead = found
    return new, new_relevant, all_relevant, lead


# Results of one document to a topic, beyond which a sorted row of stretches, into which each is inserted,
# costs more than sorting all ends of results at once.
_CROWD = 64


@Kernel
def _read_down(
    results_from: Ints,
    document: Codes,
    row: Codes,
    start: Ints,
    end: Ints,
    spans_from: Ints,
    span_start: Ints,
    span_end: Ints,
    covered: Ints,
    crowd: int,
) -> tuple[Ints, Ints, Ints, Ints, Mask]:
    """Read the results of documents that have at most `crowd`; the last column returned marks all others.

    The text already shown of each document is kept as sorted disjoint stretches in a slice of
    `shown_start` and `shown_end`, which is as long as the document has results. A result adds one stretch at
    most, so the slice is full at the earliest when the last result of its document has been read. Documents
    are numbered as they appear in a topic, so there are never more of them than results; `most` is how many
    results a topic has at most, and what is kept of documents and stretches begins anew with each topic.
    """
    results = len(row)
    most = 0
    for topic in range(len(results_from) - 1):
        most = max(most, results_from[topic + 1] - results_from[topic])
    new = np.empty(results, dtype=np.int64)
    new_relevant = np.empty(results, dtype=np.int64)
    all_relevant = np.empty(results, dtype=np.int64)
    lead = np.empty(results, dtype=np.int64)
    crowded = np.empty(results, dtype=np.bool_)
    size = np.zeros(most, dtype=np.int64)  # by document: how many results
    room = np.zeros(most, dtype=np.int64)  # where its slice begins
    used = np.zeros(most, dtype=np.int64)
    hit = np.zeros(most, dtype=np.bool_)
    shown_start = np.empty(most, dtype=np.int64)
    shown_end = np.empty(most, dtype=np.int64)
    for topic in range(len(results_from) - 1):
        first, last = results_from[topic], results_from[topic + 1]
        documents = 0
        for i in range(np.uint64(first), np.uint64(last)):
            if document[i] == documents:  # its first appearance
                size[documents] = 0
                used[documents] = 0
                hit[documents] = False
                documents += 1
            size[np.uint64(document[i])] += 1
        begin = 0
        for k in range(documents):
            room[k] = begin
            begin += size[k]
        for i in range(np.uint64(first), np.uint64(last)):
            d = np.uint64(document[i])
            left, right = start[i], end[i]
            text = relevant = overall = ahead = 0  # new, new and relevant, all relevant, lead
            crowded[i] = size[d] > crowd
            if left < right and not crowded[i]:
                # -1 where there is nothing to look for: nobody judged the document, or found it relevant
                judged = np.int64(row[i])
                spans = spans_from[judged + 1] - spans_from[judged + (judged < 0)]
                judged = (judged + 1) * (spans > 0) - 1
                low = room[d]
                high = low + used[d]
                if low == high:  # all is new, as of most results: to know it early saves guesses
                    text = ahead = right - left
                    if judged >= 0:
                        relevant = _relevant_before(right, judged, spans_from, span_start, span_end, covered)
                        relevant -= _relevant_before(left, judged, spans_from, span_start, span_end, covered)
                        overall = relevant
                        hit[d] = relevant != 0
                        ahead = _until_relevant(left, right, judged, spans_from, span_start, span_end)
                    new[i], new_relevant[i], all_relevant[i], lead[i] = text, relevant, overall, ahead
                    shown_start[low], shown_end[low] = left, right
                    used[d] = 1
                    continue
                while low < high and shown_end[low] <= left:
                    low += 1
                shown = low  # stretches from `low` up to `shown` overlap this result
                at = left
                before = after = 0
                if judged >= 0:
                    before = _relevant_before(at, judged, spans_from, span_start, span_end, covered)
                overall = -before
                while at < right:
                    seen = shown < high and shown_start[shown] <= at
                    if seen:
                        stop = min(shown_end[shown], right)
                        shown += 1
                    else:
                        stop = min(shown_start[shown], right) if shown < high else right
                    if judged >= 0:
                        after = _relevant_before(stop, judged, spans_from, span_start, span_end, covered)
                    if not seen:
                        if not hit[d]:
                            hit[d] = after != before
                            if hit[d]:
                                ahead += _until_relevant(at, stop, judged, spans_from, span_start, span_end)
                            else:
                                ahead += stop - at
                        text += stop - at
                        relevant += after - before
                    at, before = stop, after
                overall += before
                if low < shown:
                    left = min(left, shown_start[low])
                    right = max(right, shown_end[shown - 1])
                shift = 1 - (shown - low)  # the overlapped stretches and this result become one stretch
                if shift > 0:
                    for k in range(high, shown, -1):
                        shown_start[k], shown_end[k] = shown_start[k - 1], shown_end[k - 1]
                elif shift < 0:
                    for k in range(shown, high):
                        shown_start[k + shift], shown_end[k + shift] = shown_start[k], shown_end[k]
                shown_start[low], shown_end[low] = left, right
                used[d] += shift
            new[i], new_relevant[i], all_relevant[i], lead[i] = text, relevant, overall, ahead
    return new, new_relevant, all_relevant, lead, crowded


@Kernel
def _paint(
    which: Ints,
    group: Ints,
    order: Ints,
    row: Codes,
    start: Ints,
    end: Ints,
    spans_from: Ints,
    span_start: Ints,
    span_end: Ints,
    covered: Ints,
    new: Ints,
    new_relevant: Ints,
    all_relevant: Ints,
    lead: Ints,
) -> None:
    """Read the results of documents that have many: `which`, document after document, as `group` tells.

    All ends of results cut a document into pieces, and a result paints those of its pieces that nobody has
    painted: `ahead` leads from a piece to the next one that is bare, and is made shorter by each that follows
    it. `order` sorts the starts, and then the ends, of all results; so there are twice as many pieces as
    results, and one more number to stop at. What is painted ends at a place that is an end itself.
    """
    count = len(which)
    place = np.empty(2 * count, dtype=np.int64)  # of each start and end, among the different ones
    edge = np.empty(2 * count + 1, dtype=np.int64)
    ahead = np.empty(2 * count + 1, dtype=np.int64)
    edges = 0
    for k in range(2 * count):
        one = order[k] % count
        value = start[which[one]] if order[k] < count else end[which[one]]
        other = order[k - 1] % count if k else one
        if k == 0 or group[one] != group[other] or edge[edges - 1] != value:
            edge[edges] = value
            ahead[edges] = edges
            edges += 1
        place[order[k]] = edges - 1
    ahead[edges] = edges
    hit = False
    for k in range(count):
        i = which[k]
        hit = hit and k > 0 and group[k] == group[k - 1]
        if start[i] >= end[i]:
            continue
        all_relevant[i] = _relevant_before(end[i], row[i], spans_from, span_start, span_end, covered)
        all_relevant[i] -= _relevant_before(start[i], row[i], spans_from, span_start, span_end, covered)
        piece = place[k]
        while True:
            bare = piece
            while ahead[bare] != bare:
                bare = ahead[bare]
            while ahead[piece] != bare:
                ahead[piece], piece = bare, ahead[piece]
            if bare >= place[count + k]:
                break
            at, stop = edge[bare], edge[bare + 1]
            relevant = _relevant_before(stop, row[i], spans_from, span_start, span_end, covered)
            relevant -= _relevant_before(at, row[i], spans_from, span_start, span_end, covered)
            if not hit:
                lead[i] += _until_relevant(at, stop, row[i], spans_from, span_start, span_end)
                hit = relevant != 0
            new[i] += stop - at
            new_relevant[i] += relevant
            ahead[bare] = bare + 1
            piece = bare + 1


@LoopStep
def _relevant_before(
    at: int, row: int, spans_from: Ints, span_start: Ints, span_end: Ints, covered: Ints
) -> int:
    """Return how much relevant text the documents down to that of a row have before a place of it."""
    if row < 0:
        return 0
    next_span = _first_span_from(at, row, spans_from, span_start)
    found: int = covered[next_span]
    if next_span > spans_from[row]:
        found -= max(0, span_end[next_span - 1] - at)
    return found


@LoopStep
def _until_relevant(at: int, stop: int, row: int, spans_from: Ints, span_start: Ints, span_end: Ints) -> int:
    """Return how much of a piece of text comes before the first relevant character, all if there is none."""
    if row < 0:
        return stop - at
    span = _first_span_from(at, row, spans_from, span_start)
    if span > spans_from[row] and span_end[span - 1] > at:
        return 0
    return min(span_start[span], stop) - at if span < spans_from[row + 1] else stop - at


@LoopStep
def _first_span_from(at: int, row: int, spans_from: Ints, span_start: Ints) -> int:
    """Return the first span of a judged document that begins at a place or later; its border if none does."""
    low: int = spans_from[row]
    high: int = spans_from[row + 1]
    while low < high:
        middle = (low + high) >> 1
        if span_start[middle] < at:
            low = middle + 1
        else:
            high = middle
    return low
