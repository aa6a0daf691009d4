"""`inexlab nexi`: what a query says."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inexlab.cli.options import OUTPUT

if TYPE_CHECKING:
    from inexlab.topics.decompose import Combination
    from inexlab.topics.query import Clause, Query, Term

_QUERY = typer.Argument(
    metavar="QUERY", help="A NEXI query, or plain keywords; after -- if it begins with -."
)


def nexi(query: Annotated[str, _QUERY], output: Annotated[str, OUTPUT] = "table") -> None:
    """Show the tree of a query, its target, its support elements and the single clauses it is made of.

    JSON has the way the single clauses combine as a tree over their numbers in `children`, from 0:
    {"and": [0, {"or": [1, 2]}]}. A query that cannot be read is answered with what was expected, and a caret
    under the place.

    Examples:
    `inexlab nexi '//article[about(., bees)]//sec[about(.//st, +"waggle dance") and .//yr > 1999]'`,
    `inexlab nexi 'bee dance -wasp' -o json`
    """
    import json

    from inexlab.report.grids import known_format, write_grid
    from inexlab.report.tables import Grid
    from inexlab.topics import parse_nexi
    from inexlab.topics.nexi import ignored_symbols

    known_format(output)
    # bytes of another encoding on the command line cannot be printed
    text = query.encode(errors="surrogateescape").decode(errors="replace")
    parsed = parse_nexi(text)
    for column, symbol in ignored_symbols(text):
        print(f"inexlab: column {column}: {symbol!r} stands alone and is ignored", file=sys.stderr)
    said = _summary(parsed)
    if output == "json":
        print(json.dumps({**said, "tree": _query_tree(parsed)}, ensure_ascii=False, indent=1))
        return
    rows = [("query", said["query"]), ("type", said["type"])]
    rows += [("tree", line) for line in _drawn(parsed)]
    rows += [("target", said["target"])] if "target" in said else []
    rows += [("support", path) for path in said.get("support", [])]
    if said.get("children"):
        rows += [(f"child {i}", child) for i, child in enumerate(said["children"], start=1)]
        rows.append(("combination", _combined(said["combination"])))
    header = ("part", "what it is")
    if output == "table":  # other tables fill every line to the width of the longest, which a query may be
        width = max(len(part) for part, _ in rows)
        first, *lines = (f" {part:{width}}   {what}".rstrip() for part, what in (header, *rows))
        sys.stdout.write("\n".join([first, f" {'─' * min(79, max(map(len, lines)) - 1)}", *lines, ""]))
    else:
        sys.stdout.write(write_grid(Grid(header, rows), output))


def _summary(query: Query) -> dict[str, Any]:
    from inexlab.topics.decompose import combination, single_clauses, supports, target
    from inexlab.topics.query import COQuery, path_text

    if isinstance(query, COQuery):
        return {"query": str(query), "type": "CO"}
    clauses = [str(clause) for clause in single_clauses(query)]
    return {
        "query": str(query),
        "type": "CAS",
        "target": path_text(target(query)),
        "support": [path_text(path) for path in supports(query)],
        "children": clauses if len(clauses) > 1 else [],
        "combination": combination(query) if len(clauses) > 1 else None,
    }


def _combined(how: Combination, *, inside: bool = False) -> str:
    """Return how children combine as people write it, with numbers from 1: `1 and (2 or 3)`."""
    if isinstance(how, int):
        return str(how + 1)
    ((word, parts),) = how.items()
    text = f" {word} ".join(_combined(part, inside=True) for part in parts)
    return f"({text})" if inside else text


def _drawn(query: Query) -> list[str]:
    """Return the tree as indented lines."""
    from inexlab.topics.query import COQuery

    if isinstance(query, COQuery):
        return [str(term) for term in query.terms]
    lines = []
    for step in query.steps:
        lines.append(str(step.bare))
        if step.clause is not None:
            lines += _drawn_clause(step.clause, 1)
    return lines


def _drawn_clause(clause: Clause, depth: int) -> list[str]:
    from inexlab.topics.query import About, Compare

    if isinstance(clause, About | Compare):
        return [f"{'  ' * depth}{clause}"]
    below = [line for part in clause.parts for line in _drawn_clause(part, depth + 1)]
    return [f"{'  ' * depth}{type(clause).__name__.lower()}", *below]


def _query_tree(query: Query) -> dict[str, Any]:
    from inexlab.topics.query import COQuery

    if isinstance(query, COQuery):
        return {"terms": [_term_tree(term) for term in query.terms]}
    steps = [(step.axis, step.tags, _clause_tree(step.clause)) for step in query.steps]
    return {"steps": [dict(zip(("axis", "tags", "clause"), step, strict=True)) for step in steps]}


def _clause_tree(clause: Clause | None) -> dict[str, Any] | None:
    from inexlab.topics.query import About, Compare, path_text

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
