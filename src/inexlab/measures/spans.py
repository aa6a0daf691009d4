"""The evidence of the highlighting measures: what each result shows a reader of the list.

A reader goes down the results of a topic. For each result we count how much of its text is new, how much
of the new text is highlighted, and where the first highlighted character comes. All character measures of
INEX 2007-2010 are arithmetic on these counts.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.collection import Collection
from inexlab.errors import InputError
from inexlab.judgements import Judgements
from inexlab.measures.results import Mask, Results, borders_of_one_topic, judged_results
from inexlab.policy import Policy
from inexlab.runs import Run, locate
from inexlab.runs.table import NO_SPAN
from inexlab.tables import Codes, Floats, Ints, Names


@dataclass(frozen=True)
class SpanEvidence:
    """What the results of a run show, result by result, topic after topic (judged topics, in their order).

    Topic t's results are `results_from[t]` to `results_from[t + 1]`. `size` and `relevant` count the
    text of each result that counts under the policy (by default, text not seen before), `full_size` and
    `full_relevant` all its text. `document` is the place of the result's document in the topic, by
    first appearance, `row` its judgement (-1: none), `lead` the new text before the document's first
    relevant character, `start` where the result begins, `kept` its place in the run. `findings` counts
    what was odd.
    """

    policy: Policy
    names: Names
    results_from: Ints
    size: Ints
    relevant: Ints
    full_size: Ints
    full_relevant: Ints
    document: Codes
    row: Codes
    lead: Ints
    start: Ints
    kept: Ints
    judged_relevant: Ints
    judged_bep: Ints
    total_relevant: Ints
    relevant_documents: Ints
    findings: Counter[str]

    @functools.cached_property
    def topics(self) -> Sequence[TopicEvidence]:
        """The evidence of each topic."""
        return [TopicEvidence(self, number) for number in range(len(self.names))]

    def part(self, topic: int, chosen: Mask) -> SpanEvidence:
        """Return the evidence of some of one topic's results, as if the run had no others."""
        places = self.results_from[topic] + np.flatnonzero(chosen)
        columns = (
            "size",
            "relevant",
            "full_size",
            "full_relevant",
            "document",
            "row",
            "lead",
            "start",
            "kept",
        )
        return replace(
            self,
            results_from=borders_of_one_topic(len(self.names), topic, len(places)),
            **{name: getattr(self, name)[places] for name in columns},
        )

    def once(self, work: Callable[[SpanEvidence], Floats]) -> Floats:
        """Return `work(self)`, done once however many measures of a family ask for it."""
        if work not in self._done:
            self._done[work] = work(self)
        return self._done[work]

    @functools.cached_property
    def _done(self) -> dict[Callable[[SpanEvidence], Floats], Floats]:
        return {}


class TopicEvidence:
    """One topic's share of the evidence: the same columns, by rank."""

    def __init__(self, evidence: SpanEvidence, number: int) -> None:
        self.evidence, self.number = evidence, number
        self.policy = evidence.policy
        self._part = slice(evidence.results_from[number], evidence.results_from[number + 1])
        self.size = evidence.size[self._part]
        self.relevant = evidence.relevant[self._part]
        self.total_relevant = int(evidence.total_relevant[number])
        self.relevant_documents = int(evidence.relevant_documents[number])

    def __len__(self) -> int:
        return len(self.size)

    @property
    def full_size(self) -> Ints:
        """Length of each result, seen or not."""
        return self.evidence.full_size[self._part]

    @property
    def full_relevant(self) -> Ints:
        """Highlighted characters of each result, seen or not."""
        return self.evidence.full_relevant[self._part]

    @functools.cached_property
    def retrieved_so_far(self) -> Ints:
        """Retrieved characters down to each rank, as the policy's `denominator` counts them."""
        return np.cumsum(self.full_size if self.policy.denominator == "full" else self.size)

    @functools.cached_property
    def relevant_so_far(self) -> Ints:
        """Relevant characters down to each rank."""
        return np.cumsum(self.relevant)

    @property
    def document_of_result(self) -> Ints:
        """The place of each result's document among the topic's, by first appearance."""
        return self.evidence.document[self._part].astype(np.int64)

    @functools.cached_property
    def documents(self) -> DocumentTotals:
        """The same by document."""
        return DocumentTotals(self.evidence, self._part)


