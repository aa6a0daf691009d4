"""Decomposition, families of topics, statistics and problems."""

from __future__ import annotations

import pytest
from hypothesis import given

from inexlab.errors import InputError
from inexlab.topics import CASQuery, Query, Topic, Topics, parse_nexi
from inexlab.topics.decompose import combination, has_or, single_clauses, supports, target
from inexlab.topics.equivalence import read_equivalence
from inexlab.topics.families import children, is_clause_of, parents, required_query
from inexlab.topics.problems import topic_problems
from inexlab.topics.query import path_text
from inexlab.topics.statistics import survival, topic_statistics
from tests.builders import calm
from tests.topics.test_nexi import queries


def cas(text: str) -> CASQuery:
    query = parse_nexi(text)
    assert isinstance(query, CASQuery)
    return query


# Topics 258, 259 and 281 of INEX 2005 (Trotman and Lalmas 2005, §2).
PARENT = Topic("258", castitle="//article[about(.,intellectual property)]//sec[about(., copyright law)]")
CHILDREN = (
    Topic("259", castitle="//article[about(.,intellectual property)]", parent=PARENT.castitle),
    Topic("281", castitle="//article//sec[about(., copyright law)]", parent=f"\n{PARENT.castitle} "),
)


def test_the_example_of_the_paper() -> None:
    query = cas(PARENT.castitle)
    assert path_text(target(query)) == "//article//sec"
    assert [path_text(path) for path in supports(query)] == ["//article", "//article//sec"]
    assert single_clauses(query) == [cas(child.castitle) for child in CHILDREN]


@pytest.mark.parametrize(
    ("query", "combined"),
    [
        ("//a", None),
        ("//a[about(., x)]//b", 0),
        ("//a[about(., x) or about(., y)]", {"or": [0, 1]}),
        ("//a[about(., x) and (about(.//b, y) or about(.//c, z))]", {"and": [0, {"or": [1, 2]}]}),
        ("//a[about(., x) or (about(., y) or .//c > 1)]//b[about(., z)]", {"and": [{"or": [0, 1, 2]}, 3]}),
        ("//a[about(., x) and about(., y)]//b[about(., z)]", {"and": [0, 1, 2]}),
    ],
)
def test_how_clauses_combine(query: str, combined: object) -> None:
    assert combination(cas(query)) == combined


@pytest.mark.parametrize(
    ("query", "goal", "places", "parts", "disjunction"),
    [
        (
            "//a[about(.,x)] //(b|c)[ about(.//d//e , f OR g) ]",
            "//a//(b|c)",
            ["//a", "//a//(b|c)//d//e"],
            ["//a[about(., x)]", "//a//(b|c)[about(.//d//e, f OR g)]"],
            False,
        ),
        (
            "//a[about(.,x) and (about(.//b,y) or .//yr > 3)]//*",
            "//a//*",
            ["//a", "//a//b", "//a//yr"],
            ["//a[about(., x)]", "//a[about(.//b, y)]", "//a[.//yr > 3]"],
            True,
        ),
        ("//a//b", "//a//b", [], [], False),
        ("//a//b[about(., x)]", "//a//b", ["//a//b"], ["//a//b[about(., x)]"], False),
        ("//a[about(., x)]//b", "//a//b", ["//a"], ["//a[about(., x)]"], False),
    ],
)
def test_decomposition(query: str, goal: str, places: list[str], parts: list[str], disjunction: bool) -> None:
    tree = cas(query)
    assert path_text(target(tree)) == goal
    assert [path_text(path) for path in supports(tree)] == places
    assert [str(part) for part in single_clauses(tree)] == parts
    assert has_or(tree) is disjunction


@calm
@given(queries)
def test_single_clauses_are_queries_of_one_clause(query: Query) -> None:
    if isinstance(query, CASQuery):
        for part in single_clauses(query):
            assert single_clauses(part) == [part]
            assert target(query)[: len(part.steps)] == target(part)


def test_children_are_linked_by_the_castitle_of_their_parent() -> None:
    topics = Topics([PARENT, *CHILDREN, Topic("1", title="bees"), Topic("2", parent="//x", castitle="//x")])
    linked = {id: parent.id if parent else None for id, parent in parents(topics).items()}
    assert linked == {"259": "258", "281": "258", "2": None}
    assert {id: [c.id for c in found] for id, found in children(topics).items()} == {"258": ["259", "281"]}
    assert all(is_clause_of(child, PARENT) for child in CHILDREN)
    assert not is_clause_of(topics["2"], PARENT)


def test_the_query_that_is_needed() -> None:
    assert required_query(PARENT) == cas(PARENT.castitle)
    bad = Topic("9", castitle="//a[", file="t.xml", line=3, lines={"castitle": 5})
    with pytest.raises(InputError, match=r"t.xml, line 5: the castitle of topic 9 cannot be read"):
        required_query(bad)


# Trotman and Lalmas (2005), Table 1, for 2005: of the 17 parents 3 have one clause, 12 two, 2 three.


def test_statistics_as_in_the_paper() -> None:
    about = [f"about(., w{n})" for n in range(5)]
    queries = [f"//a[{' and '.join(about[:n])}]" for n in [1] * 3 + [2] * 12 + [3] * 2]
    topics = [Topic(str(n), castitle=query) for n, query in enumerate(queries)]
    topics += [Topic("c", castitle="//a[about(., w0)]", parent=queries[5]), Topic("k", title="bees")]
    counted = topic_statistics(topics)
    assert counted.topics == 19
    assert counted.kinds == {"CAS": 18, "CO": 1}
    assert counted.children == 1
    assert counted.clauses == (3, 12, 2, 0)
    assert counted.percentages == (18, 71, 12, 0)


