"""The evidence of the graded measures: which assessed element each result is, and what lies around it.

A result that nobody assessed has no value, but it counts: its reader has read what is below it,
and part of what is above it.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.collection import Collection
from inexlab.collection.paths import WHOLE_DOCUMENT
from inexlab.errors import InputError
from inexlab.judgements import Judgements
from inexlab.judgements.elements import GradedElements, full_path
from inexlab.measures.results import Mask, Results, judged_results
from inexlab.policy import Policy
from inexlab.runs import Run
from inexlab.tables import Codes, Floats, Ints, Names

T = TypeVar("T")


@dataclass(frozen=True)
class ElementEvidence:
    """The results of a run as elements (columns by result, see Results), and the judgements they meet.

    `element` is the assessed element a result is, or -1. For the others in judged documents `above` is the
    nearest assessed element above, and `below_from` to `below_to` are those below.
    """

    policy: Policy
    names: Names
    judgements: Judgements
    elements: GradedElements
    run: Run
    results: Results
    element: Codes
    above: Codes
    below_from: Codes
    below_to: Codes
    score: Floats
    findings: Counter[str]

    @property
    def topics(self) -> Sequence[ElementTopic]:
        """The evidence of each topic; not kept here, or a circle of references would keep both in memory."""
        return [ElementTopic(self, number) for number in range(len(self.names))]

    @functools.cached_property
    def place(self) -> Ints:
        """A number that results share which are the same place, of whatever document.

        That is the same element, however its path is spelled; and for what is not an element the same text.
        """
        run, kept = self.run, self.results.kept
        path, until = run.path[kept], run.until[kept]
        spelled: dict[str, int] = {}
        code = np.full(len(run.paths) + 1, -1, dtype=np.int64)  # the last is for what has no path
        for old in np.unique(path[(path >= 0) & (until < 0)]).tolist():
            if full := _spelled(run.paths[old]):
                code[old] = spelled.setdefault(full, len(spelled))
        element = np.where(until < 0, code[path], -1)
        text = np.stack((path, until, run.start[kept], run.end[kept]))
        both = np.vstack((element, np.where(element < 0, text, -1)))
        return np.unique(both, axis=1, return_inverse=True)[1].reshape(-1).astype(np.int64)

    def part(self, topic: int, chosen: Mask) -> ElementEvidence:
        """Return the evidence of some of one topic's results, as if the run had no others."""
        places = self.results.results_from[topic] + np.flatnonzero(chosen)
        columns = ("element", "above", "below_from", "below_to", "score")
        return replace(
            self,
            results=self.results.part(topic, chosen),
            **{name: getattr(self, name)[places] for name in columns},
        )

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
    path, spelled = _canonical_paths(run, results)
    place = np.array([elements.place(name) if name else (-1, 0, 0) for name in spelled], dtype=np.int32)
    find = _find.for_work(30 * len(path))
    element, above, below_from, below_to = find(
        results.row,
        path,
        place.reshape(-1, 3),
        spelled.index(WHOLE_DOCUMENT) if WHOLE_DOCUMENT in spelled else -1,
        elements.elements_from,
        elements.path,
        elements.depth,
        elements.path_parent,
    )
    overlapping = _count_overlaps.for_work(6 * len(path))(
        element, above, below_from, below_to, elements.trees[0]
    )
    nowhere = np.array([not name for name in spelled], dtype=np.bool_)[path] & (results.row >= 0)
    findings = results.findings
    findings.update(overlapping_elements=int(overlapping), no_path=int(np.count_nonzero(nowhere)))
    return ElementEvidence(
        policy,
        judgements.topics,
        judgements,
        elements,
        run,
        results,
        element,
        above,
        below_from,
        below_to,
        run.score[results.kept],
        findings,
    )


def _canonical_paths(run: Run, results: Results) -> tuple[Codes, list[str]]:
    """Return each result's path as a code among the distinct full paths; "" stands for what is not a path.

    Results in judged documents have to be elements: offsets and passages are refused. Paths of results in
    other documents lead nowhere, and are not looked at.
    """
    raw = run.path[results.kept]
    judged = results.row >= 0
    if (raw[judged] < 0).any() or (run.until[results.kept][judged] >= 0).any():
        raise InputError(
            "gives passages where these measures need elements",
            file=run.file or run.id,
            fix="Give a run whose results are element paths.",
        )
    spelled: dict[str, int] = {"": 0}
    code = np.zeros(len(run.paths) + 1, dtype=np.int32)
    for old in np.unique(raw[judged]).tolist():
        code[old] = spelled.setdefault(_spelled(run.paths[old]), len(spelled))
    return code[raw], list(spelled)


def _spelled(path: str) -> str:
    """Return a path in its one spelling; empty for what is not the path of an element."""
    return path if path == WHOLE_DOCUMENT else full_path(path)


@Kernel
def _find(
    row: Codes,
    path: Codes,
    place: Codes,
    whole: int,
    elements_from: Ints,
    element_path: Codes,
    depth: Codes,
    path_parent: Codes,
) -> tuple[Codes, Codes, Codes, Codes]:
    # A place for every result. Assessed elements are searched among those of the result's document, so what
    # is found is between its borders, which may be the end of all: readers check whether it is
    # before.
    element = np.full(len(row), -1, dtype=np.int32)
    above = np.full(len(row), -1, dtype=np.int32)
    below_from = np.zeros(len(row), dtype=np.int32)
    below_to = np.zeros(len(row), dtype=np.int32)
    for i in range(len(row)):
        if row[i] < 0 or path[i] == 0:
            continue
        low, high = elements_from[row[i]], elements_from[row[i] + 1]
        if path[i] == whole:  # the root is the first element of its document, if it was assessed
            if low < high and depth[element_path[low]] == 1:
                element[i] = low
            else:
                below_from[i], below_to[i] = low, high
            continue
        at, first, end = place[path[i], 0], place[path[i], 1], place[path[i], 2]
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


@Kernel
def _count_overlaps(
    element: Codes, above_result: Codes, below_from: Codes, below_to: Codes, above: Codes
) -> int:
    """Count the assessed elements returned after themselves, something above them or something below them.

    `_find` wrote which they are: places of assessed elements, for each of which there is one here, or -1.
    """
    shown = np.zeros(len(above), dtype=np.bool_)  # returned, or below what was returned and nobody assessed
    touched = np.zeros(len(above), dtype=np.bool_)
    count = 0
    for i in range(len(element)):
        e = element[i]
        up = above_result[i]
        if e >= 0:
            overlaps = touched[e]
            at = e
            while at >= 0 and not overlaps:
                overlaps = shown[at]
                at = above[at]
            count += overlaps
            shown[e] = True
            up = above[e]
        for below in range(below_from[i], below_to[i]):
            shown[below] = True
        while up >= 0 and not touched[up]:
            touched[up] = True
            up = above[up]
    return count
