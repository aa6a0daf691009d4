"""The matrix that statistics work on: every system has a score on every topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inexlab.errors import UsageError
from inexlab.tables import Floats


@dataclass(frozen=True)
class ScoreMatrix:
    """Scores of one measure: `values[s, t]` of system s on topic t, all defined.

    `left_out` are topics that some or all systems have no score on.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    name: str = ""
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.values.shape != (len(self.systems), len(self.topics)):
            raise ValueError("the matrix does not have a row per system and a column per topic")
        for kind, names in (("system", self.systems), ("topic", self.topics)):
            if twice := sorted({name for name in names if names.count(name) > 1}):
                raise UsageError(f"two {kind}s are called {twice[0]}; give each a name of its own.")
        if not self.topics:
            raise UsageError("there is no topic on which all systems have a score.")
        if not np.isfinite(self.values).all():
            s, t = (int(i[0]) for i in np.nonzero(~np.isfinite(self.values)))
            raise UsageError(f"system {self.systems[s]} has no finite score on topic {self.topics[t]}.")
        if self.values.size and np.abs(self.values).max() > 1e100:
            raise UsageError("there are scores beyond 1e100, whose squares no computer adds up.")

    def means(self) -> Floats:
        """Return each system's mean."""
        means: Floats = self.values.mean(axis=1)
        return means

    def choose(self, systems: Sequence[str]) -> ScoreMatrix:
        """Return the matrix of some of the systems, in the order given."""
        rows = [self.systems.index(name) for name in systems]
        return ScoreMatrix(tuple(systems), self.topics, self.values[rows], self.name, self.left_out)