@pytest.mark.parametrize(
    ("counts", "percentages"),
    [((7, 12, 6, 5), (23, 40, 20, 17)), ((4, 22, 4, 4), (12, 65, 12, 12)), ((0, 0, 0, 0), (0, 0, 0, 0))],
)
def test_percentages_of_the_other_years(counts: tuple[int, ...], percentages: tuple[int, ...]) -> None:
    topics = [
        Topic(f"{clauses}.{n}", castitle=f"//a[{' and '.join(['about(., x)'] * clauses)}]")
        for clauses, count in enumerate(counts, start=1)
        for n in range(count)
    ]
    assert topic_statistics(topics).percentages == percentages


def test_a_query_without_clauses_is_not_counted_by_them() -> None:
    assert topic_statistics([Topic("1", castitle="//a//b")]).clauses == (0, 0, 0, 0)


def test_survival() -> None:
    counts = survival(["c1", "c2", "c3"], ["1", "2"], ["2", "3", "3"])
    assert (counts.candidate, counts.selected, counts.assessed, counts.unexpected) == (3, 2, 2, ("3",))


# Problems.


def problems(*topics: Topic, tags: set[str] | None = None) -> list[tuple[str, int, str, str]]:
    found = topic_problems(Topics(topics), tags, read_equivalence())
    assert all(problem.file == "t" for problem in found)
    return [(problem.topic, problem.line, problem.kind, problem.problem) for problem in found]


def topic(id: str, line: int = 1, /, **fields: str) -> Topic:
    lines = {name: line + n for n, name in enumerate(fields, start=1)}
    return Topic(id, file="t", line=line, lines=lines, **fields)  # type: ignore[arg-type]


def test_good_topics_have_no_problems() -> None:
    assert problems(topic("1", title="bees"), topic("2", castitle="//a[about(., x)]")) == []


def test_queries_that_cannot_be_read() -> None:
    assert problems(
        topic("1", 10, title='"bees', castitle="//a[about(.,\n x]"),
        topic("2", 20, castitle="bees"),
        topic("3", 30, description="nothing asked"),
        topic("4", 40, title="bees", query_type="CAS"),
    ) == [
        ("1", 11, "syntax", 'title, column 1: this " is never closed'),
        ("1", 13, "syntax", "castitle, column 16: expected a term or ')', found ']'"),
        ("2", 21, "syntax", "the castitle is not a structured query: it begins without //"),
        ("3", 30, "query", "has neither a title nor a castitle"),
        ("4", 41, "query", "is of type CAS but has no structured query"),
    ]


def test_symbols_that_mean_nothing_where_they_stand() -> None:
    assert problems(
        topic("1", 10, title="bees +", castitle="//a[about(.,\n x &amp; y)]"),
        topic("2", 20, title="C++, e-mail (or 'post'); +stamp"),
    ) == [
        ("1", 11, "symbol", "title, column 6: '+' stands alone and is ignored"),
        ("1", 13, "symbol", "castitle, column 17: '&' stands alone and is ignored"),
    ]


def test_a_query_on_several_lines_of_text_but_one_of_the_file() -> None:
    found = problems(Topic("1", castitle="//a[about(.,\n\n x]", file="t", line=4))
    assert [line for _, line, _, _ in found] == [4]


def test_a_title_of_2002_is_no_query_language() -> None:
    found = problems(Topic("1", title="x", query_type="CAS", extra={"te": "article"}, file="t", line=4))
    assert [(line, kind) for _, line, kind, _ in found] == [(4, "query")]


def test_tags_that_the_collection_does_not_have() -> None:
    asked = topic("1", castitle="//artcle[about(.//(ss1|zzz), x)]//*[about(.//@id, y)]", title="w")
    assert problems(asked, tags={"article", "sec"}) == [
        ("1", 2, "tag", "the collection has no <artcle>; did you mean 'article'?"),
        ("1", 2, "tag", "the collection has no <zzz>"),
    ]
    assert problems(asked) == []


def test_children_that_do_not_fit() -> None:
    parent = topic("1", castitle="//a[about(., x)]//b[about(., y z)]")
    good = topic("2", 10, castitle="//a//b[about(.,y  z)]", parent=parent.castitle)
    bad = topic("3", 20, castitle="//b[about(., y z)]", parent=parent.castitle)
    orphan = topic("4", 30, castitle="//b[about(., w)]", parent="//c[about(., w)]")
    assert problems(parent, good, bad, orphan) == [
        ("3", 21, "parent", "the castitle is not one of the clauses of its parent 1"),
        ("3", 21, "duplicate", "nearly topic 2: 2 of 2 words of their queries are the same"),
        ("4", 32, "parent", "no topic here has the castitle that this one names as its parent's"),
    ]


def test_near_duplicates() -> None:
    assert problems(
        topic("1", title="bee navigation by the sun"),
        topic("2", 10, title="Navigation by the sun"),
        topic("3", 20, title="sun"),
        topic("4", 30, title="Sun"),
        topic("5", 40, castitle='//a[about(., the sun) and about(.//b, +"by navigation")]'),
    ) == [
        ("2", 11, "duplicate", "nearly topic 1: 4 of 5 words of their queries are the same"),
        ("5", 41, "duplicate", "nearly topic 1: 4 of 5 words of their queries are the same"),
        ("5", 41, "duplicate", "nearly topic 2: 4 of 4 words of their queries are the same"),
    ]
