"""Structured queries: NEXI over an index, with the structure taken strictly or as a hint.

The target of a query is what its path says to return, a support is where a clause says to look. Each is
taken strictly (the tag path has to conform) or vaguely (anything will do): the four interpretations of INEX
2005, named by target, then support. Content is always a matter of degree: an `about` gives a score.

For a clause on a step above, an element scores the best match within its topmost ancestor at that step
(vaguely: its document's own score). For a clause on its own step it scores what it is about itself; where
target and support are strict, the best match within it. Strict supports have to be there: in the element for
a strict target, in its document for a vague one. `and` adds scores up, `or` takes the best. A comparison is a
condition on the data: it keeps or drops elements.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.errors import UnknownNameError
from inexlab.index.index import Index
from inexlab.index.store import Array
from inexlab.retrieval.model import Weighting
from inexlab.retrieval.search import Ranking, best, score_elements
from inexlab.tables import Codes, Floats, Ints
from inexlab.topics.equivalence import Equivalence
from inexlab.topics.patterns import PathPattern
from inexlab.topics.query import About, And, CASQuery, Clause, Compare, Or, Path

Mask = npt.NDArray[np.bool_]
INTERPRETATIONS = {
    "VVCAS": (False, False),
    "SVCAS": (True, False),
    "VSCAS": (False, True),
    "SSCAS": (True, True),
}


@dataclass(frozen=True)
class _Match:
    """Elements with a score, in the order of the collection; others have none."""

    element: Ints
    score: Floats

    def at(self, elements: Ints) -> Floats:
        """Return the scores of some elements, 0 where they have none."""
        if not len(self.element):
            return np.zeros(len(elements))
        place = np.minimum(np.searchsorted(self.element, elements), len(self.element) - 1)
        return np.where(self.element[place] == elements, self.score[place], 0.0)


def search_structure(
    index: Index,
    query: CASQuery,
    weighting: Weighting,
    interpretation: str = "VVCAS",
    equivalence: Equivalence | None = None,
    *,
    limit: int = 0,
    documents: Ints | None = None,
) -> Ranking:
    """Rank the elements that answer a structured query."""
    if interpretation not in INTERPRETATIONS:
        raise UnknownNameError("interpretation", interpretation, INTERPRETATIONS)
    strict_target, strict_support = INTERPRETATIONS[interpretation]
    work = _Evaluation(index, weighting, strict_support, equivalence or Equivalence(), documents)
    path = tuple(step.bare for step in query.steps)
    own = query.steps[-1].clause
    found = work.scores(path, own, inside=strict_target) if own is not None else None
    supports = [
        (path[:i], work.scores(path[:i], step.clause, inside=True))
        for i, step in enumerate(query.steps[:-1], start=1)
        if step.clause is not None
    ]
    if found is None:
        targets = work.elements_of_documents([match for _, match in supports])
    else:
        targets = found.element[found.score > 0]
    if strict_target:
        targets = targets[work.conforming(path, targets)]
    scores = found.at(targets) if found is not None else np.zeros(len(targets))
    for prefix, match in supports:
        scores += match.at(work.contexts(prefix, targets))
    kept = (scores > 0) & work.satisfying(path, query, targets)
    targets = targets[kept]
    document = (np.searchsorted(index.document_elements, targets, side="right") - 1).astype(np.int32)
    return best(targets, document, scores[kept], limit)


class _Evaluation:
    """One query at work."""

    def __init__(
        self,
        index: Index,
        weighting: Weighting,
        strict: bool,
        equivalence: Equivalence,
        documents: Ints | None,
    ) -> None:
        self._index, self._weighting, self._strict = index, weighting, strict
        self._equivalence, self._documents = equivalence, documents

    def conforming(self, path: Path, elements: Ints) -> Mask:
        """Say which elements are at a path."""
        guide = self._index.guide
        conforms: Mask = guide.matching(PathPattern(path, self._equivalence))[guide.kind[elements]]
        return conforms

    def scores(self, path: Path, clause: Clause, *, inside: bool) -> _Match:
        """Return elements' scores for a clause on the step `path`.

        Where supports are strict, a score is that of the best match `inside` the element, or else the
        element's own, if its document has a match.
        """
        if isinstance(clause, About):
            return self._about(path, clause, inside)
        if isinstance(clause, Compare):
            return _Match(np.zeros(0, dtype=np.int64), np.zeros(0))  # a condition: see `satisfying`
        parts = [self.scores(path, part, inside=inside) for part in clause.parts]
        elements = np.unique(np.concatenate([part.element for part in parts]))
        scores = np.array([part.at(elements) for part in parts])
        return _Match(elements, scores.sum(axis=0) if isinstance(clause, And) else scores.max(axis=0))

    def _about(self, path: Path, about: About, inside: bool) -> _Match:
        found, scores = score_elements(self._index, about.terms, self._weighting, self._documents)
        element = found.element.copy()
        scores = np.maximum(scores, 0.0)
        if not self._strict:
            return _Match(element, scores)
        matches = np.where(self.conforming(path + about.path, element), scores, 0.0)
        _hand_up.for_work(4 * len(scores))(found.parent, matches)
        return _Match(element, matches if inside else np.where(matches[found.root] > 0, scores, 0.0))

    def contexts(self, path: Path, elements: Ints) -> Ints:
        """Return each element's topmost ancestor (or itself) at a path; vaguely, its document's root."""
        index = self._index
        roots = index.document_elements[np.searchsorted(index.document_elements, elements, side="right") - 1]
        if not self._strict:
            return np.asarray(roots)
        guide = index.guide
        here = guide.matching(PathPattern(path, self._equivalence))
        return _topmost.for_work(20 * len(elements))(elements, index.columns["parent"], guide.kind, here)

    def elements_of_documents(self, matches: list[_Match]) -> Ints:
        """Return all units of the documents in which every support has a match."""
        index = self._index
        roots = index.document_elements[:-1]
        having = np.ones(len(roots), dtype=np.bool_)
        for match in matches:
            having &= match.at(roots) > 0
        ranges = [np.arange(*index.document_elements[d : d + 2]) for d in np.flatnonzero(having).tolist()]
        elements = np.concatenate([np.zeros(0, dtype=np.int64), *ranges])
        units = index.tag_kinds[index.columns["tag"][elements]] == 0
        filled = index.columns["tokens"][elements] > 0
        return elements[units & filled]

    def satisfying(self, path: Path, query: CASQuery, elements: Ints) -> Mask:
        """Say which elements meet the comparisons of a query."""
        holds = np.ones(len(elements), dtype=np.bool_)
        for i, step in enumerate(query.steps, start=1):
            if step.clause is not None and _compares(step.clause):
                contexts = elements if i == len(path) else self.contexts(path[:i], elements)
                different, inverse = np.unique(contexts, return_inverse=True)
                meets = np.array(
                    [e >= 0 and self._meets(path[:i], step.clause, e) for e in different.tolist()]
                )
                holds &= meets[inverse] if len(meets) else True
        return holds

    def _meets(self, path: Path, clause: Clause, element: int) -> bool:
        if isinstance(clause, About):
            return True  # a matter of degree
        if isinstance(clause, And):
            return all(self._meets(path, part, element) for part in clause.parts)
        if isinstance(clause, Or):
            return any(self._meets(path, part, element) for part in clause.parts)
        index = self._index
        document = index.document_of(element)
        stop = int(index.document_elements[document + 1])
        end = _subtree_end.for_work(2 * (stop - element))(index.columns["parent"], element, stop)
        inside = np.arange(element, end)
        inside = inside[self.conforming(path + clause.path, inside)] if clause.path else inside[:1]
        text = index.text(document) if len(inside) else ""
        return any(_compare(text[slice(*index.span(int(e)))], clause) for e in inside)


def _compares(clause: Clause) -> bool:
    if isinstance(clause, And | Or):
        return any(map(_compares, clause.parts))
    return isinstance(clause, Compare)


_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")


def _compare(text: str, comparison: Compare) -> bool:
    """Compare an element's text with a value: numbers with the first number in it, strings with all of it."""
    if comparison.quoted:
        left, right = " ".join(text.lower().split()), " ".join(comparison.value.lower().split())
        return _holds(left, right, comparison.operator)
    found = _NUMBER.search(text)
    return found is not None and _holds(
        float(found[0].replace(",", ".")), float(comparison.value), comparison.operator
    )


