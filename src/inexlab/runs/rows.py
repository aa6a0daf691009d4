"""The rows of a run as they stand in the file, one at a time: what a check looks at.

The readers of the formats make their tables from the same rows, so that a check and a reader never
disagree about what a row is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from inexlab.errors import InputError
from inexlab.runs.table import NO_SPAN, Run


@dataclass(slots=True)
class RunRow:
    """One result and its line (0: unknown); rank and score are NaN, and a span -1, where the file has none.

    `point` says that the place is an entry point, which has no length. `place` counts the topic's results
    from 1, in file order; set by what goes through the file.
    """

    line: int
    topic: str
    doc: str
    rank: float
    score: float
    start: int = NO_SPAN
    end: int = NO_SPAN
    path: str | None = None
    until: str | None = None
    point: bool = False
    place: int = 0

    @property
    def span(self) -> tuple[int, int] | None:
        """The span, where there is one."""
        return None if self.start == NO_SPAN else (self.start, self.end)


@dataclass(frozen=True)
class Rows:
    """All rows of a file, once; in place of one that cannot be read, the error that says why.

    `about` is what the file says of itself (its `task`, for example, and its `run_id`); it is complete with
    the first row.
    """

    stream: Iterable[RunRow | InputError]
    about: dict[str, str] = field(default_factory=dict)

    def __iter__(self) -> Iterator[RunRow | InputError]:
        return iter(self.stream)


def rows_of_run(run: Run) -> Rows:
    """Return the rows of a run that was read as a whole, in the order of its file, without their lines."""
    return Rows(_each(run), {"run_id": run.id, **run.about})


def _each(run: Run) -> Iterator[RunRow]:
    order = range(len(run)) if run.place is None else run.place.argsort(kind="stable").tolist()
    points = bool((run.start == run.end).all())  # a run of entry points, which have no length
    for i in order:
        path, until = int(run.path[i]), int(run.until[i])
        yield RunRow(
            0,
            run.topics[int(run.topic[i])],
            run.docs[int(run.doc[i])],
            float("nan"),
            float(run.score[i]),
            int(run.start[i]),
            int(run.end[i]),
            run.paths[path] if path >= 0 else None,
            run.paths[until] if until >= 0 else None,
            points and run.start[i] != NO_SPAN,
        )
