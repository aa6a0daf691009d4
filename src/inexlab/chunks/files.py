"""Files of chunks: JSON Lines, a JSON list, or CSV, with the fields that `pieces` knows.

Chunks with a topic or a question are results, best first; without, they are all chunks of a chunking, in the
order of their documents.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from inexlab.chunks.pieces import Piece, piece_of, pieces_of
from inexlab.errors import InputError, UsageError
from inexlab.files import Source, read_source


def read_pieces(chunks: object) -> list[Piece]:
    """Return the chunks of a file, or of a frame, records or objects."""
    if not isinstance(chunks, str | Path):
        return pieces_of(chunks)
    source = read_source(chunks)
    found = [_piece(source, line, record) for line, record in _records(source)]
    if not found:
        raise InputError("holds no chunks", file=source.name, fix="Check that it was written to the end.")
    return found


def _piece(source: Source, line: int, record: Any) -> Piece:
    try:
        return piece_of(record, line)
    except UsageError as error:
        raise source.problem(str(error).rstrip("."), line) from None


def _records(source: Source) -> Iterable[tuple[int, Any]]:
    data = source.data.removeprefix(b"\xef\xbb\xbf")
    if source.name.lower().removesuffix(".gz").endswith(".csv"):
        csv.field_size_limit(10**9)
        rows = csv.DictReader(io.StringIO(data.decode("utf-8", "replace"), newline=""))
        return [(rows.line_num, {k: _plain(v) for k, v in row.items() if k}) for row in rows]
    if data.lstrip()[:1] == b"[":
        return list(enumerate(_parsed(source, data, 1), start=1))
    lines = [(n, line) for n, line in enumerate(data.split(b"\n"), start=1) if line.strip()]
    return [(n, _parsed(source, line, n)) for n, line in lines if not line.startswith(b"#")]


def _parsed(source: Source, data: bytes, line: int) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        raise source.problem(
            "is no JSON", line, fix='Write a chunk to a line: {"doc": …, "text": …, "start": …}.'
        ) from None


def _plain(cell: str | None) -> Any:
    """Return a cell of CSV: a number where it is one, nothing where it is empty."""
    if cell is None or not cell.strip():
        return None
    try:
        return float(cell) if "." in cell or "e" in cell.lower() else int(cell)
    except ValueError:
        return cell
