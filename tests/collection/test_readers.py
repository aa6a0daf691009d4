"""HTML, Markdown and text become canonical text and elements; spans of the last two are the source's."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.collection import Document, read_document
from inexlab.collection.profile import read_profile
from inexlab.collection.reader import extension, recognise, without_extension
from inexlab.errors import InputError
from inexlab.index.batch import Batch
from inexlab.index.scan import ELEMENTS
from inexlab.index.scanner import Scanner
from tests.examples import examples


def pieces(document: Document) -> list[tuple[str, str]]:
    return [(e.tag, document.text[e.start : e.end]) for e in document.elements]


def html(source: str) -> list[tuple[str, str]]:
    return pieces(read_document(source.encode(), "d", "d.html"))


def markdown(source: str) -> list[tuple[str, str]]:
    return pieces(read_document(source.encode(), "d", "d.md"))


def check_sound(document: Document) -> None:
    """Every element is in its parent and behind its elder siblings, and its path leads to it."""
    table = document.elements
    assert (int(table.start[0]), int(table.end[0])) == (0, len(document.text))
    ends: dict[int, int] = {}
    for e in table:
        assert 0 <= e.start <= e.end <= len(document.text)
        if e.parent >= 0:
            assert table.start[e.parent] <= e.start
            assert e.end <= table.end[e.parent]
            assert ends.get(e.parent, 0) <= e.start
            ends[e.parent] = e.end
        assert table.number_of(table.path(e.number)) == e.number


def check_scanned(data: bytes, name: str, document: Document) -> None:
    """The scan for an index sees the same text and elements."""
    scanner, batch = Scanner(read_profile("markdown").kinds), Batch()
    scanner.scan(data, name, batch)
    size = int(batch.filled[ELEMENTS])
    assert batch.text_of(0).tobytes().decode() == document.text
    table = document.elements
    assert [scanner.tags[code] for code in batch.tag[:size]] == [table.tags[code] for code in table.tag]
    for ours, theirs in ((batch.parent, table.parent), (batch.start, table.start), (batch.end, table.end)):
        assert np.array_equal(ours[:size], theirs)


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("a.xml", b"", "xml"),
        ("a.dita", b"", "xml"),
        ("a.XHTML.gz", b"", "xml"),
        ("a.svg", b"<svg xmlns='x'>", "xml"),
        ("a", b"\xef\xbb\xbf<?xml version='1.0'?>", "xml"),
        ("a.x", b" \n<!-- c --><?pi x?><!DOCTYPE book>", "xml"),
        ("a.x", b"\xff\xfe<\0b\0>\0", "xml"),
        ("a.x", b"<?xml version='1.0'?><html>", "xml"),
        ("a.html", b"<?xml version='1.0'?><html>", "html"),
        ("a.aspx", b"<!-- x --><!DoctYpe HTML>", "html"),
        ("a", b"<HTML lang=en>", "html"),
        ("a.md", b"<html>", "markdown"),
        ("A.MARKDOWN", b"", "markdown"),
        ("a.txt", b"<html>", "text"),
        ("a.php", b"<?php echo 1 ?><html>", None),
        ("a.ent", b"<?xml version='1.0'?><entities>", None),
        ("a.dtd", b"<!-- c --><!ELEMENT a (b)>", None),
        ("a.css", b"a < b", None),
        ("a.png", b"\x89PNG", None),
        ("a.jsp", b"<%@ page %>", None),
        ("a", b"", None),
    ],
)
def test_recognised(name: str, head: bytes, kind: str | None) -> None:
    found = recognise(name, head)
    assert (found.name if found else None) == kind


def test_extensions() -> None:
    assert [extension(n) for n in ("a.tar.gz", ".hidden", "x/.hidden", "a.b/c", "A.Md")] == [
        ".tar",
        "",
        "",
        "",
        ".md",
    ]
    assert [without_extension(n) for n in (".hidden", "a.b/c", "x/a.b.md", "a.xml.gz")] == [
        ".hidden",
        "a.b/c",
        "x/a.b",
        "a",
    ]


def test_html_as_browsers_read_it() -> None:
    assert html(
        "<!doctype html><title>T</title><p>one<p>two<table><tr><td>x<td>y</table>&eacute;<script>no</script>"
    ) == [
        ("html", "Tonetwoxyé"),
        ("head", "T"),
        ("title", "T"),
        ("body", "onetwoxyé"),
        ("p", "one"),
        ("p", "two"),
        ("table", "xy"),
        ("tbody", "xy"),
        ("tr", "xy"),
        ("td", "x"),
        ("td", "y"),
    ]


def test_html_without_script_style_and_template_but_with_noscript() -> None:
    source = "<style>a</style><noscript><p>b</p></noscript><template><p>c</p></template><svg><g>d</g></svg>"
    assert "".join(text for tag, text in html(source) if tag == "html") == "bd"


def test_html_names_that_xml_does_not_have() -> None:
    assert [tag for tag, _ in html('<x"y>1<a<b>2<fb:like>3')[3:]] == ["x_y", "a_b", "fb:like"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "koi8-r", "shift_jis"])
def test_html_in_any_encoding(encoding: str) -> None:
    word = {"koi8-r": "привет", "shift_jis": "日本語"}.get(encoding, "café")
    meta = "" if encoding == "utf-16" else f"<meta charset={encoding}>"
    document = read_document(f"{meta}<p>{word}".encode(encoding), "d", "d.html")
    assert document.text == word


@pytest.mark.parametrize(
    ("name", "data"), [("d.html", b" \n"), ("d.md", b"\n"), ("d.txt", b""), ("d.txt", b"a\0b")]
)
def test_what_is_empty_or_binary_is_refused(name: str, data: bytes) -> None:
    with pytest.raises(InputError, match=r"is empty|is binary"):
        read_document(data, "d", name)


def test_markdown_blocks() -> None:
    source = (
        "---\ntitle: x\n---\nintro\n\n# One #\n\ntext [link](http://a.b) <b>x</b>\n\n- item\n  more\n- two\n"
        "\n> quoted\n> on\n\n"
        "## Two\n\n| a | b |\n|---|---|\n| 1 | 2 \\| 3 |\n\n"
        "```py\ncode\n```\n\n[ref]: http://c.d\n\nThree\n=====\nend\n"
    )
    table = "| a | b |\n|---|---|\n| 1 | 2 \\| 3 |"
    two = f"## Two\n\n{table}\n\n```py\ncode\n```\n\n[ref]: http://c.d"
    one = source[source.index("# One") : source.index(two)] + two
    assert markdown(source) == [
        ("markdown", source),
        ("frontmatter", "---\ntitle: x\n---"),
        ("p", "intro"),
        ("section", one),
        ("h1", "# One #"),
        ("title", "One"),
        ("p", "text [link](http://a.b) <b>x</b>"),
        ("link-target", "](http://a.b)"),
        ("raw-html", "<b>"),
        ("raw-html", "</b>"),
        ("ul", "- item\n  more\n- two"),
        ("li", "- item\n  more"),
        ("p", "item\n  more"),
        ("li", "- two"),
        ("p", "two"),
        ("blockquote", "> quoted\n> on"),
        ("p", "quoted\n> on"),
        ("section", two),
        ("h2", "## Two"),
        ("title", "Two"),
        ("table", table),
        ("thead", "| a | b |"),
        ("tr", "| a | b |"),
        ("th", "a"),
        ("th", "b"),
        ("tbody", "| 1 | 2 \\| 3 |"),
        ("tr", "| 1 | 2 \\| 3 |"),
        ("td", "1"),
        ("td", "2 \\| 3"),
        ("pre", "```py\ncode\n```"),
        ("link-definition", "[ref]: http://c.d"),
        ("section", "Three\n=====\nend"),
        ("h1", "Three\n====="),
        ("title", "Three"),
        ("p", "end"),
    ]


def test_markdown_headings_nest_as_sections_whatever_their_order() -> None:
    document = read_document(b"### a\n# b\n### c\n## d\n> # no section\n\n# e\n", "d", "d.md")
    sections = [e for e in document.elements if e.tag == "section"]
    assert [document.text[e.start : e.end].split("\n")[0] for e in sections] == [
        "### a",
        "# b",
        "### c",
        "## d",
        "# e",
    ]
    parents = [document.elements[e.parent] for e in sections]
    assert [p.tag for p in parents] == ["markdown", "markdown", "section", "section", "markdown"]


def test_text_is_cut_at_blank_lines() -> None:
    source = "\ufeff\n  First line\nsecond \n \t\n\n\r\nNext\r\nline\r\n\r\n\fLast"
    document = read_document(source.encode(), "d", "d.txt")
    assert document.text == source.removeprefix("\ufeff")
    assert [text for tag, text in pieces(document) if tag == "p"] == [
        "First line\nsecond",
        "Next\r\nline",
        "Last",
    ]


def test_text_in_other_encodings() -> None:
    assert read_document("café".encode("cp1252"), "d", "d.txt").text == "café"
    assert read_document("café".encode("utf-16"), "d", "d.txt").text == "café"


MARKUP = st.text(st.sampled_from(list("#-*+>|`~[]()<>!=_\\: \t\n\r\f01.abé\u2028\U0001f600")), max_size=80)
BLOCKS = st.lists(
    st.sampled_from(
        [
            "# h\n",
            "## x ##\n",
            "- a\n",
            "  - b\n",
            "1. c\n",
            "> q\n",
            ">> r\n",
            "\n",
            "p\n",
            "| a | b |\n",
            "|---|---|\n",
            "| 1 |\n",
            "```\n",
            "    code\n",
            "[a]: b\n",
            "[a](b) ![c](d)\n",
            "<div>\n",
            "<!-- c -->\n",
            "---\n",
            "===\n",
            "\t- t\n",
            "* * *\r\n",
            "x\\\r",
            "- > # y\n",
            "   z  \n",
        ]
    ),
    max_size=14,
).map("".join)


@examples(100)
@given(st.one_of(MARKUP, BLOCKS), st.sampled_from(["d.md", "d.txt"]))
def test_every_span_cut_out_of_the_source_is_the_text_of_the_element(source: str, name: str) -> None:
    data = source.encode()
    try:
        document = read_document(data, "d", name)
    except InputError:
        assert not source.strip() or "\f" in source
        return
    assert document.text == source  # so each span of the text is one of the source
    check_sound(document)
    check_scanned(data, name, document)
    for tag, text in pieces(document)[1:]:
        assert text == text.strip(" \t\r\n") or tag in ("title", "link-target", "raw-html", "frontmatter")


@examples(60)
@given(st.text(st.sampled_from(list("<>/=\"'&;ab \np\0\f\x01\ufffe!-[]é")), max_size=80))
def test_any_html_becomes_sound_elements(source: str) -> None:
    try:
        document = read_document(source.encode(), "d", "d.html")
    except InputError:
        assert not source.strip()
        return
    check_sound(document)
    check_scanned(source.encode(), "d.html", document)


def test_formatting_that_is_repeated_without_end_is_refused() -> None:
    fonts = "".join(f"<font color={k}>" for k in range(300))
    with pytest.raises(InputError, match=r"d\.html: may become more than 2,000,000 elements\. Close its"):
        read_document(f"<p>{fonts}{'<p>x' * 20_000}".encode("utf-16"), "d", "d.html")
    closed = "".join(f"<font color={k}><b>x</b></FONT >" for k in range(5_000))
    for page in (f"<p>{fonts}{'<p>x' * 50}", f"<p>{'<b>' * 5000}{'<p>x' * 5000}", f"<p>{closed}"):
        assert read_document(page.encode(), "d", "d.html").text.strip("x") == ""


PAGE = b"""<!DOCTYPE html><html lang=en><head><title>T</title><meta charset=utf-8><style>a{}</style></head>
<body><h1>Head</h1><p>One <b>two <i>three</b> four</i><p>five<ul><li>a<li>b</ul><table><tr><td>1<td>2</table>
<svg><g><text>s</text></g></svg><math><mi>x</mi></math><script>if (a<b) {}</script><!-- c -->
<select><option>o</select></body>"""
GUIDE = b"""# Guide

