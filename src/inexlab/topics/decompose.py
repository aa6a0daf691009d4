"""What a structured query asks for: its target, its support elements, its single clauses.

The target says what to return, a support element where to look (Trotman and Lalmas 2005, §2): for
`//article[about(., x)]//sec[about(.//p, y)]` the target is `//article//sec`, the support elements are
`//article` and `//article//sec//p`, and the clauses are those of two queries, each with the full path of
its clause: `//article[about(., x)]` and `//article//sec[about(.//p, y)]`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from inexlab.topics.query import About, CASQuery, Clause, Compare, Or, Path, Step

# How clauses are combined: the number of one, or {"and": parts} or {"or": parts}.
Combination = int | dict[str, list["Combination"]]


def target(query: CASQuery) -> Path:
    """Return the path of the elements to return: all steps, without clauses."""
    return tuple(step.bare for step in query.steps)


def atoms(clause: Clause | None) -> Iterator[About | Compare]:
    """Yield the abouts and comparisons of a clause, from left to right."""
    if isinstance(clause, About | Compare):
        yield clause
    elif clause is not None:
        for part in clause.parts:
            yield from atoms(part)


def clauses(query: CASQuery) -> Iterator[tuple[Path, About | Compare]]:
    """Yield every about and comparison with the path of the step that carries it."""
    path = target(query)
    for i, step in enumerate(query.steps, start=1):
        for atom in atoms(step.clause):
            yield path[:i], atom


def supports(query: CASQuery) -> list[Path]:
    """Return the path that each clause looks at."""
    return [path + atom.path for path, atom in clauses(query)]


def single_clause(path: Path, atom: About | Compare) -> CASQuery:
    """Return the query of one clause on the last step of a path."""
    last = path[-1]
    return CASQuery((*path[:-1], Step(last.axis, last.tags, atom)))


def single_clauses(query: CASQuery) -> list[CASQuery]:
    """Return the single-clause queries that a query is made of: its child queries, if there are several."""
    return [single_clause(path, atom) for path, atom in clauses(query)]


def combination(query: CASQuery) -> Combination | None:
    """Return how the clauses of a query combine, by their numbers from 0; None if it has none.

    Clauses of different steps must all hold: `//a[about(., x)]//b[about(., y) or about(.//c, z)]` is
    `{"and": [0, {"or": [1, 2]}]}`.
    """
    number = count()

    def combined(clause: Clause) -> Combination:
        if isinstance(clause, About | Compare):
            return next(number)
        return _joined("or" if isinstance(clause, Or) else "and", map(combined, clause.parts))

    parts = [combined(step.clause) for step in query.steps if step.clause is not None]
    return _joined("and", iter(parts)) if parts else None


def _joined(how: str, parts: Iterator[Combination]) -> Combination:
    """Return the parts as one; those that are joined in the same way already lose their brackets."""
    joined: list[Combination] = []
    for part in parts:
        joined += part[how] if isinstance(part, dict) and how in part else [part]
    return joined[0] if len(joined) == 1 else {how: joined}


def has_or(query: CASQuery) -> bool:
    """Whether the query says `or` anywhere."""

    def says_or(clause: Clause | None) -> bool:
        if clause is None or isinstance(clause, About | Compare):
            return False
        return isinstance(clause, Or) or any(map(says_or, clause.parts))

    return any(says_or(step.clause) for step in query.steps)
