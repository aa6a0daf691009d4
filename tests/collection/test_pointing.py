"""From spans to notations: elements that contain a span, and points in text nodes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.collection import Elements, pointer, read_document, smallest_element
from inexlab.collection.paths import parse_place, spell
from inexlab.spans import Span
from tests.builders import calm

#                 0 1     2 3        4      5   (six characters)
MIXED = b"<a>x<b/>y<c><d>zw</d></c><e>v<f/></e>u</a>"


@pytest.mark.parametrize(
    ("span", "path"),
    [
        ((0, 6), "/a[1]"),
        ((2, 4), "/a[1]/c[1]"),
        ((2, 3), "/a[1]/c[1]"),
        ((3, 5), "/a[1]"),
        ((4, 5), "/a[1]/e[1]"),
        ((0, 1), "/a[1]"),
        ((1, 1), "/a[1]"),
        ((3, 3), "/a[1]/c[1]"),
        ((6, 6), "/a[1]"),
        ((4, 99), "/a[1]"),
        ((99, 100), "/a[1]"),
    ],
)
def test_the_smallest_element_around_a_span(span: tuple[int, int], path: str) -> None:
    elements = read_document(MIXED, "d").elements
    assert elements.path(smallest_element(elements, *span)) == path


@pytest.mark.parametrize(
    ("offset", "opening", "closing"),
    [
        (0, "/a[1]/text()[1].0", "/a[1]/text()[1].0"),
        (1, "/a[1]/text()[2].0", "/a[1]/text()[1].1"),
        (2, "/a[1]/c[1]/d[1]/text()[1].0", "/a[1]/text()[2].1"),
        (4, "/a[1]/e[1]/text()[1].0", "/a[1]/c[1]/d[1]/text()[1].2"),
        (6, "/a[1]/text()[3].1", "/a[1]/text()[3].1"),
    ],
)
def test_points(offset: int, opening: str, closing: str) -> None:
    elements = read_document(MIXED, "d").elements
    assert pointer(elements, offset) == opening
    assert pointer(elements, offset, closing=True) == closing


def test_a_point_of_a_document_without_text() -> None:
    assert pointer(read_document(b"<a><b/></a>", "d").elements, 0) == "/a[1]"


TREES = st.recursive(
    st.text("xy", max_size=3),
    lambda inside: st.lists(st.tuples(st.sampled_from("bc"), inside), max_size=3).map(
        lambda parts: "".join(f"{content}<{tag}>{content}</{tag}>" for tag, content in parts)
    ),
    max_leaves=8,
)


def elements_of(content: str) -> Elements:
    return read_document(f"<a>{content}</a>".encode(), "d").elements


@calm
@given(TREES)
def test_every_point_is_found_again(content: str) -> None:
    elements = elements_of(content)
    for offset in range(int(elements.end[0]) + 1):
        for closing in (False, True):
            found = elements.find(pointer(elements, offset, closing=closing))
            assert found == Span(offset, offset)


@calm
@given(TREES)
def test_the_smallest_element_contains_the_span_and_no_smaller_one_does(content: str) -> None:
    elements = elements_of(content)
    length = int(elements.end[0])
    for start in range(length):
        for end in range(start + 1, length + 1):
            chosen = elements[smallest_element(elements, start, end)]
            around = [e for e in elements if e.start <= start and e.end >= end]
            assert chosen.end - chosen.start == min(e.end - e.start for e in around)
            assert chosen.number == min(
                e.number for e in around if (e.start, e.end) == (chosen.start, chosen.end)
            )


@pytest.mark.parametrize("path", ["/", "/a[1]", "/a[1]/b[2]/text()[3]", "/a[1]/b[2].4", "/a[1]/text()[1].0"])
def test_a_full_spelling_is_kept(path: str) -> None:
    place = parse_place(path)
    assert place is not None
    assert spell(place) == path
