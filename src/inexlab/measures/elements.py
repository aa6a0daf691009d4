"""The evidence of the graded measures: which assessed element each result is, and what lies around it.

A result that nobody assessed has no value, but it counts: whoever reads it has read what is below it,
and part of what is above it.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.collection import Collection
from inexlab.collection.paths import WHOLE_DOCUMENT
from inexlab.errors import InputError
from inexlab.judgements import Judgements
from inexlab.judgements.elements import GradedElements
from inexlab.measures.results import Results, judged_results
from inexlab.policy import Policy
from inexlab.runs import Run
from inexlab.tables import Codes, Floats, Ints, Names

T = TypeVar("T")


@dataclass(frozen=True)
class ElementEvidence:
    """The results of a run as elements (columns by result, see Results), and the judgements they meet.

    `path` is the result's path (a code in the run), `element` the assessed element a result is, or -1.
    For the others in judged documents `above` is the nearest assessed element above, and `below_from`
    to `below_to` are those below.
    """

    policy: Policy
    names: Names
    judgements: Judgements
    elements: GradedElements
    results: Results
    path: Codes
    element: Codes
    above: Codes
    below_from: Codes
    below_to: Codes
    score: Floats
    findings: Counter[str]

    @functools.cached_property
    def topics(self) -> Sequence[ElementTopic]:
        """The evidence of each topic."""
        return [ElementTopic(self, number) for number in range(len(self.names))]

    def once(self, key: Hashable, work: Callable[[], T]) -> T:
        """Return `work()`, done once for each key however many measures ask for it."""
        if key not in self._done:
            self._done[key] = work()
        done: T = self._done[key]
        return done

    @functools.cached_property
    def _done(self) -> dict[Hashable, Any]:
        return {}


@dataclass(frozen=True)
class ElementTopic:
    """One topic's share of the evidence."""

    evidence: ElementEvidence
    number: int

    def __len__(self) -> int:
        first, last = self.evidence.results.results_from[self.number : self.number + 2]
        return int(last - first)


def element_evidence(
    run: Run,
    judgements: Judgements,
    policy: Policy,
    collection: Collection | None = None,  # noqa: ARG001
) -> ElementEvidence:
    """Find the assessed element of every result."""
    elements = judgements.elements
    if elements is None:
        raise InputError("holds no assessed elements", file=judgements.file)
    results = judged_results(run, judgements, policy)
    path = run.path[results.kept]
    if (path[results.row >= 0] < 0).any():
        raise InputError(
            "gives offsets where these measures need elements",
            file=run.file or run.id,
            fix="Give a run with paths.",
        )
    place = np.zeros((len(run.paths) + 1, 3), dtype=np.int32)
    root = elements.paths[0].split("/")[1] if len(elements.paths) else ""
    for code in np.unique(path[results.row >= 0]).tolist():
        name = run.paths[code]
        place[code] = elements.place(f"/{root}" if name == WHOLE_DOCUMENT else name)
    find = _find.for_work(30 * len(path))
    element, above, below_from, below_to = find(
        results.row, path, place, elements.elements_from, elements.path, elements.path_parent
    )
    findings = Counter(
        cut=results.cut,
        unjudged_topics=results.unjudged_topics,
        unjudged=int(np.count_nonzero(results.row < 0)),
    )
    return ElementEvidence(
        policy,
        judgements.topics,
        judgements,
        elements,
        results,
        path,
        element,
        above,
        below_from,
        below_to,
        run.score[results.kept],
        findings,
    )


@Kernel
def _find(
    row: Codes, path: Codes, place: Codes, elements_from: Ints, element_path: Codes, path_parent: Codes
) -> tuple[Codes, Codes, Codes, Codes]:
    element = np.full(len(row), -1, dtype=np.int32)
    above = np.full(len(row), -1, dtype=np.int32)
    below_from = np.zeros(len(row), dtype=np.int32)
    below_to = np.zeros(len(row), dtype=np.int32)
    for i in range(len(row)):
        if row[i] < 0:
            continue
        at, first, end = place[path[i], 0], place[path[i], 1], place[path[i], 2]
        low, high = elements_from[row[i]], elements_from[row[i] + 1]
        here = low + np.searchsorted(element_path[low:high], first)
        known = at == first and end > first
        if known and here < high and element_path[here] == first:
            element[i] = here
            continue
        below_from[i] = here
        below_to[i] = low + np.searchsorted(element_path[low:high], end)
        up = path_parent[at] if known else at
        while up >= 0 and above[i] < 0:
            there = low + np.searchsorted(element_path[low:high], up)
            if there < high and element_path[there] == up:
                above[i] = there
            up = path_parent[up]
    return element, above, below_from, below_to
