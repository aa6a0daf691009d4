"""Making a pool of rankings: the documents that a method chooses, who returned them, and what of them."""

from __future__ import annotations

import contextlib
import gc
import itertools
from collections.abc import Collection as Several
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from inexlab.collection import Collection
from inexlab.collection.paths import WHOLE_DOCUMENT
from inexlab.pooling.method import Chosen, pooling_methods
from inexlab.pooling.rankings import RankedRun, Rankings, read_rankings
from inexlab.pooling.table import Hint, Pool, PooledDocument
from inexlab.runs import Run, locate
from inexlab.runs.table import NO_SPAN, take
from inexlab.spans import Span
from inexlab.tables import Codes, Ints
from inexlab.wording import counted


def choose(rankings: Rankings, method: str, number: int) -> dict[str, Chosen]:
    """Return the documents of each topic, by a method and how many."""
    chosen = pooling_methods[method].choose
    return {topic: chosen(rankings.of(topic), number) for topic in rankings.topics}


def pool_of(rankings: Rankings, method: str, number: int) -> Pool:
    """Return the pool of some rankings: the documents, who returned them, and what as hints."""
    with _without_collecting():
        return _pool(rankings, choose(rankings, method, number))


@contextlib.contextmanager
def _without_collecting() -> Iterator[None]:
    """Keep Python from looking for cycles, of which a pool has none, among a million new objects."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _pool(rankings: Rankings, chosen: Mapping[str, Chosen]) -> Pool:
    looked_at = [
        _look_at(part, {t: found.reached[number] for t, found in chosen.items()}, rankings.collection)
        for number, part in enumerate(rankings.parts)
    ]
    documents = itertools.chain.from_iterable(_pooled(t, found, looked_at) for t, found in chosen.items())
    return Pool(tuple(documents), participants=dict(rankings.participants))


@dataclass(frozen=True)
class _LookedAt:
    """What a pool looks at of one run: rows of `run`, by topic, and which of them are hints, and how."""

    part: RankedRun
    reached: Mapping[str, int]
    run: Run
    rows: Mapping[str, slice]
    by_span: npt.NDArray[np.bool_]
    by_path: npt.NDArray[np.bool_]


def _look_at(part: RankedRun, reached: Mapping[str, int], collection: Collection | None) -> _LookedAt:
    """Return the rows that were reached, with spans where they can be found; a whole document is no hint."""
    found = {topic: part.rows(topic, reached[topic]) for topic in part.rankings if topic in reached}
    ends = np.cumsum([0, *map(len, found.values())]).tolist()
    run = part.run
    if ends[-1] < len(run):
        kept = [np.arange(rows.start, rows.stop) for rows in found.values()]
        run = take(run, np.concatenate(kept or [np.arange(0)]))
        rows_of = {topic: slice(*pair) for topic, pair in zip(found, itertools.pairwise(ends), strict=True)}
    else:
        rows_of = {topic: slice(rows.start, rows.stop) for topic, rows in found.items()}
    if collection is not None:
        run = locate(run, collection)
    whole = run.paths.codes.get(WHOLE_DOCUMENT, -2) if len(run.paths) else -2
    placed, a_part = run.start != NO_SPAN, run.path != whole
    return _LookedAt(part, reached, run, rows_of, placed & a_part, ~placed & a_part & (run.path >= 0))


_Value = TypeVar("_Value")
_Columns = list[tuple[Codes, Ints, Ints]]  # three columns, in parts: the first is of documents


def _pooled(topic: str, chosen: Chosen, looked_at: Sequence[_LookedAt]) -> Iterator[PooledDocument]:
    """Return the documents of a topic, numbered as they came in: columns of all runs, put together once."""
    number_of = {doc: number for number, doc in enumerate(chosen.documents)}
    brought_by = np.fromiter(chosen.documents.values(), dtype=np.int64, count=len(number_of))
    returned: _Columns = []  # by runs, at ranks
    spans: _Columns = []  # from starts to ends
    paths: dict[int, dict[Hint, None]] = {}
    for of_run, looked in enumerate(looked_at):
        if topic not in looked.rows:
            continue
        reached, rows, run = looked.reached[topic], looked.rows[topic], looked.run
        ranking = looked.part.rankings[topic]
        docs = ranking.docs[:reached]
        numbers = np.fromiter(map(number_of.get, docs, itertools.repeat(-1)), dtype=np.int32, count=reached)
        returned.append(
            (numbers, np.full(reached, of_run), np.array(ranking.ranks[:reached], dtype=np.int64))
        )
        # what is read of it is written first: the rows are in the documents that were reached
        number = np.empty(len(run.docs), dtype=np.int32)
        number[looked.part.codes(topic, reached)] = numbers
        doc = number[run.doc[rows]]
        hints = looked.by_span[rows] & (doc >= 0)
        spans.append((doc[hints], run.start[rows][hints], run.end[rows][hints]))
        for row in np.flatnonzero(looked.by_path[rows] & (doc >= 0)).tolist():
            path, until = int(run.path[rows][row]), int(run.until[rows][row])
            hint = Hint(run.paths[path], run.paths[until] if until >= 0 else None)
            paths.setdefault(int(doc[row]), {})[hint] = None
    names = [looked.run.id for looked in looked_at]
    ranks, others = _finders(brought_by, returned, names)
    places = _unique(spans, len(number_of))
    found = zip(chosen.documents.items(), ranks, others, places, strict=True)
    for number_of_doc, ((pooled, first), rank, more, where) in enumerate(found):
        by_path = tuple(paths.get(number_of_doc, ())) if paths else ()
        yield PooledDocument(topic, pooled, where, (names[first], *more), rank or None, by_path)


def _joined(columns: _Columns) -> tuple[Codes, Ints, Ints]:
    if not columns:
        return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    first, second, third = zip(*columns, strict=True)
    return np.concatenate(first), np.concatenate(second), np.concatenate(third)


def _grouped(doc: Codes, documents: int, values: list[_Value]) -> Iterator[tuple[_Value, ...]]:
    """Return the values of each document, which are sorted by it."""
    ends = np.searchsorted(doc, np.arange(documents + 1)).tolist()
    return (tuple(values[start:end]) for start, end in itertools.pairwise(ends))


def _finders(
    brought_by: Ints, returned: _Columns, names: Sequence[str]
) -> tuple[list[int], Iterator[tuple[str, ...]]]:
    """Return at which rank each document was brought in, 0 for none, and which other runs returned it."""
    doc, run, rank = _joined(returned)
    pooled = doc >= 0
    doc, run, rank = doc[pooled], run[pooled], rank[pooled]
    brought = run == brought_by[doc]
    ranks = np.zeros(len(brought_by), dtype=np.int64)
    ranks[doc[brought]] = rank[brought]
    doc, run = doc[~brought], run[~brought]
    order = np.argsort(doc, kind="stable")  # runs stay in their order
    others = [names[number] for number in run[order].tolist()]
    return ranks.tolist(), _grouped(doc[order], len(brought_by), others)


def _unique(spans: _Columns, documents: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Return the spans of each document in order, each once."""
    doc, start, end = _joined(spans)
    order = np.lexsort((end, start, doc))
    doc, start, end = doc[order], start[order], end[order]
    new = np.ones(len(doc), dtype=np.bool_)
    new[1:] = (doc[1:] != doc[:-1]) | (start[1:] != start[:-1]) | (end[1:] != end[:-1])
    places = list(zip(start[new].tolist(), end[new].tolist(), strict=True))
    return _grouped(doc[new], documents, places)


