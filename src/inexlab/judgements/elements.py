"""Graded elements: what assessors of 2002-2006 said of XML elements, as columns that know the trees.

Without a collection an element is its path, and containment of paths stands for containment of text.
Paths are sorted so that the descendants of a path follow it directly; elements are grouped by judged
document and sorted by path, so a subtree is a range of rows.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel
from inexlab.collection.paths import parse_place
from inexlab.tables import Codes, Ints, Names

Scale = Literal["2002", "2004", "2005"]
Grades = npt.NDArray[np.int8]
T = TypeVar("T")

TOO_SMALL = -1  # exhaustivity `?` of 2005
COVERAGE = "NSLE"  # 2002: none, too small, too large, exact; the grade is the place in this string


def full_path(path: str) -> str:
    """Return a path in its one spelling, a number at every step; empty if it is not the path of an element.

    >>> full_path("/article/bdy[1]/sec[02]"), full_path("sec[1]")
    ('/article[1]/bdy[1]/sec[2]', '')
    """
    if _FULL.fullmatch(path):
        return path
    place = parse_place(path.rstrip("/"))
    if place is None or place.text_node is not None or place.offset is not None:
        return ""
    return "".join(f"/{tag}[{number}]" for tag, number in place.steps)


_FULL = re.compile(r"(?:/[^/\[\]]+\[[1-9][0-9]{0,8}\])+")


@dataclass(frozen=True)
class GradedElements:
    """Assessed elements; those of row i of the judgements are `elements_from[i]` to `elements_from[i + 1]`.

    On the scale of 2002 and 2004 `exhaustivity` and `specificity` are grades (2002: topical relevance
    and the place of the letter in COVERAGE), on that of 2005 `exhaustivity` is 0, 1, 2 or TOO_SMALL,
    and specificity is `rsize` / `size`.
    """

    scale: Scale
    paths: Names
    elements_from: Ints
    path: Codes
    exhaustivity: Grades
    specificity: Grades
    size: Ints
    rsize: Ints

    def __len__(self) -> int:
        return len(self.path)

    def grades(self, element: int) -> tuple[int | str, float | int | str]:
        """Return exhaustivity and specificity of an element as assessors knew them."""
        if self.scale == "2005":
            size = int(self.size[element])
            e = int(self.exhaustivity[element])
            return "?" if e == TOO_SMALL else e, float(self.rsize[element] / size) if size else 0.0
        s = int(self.specificity[element])
        return int(self.exhaustivity[element]), COVERAGE[s] if self.scale == "2002" else s

    @functools.cached_property
    def keys(self) -> list[str]:
        """The paths with a final slash, in order: every key of a subtree begins with its root's."""
        return [f"{path}/" for path in self.paths]

    @functools.cached_property
    def path_parent(self) -> Codes:
        """For each path, the nearest path above it that is in the table, or -1."""
        return np.array([self._above(path) for path in self.paths], dtype=np.int32)

    @functools.cached_property
    def path_end(self) -> Codes:
        """For each path, where the paths below it end."""
        return np.array([bisect_left(self.keys, f"{path}0") for path in self.paths], dtype=np.int32)

    @functools.cached_property
    def depth(self) -> Codes:
        """Number of steps of each path."""
        return np.array([path.count("/") for path in self.paths], dtype=np.int32)

    @functools.cached_property
    def direct(self) -> npt.NDArray[np.bool_]:
        """Whether the path above in the table is the parent itself."""
        above = self.path_parent
        is_parent: npt.NDArray[np.bool_] = (above >= 0) & (self.depth == self.depth[above] + 1)
        return is_parent

    @functools.cached_property
    def trees(self) -> tuple[Codes, Codes, Codes]:
        """Of each element the nearest one above, its assessed parent (-1: none), where its subtree ends."""
        work = _trees.for_work(8 * len(self))
        return work(self.elements_from, self.path, self.path_parent, self.path_end, self.direct)

    def place(self, path: str) -> tuple[int, int, int]:
        """Return the nearest path of the table at or above a full path, and the range of paths below it.

        This is how results that nobody assessed are seen: they show what is below, and are part of what
        is above.
        """
        found = self._places.get(path)
        if found is None:
            whole = full_path(path)
            first = bisect_left(self.keys, f"{whole}/")
            known = first < len(self.keys) and self.keys[first] == f"{whole}/"
            found = (first if known else self._above(whole), first, bisect_left(self.keys, f"{whole}0"))
            found = found if whole else (-1, 0, 0)  # what is not a path is nowhere
            self._places[path] = found
        return found

    def _above(self, path: str) -> int:
        while path := path.rpartition("/")[0]:
            if (code := self.paths.codes.get(path)) is not None:
                return code
        return -1

    @functools.cached_property
    def _places(self) -> dict[str, tuple[int, int, int]]:
        return {}

    def once(self, key: Hashable, work: Callable[[], T]) -> T:
        """Return `work()`, done once for each key however many runs and measures ask for it."""
        if key not in self._done:
            self._done[key] = work()
        done: T = self._done[key]
        return done

    @functools.cached_property
    def _done(self) -> dict[Hashable, Any]:
        return {}


@Kernel
def _trees(
    elements_from: Ints, path: Codes, path_parent: Codes, path_end: Codes, direct: npt.NDArray[np.bool_]
) -> tuple[Codes, Codes, Codes]:
    # A place for every element in all three. What `end` holds of an element is at most the end of its
    # document, and was written before it is read: elements are gone through from the last to the first.
    above = np.full(len(path), -1, dtype=np.int32)
    parent = np.full(len(path), -1, dtype=np.int32)
    end = np.empty(len(path), dtype=np.int32)
    for row in range(len(elements_from) - 1):
        first, last = elements_from[row], elements_from[row + 1]
        for e in range(first, last):
            # the element before this one, or the nearest above that, is the nearest one above this
            candidate = e - 1 if e > first else -1
            while candidate >= 0 and path_end[path[candidate]] <= path[e]:
                candidate = above[candidate]
            above[e] = candidate
            if candidate >= 0 and path_parent[path[e]] == path[candidate] and direct[path[e]]:
                parent[e] = candidate
        for e in range(last - 1, first - 1, -1):
            stop = e + 1
            while stop < last and path[stop] < path_end[path[e]]:
                stop = end[stop]
            end[e] = stop
    return above, parent, end
