"""What CAS topics demand of structure: read off parent and child topics, or from a specification.

A specification is a JSON file, `{topic: {"target", "children", "patterns", "combine"}}`: the target path,
the child topics, the path each child's relevant elements must conform to (in the same order; null: any),
and whether all children must hold ("and") or one ("or").
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, Literal

from inexlab.errors import InputError, QueryError
from inexlab.files import read_source
from inexlab.judgements.cas import CasTopic, Child, Support
from inexlab.topics.decompose import clauses, has_or, single_clause, target
from inexlab.topics.equivalence import Equivalence
from inexlab.topics.families import children, required_query, structured_query
from inexlab.topics.patterns import PathPattern, pattern
from inexlab.topics.query import About, CASQuery, Clause, Compare, Or, Path
from inexlab.topics.table import Topic


def from_topics(
    topics: Mapping[str, Topic], judged: Collection[str], equivalence: Equivalence
) -> tuple[dict[str, CasTopic], list[str]]:
    """Return what the judged parent topics demand, and notes on what was assumed."""
    families = children(topics)
    found: dict[str, CasTopic] = {}
    notes: list[str] = []
    for id, topic in topics.items():
        if id not in judged or topic.parent or not topic.structured:
            continue
        query = required_query(topic)
        found[id] = _from_family(topic, query, families.get(id, []), equivalence, notes)
    plain = [id for id in judged if id in topics and not topics[id].structured]
    unknown = [id for id in judged if id not in topics]
    for why, left_out in (("without a structured query", plain), ("not in the topic files", unknown)):
        if left_out:
            notes.append(f"judged topics {why}, left out: {', '.join(left_out)}")
    return found, notes


def _from_family(
    topic: Topic, query: CASQuery, family: list[Topic], equivalence: Equivalence, notes: list[str]
) -> CasTopic:
    goal = PathPattern(target(query), equivalence)
    if len(list(clauses(query))) <= 1:
        return CasTopic(goal)
    by_query: dict[CASQuery, Child] = {}
    members: list[Child] = []
    for child in family:
        own = structured_query(child)
        members.append(Child(child.id, None if own is None else PathPattern(target(own), equivalence)))
        if own is not None:
            by_query.setdefault(own, members[-1])
    abouts = [single_clause(path, atom) for path, atom in clauses(query) if isinstance(atom, About)]
    if len(members) < len(abouts):
        missing = [str(clause) for clause in abouts if clause not in by_query]
        return CasTopic(goal, undefined=f"no child topic for its clause {missing[0]}")
    if all(clause in by_query for clause in abouts):
        for path, atom in clauses(query):
            if isinstance(atom, Compare) and single_clause(path, atom) not in by_query:
                notes.append(f"topic {topic.id}: no child topic for {atom}, which is left out of the support")
        return CasTopic(goal, _as_the_query_says(query, by_query))
    combine: Literal["and", "or"] = "or" if has_or(query) else "and"
    which = "one of them" if combine == "or" else "all of them"
    notes.append(f"topic {topic.id}: its children are not its clauses; {which} must hold in a document")
    return CasTopic(goal, Support(combine, tuple(members)))


def _as_the_query_says(query: CASQuery, children: Mapping[CASQuery, Child]) -> Support:
    """Join the children as the query joins its clauses; those of different steps must all hold."""

    def joined(clause: Clause, path: Path) -> Child | Support | None:
        if isinstance(clause, About | Compare):
            return children.get(single_clause(path, clause))
        parts = (joined(part, path) for part in clause.parts)
        return Support("or" if isinstance(clause, Or) else "and", tuple(p for p in parts if p is not None))

    path = target(query)
    parts = [joined(s.clause, path[:i]) for i, s in enumerate(query.steps, start=1) if s.clause is not None]
    return Support("and", tuple(part for part in parts if part is not None))


def targets_of_topics(topics: Mapping[str, Topic], equivalence: Equivalence) -> dict[str, PathPattern | None]:
    """Return the target path of each topic; None if it asks for no structure."""
    return {
        id: PathPattern(target(required_query(topic)), equivalence) if topic.structured else None
        for id, topic in topics.items()
    }


def from_specification(path: str, equivalence: Equivalence) -> dict[str, CasTopic]:
    """Read what topics demand from a JSON file."""
    source = read_source(path)
    try:
        data = json.loads(source.data)
    except (ValueError, RecursionError) as error:
        raise source.problem(f"is not JSON ({error})", line=getattr(error, "lineno", None)) from None
    if not isinstance(data, dict) or not data:
        raise source.problem("is not an object of topics", fix=_LOOKS)
    return {id: _from_entry(entry, f"{source.name}, topic {id}", equivalence) for id, entry in data.items()}


_LOOKS = '{"258": {"target": "//article//sec", "children": ["259"], "patterns": ["//article"]}}'


def _from_entry(entry: Any, where: str, equivalence: Equivalence) -> CasTopic:
    def wrong(what: str) -> InputError:
        return InputError(what, file=where, fix=f"Write {_LOOKS}.")

    def path_of(text: Any, name: str) -> PathPattern:
        if not isinstance(text, str):
            raise wrong(f"{name} is {text!r}, expected a path")
        try:
            return pattern(text, equivalence)
        except QueryError as error:
            raise wrong(f"{name} {text!r}, column {error.column}: {error.problem}") from None

    if not isinstance(entry, dict):
        raise wrong("is not an object")
    if unknown := sorted(set(entry) - {"target", "children", "patterns", "combine"}):
        raise wrong(f"{unknown[0]!r} is not understood")
    ids, combine = entry.get("children") or [], entry.get("combine", "and")
    if not isinstance(ids, list) or not all(isinstance(id, str) for id in ids):
        raise wrong("'children' is not a list of topic ids")
    patterns = entry.get("patterns")
    patterns = [None] * len(ids) if patterns is None else patterns
    if not isinstance(patterns, list) or len(patterns) != len(ids):
        raise wrong("'patterns' is not a list of one path for each child")
    if combine not in ("and", "or"):
        raise wrong(f'\'combine\' is {combine!r}, expected "and" or "or"')
    members = [
        Child(id, None if text is None else path_of(text, "pattern"))
        for id, text in zip(ids, patterns, strict=True)
    ]
    return CasTopic(path_of(entry.get("target"), "target"), Support(combine, tuple(members)))
