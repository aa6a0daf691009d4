"""Tasks: what of a ranking of units is returned, and in which order.

thorough              all elements by score
focused               by score, without overlap
fetch-browse          documents by score, in each its elements by score
relevant-in-context   documents by score, in each its elements without overlap, in document order
best-in-context       documents by score, of each the place to begin reading: where its best element begins

A document's score is that of its best unit, or, where articles are ranked, that of the article. On every
path from root to leaf one element is kept:

correlation   the best one
section       the best one that is neither the document nor its body; these only where nothing in them is kept
child         the innermost one

Of units that are not elements and overlap, the best one is kept.

Both lists are registries: other packages add to them by entry points of the group `inexlab.retrieval.tasks`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.index.characters import int64
from inexlab.index.guide import Mask
from inexlab.index.index import Index
from inexlab.index.widths import as_bytes, number_at
from inexlab.registry import Registry
from inexlab.retrieval.counting import Counting
from inexlab.retrieval.ranking import Ranking
from inexlab.retrieval.unit import Units
from inexlab.retrieval.units.elements import ElementUnits
from inexlab.tables import Bytes, Ints

_BODIES = frozenset({"bdy", "body", "text"})  # in INEX's collections, in JATS, in TEI around its body


Select = Callable[[Units, Ranking, str, int], Ranking]
Counted = Callable[[Units, Ranking, str], Ints]
Prefer = Callable[[Index, Ranking], Ints]


@dataclass(frozen=True)
class SearchTask:
    """A task: `select(units, ranking, overlap, limit)` returns what it asks for of a ranking of units.

    One that keeps `overlapping` units in the order of the ranking needs no more than `limit` of them. One
    that `removes_overlap` does it by one of the registered methods. One that answers `by_document` can have
    documents in the order of their articles' scores.

    `counted(units, ranking, overlap)` returns the places of units that count towards the limit. A task that
    has it needs no more of a ranking than its best part with as many that count, and all of the same score.
    Whether one counts may depend on better ones in its document, with another method of overlap removal
    than `correlation` on all in its document, and on nothing else.

    `arranged(ranking)` returns the order of what was selected, given by score. A task that has it is answered
    shard by shard: what it selects of a document depends on that document, and on the limit.
    """

    name: str
    select: Select
    overlapping: bool = False
    removes_overlap: bool = False
    by_document: bool = False
    counted: Counted | None = None
    arranged: Callable[[Ranking], Ints] | None = None


TASKS: Registry[SearchTask] = Registry("task", "inexlab.retrieval.tasks")
OVERLAPS: Registry[Prefer] = Registry("method of overlap removal", "inexlab.retrieval.tasks")


def search_task(
    name: str,
    *,
    overlapping: bool = False,
    removes_overlap: bool = False,
    by_document: bool = False,
    counted: Counted | None = None,
    arranged: Callable[[Ranking], Ints] | None = None,
) -> Callable[[Select], Select]:
    """Register the decorated function as a task."""

    def register(select: Select) -> Select:
        made = SearchTask(name, select, overlapping, removes_overlap, by_document, counted, arranged)
        TASKS.add(name, made)
        return select

    return register


def overlap_removal(name: str) -> Callable[[Prefer], Prefer]:
    """Register a method of overlap removal: the decorated function orders a ranking, the best first.

    An element is kept where it overlaps nothing kept before it. A ranking may be that of some documents only,
    so the order of two elements of one document must not depend on others.
    """

    def register(prefer: Prefer) -> Prefer:
        return OVERLAPS.add(name, prefer)

    return register


def for_task(
    index: Index,
    ranking: Ranking,
    task: str,
    overlap: str = "correlation",
    limit: int = 1500,
    *,
    units: Units | None = None,
    articles: Ranking | None = None,
) -> Ranking:
    """Return what a task asks for of a ranking of units, elements unless given.

    Documents come in the order of `articles`, if these are ranked, else in that of their best units.
    """
    check_names(task, overlap)
    chosen = TASKS[task].select(units or ElementUnits(index), ranking, overlap, limit)
    if articles is None or not TASKS[task].by_document:
        return chosen
    place = np.full(len(index.documents), len(articles))
    place[articles.document] = np.arange(len(articles))
    return chosen.at(np.argsort(place[chosen.document], kind="stable"))


def _by_score(ranking: Ranking) -> Ints:
    return np.arange(len(ranking))


def counting(units: Units, task: str, overlap: str) -> Counting | None:
    """Return what says which units of a ranking count towards the limit of a task; None if it needs all.

    Which element is best on its path is known from better ones; other methods need all of a document.
    """
    chosen = TASKS[task]
    counted = chosen.counted
    if counted is None:
        return None
    nested = units.are_elements and units.overlapping
    whole = chosen.removes_overlap and overlap != "correlation" and nested
    return Counting(lambda ranking: counted(units, ranking, overlap), whole)


def check_names(task: str, overlap: str) -> None:
    """Raise if a task or a method of overlap removal is unknown."""
    TASKS[task], OVERLAPS[overlap]


@search_task("thorough", overlapping=True, arranged=_by_score)
def _thorough(_units: Units, ranking: Ranking, _overlap: str, limit: int) -> Ranking:
    return ranking.first(limit)


def _apart(units: Units, ranking: Ranking, overlap: str) -> Ints:
    """Return the places of units that are kept, so that no two overlap."""
    if not units.overlapping:
        return np.arange(len(ranking))
    if not units.are_elements:
        return spans_without_overlap(units, ranking)
    return without_overlap(units.index, ranking, overlap)


@search_task("focused", removes_overlap=True, counted=_apart, arranged=_by_score)
def _focused(units: Units, ranking: Ranking, overlap: str, limit: int) -> Ranking:
    return ranking.at(_apart(units, ranking, overlap)[:limit])


def _by_document(ranking: Ranking) -> Ints:
    return np.argsort(_document_places(ranking), kind="stable")


@search_task("fetch-browse", overlapping=True, by_document=True, arranged=_by_document)
def _fetch_browse(_units: Units, ranking: Ranking, _overlap: str, limit: int) -> Ranking:
    """Keep the ranking's best `limit` elements, grouped by document in the order of their best element."""
    ranking = ranking.first(limit)
    return ranking.at(_by_document(ranking))


