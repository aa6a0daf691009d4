"""Sentences: disjoint groups of so many, inside a block."""

from __future__ import annotations

from inexlab.accelerate import Kernel
from inexlab.retrieval.cut import Places, no_places
from inexlab.retrieval.layout import Layout, LayoutRules
from inexlab.retrieval.unit import FlatUnitSpec, UnitText, unit_kind
from inexlab.tables import Codes


@unit_kind("sentences", "sentences:3", "groups of N sentences, inside a block")
def sentences(written: UnitText) -> FlatUnitSpec:
    """Parse `sentences:3`."""
    number = written.size("", default="1")
    return FlatUnitSpec(f"sentences:{number}", LayoutRules("blocks"), lambda layout: _groups(layout, number))


def _groups(layout: Layout, number: int) -> Places:
    places = no_places(len(layout.token_start))  # a sentence has a token at least, and no other has it
    count = _group.for_work(5 * len(layout.sentence_first))(
        layout.run_first,
        layout.run_last,
        layout.sentence_first,
        layout.sentence_start,
        layout.sentence_end,
        number,
        *places,
    )
    return places.first_of(count)


@Kernel
def _group(
    run_first: Codes,
    run_last: Codes,
    sent_first: Codes,
    sent_start: Codes,
    sent_end: Codes,
    number: int,
    first: Codes,
    last: Codes,
    start: Codes,
    end: Codes,
) -> int:
    """Write the groups; return how many there are. Each has a token of its own, and there is room for all."""
    count, s = 0, 0
    for r in range(len(run_first)):
        while s < len(sent_first) and sent_first[s] < run_first[r]:
            s += 1
        held = number
        while s < len(sent_first) and sent_first[s] < run_last[r]:
            if held == number:
                first[count], start[count] = sent_first[s], sent_start[s]
                count += 1
                held = 0
            last[count - 1], end[count - 1] = run_last[r], sent_end[s]
            if s + 1 < len(sent_first) and sent_first[s + 1] < run_last[r]:
                last[count - 1] = sent_first[s + 1]
            held += 1
            s += 1
    return count