def _holds(left: str | float, right: str | float, operator: str) -> bool:
    order = (left > right) - (left < right)  # type: ignore[operator]
    return order in {"<": (-1,), ">": (1,), "=": (0,), "<=": (-1, 0), ">=": (0, 1)}[operator]


@Kernel
def _subtree_end(back: Array, element: int, stop: int) -> int:
    """Return the number after the last element in an element."""
    end = element + 1
    while end < stop and back[end] != 0 and end - np.int64(back[end]) >= element:
        end += 1
    return end


@Kernel
def _hand_up(parent: Codes, scores: Floats) -> None:
    """Give every candidate the best score of what is in it; candidates come after those above them."""
    for c in range(len(scores) - 1, -1, -1):
        if parent[c] >= 0 and scores[c] > scores[parent[c]]:
            scores[parent[c]] = scores[c]


@Kernel
def _topmost(elements: Ints, back: Array, kind: Codes, here: Mask) -> Ints:
    """Return for each element its topmost ancestor of some kinds, -1 where there is none."""
    found = np.full(len(elements), -1, dtype=np.int64)
    for k in range(len(elements)):
        e = elements[k]
        while True:
            if here[kind[e]]:
                found[k] = e
            if back[e] == 0:
                break
            e -= np.int64(back[e])
    return found
