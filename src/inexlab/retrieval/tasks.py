"""Tasks: what of a ranking of elements is returned, and in which order.

thorough              all elements by score
focused               by score, without overlap
fetch-browse          documents by score, in each its elements by score
relevant-in-context   documents by score, in each its elements without overlap, in document order
best-in-context       documents by score, of each the place to begin reading

On every path from root to leaf `focused` keeps one element: the best (`correlation`), the best below the
parts of the document (`section`), or the innermost (`child`). A document's score is that of its best
element.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from inexlab.errors import UnknownNameError
from inexlab.index.index import Index
from inexlab.retrieval.search import Ranking

OVERLAPS = ("correlation", "section", "child")


def for_task(
    index: Index, ranking: Ranking, task: str, overlap: str = "correlation", limit: int = 1500
) -> Ranking:
    """Return what a task asks for of a ranking of elements."""
    if task not in TASKS:
        raise UnknownNameError("task", task, TASKS)
    if overlap not in OVERLAPS:
        raise UnknownNameError("way to remove overlap", overlap, OVERLAPS)
    return TASKS[task](index, ranking, overlap, limit)


def _thorough(_index: Index, ranking: Ranking, _overlap: str, limit: int) -> Ranking:
    return ranking.first(limit)


def _focused(index: Index, ranking: Ranking, overlap: str, limit: int) -> Ranking:
    return _chosen(ranking, without_overlap(index, ranking, overlap, limit))


def _fetch_browse(_index: Index, ranking: Ranking, _overlap: str, limit: int) -> Ranking:
    """Keep the ranking's best `limit` elements, grouped by document in the order of their best element."""
    ranking = ranking.first(limit)
    place = _document_places(ranking)
    return _chosen(ranking, np.argsort(place, kind="stable").tolist())


def _relevant_in_context(index: Index, ranking: Ranking, overlap: str, limit: int) -> Ranking:
    focused = _focused(index, ranking, overlap, limit)
    place = _document_places(focused)
    return _chosen(focused, np.lexsort((focused.element, place)).tolist())


def _best_in_context(_index: Index, ranking: Ranking, _overlap: str, limit: int) -> Ranking:
    _, first = np.unique(ranking.document, return_index=True)
    return _chosen(ranking, np.sort(first)[:limit].tolist())


TASKS: dict[str, Callable[[Index, Ranking, str, int], Ranking]] = {
    "thorough": _thorough,
    "focused": _focused,
    "fetch-browse": _fetch_browse,
    "relevant-in-context": _relevant_in_context,
    "best-in-context": _best_in_context,
}


def without_overlap(index: Index, ranking: Ranking, overlap: str, limit: int) -> list[int]:
    """Return places of a ranking such that no element kept is in another."""
    back = index.columns["parent"]
    elements = ranking.element.tolist()
    if overlap == "child":
        wholes = set()
        for e in elements:
            while back[e] and (e := e - int(back[e])) not in wholes:
                wholes.add(e)
        return [k for k, e in enumerate(elements) if e not in wholes][:limit]
    kept: list[int] = []
    taken: set[int] = set()
    wholes = set()  # what an element kept is in
    for k, e in enumerate(elements):
        if len(kept) == limit:
            break
        if e in wholes:
            continue
        above, up = [], e
        while back[up]:
            up -= int(back[up])
            above.append(up)
        if overlap == "section" and len(above) < 2:  # the document or one of its main parts
            continue
        if taken.isdisjoint(above) and e not in taken:
            kept.append(k)
            taken.add(e)
            wholes.update(above)
    return kept


def _document_places(ranking: Ranking) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return for each entry the place of its document, by first appearance."""
    _, first, inverse = np.unique(ranking.document, return_index=True, return_inverse=True)
    order = np.empty(len(first), dtype=np.int64)
    order[np.argsort(first, kind="stable")] = np.arange(len(first))
    places: np.ndarray[tuple[int], np.dtype[np.int64]] = order[inverse]
    return places


def _chosen(ranking: Ranking, places: list[int]) -> Ranking:
    at = np.array(places, dtype=np.int64)
    return Ranking(ranking.element[at], ranking.document[at], ranking.score[at])
