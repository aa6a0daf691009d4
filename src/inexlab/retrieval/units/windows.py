"""Windows: so many words or characters, through elements, but not beyond a document or what lies outside."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.errors import UsageError
from inexlab.retrieval.cut import Places, no_places
from inexlab.retrieval.layout import Layout, LayoutRules
from inexlab.retrieval.unit import FlatUnitSpec, UnitText, unit_kind
from inexlab.tables import Codes


@unit_kind("windows", "windows:200w/100w", "N words (w) or characters (c), with a step after /")
def windows(written: UnitText) -> FlatUnitSpec:
    """Parse `windows:400c`, `windows:200w` or `windows:200w/100w`."""
    size, step, what = written.size_and_step("wc", default="400c")
    if step > size:
        raise UsageError(f"the step of {written.text!r} is larger than its windows: text would be left out.")
    name = f"windows:{size}{what}" + (f"/{step}{what}" if step != size else "")
    cut = _by_words if what == "w" else _by_characters
    return FlatUnitSpec(name, LayoutRules("documents"), lambda layout: cut(layout, size, step))


def _by_words(layout: Layout, size: int, step: int) -> Places:
    room = len(layout.token_start)  # no two windows begin with the same token
    return _cut(_words.for_work(5 * room // step), layout, size, step, room)


def _by_characters(layout: Layout, size: int, step: int) -> Places:
    lengths = layout.run_end.astype(np.int64) - layout.run_start
    room = int((lengths // step + 1).sum())
    return _cut(_characters.for_work(5 * room), layout, size, step, room)


def _cut(write: Callable[..., int], layout: Layout, size: int, step: int, room: int) -> Places:
    places = no_places(room)
    runs = (layout.run_first, layout.run_last, layout.run_start, layout.run_end)
    return places.first_of(write(layout.token_start, *runs, size, step, *places))


@Kernel
def _words(
    token_start: Codes,
    run_first: Codes,
    run_last: Codes,
    run_start: Codes,
    run_end: Codes,
    size: int,
    step: int,
    first: Codes,
    last: Codes,
    start: Codes,
    end: Codes,
) -> int:
    """Write the windows; return how many there are.

    There are no more than tokens, for which there is room: each window begins with another one.
    """
    count = 0
    for r in range(len(run_first)):
        token = run_first[r]
        while token < run_last[r]:
            first[count] = token
            start[count] = run_start[r] if token == run_first[r] else token_start[token]
            if token + size >= run_last[r]:
                last[count], end[count] = run_last[r], run_end[r]
                count += 1
                break
            last[count], end[count] = token + size, token_start[token + size]
            count += 1
            token += step
    return count


@Kernel
def _characters(
    token_start: Codes,
    run_first: Codes,
    run_last: Codes,
    run_start: Codes,
    run_end: Codes,
    size: int,
    step: int,
    first: Codes,
    last: Codes,
    start: Codes,
    end: Codes,
) -> int:
    """Write the windows that have a token; return how many there are.

    Windows of a run begin at its first character and every `step` behind it, before its end: there is room
    for all of them, with or without a token.
    """
    count = 0
    for r in range(len(run_first)):
        token, beyond = run_first[r], run_first[r]
        begin = run_start[r]
        while begin < run_end[r]:
            stop = min(begin + size, run_end[r])
            while token < run_last[r] and token_start[token] < begin:
                token += 1
            beyond = max(beyond, token)
            while beyond < run_last[r] and token_start[beyond] < stop:
                beyond += 1
            if beyond > token:
                first[count], last[count] = token, beyond
                start[count], end[count] = begin, stop
                count += 1
            if stop == run_end[r]:
                break
            begin += step
    return count
