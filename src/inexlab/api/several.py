"""What may be given once or several times; apart from other inputs, so that a search loads no measures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from inexlab.errors import UsageError

Several = str | Iterable[str]


def several(given: Any) -> list[Any]:
    """Return a list of what is given, once or several times.

    >>> several("MAiP"), several(["MAiP", "iP@0.01"]), several("")
    (['MAiP'], ['MAiP', 'iP@0.01'], [])
    """
    if given is None or (isinstance(given, str) and not given):
        return []
    alone = isinstance(given, str | Path) or not isinstance(given, Iterable)
    return [given] if alone else list(given)


def need_at_least(least: int, **given: int) -> None:
    """Refuse numbers that are too small, as the command line does."""
    for name, value in given.items():
        if value < least:
            raise UsageError(f"`{name}={value}` must be >= {least}.")
