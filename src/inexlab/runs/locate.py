"""From notations to spans: give every result of a run its place in the canonical text."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from inexlab.collection import Collection
from inexlab.collection.paths import WHOLE_DOCUMENT
from inexlab.errors import InputError
from inexlab.progress import reporting
from inexlab.runs.table import NO_SPAN, Run
from inexlab.spans import Span

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
    whole = run.paths.codes.get(WHOLE_DOCUMENT, -2)
    by_document = waiting[np.argsort(run.doc[waiting], kind="stable")]
    groups = np.split(by_document, np.flatnonzero(np.diff(run.doc[by_document])) + 1)
    for group in reporting(groups, f"locating results of {run.id}", "documents"):
        doc = run.docs[int(run.doc[group[0]])]
        found: dict[tuple[int, int], Span] = {}
        for i in group.tolist():
            key = (int(run.path[i]), int(run.until[i]))
            if key not in found:
                found[key] = _place(run, doc, key, key[0] == whole, collection, size_of)
            start[i], end[i] = found[key]
    return dataclasses.replace(run, start=start, end=end)


_NOWHERE = Span(NO_SPAN, NO_SPAN)


def _place(
    run: Run,
    doc: str,
    key: tuple[int, int],
    whole: bool,
    collection: Collection | None,
    size_of: SizeOf | None,
) -> Span:
    if whole and size_of is not None and (size := size_of(doc)) is not None:
        return Span(0, size)
    if collection is None:
        needed = f"the length of document {doc}" if whole else f"the text of document {doc}"
        what = "whole documents" if whole else f"paths such as {run.paths[key[0]]}"
        raise InputError(
            f"returns {what}, and {needed} is not known",
            file=run.file or run.id,
            fix="Give `collection=DIR`, or ask for measures of documents such as AP, P@10 or nDCG@10."
            if whole
            else "Give `collection=DIR`.",
        )
    elements = collection.elements(doc)
    if elements is None:
        return _NOWHERE
    first = elements.find(run.paths[key[0]])
    last = first if key[1] < 0 else elements.find(run.paths[key[1]])
    if first is None or last is None or last.end < first.start:
        return _NOWHERE
    return Span(first.start, last.end)
