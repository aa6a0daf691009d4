"""Queries in print: what a query says, a line for each part of it."""

from __future__ import annotations

import json

from inexlab.report.grids import write_grid
from inexlab.report.tables import Grid
from inexlab.topics.decompose import Combination
from inexlab.topics.description import QueryDescription
from inexlab.topics.query import About, Clause, Compare, COQuery, Query

_HEADER = ("part", "what it is")


def write_description(described: QueryDescription, output: str) -> str:
    """Return the description of a query in one of the formats of grids; JSON is one object."""
    if output == "json":
        return json.dumps(described.as_record(), ensure_ascii=False, indent=1) + "\n"
    rows = _rows(described)
    if output != "table":
        return write_grid(Grid(_HEADER, rows), output)
    # other tables fill every line to the width of the longest, which a query may be
    width = max(len(part) for part, _ in rows)
    first, *lines = (f" {part:{width}}   {what}".rstrip() for part, what in (_HEADER, *rows))
    return "\n".join([first, f" {'─' * min(79, max(map(len, lines)) - 1)}", *lines, ""])


def description_grid(described: QueryDescription) -> Grid:
    """Return a part of the query to a row."""
    return Grid(_HEADER, _rows(described))


def _rows(described: QueryDescription) -> list[tuple[str, str]]:
    rows = [("query", str(described.query)), ("type", described.type)]
    rows += [("tree", line) for line in _drawn(described.query)]
    rows += [("target", described.target)] if described.type == "CAS" else []
    rows += [("support", path) for path in described.support]
    rows += [(f"child {i}", child) for i, child in enumerate(described.children, start=1)]
    if described.combination is not None:
        rows.append(("combination", _combined(described.combination)))
    return rows


def _combined(how: Combination, *, inside: bool = False) -> str:
    """Return how children combine as people write it, with numbers from 1: `1 and (2 or 3)`."""
    if isinstance(how, int):
        return str(how + 1)
    ((word, parts),) = how.items()
    text = f" {word} ".join(_combined(part, inside=True) for part in parts)
    return f"({text})" if inside else text


def _drawn(query: Query) -> list[str]:
    """Return the tree as indented lines."""
    if isinstance(query, COQuery):
        return [str(term) for term in query.terms]
    lines = []
    for step in query.steps:
        lines.append(str(step.bare))
        if step.clause is not None:
            lines += _drawn_clause(step.clause, 1)
    return lines


def _drawn_clause(clause: Clause, depth: int) -> list[str]:
    if isinstance(clause, About | Compare):
        return [f"{'  ' * depth}{clause}"]
    below = [line for part in clause.parts for line in _drawn_clause(part, depth + 1)]
    return [f"{'  ' * depth}{type(clause).__name__.lower()}", *below]
