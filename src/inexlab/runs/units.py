"""Runs whose offsets count bytes, or text with white space merged: turned into code points, once."""

from __future__ import annotations

import dataclasses

import numpy as np

from inexlab.collection import Collection
from inexlab.runs.table import NO_SPAN, Run


def in_characters(run: Run, collection: Collection, unit: str) -> Run:
    """Return the run with its spans in code points; spans in unknown documents stay as they are."""
    waiting = np.flatnonzero(run.start != NO_SPAN)
    if unit == "char" or not len(waiting):
        return run
    start, end = run.start.copy(), run.end.copy()
    by_document = waiting[np.argsort(run.doc[waiting], kind="stable")]
    for group in np.split(by_document, np.flatnonzero(np.diff(run.doc[by_document])) + 1):
        doc = run.docs[int(run.doc[group[0]])]
        if doc in collection:
            convert = collection[doc].code_points_from(unit)
            start[group] = [convert(offset) for offset in start[group].tolist()]
            end[group] = [convert(offset) for offset in end[group].tolist()]
    return dataclasses.replace(run, start=start, end=end)
