"""Baselines: runs made from judgements, or from nothing, that systems can be held against.

ideal-documents   the relevant documents, whole, those with the largest share of relevant text first
ideal-passages    the highlighted passages themselves, documents in the same order
articles          all judged documents, whole, in the order of their ids
random            elements of the collection at random
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from inexlab.collection import Collection
from inexlab.errors import InputError, UnknownNameError, UsageError
from inexlab.judgements import Judgements
from inexlab.judgements.table import Judgement
from inexlab.progress import reporting
from inexlab.runs import Run, RunBuilder

Result = tuple[str, tuple[int, int]]
Random = np.random.Generator


def make_baseline(
    kind: str,
    judgements: Judgements,
    collection: Collection | None = None,
    *,
    limit: int = 1500,
    seed: int = 2006,
    about: Mapping[str, str] | None = None,
) -> Run:
    """Return a baseline run over the judged topics; `about` is what the run says of itself."""
    if kind not in BASELINES:
        raise UnknownNameError("baseline", kind, BASELINES)
    random = np.random.default_rng(seed)
    by_topic: dict[str, list[Judgement]] = {topic: [] for topic in judgements.topics}
    for judged in judgements:
        by_topic[judged.topic].append(judged)
    builder = RunBuilder()
    for topic, rows in reporting(list(by_topic.items()), f"making {kind}", "topics"):
        found = BASELINES[kind](rows, judgements, collection, random)
        for rank, (doc, span) in zip(range(limit), found, strict=False):
            builder.add(topic, doc, float(limit - rank), span=span)
    if not len(builder):
        missing = "highlighted text" if kind.startswith("ideal") else "documents"
        raise UsageError(f"cannot make {kind}: the judgements have no {missing}.")
    return builder.build(kind, about=about)


def _size(judged: Judgement, judgements: Judgements, collection: Collection | None) -> int:
    size = judged.size if judged.size is not None else judgements.size_of(judged.doc)
    if size is None and collection is not None and (elements := collection.elements(judged.doc)) is not None:
        size = int(elements.end[0])
    if size is None:
        raise InputError(
            f"does not say how long document {judged.doc} is",
            file=judgements.file,
            fix="Give `collection=DIR`.",
        )
    return size


def _by_share(
    rows: list[Judgement], judgements: Judgements, collection: Collection | None
) -> list[tuple[Judgement, int]]:
    """Return the relevant documents with their sizes, those with the largest share of relevant text first."""
    sized = [(row, _size(row, judgements, collection)) for row in rows if row.spans]

    def order(entry: tuple[Judgement, int]) -> tuple[float, str]:
        row, size = entry
        return -sum(end - start for start, end in row.spans) / max(1, size), row.doc

    return sorted(sized, key=order)


def _ideal_documents(
    rows: list[Judgement], judgements: Judgements, collection: Collection | None, _random: Random
) -> Iterator[Result]:
    for row, size in _by_share(rows, judgements, collection):
        yield row.doc, (0, size)


def _ideal_passages(
    rows: list[Judgement], judgements: Judgements, collection: Collection | None, _random: Random
) -> Iterator[Result]:
    for row, _ in _by_share(rows, judgements, collection):
        yield from ((row.doc, (start, end)) for start, end in row.spans)


def _articles(
    rows: list[Judgement], judgements: Judgements, collection: Collection | None, _random: Random
) -> Iterator[Result]:
    for row in sorted(rows, key=lambda row: row.doc):
        yield row.doc, (0, _size(row, judgements, collection))


def _random_elements(
    _rows: list[Judgement],
    _judgements: Judgements,
    collection: Collection | None,
    random: Random,
) -> Iterator[Result]:
    if collection is None:
        raise UsageError("random needs the documents: give `collection=DIR`.")
    ids = list(collection)
    seen = set()
    for _ in range(20 * len(ids) + 10_000):
        doc = ids[int(random.integers(len(ids)))]
        elements = collection.elements(doc)
        if elements is None:
            continue
        number = int(random.integers(len(elements)))
        span = (int(elements.start[number]), int(elements.end[number]))
        if span[0] < span[1] and (doc, span) not in seen:
            seen.add((doc, span))
            yield doc, span


BASELINES: dict[str, Callable[[list[Judgement], Judgements, Collection | None, Random], Iterator[Result]]] = {
    "ideal-documents": _ideal_documents,
    "ideal-passages": _ideal_passages,
    "articles": _articles,
    "random": _random_elements,
}
