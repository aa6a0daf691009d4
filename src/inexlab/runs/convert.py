"""From one notation of results to another: elements, offsets, entry points, whole documents.

Each function returns the run in one notation and, in words with counts, what the change costs.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inexlab.collection import Collection, Elements, pointer, smallest_element
from inexlab.collection.paths import WHOLE_DOCUMENT, parse_place, spell
from inexlab.errors import InputError
from inexlab.progress import reporting
from inexlab.runs.locate import locate
from inexlab.runs.table import NO_SPAN, Run, take
from inexlab.tables import Interner, Ints, Names
from inexlab.wording import counted

Mask = npt.NDArray[np.bool_]

_WIDENED = "widened to the smallest enclosing element, which changes scores"
_POINTS = "may be an empty element: written as a point in the text"
_NESTED = "are the text of several nested elements: written as the outermost"
_NOWHERE = "cannot be found in the collection: written without a place in the text"
_SPELLED = "had paths with steps without a number, or zeros before one: written in full"


class ConvertedRun(NamedTuple):
    """A run in another notation, and notes on the conversion."""

    run: Run
    notes: list[str]


def as_elements(run: Run, collection: Collection | None) -> ConvertedRun:
    """Give every result by the path of an element; passages become the smallest element around them."""
    return _as_paths(run, collection, points=False)


def as_paths(run: Run, collection: Collection | None) -> ConvertedRun:
    """Give every result by one path, an entry point by a point in a text node."""
    return _as_paths(run, collection, points=True)


def as_spans(run: Run, collection: Collection | None) -> ConvertedRun:
    """Give every result by its offset and length."""
    located = locate(run, collection)
    by_path = np.flatnonzero((run.start == NO_SPAN) & (run.path >= 0))
    notes = []
    if len(by_path):
        notes.append(
            f"{_results(len(by_path))} given by paths {_be(len(by_path))} written as text positions: of "
            "nested elements with the same text, which one was meant is lost"
        )
        notes += _counted({_NOWHERE: int(np.count_nonzero(located.start[by_path] == NO_SPAN))})
    nothing = np.full_like(run.path, -1)
    return ConvertedRun(dataclasses.replace(located, path=nothing, until=nothing), notes)


def as_points(run: Run, collection: Collection | None) -> ConvertedRun:
    """Give every result by the offset at which it begins."""
    spanned, notes = as_spans(run, collection)
    longer = int(np.count_nonzero(spanned.end > spanned.start))
    if longer:
        notes.append(f"{_results(longer)} reduced to where {'it begins' if longer == 1 else 'they begin'}")
    return ConvertedRun(dataclasses.replace(spanned, end=spanned.start), notes)


def as_documents(run: Run, collection: Collection | None) -> ConvertedRun:  # noqa: ARG001
    """Give every document once in a topic, at the place of its first result."""
    key = run.topic.astype(np.int64) * (len(run.docs) + 1) + run.doc
    first = np.sort(np.unique(key, return_index=True)[1])
    whole = run.paths.codes.get(WHOLE_DOCUMENT, -2)
    notes = []
    if len(first) < len(run) or (run.path != whole).any():
        documents = counted(len(first), "document")
        notes.append(f"{_results(len(run))} reduced to {documents}, each at the place of its first result")
    kept = take(run, first)
    nothing = np.full(len(first), NO_SPAN, dtype=np.int64)
    return ConvertedRun(
        dataclasses.replace(
            kept,
            paths=Names.of([WHOLE_DOCUMENT]),
            path=np.zeros(len(first), dtype=np.int32),
            until=np.full(len(first), -1, dtype=np.int32),
            start=nothing,
            end=nothing,
        ),
        notes,
    )


def unchanged(run: Run, collection: Collection | None) -> ConvertedRun:
    """Keep every notation, and add offsets where there is a collection."""
    if collection is None:
        return ConvertedRun(run, [])
    located = locate(run, collection)
    lost = int(np.count_nonzero((located.start == NO_SPAN) & (run.path >= 0)))
    return ConvertedRun(located, _counted({"cannot be found in the collection: written as given": lost}))


def without_lost(converted: ConvertedRun) -> ConvertedRun:
    """Leave out the results that have no place, for formats that cannot say so."""
    run = converted.run
    kept = np.flatnonzero((run.start != NO_SPAN) | (run.path >= 0))
    if len(kept) == len(run):
        return converted
    note = (
        f"{_results(len(run) - len(kept))} without a place in the text left out, which the format cannot "
        "hold: those after them move up"
    )
    return ConvertedRun(take(run, kept), [*converted.notes, note])


def ranks_of(run: Run) -> Ints:
    """Return the rank of every result in its topic, from 1."""
    order = np.argsort(run.topic, kind="stable")
    sizes = np.bincount(run.topic, minlength=len(run.topics))
    ranks = np.empty(len(run), dtype=np.int64)
    ranks[order] = np.arange(len(run)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + 1
    return ranks


def one_notation(run: Run, collection: Collection | None) -> ConvertedRun:
    """Give results that have both a path and a span by one: the path, unless it is seen to be elsewhere."""
    both = np.flatnonzero((run.path >= 0) & (run.start != NO_SPAN))
    if not len(both):
        return ConvertedRun(run, [])
    start, end, path, until = run.start.copy(), run.end.copy(), run.path.copy(), run.until.copy()
    start[both] = end[both] = NO_SPAN
    notes = [
        f"{_results(len(both))} with a path and offsets: the path is written, which changes scores where "
        "the two differ"
    ]
    if collection is not None:
        by_path = locate(dataclasses.replace(run, start=start, end=end), collection)
        apart = both[(by_path.start[both] != run.start[both]) | (by_path.end[both] != run.end[both])]
        start[apart], end[apart] = run.start[apart], run.end[apart]
        path[apart] = until[apart] = -1
        notes = _counted({"with a path that is not where the offsets are: taken by the offsets": len(apart)})
    return ConvertedRun(dataclasses.replace(run, start=start, end=end, path=path, until=until), notes)


def _as_paths(run: Run, collection: Collection | None, *, points: bool) -> ConvertedRun:
    run, notes = one_notation(run, collection)
    spelled, found = _spelled(run)
    unfit = _unfit_paths(spelled, points)
    waiting = (spelled.until >= 0) | ((spelled.path < 0) & (spelled.start != NO_SPAN))
    waiting |= (spelled.path >= 0) & unfit[spelled.path]
    rows = np.flatnonzero(waiting)
    if not len(rows):
        return ConvertedRun(spelled, [*notes, *_counted(found, len(run))])
    if collection is None:
        raise _needs_collection(run, int(rows[0]))
    located = locate(spelled, collection)
    names = Interner()
    for name in spelled.paths:
        names(name)
    path = spelled.path.copy()
    for elements, group in _by_document(located, rows, collection):
        known: dict[tuple[int, int], tuple[int, str]] = {}
        for i in group.tolist():
            span = int(located.start[i]), int(located.end[i])
            if span not in known:
                name, what = _path_of(elements, *span, points)
                known[span] = (names(name) if name else -1, what)
            path[i], what = known[span]
            found[what] += 1
    nothing = np.full_like(run.path, -1)
    no_span = np.full_like(run.start, NO_SPAN)
    converted = dataclasses.replace(
        spelled, paths=names.names(), path=path, until=nothing, start=no_span, end=no_span
    )
    return ConvertedRun(converted, [*notes, *_counted(found, len(run))])


def _spelled(run: Run) -> tuple[Run, Counter[str]]:
    """Return the run with its paths in their one spelling, and how many results had another."""
    names, codes, changed = Interner(), [], []
    for name in run.paths:
        place = parse_place(name)
        full = name if place is None else spell(place)
        codes.append(names(full))
        changed.append(full != name)
    if not any(changed):
        return run, Counter()
    code = np.array([*codes, -1], dtype=np.int32)  # with -1, no path, at the end
    count = int(np.count_nonzero(np.array([*changed, False])[run.path]))
    spelled = dataclasses.replace(run, paths=names.names(), path=code[run.path], until=code[run.until])
    return spelled, Counter({_SPELLED: count})


def _unfit_paths(run: Run, points: bool) -> Mask:
    """Return for each path whether it names no element: the whole document, or a point or piece of text."""

    def unfit(name: str) -> bool:
        place = parse_place(name)
        if place is None:  # whatever it is, nothing would find it
            return False
        inside = place.text_node is not None or place.offset is not None
        return not place.steps or (inside and not points)

    return np.array([*(unfit(name) for name in run.paths), False], dtype=np.bool_)


def _by_document(
    run: Run, rows: npt.NDArray[np.intp], collection: Collection
) -> Iterator[tuple[Elements | None, npt.NDArray[np.intp]]]:
    ordered = rows[np.argsort(run.doc[rows], kind="stable")]
    groups = np.split(ordered, np.flatnonzero(np.diff(run.doc[ordered])) + 1)
    for group in reporting(groups, f"converting results of {run.id}", "documents"):
        yield collection.elements(run.docs[int(run.doc[group[0]])]), group


def _path_of(elements: Elements | None, start: int, end: int, points: bool) -> tuple[str, str]:
    """Return the path that stands for a span, and a note on it, if any."""
    if elements is None or start == NO_SPAN:
        return "", _NOWHERE
    number = smallest_element(elements, start, end)
    alike = (elements.start == start) & (elements.end == end)
    if alike[number]:
        return elements.path(number), _NESTED if np.count_nonzero(alike) > 1 else ""
    if points and start == end <= elements.end[0]:
        empty = (elements.start == start) & (elements.end == start)
        return pointer(elements, start), _POINTS if empty.any() else ""
    return elements.path(number), _WIDENED


def _needs_collection(run: Run, row: int) -> InputError:
    if run.start[row] != NO_SPAN:
        what = "gives results by offset"
    elif run.until[row] >= 0:
        what = "gives passages by two paths"
    else:
        name = run.paths[int(run.path[row])]
        what = "returns whole documents" if name == WHOLE_DOCUMENT else f"gives results such as {name}"
    return InputError(
        f"{what}, and the elements of document {run.docs[int(run.doc[row])]} are not known",
        file=run.file or run.id,
        fix="Give `collection=DIR`.",
    )


def _counted(found: dict[str, int], of: int = 0) -> list[str]:
    return [
        f"{_results(count, of)} {_agreeing(what, count)}" for what, count in found.items() if what and count
    ]


def _agreeing(what: str, count: int) -> str:
    """Return the words with a verb that fits one result."""
    return what.replace("are ", "is ", 1) if count == 1 and what.startswith("are ") else what


def _results(count: int, of: int = 0) -> str:
    return f"{count:,} of {counted(of, 'result')}" if of > 1 else counted(count, "result")


def _be(count: int) -> str:
    return "is" if count == 1 else "are"
