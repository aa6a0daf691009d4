"""The query tree: what a NEXI query says, as small frozen values. `str` of any of them is NEXI again.

A structured query (content and structure, CAS) is a row of steps, each with perhaps a clause; a plain
keyword query (content only, CO) is a row of terms.

    //article[about(., bees)]//sec[about(.//st, +"waggle dance") and .//yr >= 2000]
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Axis = Literal["//", "/"]
Sign = Literal["", "+", "-"]

ENTITY = re.compile(r"&(quot|apos|amp|lt|gt);")


@dataclass(frozen=True, slots=True)
class Term:
    """A word or, where `phrase`, words in quotes; `+` marks an important term, `-` an unwanted one."""

    words: tuple[str, ...]
    sign: Sign = ""
    phrase: bool = False

    def __str__(self) -> str:
        words = " ".join(self.words)
        return f'{self.sign}"{words}"' if self.phrase else f"{self.sign}{words}"


@dataclass(frozen=True, slots=True)
class About:
    """`about(path, terms)`: the elements at `path`, seen from the step (`.`), are about the terms."""

    path: Path
    terms: tuple[Term, ...]

    def __str__(self) -> str:
        return f"about(.{path_text(self.path)}, {_joined(self.terms)})"


@dataclass(frozen=True, slots=True)
class Compare:
    """`path operator value`: some element at `path` has such a value; `quoted` where it is a string."""

    path: Path
    operator: Literal["<", ">", "=", "<=", ">="]
    value: str
    quoted: bool

    def __str__(self) -> str:
        value = self.value
        if self.quoted:
            mark = '"' if "'" in value else "'"
            # readers of queries decode entities once: what looks like one is encoded
            value = f"{mark}{value.replace('&', '&amp;') if ENTITY.search(value) else value}{mark}"
        return f".{path_text(self.path)} {self.operator} {value}"


@dataclass(frozen=True, slots=True)
class And:
    """All of the parts hold."""

    parts: tuple[Clause, ...]

    def __str__(self) -> str:
        return " and ".join(map(_grouped, self.parts))


@dataclass(frozen=True, slots=True)
class Or:
    """One of the parts holds at least."""

    parts: tuple[Clause, ...]

    def __str__(self) -> str:
        return " or ".join(map(_grouped, self.parts))


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path: an axis (`//` descendant, `/` child), tags of which one must fit, a clause.

    A tag may be `*`, an attribute `@name`, or `@*`.
    """

    axis: Axis
    tags: tuple[str, ...]
    clause: Clause | None = None

    def __str__(self) -> str:
        tags = self.tags[0] if len(self.tags) == 1 else f"({'|'.join(self.tags)})"
        return f"{self.axis}{tags}" + (f"[{self.clause}]" if self.clause is not None else "")

    @property
    def bare(self) -> Step:
        """The step without its clause."""
        return Step(self.axis, self.tags) if self.clause is not None else self


@dataclass(frozen=True, slots=True)
class COQuery:
    """Content only: terms, with no word on where to look."""

    terms: tuple[Term, ...]

    def __str__(self) -> str:
        return _joined(self.terms)


@dataclass(frozen=True, slots=True)
class CASQuery:
    """Content and structure: steps that lead to the target element, with clauses on the way."""

    steps: Path

    def __str__(self) -> str:
        return path_text(self.steps)


Path = tuple[Step, ...]
Clause = About | Compare | And | Or
Query = COQuery | CASQuery


def path_text(path: Path) -> str:
    """Return a path as it is written."""
    return "".join(map(str, path))


def _joined(terms: tuple[Term, ...]) -> str:
    return " ".join(map(str, terms))


def _grouped(part: Clause) -> str:
    return f"({part})" if isinstance(part, And | Or) else str(part)
