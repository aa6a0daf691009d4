"""Titles of 2002 as queries of NEXI."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.topics.decompose import target
from inexlab.topics.marked_up import structured_title
from inexlab.topics.nexi import parse_nexi
from inexlab.topics.query import CASQuery
from tests.builders import calm


@pytest.mark.parametrize(
    ("parts", "query"),
    [
        ([("te", "article"), ("cw", "bees")], "//article[about(., bees)]"),
        ([("te", "sec"), ("cw", "bees")], "//article//sec[about(., bees)]"),
        ([("te", "sec, ss1"), ("cw", "bees")], "//article//(sec|ss1)[about(., bees)]"),
        ([("te", "article/bdy/sec, article/bdy/p"), ("cw", "b")], "//article//bdy//(sec|p)[about(., b)]"),
        (
            [("te", "fm//au"), ("cw", "bees"), ("ce", "abs, kwd")],
            "//article[about(.//(abs|kwd), bees)]//fm//au",
        ),
        (
            [("te", "article"), ("cw", "1999"), ("ce", "fm/yr, hdr"), ("cw", "bees")],
            "//article[(about(.//fm//yr, 1999) or about(.//hdr, 1999)) and about(., bees)]",
        ),
        ([("cw", "bees"), ("ce", "abs")], "//article[about(.//abs, bees)]//*"),
        ([("te", "sec"), ("cw", "bees"), ("ce", "sec")], "//article//sec[about(., bees)]"),
        ([("te", "p"), ("cw", "bees, (wasps); +ants")], "//article//p[about(., bees wasps +ants)]"),
        ([("te", "p"), ("cw", "x"), ("ce", "article")], "//article[about(., x)]//p"),
        ([("te", "p"), ("cw", " ")], "//article//p"),
        ([("te", "article, sec"), ("cw", "bees")], "//(article|sec)[about(., bees)]"),
        ([("te", "article, sec"), ("cw", "bees"), ("ce", "abs")], ""),
        ([("cw", "bees")], ""),
        ([("te", "fm/au, bm/vt"), ("cw", "bees")], ""),
    ],
)
def test_parts_of_a_title_are_a_query(parts: list[tuple[str, str]], query: str) -> None:
    assert structured_title(parts) == query


_NAMES = st.sampled_from(["article", "sec", "p", "fm", "au"])
_PATHS = st.lists(st.lists(_NAMES, min_size=1, max_size=3).map("/".join), min_size=1, max_size=2).map(
    ", ".join
)
_WORDS = st.lists(st.sampled_from(["bees", '"a phrase"', "+x", "C++", "a,b"]), min_size=1).map(" ".join)


@calm
@given(_PATHS, st.lists(st.tuples(_WORDS, st.none() | _PATHS), min_size=1, max_size=3))
def test_whatever_is_written_can_be_read(goal: str, clauses: list[tuple[str, str | None]]) -> None:
    parts = [("te", goal)]
    for words, context in clauses:
        parts += [("cw", words), *([("ce", context)] if context else [])]
    written = structured_title(parts)
    if not written:
        return
    query = parse_nexi(written)
    assert isinstance(query, CASQuery)
    assert "article" in target(query)[0].tags
