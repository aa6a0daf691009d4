"""NEXI: text in, tree out, and back; errors that point at the place."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import inexlab
from inexlab.errors import QueryError
from inexlab.topics.nexi import parse_nexi, parse_path
from inexlab.topics.query import (
    About,
    And,
    CASQuery,
    Clause,
    Compare,
    COQuery,
    Or,
    Query,
    Sign,
    Step,
    Term,
    path_text,
)
from tests.builders import calm


def word(text: str, sign: Sign = "") -> Term:
    return Term((text,), sign)


def phrase(text: str, sign: Sign = "") -> Term:
    return Term(tuple(text.split()), sign, phrase=True)


def steps(*tags: str) -> tuple[Step, ...]:
    return tuple(Step("//", tuple(tag.split("|"))) for tag in tags)


def about(terms: str, *path: str) -> About:
    return About(steps(*path), tuple(word(text) for text in terms.split()))


def clause_of(text: str) -> Clause:
    query = parse_nexi(f"//a[{text}]")
    assert isinstance(query, CASQuery)
    assert query.steps[0].clause is not None
    return query.steps[0].clause


# Test vectors.


def test_terms_with_signs_and_phrases() -> None:
    terms = (word("x"), word("y", "-"), phrase("p q", "+"))
    assert parse_nexi('//a[about(., x -y +"p q")]') == CASQuery((Step("//", ("a",), About((), terms)),))


def test_two_steps_alternatives_and_words_that_look_like_connectives() -> None:
    assert parse_nexi("//a[about(.,x)] //(b|c)[ about(.//d//e , f OR g) ]") == CASQuery(
        (
            Step("//", ("a",), about("x")),
            Step("//", ("b", "c"), about("f OR g", "d", "e")),
        )
    )


def test_groups_and_a_bare_last_step() -> None:
    query = parse_nexi("//a[about(.,x) and ( about(.//b,y) or about(.//c,see also) )]//*")
    tree = And((about("x"), Or((about("y", "b"), about("see also", "c")))))
    assert query == CASQuery((Step("//", ("a",), tree), Step("//", ("*",))))


def test_a_comparison() -> None:
    assert clause_of(".//yr >= 1999 AND about(.,x)") == And(
        (Compare(steps("yr"), ">=", "1999", quoted=False), about("x"))
    )


def test_the_style_of_2003() -> None:
    date = Compare((Step("/", ("fm",)), Step("//", ("yr",))), "=", "2000", quoted=True)
    content = About((), (phrase("p q"), word("r", "+")))
    assert clause_of("(./fm//yr = '2000') AND about(., '\"p q\" +r')") == And((date, content))


def test_an_attribute() -> None:
    assert parse_nexi("//a//b[about(.//@id, 3D)]") == CASQuery(
        (Step("//", ("a",)), Step("//", ("b",), about("3D", "@id")))
    )


def test_a_quote_ends_a_term() -> None:
    assert parse_nexi('x "p q"-z') == COQuery((word("x"), phrase("p q"), word("z", "-")))


@pytest.mark.parametrize(
    ("query", "column", "problem"),
    [
        ("//a[about(.,)]", 13, "expected a term, found ')'"),
        ("a[about(.,x)]", 2, "expected a term (structured queries begin with //), found '['"),
        ("//a[about(.,x)", 15, "expected 'and', 'or' or ']', found the end"),
        ("//a[about(x)]", 11, "expected '.', where to look, such as . or .//p, found 'x'"),
        ("/a[about(.,x)]", 1, "expected '//' (structured queries begin with it) or a term, found '/'"),
        ("", 1, "the query is empty"),
        ("  ", 3, "the query is empty"),
        ("…", 2, "expected a term, found the end"),
        ("//", 3, "expected a tag name, '*' or '(', found the end"),
        ("//a//", 6, "expected a tag name, '*' or '(', found the end"),
        ("//(a|b", 7, "expected '|' or ')', found the end"),
        ("//(a|)", 6, "expected a tag name, '*' or '(', found ')'"),
        ("//a b", 5, "expected '//' or the end of the query, found 'b'"),
        ("//a[]", 5, "expected about(…), a comparison such as .//yr > 1999, or '(', found ']'"),
        ("//a[about(.,x)]]", 16, "expected '//' or the end of the query, found ']'"),
        ("//a[about(. x)]", 13, "expected ',' and the terms, found 'x'"),
        ("//a[about(.,x]", 14, "expected a term or ')', found ']'"),
        ("//a[(about(.,x)]", 16, "expected 'and', 'or' or ')', found ']'"),
        ("//a[about(.,x) about(.,y)]", 16, "expected 'and', 'or' or ']', found 'a'"),
        ("//a[about(.,x and about(.,y)]", 19, "about(…) among the terms of another; a ')' may be missing"),
        ("about(., x)", 1, "about(…) among the terms; structured queries begin with //"),
        ("//a[.//yr ~ 3]", 11, "expected '<', '>', '=', '<=' or '>=', found '~'"),
        ("//a[.//yr = old]", 13, "expected a number or a quoted string, found 'o'"),
        ("//a[.//yr = 'old]", 13, "this ' is never closed"),
        ('bees "dance', 6, 'this " is never closed'),
        ('bees ""', 6, "there is no word between the quotation marks"),
        ("//a[about(., &quot;&amp;&quot;)] x", 14, "there is no word between the quotation marks"),
        ("//a[about(., &quot;p&quot;)] x", 30, "expected '//' or the end of the query, found 'x'"),
        (f"//a[{'(' * 60}", 56, "more than 50 nested groups"),
        (f"//{'(' * 60}", 54, "more than 50 nested groups"),
    ],
)
def test_what_is_no_query_is_pointed_at(query: str, column: int, problem: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse_nexi(query)
    assert caught.value.column == column
    assert caught.value.problem.startswith(problem)


def test_the_message_has_a_caret_under_the_place() -> None:
    with pytest.raises(QueryError) as caught:
        parse_nexi("//a[about(., x)\n//b")
    assert str(caught.value).splitlines() == [
        "column 17: expected 'and', 'or' or ']', found '/'.",
        "  //a[about(., x) //b",
        "                  ^",
    ]


def test_of_a_long_query_the_message_shows_a_part() -> None:
    query = f"//a[about(., {'x ' * 500}] {'y' * 500}"
    with pytest.raises(QueryError) as caught:
        parse_nexi(query)
    _, line, caret = str(caught.value).splitlines()
    assert len(line) < 100
    assert line[caret.index("^")] == "]"


# Leniency: what real and hand-typed queries do.


@pytest.mark.parametrize(
    ("odd", "plain"),
    [
        ("// article [ about ( . , x ) ] // sec", "//article[about(., x)]//sec"),
        ("//a[about(., “p q” ‘x’)]", '//a[about(., "p q" x)]'),
        (
            "//a[about(., &quot;p q&quot; AT&amp;T) and .//n &lt;= 3]",
            '//a[about(., "p q" AT&T) and .//n <= 3]',
        ),
        ("//a[about(.,x) And about(.,y) OR about(.,z)]", "//a[(about(., x) and about(., y)) or about(., z)]"),
        ("//a[((about(.,x)))]", "//a[about(., x)]"),
        ("//(a)[about(.,x)]", "//a[about(., x)]"),
        ("//(a|(b|c))", "//(a|b|c)"),
        ("//a[ABOUT(.//@*, x)]", "//a[about(.//@*, x)]"),
        ("//a/b[about(./c, x)]", "//a/b[about(./c, x)]"),
        ("//mml:math[about(.//item-none, x)]", "//mml:math[about(.//item-none, x)]"),
        ("//a[.//n > -2.5]", "//a[.//n > -2.5]"),
        ('//a[.//t = "it\'s"]', '//a[.//t = "it\'s"]'),
        ("//a[about(., latent semantic indexing (LSI))]", "//a[about(., latent semantic indexing LSI)]"),
        ('//a[about(., " second world war")]', '//a[about(., "second world war")]'),
        ("//a[about(.,'automation\n +vehicle')]", "//a[about(., automation +vehicle)]"),
        ("bisphenol-A Ramakrishna's 3D a380", "bisphenol-A Ramakrishna's 3D a380"),
        ("C++, C# and TCP/IP; U.S. (2.5%)?", "C++ C# and TCP/IP U.S 2.5"),
        ('x+y x- y -  z --w a-"p q"', 'x+y x y z -w a "p q"'),
        ('"p q"+Macbeth, -x', '"p q" +Macbeth -x'),
        ("Größe naïveté 検索", "Größe naïveté 検索"),
        ("_x_ .NET", "x_ NET"),
    ],
)
def test_spellings(odd: str, plain: str) -> None:
    assert str(parse_nexi(odd)) == plain
    assert parse_nexi(plain) == parse_nexi(odd)


@pytest.mark.parametrize(
    "query",
    [
        "//article[(./fm//yr = '2000' OR ./fm//yr = '1999') AND about(.,\n"
        "  '\"intelligent transportation system\"')]//sec[about(.,'automation\n  +vehicle')]",
        '//article//sec[about(.,+"markov chains" +algorithm +graphs)]\n',
        "markov chains in graph related algorithms",
        "//article[about(.,intellectual property)]//sec[about(., copyright law)]",
        "//article//sec[about(., introduction information retrieval)]",
        "//article[about(.,intellectual property)]",
        "//article//sec[about(., copyright law)]",
        '//article [about(.,GLSL) or about(., "OpenGL Shading Language")]'
        "//sec[about(., GLSL OpenGL Shading)]",
        "OpenGL Shading Language GLSL",
        "//*[about(.,keywords)]",
        "//bdy//*",
    ],
)
def test_every_query_in_the_papers_parses(query: str) -> None:
    tree = parse_nexi(query)
    assert parse_nexi(str(tree)) == tree


def test_the_topic_of_2003_has_four_clauses_in_two_steps() -> None:
    year = (Step("/", ("fm",)), Step("//", ("yr",)))
    dates = Or((Compare(year, "=", "2000", quoted=True), Compare(year, "=", "1999", quoted=True)))
    assert parse_nexi(
        "//article[(./fm//yr = '2000' OR ./fm//yr = '1999') AND about(., '\"intelligent transportation "
        "system\"')]//sec[about(.,'automation +vehicle')]"
    ) == CASQuery(
        (
            Step("//", ("article",), And((dates, About((), (phrase("intelligent transportation system"),))))),
            Step("//", ("sec",), About((), (word("automation"), word("vehicle", "+")))),
        )
    )


def test_the_python_interface() -> None:
    assert inexlab.parse_nexi("bees") == COQuery((word("bees"),))


def test_paths_alone() -> None:
    assert path_text(parse_path(" /article//( sec|p )/*")) == "/article//(sec|p)/*"
    for wrong in ("", "article", "//a[about(.,x)]", "//a b"):
        with pytest.raises(QueryError):
            parse_path(wrong)


# Laws: a tree prints as a query that parses to the same tree, and nothing else than our error comes out.

names = st.from_regex(r"[a-z_][a-z0-9_.:\-]{0,5}", fullmatch=True)
tags = st.one_of(names, st.just("*"), names.map(lambda name: f"@{name}"), st.just("@*"))
alternatives = st.lists(tags, min_size=1, max_size=3).map(tuple)
axes = st.sampled_from(["//", "/"])
paths = st.lists(st.builds(Step, axes, alternatives, st.none()), max_size=2).map(tuple)
words = st.from_regex(r"[^\W_]([^\s\"()\[\],;|<>&“”„‟‘’‚‛]{0,6}\w)?(\+\+|#)?", fullmatch=True)
signs = st.sampled_from(["", "+", "-"])
phrases = st.builds(Term, st.lists(words, min_size=1, max_size=3).map(tuple), signs, st.just(True))
terms = st.builds(Term, st.tuples(words), signs, st.just(False)) | phrases
rows_of_terms = st.lists(terms, min_size=1, max_size=4).map(tuple)
letters = st.characters(exclude_characters="“”„‟‘’‚‛'", exclude_categories=["Cs"])
strings = st.text(letters) | st.just("&amp;lt;") | st.just("it's")
operators = st.sampled_from(["<", ">", "=", "<=", ">="])
numbers = st.from_regex(r"-?[0-9]{1,4}(\.[0-9]{1,2})?", fullmatch=True)
comparisons = st.one_of(
    st.builds(Compare, paths, operators, strings, st.just(True)),
    st.builds(Compare, paths, operators, numbers, st.just(False)),
)


def _joined(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(parts, min_size=2, max_size=3).map(tuple)
    return st.builds(And, several) | st.builds(Or, several)


clauses = st.recursive(st.builds(About, paths, rows_of_terms) | comparisons, _joined, max_leaves=6)
full_steps = st.builds(Step, axes, alternatives, st.none() | clauses)
first_steps = st.builds(Step, st.just("//"), alternatives, st.none() | clauses)
queries: st.SearchStrategy[Query] = st.one_of(
    st.builds(COQuery, rows_of_terms),
    st.builds(lambda first, more: CASQuery((first, *more)), first_steps, st.lists(full_steps, max_size=3)),
)


@calm
@given(queries)
def test_printing_a_tree_gives_a_query_that_parses_to_the_same_tree(query: Query) -> None:
    assert parse_nexi(str(query)) == query


PIECES = (
    *(
        "//",
        "/",
        "a",
        "sec",
        "*",
        "@",
        "(",
        ")",
        "|",
        "[",
        "]",
        "about(.,",
        "about",
        ".",
        ",",
        " and ",
        " or ",
    ),
    *("+", "-", '"', "'", "x", "1999", ">=", "=", "&quot;", "&amp;", "“", "’", "_", "++", " ", "\n", "é"),
)
mixtures = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


def parsed(text: str) -> Query | QueryError:
    try:
        return parse_nexi(text)
    except QueryError as error:
        return error


@calm
@given(st.one_of(st.text(), mixtures, queries.map(str)), st.data())
def test_no_input_raises_anything_but_a_query_error(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    for damaged in (text, text[:at], text[:at] + text[at + 1 :]):
        found = parsed(damaged)
        if isinstance(found, QueryError):
            assert 1 <= found.column <= len(damaged) + 1
        else:
            assert parse_nexi(str(found)) == found


def work(text: str) -> int:
    """Return how many functions are called to parse a query, matches of regular expressions among them."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        parsed(text)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("unit", [*PIECES, "//a[about(.,x)]", "x ", '"p q" ', "a.", "a-", "//a[about(.,x"])
@pytest.mark.parametrize("frame", ["{}", "//a[about(., x{})]", '//a[about(., "{}', "//a[about(.,x){}"])
def test_the_work_grows_with_the_length_of_the_query(unit: str, frame: str) -> None:
    short, long = (work(frame.format(unit * count)) for count in (200, 400))
    assert long <= 2 * short + 100
