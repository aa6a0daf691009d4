"""Tasks: what of a ranking of elements is returned, and in which order.

thorough              all elements by score
focused               by score, without overlap
fetch-browse          documents by score, in each its elements by score
relevant-in-context   documents by score, in each its elements without overlap, in document order
best-in-context       documents by score, of each the place to begin reading: where its best element begins

A document's score is that of its best element. On every path from root to leaf one element is kept:

correlation   the best one
section       the best one that is neither the document nor its body; these only where nothing in them is kept
child         the innermost one
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.errors import UnknownNameError
from inexlab.index.blocks import Array
from inexlab.index.guide import Mask
from inexlab.index.index import Index
from inexlab.retrieval.climbing import element_above
from inexlab.retrieval.ranking import Ranking
from inexlab.tables import Ints

OVERLAPS = ("correlation", "section", "child")
_BODIES = frozenset({"bdy", "body", "text"})  # in INEX's collections, in JATS, in TEI around its body


def for_task(
    index: Index, ranking: Ranking, task: str, overlap: str = "correlation", limit: int = 1500
) -> Ranking:
    """Return what a task asks for of a ranking of elements."""
    check_names(task, overlap)
    return TASKS[task](index, ranking, overlap, limit)


def check_names(task: str, overlap: str) -> None:
    """Complain of a task or a way to remove overlap that there is not."""
    if task not in TASKS:
        raise UnknownNameError("task", task, TASKS)
    if overlap not in OVERLAPS:
        raise UnknownNameError("way to remove overlap", overlap, OVERLAPS)


def _thorough(_index: Index, ranking: Ranking, _overlap: str, limit: int) -> Ranking:
    return ranking.first(limit)


def _focused(index: Index, ranking: Ranking, overlap: str, limit: int) -> Ranking:
    return ranking.at(without_overlap(index, ranking, overlap)[:limit])


def _fetch_browse(_index: Index, ranking: Ranking, _overlap: str, limit: int) -> Ranking:
    """Keep the ranking's best `limit` elements, grouped by document in the order of their best element."""
    ranking = ranking.first(limit)
    return ranking.at(np.argsort(_document_places(ranking), kind="stable"))


def _relevant_in_context(index: Index, ranking: Ranking, overlap: str, limit: int) -> Ranking:
    focused = _focused(index, ranking, overlap, limit)
    return focused.at(np.lexsort((focused.element, _document_places(focused))))


def _best_in_context(_index: Index, ranking: Ranking, _overlap: str, limit: int) -> Ranking:
    _, first = np.unique(ranking.document, return_index=True)
    return ranking.at(np.sort(first)[:limit])


TASKS: dict[str, Callable[[Index, Ranking, str, int], Ranking]] = {
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


_FREE, _KEPT, _AROUND_KEPT, _IN_KEPT = range(4)


@Kernel
def _keep(elements: Ints, back: Array) -> Mask:
    """Say which elements overlap none of those kept before them.

    Every element that is climbed over is given a state, where the next climb ends: what is above something
    kept is in nothing kept. There is a place in `state` for every row of `back`, which no climb leaves.
    """
    kept = np.zeros(len(elements), dtype=np.bool_)
    state = np.zeros(len(back), dtype=np.uint8)
    for k in range(len(elements)):
        if state[elements[k]] != _FREE:
            continue
        e = up = elements[k]
        while up >= 0 and state[up] == _FREE:
            up = element_above(up, 0, back)
        kept[k] = up < 0 or state[up] == _AROUND_KEPT
        while e >= 0 and state[e] == _FREE:
            state[e] = _AROUND_KEPT if kept[k] else _IN_KEPT
            e = element_above(e, 0, back)
        if kept[k]:
            state[elements[k]] = _KEPT
    return kept


def _document_places(ranking: Ranking) -> Ints:
    """Return for each entry the place of its document, by first appearance."""
    _, first, inverse = np.unique(ranking.document, return_index=True, return_inverse=True)
    places: Ints = np.argsort(np.argsort(first))[inverse]
    return places
