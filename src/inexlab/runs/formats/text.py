"""Text runs: white-space separated columns, one result per line.

    topic Q0 doc rank rsv run-id                  a whole document (TREC)
    topic Q0 doc rank rsv run-id xpath            an element (INEX 2009-2010)
    topic Q0 doc rank rsv run-id offset           an entry point (Best in Context)
    topic Q0 doc rank rsv run-id offset length    a passage (INEX 2009-2010)

`X` or `-1` in place of an offset is a result that the submitting system could not locate. The order of
the lines is the ranking, as it was for the official tool, but in files of six columns, where the score is,
as it is for trec_eval. The rank column is never used. Large files are read by a compiled scanner; whatever
it does not understand is left to the reader here, which explains.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from inexlab.accelerate import worth_compiling
from inexlab.collection.paths import WHOLE_DOCUMENT
from inexlab.errors import InputError
from inexlab.files import Source
from inexlab.runs.formats.text_scan import scan
from inexlab.runs.order import by_score
from inexlab.runs.read import RunFormat, run_formats
from inexlab.runs.rows import Rows, RunRow
from inexlab.runs.table import Run, RunBuilder
from inexlab.streams import Stream
from inexlab.tables import Names
from inexlab.wording import counted

_LAYOUTS = {
    6: "whole documents",
    7: "a path or an offset in column 7",
    8: "offset and length in columns 7 and 8",
}
_LARGEST = 2**53
_COLUMN = re.compile(rb"\S+")
_UNLOCATED = (b"X", b"-1")


def _recognises(source: Source) -> bool:
    return not source.is_xml and source.first_row[1][:1] != b"{"


def _read(source: Source) -> Run:
    width, tag = _layout(source)
    _need_utf8(source)
    fast = _read_fast(source, width, tag) if worth_compiling(len(source.data) // 10) else None
    run = _read_slowly(source, width, tag) if fast is None else fast
    return by_score(run) if width == 6 else run


def _layout(source: Source) -> tuple[int, bytes]:
    """Return the number of columns and the run id, which the first row sets for all."""
    number, first = source.first_row
    columns = first.split()
    if not columns:
        raise source.problem("holds no results", fix="The file may be truncated.")
    if len(columns) not in _LAYOUTS:
        raise _wrong_count(source, number, len(columns), "6, 7 or 8")
    return len(columns), columns[5]


def _read_slowly(source: Source, width: int, tag: bytes) -> Run:
    """Read line by line, and say what is wrong with the first line that cannot be read."""
    builder = RunBuilder()
    for number, line in enumerate(source.data.split(b"\n"), start=1):
        row = _row(source, number, line, width, tag)
        if row is not None:
            builder.add(row.topic, row.doc, row.score, span=row.span, path=row.path)
    return builder.build(tag.decode(), source.name, {"columns": str(width)})


def _row(source: Source, number: int, line: bytes, width: int, tag: bytes) -> RunRow | None:
    """Return the result on one line; None for a blank line or a comment."""
    columns = line.split()
    if not columns or columns[0].startswith(b"#"):
        return None
    if len(columns) != width:
        raise _wrong_count(source, number, len(columns), f"{width} ({_LAYOUTS[width]}) as before")
    if columns[5] != tag:
        raise source.problem(
            f"run id {_shown(columns[5])} after {_shown(tag)}",
            number,
            fix="One file holds one run: split it.",
        )
    row = RunRow(
        number,
        columns[0].decode(),
        columns[2].decode(),
        _rank(columns[3]),
        _score(source, number, columns[4]),
    )
    if width == 6:
        row.path = WHOLE_DOCUMENT
    elif width == 7 and columns[6].startswith(b"/"):
        row.path = columns[6].decode()
    else:
        row.point = width == 7
        span = _span(source, number, columns[6:])
        if span is not None:
            row.start, row.end = span
    return row


def _rows(stream: Stream) -> Rows:
    width, tag = _layout(stream.head)
    return Rows(_each(stream, width, tag), {"columns": str(width), "run_id": tag.decode(errors="replace")})


def _each(stream: Stream, width: int, tag: bytes) -> Iterator[RunRow | InputError]:
    source = stream.head
    for number, line in enumerate(stream.lines(), start=1):
        try:
            if not line.isascii():
                _need_utf8(source, line, number)
            row = _row(source, number, line, width, tag)
        except InputError as error:
            yield error
        else:
            if row is not None:
                yield row


def _rank(column: bytes) -> float:
    try:
        return float(column)
    except ValueError:  # nobody orders results by it
        return float("nan")


def _score(source: Source, line: int, column: bytes) -> float:
    try:
        if b"_" in column:
            raise ValueError
        return float(column)
    except ValueError:
        fix = "Columns are: topic Q0 doc rank score run-id …"
        raise source.problem(f"score {_shown(column)} in column 5 is not a number", line, fix) from None


def _span(source: Source, line: int, columns: list[bytes]) -> tuple[int, int] | None:
    """Return the span of an offset, or of an offset and a length; None for one that was not located."""
    if columns[0] in _UNLOCATED:
        return None
    if all(column.isdigit() and len(column) < 16 for column in columns):
        start = int(columns[0])
        return start, start + int(columns[-1]) * (len(columns) == 2)
    for name, column in zip(("offset", "length"), columns, strict=False):
        if not column.isdigit() or len(column) > 1000 or int(column) > _LARGEST:
            what = "is negative" if column[:1] == b"-" and column[1:].isdigit() else "is not a whole number"
            fix = "Columns 7 and 8 are offset and length in characters." if len(columns) == 2 else ""
            fix = fix or "Column 7 is an XPath (/article[1]/…) or an offset in characters."
            raise source.problem(f"{name} {_shown(column)} {what}", line, fix)
    start = int(columns[0])
    return start, start + (int(columns[1]) if len(columns) == 2 else 0)


def _wrong_count(source: Source, line: int, found: int, expected: str) -> InputError:
    return source.problem(
        f"{counted(found, 'column')}, expected {expected}",
        line,
        fix="Columns are: topic Q0 doc rank score run-id, and a path, an offset, both numbers, or none.",
    )


def _shown(column: bytes) -> str:
    return repr(column.decode(errors="replace"))


def _read_fast(source: Source, width: int, tag: bytes) -> Run | None:
    """Read with compiled code; None if the file holds anything out of the ordinary."""
    data = source.data
    read = scan(np.frombuffer(data, dtype=np.uint8), width, np.frombuffer(tag, dtype=np.uint8))
    if read is None:
        data = _tidy(data)
        read = scan(np.frombuffer(data, dtype=np.uint8), width, np.frombuffer(tag, dtype=np.uint8))
    if read is None:
        return None
    try:
        for row in np.flatnonzero(np.isnan(read.score)).tolist():
            at = int(read.score_at[row])
            read.score[row] = _score(source, row, _COLUMN.match(data, at)[0])  # type: ignore[index]
    except InputError:
        return None
    topics, docs, paths = (Names(data, c.begin, c.end, c.hashes) for c in (read.topic, read.doc, read.path))
    path = read.path.codes
    if width == 6:
        path, paths = np.zeros_like(path), Names.of([WHOLE_DOCUMENT])
    return Run(
        id=tag.decode(),
        topics=topics,
        docs=docs,
        paths=paths,
        topic=read.topic.codes,
        doc=read.doc.codes,
        score=read.score,
        start=read.start,
        end=read.end,
        path=path,
        until=np.full_like(path, -1),
        file=source.name,
        about={"columns": str(width)},
    )


def _tidy(data: bytes) -> bytes:
    """Return the rows with one space between columns, without blank lines and comments."""
    rows = (line.split() for line in data.split(b"\n"))
    return b"".join(b" ".join(row) + b"\n" for row in rows if row and not row[0].startswith(b"#"))


def _need_utf8(source: Source, data: bytes | None = None, line: int = 1) -> None:
    """Refuse the file, or the part of it that begins at a line, if it is not UTF-8."""
    data = source.data if data is None else data
    try:
        if not data.isascii():
            data.decode()
    except UnicodeDecodeError as error:
        line += data.count(b"\n", 0, error.start)
        fix = "Convert the file, for example with iconv."
        raise source.problem(f"is not UTF-8 ({error.reason})", line, fix) from None


run_formats.add("text", RunFormat("text", _recognises, _read, _rows))
