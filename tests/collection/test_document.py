"""Canonical text and element tables, with xml.etree as the oracle for random trees."""

from __future__ import annotations

import time
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.collection import Document, read_document
from inexlab.errors import InputError
from inexlab.spans import Span


def table(document: Document) -> list[tuple[str, int, int]]:
    """Return (path, offset, length) of every element."""
    elements = document.elements
    return [(elements.path(e.number), e.start, e.end - e.start) for e in elements]


def test_the_worked_example() -> None:
    """12 characters, not the 13 of counting UTF-8 bytes."""
    content = '<?xml version="1.0"?>\n<article>\n<p>Caf&#233; &amp; bar</p><p>x</p></article>'
    document = read_document(content.encode(), "d")
    assert document.id == "d"
    assert document.text == "\nCafé & barx"
    assert table(document) == [
        ("/article[1]", 0, 12),
        ("/article[1]/p[1]", 1, 10),
        ("/article[1]/p[2]", 11, 1),
    ]


def test_element_rows() -> None:
    elements = read_document(b"<a>x<b>yz<c/></b></a>", "d").elements
    assert len(elements) == 3
    assert list(elements) == [(0, -1, "a", 0, 3), (1, 0, "b", 1, 3), (2, 1, "c", 3, 3)]


def test_white_space_between_tags_counts_and_prolog_and_epilog_do_not() -> None:
    document = read_document(b"\n<!-- p -->\n<a>\n <b>x</b>\n</a>\n<!-- e -->\n", "d")
    assert document.text == "\n x\n"
    assert table(document) == [("/a[1]", 0, 4), ("/a[1]/b[1]", 2, 1)]


def test_characters_are_code_points_and_crlf_is_one() -> None:
    document = read_document("<a>😀\r\n<b>é</b></a>".encode(), "d")
    assert document.text == "😀\né"
    assert table(document) == [("/a[1]", 0, 3), ("/a[1]/b[1]", 2, 1)]


@pytest.mark.parametrize(
    ("declared", "codec"),
    [
        ("UTF-8", "utf-8-sig"),
        ("UTF-16", "utf-16"),
        ("UTF-32", "utf-32"),
        ("ISO-8859-1", "iso-8859-1"),
        ("windows-1252", "cp1252"),
        ("GB18030", "gb18030"),
        ("cp037", "cp037"),
    ],
)
def test_offsets_do_not_depend_on_the_encoding(declared: str, codec: str) -> None:
    content = f'<?xml version="1.0" encoding="{declared}"?><a>Café<b>né</b></a>'
    document = read_document(content.encode(codec), "d")
    assert document.text == "Caféné"
    assert table(document) == [("/a[1]", 0, 6), ("/a[1]/b[1]", 4, 2)]


def test_shift_jis() -> None:
    content = '<?xml version="1.0" encoding="Shift_JIS"?><a>日本<b>語</b></a>'
    document = read_document(content.encode("shift_jis"), "d")
    assert document.text == "日本語"
    assert table(document) == [("/a[1]", 0, 3), ("/a[1]/b[1]", 2, 1)]


def test_steps_count_among_same_named_siblings() -> None:
    document = read_document(b"<a><p/><q/><p><p/></p><m:q/></a>", "d")
    assert [path for path, _, _ in table(document)] == [
        "/a[1]",
        "/a[1]/p[1]",
        "/a[1]/q[1]",
        "/a[1]/p[2]",
        "/a[1]/p[2]/p[1]",
        "/a[1]/m:q[1]",
    ]


def test_a_hundred_thousand_levels_are_just_a_long_document() -> None:
    levels = 100_000
    began = time.perf_counter()
    elements = read_document(b"<a>" * levels + b"x" + b"</a>" * levels, "d").elements
    assert len(elements) == levels
    deepest = elements.path(levels - 1)
    assert deepest == "/a[1]" * levels
    assert elements.find(deepest) == Span(0, 1)
    assert time.perf_counter() - began < 10


def test_a_broken_document_is_called_by_its_file_name() -> None:
    with pytest.raises(InputError) as caught:
        read_document(b"<a>\n<b></a>", "d", "folder/d.xml")
    assert str(caught.value) == "folder/d.xml, line 2: not well-formed XML (mismatched tag)."


EXAMPLE = read_document(b"<a>one<b>two<c/>!</b><b/>three<!-- no -->four<b>five</b></a>", "d").elements


