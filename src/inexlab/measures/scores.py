"""The score matrix: one measure, systems by topics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from inexlab.measures.measure import Measure
from inexlab.tables import Floats


@dataclass(frozen=True)
class Scores:
    """Scores of one measure: `values[s, t]` of system s on topic t, NaN where undefined or left out."""

    measure: Measure
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats

    def totals(self) -> Floats:
        """Return each system's mean over its defined topics (the counts: the sum); NaN where none is."""
        defined = ~np.isnan(self.values)
        # added up in topic order, as the official tool does; numpy's own sum differs in the last digit
        counted = np.column_stack((np.zeros(len(self.systems)), np.where(defined, self.values, 0.0)))
        sums: Floats = np.cumsum(counted, axis=1)[:, -1]
        if self.measure.definition.total == "sum":
            return sums
        counts = defined.sum(axis=1)
        means: Floats = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
        return means

    def by_system(self) -> dict[str, dict[str, float]]:
        """Return each system's scores by topic, NaN where undefined."""
        rows = zip(self.systems, self.values.tolist(), strict=True)
        return {system: dict(zip(self.topics, row, strict=True)) for system, row in rows}
