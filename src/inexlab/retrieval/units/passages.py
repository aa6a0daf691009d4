"""Passages: whole sentences of a block, packed up to a number of characters."""

from __future__ import annotations

from inexlab.accelerate import Kernel
from inexlab.retrieval.cut import Places, no_places
from inexlab.retrieval.layout import Layout, LayoutRules
from inexlab.retrieval.unit import FlatUnitSpec, UnitText, unit_kind
from inexlab.tables import Codes


@unit_kind("passages", "passages:400c", "whole sentences, at most N characters, inside a block")
def passages(written: UnitText) -> FlatUnitSpec:
    """Parse `passages:400c`."""
    limit = written.size("c", default="400c")
    return FlatUnitSpec(f"passages:{limit}c", LayoutRules("blocks"), lambda layout: pack(layout, limit, 0))


def pack(layout: Layout, limit: int, least: int) -> Places:
    """Pack the sentences of every run, as many as fit into `limit` characters.

    A sentence that is longer is cut between words; what is left of it counts as a sentence. Where `least` is
    above 0, the end of a run that is shorter joins the passage before, and a run that is shorter is left out.
    """
    places = no_places(len(layout.token_start))  # a passage has a token at least, and no other has it
    count = _pack.for_work(10 * len(layout.token_start))(
        layout.token_start,
        layout.run_first,
        layout.run_last,
        layout.sentence_first,
        layout.sentence_start,
        layout.sentence_end,
        limit,
        least,
        *places,
    )
    return places.first_of(count)


@Kernel
def _pack(
    token_start: Codes,
    run_first: Codes,
    run_last: Codes,
    sent_first: Codes,
    sent_start: Codes,
    sent_end: Codes,
    limit: int,
    least: int,
    first: Codes,
    last: Codes,
    start: Codes,
    end: Codes,
) -> int:
    """Write the passages; return how many there are. Each has a token of its own, so there is room."""
    count, s = 0, 0
    for r in range(len(run_first)):
        begin = count
        while s < len(sent_first) and sent_first[s] < run_first[r]:
            s += 1
        opened = False
        while s < len(sent_first) and sent_first[s] < run_last[r]:
            after = run_last[r]
            if s + 1 < len(sent_first):
                after = min(after, sent_first[s + 1])
            if opened and sent_end[s] - start[count - 1] <= limit:
                last[count - 1] = after
                end[count - 1] = sent_end[s]
                s += 1
                continue
            opened = True
            first[count], last[count] = sent_first[s], after
            start[count], end[count] = sent_start[s], sent_end[s]
            count += 1
            while end[count - 1] - start[count - 1] > limit:  # cut it between words
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
        if least and count > begin and end[count - 1] - start[count - 1] < least:
            count -= 1
            if count > begin:
                last[count - 1] = last[count]
                end[count - 1] = end[count]
    return count
