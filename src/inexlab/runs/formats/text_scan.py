"""The compiled reader of text runs: straight from the bytes into the columns of a run.

It reads what well-made files hold and nothing else: full lines, one space or tab between columns, plain
numbers. Where it meets anything odd it stops; the caller tidies the file and tries again, or takes the plain
reader, which explains. It makes few tables but its result: fresh memory costs as much as the reading itself.
What it needs on the way it keeps for some hundred rows at a time, near the processor.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from inexlab.accelerate import Kernel, LoopStep
from inexlab.instructions import Ranges, bytes_among, count_bits, lowest_bit
from inexlab.runs.formats.text_fields import (
    ODD,
    TOGETHER,
    Column,
    NameTable,
    decimal,
    name_table,
    names_of,
    number_names,
    numbered,
    whole_number,
)
from inexlab.tables import SECRET, Bytes, Codes, Floats, Hashes, Ints, same_bytes

_TAB, _NEWLINE, _SPACE, _HASH, _SLASH, _X = (ord(character) for character in "\t\n #/X")
_SEPARATORS: Ranges = ((0, _SPACE),)
_PLAIN: Ranges = ((_TAB, _NEWLINE), (_SPACE, _SPACE))
_NEWLINES: Ranges = ((_NEWLINE, _NEWLINE),)
_DOC, _SCORE, _TAG, _PLACE = 2, 4, 5, 6
_ROWS = 512  # whose borders are kept at a time


class TextScan(NamedTuple):
    """A scanned run; a score that needs more care to read is NaN, and stands at `score_at` (else not set)."""

    topic: Column
    doc: Column
    path: Column
    score: Floats
    score_at: Ints
    start: Ints
    end: Ints


def scan(data: Bytes, width: int, tag: Bytes) -> TextScan | None:
    """Read rows of `width` columns, all with the run id `tag`; None if a row is not plainly that."""
    tail = np.full(64, _X, dtype=np.uint8)  # the bytes that fill no block of 64, and none that separates
    tail[: len(data) % 64] = data[len(data) - len(data) % 64 :]
    rows = int(_count_rows.compiled(data, tail, width))
    if rows <= 0:
        return None
    docs, paths = name_table(rows), name_table(rows if width == 7 else 0)
    heads, at_head = np.empty(2 * rows, dtype=np.int64), np.empty(rows, dtype=np.int64)
    doc, path = np.empty((2, rows), dtype=np.int32)
    score, (score_at, start, end) = np.empty(rows), np.empty((3, rows), dtype=np.int64)
    tag = np.concatenate((tag, np.zeros(8, dtype=np.uint8)))  # bytes are read by eight
    names, columns = (heads, at_head, docs, paths, doc, path), (score, score_at, start, end)
    with np.errstate(over="ignore"):  # bits run over, and plain Python would say so
        stretches, *counts = _scan_rows.compiled(data, tail, width, tag, SECRET, *names, *columns)
    if not stretches:
        return None
    topic = names_of(data, heads[: 2 * stretches], 2, 0)
    lengths = np.diff(at_head[:stretches], append=rows)
    return TextScan(
        topic._replace(codes=np.repeat(topic.codes, lengths)),
        numbered(doc, docs, counts[0]),
        numbered(path, paths, counts[1]),
        *columns,
    )


@Kernel
def _count_rows(data: Bytes, tail: Bytes, width: int) -> Any:
    """Return how many lines there are; -1 if columns are not plainly separated, or not `width` in a line.

    Whole blocks are read from the data, the bytes behind them from `tail`, which is one block.
    """
    one, block = np.uint64(1), np.uint64(64)
    blocks = np.uint64(len(data)) // block
    lines, found, before, odd = np.uint64(0), np.uint64(0), one, np.uint64(0)
    for number in range(blocks + one):
        some = data if number < blocks else tail
        at = number * block if number < blocks else np.uint64(0)
        bits = bytes_among(some, at, _SEPARATORS)
        odd |= bits ^ bytes_among(some, at, _PLAIN)
        odd |= bits & ((bits << one) | before)  # a column without a character
        before = bits >> (block - one)
        lines += count_bits(bytes_among(some, at, _NEWLINES))
        found += count_bits(bits)
    if odd or found != lines * np.uint64(width) or not lines or data[len(data) - 1] != _NEWLINE:
        return -1
    return np.int64(lines)


@Kernel
def _scan_rows(
    data: Bytes,
    tail: Bytes,
    width: int,
    tag: Bytes,
    secret: Hashes,
    heads: Ints,
    at_head: Ints,
    docs: NameTable,
    paths: NameTable,
    doc: Codes,
    path: Codes,
    score: Floats,
    score_at: Ints,
    start: Ints,
    end: Ints,
) -> tuple[int, int, int]:
    """Read all rows, and return how many stretches of rows with one topic, documents and paths there are.

    No stretch if a row is odd. Each has the borders of its topic in `heads`, and its first row in `at_head`.

    There is a place for every row: `_count_rows` has seen as many times `width` separators as there are. Of
    `borders` the first is what is before the first row of some, and then there is room for the separators of
    `_ROWS` rows and for 64, as a block is looked at only if those rows are not complete. They are written by
    eight, of which the last may be none, and are written over: of 64 at most, so no more than there is room.
    """
    one, block = np.uint64(1), np.uint64(64)
    blocks = np.uint64(len(data)) // block
    borders = np.empty(1 + _ROWS * width + 64, dtype=np.int64)
    borders[0] = -1
    keys = np.empty(TOGETHER, dtype=np.uint64)
    found: Any = 0
    done, number = 0, np.uint64(0)
    stretches, counted_docs, counted_paths = 0, 0, 0
    while done < len(score):
        while found < _ROWS * width and number <= blocks:
            if number < blocks:
                bits = bytes_among(data, number * block, _SEPARATORS)
            else:
                bits = bytes_among(tail, np.uint64(0), _SEPARATORS)
            at, place, count = number * block, np.uint64(found) + one, count_bits(bits)
            while True:  # by eight, as no processor can guess how many there are
                for k in range(np.uint64(8)):
                    borders[place + k] = at + lowest_bit(bits)
                    bits &= bits - one
                place += np.uint64(8)
                if not bits:
                    break
            found += np.int64(count)
            number += one
        rows = min(found // width, _ROWS)
        last = done + rows
        if not _scan_numbers(
            data, borders, width, tag, score[done:last], score_at[done:last], start[done:last], end[done:last]
        ):
            return 0, 0, 0
        for row in range(rows):
            before, behind = borders[row * width], borders[row * width + 1]
            if not stretches or not same_bytes(
                data, before + 1, behind, data, heads[2 * stretches - 2] + 1, heads[2 * stretches - 1]
            ):
                heads[2 * stretches], heads[2 * stretches + 1] = before, behind
                at_head[stretches] = done + row
                stretches += 1
        counted_docs = number_names(
            data, borders, width, _DOC, 0, docs, counted_docs, doc[done:last], keys, secret
        )
        if width == 7:
            counted_paths = number_names(
                data, borders, width, _PLACE, _SLASH, paths, counted_paths, path[done:last], keys, secret
            )
        else:
            path[done:last] = -1
        for k in range(rows * width, found + 1):
            borders[k - rows * width] = borders[k]
        found -= rows * width
        done = last
    return stretches, counted_docs, counted_paths


@LoopStep
def _scan_numbers(
    data: Bytes,
    borders: Ints,
    width: int,
    tag: Bytes,
    score: Floats,
    score_at: Ints,
    start: Ints,
    end: Ints,
) -> bool:
    """Check the layout of some rows, and read their scores and spans; return whether all are plain.

    There is a place for every row, and a row has `width` borders behind the one that it begins with, of which
    the last ends a line; what is behind a border is only looked at in a row that goes on.
    """
    for row in range(np.uint64(len(score))):
        at = row * np.uint64(width)
        tagged = same_bytes(
            data, borders[at + np.uint64(_TAG)] + 1, borders[at + np.uint64(_TAG + 1)], tag, 0, len(tag) - 8
        )
        if (
            data[np.uint64(borders[at] + 1)] == _HASH
            or data[np.uint64(borders[at + np.uint64(width)])] != _NEWLINE
            or not tagged
        ):
            return False
        score[row] = decimal(data, borders[at + np.uint64(_SCORE)] + 1, borders[at + np.uint64(_SCORE + 1)])
        if np.isnan(score[row]):
            score_at[row] = borders[at + np.uint64(_SCORE)] + 1
        start[row] = end[row] = -1
        place = borders[at + np.uint64(_PLACE)] + 1
        if width > 6 and not (width == 7 and data[place] == _SLASH):
            offset = whole_number(data, place, borders[at + np.uint64(7)])
            length = (
                whole_number(data, borders[at + np.uint64(7)] + 1, borders[at + np.uint64(8)])
                if width == 8
                else 0
            )
            if offset == ODD or (offset != -1 and length < 0):
                return False
            if offset >= 0:
                start[row], end[row] = offset, offset + length
    return True