@pytest.mark.parametrize(
    ("path", "span"),
    [
        ("/", (0, 20)),
        ("/a[1]", (0, 20)),
        ("/a", (0, 20)),
        ("/a[1]/b[1]", (3, 7)),
        ("/a/b", (3, 7)),
        ("/a[1]/b[1]/c[1]", (6, 6)),
        ("/a[1]/b[2]", (7, 7)),
        ("/a/b[3]", (16, 20)),
        ("/a[1]/text()[1]", (0, 3)),
        ("/a[1]/text()", (0, 3)),
        ("/a[1]/text()[2]", (7, 16)),
        ("/a[1]/b[1]/text()[1]", (3, 6)),
        ("/a[1]/b[1]/text()[2]", (6, 7)),
        ("/a[1]/b[1]/text()[1].0", (3, 3)),
        ("/a[1]/b[1]/text()[1].2", (5, 5)),
        ("/a[1]/b[1]/text()[1].3", (6, 6)),
        ("/a[1]/text()[2].4", (11, 11)),
        ("/a[1]/b[3].2", (18, 18)),
    ],
)
def test_find(path: str, span: tuple[int, int]) -> None:
    assert EXAMPLE.find(path) == span


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/b[1]", id="another root"),
        pytest.param("/a[2]", id="a second root"),
        pytest.param("/a[0]", id="counting from nought"),
        pytest.param("/a[1]/b[4]", id="too few siblings"),
        pytest.param("/a[1]/c[1]", id="a grandchild, not a child"),
        pytest.param("/A[1]", id="case matters"),
        pytest.param("/a[1]/text()[3]", id="too few pieces of text"),
        pytest.param("/a[1]/text()[0]", id="text from nought"),
        pytest.param("/a[1]/b[2]/text()[1]", id="no text"),
        pytest.param("/a[1]/b[1]/text()[1].4", id="a point past the end"),
        pytest.param("/a[1]/text()[1]/b[1]", id="nothing lies in a text"),
        pytest.param("a[1]", id="not absolute"),
        pytest.param("", id="no path"),
        pytest.param("//b", id="a pattern, not a path"),
        pytest.param("/a[1]/b[last()]", id="a function"),
    ],
)
def test_find_what_is_not_there(path: str) -> None:
    assert EXAMPLE.find(path) is None


# A tree is a tag and children; a child is a text or a tree.
tags = st.sampled_from(["a", "b", "sec", "m:p", "é"])
texts = st.text(alphabet="xy <&>\n\t]é中😀", max_size=4)
Tree = tuple[str, list[object]]
trees = st.recursive(
    st.tuples(tags, st.lists(texts, max_size=2)),
    lambda inner: st.tuples(tags, st.lists(st.one_of(texts, inner), max_size=6)),
    max_leaves=25,
)


def build(tree: Tree) -> ElementTree.Element:
    tag, children = tree
    element = ElementTree.Element(tag)
    last: ElementTree.Element | None = None
    for child in children:
        if not isinstance(child, str):
            last = build(child)  # type: ignore[arg-type]
            element.append(last)
        elif last is None:
            element.text = (element.text or "") + child
        else:
            last.tail = (last.tail or "") + child
    return element


def walk(element: ElementTree.Element, path: str, offset: int) -> list[tuple[str, int, str, list[Span]]]:
    """The oracle: (path, offset, string value, own pieces of text) of an element and all below it."""
    rows: list[tuple[str, int, str, list[Span]]] = []
    position, seen, pieces = offset, dict.fromkeys((child.tag for child in element), 0), []
    for before, child in [(element.text, None), *((c.tail, c) for c in element)]:
        if child is not None:
            seen[child.tag] += 1
            rows += walk(child, f"{path}/{child.tag}[{seen[child.tag]}]", position)
            position += len("".join(child.itertext()))
        if before:
            pieces.append(Span(position, position + len(before)))
            position += len(before)
    return [(path, offset, "".join(element.itertext()), pieces), *rows]


@given(trees)
def test_random_trees_agree_with_a_walk_over_elementtree(tree: Tree) -> None:
    root = build(tree)
    document = read_document(ElementTree.tostring(root, encoding="utf-8"), "d")
    expected = walk(root, f"/{root.tag}[1]", 0)
    assert document.text == "".join(root.itertext())
    assert table(document) == [(path, offset, len(value)) for path, offset, value, _ in expected]
    for path, offset, value, pieces in expected:
        assert document.elements.find(path) == Span(offset, offset + len(value))
        assert document.text[offset : offset + len(value)] == value
        for n, piece in enumerate(pieces, start=1):
            assert document.elements.find(f"{path}/text()[{n}]") == piece
            for k in range(piece.end - piece.start + 1):
                point = Span(piece.start + k, piece.start + k)
                assert document.elements.find(f"{path}/text()[{n}].{k}") == point
        assert document.elements.find(f"{path}/text()[{len(pieces) + 1}]") is None


@given(trees)
def test_the_path_of_an_element_leads_back_to_it(tree: Tree) -> None:
    elements = read_document(ElementTree.tostring(build(tree), encoding="utf-8"), "d").elements
    paths = [elements.path(number) for number in range(len(elements))]
    assert len(set(paths)) == len(elements)
    for element, path in zip(elements, paths, strict=True):
        assert elements.find(path) == (element.start, element.end)
        assert elements.find(path.replace("[1]", "")) == (element.start, element.end), "[1] may be left out"
        if element.parent >= 0:
            assert path.startswith(paths[element.parent] + "/")


@pytest.mark.parametrize("path", ["//text()[1]", "/text()[1]", "//text()", "//text()[1].1"])
def test_text_of_no_element_is_nowhere(path: str) -> None:
    assert read_document(b"<a>x<b>yz</b></a>", "d").elements.find(path) is None
