"""The judgements table: for each topic and document, the text an assessor highlighted."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from inexlab.errors import InputError
from inexlab.frames import pandas_frame, polars_frame, renamed
from inexlab.judgements.aspects import Aspects, normal
from inexlab.judgements.assessor import Assessor
from inexlab.judgements.elements import TOO_SMALL, GradedElements, Scale
from inexlab.markup import table
from inexlab.spans import Span, union
from inexlab.tables import Codes, Interner, Ints, Names, Remembering, by_number_and_name
from inexlab.wording import counted

if TYPE_CHECKING:
    import pandas
    import polars


UNGRADED = -(2**62)  # no grade that a file may state


class Judgement(NamedTuple):
    """One judged document: its highlights (none = nothing relevant), length, best entry point, assessor."""

    topic: str
    doc: str
    spans: tuple[Span, ...]
    size: int | None
    bep: int | None
    assessor: Assessor | None = None


class Passage(NamedTuple):
    """A highlight or, without an end, a best entry point, given by paths; the collection makes it a span.

    `size` is its length as the file states it.
    """

    row: int
    start: str
    end: str | None
    size: int | None = None


@dataclass(frozen=True)
class Judgements(Remembering):
    """Judged documents as columns, grouped by topic, `q2` before `q10`.

    The highlights of row i are `spans_from[i]` to `spans_from[i + 1]` of `span_start` and `span_end`,
    normal (sorted, disjoint). `size` and `bep` are -1 where unknown; `stated` is the amount of relevant
    text as the file claims it (the official tool believed it, we count the highlights). Judgements of
    2002-2006 have graded `elements`, those of 2006 `passages` that only the collection can turn into
    highlights, and topics whose pool is known have it in `pools`. `not_kept` says in words what the file has
    and the table has not, which matters to no measure. Qrels of TREC state a `grade` of each document
    (`UNGRADED` in rows that are from another file). `aspects` are named parts of what is relevant.

    Where assessors are named, `assessor` has the number of each row's in `assessors` (-1: not named), and one
    document may have a row of each; who scores it has to choose among them or to merge them
    (`judgements.merging`). `exhaustivity` has, by row and path, what an assessor said of elements with
    highlighted text, for when these are graded.
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
    elements: GradedElements | None = None
    passages: tuple[Passage, ...] = ()
    pools: Mapping[str, str] = field(default_factory=dict)
    not_kept: tuple[str, ...] = ()
    grade: Ints | None = None
    aspects: Aspects | None = None
    assessors: tuple[Assessor, ...] = ()
    assessor: Codes | None = None
    exhaustivity: Mapping[int, Mapping[str, int]] = field(default_factory=dict)

    @staticmethod
    def of(data: object) -> Judgements:
        """Make judgements of a frame, a dictionary, records, or qrels of ranx.

        A dictionary is {topic: {doc: grade}}, or {topic: {doc: [[start, end], …]}} with what is highlighted.

        >>> from inexlab import Judgements
        >>> Judgements.of({"1": {"a": 2, "b": 0}})
        Judgements(1 topics, 2 documents, 0 highlights)
        """
        from inexlab.judgements.objects import judgements_of

        return judgements_of(data)

    def to_pandas(self, names: str = "inexlab") -> pandas.DataFrame:
        """Return a pandas frame, a document to a row; `names` are ir_measures, pyterrier or ranx.

        It has grades and highlights of documents, not grades of elements.
        """
        from inexlab.judgements.objects import columns_of

        return pandas_frame(renamed(columns_of(self), names))

    def to_polars(self, names: str = "inexlab") -> polars.DataFrame:
        """Return a polars frame, a document to a row, as `to_pandas` does."""
        from inexlab.judgements.objects import columns_of

        return polars_frame(renamed(columns_of(self), names))

    def to_dict(self) -> dict[str, dict[str, int]]:
        """Return {topic: {doc: grade}}."""
        from inexlab.judgements.objects import dictionary_of

        return dictionary_of(self)

    def __len__(self) -> int:
        return len(self.topic)

    def __repr__(self) -> str:
        return (
            f"Judgements({len(self.topics)} topics, {len(self)} documents, {len(self.span_start)} highlights)"
        )

    def _repr_html_(self) -> str:
        what = f"{len(self.topics):,} topics, {len(self):,} documents, {len(self.span_start):,} highlights"
        header = ("topic", "doc", "highlights", "characters", "size", "bep")
        rows = (
            (j.topic, j.doc, _some(j.spans), int(characters), j.size, j.bep)
            for j, characters in zip(self, self.relevant, strict=True)
        )
        return table(what, header, rows, len(self))

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
                self.assessor_of(i),
            )

    def assessor_of(self, row: int) -> Assessor | None:
        """Return who judged a row, where somebody is named."""
        code = -1 if self.assessor is None else int(self.assessor[row])
        return self.assessors[code] if code >= 0 else None

    @functools.cached_property
    def rows_from(self) -> Ints:
        """Topic t's rows are `rows_from[t]` to `rows_from[t + 1]`."""
        return np.searchsorted(self.topic, np.arange(len(self.topics) + 1)).astype(np.int64)

    @functools.cached_property
    def relevant(self) -> Ints:
        """Highlighted characters of each row."""
        return np.diff(self.highlighted_before[self.spans_from])

    @functools.cached_property
    def highlighted_before(self) -> Ints:
        """Highlighted characters of all spans before each span, and at the end of all spans."""
        return np.concatenate(([0], np.cumsum(self.span_end - self.span_start))).astype(np.int64)

    @functools.cached_property
    def lengths(self) -> Ints:
        """The length of each document; endless where it is not stated, and at the end for any not judged."""
        lengths = np.full(len(self.docs) + 1, 2**62, dtype=np.int64)
        known = self.size >= 0
        lengths[self.doc[known]] = self.size[known]
        return lengths

    @functools.cached_property
    def document_grades(self) -> Ints:
        """How relevant each row's document is: as stated or, where no grade is, by what is relevant in it.

        A document with highlighted text has grade 1. Where elements were assessed and nothing highlighted
        (2002-2005), the grade is the greatest exhaustivity in the document, with `?` (too small) as 1; that
        is what the writer of TREC qrels writes.
        """
        marked = self.relevant > 0
        marked[[passage.row for passage in self.passages if passage.end is not None]] = True
        grades = marked.astype(np.int64)
        if self.elements is not None:
            row = np.repeat(np.arange(len(self)), np.diff(self.elements.elements_from))
            exhaustivity = self.elements.exhaustivity.astype(np.int64)
            best = np.zeros(len(self), dtype=np.int64)
            np.maximum.at(best, row, np.where(exhaustivity == TOO_SMALL, 1, exhaustivity))
            highlighted = bool(len(self.span_start) or self.passages)
            grades = np.maximum(grades, np.minimum(best, 1) if highlighted else best)
        return grades if self.grade is None else np.where(self.grade == UNGRADED, grades, self.grade)

    def size_of(self, doc: str) -> int | None:
        """Return a document's length, where any topic's judgements state it."""
        return self._sizes.get(doc)

    @functools.cached_property
    def _sizes(self) -> dict[str, int]:
        known = np.flatnonzero(self.size >= 0)
        return {
            self.docs[d]: s for d, s in zip(self.doc[known].tolist(), self.size[known].tolist(), strict=True)
        }


