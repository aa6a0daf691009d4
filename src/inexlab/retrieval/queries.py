"""Queries: what fields of topics ask for, and the terms in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from inexlab.errors import QueryError, UnknownNameError
from inexlab.topics import Topic
from inexlab.topics.decompose import atoms
from inexlab.topics.nexi import parse_nexi
from inexlab.topics.query import About, COQuery, Query, Term

QUERY_FIELDS = ("title", "castitle", "phrasetitle", "description", "narrative", "keywords")
_QUOTES = re.compile(r'((?<!\w)"(?=\w)[^"]*(?<=\w)"(?!\w))|"')  # a phrase, or a mark that belongs to none


def all_terms(query: Query) -> tuple[Term, ...]:
    """Return all terms of a query, wherever they stand."""
    if isinstance(query, COQuery):
        return query.terms
    parts = (atom for step in query.steps for atom in atoms(step.clause))
    return tuple(term for part in parts if isinstance(part, About) for term in part.terms)


def wanted_terms(query: Query) -> tuple[Term, ...]:
    """Return all terms of a query but unwanted ones, wherever they stand."""
    return tuple(term for term in all_terms(query) if term.sign != "-")


def query_of(topic: Topic, name: str) -> Query | None:
    """Return the query in a field of a topic; None if the field is empty."""
    if name not in QUERY_FIELDS:
        raise UnknownNameError("field of topics", name, QUERY_FIELDS)
    text = {"title": topic.plain, "castitle": topic.structured}.get(name, getattr(topic, name))
    if not text.strip():
        return None
    if name in ("description", "narrative"):  # sentences, whatever their punctuation would mean in a query
        return COQuery(tuple(Term((word,)) for word in text.split()))
    try:
        return parse_nexi(text)
    except QueryError as error:
        given = "title" if text == topic.title else name
        place = f"{topic.file or 'topics'}, line {topic.line_of(given)}: {given} of topic {topic.id}"
        raise QueryError(error.problem, query=error.query, column=error.column, where=place) from None


class Queries(NamedTuple):
    """The queries of topics by their ids, None if there is none, and the topics with unbalanced quotes."""

    of_topic: dict[str, Query | None]
    unbalanced_quotes: list[str]


def queries_of(topics: Iterable[Topic], name: str) -> Queries:
    """Return the queries in a field of all topics; the first mistake is raised, and names the others.

    Where only quotation marks are unbalanced, as in topics of INEX 2009, those that belong to no phrase are
    left out.
    """
    queries: dict[str, Query | None] = {}
    unbalanced_quotes: list[str] = []
    wrong: dict[str, QueryError] = {}
    for topic in topics:
        try:
            queries[topic.id] = query_of(topic, name)
        except QueryError as error:
            repaired = _without_stray_quotes(topic, name)
            if repaired is None:
                wrong[topic.id] = error
            else:
                queries[topic.id] = repaired
                unbalanced_quotes.append(topic.id)
    if not wrong:
        return Queries(queries, unbalanced_quotes)
    first, *others = wrong
    if not others:
        raise wrong[first]
    also = f"topic{'s' * (len(others) > 1)} {', '.join(others[:5])}{' …' * (len(others) > 5)}"
    raise QueryError(
        f"{wrong[first].problem}; there is a mistake in {also} as well",
        query=wrong[first].query,
        column=wrong[first].column,
        where=wrong[first].where,
    )


def _without_stray_quotes(topic: Topic, name: str) -> Query | None:
    """Return the query in a field without the quotation marks of no phrase; None if more is wrong."""
    if name == "castitle":
        return None
    text = without_stray_quotes(getattr(topic, name))
    try:
        return query_of(replace(topic, **{name: text}), name)  # type: ignore[arg-type]
    except QueryError:
        return None


def without_stray_quotes(text: str) -> str:
    """Leave out the quotation marks that belong to no phrase."""
    return _QUOTES.sub(lambda found: found[1] or " ", text)
