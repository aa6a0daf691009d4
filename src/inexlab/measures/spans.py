"""The evidence of the highlighting measures: what each result shows a reader of the list.

A reader goes down the results of a topic. For each result we count how much of its text is new, how much
of the new text is highlighted, and where the first highlighted character comes. All character measures of
INEX 2007-2010 are arithmetic on these counts.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.collection import Collection
from inexlab.errors import InputError
from inexlab.judgements import Judgements
from inexlab.measures.reading import read_down_the_list
from inexlab.measures.results import Mask, borders_of_one_topic, judged_results
from inexlab.policy import Policy
from inexlab.runs import Run, locate
from inexlab.runs.table import NO_SPAN
from inexlab.tables import Codes, Ints, Names, Remembering


@dataclass(frozen=True)
class SpanEvidence(Remembering):
    """What the results of a run show, result by result, topic after topic (judged topics, in their order).

    Topic t's results are `results_from[t]` to `results_from[t + 1]`. `size` and `relevant` count the
    text of each result that counts under the policy (by default, text not seen before), `full_size` and
    `full_relevant` all its text. `document` is the place of the result's document in the topic, by
    first appearance, `row` its judgement (-1: none), `lead` the new text before the document's first
    relevant character, `start` and `end` where the result begins and ends, `kept` its place in the run.
    `findings` counts what was odd. What it was made of is kept (`run`, `judgements`, `collection`), for
    measures that count something else than characters. `shared` is what was found out for one of these, and
    is the same for all topics and parts.
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
    end: Ints
    kept: Ints
    judged_relevant: Ints
    judged_bep: Ints
    total_relevant: Ints
    relevant_documents: Ints
    findings: Counter[str]
    run: Run
    judgements: Judgements
    collection: Collection | None = None
    shared: dict[Any, Any] = field(default_factory=dict)

    @property
    def topics(self) -> Sequence[TopicEvidence]:
        """The evidence of each topic; not kept here, or a circle of references would keep both in memory."""
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
            "end",
            "kept",
        )
        return replace(
            self,
            results_from=borders_of_one_topic(len(self.names), topic, len(places)),
            **{name: getattr(self, name)[places] for name in columns},
        )


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
        latest = np.maximum.accumulate(self._document)
        self._first = np.flatnonzero(np.concatenate((latest[:1] != -1, latest[1:] != latest[:-1])))
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
    start, end, outside, unlocatable, empty = _places.for_work(6 * len(results.kept))(
        results.kept,
        run.start,
        run.end,
        run.doc,
        results.judged_doc,
        judgements.lengths,
        policy.outside == "clip",
    )
    size, relevant, full_relevant, lead = read_down_the_list(results, start, end, judgements)
    full_size = end - start
    _need_exact_sums(full_size, results.results_from, run.file or run.id, "results")
    findings = results.findings
    findings.update(
        overlapping=int(np.count_nonzero(size < full_size)),
        unlocatable=int(unlocatable),
        empty=int(empty),
        outside=int(outside),
    )
    if policy.seen_text == "again":
        size, relevant = full_size, full_relevant
    if policy.unlocatable:
        nowhere = start == NO_SPAN
        full_size = np.where(nowhere, policy.unlocatable, full_size)
        size = np.where(nowhere, policy.unlocatable, size)
    judged, total_relevant, relevant_documents = judgements.once(_judged, policy.relevant_size)
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
        end=end,
        kept=results.kept,
        judged_relevant=judged,
        judged_bep=judgements.bep,
        total_relevant=total_relevant,
        relevant_documents=relevant_documents,
        findings=findings,
        run=run,
        judgements=judgements,
        collection=collection,
    )


@Kernel
def _places(
    kept: Ints, start: Ints, end: Ints, doc: Codes, judged_doc: Codes, lengths: Ints, clip: bool
) -> tuple[Ints, Ints, int, int, int]:
    """Return where results begin and end, and how many end outside their document, are nowhere, are empty.

    There is a place for every result that is kept; a length for each judged document, and one more.
    """
    begins = np.empty(len(kept), dtype=np.int64)
    ends = np.empty(len(kept), dtype=np.int64)
    outside = nowhere = empty = 0
    others = len(lengths)  # what makes -1 the last place; a processor would guess wrong too often
    for i in range(np.uint64(len(kept))):
        place = np.uint64(kept[i])
        judged = np.int64(judged_doc[np.uint64(doc[place])])
        limit = lengths[np.uint64(judged + others * (judged < 0))]
        begin, stop = start[place], end[place]
        outside += stop > limit
        begins[i] = limit if clip and limit < begin else begin
        ends[i] = limit if clip and limit < stop else stop
        nowhere += begins[i] == NO_SPAN
        empty += (begins[i] == ends[i]) & (begins[i] != NO_SPAN)
    return begins, ends, outside, nowhere, empty


def _judged(judgements: Judgements, relevant_size: str) -> tuple[Ints, Ints, Ints]:
    """Return the relevant text of each row, that of each topic, and how many documents have some."""
    judged = judgements.stated if relevant_size == "stated" else judgements.relevant
    _need_exact_sums(judged, judgements.rows_from, judgements.file or "judgements", "judgements")
    topics = len(judgements.topics)
    totals = np.bincount(judgements.topic, weights=judged, minlength=topics).astype(np.int64)
    return judged, totals, np.bincount(judgements.topic[judged > 0], minlength=topics)


def _need_exact_sums(size: Ints, borders: Ints, file: str, what: str) -> None:
    """Refuse sizes that add up to more characters of a topic than can be counted without rounding.

    The sizes of topic t are those from `borders[t]` to `borders[t + 1]`.
    """
    if float(size.max(initial=0)) * len(size) <= _MOST:
        return  # however they are shared between topics
    topic = np.repeat(np.arange(len(borders) - 1), np.diff(borders))
    if np.bincount(topic, weights=size).max(initial=0.0) > _MOST:
        raise InputError(
            f"the {what} of a topic have more than 2^53 characters together, too many to count",
            file=file,
            fix="Check offsets and lengths.",
        )


_MOST = 2.0**53
