"""Path patterns and equivalent tags."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import InputError, UnknownNameError
from inexlab.topics.equivalence import Equivalence, built_in_tables, read_equivalence
from inexlab.topics.patterns import pattern
from tests.builders import calm

SECTIONS = read_equivalence()


@pytest.mark.parametrize(
    ("text", "path", "conforms"),
    [
        ("//article//sec", "/article[1]/bdy[1]/sec[2]", True),
        ("//article//sec", "/article[1]/bdy[1]/ss1[2]", True),  # Trotman and Lalmas (2005) §4.5
        ("//article//sec", "/article[1]/bdy[1]/sec[2]/p[1]", False),
        ("//article//sec", "/sec[1]/article[1]", False),
        ("//article//sec", "/sec[1]", False),
        ("//ss2//p", "/article[1]/sec[1]/p[1]", True),  # equal on inner steps too
        ("//sec//sec", "/article[1]/sec[1]", False),
        ("//sec//sec", "/article[1]/sec[1]/ss1[1]", True),
        ("//bdy//*", "/article[1]/bdy[1]", False),
        ("//bdy//*", "/article[1]/bdy[1]/sec[1]/p[3]", True),
        ("//*", "/article[1]", True),
        ("//*//*", "/article[1]", False),
        ("//article//(sec|p)", "/article[1]/bdy[1]/p[1]", True),
        ("//article//(sec|p)", "/article[1]/bdy[1]/fig[1]", False),
        ("//article//(fig|*)", "/article[1]/bdy[1]", True),
        ("/article/bdy/sec", "/article[1]/bdy[1]/sec[1]", True),
        ("/article/bdy/sec", "/article[1]/bdy[1]/fig[1]/sec[1]", False),
        ("/bdy/sec", "/article[1]/bdy[1]/sec[1]", False),
        ("//bdy/*/p", "/article[1]/bdy[1]/sec[1]/p[1]", True),
        ("//bdy/*/p", "/article[1]/bdy[1]/p[1]", False),
        ("//article/*//p", "/article[1]/p[1]", False),
        ("//a/b//a/b", "/a[1]/b[1]/a[1]/a[1]/b[1]", True),
        ("//article//@id", "/article[1]/id[1]", False),
        ("//article", "/article", True),
        ("//article", "/article[1]/", True),
        ("//article", "/article[1]/text()[1]", False),
        ("//article", "/article[1].5", False),
        ("//article", "article[1]", False),
        ("//article", "/", False),
    ],
)
def test_strict_conformance(text: str, path: str, conforms: bool) -> None:
    assert pattern(text, SECTIONS).matches(path) is conforms


def test_a_pattern_prints_as_it_was_written() -> None:
    assert str(pattern(" //article // (sec|p)", SECTIONS)) == "//article//(sec|p)"


tags = st.sampled_from("abc")


@calm
@given(
    st.lists(st.tuples(st.sampled_from(["//", "/"]), tags | st.just("*")), min_size=1, max_size=4),
    st.lists(tags, min_size=1, max_size=6),
)
def test_a_pattern_is_the_regular_expression_it_stands_for(
    steps: list[tuple[str, str]], path: list[str]
) -> None:
    text = "".join(axis + tag for axis, tag in steps)
    expression = "".join(
        ("(/[abc])*" if axis == "//" else "") + ("/[abc]" if tag == "*" else f"/{tag}") for axis, tag in steps
    )
    expected = re.fullmatch(expression, "".join(f"/{tag}" for tag in path)) is not None
    assert pattern(text, Equivalence()).matches("".join(f"/{tag}[1]" for tag in path)) is expected


@calm
@given(st.lists(tags, min_size=1, max_size=5))
def test_an_element_conforms_to_its_own_path_and_to_every_looser_one(path: list[str]) -> None:
    place = "".join(f"/{tag}[1]" for tag in path)
    exact = "".join(f"/{tag}" for tag in path)
    for looser in (exact, exact.replace("/", "//"), f"//{path[-1]}", "//*", f"//({path[-1]}|x)"):
        assert pattern(looser, Equivalence()).matches(place)


# Tables.


def test_the_tables_there_are() -> None:
    assert list(built_in_tables()) == ["inex-ieee", "none", "sections"]
    assert SECTIONS.first == {"sec": "sec", "ss1": "sec", "ss2": "sec", "ss3": "sec"}
    assert SECTIONS.unverified == ""
    assert read_equivalence("none").first == {}
    ieee = read_equivalence("inex-ieee")
    assert ieee.unverified
    groups: dict[str, list[str]] = {}
    for tag in ieee.first:
        groups.setdefault(ieee.of(tag), []).append(tag)
    assert {first: " ".join(tags) for first, tags in groups.items()} == {
        "sec": "sec ss1 ss2 ss3",
        "p": "p p1 p2 p3 ip1 ip2 ip3 ip4 ip5 ilrj item-none",
        "list": "list dl l1 l2 l3 l4 l5 l6 l7 l8 l9 la lb lc ld le numeric-list numeric-rbrace bullet-list",
        "h": "h h1 h1a h2 h2a h3 h4",
    }
    assert ieee.of("article") == "article"


def test_ones_own_table(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('title = "mine"\n[groups]\nparts = ["section", "abstract"]\n')
    mine = read_equivalence(str(file))
    assert pattern("//section", mine).matches("/article[1]/abstract[1]")
    assert not pattern("//section", SECTIONS).matches("/article[1]/abstract[1]")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "has no [groups]"),
        ("groups = 3", "has no [groups]"),
        ("[groups]\na = 3", "group 'a' is not a list of tags"),
        ('[groups]\na = ["x", 1]', "group 'a' is not a list of tags"),
        ('[groups]\na = ["x"]\nb = ["x"]', "tag 'x' is in two groups"),
        ("[groups", "is not TOML"),
        (b"\xff", "is not UTF-8"),
    ],
)
def test_bad_tables(content: str | bytes, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(InputError) as caught:
        read_equivalence(str(file))
    assert problem in str(caught.value)
    assert "Write [groups]" in str(caught.value)


def test_an_unknown_table() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'inex-ieee'"):
        read_equivalence("inex-iee")
