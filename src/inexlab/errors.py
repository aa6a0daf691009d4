"""Errors that users can cause, and their messages.

    InexlabError                everything inexlab raises on purpose
    ├── InputError              a file that cannot be used: says which file, which line, and how to fix it
    ├── QueryError              a query that is not NEXI: says what was expected, and points at the place
    ├── UnknownNameError        an unregistered name: says the nearest known one
    └── UsageError              arguments that do not fit together
        └── PlugInError         a package that adds to inexlab and fails: says which, and why

Each message is one sentence for a person at a terminal; the command line prints it and exits with 2.
A programming mistake in inexlab itself raises Python's own exceptions instead.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InexlabError(Exception):
    """An error that a user can fix."""


class InputError(InexlabError):
    """A file that cannot be used.

    >>> print(InputError("7 columns, expected 8", file="run.txt", line=3, fix="Split the file."))
    run.txt, line 3: 7 columns, expected 8. Split the file.
    """

    def __init__(self, problem: str, *, file: str, line: int | None = None, fix: str = "") -> None:
        self.problem, self.file, self.line, self.fix = problem, file, line, fix
        where = file if line is None else f"{file}, line {line}"
        super().__init__(f"{where}: {problem.rstrip('.')}." + (f" {fix}" if fix else ""))


class QueryError(InexlabError):
    """A query that cannot be read: what is wrong at which column (from 1), and a caret under it.

    `where` is the file, line and topic that the query is from, if it is from any.

    >>> print(QueryError("expected ']', found the end", query="//a[about(., x)", column=16))
    column 16: expected ']', found the end.
      //a[about(., x)
                     ^
    """

    def __init__(self, problem: str, *, query: str, column: int, where: str = "") -> None:
        self.problem, self.query, self.column = problem.rstrip("."), query, column
        self.where = where
        line, at = _window(query, column - 1)
        place = f"{where}, column {column}" if where else f"column {column}"
        super().__init__(f"{place}: {self.problem}.\n  {line}\n  {' ' * at}^")


def _window(query: str, at: int) -> tuple[str, int]:
    """Return the part of a query around a place that fits on a line, and the place in it."""
    first = max(0, at - 60)
    line = "".join(c if c.isprintable() else " " for c in query[first : at + 30])
    before, after = "…" if first else "", "…" if at + 30 < len(query) else ""
    return f"{before}{line}{after}", at - first + len(before)


class UnknownNameError(InexlabError):
    """A name that is not registered.

    >>> print(UnknownNameError("measure", "MAiQ", ["MAiP", "gP"]))
    unknown measure 'MAiQ'; did you mean 'MAiP'? Known: MAiP, gP.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind, self.name, self.known = kind, name, list(known)
        nearest = nearest_name(name, self.known)
        hint = f"; did you mean {nearest!r}?" if nearest else "."
        listed = f" Known: {', '.join(self.known)}." if self.known else ""
        super().__init__(f"unknown {kind} {name!r}{hint}{listed}")


class UsageError(InexlabError):
    """Arguments that do not fit together."""


class PlugInError(UsageError):
    """A plug-in that cannot be loaded, or fails: the message names it and its distribution."""


def printable(text: str) -> str:
    r"""Return the text on one line, control characters and line breaks written as escapes.

    >>> printable("two\nlines")
    'two\\nlines'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


# control characters; XML may hold those from 0x7f on, file names any
_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(0x7F, 0xA0)), "\N{REPLACEMENT CHARACTER}")


def sanitised(text: str) -> str:
    """Return a text with its control characters replaced; line breaks and tabs stay."""
    return text.translate(_CONTROLS)


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most like `name`, or None if nothing is alike."""
    folded = {candidate.lower(): candidate for candidate in known}
    close = difflib.get_close_matches(name.lower(), folded, n=1, cutoff=0.5)
    return folded[close[0]] if close else None
