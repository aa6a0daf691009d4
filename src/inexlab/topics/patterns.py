"""Path patterns: whether an element strictly conforms to a path such as `//article//(sec|p)`.

The whole path of the element must satisfy the pattern, and its last step the last step of the pattern:
`/` is a child, `//` any descendant, `*` any element, so that `//bdy//*` is what lies below `bdy`, without
`bdy` itself. Tags that a collection uses alike are equal, on inner steps as
well (Trotman and Lalmas 2005, §4.5).

A step without a prefix means elements of that name whatever their prefix: `//p` is `p` and `w:p`. One with a
prefix means only what is written so.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from inexlab.collection.paths import local_name, parse_place
from inexlab.topics.equivalence import Equivalence
from inexlab.topics.nexi import parse_path
from inexlab.topics.query import Path, path_text

# how many steps of a pattern may end at an element, and at or above it
State = tuple[frozenset[int], frozenset[int]]
START: State = (frozenset({0}), frozenset({0}))


@dataclass(frozen=True)
class PathPattern:
    """A path to conform to, and the tags that count as equal."""

    path: Path
    equivalence: Equivalence

    def __str__(self) -> str:
        return path_text(self.path)

    def matches(self, path: str) -> bool:
        """Whether an element's path conforms; what is not the path of an element does not.

        >>> sections = pattern("//article//sec", Equivalence({"ss1": "sec"}))
        >>> sections.matches("/article[1]/bdy[1]/ss1[2]"), sections.matches("/article[1]/bdy[1]/sec[1]/p[1]")
        (True, False)
        """
        place = parse_place(path.rstrip("/"))
        if place is None or place.text_node is not None or place.offset is not None:
            return False
        return self.matches_tags([tag for tag, _ in place.steps])

    def matches_tags(self, tags: Sequence[str]) -> bool:
        """Whether an element with these tags, from the root down to itself, conforms."""
        state = START
        for tag in tags:
            state = self.advance(state, tag)
        return self.accepts(state)

    def advance(self, state: State, tag: str) -> State:
        """Go one tag further down."""
        here, above = state
        # as it is written, and without its prefix
        equal = {self.equivalence.of(tag), self.equivalence.of(local_name(tag))}
        now = frozenset(
            done + 1
            for done, (child, wanted) in enumerate(self._steps)
            if done in (here if child else above) and (wanted is None or not equal.isdisjoint(wanted))
        )
        return now, above | now

    def accepts(self, state: State) -> bool:
        """Whether an element in this state conforms."""
        return len(self._steps) in state[0]

    @functools.cached_property
    def _steps(self) -> list[tuple[bool, frozenset[str] | None]]:
        """For each step whether it is a child step, and the tags that fit; None: all."""
        return [
            (
                step.axis == "/",
                None if "*" in step.tags else frozenset(self.equivalence.of(tag) for tag in step.tags),
            )
            for step in self.path
        ]


def pattern(text: str, equivalence: Equivalence) -> PathPattern:
    """Return the pattern of a path such as `//article//(sec|p)` or `/article/bdy`."""
    return PathPattern(parse_path(text), equivalence)
