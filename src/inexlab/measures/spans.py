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
from inexlab.measures.results import Mask, borders_of_one_topic, judged_results
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
    def documents(self) -> DocumentEvidence:
        """The same by document."""
        return DocumentEvidence(self.evidence, self._part)


class DocumentEvidence:
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
            fix="Give --collection DIR, if it has passages." if judgements.passages else "",
        )
    run = locate(run, collection, judgements.size_of)
    results = judged_results(run, judgements, policy)
    start, end = run.start[results.kept], run.end[results.kept]
    limit = _lengths(run, judgements)[run.doc[results.kept]]
    outside = end > limit
    if policy.outside == "clip":
        start, end = np.minimum(start, limit), np.minimum(end, limit)
    size, relevant, full_relevant, lead = _read_down.for_work(20 * len(start))(
        results.results_from,
        results.row,
        results.document,
        start,
        end,
        judgements.spans_from,
        judgements.span_start,
        judgements.span_end,
    )
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


def _lengths(run: Run, judgements: Judgements) -> Ints:
    """Return the length of each document of a run as the judgements state it; endless where they do not."""
    lengths = np.full(len(judgements.docs) + 1, 2**62, dtype=np.int64)  # the last is for documents not judged
    known = judgements.size >= 0
    lengths[judgements.doc[known]] = judgements.size[known]
    return lengths[run.docs.codes_in(judgements.docs)]


def _need_exact_sums(size: Ints, topic: npt.NDArray[np.integer], file: str, what: str) -> None:
    """Refuse sizes that add up to more characters than can be counted without rounding."""
    if np.bincount(topic, weights=size).max(initial=0.0) > _MOST:
        raise InputError(
            f"the {what} of a topic have more than 2^53 characters together, too many to count",
            file=file,
            fix="Check offsets and lengths.",
        )


_MOST = 2.0**53


@Kernel
def _read_down(
    results_from: Ints,
    row: Codes,
    document: Codes,
    start: Ints,
    end: Ints,
    spans_from: Ints,
    span_start: Ints,
    span_end: Ints,
) -> tuple[Ints, Ints, Ints, Ints]:
    """Return of each result the new text, the new relevant text, all its relevant text, and the lead.

    The text already shown of each document is kept as sorted disjoint stretches in a slice of
    `shown_start` and `shown_end`, as long as the document has results.
    """
    results = len(row)
    new = np.zeros(results, dtype=np.int64)
    new_relevant = np.zeros(results, dtype=np.int64)
    all_relevant = np.zeros(results, dtype=np.int64)
    lead = np.zeros(results, dtype=np.int64)
    room = np.zeros(results + 1, dtype=np.int64)  # by document: how many results, then where its slice begins
    used = np.zeros(results + 1, dtype=np.int64)
    hit = np.zeros(results + 1, dtype=np.bool_)
    shown_start = np.empty(results, dtype=np.int64)
    shown_end = np.empty(results, dtype=np.int64)
    for topic in range(len(results_from) - 1):
        first, last = results_from[topic], results_from[topic + 1]
        documents = 0
        for i in range(first, last):
            if document[i] == documents:  # its first appearance
                room[documents] = 0
                used[documents] = 0
                hit[documents] = False
                documents += 1
            room[document[i]] += 1
        begin = 0
        for d in range(documents):
            begin, room[d] = begin + room[d], begin
        for i in range(first, last):
            d = document[i]
            span, spans_end = 0, 0
            if row[i] >= 0:
                span, spans_end = spans_from[row[i]], spans_from[row[i] + 1]
            low = room[d]
            high = low + used[d]
            while low < high and shown_end[low] <= start[i]:
                low += 1
            shown = low  # stretches from `low` up to `shown` overlap this result
            at = start[i]
            while at < end[i]:
                seen = shown < high and shown_start[shown] <= at
                if seen:
                    stop = min(shown_end[shown], end[i])
                    shown += 1
                else:
                    stop = min(shown_start[shown], end[i]) if shown < high else end[i]
                while span < spans_end and span_end[span] <= at:
                    span += 1
                relevant, before = 0, stop - at
                ahead = span
                while ahead < spans_end and span_start[ahead] < stop:
                    if relevant == 0:
                        before = max(span_start[ahead], at) - at
                    relevant += min(span_end[ahead], stop) - max(span_start[ahead], at)
                    ahead += 1
                all_relevant[i] += relevant
                if not seen:
                    if not hit[d]:
                        lead[i] += before
                        hit[d] = relevant > 0
                    new[i] += stop - at
                    new_relevant[i] += relevant
                at = stop
            if start[i] < end[i]:
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
    return new, new_relevant, all_relevant, lead
