"""Judgements in lines of columns: what all such formats have in common."""

from __future__ import annotations

from collections.abc import Callable

from inexlab.errors import InputError
from inexlab.files import Source
from inexlab.judgements.table import JudgementsBuilder

AddLine = Callable[[Source, int, list[bytes], JudgementsBuilder], None]


def read_lines(source: Source, builder: JudgementsBuilder, add: AddLine) -> None:
    """Give every line to `add`, but blank ones and comments; the builder decides what a bad one means."""
    for number, line in enumerate(source.data.split(b"\n"), start=1):
        columns = line.split()
        if not columns or columns[0].startswith(b"#"):
            continue
        try:
            add(source, number, columns, builder)
        except InputError as error:
            builder.refuse(error)


def topic_and_document(source: Source, line: int, columns: list[bytes]) -> tuple[str, str]:
    """Return the first and the third column as text."""
    try:
        return columns[0].decode(), columns[2].decode()
    except UnicodeDecodeError as error:
        raise source.problem(f"is not UTF-8 ({error.reason})", line, fix="Convert the file.") from None


def judged_twice(source: Source, line: int, topic: str, doc: str) -> InputError:
    """Return the error for a document that is judged again."""
    what = f"document {doc} is judged a second time for topic {topic}"
    return source.problem(what, line, fix="Keep one line.")
