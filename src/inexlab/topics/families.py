"""Families of topics: parents, and the children that are single clauses of them.

As in INEX 2005: Trotman and Lalmas (2005) §4.2.

A child names its parent by the parent's castitle, not by an id. Two spellings of one query are the same
query here: white space, and everything else that the query language ignores, does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping

from inexlab.errors import InputError, QueryError
from inexlab.topics.decompose import single_clauses
from inexlab.topics.nexi import parse_nexi
from inexlab.topics.query import CASQuery
from inexlab.topics.table import Topic


def query_key(text: str) -> str:
    """Return the one spelling of a query, for comparison."""
    try:
        return str(parse_nexi(text))
    except QueryError:
        return " ".join(text.split())


def structured_query(topic: Topic) -> CASQuery | None:
    """Return a topic's structured query; None if it has none, or none that can be read."""
    try:
        query = parse_nexi(topic.structured)
    except QueryError:
        return None
    return query if isinstance(query, CASQuery) else None


def required_query(topic: Topic) -> CASQuery:
    """Return the structured query of a topic that has one; one that cannot be read is an InputError."""
    query = structured_query(topic)
    if query is None:
        name = "castitle" if topic.castitle else "title"
        raise InputError(
            f"the {name} of topic {topic.id} cannot be read as a structured query",
            file=topic.file,
            line=topic.line_of(name),
            fix="`inexlab topics` points at the place.",
        )
    return query


def parents(topics: Mapping[str, Topic]) -> dict[str, Topic | None]:
    """Return the parent of every topic that names one; None if no topic has that castitle."""
    by_query: dict[str, Topic] = {}
    for topic in topics.values():
        if topic.structured and not topic.parent:
            by_query.setdefault(query_key(topic.structured), topic)
    return {id: by_query.get(query_key(topic.parent)) for id, topic in topics.items() if topic.parent}


def children(topics: Mapping[str, Topic]) -> dict[str, list[Topic]]:
    """Return the children of every topic that has any."""
    found: dict[str, list[Topic]] = {}
    for id, parent in parents(topics).items():
        if parent is not None:
            found.setdefault(parent.id, []).append(topics[id])
    return found


def is_clause_of(child: Topic, parent: Topic) -> bool:
    """Whether a child's castitle is one of the clauses that its parent decomposes into."""
    query, whole = structured_query(child), structured_query(parent)
    return query is not None and whole is not None and query in single_clauses(whole)
