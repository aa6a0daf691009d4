"""Files in, piece by piece: what `files` does for files that fit in memory, done for files of any size.

A stream knows its beginning at once, which is enough to tell its format, and reads the rest when asked.
"""

from __future__ import annotations

import codecs
import itertools
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import cast

from inexlab.errors import InputError
from inexlab.files import (
    Source,
    begins_like_xml,
    encoding_mark,
    explained,
    need_text,
    shown_name,
    unpacked_pieces,
)
from inexlab.limits import need_limits
from inexlab.progress import BYTES, report

_CHUNK = 1 << 20
_LONGEST = 1 << 26  # bytes of one line, and of a beginning without any row


@dataclass(frozen=True)
class Stream:
    """An input file: its beginning as a source, and an iterator over all that follows."""

    head: Source
    _rest: Iterator[bytes]

    def chunks(self) -> Iterator[bytes]:
        """Yield the whole content in pieces, once."""
        return itertools.chain([self.head.data], self._rest)

    def source(self) -> Source:
        """Read the rest, and return all of it as a source."""
        pieces, size = [], 0
        with explained(self.head.name):
            for piece in self.chunks():
                pieces.append(piece)
                size += len(piece)
                need_limits(size, None)
        return Source(self.head.name, b"".join(pieces), self.head.is_xml)

    def lines(self) -> Iterator[bytes]:
        """Yield the lines without their ends, once."""
        rest, number = b"", 1
        for chunk in self.chunks():
            *lines, rest = (rest + chunk).split(b"\n")
            yield from lines
            number += len(lines)
            if len(rest) > _LONGEST:
                fix = "Check that it is a text file with one row per line."
                raise self.head.problem(f"a line of more than {_LONGEST:,} bytes", number, fix)
        yield rest


def open_stream(path: str | Path) -> Stream:
    """Open a file of text or XML; how far it is read is reported.

    Refuses what `read_source` refuses: folders, missing, damaged, empty and binary files.
    """
    name = shown_name(path)
    pieces = _pieces(path)
    beginning = next(pieces, b"")
    if begins_like_xml(beginning):
        return Stream(Source(name, beginning, is_xml=True), pieces)
    pieces = _in_utf8(name, beginning, pieces)
    head = b""
    for piece in pieces:
        head += piece
        if len(head) > _LONGEST or _has_row(head):
            break
    need_text(head, name)
    return Stream(Source(name, head, is_xml=False), pieces)


def _has_row(head: bytes) -> bool:
    whole = head.rpartition(b"\n")[0]
    return bool(whole) and bool(Source("", whole, is_xml=False).first_row[1])


def _pieces(path: str | Path) -> Iterator[bytes]:
    with explained(path):
        standard_input = str(path) == "-"
        if Path(path).is_dir():
            raise InputError("is a folder where a file is expected", file=str(path), fix="Give a file in it.")
        file = cast(BufferedReader, sys.stdin.buffer) if standard_input else Path(path).open("rb")  # noqa: SIM115
        of = 0 if standard_input else os.fstat(file.fileno()).st_size
        try:
            for piece in unpacked_pieces(file, _CHUNK, in_memory=False):
                if not standard_input:
                    report(f"reading {path}", file.tell(), of, BYTES)
                yield piece
        finally:
            if not standard_input:
                file.close()


def _in_utf8(name: str, beginning: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the content in UTF-8, without its byte-order mark."""
    encoding = encoding_mark(beginning)
    if encoding is None:
        yield beginning
        yield from pieces
        return
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        yield decoder.decode(beginning).lstrip("\ufeff").encode()
        for piece in pieces:
            yield decoder.decode(piece).encode()
        yield decoder.decode(b"", final=True).encode()
    except UnicodeError as error:
        what = f"begins like {encoding} but is not ({getattr(error, 'reason', error)})"
        raise InputError(what, file=name, fix="Download or create it again.") from None