def make_pool(
    runs: Iterable[tuple[Run, str]],
    method: str = "depth",
    number: int = 100,
    *,
    collection: Collection | None = None,
    topics: Several[str] | None = None,
) -> Pool:
    """Pool runs, each given with its participant: the documents to judge for each topic.

    `depth` takes the first `number` results of each run, `round-robin` fills up to `number` documents.
    """
    return pool_of(read_rankings(runs, method, number, collection=collection, topics=topics), method, number)


def with_spans(pool: Pool, collection: Collection) -> Pool:
    """Return a pool whose hints by paths are spans, those of them that the collection has."""
    documents = []
    for document in pool:
        elements = collection.elements(document.doc) if document.paths else None
        if elements is None:
            documents.append(document)
            continue
        spans, paths = set(document.hints), []
        for hint in document.paths:
            first, last = elements.find(hint.path), elements.find(hint.until or hint.path)
            if first is None or last is None or last.end < first.start:
                paths.append(hint)
            else:
                spans.add(Span(first.start, last.end))
        documents.append(replace(document, hints=tuple(sorted(spans)), paths=tuple(paths)))
    return replace(pool, documents=tuple(documents))


def in_words(method: str, number: int) -> str:
    """Say how a pool was made."""
    what = pooling_methods[method].counts
    if what == "results":
        return f"the first {counted(number, 'result')} of each run"
    return f"up to {counted(number, 'document')} for each topic, runs in turn"
