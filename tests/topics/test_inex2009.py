"""The 115 topics of INEX 2009: every query parses, and has the features counted by hand.

What a tree shows is counted in the trees; how things are spelled, in the text.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from inexlab.topics import CASQuery, COQuery, Topics, parse_nexi, read_topics
from inexlab.topics.decompose import atoms, clauses, single_clauses, target
from inexlab.topics.problems import topic_problems
from inexlab.topics.query import About, And, Clause, Or, Step, Term, path_text
from inexlab.topics.statistics import topic_statistics

FILE = Path(__file__).resolve().parents[3] / "shared" / "data" / "inex2009-topics.xml"

pytestmark = pytest.mark.skipif(not FILE.is_file(), reason=f"the topics of INEX 2009 are not at {FILE}")


@functools.cache
def topics() -> Topics:
    return read_topics(FILE)


@functools.cache
def trees() -> dict[str, CASQuery]:
    """The structured queries by the last three digits of the topic's id."""
    found = {}
    for id, topic in topics().items():
        query = parse_nexi(topic.castitle)
        assert isinstance(query, CASQuery)
        found[id[-3:]] = query
    return found


@functools.cache
def titles() -> dict[str, COQuery]:
    found = {}
    for id, topic in topics().items():
        query = parse_nexi(topic.title)
        assert isinstance(query, COQuery)
        found[id[-3:]] = query
    return found


def abouts(query: CASQuery) -> list[About]:
    return [atom for _, atom in clauses(query) if isinstance(atom, About)]


def where(holds: Callable[[CASQuery], object]) -> str:
    return " ".join(id for id, query in trees().items() if holds(query))


def spelled(pattern: str) -> list[str]:
    return [id[-3:] for id, topic in topics().items() if re.search(pattern, topic.castitle)]


def outside_abouts(query: str) -> str:
    """A castitle without the terms of its abouts."""
    return re.sub(r"about\(([^,]*),[^)]*\)", r"about(\1)", query)


def terms_of(query: CASQuery) -> list[Term]:
    return [term for about in abouts(query) for term in about.terms]


def connectives(query: CASQuery) -> Iterator[And | Or]:
    def inside(clause: Clause | None) -> Iterator[And | Or]:
        if isinstance(clause, And | Or):
            yield clause
            for part in clause.parts:
                yield from inside(part)

    for step in query.steps:
        yield from inside(step.clause)


def test_the_topics() -> None:
    assert list(topics()) == [f"2009{n:03}" for n in range(1, 116)]
    candidates = [int(topic.candidate) for topic in topics().values()]
    assert (min(candidates), max(candidates), len(set(candidates))) == (186, 311, 115)
    assert topics()["2009044"].candidate == "229"
    without = [id[-3:] for id, topic in topics().items() if not topic.phrasetitle]
    assert " ".join(without) == "015 017 026 028 031 034 052 075 079 086 087 090 091 095 096 098 099"
    assert topics()["2009002"].phrasetitle == "best movie"
    assert topics()["2009042"].narrative.count("&") == 2
    assert {topic.kind for topic in topics().values()} == {"CO+S"}
    assert all(topic.description and topic.narrative for topic in topics().values())
    assert topics()["2009001"].line == 17
    assert topics()["2009001"].line_of("castitle") == 19


def test_printing_and_parsing_again() -> None:
    for query in (*trees().values(), *titles().values()):
        assert parse_nexi(str(query)) == query


def test_steps() -> None:
    assert Counter(len(query.steps) for query in trees().values()) == {1: 86, 2: 29}
    assert {"005", "114"} <= {id for id, query in trees().items() if len(query.steps) == 2}
    carrying = Counter(sum(s.clause is not None for s in query.steps) for query in trees().values())
    assert carrying == {1: 88, 2: 27}
    assert where(lambda query: query.steps[-1].clause is None) == "005"
    assert where(lambda query: query.steps[0].clause is None) == "114"


def test_abouts() -> None:
    counts = Counter(len(abouts(query)) for query in trees().values())
    assert counts == {1: 66, 2: 35, 3: 8, 4: 4, 5: 1, 6: 1}
    assert sum(len(abouts(query)) for query in trees().values()) == 187
    assert all(len(single_clauses(query)) == len(abouts(query)) for query in trees().values())
    looking_at = Counter(path_text(about.path) for query in trees().values() for about in abouts(query))
    assert looking_at[""] == 156
    assert sum(looking_at.values()) - looking_at[""] == 31
    del looking_at[""]
    several = {path: count for path, count in looking_at.items() if count > 1}
    assert several == {"//category": 7, "//st": 2, "//language": 2, "//movie": 2}
    assert where(lambda query: any(len(about.path) == 2 for about in abouts(query))) == "037"
    assert any(path_text(about.path) == "//movie//director" for about in abouts(trees()["037"]))
    assert topic_statistics(topics().values()).clauses == (66, 35, 8, 6)


