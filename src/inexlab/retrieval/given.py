"""Units that are given, such as the chunks of another program, in the place of those that `by=` cuts."""

from __future__ import annotations

import numpy as np

from inexlab.index.index import Index
from inexlab.retrieval.cut import Places, make_cut
from inexlab.retrieval.layout import Layout, LayoutRules
from inexlab.retrieval.unit import FlatUnits, Units
from inexlab.runs.chunking import Chunking
from inexlab.tables import Ints, Names


def given_units(index: Index, chunking: Chunking) -> tuple[FlatUnits, int]:
    """Return the chunks of a chunking as units of an index, and how many of them cannot be ranked.

    That are chunks inside others (units of a cut neither begin nor end before an earlier one), and those of
    documents that the index has not. Like other units, chunks without a term are none.
    """
    columns: list[tuple[Ints, Ints]] = []
    for doc in index.documents:
        rows = chunking.rows_of(doc)
        start, end = chunking.start[rows], chunking.end[rows]
        # sorted by where they begin, shorter ones first; one inside another ends before an earlier one
        reach = np.maximum.accumulate(np.concatenate(([-1], end)))[:-1]
        inside = end < reach
        inside[:-1] |= start[1:] == start[:-1]
        columns.append((start[~inside], end[~inside]))
    tokens = index.document_tokens

    def cut(layout: Layout) -> Places:
        first_document = int(np.searchsorted(tokens, layout.base, side="right")) - 1
        parts: list[tuple[Ints, Ints, Ints, Ints]] = []
        document, stop = first_document, layout.base + len(layout.token_start)
        while document < len(columns) and tokens[document] < stop:
            begin, end = int(tokens[document]) - layout.base, int(tokens[document + 1]) - layout.base
            places = layout.token_start[begin:end]
            starts, ends = columns[document]
            first, last = np.searchsorted(places, starts) + begin, np.searchsorted(places, ends) + begin
            parts.append((first, last, starts, ends))
            document += 1
        nothing = np.zeros(0, dtype=np.int64)
        return Places(
            *(np.concatenate([nothing, *(part[k] for part in parts)]).astype(np.int32) for k in range(4))
        )

    units = FlatUnits(index, chunking.name, make_cut(index, LayoutRules("documents", outside=True), cut))
    return units, len(chunking) - sum(len(starts) for starts, _ in columns)


def chunking_of(units: Units, name: str) -> Chunking:
    """Return all units of an index as a chunking."""
    numbers = units.all()
    start, end = units.spans(numbers)
    docs = units.documents(numbers).astype(np.int64)
    order = np.lexsort((end, start, docs))
    names = Names.of(units.index.documents)
    return Chunking(name, names, docs[order].astype(np.int32), start[order], end[order])
