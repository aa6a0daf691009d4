"""CAS judgement sets: the four interpretations of structure, from one set of judgements.

Trotman and Lalmas (2005) §4.5.

    VVCAS   the judgements as they are: structure is a hint
    SVCAS   those of elements that strictly conform to the target path
    VSCAS   those in documents in which every child topic (each a single clause of the query) holds: some
            element relevant to the child strictly conforms to the child's own path
    SSCAS   both

Children are joined as the query joins its clauses, with `and` or `or`. The sets keep judged elements that
are not relevant. A set that cannot be known, because children were not judged, is undefined: that is not
the same as empty. 2003 and 2004 had two interpretations of the target, SCAS (SVCAS here) and VCAS (VVCAS).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from inexlab.errors import UnknownNameError
from inexlab.judgements.elements import GradedElements
from inexlab.judgements.table import ElementGrade, Judgements, JudgementsBuilder, Passage
from inexlab.tables import Floats, Ints
from inexlab.topics.patterns import PathPattern

Mask = npt.NDArray[np.bool_]

# whether the target, and whether the support elements, are strict; in the order of the paper's tables
INTERPRETATIONS = {
    "SSCAS": (True, True),
    "SVCAS": (True, False),
    "VSCAS": (False, True),
    "VVCAS": (False, False),
}
_EARLIER = {"SCAS": "SVCAS", "VCAS": "VVCAS"}


def known_interpretation(name: str) -> str:
    """Return the interpretation of a name; SCAS and VCAS are those of 2003 and 2004."""
    found = _EARLIER.get(name.upper(), name.upper())
    if found not in INTERPRETATIONS:
        raise UnknownNameError("interpretation", name, [*INTERPRETATIONS, *_EARLIER])
    return found


@dataclass(frozen=True)
class Child:
    """A child topic and the path that its relevant elements must conform to, if any."""

    topic: str
    pattern: PathPattern | None


@dataclass(frozen=True)
class Support:
    """Children that must all hold in a document, or one of which must; no parts: any document will do."""

    combine: Literal["and", "or"] = "and"
    parts: tuple[Child | Support, ...] = ()

    @property
    def children(self) -> tuple[Child, ...]:
        """All children, however deep."""
        found: list[Child] = []
        for part in self.parts:
            found += [part] if isinstance(part, Child) else part.children
        return tuple(found)


@dataclass(frozen=True)
class CasTopic:
    """What a topic demands of structure; `undefined` says why its support is not known, if it is not."""

    target: PathPattern
    support: Support = field(default_factory=Support)
    undefined: str = ""


class CasSets:
    """The four judgement sets of topics, each as the choice of some of the assessed elements."""

    def __init__(
        self, judgements: Judgements, elements: GradedElements, topics: Mapping[str, CasTopic]
    ) -> None:
        self.judgements, self.elements = judgements, elements
        self.topics = {id: topic for id, topic in topics.items() if id in judgements.topics.codes}
        self._conforming: dict[str, Mask] = {}

    def chosen(self, id: str, interpretation: str) -> Mask | None:
        """Return which assessed elements are in the set of a topic; None if it is undefined."""
        topic = self.topics[id]
        strict_target, strict_support = INTERPRETATIONS[interpretation]
        chosen: Mask = self._topic_of == self.judgements.topics.codes[id]
        if strict_target:
            chosen = chosen & self._conforms(topic.target)
        if strict_support:
            if self.undefined(id):
                return None
            docs = self._documents(topic.support)
            if docs is not None:
                chosen = chosen & np.isin(self.judgements.doc[self._row_of], list(docs))
        return chosen

    def undefined(self, id: str) -> str:
        """Return why the sets with strict support of a topic are undefined; empty if they are not."""
        topic = self.topics[id]
        unjudged = [c.topic for c in topic.support.children if c.topic not in self.judgements.topics.codes]
        missing = ", ".join(unjudged)
        return topic.undefined or (f"its children {missing} are not judged" if missing else "")

    def counts(self, id: str, value: Floats) -> dict[str, int | None]:
        """Return how many elements of value each set of a topic has (the paper's Tables 4 and 5)."""
        sets = {name: self.chosen(id, name) for name in INTERPRETATIONS}
        relevant = value > 0
        return {
            name: None if chosen is None else int(np.count_nonzero(chosen & relevant))
            for name, chosen in sets.items()
        }

    def judgements_of(self, interpretation: str) -> Judgements:
        """Return the set of all topics for which it is defined, as judgements."""
        elements, judged = self.elements, self.judgements
        builder = JudgementsBuilder()
        vague = interpretation == "VVCAS"
        for id in self.topics:
            chosen = self.chosen(id, interpretation)
            if chosen is None:
                continue
            builder.add_topic(id, judged.pools.get(id, ""))
            code = judged.topics.codes[id]
            for row in range(int(judged.rows_from[code]), int(judged.rows_from[code + 1])):
                doc = judged.docs[int(judged.doc[row])]
                builder.by(judged.assessor_of(row))
                builder.add(id, doc)
                first, last = elements.elements_from[row : row + 2].tolist()
                for e in first + np.flatnonzero(chosen[first:last]):
                    builder.add_element(id, doc, self._grade(int(e)), elements.scale)
                for _row, start, end, size in self._passages.get(row, []) if vague else []:
                    builder.add_passage(id, doc, start, end, size)
        return builder.build(f"{judged.file} {interpretation}")

    def _grade(self, e: int) -> ElementGrade:
        elements = self.elements
        return ElementGrade(
            elements.paths[int(elements.path[e])],
            int(elements.exhaustivity[e]),
            int(elements.specificity[e]),
            int(elements.size[e]),
            int(elements.rsize[e]),
        )

    def _conforms(self, pattern: PathPattern) -> Mask:
        """Return which assessed elements conform to a pattern."""
        key = str(pattern)
        if key not in self._conforming:
            by_path = np.array([pattern.matches(path) for path in self.elements.paths], dtype=bool)
            self._conforming[key] = by_path[self.elements.path]
        return self._conforming[key]

    def _documents(self, support: Support) -> set[int] | None:
        """Return the documents in which the children hold; None for all documents."""
        held = [self._held(p) if isinstance(p, Child) else self._documents(p) for p in support.parts]
        known = [docs for docs in held if docs is not None]
        if not known or (support.combine == "or" and len(known) < len(held)):
            return None
        return set.intersection(*known) if support.combine == "and" else set.union(*known)

    def _held(self, child: Child) -> set[int]:
        relevant = self.elements.exhaustivity != 0  # `?`, too small, is relevant
        relevant = relevant & (self._topic_of == self.judgements.topics.codes[child.topic])
        if child.pattern is not None:
            relevant = relevant & self._conforms(child.pattern)
        return set(self.judgements.doc[self._row_of[relevant]].tolist())

    @functools.cached_property
    def _row_of(self) -> Ints:
        return np.repeat(np.arange(len(self.judgements)), np.diff(self.elements.elements_from))

    @functools.cached_property
    def _topic_of(self) -> npt.NDArray[np.int32]:
        return self.judgements.topic[self._row_of]

    @functools.cached_property
    def _passages(self) -> dict[int, list[Passage]]:
        found: dict[int, list[Passage]] = {}
        for passage in self.judgements.passages:
            found.setdefault(passage.row, []).append(passage)
        return found
