"""The judgements table: for each topic and document, the text an assessor highlighted."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from inexlab.spans import Span, union
from inexlab.tables import Codes, Interner, Ints, Names


class Judgement(NamedTuple):
    """One judged document: its highlights (none = nothing relevant), length and best entry point."""

    topic: str
    doc: str
    spans: tuple[Span, ...]
    size: int | None
    bep: int | None


@dataclass(frozen=True)
class Judgements:
    """Judged documents as columns, grouped by topic in string order.

    The highlights of row i are `spans_from[i]` to `spans_from[i + 1]` of `span_start` and `span_end`,
    normal (sorted, disjoint). `size` and `bep` are -1 where unknown; `stated` is the amount of relevant
    text as the file claims it (the official tool believed it, we count the highlights).
    """

    topics: Names
    docs: Names
    topic: Codes
    doc: Codes
    size: Ints
    bep: Ints
    stated: Ints
    spans_from: Ints
    span_start: Ints
    span_end: Ints
    file: str = ""
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.topic)

    def __repr__(self) -> str:
        return (
            f"Judgements({len(self.topics)} topics, {len(self)} documents, {len(self.span_start)} highlights)"
        )

    def __iter__(self) -> Iterator[Judgement]:
        for i in range(len(self)):
            spans = slice(self.spans_from[i], self.spans_from[i + 1])
            pairs = zip(self.span_start[spans].tolist(), self.span_end[spans].tolist(), strict=True)
            yield Judgement(
                self.topics[int(self.topic[i])],
                self.docs[int(self.doc[i])],
                tuple(Span(start, end) for start, end in pairs),
                int(self.size[i]) if self.size[i] >= 0 else None,
                int(self.bep[i]) if self.bep[i] >= 0 else None,
            )

    @functools.cached_property
    def rows_from(self) -> Ints:
        """Topic t's rows are `rows_from[t]` to `rows_from[t + 1]`."""
        return np.searchsorted(self.topic, np.arange(len(self.topics) + 1)).astype(np.int64)

    @functools.cached_property
    def relevant(self) -> Ints:
        """Highlighted characters of each row."""
        covered = np.concatenate(([0], np.cumsum(self.span_end - self.span_start)))
        return np.diff(covered[self.spans_from]).astype(np.int64)

    def size_of(self, doc: str) -> int | None:
        """Return a document's length, where any topic's judgements state it."""
        return self._sizes.get(doc)

    @functools.cached_property
    def _sizes(self) -> dict[str, int]:
        known = np.flatnonzero(self.size >= 0)
        return {
            self.docs[d]: s for d, s in zip(self.doc[known].tolist(), self.size[known].tolist(), strict=True)
        }


_OVERLAPPING = "have overlapping highlights; each character counts once"
_OTHER_TOTAL = "state another amount of relevant text than their highlights add up to; the highlights count"
_OUTSIDE = "have highlights beyond the stated end of the document; they count as stated"


class JudgementsBuilder:
    """Collects judged documents one by one, in any order of topics."""

    def __init__(self) -> None:
        # topic -> document -> highlights, size, best entry point, stated amount of relevant text
        self._topics: dict[str, dict[str, tuple[Sequence[Span], int, int, int]]] = {}
        self._oddities: Counter[str] = Counter()

    def add(
        self,
        topic: str,
        doc: str,
        spans: Sequence[tuple[int, int]] = (),
        *,
        size: int | None = None,
        bep: int | None = None,
        stated: int | None = None,
    ) -> bool:
        """Add one judged document; overlapping highlights count once. Return whether it is a new one."""
        merged: Sequence[Span] = ()
        covered = 0
        if spans:
            merged = union(spans)
            covered = sum(end - start for start, end in merged)
            self._oddities[_OVERLAPPING] += covered < sum(end - start for start, end in spans)
            self._oddities[_OUTSIDE] += size is not None and bool(merged) and merged[-1].end > size
        if stated is None:
            stated = covered
        elif stated != covered:
            self._oddities[_OTHER_TOTAL] += 1
        rows = self._topics.setdefault(topic, {})
        known = len(rows)
        rows[doc] = (merged, -1 if size is None else size, -1 if bep is None else bep, stated)
        return len(rows) > known

    def build(self, file: str = "") -> Judgements:
        """Return the table."""
        topics = sorted(self._topics)
        docs = Interner()
        doc = [docs(name) for topic in topics for name in self._topics[topic]]
        rows = [row for topic in topics for row in self._topics[topic].values()]
        spans = [span for row in rows for span in row[0]]
        counts = [len(self._topics[topic]) for topic in topics]
        return Judgements(
            topics=Names.of(topics),
            docs=docs.names(),
            topic=np.repeat(np.arange(len(topics), dtype=np.int32), counts),
            doc=np.array(doc, dtype=np.int32),
            size=np.array([row[1] for row in rows], dtype=np.int64),
            bep=np.array([row[2] for row in rows], dtype=np.int64),
            stated=np.array([row[3] for row in rows], dtype=np.int64),
            spans_from=np.cumsum([0, *(len(row[0]) for row in rows)], dtype=np.int64),
            span_start=np.array([span.start for span in spans], dtype=np.int64),
            span_end=np.array([span.end for span in spans], dtype=np.int64),
            file=file,
            warnings=tuple(
                f"{count} judged documents {what}" for what, count in self._oddities.items() if count
            ),
        )
