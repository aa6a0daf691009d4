"""Where paths of a query lead in the trees of an index: elements at a path, and those they lead to it from.

Which elements a path leads to follows from their tags, from the root down, so it is decided once for each tag
path that there is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.index.blocks import Array
from inexlab.index.guide import Mask
from inexlab.index.index import Index
from inexlab.retrieval.climbing import element_above
from inexlab.tables import Ints
from inexlab.topics.equivalence import Equivalence
from inexlab.topics.patterns import PathPattern
from inexlab.topics.query import Path, Step

Divisions = list[list[int]]  # how far above an element each part of a path ends, for each way to divide it
_REMEMBERED = 64  # paths of queries


@dataclass(frozen=True)
class Ways:
    """The ways in the trees of an index, with tags that count as equal."""

    index: Index
    equivalence: Equivalence

    def paths(self, path: Path) -> Mask:
        """Say of each tag path whether its elements are at a path."""
        return self.index.guide.matching(PathPattern(path, self.equivalence))

    def conforming(self, path: Path, elements: Ints) -> Mask:
        """Say which elements are at a path."""
        conforms: Mask = self.paths(path)[self.index.guide.path[elements]]
        return conforms

    def innermost_at(self, path: Path, elements: Ints) -> tuple[Mask, Ints]:
        """Say which elements are at a path or in what is there, and return the innermost there for each."""
        guide = self.index.guide
        conforms = guide.matching(PathPattern(path, self.equivalence))
        climb = np.full(len(guide.tag), -1, dtype=np.int64)
        for kind, above in enumerate(guide.above.tolist()):  # what is above comes first
            if conforms[kind]:
                climb[kind] = 0
            elif above >= 0 and climb[above] >= 0:
                climb[kind] = climb[above] + 1
        steps = climb[guide.path[elements]]
        inside: Mask = steps >= 0
        return inside, self._above(elements[inside], steps[inside])

    def to_steps(self, path: Path, steps: list[int], results: Ints) -> Iterator[list[Ints]]:
        """Yield, for each division of a path, the elements at some of its steps on the way to each result."""
        paths, of_result = np.unique(self.index.guide.path[results], return_inverse=True)
        divisions = self._divisions(path, tuple(steps), paths.tolist())
        for number in range(max(map(len, divisions), default=0)):
            # an element with fewer divisions repeats its last one
            heights = np.array([d[min(number, len(d) - 1)] for d in divisions], dtype=np.int64)
            yield [self._above(results, heights[of_result, k]) for k in range(len(steps))]

    def _divisions(self, path: Path, steps: tuple[int, ...], tag_paths: list[int]) -> list[Divisions]:
        """Return how some tag paths divide into the parts of a path that end at some steps, and its end.

        An index remembers those of the last paths.
        """
        remembered: dict[Any, dict[int, Divisions]] = self.index.kept.setdefault("divisions", {})
        key = path, steps, self.equivalence.groups
        known = remembered.get(key)  # other threads may add some, and leave out this one
        if known is None:
            for old in list(remembered)[: max(0, len(remembered) - _REMEMBERED + 1)]:
                remembered.pop(old, None)
            known = remembered[key] = {}
        new = [tag_path for tag_path in tag_paths if tag_path not in known]
        if new:
            borders = sorted({0, *steps, len(path)})
            parts = [PathPattern(path[a:b], self.equivalence) for a, b in pairwise(borders)]
            for tag_path in new:
                known[tag_path] = _divisions(self.index.guide.tag_path(tag_path), parts)
        return [known[tag_path] for tag_path in tag_paths]

    def leading_to(self, path: Path, elements: Ints) -> Iterator[tuple[Ints, Ints]]:
        """Yield ancestors of some elements from which a path leads to them, with the places of these."""
        guide = self.index.guide
        whole = PathPattern(path, self.equivalence)
        last = PathPattern((Step("//", path[-1].tags),), self.equivalence)
        kinds, of_element = np.unique(guide.path[elements], return_inverse=True)
        tags = [guide.tag_path(kind) for kind in kinds.tolist()]
        ends_well = [of_kind if last.matches_tags(of_kind[-1:]) else [] for of_kind in tags]
        known: dict[tuple[str, ...], bool] = {(): False}
        for height in range(1, max(map(len, ends_well), default=0)):
            leads = np.zeros(len(kinds), dtype=np.bool_)
            for k, of_kind in enumerate(ends_well):
                end = tuple(of_kind[-height:]) if height < len(of_kind) else ()
                if end not in known:
                    known[end] = whole.matches_tags(end)
                leads[k] = known[end]
            lower = np.flatnonzero(leads[of_element])
            climb = np.full(len(lower), height, dtype=np.int64)
            yield self._above(elements[lower], climb), lower

    def _above(self, elements: Ints, climb: Ints) -> Ints:
        """Return the ancestors that are so many generations above some elements."""
        work = 4 * len(elements) + int(climb.sum())
        return _ancestors.for_work(work)(elements, climb, self.index.columns["parent"])


def _divisions(tags: list[str], parts: list[PathPattern]) -> Divisions:
    """Return how an element's tags divide into the parts of a path: how far above it each part ends."""
    first, rest = parts[0], parts[1:]
    if not rest:
        return [[0]] if first.matches_tags(tags) else []
    return [
        [len(tags) - depth, *rest_of]
        for depth in range(1, len(tags))
        if first.matches_tags(tags[:depth])
        for rest_of in _divisions(tags[depth:], rest)
    ]


@Kernel
def _ancestors(elements: Ints, climb: Ints, back: Array) -> Ints:
    """Return the ancestors that are so many generations above some elements, or the roots below that.

    `found` has a place for every element, and no climb leaves `back`.
    """
    found = elements.copy()
    for k in range(len(found)):
        for _ in range(climb[k]):
            up = element_above(found[k], 0, back)
            if up < 0:
                break
            found[k] = up
    return found