class DocumentTotals:
    """One topic's results by document, in order of first appearance, as columns made when asked for."""

    def __init__(self, evidence: SpanEvidence, part: slice) -> None:
        self._evidence, self._part = evidence, part
        self._document = evidence.document[part]
        # documents are numbered as they appear, so a first appearance is a new maximum
        self._first = np.flatnonzero(np.diff(np.maximum.accumulate(self._document), prepend=-1))
        self._row = evidence.row[part][self._first]

    def __len__(self) -> int:
        return len(self._first)

    @functools.cached_property
    def retrieved(self) -> Ints:
        """Characters returned of each document."""
        return self._total(self._evidence.size)

    @functools.cached_property
    def hit(self) -> Ints:
        """Highlighted characters returned of each document."""
        return self._total(self._evidence.relevant)

    @functools.cached_property
    def lead(self) -> Ints:
        """Non-relevant text read of each document before its first relevant character."""
        return self._total(self._evidence.lead)

    @functools.cached_property
    def relevant(self) -> Ints:
        """All highlighted characters of each document, returned or not."""
        return np.where(self._row >= 0, self._evidence.judged_relevant[self._row], 0)

    @functools.cached_property
    def bep(self) -> Ints:
        """The assessor's best entry point of each document, -1 where there is none."""
        return np.where(self._row >= 0, self._evidence.judged_bep[self._row], -1)

    @functools.cached_property
    def entry(self) -> Ints:
        """Where the first result of each document begins."""
        return self._evidence.start[self._part][self._first]

    def _total(self, by_result: Ints) -> Ints:
        weights = by_result[self._part]
        return np.bincount(self._document, weights=weights, minlength=len(self)).astype(np.int64)


def span_evidence(
    run: Run, judgements: Judgements, policy: Policy, collection: Collection | None = None
) -> SpanEvidence:
    """Follow a reader down every judged topic's results; those given by paths need the collection."""
    if judgements.elements is not None and not len(judgements.span_start):
        raise InputError(
            "holds assessed elements, and these measures need highlighted text",
            file=judgements.file or "judgements",
            fix="Give `collection=DIR`, if it has passages." if judgements.passages else "",
        )
    run = locate(run, collection, judgements.size_of)
    results = judged_results(run, judgements, policy)
    start, end = run.start[results.kept], run.end[results.kept]
    limit = _lengths(judgements)[results.judged_doc[run.doc[results.kept]]]
    outside = end > limit
    if policy.outside == "clip":
        start, end = np.minimum(start, limit), np.minimum(end, limit)
    size, relevant, full_relevant, lead = _read(results, start, end, judgements)
    full_size = end - start
    topic = np.repeat(np.arange(len(judgements.topics)), np.diff(results.results_from))
    _need_exact_sums(full_size, topic, run.file or run.id, "results")
    nowhere = start == NO_SPAN
    odd = {
        "overlapping": size < full_size,
        "unlocatable": nowhere,
        "empty": (full_size == 0) & ~nowhere,
        "outside": outside,
    }
    findings = results.findings
    findings.update({kind: int(np.count_nonzero(where)) for kind, where in odd.items()})
    if policy.seen_text == "again":
        size, relevant = full_size, full_relevant
    if policy.unlocatable:
        full_size = np.where(nowhere, policy.unlocatable, full_size)
        size = np.where(nowhere, policy.unlocatable, size)
    judged = judgements.stated if policy.relevant_size == "stated" else judgements.relevant
    _need_exact_sums(judged, judgements.topic, judgements.file or "judgements", "judgements")
    topics = len(judgements.topics)
    return SpanEvidence(
        policy=policy,
        names=judgements.topics,
        results_from=results.results_from,
        size=size,
        relevant=relevant,
        full_size=full_size,
        full_relevant=full_relevant,
        document=results.document,
        row=results.row,
        lead=lead,
        start=start,
        kept=results.kept,
        judged_relevant=judged,
        judged_bep=judgements.bep,
        total_relevant=np.bincount(judgements.topic, weights=judged, minlength=topics).astype(np.int64),
        relevant_documents=np.bincount(judgements.topic[judged > 0], minlength=topics),
        findings=findings,
    )


