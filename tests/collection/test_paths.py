"""Places as INEX wrote them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.collection.paths import Place, parse_place


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/", Place((), None, None)),
        ("/article[1]", Place((("article", 1),), None, None)),
        ("/article", Place((("article", 1),), None, None)),
        ("/a[1]/b[12]", Place((("a", 1), ("b", 12)), None, None)),
        ("/a/b[2]/c", Place((("a", 1), ("b", 2), ("c", 1)), None, None)),
        ("/mml:math[3]", Place((("mml:math", 3),), None, None)),
        ("/h1.a-b_c", Place((("h1.a-b_c", 1),), None, None)),
        ("/v1.2[1]", Place((("v1.2", 1),), None, None)),
        ("/a[1]/text()[2]", Place((("a", 1),), 2, None)),
        ("/a[1]/text()", Place((("a", 1),), 1, None)),
        ("/a[1]/text()[2].17", Place((("a", 1),), 2, 17)),
        ("/a[1]/text().17", Place((("a", 1),), 1, 17)),
        ("/a[1].0", Place((("a", 1),), None, 0)),
    ],
)
def test_places(path: str, place: Place) -> None:
    assert parse_place(path) == place


@pytest.mark.parametrize(
    "path",
    [
        "",
        "a",
        "a[1]/b[1]",
        "sec",
        "12",
        "/a[]",
        "/a[x]",
        "/a[-1]",
        "/a[1",
        "/a]",
        "/a[1]b",
        "/a[1]/",
        "//a",
        "/text()[1]",
        "//text()[1]",
        "//text()",
        "//text()[1].3",
        f"/a[{'9' * 5000}]",
    ],
)
def test_what_is_no_place(path: str) -> None:
    assert parse_place(path) is None


names = st.text(alphabet="abz:_-é", min_size=1, max_size=4)


@given(
    st.lists(st.tuples(names, st.integers(1, 999)), min_size=1, max_size=5),
    st.none() | st.integers(1, 99),
    st.none() | st.integers(0, 10**6),
)
def test_a_place_written_out_is_read_back(
    steps: list[tuple[str, int]], text_node: int | None, offset: int | None
) -> None:
    path = "".join(f"/{tag}[{n}]" for tag, n in steps)
    path += "" if text_node is None else f"/text()[{text_node}]"
    path += "" if offset is None else f".{offset}"
    assert parse_place(path) == Place(tuple(steps), text_node, offset)
