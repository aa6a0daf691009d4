"""From notations to spans: give every result of a run its place in the canonical text."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from inexlab.collection import Collection
from inexlab.collection.finding import NamedPlaces
from inexlab.collection.path_tree import Paths, is_whole_document
from inexlab.errors import InputError
from inexlab.runs.table import NO_SPAN, Run
from inexlab.tables import Ints, distinct

SizeOf = Callable[[str], int | None]


def locate(run: Run, collection: Collection | None = None, size_of: SizeOf | None = None) -> Run:
    """Return the run with a span for every result that can be found.

    Whole documents need only their length, which `size_of` may know; paths need the collection. A result
    in an unknown document, or with a path that its document does not have, stays without a span.
    """
    waiting = np.flatnonzero((run.start == NO_SPAN) & (run.path >= 0))
    if not len(waiting):
        return run
    start, end = run.start.copy(), run.end.copy()
    waiting = waiting[np.argsort(run.doc[waiting], kind="stable")]
    whole = is_whole_document(run.paths)[run.path[waiting]]
    if size_of is not None and whole.any():
        size = _sizes(run, waiting[whole], size_of)
        known = waiting[whole][size != NO_SPAN]
        start[known], end[known] = 0, size[size != NO_SPAN]
        unknown = ~whole
        unknown[whole] = size == NO_SPAN
        waiting, whole = waiting[unknown], whole[unknown]
    if len(waiting):
        if collection is None:
            raise _unknown_text(run, int(waiting[0]), bool(whole[0]))
        start[waiting], end[waiting] = _places(run, waiting, collection)
    return dataclasses.replace(run, start=start, end=end)


def _sizes(run: Run, rows: npt.NDArray[np.intp], size_of: SizeOf) -> Ints:
    """Return the lengths of the documents of some results, -1 where one is not known."""
    docs = distinct(run.doc[rows].astype(np.int64))
    sizes = [size_of(run.docs[doc]) for doc in docs.tolist()]
    known = np.array([NO_SPAN if size is None else size for size in sizes], dtype=np.int64)
    return known[np.searchsorted(docs, run.doc[rows])]


def _places(run: Run, rows: npt.NDArray[np.intp], collection: Collection) -> tuple[Ints, Ints]:
    """Return where results given by paths begin and end; one with two, where the second ends."""
    ranges = np.flatnonzero(run.until[rows] >= 0)
    doc, path = run.doc[rows], run.path[rows]
    asked = NamedPlaces(
        run.docs,
        Paths(run.paths),
        np.concatenate((doc, doc[ranges])),
        np.concatenate((path, run.until[rows[ranges]])),
    )
    starts, ends = collection.spans(asked, f"locating results of {run.id}")
    start, end = starts[: len(rows)], ends[: len(rows)]
    if len(ranges):
        end[ranges] = np.where(end[ranges] == NO_SPAN, NO_SPAN, ends[len(rows) :])
    missed = (start == NO_SPAN) | (end < start)
    return np.where(missed, NO_SPAN, start), np.where(missed, NO_SPAN, end)


def _unknown_text(run: Run, row: int, whole: bool) -> InputError:
    doc, path = run.docs[int(run.doc[row])], run.paths[int(run.path[row])]
    needed = f"the length of document {doc}" if whole else f"the text of document {doc}"
    what = "whole documents" if whole else f"paths such as {path}"
    return InputError(
        f"returns {what}, and {needed} is not known",
        file=run.file or run.id,
        fix="Give `collection=DIR`, or ask for measures of documents such as AP, P@10 or nDCG@10."
        if whole
        else "Give `collection=DIR`.",
    )
