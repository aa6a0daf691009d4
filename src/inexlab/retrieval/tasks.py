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

Of units that are no elements and overlap, the best one is kept.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.errors import UnknownNameError
from inexlab.index.blocks import Array
from inexlab.index.guide import Mask
from inexlab.index.index import Index
from inexlab.retrieval.ranking import Ranking
from inexlab.retrieval.unit import Units
from inexlab.retrieval.units.elements import ElementUnits
from inexlab.tables import Ints

OVERLAPS = ("correlation", "section", "child")
_BODIES = frozenset({"bdy", "body", "text"})  # in INEX's collections, in JATS, in TEI around its body


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
    chosen = TASKS[task](units or ElementUnits(index), ranking, overlap, limit)
    if articles is None or task in ("thorough", "focused"):
        return chosen
    place = np.full(len(index.documents), len(articles))
    place[articles.document] = np.arange(len(articles))
    return chosen.at(np.argsort(place[chosen.document], kind="stable"))


def check_names(task: str, overlap: str) -> None:
    """Complain of a task or a way to remove overlap that there is not."""
    if task not in TASKS:
        raise UnknownNameError("task", task, TASKS)
    if overlap not in OVERLAPS:
        raise UnknownNameError("way to remove overlap", overlap, OVERLAPS)


def _thorough(_units: Units, ranking: Ranking, _overlap: str, limit: int) -> Ranking:
    return ranking.first(limit)


def _focused(units: Units, ranking: Ranking, overlap: str, limit: int) -> Ranking:
    if not units.overlapping:
        return ranking.first(limit)
    if not units.are_elements:
        return ranking.at(spans_without_overlap(units, ranking)[:limit])
    return ranking.at(without_overlap(units.index, ranking, overlap)[:limit])


def _fetch_browse(_units: Units, ranking: Ranking, _overlap: str, limit: int) -> Ranking:
    """Keep the ranking's best `limit` elements, grouped by document in the order of their best element."""
    ranking = ranking.first(limit)
    return ranking.at(np.argsort(_document_places(ranking), kind="stable"))


def _relevant_in_context(units: Units, ranking: Ranking, overlap: str, limit: int) -> Ranking:
    focused = _focused(units, ranking, overlap, limit)
    return focused.at(np.lexsort((focused.element, _document_places(focused))))


def _best_in_context(_units: Units, ranking: Ranking, _overlap: str, limit: int) -> Ranking:
    _, first = np.unique(ranking.document, return_index=True)
    return ranking.at(np.sort(first)[:limit])


TASKS: dict[str, Callable[[Units, Ranking, str, int], Ranking]] = {
    "thorough": _thorough,
    "focused": _focused,
    "fetch-browse": _fetch_browse,
    "relevant-in-context": _relevant_in_context,
    "best-in-context": _best_in_context,
}


def without_overlap(index: Index, ranking: Ranking, overlap: str) -> Ints:
    """Return the places of a ranking that are kept, so that no element is in another.

    Elements are visited in the order of preference, and kept if they overlap nothing kept before. Of two
    with one score the inner one is preferred: it says the same in fewer words.
    """
    columns = index.unchecked_columns  # of documents that a query went through, which were checked
    inner_first = -ranking.element  # what is in an element has a higher number
    if overlap == "child":
        order = np.argsort(inner_first)
    elif overlap == "section":
        tag, back = columns["tag"][ranking.element], columns["parent"][ranking.element]
        bodies = [code for code, name in enumerate(index.tags) if name in _BODIES]
        order = np.lexsort((inner_first, -ranking.score, (back == 0) | np.isin(tag, bodies)))
    else:
        order = np.lexsort((inner_first, -ranking.score))
    keep = _keep.for_work(20 * len(ranking))
    return np.sort(order[keep(ranking.element[order], columns["parent"])])


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


_KEPT, _AROUND_KEPT = 1, 2


@Kernel
def _keep(elements: Ints, back: Array) -> Mask:
    """Say which elements overlap none of those kept before them."""
    kept = np.zeros(len(elements), dtype=np.bool_)
    state = np.zeros(len(back), dtype=np.uint8)
    for k in range(len(elements)):
        e = elements[k]
        free = state[e] == 0
        while free and back[e] != 0:
            e -= np.int64(back[e])
            free = state[e] != _KEPT
        if free:
            kept[k] = True
            e = elements[k]
            state[e] = _KEPT
            while back[e] != 0:
                e -= np.int64(back[e])
                state[e] = _AROUND_KEPT
    return kept


def _document_places(ranking: Ranking) -> Ints:
    """Return for each entry the place of its document, by first appearance."""
    _, first, inverse = np.unique(ranking.document, return_index=True, return_inverse=True)
    places: Ints = np.argsort(np.argsort(first))[inverse]
    return places
