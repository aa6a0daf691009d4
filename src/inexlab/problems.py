"""What a check finds: problems, each of a kind that says once what it means and how to mend it.

A rule is declared where it is written, with `Kind`: its name, how grave it is, its meaning and its remedy.
An *error* makes the check fail; a *remark* is worth a look but breaks no rule; what is *unreadable* would be
refused by every command.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from inexlab.errors import InputError

Severity = Literal["unreadable", "error", "remark"]


@dataclass(frozen=True)
class Kind:
    """A kind of problem: its name, how grave it is, what it means, and the way out."""

    name: str
    severity: Severity
    meaning: str
    remedy: str


UNREADABLE = Kind(
    "unreadable",
    "unreadable",
    "the file, or a row of it, is not what its format asks for; every command refuses it",
    "Mend what the message names.",
)


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding: where, of which kind, and what exactly; no line where it concerns the whole file."""

    file: str
    line: int | None
    kind: Kind
    message: str

    @property
    def where(self) -> str:
        """The file and, where there is one, the line, as `file:line`."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


def unreadable(error: InputError) -> Problem:
    """Return what a reader refused, as a problem."""
    return Problem(error.file, error.line, UNREADABLE, f"{error.problem.rstrip('.')}. {error.fix}".strip())
