"""Where tokens and sentences are in the texts of documents: what cuts these into units needs.

Both are rows of bytes, distances between characters, one document behind the other: most tokens take one
byte, most sentences three.
"""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.index.batch import Batch
from inexlab.index.postings import put
from inexlab.index.scan import BORDERS, CHARACTERS, ELEMENTS, INLINE, SKIPPED, TEXT_BYTES
from inexlab.index.scanner import Scanner
from inexlab.index.sentences import (
    Keys,
    find_sentences,
    mark_borders,
    room_for_sentences,
    sentence_tables,
)
from inexlab.index.store import ArrayFile, save_array
from inexlab.tables import Bytes, Codes, Ints

PLACE_BORDERS = ("document-token-starts", "document-sentences")
PLAIN_TEXT = "plaintext"  # the root of documents whose lines end sentences
_STEPS = 12  # of plain Python to a byte of text


class PlaceFiles:
    """The places of tokens and sentences while an index grows."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._starts, self._sentences = ArrayFile(folder, "token-starts"), ArrayFile(folder, "sentences")
        self._starts_from, self._sentences_from = array("q", [0]), array("q", [0])

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
        for borders, column in ((self._starts_from, sizes[:, 0]), (self._sentences_from, sizes[:, 1])):
            borders.extend((borders[-1] + np.cumsum(column)).tolist())

    def close(self) -> None:
        """Close the files, also where they are not complete."""
        self._starts.close()
        self._sentences.close()

    def complete(self) -> dict[str, Any]:
        """Complete the files; return what the manifest says of them."""
        arrays = {file.name: file.close() for file in (self._starts, self._sentences)}
        for name, borders in zip(PLACE_BORDERS, (self._starts_from, self._sentences_from), strict=True):
            arrays[name] = save_array(self._folder, name, np.array(borders, dtype=np.int64))
        return arrays


def sentence_bytes(text: str, kinds: Bytes, tag: Codes, start: Codes, end: Codes, *, lines: bool) -> Bytes:
    """Return the sentences of a document as the index keeps them, for elements of these kinds by their tags.

    Elements that end beyond the text, in a damaged index, end with it.
    """
    data = np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)
    marks = np.zeros(len(text) + 1, dtype=np.uint8)
    start, end = np.clip(start, 0, len(text)), np.clip(end, 0, len(text))
    mark_borders.for_work(4 * len(tag))(kinds, tag, start, end, 0, len(tag), INLINE, SKIPPED, marks)
    out = np.empty(room_for_sentences(len(text)), dtype=np.uint8)
    find = find_sentences.for_work(_STEPS * len(data))
    return out[: find(data, 0, len(data), marks, lines, *sentence_tables(), out, 0)]


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
    longest = 0
    for d in range(len(sizes)):
        longest = max(longest, ends[d + 1, CHARACTERS] - ends[d, CHARACTERS])
    marks = np.zeros(longest + 1, dtype=np.uint8)
    at, place = 0, 0
    for d in range(len(sizes)):
        begin, stop = ends[d, TEXT_BYTES], ends[d + 1, TEXT_BYTES]
        characters = ends[d + 1, CHARACTERS] - ends[d, CHARACTERS]
        first, last = ends[d, ELEMENTS], ends[d + 1, ELEMENTS]
        written = _token_starts(
            text,
            borders,
            ends[d, BORDERS] >> 1,
            ends[d + 1, BORDERS] >> 1,
            begin,
            stop - begin == characters,
            starts,
            at,
        )
        sizes[d, 0] = written - at
        at = written
        marks[: characters + 1] = 0
        mark_borders(kinds, tag, start, end, first, last, INLINE, SKIPPED, marks)
        by_line = lines[tag[first]] != 0
        found = find_sentences(
            text, begin, stop, marks, by_line, points, abbreviations, before_numbers, sentences, place
        )
        sizes[d, 1] = found - place
        place = found


@Kernel
def _token_starts(
    text: Bytes,
    borders: Codes,
    first: int,
    last: int,
    begin: int,
    plain: bool,
    out: Bytes,
    at: int,
) -> int:
    """Write where the tokens of a document begin, in characters, as distances; return where `out` ends.

    Token k begins at byte `borders[2 * k]` of `text`, and the document at byte `begin`. A `plain` one has one
    byte to a character.
    """
    before, place, character = 0, begin, 0
    for k in range(first, last):
        border = borders[2 * k]
        if plain:
            character = border - begin
        else:
            while place < border:
                character += (text[place] & 0xC0) != 0x80
                place += 1
        at = put(out, at, character - before)
        before = character
    return at