def _lengths(judgements: Judgements) -> Ints:
    """Return the length of each judged document as stated; endless where it is not, as the last is."""
    lengths = np.full(len(judgements.docs) + 1, 2**62, dtype=np.int64)  # the last is for documents not judged
    known = judgements.size >= 0
    lengths[judgements.doc[known]] = judgements.size[known]
    return lengths


def _need_exact_sums(size: Ints, topic: npt.NDArray[np.integer], file: str, what: str) -> None:
    """Refuse sizes that add up to more characters than can be counted without rounding."""
    if float(size.max(initial=0)) * len(size) <= _MOST:
        return  # however they are shared between topics
    if np.bincount(topic, weights=size).max(initial=0.0) > _MOST:
        raise InputError(
            f"the {what} of a topic have more than 2^53 characters together, too many to count",
            file=file,
            fix="Check offsets and lengths.",
        )


_MOST = 2.0**53


def _read(results: Results, start: Ints, end: Ints, judgements: Judgements) -> tuple[Ints, Ints, Ints, Ints]:
    """Return of each result the new text, the new relevant text, all its relevant text, and the lead."""
    columns = (results.row, start, end, judgements.spans_from, judgements.span_start, judgements.span_end)
    covered = np.concatenate(([0], np.cumsum(judgements.span_end - judgements.span_start))).astype(np.int64)
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
    are numbered as they appear in a topic, so there are never more of them than results.
    """
    results = len(row)
    new = np.zeros(results, dtype=np.int64)
    new_relevant = np.zeros(results, dtype=np.int64)
    all_relevant = np.zeros(results, dtype=np.int64)
    lead = np.zeros(results, dtype=np.int64)
    crowded = np.zeros(results, dtype=np.bool_)
    size = np.zeros(results, dtype=np.int64)  # by document: how many results
    room = np.zeros(results, dtype=np.int64)  # where its slice begins
    used = np.zeros(results, dtype=np.int64)
    hit = np.zeros(results, dtype=np.bool_)
    shown_start = np.empty(results, dtype=np.int64)
    shown_end = np.empty(results, dtype=np.int64)
    for topic in range(len(results_from) - 1):
        first, last = results_from[topic], results_from[topic + 1]
        documents = 0
        for i in range(first, last):
            if document[i] == documents:  # its first appearance
                size[documents] = 0
                used[documents] = 0
                hit[documents] = False
                documents += 1
            size[document[i]] += 1
        begin = 0
        for d in range(documents):
            room[d] = begin
            begin += size[d]
        for i in range(first, last):
            d = document[i]
            if size[d] > crowd:
                crowded[i] = True
                continue
            if start[i] >= end[i]:
                continue
            low = room[d]
            high = low + used[d]
            while low < high and shown_end[low] <= start[i]:
                low += 1
            shown = low  # stretches from `low` up to `shown` overlap this result
            at = start[i]
            judged = row[i]
            if judged >= 0 and spans_from[judged] == spans_from[judged + 1]:
                judged = -1  # nothing to look for, as in a document that nobody judged
            before = after = 0
            if judged >= 0:
                before = _relevant_before(at, judged, spans_from, span_start, span_end, covered)
            all_relevant[i] = -before
            while at < end[i]:
                seen = shown < high and shown_start[shown] <= at
                if seen:
                    stop = min(shown_end[shown], end[i])
                    shown += 1
                else:
                    stop = min(shown_start[shown], end[i]) if shown < high else end[i]
                if judged >= 0:
                    after = _relevant_before(stop, judged, spans_from, span_start, span_end, covered)
                if not seen:
                    if not hit[d]:
                        hit[d] = after != before
                        if hit[d]:
                            lead[i] += _until_relevant(at, stop, judged, spans_from, span_start, span_end)
                        else:
                            lead[i] += stop - at
                    new[i] += stop - at
                    new_relevant[i] += after - before
                at, before = stop, after
            all_relevant[i] += before
            left, right = start[i], end[i]
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


@Kernel
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


@Kernel
def _until_relevant(at: int, stop: int, row: int, spans_from: Ints, span_start: Ints, span_end: Ints) -> int:
    """Return how much of a piece of text comes before the first relevant character, all if there is none."""
    if row < 0:
        return stop - at
    span = _first_span_from(at, row, spans_from, span_start)
    if span > spans_from[row] and span_end[span - 1] > at:
        return 0
    return min(span_start[span], stop) - at if span < spans_from[row + 1] else stop - at


@Kernel
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
