"""What may be wrong with topics, each problem with its file and line."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from inexlab.errors import QueryError, nearest_name
from inexlab.topics.decompose import atoms
from inexlab.topics.equivalence import Equivalence
from inexlab.topics.families import is_clause_of, parents, structured_query
from inexlab.topics.nexi import ignored_symbols, parse_nexi
from inexlab.topics.query import About, CASQuery, COQuery
from inexlab.topics.table import Topic

_ALIKE = 0.75  # the share of common words from which two topics are near-duplicates


class TopicProblem(NamedTuple):
    """One problem: where it is, of which topic and kind, and what is the matter."""

    file: str
    line: int
    topic: str
    kind: str
    problem: str


def topic_problems(
    topics: Mapping[str, Topic],
    tags: Collection[str] | None = None,
    equivalence: Equivalence | None = None,
) -> list[TopicProblem]:
    """Return the problems of topics; with the tags of the collection also those that it does not have."""
    found = [problem for topic in topics.values() for problem in _queries(topic)]
    if tags is not None:
        found += _unknown_tags(topics, tags, equivalence or Equivalence())
    found += _families(topics)
    found += _near_duplicates(topics)
    place = {id: i for i, id in enumerate(topics)}
    return sorted(found, key=lambda problem: (place[problem.topic], problem.line))


def _problem(topic: Topic, kind: str, what: str, name: str) -> TopicProblem:
    return TopicProblem(topic.file, topic.line_of(name), topic.id, kind, what)


def _problem_at(topic: Topic, kind: str, name: str, column: int, what: str) -> TopicProblem:
    """Return a problem at a column of a query, which may have several lines."""
    below = getattr(topic, name).count("\n", 0, column - 1) if name in topic.lines else 0
    problem = _problem(topic, kind, f"{name}, column {column}: {what}", name)
    return problem._replace(line=problem.line + below)


def _queries(topic: Topic) -> Iterator[TopicProblem]:
    for name in ("title", "castitle", "parent"):
        text = getattr(topic, name)
        if not text:
            continue
        try:
            query = parse_nexi(text)
        except QueryError as error:
            yield _problem_at(topic, "syntax", name, error.column, error.problem)
            continue
        for column, symbol in ignored_symbols(text):
            yield _problem_at(topic, "symbol", name, column, f"{symbol!r} stands alone and is ignored")
        if name != "title" and not isinstance(query, CASQuery):
            yield _problem(
                topic, "syntax", f"the {name} is not a structured query: it begins without //", name
            )
    if not topic.title and not topic.castitle:
        yield _problem(topic, "query", "has neither a title nor a castitle", "")
    if "te" in topic.extra or "ce" in topic.extra:
        made = f"{topic.castitle} is made of it" if topic.castitle else "only its words are used as a query"
        what = f"the title is marked up as in 2002 (<te>, <ce>): {made}"
        yield _problem(topic, "query", what, "title")
    elif topic.kind == "CAS" and not topic.structured:
        yield _problem(topic, "query", "is of type CAS but has no structured query", "title")


def _unknown_tags(
    topics: Mapping[str, Topic], tags: Collection[str], equivalence: Equivalence
) -> Iterator[TopicProblem]:
    known = {equivalence.of(tag) for tag in tags}
    for topic in topics.values():
        for tag in sorted(_tags(topic)):
            if equivalence.of(tag) not in known:
                nearest = nearest_name(tag, tags)
                hint = f"; did you mean {nearest!r}?" if nearest else ""
                name = "castitle" if topic.castitle else "title"
                yield _problem(topic, "tag", f"the collection has no <{tag}>{hint}", name)


def _tags(topic: Topic) -> set[str]:
    """Return the names of elements in a topic's structured query."""
    query = structured_query(topic)
    if query is None:
        return set()
    inner = [step for part in query.steps for atom in atoms(part.clause) for step in atom.path]
    names = {tag for step in (*query.steps, *inner) for tag in step.tags}
    return {tag for tag in names if tag != "*" and not tag.startswith("@")}


def _families(topics: Mapping[str, Topic]) -> Iterator[TopicProblem]:
    for id, parent in parents(topics).items():
        child = topics[id]
        if parent is None:
            what = "no topic here has the castitle that this one names as its parent's"
            yield _problem(child, "parent", what, "parent")
        elif not is_clause_of(child, parent) and structured_query(child) is not None:
            what = f"the castitle is not one of the clauses of its parent {parent.id}"
            yield _problem(child, "parent", what, "castitle")


def _near_duplicates(topics: Mapping[str, Topic]) -> Iterator[TopicProblem]:
    words = {id: _words(topic) for id, topic in topics.items()}
    family = {(id, parent.id) for id, parent in parents(topics).items() if parent is not None}
    for one, other in combinations(topics, 2):
        if (one, other) in family or (other, one) in family or len(words[one]) < 2:
            continue
        common = len(words[one] & words[other])
        if common >= _ALIKE * len(words[one] | words[other]):
            share = f"{common} of {len(words[one] | words[other])} words of their queries are the same"
            name = "title" if topics[other].title else "castitle"
            yield _problem(topics[other], "duplicate", f"nearly topic {one}: {share}", name)


def _words(topic: Topic) -> frozenset[str]:
    """Return the words of a topic's query: of its title or, without one, of its castitle."""
    try:
        query = parse_nexi(topic.plain or topic.structured)
    except QueryError:
        return frozenset(topic.plain.lower().split())
    if isinstance(query, COQuery):
        terms = list(query.terms)
    else:
        abouts = (atom for step in query.steps for atom in atoms(step.clause) if isinstance(atom, About))
        terms = [term for about in abouts for term in about.terms]
    return frozenset(word.lower() for term in terms for word in term.words)
