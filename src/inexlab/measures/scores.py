"""The score matrix: one measure, systems by topics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from inexlab.markup import MOST_ROWS, shade, table
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

    def _repr_html_(self) -> str:
        """Show the best systems and the first topics, darker where the score is higher."""
        totals = self.totals()
        order = np.argsort(-np.nan_to_num(totals, nan=-np.inf), kind="stable")
        most = float(np.nan_to_num(self.values).max(initial=0.0))
        topics = self.topics[:MOST_ROWS]
        further = (
            f", {len(self.topics) - len(topics):,} more topics" if len(self.topics) > len(topics) else ""
        )
        what = f"{self.measure}: {len(self.systems):,} runs, {len(self.topics):,} topics{further}"
        rows = (
            (
                self.systems[s],
                float(totals[s]),
                *(shade(float(v), most) for v in self.values[s, : len(topics)]),
            )
            for s in order
        )
        return table(what, ("run", "all", *topics), rows, len(self.systems))

    def by_system(self) -> dict[str, dict[str, float]]:
        """Return each system's scores by topic, NaN where undefined."""
        rows = zip(self.systems, self.values.tolist(), strict=True)
        return {system: dict(zip(self.topics, row, strict=True)) for system, row in rows}