Text with [a link](http://example.org "t"), `code`, *emphasis* and <b>tags</b>.

- one
- two
  1. deep

> quote
> - list

| a | b |
|---|---|
| 1 | 2 |

```py
x = 1
```

[ref]: http://x.y

Two
===
"""
GRAINS = (
    b"<",
    b">",
    b"</p>",
    b"<table>",
    b"<b>",
    b"&#xD800;",
    b"&",
    b"\xff",
    b"\r",
    b"\n\n",
    b"> ",
    b"- ",
    b"[",
    b"](",
    b"|",
    b"```",
)


def fuzz_documents(count: int, seed: int = 1) -> float:
    """Read damaged pages and guides; return the longest time that one took."""
    chance, longest = random.Random(seed), 0.0
    for _ in range(count):
        content, name = chance.choice(((PAGE, "d.html"), (GUIDE, "d.md")))
        data = bytearray(content)
        for _ in range(chance.randint(1, 8)):
            at = chance.randrange(len(data))
            what = chance.randrange(4)
            if what == 0:
                data[at] = chance.randrange(256)
            elif what == 1:
                del data[at : at + chance.randint(1, 40)]
            elif what == 2:
                data[at:at] = data[at : at + chance.randint(1, 80)] * chance.randint(1, 20)
            else:
                data[at:at] = chance.choice(GRAINS) * chance.randint(1, 50)
        begin = time.process_time()
        try:
            document = read_document(bytes(data), "d", name)
        except InputError:
            continue
        longest = max(longest, time.process_time() - begin)
        check_sound(document)
        check_scanned(bytes(data), name, document)
        assert len(document.text) <= 4 * len(data)
        assert len(document.elements) <= len(data) + 10
    return longest


def test_damaged_documents_are_read_or_refused_soon() -> None:
    assert fuzz_documents(400) < 5


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("d.html", lambda n: "<div>" * n),
        ("d.html", lambda n: "<b><p>" * n),
        ("d.html", lambda n: "<table><a>" * n),
        ("d.html", lambda n: "<font color=a>" * n + "<p>" * n),
        ("d.html", lambda n: "&" * n),
        ("d.md", lambda n: "> " * n),
        ("d.md", lambda n: "- " * n),
        ("d.md", lambda n: "[a](" * n),
        ("d.md", lambda n: "*a_ " * n),
        ("d.md", lambda n: "<a " * n),
        ("d.md", lambda n: "# h\n" * n),
        ("d.md", lambda n: "- a\n" * n),
        ("d.txt", lambda n: " \n" * n + "x"),
        ("d.txt", lambda n: "a\n\n" * n),
    ],
)
def test_what_could_take_long_does_not(name: str, make: Callable[[int], str]) -> None:
    check_sound(read_document(make(100).encode(), "d", name))
    begin = time.process_time()
    read_document(make(3_000).encode(), "d", name)
    assert time.process_time() - begin < 10
