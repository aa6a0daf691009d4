"""Where tokens and sentences are in the texts of documents: what cuts these into units needs.

Both are rows of bytes, distances between characters, one document behind the other: most tokens take one
byte, most sentences three.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from inexlab.accelerate import Kernel, LoopStep
from inexlab.index.bits import Words
from inexlab.index.characters import int64
from inexlab.index.postings import put
from inexlab.index.rows import BLOCK, Rows, character_at, look_at, make_rows, mark, room_for_marks
from inexlab.index.scan import BORDERS, CHARACTERS, ELEMENTS, TEXT_BYTES
from inexlab.index.sentences import (
    Keys,
    find_sentences,
    padded_text,
    room_for_sentences,
    sentence_tables,
)
from inexlab.index.store import ArrayFile, BordersFile
from inexlab.index.tag_table import INLINE, SKIPPED
from inexlab.tables import Bytes, Codes, Ints

if TYPE_CHECKING:
    from inexlab.index.batch import Batch
    from inexlab.index.scanner import Scanner

PLACE_BORDERS = ("document-token-starts", "document-sentences")
PLAIN_TEXT = "plaintext"  # the root of documents whose lines end sentences
_GROUP = 16  # tokens, of which each takes a byte in most groups
_STEPS = 12  # of plain Python to a byte of text


class PlaceFiles:
    """The places of tokens and sentences while an index grows."""

    def __init__(self, folder: Path) -> None:
        self._starts, self._sentences = ArrayFile(folder, "token-starts"), ArrayFile(folder, "sentences")
        self._borders = [BordersFile(folder, name) for name in PLACE_BORDERS]

    def add(self, batch: Batch, scanner: Scanner) -> None:
        """Add the documents of a batch."""
        ends = np.array(batch.ends)
        characters = int(ends[-1, CHARACTERS])
        lines = np.array([tag == PLAIN_TEXT for tag in scanner.tags], dtype=np.uint8)
        starts = np.empty(characters + len(batch) + 1, dtype=np.uint8)
        sentences = np.empty(room_for_sentences(characters), dtype=np.uint8)
        sizes = np.empty((len(batch), 2), dtype=np.int64)
        find_places.for_work(_STEPS * int(ends[-1, TEXT_BYTES]))(
            batch.text,
            batch.borders,
            batch.tag,
            batch.start,
            batch.end,
            ends,
            scanner.tag_kinds,
            lines,
            *sentence_tables(),
            starts,
            sentences,
            sizes,
        )
        totals = sizes.sum(axis=0).tolist()
        self._starts.add_bytes(starts[: totals[0]].data)
        self._sentences.add_bytes(sentences[: totals[1]].data)
        for borders, column in zip(self._borders, sizes.T, strict=True):
            borders.add_sizes(column)

    def close(self) -> None:
        """Close the files, also where they are not complete."""
        self.complete()

    def complete(self) -> dict[str, Any]:
        """Complete the files; return what the manifest says of them."""
        return {file.name: file.close() for file in (self._starts, self._sentences, *self._borders)}


def sentence_bytes(text: str, kinds: Bytes, tag: Codes, start: Codes, end: Codes, *, lines: bool) -> Bytes:
    """Return the sentences of a document as the index keeps them, for elements of these kinds by their tags.

    Elements that end beyond the text, in a damaged index, end with it.
    """
    data = padded_text(text)
    start, end = np.clip(start, 0, len(text)), np.clip(end, 0, len(text))
    out = np.empty(room_for_sentences(len(text)), dtype=np.uint8)
    find = _sentences_between.for_work(_STEPS * len(data))
    size = find(data, len(text), tag, start, end, kinds, lines, *sentence_tables(), out)
    return out[:size]


@Kernel
def _sentences_between(
    text: Bytes,
    characters: int,
    tag: Codes,
    start: Codes,
    end: Codes,
    kinds: Bytes,
    lines: bool,
    points: Bytes,
    abbreviations: Keys,
    before_numbers: Keys,
    out: Bytes,
) -> int:
    """Write the sentences of a document between the borders of its elements; return how many bytes.

    `room_for_sentences` says why `out` has room for them; all borders are within the text's characters.
    """
    size = len(text) - BLOCK
    marks = np.empty(room_for_marks(characters), dtype=np.uint64)
    all_skips = np.empty(2 * len(tag), dtype=np.int64)
    skips = all_skips[: _mark_borders(kinds, tag, start, end, 0, len(tag), marks, all_skips)]
    rows = make_rows(size)
    look_at(text, 0, size, marks, skips, rows)
    return find_sentences(text, 0, size, rows, skips, lines, points, abbreviations, before_numbers, out, 0)


@Kernel
def find_places(
    text: Bytes,
    borders: Codes,
    tag: Codes,
    start: Codes,
    end: Codes,
    ends: Ints,
    kinds: Bytes,
    lines: Bytes,
    points: Bytes,
    abbreviations: Keys,
    before_numbers: Keys,
    starts: Bytes,
    sentences: Bytes,
    sizes: Ints,
) -> None:
    """Write where the tokens of documents begin, and their sentences; `sizes` says how many bytes each takes.

    `ends` is how much there was of everything after each document, and in the beginning. The distance to the
    next token takes no more bytes than it is characters long; only the first of a document may be 0 and take
    one: `starts` has room for all characters, and a byte for every document. `room_for_sentences` says it of
    sentences; the documents follow one another in both.
    """
    longest, most = 0, 0
    for d in range(len(sizes)):
        longest = max(longest, ends[d + 1, TEXT_BYTES] - ends[d, TEXT_BYTES])
        most = max(most, ends[d + 1, ELEMENTS] - ends[d, ELEMENTS])
    all_marks = np.empty(room_for_marks(longest), dtype=np.uint64)
    all_skips = np.empty(2 * most, dtype=np.int64)
    rows = make_rows(longest)
    at, place = 0, 0
    for d in range(len(sizes)):
        begin, size = ends[d, TEXT_BYTES], ends[d + 1, TEXT_BYTES] - ends[d, TEXT_BYTES]
        first, last = ends[d, ELEMENTS], ends[d + 1, ELEMENTS]
        marks = all_marks[: room_for_marks(ends[d + 1, CHARACTERS] - ends[d, CHARACTERS])]
        skips = all_skips[: _mark_borders(kinds, tag, start, end, first, last, marks, all_skips)]
        look_at(text, begin, size, marks, skips, rows)
        written = _token_starts(
            borders, ends[d, BORDERS] >> 1, ends[d + 1, BORDERS] >> 1, begin, rows, starts, at
        )
        sizes[d, 0] = written - at
        at = written
        by_line = lines[tag[first]] != 0
        found = find_sentences(
            text, begin, size, rows, skips, by_line, points, abbreviations, before_numbers, sentences, place
        )
        sizes[d, 1] = found - place
        place = found


@LoopStep
def _mark_borders(
    kinds: Bytes, tag: Codes, start: Codes, end: Codes, first: int, last: int, marks: Words, skips: Ints
) -> int:
    """Mark where blocks of text begin and end, and list where skipped parts do; return how many of these.

    They are those of the elements of one document, from `first` to before `last`. `room_for_marks` says why
    `marks` has room for them; `skips` has two places for every element.
    """
    marks[:] = 0
    count, skip_end = 0, 0
    for e in range(np.uint64(first), np.uint64(last)):
        kind = kinds[np.uint64(tag[e])]
        if kind == SKIPPED:
            if start[e] >= skip_end and end[e] > start[e]:
                skips[count], skips[count + 1] = start[e], end[e]
                count += 2
                skip_end = end[e]
        elif kind != INLINE:
            mark(marks, start[e])
            mark(marks, end[e])
    return count


@LoopStep
def _token_starts(borders: Codes, first: int, last: int, begin: int, rows: Rows, out: Bytes, at: int) -> int:
    """Write where the tokens of a document begin, in characters, as distances; return where `out` ends.

    Token k begins at byte `borders[2 * k]` of all texts, and this document's at byte `begin`. Whoever calls
    this has made room for all of them.
    """
    one, two, group = np.uint64(1), np.uint64(2), np.uint64(_GROUP)
    k, end, to = np.uint64(first), np.uint64(last), np.uint64(at)
    place, before = begin, 0  # where the token before begins, in bytes and in characters
    while k < end:
        stop = min(k + group, end)
        beyond = int64(borders[two * (stop - one)])
        character = character_at(rows, beyond - begin)
        if k > np.uint64(first) and stop == k + group and character - before == beyond - place:
            largest = np.int32(0)
            for j in range(group):
                distance = borders[two * (k + j)] - borders[two * (k + j) - two]
                out[to + j] = np.uint8(distance) | np.uint8(128)
                largest |= distance
            if largest < 128:
                place, before = beyond, character
                k, to = stop, to + group
                continue
        while k < stop:
            character = character_at(rows, int64(borders[two * k]) - begin)
            to = np.uint64(put(out, int64(to), character - before))
            before = character
            k += one
        place = beyond
    return int64(to)
