"""The run table: what a system returned, best first, for each topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from inexlab.frames import pandas_frame, polars_frame, renamed
from inexlab.markup import table
from inexlab.runs.chunking import Chunking
from inexlab.tables import Codes, Floats, Interner, Ints, Names
from inexlab.wording import counted

if TYPE_CHECKING:
    import pandas
    import polars

NO_SPAN = -1
FROM_RANKS = "from ranks"  # what `about` says of `scores` where the file has ranks alone


class Result(NamedTuple):
    """One row of the run table; `until` is where a passage given by two paths ends."""

    topic: str
    rank: int
    doc: str
    score: float
    start: int | None
    end: int | None
    path: str | None
    until: str | None


@dataclass(frozen=True)
class Run:
    """A run as columns: the order of the rows is the ranking.

    A result has a span (`start`, `end`), a path (a code in `paths`), or both; -1 stands for "none". One
    that still has no span after `locate` is in no document we know. `order` is what ranks the results, the
    rows of the file or their scores; where the two differ, `place` is each result's row in the file. `notes`
    say what was assumed in making it. `chunking` has all chunks that the results were chosen from, where that
    is known.
    """

    id: str
    topics: Names
    docs: Names
    paths: Names
    topic: Codes
    doc: Codes
    score: Floats
    start: Ints
    end: Ints
    path: Codes
    until: Codes
    file: str = ""
    about: Mapping[str, str] = field(default_factory=dict)
    order: Literal["file", "score"] = "file"
    place: Ints | None = None
    notes: tuple[str, ...] = ()
    chunking: Chunking | None = None

    @staticmethod
    def of(data: object, id: str = "") -> Run:
        """Make a run of a frame, a dictionary {topic: {doc: score}}, records, or a run of ranx.

        >>> from inexlab import Run
        >>> Run.of({"1": {"a": 2.0, "b": 3.0}}, id="mine")
        Run('mine', 2 results, 1 topic)
        """
        from inexlab.runs.objects import run_of

        return run_of(data, id)

    def to_pandas(self, names: str = "inexlab") -> pandas.DataFrame:
        """Return the results as a pandas frame, best first; `names` are ir_measures, pyterrier or ranx."""
        from inexlab.runs.objects import columns_of

        return pandas_frame(renamed(columns_of(self), names))

    def to_polars(self, names: str = "inexlab") -> polars.DataFrame:
        """Return the results as a polars frame, best first; `names` are ir_measures, pyterrier or ranx."""
        from inexlab.runs.objects import columns_of

        return polars_frame(renamed(columns_of(self), names))

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return {topic: {doc: score}}; each document has the score of its best result."""
        from inexlab.runs.objects import dictionary_of

        return dictionary_of(self)

    def __len__(self) -> int:
        return len(self.topic)

    def __repr__(self) -> str:
        return f"Run({self.id!r}, {counted(len(self), 'result')}, {counted(len(self.topics), 'topic')})"

    def _repr_html_(self) -> str:
        what = f"{self.id}: {counted(len(self), 'result')} on {counted(len(self.topics), 'topic')}"
        return table(what, Result._fields, iter(self), len(self))

    def __iter__(self) -> Iterator[Result]:
        ranks = [0] * len(self.topics)
        for i, topic in enumerate(self.topic.tolist()):
            ranks[topic] += 1
            spanned = self.start[i] != NO_SPAN
            yield Result(
                self.topics[topic],
                ranks[topic],
                self.docs[int(self.doc[i])],
                float(self.score[i]),
                int(self.start[i]) if spanned else None,
                int(self.end[i]) if spanned else None,
                self.paths[int(self.path[i])] if self.path[i] >= 0 else None,
                self.paths[int(self.until[i])] if self.until[i] >= 0 else None,
            )


def take(run: Run, rows: npt.NDArray[np.intp] | Ints) -> Run:
    """Return some results of a run, in the order given."""
    columns = ("topic", "doc", "score", "start", "end", "path", "until")
    place = None if run.place is None else run.place[rows]
    return replace(run, place=place, **{name: getattr(run, name)[rows] for name in columns})


class RunBuilder:
    """Collects results one by one, for readers that meet them so."""

    def __init__(self) -> None:
        self._topics, self._docs, self._paths = Interner(), Interner(), Interner()
        self._rows: list[tuple[int, int, float, int, int, int, int]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(
        self,
        topic: str,
        doc: str,
        score: float = float("nan"),
        *,
        span: tuple[int, int] | None = None,
        path: str | None = None,
        until: str | None = None,
    ) -> None:
        """Append the next result of the run."""
        start, end = span or (NO_SPAN, NO_SPAN)
        self._rows.append(
            (
                self._topics(topic),
                self._docs(doc),
                score,
                start,
                end,
                -1 if path is None else self._paths(path),
                -1 if until is None else self._paths(until),
            )
        )

    def build(self, id: str, file: str = "", about: Mapping[str, str] | None = None) -> Run:
        """Return the run."""
        columns = list(zip(*self._rows, strict=True)) or [()] * 7
        return Run(
            id=id,
            topics=self._topics.names(),
            docs=self._docs.names(),
            paths=self._paths.names(),
            topic=np.array(columns[0], dtype=np.int32),
            doc=np.array(columns[1], dtype=np.int32),
            score=np.array(columns[2], dtype=np.float64),
            start=np.array(columns[3], dtype=np.int64),
            end=np.array(columns[4], dtype=np.int64),
            path=np.array(columns[5], dtype=np.int32),
            until=np.array(columns[6], dtype=np.int32),
            file=file,
            about=about or {},
        )
