"""Names as columns of a text file, which are separated by white space: what fits, and what does not."""

from __future__ import annotations

import re
from collections.abc import Iterable

from inexlab.errors import InputError

_SEPARATES = re.compile("[\\x00-\\x20\\ufeff]")
_MISLEADS = ("#", "{", "<")  # at the beginning of a line: a comment, JSON, XML


def fit_for_columns(
    kind: str, names: Iterable[str], file: str, *, leading: bool = False, fix: str = ""
) -> list[str]:
    """Return the names, or refuse one that a reader would not find again; `leading` ones begin a line.

    >>> fit_for_columns("topic", ["2009001"], "run.txt")
    ['2009001']
    """
    checked = list(names)
    for name in checked:
        if not name or _SEPARATES.search(name):
            why = "which separates the columns of a text format" if name else "which cannot be a column"
            what = "has white space or a control character in it" if name else "is empty"
        elif leading and name.startswith(_MISLEADS):
            why, what = "which a text format takes for something else", f"begins with {name[0]}"
        else:
            continue
        fix = fix or "Rename it, or choose the format jsonl."
        raise InputError(f"{kind} {name!r} {what}, {why}", file=file, fix=fix)
    return checked
