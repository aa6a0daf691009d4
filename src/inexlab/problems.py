"""The problems that a check finds; each kind of problem says once what it means and how to fix it.

Every rule declares its `ProblemKind`: name, severity, meaning and remedy. An *error* makes the check fail; a
*remark* is worth a look but breaks no rule; an *unreadable* file would be refused by every command.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from inexlab.errors import InputError

Severity = Literal["unreadable", "error", "remark"]


@dataclass(frozen=True)
class ProblemKind:
    """A kind of problem: its name, severity, meaning and remedy."""

    name: str
    severity: Severity
    meaning: str
    remedy: str


UNREADABLE = ProblemKind(
    "unreadable",
    "unreadable",
    "the file, or a row of it, does not follow its format; every command refuses it",
    "Fix what the message names.",
)


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem: where, of which kind, and what exactly; `line` is None if it concerns the whole file."""

    file: str
    line: int | None
    kind: ProblemKind
    message: str

    @property
    def where(self) -> str:
        """The file and, where there is one, the line, as `file:line`."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


def unreadable(error: InputError) -> Problem:
    """Return a reader's error as a problem."""
    return Problem(error.file, error.line, UNREADABLE, f"{error.problem.rstrip('.')}. {error.fix}".strip())
