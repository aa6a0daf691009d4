"""Judgements whose offsets count bytes, or text with white space merged: turned into code points, once."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from inexlab.collection import Collection
from inexlab.judgements.table import Judgements
from inexlab.tables import Ints


def in_characters(judgements: Judgements, collection: Collection, unit: str) -> Judgements:
    """Return the judgements with highlights, entry points and document lengths in code points.

    Those of unknown documents stay as they are, and so do the sizes of graded elements: what counts of them
    is the share of relevant text, which hardly depends on the unit.
    """
    if unit == "char":
        return judgements
    starts, ends = judgements.span_start.copy(), judgements.span_end.copy()
    size, bep, stated = judgements.size.copy(), judgements.bep.copy(), judgements.stated.copy()
    aspects = judgements.aspects
    parts = None if aspects is None else (aspects.start.copy(), aspects.end.copy())
    rows = np.argsort(judgements.doc, kind="stable")
    for group in np.split(rows, np.flatnonzero(np.diff(judgements.doc[rows])) + 1):
        doc = judgements.docs[int(judgements.doc[group[0]])] if len(group) else ""
        if doc not in collection:
            continue
        convert = collection[doc].code_points_from(unit)
        for column in (size, bep):
            column[group] = _converted(column[group], convert)
        for row in group.tolist():
            spans = slice(judgements.spans_from[row], judgements.spans_from[row + 1])
            before = int((ends[spans] - starts[spans]).sum())
            starts[spans], ends[spans] = _converted(starts[spans], convert), _converted(ends[spans], convert)
            stated[row] += int((ends[spans] - starts[spans]).sum()) - before
        if aspects is not None and parts is not None:
            named = np.isin(aspects.row, group)
            for column in parts:
                column[named] = _converted(column[named], convert)
    if aspects is not None and parts is not None:
        aspects = dataclasses.replace(aspects, start=parts[0], end=parts[1])
    return dataclasses.replace(
        judgements, span_start=starts, span_end=ends, size=size, bep=bep, stated=stated, aspects=aspects
    )


def _converted(offsets: Ints, convert: Callable[[int], int]) -> list[int]:
    """Return offsets in code points; -1, which stands for "unknown", stays."""
    return [offset if offset < 0 else convert(offset) for offset in offsets.tolist()]
