"""Passages: whole sentences of a block, packed up to a number of characters."""

from __future__ import annotations

from inexlab.accelerate import Kernel
from inexlab.retrieval.cut import Places, no_places
from inexlab.retrieval.layout import Layout, LayoutRules
from inexlab.retrieval.unit import FlatUnitSpec, UnitText, unit_kind
from inexlab.tables import Codes, Ints


@unit_kind("passages", "passages:400c", "whole sentences, at most N characters, inside a block")
def passages(written: UnitText) -> FlatUnitSpec:
    """Parse `passages:400c`."""
    limit = written.size("c", default="400c")
    return FlatUnitSpec(f"passages:{limit}c", LayoutRules("blocks"), lambda layout: pack(layout, limit))


def pack(layout: Layout, limit: int, least: int = 0, least_passage: int = 0) -> Places:
    """Pack the sentences of every run, as many as fit into `limit` characters.

    A sentence that is longer is cut between words; what is left of it counts as a sentence. What is shorter
    than `least`, or than `least_passage`, takes the next sentence of the run along, even if it gets that much
    too long; the end of the run joins the passage before.

    A whole run that is shorter than `least` is left out. After one that is shorter than `least_passage` the
    next run goes on with its passage, if that is in the same document with no word between them, as long as
    it fits, and longer if the passage is too short still. At the end of such a row of runs, what is too short
    joins the passage before. If a whole row has not half as many characters it is left out, unless there is
    nothing else in the document.
    """
    places = no_places(len(layout.token_start))  # a passage has a token at least, and no other has it
    count = _pack.for_work(10 * len(layout.token_start))(
        layout.token_start,
        layout.document_first,
        layout.run_first,
        layout.run_last,
        layout.run_end - layout.run_start,
        layout.sentence_first,
        layout.sentence_start,
        layout.sentence_end,
        limit,
        least,
        least_passage,
        *places,
    )
    return places.first_of(count)


@Kernel
def _pack(
    token_start: Codes,
    document_first: Ints,
    run_first: Codes,
    run_last: Codes,
    run_length: Codes,
    sent_first: Codes,
    sent_start: Codes,
    sent_end: Codes,
    limit: int,
    least: int,
    least_passage: int,
    first: Codes,
    last: Codes,
    start: Codes,
    end: Codes,
) -> int:
    """Write the passages; return how many there are. Each has a token of its own, so there is room."""
    count, s, d = 0, 0, 0
    document = 0  # the first passage of the document
    row = 0  # the first passage of the row of runs that follow one another
    shorter = max(least, least_passage)
    for r in range(len(run_first)):
        same = True  # document as that of the run before
        while d < len(document_first) and document_first[d] <= run_first[r]:
            same = False
            d += 1
        short = count > row and end[count - 1] - start[count - 1] < least_passage
        opened = short or (count > row and run_length[r - 1] < least_passage)
        if not same or run_last[r - 1] != run_first[r]:
            if short and count > row + 1:
                count = _join_last(count, last, end)
            if not same:
                count = _end_document(document, count, least_passage // 2, first, last, start, end)
                document = count
            row, opened = count, False
        begin = count - 1 if opened else count  # the first passage that may have words of this run
        while s < len(sent_first) and sent_first[s] < run_first[r]:
            s += 1
        while s < len(sent_first) and sent_first[s] < run_last[r]:
            after = run_last[r]
            if s + 1 < len(sent_first):
                after = min(after, sent_first[s + 1])
            brief = opened and end[count - 1] - start[count - 1] < shorter
            room = limit + shorter if brief else limit  # what is too short may become a bit too long
            if brief or (opened and sent_end[s] - start[count - 1] <= limit):
                last[count - 1] = after
                end[count - 1] = sent_end[s]
            else:
                first[count], last[count] = sent_first[s], after
                start[count], end[count] = sent_start[s], sent_end[s]
                count += 1
            opened = True
            while end[count - 1] - start[count - 1] > room:  # cut it between words
                room = limit
                token = first[count - 1] + 1
                while token + 1 < after and token_start[token + 1] - start[count - 1] <= limit:
                    token += 1
                if token >= after:
                    break  # a single word
                last[count - 1] = token
                end[count - 1] = token_start[token]
                first[count], last[count] = token, after
                start[count], end[count] = token_start[token], sent_end[s]
                count += 1
            s += 1
        if count > begin and end[count - 1] - start[count - 1] < shorter:
            if count > begin + 1:
                count = _join_last(count, last, end)
            elif end[count - 1] - start[count - 1] < least:
                count -= 1
    if count > row + 1 and end[count - 1] - start[count - 1] < least_passage:
        count = _join_last(count, last, end)
    return _end_document(document, count, least_passage // 2, first, last, start, end)


@Kernel
def _join_last(count: int, last: Codes, end: Codes) -> int:
    """Make one passage of the last two, of which there are `count` with these; return how many there are.

    It is written to a place that holds a passage, as there are two at least.
    """
    last[count - 2] = last[count - 1]
    end[count - 2] = end[count - 1]
    return count - 1


@Kernel
def _end_document(
    begin: int, count: int, least: int, first: Codes, last: Codes, start: Codes, end: Codes
) -> int:
    """Leave out passages from `begin` on that are too short, unless all are; return how many there are.

    They move to where others were before: never behind their own place.
    """
    kept = begin
    for k in range(begin, count):
        if end[k] - start[k] >= least:
            first[kept], last[kept] = first[k], last[k]
            start[kept], end[kept] = start[k], end[k]
            kept += 1
    return kept if kept > begin else count
