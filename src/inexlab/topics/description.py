"""What a query says, part by part: its kind, its target, its support elements, its clauses, its tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from inexlab.topics.decompose import Combination, combination, single_clauses, supports, target
from inexlab.topics.nexi import ignored_symbols, parse_nexi
from inexlab.topics.query import About, Clause, Compare, COQuery, Query, Term, path_text


@dataclass(frozen=True)
class QueryDescription:
    """A query and what it is made of.

    `children` are its single clauses where there are several, and `combination` says how they combine, by
    their numbers from 0. A query without structure has neither target, support, children nor combination.
    `notes` say what was ignored.
    """

    query: Query
    target: str = ""
    support: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    combination: Combination | None = None
    notes: tuple[str, ...] = ()

    @property
    def type(self) -> str:
        """CO, content only, or CAS, content and structure."""
        return "CO" if isinstance(self.query, COQuery) else "CAS"

    def as_record(self) -> dict[str, Any]:
        """Return the description as values that JSON has, with the tree of the query."""
        record: dict[str, Any] = {"query": str(self.query), "type": self.type}
        if self.type == "CAS":
            record |= {
                "target": self.target,
                "support": list(self.support),
                "children": list(self.children),
                "combination": self.combination,
            }
        return {**record, "tree": _query_tree(self.query)}


def describe_nexi(query: str) -> QueryDescription:
    """Read a NEXI query, or plain keywords, and take it apart.

    >>> described = describe_nexi("//article[about(., bees)]//sec[about(.//st, dance)]")
    >>> described.target, described.support, described.combination
    ('//article//sec', ('//article', '//article//sec//st'), {'and': [0, 1]})
    """
    parsed = parse_nexi(query)
    notes = tuple(
        f"column {column}: {symbol!r} stands alone and is ignored"
        for column, symbol in ignored_symbols(query)
    )
    if isinstance(parsed, COQuery):
        return QueryDescription(parsed, notes=notes)
    clauses = tuple(str(clause) for clause in single_clauses(parsed))
    several = len(clauses) > 1
    return QueryDescription(
        parsed,
        path_text(target(parsed)),
        tuple(path_text(path) for path in supports(parsed)),
        clauses if several else (),
        combination(parsed) if several else None,
        notes,
    )


def _query_tree(query: Query) -> dict[str, Any]:
    if isinstance(query, COQuery):
        return {"terms": [_term_tree(term) for term in query.terms]}
    steps = [(step.axis, step.tags, _clause_tree(step.clause)) for step in query.steps]
    return {"steps": [dict(zip(("axis", "tags", "clause"), step, strict=True)) for step in steps]}


def _clause_tree(clause: Clause | None) -> dict[str, Any] | None:
    if clause is None:
        return None
    if isinstance(clause, About):
        return {"about": path_text(clause.path) or ".", "terms": [_term_tree(term) for term in clause.terms]}
    if isinstance(clause, Compare):
        place = path_text(clause.path) or "."
        return {"compare": place, "operator": clause.operator, "value": clause.value, "string": clause.quoted}
    return {type(clause).__name__.lower(): [_clause_tree(part) for part in clause.parts]}


def _term_tree(term: Term) -> dict[str, Any]:
    return {"words": term.words, "sign": term.sign, "phrase": term.phrase}