def _in_context(ranking: Ranking) -> Ints:
    return np.lexsort((ranking.element, _document_places(ranking)))


@search_task(
    "relevant-in-context", removes_overlap=True, by_document=True, counted=_apart, arranged=_in_context
)
def _relevant_in_context(units: Units, ranking: Ranking, overlap: str, limit: int) -> Ranking:
    focused = _focused(units, ranking, overlap, limit)
    return focused.at(_in_context(focused))


def _first_of_documents(_units: Units, ranking: Ranking, _overlap: str) -> Ints:
    return np.sort(np.unique(ranking.document, return_index=True)[1])


@search_task("best-in-context", by_document=True, counted=_first_of_documents, arranged=_by_score)
def _best_in_context(units: Units, ranking: Ranking, overlap: str, limit: int) -> Ranking:
    return ranking.at(_first_of_documents(units, ranking, overlap)[:limit])


@overlap_removal("correlation")
def _best(_index: Index, ranking: Ranking) -> Ints:
    return np.lexsort((_inner_first(ranking), -ranking.score))


@overlap_removal("section")
def _best_section(index: Index, ranking: Ranking) -> Ints:
    columns = index.unchecked_columns
    tag, back = columns["tag"][ranking.element], columns["parent"][ranking.element]
    bodies = [code for code, name in enumerate(index.tags) if name in _BODIES]
    return np.lexsort((_inner_first(ranking), -ranking.score, (back == 0) | np.isin(tag, bodies)))


@overlap_removal("child")
def _innermost(_index: Index, ranking: Ranking) -> Ints:
    return np.argsort(_inner_first(ranking))


def _inner_first(ranking: Ranking) -> Ints:
    inner_first: Ints = -ranking.element  # what is in an element has a higher number
    return inner_first


def without_overlap(index: Index, ranking: Ranking, overlap: str) -> Ints:
    """Return the places of a ranking that are kept, so that no element is in another.

    Elements are visited in the order of preference, and kept if they overlap nothing kept before. Of two
    with one score the inner one is preferred: it says the same in fewer words.
    """
    back = index.unchecked_columns["parent"]  # of documents that a query went through, which were checked
    order = OVERLAPS[overlap](index, ranking)
    keep = _keep.for_work(20 * len(ranking))
    document = ranking.document[order].astype(np.int64)
    kept = keep(ranking.element[order], document, index.document_elements, as_bytes(back), back.itemsize)
    return np.sort(order[kept])


def spans_without_overlap(units: Units, ranking: Ranking) -> Ints:
    """Return the places of a ranking that have no text in common with better ones.

    What overlaps a unit has a number near its own: units of a cut come in the order of the text.
    """
    start, end = units.spans(ranking.element)
    kept: list[int] = []
    taken: dict[int, list[tuple[int, int]]] = {}
    rows = zip(ranking.document.tolist(), start.tolist(), end.tolist(), strict=True)
    for place, (document, a, b) in enumerate(rows):
        of_document = taken.setdefault(document, [])
        at = bisect_left(of_document, (a, b))
        before_ends = at == 0 or of_document[at - 1][1] <= a
        if before_ends and (at == len(of_document) or of_document[at][0] >= b):
            of_document.insert(at, (a, b))
            kept.append(place)
    return np.array(kept, dtype=np.int64)


_FREE, _KEPT, _AROUND_KEPT, _IN_KEPT = range(4)


@Kernel
def _keep(elements: Ints, document: Ints, document_elements: Ints, back: Bytes, width: int) -> Mask:
    """Say which elements overlap none of those kept before them.

    Every element that is climbed over is given a state, where the next climb ends: what is above something
    kept is in nothing kept. There is room in `state` for every element of their documents, which no climb
    leaves, one document after the other; `skipped` is how many elements there are before each that have none.
    """
    documents = np.sort(document)
    skipped = np.zeros(len(documents), dtype=np.int64)
    room, last = int64(0), int64(-1)
    for i in range(len(documents)):
        d = documents[i]
        skipped[i] = document_elements[d] - room if d != last else skipped[i - 1]
        room += document_elements[d + 1] - document_elements[d] if d != last else 0
        last = d
    kept = np.zeros(len(elements), dtype=np.bool_)
    state = np.zeros(room, dtype=np.uint8)
    for k in range(len(elements)):
        skip = skipped[np.searchsorted(documents, document[k])]
        e = up = elements[k] - skip
        if state[e] != _FREE:
            continue
        while up >= 0 and state[up] == _FREE:
            height = number_at(back, width, up + skip)
            up = up - height if height else int64(-1)
        kept[k] = up < 0 or state[up] == _AROUND_KEPT
        while e >= 0 and state[e] == _FREE:
            state[e] = _AROUND_KEPT if kept[k] else _IN_KEPT
            height = number_at(back, width, e + skip)
            e = e - height if height else int64(-1)
        if kept[k]:
            state[elements[k] - skip] = _KEPT
    return kept


def _document_places(ranking: Ranking) -> Ints:
    """Return for each entry the place of its document, by first appearance."""
    _, first, inverse = np.unique(ranking.document, return_index=True, return_inverse=True)
    places: Ints = np.argsort(np.argsort(first))[inverse]
    return places