def test_targets() -> None:
    goals = {id: path_text(target(query)) for id, query in trees().items()}
    counts = Counter(goals.values())
    assert (counts["//*"], counts["//article"], counts["//article//sec"]) == (38, 32, 7)
    others = {id: goal for id, goal in goals.items() if goal.endswith("*") and goal != "//*"}
    assert others == {"053": "//article//*", "109": "//article//*", "080": "//*//*"}

    def has_wildcard(query: CASQuery) -> bool:
        inner = [step for about in abouts(query) for step in about.path]
        return any("*" in step.tags for step in (*query.steps, *inner))

    assert sum(map(has_wildcard, trees().values())) == 42


def test_alternatives() -> None:
    def several(steps: tuple[Step, ...]) -> bool:
        return any(len(step.tags) > 1 for step in steps)

    assert where(lambda query: several(query.steps)) == "005 006 009 065 067 068 072 102 108"
    sizes = {len(step.tags) for query in trees().values() for step in query.steps if len(step.tags) > 1}
    assert (min(sizes), max(sizes)) == (2, 5)
    inside = where(lambda query: any(several(about.path) for about in abouts(query)))
    assert inside == "004 007 008 009"


def test_connectives_and_groups() -> None:
    outside = {id[-3:]: outside_abouts(topic.castitle) for id, topic in topics().items()}
    spelled = {
        word: [id for id, text in outside.items() if re.search(rf"\b{word}\b", text)]
        for word in ("and", "AND", "or", "OR")
    }
    assert {word: len(ids) for word, ids in spelled.items()} == {"and": 18, "AND": 4, "or": 12, "OR": 0}
    assert spelled["AND"] == ["012", "064", "076", "080"]
    assert "080" in spelled["and"]
    conjunctions = where(lambda query: any(isinstance(c, And) for c in connectives(query))).split()
    assert conjunctions == sorted({*spelled["and"], *spelled["AND"]})
    disjunctions = where(lambda query: any(isinstance(c, Or) for c in connectives(query))).split()
    assert disjunctions == spelled["or"]
    nested = where(
        lambda query: any(isinstance(part, And | Or) for c in connectives(query) for part in c.parts)
    )
    assert nested == "004 037 101"
    as_terms = where(lambda query: any(w.lower() in ("and", "or") for t in terms_of(query) for w in t.words))
    assert as_terms == "007 112"


def test_terms() -> None:
    assert where(lambda query: any(term.phrase for term in terms_of(query))) == (
        "007 021 023 024 032 044 047 051 053 057 058 060 061 064 080 088 089 093 094 110 115"
    )
    assert spelled(r'" \w[^"]*"\s*[)+\-]') == ["061"]
    assert Term(("second", "world", "war"), "", True) in terms_of(trees()["061"])

    def signed(sign: str, phrase: bool) -> str:
        return where(lambda query: any((t.sign, t.phrase) == (sign, phrase) for t in terms_of(query)))

    assert signed("+", False) == "009 106"
    assert signed("-", False) == "006 009"
    assert signed("-", True) == "007"
    assert signed("+", True) == ""

    def with_character(pattern: str) -> str:
        return where(lambda query: any(re.search(pattern, w) for t in terms_of(query) for w in t.words))

    assert with_character("'") == "047 050 069"
    assert with_character("-") == "033 063 079 114"
    assert with_character(r"\d") == "058 086 113"


def test_tags_with_an_underscore() -> None:
    def tags(query: CASQuery) -> set[str]:
        inner = [step for about in abouts(query) for step in about.path]
        return {tag for step in (*query.steps, *inner) for tag in step.tags}

    assert where(lambda query: any("_" in tag for tag in tags(query))) == "006 008 009 045 066 105"


def test_spaces() -> None:
    assert len(spelled(r"\[ ")) == 7
    assert len(spelled(r" \]")) == 9
    assert spelled(r"\] +//") == ["068"]
    assert spelled(r" \)") == ["004", "079", "080", "092"]
    assert spelled("  ") == ["052", "097"]
    assert len(spelled(r"\(\.[^,]*,\S")) == 48


def test_what_does_not_occur() -> None:
    for topic in topics().values():
        for text in (topic.title, topic.castitle, topic.phrasetitle):
            assert text.isascii()
            assert not re.search("[@&<>=]", text)
        assert not re.search(r"(?<!\w)'", topic.castitle)
    assert all(isinstance(atom, About) for q in trees().values() for s in q.steps for atom in atoms(s.clause))


def test_titles() -> None:
    def found(holds: Callable[[Term], bool]) -> str:
        return " ".join(id for id, query in titles().items() if any(map(holds, query.terms)))

    # 023 is apart from the others: its `+` follows a quote without a space
    assert found(lambda term: term.sign == "+") == "009 023 072 085 092 106"
    assert found(lambda term: term.sign == "-") == "006 007 009 092"
    assert found(lambda term: term.phrase) == "007 023 047 072 088 106"
    assert titles()["023"].terms[-1] == Term(("Macbeth",), "+")


def test_there_is_nothing_wrong_with_them() -> None:
    assert topic_problems(topics()) == []
