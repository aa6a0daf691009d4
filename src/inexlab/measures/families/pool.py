"""What the pool knows of a run: how much of it nobody judged, and how much of it repeats itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import Any

import numpy as np

from inexlab.collection import Collection
from inexlab.judgements import Judgements
from inexlab.measures.breakdown import Breakdown
from inexlab.measures.measure import measure
from inexlab.measures.results import Mask, Results, judged_results
from inexlab.policy import Policy
from inexlab.runs import Run, locate
from inexlab.runs.profile import overlapping


@dataclass(frozen=True)
class ListEvidence:
    """The results of a run that count, and which of them overlap others."""

    names: Sequence[str]
    results: Results
    overlapping: Mask
    findings: Counter[str]

    @property
    def topics(self) -> Sequence[ListTopic]:
        """The evidence of each topic."""
        borders = self.results.results_from
        parts = [slice(borders[t], borders[t + 1]) for t in range(len(self.names))]
        return [ListTopic(self.results.row[part] < 0, self.overlapping[part]) for part in parts]

    def part(self, topic: int, chosen: Mask) -> ListEvidence:
        """Return the evidence of some of one topic's results; what overlaps does so in the whole list."""
        places = self.results.results_from[topic] + np.flatnonzero(chosen)
        return replace(self, results=self.results.part(topic, chosen), overlapping=self.overlapping[places])


@dataclass(frozen=True)
class ListTopic:
    """One topic's share of the evidence, by rank."""

    unjudged: Mask
    overlapping: Mask

    def __len__(self) -> int:
        return len(self.unjudged)


def list_evidence(
    run: Run, judgements: Judgements, policy: Policy, collection: Collection | None = None
) -> ListEvidence:
    """Look at each result as a whole; with a collection overlap is one of text, else one of paths."""
    if collection is not None:
        run = locate(run, collection, judgements.size_of)
    results = judged_results(run, judgements, policy)
    return ListEvidence(judgements.topics, results, overlapping(run)[results.kept], results.findings)


def _breakdown(topic: ListTopic, **_parameters: Any) -> Breakdown:
    columns = {
        "judged": ["no" if mark else "yes" for mark in topic.unjudged],
        "overlaps": ["yes" if mark else "no" for mark in topic.overlapping],
    }
    return Breakdown("result", np.arange(len(topic)), columns, ())


@measure("Unjudged", list_evidence, cutoff="optional rank", breakdown=_breakdown, documents=True)
def unjudged(topic: ListTopic, cutoff: int | None) -> float:
    """Share of the results, down to a rank, in documents that nobody judged for the topic: `Unjudged@10`.

    Unjudged@k = results 1..k in documents without a judgement / results 1..k; undefined without results

    What is unjudged is taken as not relevant. Where much of the top is unjudged, as with a system that
    did not contribute to the pool, all other scores are too low by an unknown amount.

    Source: the complement of the judged@k of document retrieval, over results instead of documents.

    Example: A is judged, C is not; results A[0,50), C[0,100), A[60,80), C[100,150): Unjudged@2 = .5,
    Unjudged@3 = 1/3.
    """
    marks = topic.unjudged[:cutoff]
    return float(np.mean(marks)) if len(marks) else nan


@measure("Overlap", list_evidence, cutoff="optional rank", breakdown=_breakdown, documents=True)
def overlap(topic: ListTopic, cutoff: int | None) -> float:
    """Share of the results, down to a rank, that have text in common with another result: `Overlap@10`.

    Overlap@k = results 1..k that overlap any other result of the topic / results 1..k; undefined
    without results

    Runs of the Thorough task overlap by design, as an element holds its children; in the Focused task
    overlap is forbidden. Without a collection, and for results given by paths, an element overlaps those
    above and below it.

    Source: the share of overlapping elements that Lalmas and Tombros (2007) §2.4 gives for the runs of
    2004: 70 to 80% in the ten best.

    Example: results A[0,50), A[40,60), B[0,10), A[0,10): Overlap = 3/4, Overlap@2 = 1.
    """
    marks = topic.overlapping[:cutoff]
    return float(np.mean(marks)) if len(marks) else nan
