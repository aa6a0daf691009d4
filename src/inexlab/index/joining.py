"""Terms of stretches of the axis become those of the whole, in memory that does not grow with their number.

A stretch is what a builder inverted at once, or an index that is merged. Its terms are in the order of their
texts, on disk; so are the words without accents that stand for some of them. Both are gone through in
windows: the next texts of every stretch, up to one that none of them goes beyond.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from inexlab.executors import Threads
from inexlab.index.blocks import Array
from inexlab.index.keys import padded
from inexlab.index.postings import join, joined_sizes, last_positions
from inexlab.index.store import ArrayFile, BordersFile
from inexlab.index.vocabulary import Vocabulary
from inexlab.progress import BYTES, report
from inexlab.tables import Bytes, Codes, Ints

JOINING = "joining terms"  # what is reported

_AT_ONCE = 1 << 17  # texts of a window
_BYTES = 1 << 24  # of positions in a window, of which a term may have more by itself


class SortedTexts(NamedTuple):
    """Texts in the order of their bytes: `pool[borders[k]:borders[k + 1]]` is text k."""

    pool: Bytes
    borders: Array

    def text(self, k: int) -> bytes:
        """Return one of them."""
        first, last = self.borders[k : k + 2].tolist()
        return self.pool[first:last].tobytes()

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.borders) - 1

    def after(self, text: bytes, low: int, high: int) -> int:
        """Return the first place between two that is behind a text."""
        while low < high:
            middle = (low + high) // 2
            if self.text(middle) <= text:
                low = middle + 1
            else:
                high = middle
        return low


class Stretch(NamedTuple):
    """What is known of the terms on a stretch of the axis, which begins at `shift`.

    The positions of term t are `data[data_from[t]:data_from[t + 1]]`; `last` are the last ones, and empty
    where it takes going through all to know them. `units` says how many hold the term. Key k, a word without
    accents, stands for the terms `key_terms[key_from[k]:key_from[k + 1]]` of the stretch.
    """

    terms: SortedTexts
    frequency: Array
    units: Array
    data: Bytes
    data_from: Array
    last: Array
    keys: SortedTexts
    key_from: Array
    key_terms: Array
    shift: int = 0


def save_terms(folder: Path, stretches: Sequence[Stretch], threads: int = 1) -> dict[str, Any]:
    """Write the terms of all stretches, which follow one another; return what the manifest says of them."""
    with contextlib.ExitStack() as stack:
        files = _Files(folder, stack)
        numbers = [np.empty(0, dtype=np.int32) for _ in stretches]
        if any(len(stretch.key_terms) for stretch in stretches):
            numbers = _room_for_numbers(folder, stretches, stack)
        _save_positions(files, stretches, numbers, threads)
        _save_variants(files, stretches, numbers)
        return files.complete()


class _Files:
    """The files of terms while they grow."""

    def __init__(self, folder: Path, stack: contextlib.ExitStack) -> None:
        rows = ("term-bytes", "term-frequency", "term-elements", "positions")
        borders = ("term-from", "positions-from", "variant-key-from", "variant-from")
        self._rows = {name: ArrayFile(folder, name) for name in (*rows, "variant-key-bytes", "variant-term")}
        self._borders = {name: BordersFile(folder, name, "u1") for name in borders}
        for file in (*self._rows.values(), *self._borders.values()):
            stack.callback(file.close)

    def add_bytes(self, name: str, data: Bytes) -> None:
        """Write some more bytes."""
        self._rows[name].add_bytes(np.ascontiguousarray(data).data)

    def add(self, name: str, numbers: Ints) -> None:
        """Write some more numbers."""
        self._rows[name].add(numbers)

    def add_sizes(self, name: str, sizes: Ints) -> None:
        """Write the borders of some more."""
        self._borders[name].add_sizes(sizes)

    def complete(self) -> dict[str, Any]:
        """Close all; return what the manifest says of them."""
        return {name: file.close() for name, file in (*self._rows.items(), *self._borders.items())}


def _room_for_numbers(folder: Path, stretches: Sequence[Stretch], stack: contextlib.ExitStack) -> list[Array]:
    """Return room for the number of every term of every stretch in the whole, in a file that has no name."""
    counts = [stretch.terms.size for stretch in stretches]
    path = folder / "term-numbers"
    room = np.memmap(path, dtype=np.int32, mode="w+", shape=(sum(counts),)) if sum(counts) else None
    stack.callback(path.unlink, missing_ok=True)
    if room is None:
        return [np.empty(0, dtype=np.int32) for _ in stretches]
    return np.split(np.asarray(room), np.cumsum(counts)[:-1])


class _Window(NamedTuple):
    """The terms of a window in the whole: their texts, positions and counts; those that each stretch has."""

    words: Bytes
    word_sizes: Ints
    data: Bytes
    data_sizes: Ints
    frequency: Ints
    units: Ints
    parts: list[slice]
    terms: list[Codes]


def _save_positions(files: _Files, stretches: Sequence[Stretch], numbers: list[Array], threads: int) -> None:
    texts = [stretch.terms for stretch in stretches]
    total, done, count = max(1, sum(len(stretch.data) for stretch in stretches)), 0, 0
    windows = _windows(texts, [stretch.data_from for stretch in stretches])
    work = functools.partial(_joined, stretches)
    ahead = (work(parts) for parts in windows) if threads == 1 else Threads(threads).map(work, windows)
    with contextlib.closing(ahead) as joined:
        for window in joined:
            files.add_bytes("term-bytes", window.words)
            files.add_sizes("term-from", window.word_sizes)
            files.add("term-frequency", window.frequency)
            files.add("term-elements", window.units)
            files.add_bytes("positions", window.data)
            files.add_sizes("positions-from", window.data_sizes)
            for of_stretch, part, terms in zip(numbers, window.parts, window.terms, strict=True):
                if len(of_stretch):
                    of_stretch[part] = terms + count
            count += len(window.word_sizes)
            done += len(window.data)
            report(JOINING, min(done, total), total, BYTES)


def _windows(texts: Sequence[SortedTexts], weights: Sequence[Array]) -> Iterator[list[slice]]:
    """Cut texts into windows, so that what is the same is in the same one; yield the part of each stretch.

    `weights` are borders, too: of bytes or the like that belong to the texts.
    """
    at = [0 for _ in texts]
    while going := [k for k, here in enumerate(texts) if at[k] < here.size]:
        most, bytes_ = max(1, _AT_ONCE // len(going)), max(1, _BYTES // len(going))
        ends = {}
        for k in going:
            borders = weights[k][at[k] : min(at[k] + most, texts[k].size) + 1]
            light = int(np.searchsorted(borders, int(borders[0]) + bytes_, side="right")) - 1
            ends[k] = at[k] + max(1, min(light, len(borders) - 1))
        last = min(texts[k].text(end - 1) for k, end in ends.items())
        stops = {k: texts[k].after(last, at[k], end) for k, end in ends.items()}
        parts = [slice(here, stops.get(k, here)) for k, here in enumerate(at)]
        at = [part.stop for part in parts]
        yield parts


def _united(texts: Sequence[SortedTexts], parts: Sequence[slice]) -> tuple[Bytes, Ints, list[Codes]]:
    """Return all texts of a window in their order, how long each is, and which ones each stretch has."""
    having = [k for k, part in enumerate(parts) if part.stop > part.start]
    none = np.empty(0, dtype=np.int32)
    if len(having) == 1:
        (k,) = having
        borders = texts[k].borders[parts[k].start : parts[k].stop + 1].astype(np.int64)
        numbers = [np.arange(part.stop - part.start, dtype=np.int32) for part in parts]
        return texts[k].pool[int(borders[0]) : int(borders[-1])], np.diff(borders), numbers
    vocabulary = Vocabulary()
    found = [none for _ in parts]
    for k in having:
        borders = texts[k].borders[parts[k].start : parts[k].stop + 1].astype(np.int64)
        size = int(borders[-1] - borders[0])
        buffer = padded(size)
        buffer[:size] = texts[k].pool[int(borders[0]) : int(borders[-1])]
        found[k] = vocabulary.numbers(buffer, np.repeat((borders - borders[0]).astype(np.int32), 2)[1:-1])
    order, words, all_borders = vocabulary.in_order()
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return words, np.diff(all_borders), [place[numbers] for numbers in found]


def _joined(stretches: Sequence[Stretch], parts: list[slice]) -> _Window:
    """Join what the stretches know of the terms of a window."""
    words, word_sizes, terms = _united([stretch.terms for stretch in stretches], parts)
    if len(stretches) == 1 and not stretches[0].shift:
        return _of_one(stretches[0], parts, words, word_sizes, terms)
    count = len(word_sizes)
    ends, sizes = np.full(count, -1, dtype=np.int64), np.zeros(count, dtype=np.int64)
    frequency, units = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    prepared = []
    for stretch, part, whole in zip(stretches, parts, terms, strict=True):
        if not len(whole):
            continue
        data, data_from, last = _positions(stretch, part)
        joined_sizes.for_work(10 * len(whole))(data, data_from, last, whole, stretch.shift, ends, sizes)
        frequency[whole] += stretch.frequency[part]
        units[whole] += stretch.units[part]
        prepared.append((data, data_from, last, whole, stretch.shift))
    cursor: Ints = np.concatenate(([0], np.cumsum(sizes)))
    out = np.empty(int(cursor[-1]), dtype=np.uint8)
    ends[:] = -1
    for data, data_from, last, whole, shift in prepared:
        join.for_work(10 * len(whole) + len(data))(data, data_from, last, whole, shift, ends, cursor, out)
    return _Window(words, word_sizes, out, sizes, frequency, units, parts, terms)


def _of_one(
    stretch: Stretch, parts: list[slice], words: Bytes, word_sizes: Ints, terms: list[Codes]
) -> _Window:
    """Return what the only stretch knows of the terms of a window, as it is."""
    (part,) = parts
    data_from = stretch.data_from[part.start : part.stop + 1].astype(np.int64)
    data = stretch.data[int(data_from[0]) : int(data_from[-1])]
    frequency, units = (of_terms[part].astype(np.int64) for of_terms in (stretch.frequency, stretch.units))
    return _Window(words, word_sizes, data, np.diff(data_from), frequency, units, parts, terms)


def _positions(stretch: Stretch, part: slice) -> tuple[Bytes, Ints, Ints]:
    """Return the positions of some terms of a stretch, where each begins, and the last ones."""
    data_from = stretch.data_from[part.start : part.stop + 1].astype(np.int64)
    data = stretch.data[int(data_from[0]) : int(data_from[-1])]
    data_from -= data_from[0]
    if len(stretch.last):
        return data, data_from, stretch.last[part].astype(np.int64)
    last = np.empty(part.stop - part.start, dtype=np.int64)
    last_positions.for_work(5 * len(data))(data, data_from, last)
    return data, data_from, last


def _save_variants(files: _Files, stretches: Sequence[Stretch], numbers: Sequence[Array]) -> None:
    """Write which terms there are for words without accents, other than themselves, in the words' order.

    `numbers` are those of each stretch's terms in the whole.
    """
    texts, borders = [stretch.keys for stretch in stretches], [stretch.key_from for stretch in stretches]
    for parts in _windows(texts, borders):
        words, word_sizes, keys = _united(texts, parts)
        pairs = [np.empty(0, dtype=np.int64)]
        for stretch, part, of_keys, of_terms in zip(stretches, parts, keys, numbers, strict=True):
            if len(of_keys):
                key_from = stretch.key_from[part.start : part.stop + 1].astype(np.int64)
                terms = of_terms[stretch.key_terms[int(key_from[0]) : int(key_from[-1])]]
                pairs.append(np.repeat(of_keys.astype(np.int64), np.diff(key_from)) << 32 | terms)
        of_key, term = np.divmod(np.unique(np.concatenate(pairs)), 1 << 32)
        files.add_bytes("variant-key-bytes", words)
        files.add_sizes("variant-key-from", word_sizes)
        files.add_sizes("variant-from", np.bincount(of_key, minlength=len(word_sizes)))
        files.add("variant-term", term)
