"""The compiled reader of XML runs: results that all look the same are taken out of a file at once.

A run is tens of thousands of results in a frame of a few hundred bytes. This scanner cuts the results out and
leaves the frame, with a mark where results were, to the XML parser. It knows results of one form only: plain
ASCII, no attributes but those of `fol`, no references, nothing unknown in them. Where it meets anything else
it gives up, and the whole file is parsed, by the reader that explains.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.runs.formats.text_fields import Column, decimal, names_of, whole_number
from inexlab.tables import Bytes, Floats, Ints, same_bytes
from inexlab.xml_parser import is_ascii

MARK = "cut-results"
_FRAME = re.compile(rb"(?:<\?xml[^<>]*\?>)?\s*(?:<!DOCTYPE[^<>\[]*>)?(?:[^<]|<(?![!?]))*+")

# fields of a result, each with the places before and behind it, which is how `number_names` finds columns
FILE, PATH, RANK, RSV, OFFSET, LENGTH = range(6)
_BEFORE, _BEHIND, _WIDTH = 0, 1, 12

_TAB, _NEWLINE, _RETURN, _SPACE = (ord(character) for character in "\t\n\r ")
_QUOTE, _AMPERSAND, _LESS, _MORE, _DELETE = (ord(character) for character in '"&<>\x7f')
_OPEN, _CLOSE, _FOL, _LENGTH_IS, _EMPTY = (
    np.frombuffer(word, dtype=np.uint8)
    for word in (b"<result>", b"</result>", b'<fol offset="', b'" length="', b'"/>')
)
_NAMES = np.frombuffer(b"<file></file><path></path><rank></rank><rsv></rsv>", dtype=np.uint8)
_NAMES_FROM = np.array([0, 6, 13, 19, 26, 32, 39, 44, 50], dtype=np.int64)  # start and end tag in turn


class XmlScan(NamedTuple):
    """The results of a run and what is around them.

    There are `counts` results in place of each mark in the frame. A number that is not there is NaN, and one
    that needs more care to read is infinite; `places` says where it is.
    """

    frame: bytes
    counts: Ints
    doc: Column
    path: Column
    rank: Floats
    rsv: Floats
    start: Ints
    end: Ints
    places: Ints


def scan(data: bytes) -> XmlScan | None:
    """Cut the results out of a run; None if one is not plain."""
    most = data.count(_OPEN.tobytes())
    if not most or not is_ascii(data) or MARK.encode() in data:
        return None
    bytes_ = np.frombuffer(data, dtype=np.uint8)
    places, cuts = np.zeros((most, _WIDTH), dtype=np.int64), np.empty((most, 3), dtype=np.int64)
    count = _scan_results.compiled(bytes_, places, cuts)
    if count < 0:
        return None
    cuts = cuts[:count]
    frame = _frame(data, cuts)
    if b"<result" in frame or not _FRAME.fullmatch(frame):
        return None
    has_path = bool(places[0, 2 * PATH + _BEHIND])
    understood, rank, rsv, start, end = _scan_numbers.compiled(bytes_, places, has_path)
    if not understood:
        return None
    flat = places.reshape(-1)
    doc = names_of(bytes_, flat, _WIDTH, 2 * FILE + _BEFORE)
    path = names_of(bytes_, flat if has_path else flat[:0], _WIDTH, 2 * PATH + _BEFORE)
    if not has_path:
        path = path._replace(codes=np.full_like(doc.codes, -1))
    return XmlScan(frame, cuts[:, 2], doc, path, rank, rsv, start, end, places)


def _frame(data: bytes, cuts: Ints) -> bytes:
    begins, ends = [0, *cuts[:, 1].tolist()], [*cuts[:, 0].tolist(), len(data)]
    return f"<{MARK}/>".encode().join(data[a:b] for a, b in zip(begins, ends, strict=True))


@Kernel
def _scan_results(data: Bytes, places: Ints, cuts: Ints) -> int:
    """Find all results: their fields, and stretches of them (from, to, how many); return how many of those.

    -1 where there is one that is not plain.

    `places` and `cuts` have a row for every `<result>` of the data. None is inside another that is plain, so
    there is one ahead for every row; and a stretch holds at least one.
    """
    at, count = 0, 0
    for row in range(len(places)):
        begin = _after_space(data, at)
        if row == 0 or not _is_there(data, begin, _OPEN):
            while at < len(data) and not _is_there(data, at, _OPEN):
                at += 1
            if at == len(data):
                return -1
            begin = at
            cuts[count, 0], cuts[count, 2] = begin, 0
            count += 1
        at = _after_result(data, begin + len(_OPEN), places[row])
        if at < 0:
            return -1
        cuts[count - 1, 1] = at
        cuts[count - 1, 2] += 1
    return count


@Kernel
def _after_result(data: Bytes, at: int, fields: Ints) -> int:
    """Note the fields of a result, and return what is behind it, -1 where it is not plain.

    `fields` has two places for each field there is.
    """
    at = _after_space(data, at)
    while not _is_there(data, at, _CLOSE):
        known = False
        for field in range(4):
            tag, end_tag, next_tag = _NAMES_FROM[2 * field : 2 * field + 3]
            if not known and same_bytes(data, at, min(at + end_tag - tag, len(data)), _NAMES, tag, end_tag):
                known = True
                begin = _after_space(data, at + end_tag - tag)
                stop = _after_text(data, begin, _LESS)
                if stop < 0 or not same_bytes(
                    data, stop, min(stop + next_tag - end_tag, len(data)), _NAMES, end_tag, next_tag
                ):
                    return -1
                at = stop + next_tag - end_tag
                while stop > begin and data[stop - 1] <= _SPACE:
                    stop -= 1
                if stop == begin or fields[2 * field + _BEHIND]:
                    return -1
                fields[2 * field + _BEFORE], fields[2 * field + _BEHIND] = begin - 1, stop
        if not known:
            if not _is_there(data, at, _FOL) or fields[2 * OFFSET + _BEHIND]:
                return -1
            begin = at + len(_FOL)
            stop = _after_text(data, begin, _QUOTE)
            if stop <= begin or not _is_there(data, stop, _LENGTH_IS):
                return -1
            fields[2 * OFFSET + _BEFORE], fields[2 * OFFSET + _BEHIND] = begin - 1, stop
            begin = stop + len(_LENGTH_IS)
            stop = _after_text(data, begin, _QUOTE)
            if stop <= begin or not _is_there(data, stop, _EMPTY):
                return -1
            fields[2 * LENGTH + _BEFORE], fields[2 * LENGTH + _BEHIND] = begin - 1, stop
            at = stop + len(_EMPTY)
        at = _after_space(data, at)
    return at + len(_CLOSE)


@Kernel
def _scan_numbers(data: Bytes, places: Ints, has_path: bool) -> tuple[bool, Floats, Floats, Ints, Ints]:
    """Read ranks, scores and spans; False if a result has no file, or a path where others have none.

    There is a place for every row.
    """
    rank, rsv = np.empty(len(places)), np.empty(len(places))
    start, end = np.full(len(places), -1, dtype=np.int64), np.full(len(places), -1, dtype=np.int64)
    for row in range(len(places)):
        fields = places[row]
        has_span = fields[2 * OFFSET + _BEHIND] > 0
        if (
            not fields[2 * FILE + _BEHIND]
            or (fields[2 * PATH + _BEHIND] > 0) != has_path
            or has_span == has_path
        ):
            return False, rank, rsv, start, end
        rank[row] = _number(data, fields, RANK)
        rsv[row] = _number(data, fields, RSV)
        if has_span:
            offset = whole_number(data, fields[2 * OFFSET + _BEFORE] + 1, fields[2 * OFFSET + _BEHIND])
            length = whole_number(data, fields[2 * LENGTH + _BEFORE] + 1, fields[2 * LENGTH + _BEHIND])
            if offset < 0 or length < 0:
                return False, rank, rsv, start, end
            start[row], end[row] = offset, offset + length
    return True, rank, rsv, start, end


@Kernel
def _number(data: Bytes, fields: Ints, field: int) -> float:
    """Read a number: NaN if there is none, infinity where it takes more care."""
    if not fields[2 * field + _BEHIND]:
        return np.nan
    number = decimal(data, fields[2 * field + _BEFORE] + 1, fields[2 * field + _BEHIND])
    return np.inf if np.isnan(number) else number


@Kernel
def _is_there(data: Bytes, at: int, word: Bytes) -> bool:
    """Whether a word is at a place."""
    return at + len(word) <= len(data) and same_bytes(data, at, at + len(word), word, 0, len(word))


@Kernel
def _after_space(data: Bytes, at: int) -> int:
    """Return the first place from `at` on that is not white space."""
    while at < len(data) and (
        data[at] == _SPACE or data[at] == _NEWLINE or data[at] == _RETURN or data[at] == _TAB
    ):
        at += 1
    return at


@Kernel
def _after_text(data: Bytes, at: int, end: int) -> int:
    """Return where a text ends, -1 where there is more in it than printable characters, and space behind."""
    while at < len(data) and data[at] >= _SPACE and data[at] < _DELETE and data[at] != end:
        if data[at] == _AMPERSAND or data[at] == _LESS or data[at] == _MORE:
            return -1
        at += 1
    if end == _LESS:
        at = _after_space(data, at)
    return at if at < len(data) and data[at] == end else -1