def _some(spans: Sequence[Span]) -> str:
    """Write the first few highlights."""
    shown = " ".join(f"{start}–{end}" for start, end in spans[:5])
    return f"{shown} …" if len(spans) > 5 else shown


_Judged = tuple[str, Assessor | None]  # a document, as somebody judged it

_OVERLAPPING = "with overlapping highlights, each character counted once"
_OTHER_TOTAL = "whose highlights do not add up to the stated amount of relevant text"
_TOO_SPECIFIC = "with more relevant text than text, taken as wholly relevant"
_OUTSIDE = "with highlights beyond the stated end of the document, counted as stated"


class ElementGrade(NamedTuple):
    """One assessed element, before it finds its place in the table."""

    path: str
    exhaustivity: int
    specificity: int
    size: int
    rsize: int


def joined_highlights(count: int) -> Iterator[str]:
    """Say how many highlights are one with another now, if any."""
    if count:
        whose = "its neighbour" if count == 1 else "their neighbours"
        yield f"{counted(count, 'highlight')} joined with {whose}"


class JudgementsBuilder:
    """Collects judged documents and elements one by one, in any order of topics.

    Readers also tell it where they are in the file, and what they cannot read: a builder refuses the file
    then, a check notes it and goes on.
    """

    def __init__(self) -> None:
        # topic -> document and assessor -> highlights, size, best entry point, stated relevant text, grade
        self._topics: dict[str, dict[_Judged, tuple[Sequence[Span], int, int, int, int]]] = {}
        self._elements: dict[tuple[str, _Judged], dict[str, ElementGrade]] = {}
        self._aspects: dict[tuple[str, _Judged], dict[str, list[Span]]] = {}
        self._passages: list[tuple[str, _Judged, str, str | None, int | None]] = []
        self._exhaustivity: dict[tuple[str, _Judged], Mapping[str, int]] = {}
        self._assessor: Assessor | None = None
        self._unnamed: Assessor | None = None
        self._pools: dict[str, str] = {}
        self._scale: Scale | None = None
        self._oddities: Counter[str] = Counter()
        self._collections = self._joined = 0

    def at(self, line: int) -> None:
        """Record the line that what is added next stands on; a table needs no lines."""

    def by(self, assessor: Assessor | None) -> None:
        """Take note of who judged what is added next; None where nobody is named, as at first."""
        self._assessor = assessor or self._unnamed

    def unnamed(self, assessor: Assessor) -> None:
        """Say who stands from now on for assessors that are not named."""
        self._unnamed = self._assessor = assessor

    def refuse(self, error: InputError) -> None:
        """Refuse what cannot be read, and with it the file."""
        raise error

    def add(
        self,
        topic: str,
        doc: str,
        spans: Sequence[tuple[int, int]] = (),
        *,
        size: int | None = None,
        bep: int | None = None,
        stated: int | None = None,
        grade: int | None = None,
    ) -> bool:
        """Add one judged document; overlapping highlights count once. Return whether it is a new one."""
        merged: Sequence[Span] = ()
        covered = 0
        if spans:
            merged = union(spans)
            covered = sum(end - start for start, end in merged)
            overlap = covered < sum(end - start for start, end in spans)
            self._oddities[_OVERLAPPING] += overlap
            if not overlap:
                self._joined += sum(start < end for start, end in spans) - len(merged)
            self._oddities[_OUTSIDE] += size is not None and bool(merged) and merged[-1].end > size
        if stated is None:
            stated = covered
        elif stated != covered:
            self._oddities[_OTHER_TOTAL] += 1
        rows = self._topics.setdefault(topic, {})
        known = len(rows)
        known_grade = UNGRADED if grade is None else grade
        row = (merged, -1 if size is None else size, -1 if bep is None else bep, stated, known_grade)
        rows[doc, self._assessor] = row
        return len(rows) > known

    def add_aspects(self, topic: str, doc: str, aspects: Mapping[str, Sequence[tuple[int, int]]]) -> None:
        """Name parts of what is relevant in a document added before."""
        if aspects:
            self._aspects[topic, (doc, self._assessor)] = normal(aspects)

    def add_topic(self, topic: str, pool: str) -> bool:
        """Add a topic that may turn out to have no judged document; return False if it is of another pool."""
        self._topics.setdefault(topic, {})
        return self._pools.setdefault(topic, pool) == pool

    def add_element(self, topic: str, doc: str, grade: ElementGrade, scale: Scale) -> str | None:
        """Add one assessed element of a document added before; return what is wrong with it, if anything."""
        if self._scale not in (None, scale):
            return f"grades on the scale of {scale} after grades on that of {self._scale}"
        self._scale = scale
        elements = self._elements.setdefault((topic, (doc, self._assessor)), {})
        if grade.path in elements:
            return f"{grade.path} of document {doc} is assessed a second time for topic {topic}"
        if grade.rsize > grade.size:
            self._oddities[_TOO_SPECIFIC] += 1
            grade = grade._replace(rsize=grade.size)
        elements[grade.path] = grade
        return None

    def add_passage(self, topic: str, doc: str, start: str, end: str | None, size: int | None = None) -> None:
        """Add a highlight given by paths or, without an end, a best entry point of a known document."""
        self._passages.append((topic, (doc, self._assessor), start, end, size))

    def add_exhaustivity(self, topic: str, doc: str, given: Mapping[str, int]) -> None:
        """Add how exhaustive elements of a known document are, by their paths."""
        self._exhaustivity[topic, (doc, self._assessor)] = given

    def drop_collection(self) -> None:
        """Count a document of which the file names the collection, which the table has no place for."""
        self._collections += 1

    def remark(self, what: str) -> None:
        """Count a judged document with a remark, such as "with …"."""
        self._oddities[what] += 1

    def build(self, file: str = "") -> Judgements:
        """Return the table."""
        topics = by_number_and_name(self._topics)
        docs = Interner()
        doc = [docs(name) for topic in topics for name, _ in self._topics[topic]]
        assessors: dict[Assessor | None, int] = {None: -1}
        assessor = [
            assessors.setdefault(who, len(assessors) - 1)
            for topic in topics
            for _, who in self._topics[topic]
        ]
        rows = [row for topic in topics for row in self._topics[topic].values()]
        spans = [span for row in rows for span in row[0]]
        counts = [len(self._topics[topic]) for topic in topics]
        by_path = self._scale or self._passages or self._exhaustivity or self._aspects
        keys = [(topic, judged) for topic in topics for judged in self._topics[topic]] if by_path else []
        number = {key: i for i, key in enumerate(keys)}
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
            warnings=tuple(self._warnings()),
            elements=self._graded(self._scale, keys) if self._scale else None,
            passages=tuple(
                Passage(number[t, j], start, end, size) for t, j, start, end, size in self._passages
            ),
            pools={topic: pool for topic, pool in self._pools.items() if pool},
            not_kept=tuple(self._not_kept()),
            grade=np.array([row[4] for row in rows], dtype=np.int64)
            if any(row[4] != UNGRADED for row in rows)
            else None,
            aspects=Aspects.of(
                (i, name, span)
                for i, key in enumerate(keys)
                for name, parts in self._aspects.get(key, {}).items()
                for span in parts
            )
            if self._aspects
            else None,
            assessors=tuple(who for who in assessors if who is not None),
            assessor=np.array(assessor, dtype=np.int32) if len(assessors) > 1 else None,
            exhaustivity={number[key]: given for key, given in self._exhaustivity.items()},
        )

    def _not_kept(self) -> Iterator[str]:
        yield from joined_highlights(self._joined)
        if self._collections:
            yield f"the collection named for {counted(self._collections, 'judged document')} not kept"

    def _warnings(self) -> Iterator[str]:
        for what, count in self._oddities.items():
            noun = "element" if what == _TOO_SPECIFIC else "document"
            if count:
                yield f"{counted(count, f'judged {noun}')} {what}"

    def _graded(self, scale: Scale, keys: Sequence[tuple[str, _Judged]]) -> GradedElements:
        paths = sorted(
            {p for elements in self._elements.values() for p in elements}, key=lambda path: f"{path}/"
        )
        code = {path: i for i, path in enumerate(paths)}
        by_row = [sorted(self._elements.get(key, {}).values(), key=lambda g: code[g.path]) for key in keys]
        grades = [grade for elements in by_row for grade in elements]
        return GradedElements(
            scale,
            Names.of(paths),
            np.cumsum([0, *map(len, by_row)], dtype=np.int64),
            np.array([code[grade.path] for grade in grades], dtype=np.int32),
            np.array([grade.exhaustivity for grade in grades], dtype=np.int8),
            np.array([grade.specificity for grade in grades], dtype=np.int8),
            np.array([grade.size for grade in grades], dtype=np.int64),
            np.array([grade.rsize for grade in grades], dtype=np.int64),
        )
