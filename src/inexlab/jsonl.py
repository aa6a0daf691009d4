"""JSON Lines in and out: rows whose fields are asked for by name and type, with errors that name the line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from inexlab.errors import InputError
from inexlab.files import Source


class JsonRow:
    """One line of a JSON Lines file, whose fields are asked for by name and type."""

    def __init__(self, source: Source, line: int, values: dict[str, Any]) -> None:
        self._source, self.line, self._values = source, line, values

    def __contains__(self, key: str) -> bool:
        return self._values.get(key) is not None

    def has_null(self, *keys: str) -> bool:
        """Whether all these fields are given, as null."""
        return all(self._values.get(key, ...) is None for key in keys)

    def problem(self, what: str, fix: str = "") -> InputError:
        """Return the error that says what is wrong with this line."""
        return self._source.problem(what, self.line, fix)

    def get(self, key: str) -> Any:
        """Return a field as it is, None if it is missing."""
        return self._values.get(key)

    def string(self, key: str) -> str:
        """Return a field that names something; a number is taken as its digits."""
        value = self._need(key)
        if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
            raise self.problem(f"{key!r} is {value!r}, expected a name")
        if not _is_text(str(value)):
            raise self.problem(f"{key!r} is {value!r}, which contains a lone surrogate")
        return str(value)

    def text(self, key: str) -> str:
        """Return a field of free text, without white space around it; empty if it is missing."""
        value = "" if self._values.get(key) is None else self._values[key]
        if not isinstance(value, str) or not _is_text(value):
            raise self.problem(f"{key!r} is {str(value)[:40]!r}, expected text")
        return value.strip()

    def others(self, known: Iterable[str]) -> dict[str, str]:
        """Return the fields that are not known ones, as text; what is not text as JSON."""
        left = {key: value for key, value in self._values.items() if key not in known and value is not None}
        return {key: value if isinstance(value, str) else json.dumps(value) for key, value in left.items()}

    def whole_number(self, key: str) -> int:
        """Return a field that counts characters."""
        value = self._need(key)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST:
            raise self.problem(f"{key!r} is {str(value)[:40]!r}, expected a whole number of characters")
        return value

    def number(self, key: str, default: float) -> float:
        """Return a numeric field."""
        value = default if self._values.get(key) is None else self._values[key]
        try:
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise ValueError
            return float(value)
        except (ValueError, OverflowError):
            raise self.problem(f"{key!r} is {str(value)[:40]!r}, expected a number") from None

    def _need(self, key: str) -> Any:
        if self._values.get(key) is None:
            raise self.problem(f"{key!r} is missing", fix=f"Found: {', '.join(self._values) or 'nothing'}.")
        return self._values[key]


LARGEST = 2**53


def _is_text(value: str) -> bool:
    """Whether a string can be written at all: JSON may hold half of a surrogate pair."""
    return value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value)


def json_lines(source: Source) -> Iterator[JsonRow]:
    """Yield the objects of a JSON Lines file; blank lines and `#` comments are skipped."""
    for number, line in enumerate(source.data.split(b"\n"), start=1):
        row = json_row(source, number, line)
        if row is not None:
            yield row


def json_row(source: Source, number: int, line: bytes) -> JsonRow | None:
    """Return the object on one line; None for a blank line or a comment."""
    content = line.strip()
    if not content or content.startswith(b"#"):
        return None
    try:
        values = json.loads(content)
    except (ValueError, RecursionError) as error:
        spoken = "nested too deeply" if isinstance(error, RecursionError) else "a number with too many digits"
        reason = getattr(error, "msg", None) or getattr(error, "reason", None) or spoken
        raise source.problem(f"is not JSON ({reason})", number, fix="One object per line.") from None
    if not isinstance(values, dict):
        raise source.problem("is not a JSON object", number, fix="One object per line.")
    return JsonRow(source, number, values)


def json_strings(names: Iterable[str]) -> list[str]:
    """Return names as JSON strings."""
    return [json.dumps(name, ensure_ascii=False) for name in names]


def json_number(value: float) -> str:
    """Return a number as JSON, which has no word for infinity but numbers that are too large.

    >>> json_number(0.1), json_number(float("-inf"))
    ('0.1', '-1e999')
    """
    return repr(value).replace("inf", "1e999")
