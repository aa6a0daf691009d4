"""Aspects: named parts of what is relevant to a topic, such as the nuggets that an answer should have.

An aspect is text of one or several documents: whoever returns some of it has touched the aspect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inexlab.spans import Span, union
from inexlab.tables import Ints


@dataclass(frozen=True, eq=False)
class Aspects:
    """The spans of aspects as columns: the judged document (a row of the judgements), the name, the span."""

    names: tuple[str, ...]
    row: Ints
    name: Ints
    start: Ints
    end: Ints

    @classmethod
    def of(cls, rows: Iterable[tuple[int, str, Span]]) -> Aspects:
        """Make the columns of rows, which come in the order of the judgements."""
        codes: dict[str, int] = {}
        table = [(row, codes.setdefault(name, len(codes)), *span) for row, name, span in rows]
        columns = np.array(table, dtype=np.int64).reshape(-1, 4).T.copy()
        return cls(tuple(codes), *columns)

    def of_rows(self, keep: npt.NDArray[np.bool_]) -> Aspects:
        """Return the aspects of some rows of the judgements, which are numbered anew."""
        kept = keep[self.row]
        row = (np.cumsum(keep) - 1)[self.row[kept]].astype(np.int64)
        return Aspects(self.names, row, self.name[kept], self.start[kept], self.end[kept])

    def of_row(self, row: int) -> dict[str, list[Span]]:
        """Return the aspects of a judged document, each with its spans."""
        found: dict[str, list[Span]] = {}
        for i in range(*np.searchsorted(self.row, (row, row + 1)).tolist()):
            span = Span(int(self.start[i]), int(self.end[i]))
            found.setdefault(self.names[self.name[i]], []).append(span)
        return found


def normal(aspects: Mapping[str, Iterable[tuple[int, int]]]) -> dict[str, list[Span]]:
    """Return aspects whose spans are sorted and disjoint; those without text are left out."""
    merged = {name: union(spans) for name, spans in aspects.items()}
    return {name: spans for name, spans in merged.items() if spans}
