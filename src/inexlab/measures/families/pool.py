"""What the pool knows of a run: how much of it nobody judged, and how much of it repeats itself."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import Any

import numpy as np

from inexlab.collection import Collection
from inexlab.judgements import Judgements
from inexlab.measures.breakdown import Breakdown, Cell
from inexlab.measures.measure import measure
from inexlab.measures.results import Mask, Results, judged_results
from inexlab.policy import Policy
from inexlab.runs import Run, locate
from inexlab.runs.profile import overlapping
from inexlab.runs.table import take


@dataclass(frozen=True)
class ListEvidence:
    """The results of a run that count."""

    names: Sequence[str]
    run: Run
    results: Results
    findings: Counter[str]

    @property
    def topics(self) -> Sequence[ListTopic]:
        """The evidence of each topic."""
        return [ListTopic(self, number) for number in range(len(self.names))]

    def part(self, topic: int, chosen: Mask) -> ListEvidence:
        """Return the evidence of some of one topic's results, as if the run had no others."""
        return replace(self, results=self.results.part(topic, chosen))

    def overlapping(self, cutoff: int | None) -> Mask:
        """Say of each result down to a rank whether it overlaps another of them; later ones do not count."""
        if cutoff not in self._overlapping:
            borders = self.results.results_from
            rank = np.arange(borders[-1]) - np.repeat(borders[:-1], np.diff(borders))
            within = np.flatnonzero(rank < cutoff) if cutoff is not None else np.arange(len(rank))
            marks = np.zeros(len(rank), dtype=np.bool_)
            marks[within] = overlapping(take(self.run, self.results.kept[within]))
            self._overlapping[cutoff] = marks
        return self._overlapping[cutoff]

    @functools.cached_property
    def _overlapping(self) -> dict[int | None, Mask]:
        return {}


@dataclass(frozen=True)
class ListTopic:
    """One topic's share of the evidence, by rank."""

    evidence: ListEvidence
    number: int

    @property
    def _part(self) -> slice:
        return slice(*self.evidence.results.results_from[self.number : self.number + 2])

    def __len__(self) -> int:
        return int(self._part.stop - self._part.start)

    def unjudged(self, cutoff: int | None) -> Mask:
        """Say of each result down to a rank whether its document is unjudged."""
        return self.evidence.results.row[self._part][:cutoff] < 0

    def overlapping(self, cutoff: int | None) -> Mask:
        """Say of each result down to a rank whether it overlaps another of them."""
        return self.evidence.overlapping(cutoff)[self._part][:cutoff]


def list_evidence(
    run: Run, judgements: Judgements, policy: Policy, collection: Collection | None = None
) -> ListEvidence:
    """Look at each result as a whole; with a collection overlap is one of text, else one of paths."""
    if collection is not None:
        run = locate(run, collection, judgements.size_of)
    results = judged_results(run, judgements, policy)
    return ListEvidence(judgements.topics, run, results, results.findings)


def _breakdown(topic: ListTopic, cutoff: int | None = None, **_parameters: Any) -> Breakdown:
    """List the results, which are judged, and which overlap others down to the cut-off."""
    overlaps: list[Cell] = ["yes" if mark else "no" for mark in topic.overlapping(cutoff)]
    columns: dict[str, list[Cell]] = {
        "judged": ["no" if mark else "yes" for mark in topic.unjudged(None)],
        "overlaps": overlaps + [None] * (len(topic) - len(overlaps)),
    }
    return Breakdown("result", np.arange(len(topic)), columns, ())


@measure(
    "Unjudged",
    list_evidence,
    cutoff="optional rank",
    breakdown=_breakdown,
    documents=True,
    needs="results",
)
def unjudged(topic: ListTopic, cutoff: int | None) -> float:
    """Share of the results, down to a rank, in documents that are not judged for the topic: `Unjudged@10`.

    Unjudged@k = results 1..k in documents without a judgement / results 1..k; undefined without results

    What is unjudged is taken as not relevant. Where much of the top is unjudged, as with a system that
    did not contribute to the pool, all other scores are too low by an unknown amount.

    Source: the complement of the judged@k of document retrieval, over results instead of documents.

    Example: A is judged, C is not; results A[0,50), C[0,100), A[60,80), C[100,150): Unjudged@2 = .5,
    Unjudged@3 = 1/3.
    """
    marks = topic.unjudged(cutoff)
    return float(np.mean(marks)) if len(marks) else nan


@measure(
    "Overlap",
    list_evidence,
    cutoff="optional rank",
    breakdown=_breakdown,
    documents=True,
    needs="results",
)
def overlap(topic: ListTopic, cutoff: int | None) -> float:
    """Share of the results, down to a rank, that have text in common with another result: `Overlap@10`.

    Overlap@k = results 1..k that overlap another of the results 1..k / results 1..k; undefined without
    results

    Runs of the Thorough task overlap by design, as an element holds its children; in the Focused task
    overlap is forbidden. Without a collection, and for results given by paths, an element overlaps those
    above and below it.

    Source: the share of overlapping elements that Lalmas and Tombros (2007) §2.4 gives for the runs of
    2004: 70 to 80% in the ten best.

    Example: results A[0,50), A[40,60), B[0,10), A[0,10): Overlap = 3/4, Overlap@2 = 1.
    """
    marks = topic.overlapping(cutoff)
    return float(np.mean(marks)) if len(marks) else nan
