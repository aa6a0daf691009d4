"""A document on a page: its text nodes, in order, are the canonical text; titles and tables are such."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from inexlab.collection import read_document
from inexlab.collection.document import Document
from inexlab.collection.profile import guess_profile, read_profile
from inexlab.web.rendering import Rendering, render
from tests.examples import examples
from tests.web.documents import documents


def rendered(document: Document) -> Rendering:
    """Return the page of a document as the server makes it."""
    tags = document.elements.tags
    return render(document, guess_profile(tags, tags[document.elements.tag[0]]))


def a_page(xml: str, profile: str = "") -> str:
    document = read_document(xml.encode(), "d")
    if profile:
        return render(document, read_profile(profile)).html()
    return rendered(document).html()


def text_nodes(html: str) -> list[str]:
    """Return the text nodes of a page as a browser makes them, without what stands around the article."""
    root = turbohtml.parse(f"<!doctype html><title>t</title><main>{html}</main><p>after").root
    assert root is not None
    [main] = root.find_all("main")
    found: list[str] = []
    waiting: list[turbohtml.Node] = [main]
    while waiting:
        node = waiting.pop()
        if isinstance(node, turbohtml.Text):
            found.append(node.data)
        else:
            waiting += reversed(list(node.children))
    return found


class Nodes:
    """Places in text nodes, counted as browsers do."""

    def __init__(self, nodes: list[str]) -> None:
        self.nodes = nodes
        self._begins = list(accumulate((len(node) for node in nodes), initial=0))

    def place(self, offset: int) -> tuple[int, int]:
        """Return the text node of a place in the canonical text, and the UTF-16 offset in it."""
        node = min(bisect_right(self._begins, offset) - 1, len(self.nodes) - 1)
        before = self.nodes[node][: offset - self._begins[node]]
        return node, len(before.encode("utf-16-le")) // 2

    def offset(self, node: int, utf16: int) -> int:
        """Return the place in the canonical text."""
        before = self.nodes[node].encode("utf-16-le")[: 2 * utf16].decode("utf-16-le")
        return self._begins[node] + len(before)


@examples(50)
@given(documents(), st.data())
def test_spans_become_places_on_the_page_and_back(document: Document, data: st.DataObject) -> None:
    page = rendered(document)
    nodes = Nodes(text_nodes(page.html()))
    assert "".join(nodes.nodes) == document.text
    if document.text:
        for _ in range(3):
            offset = data.draw(st.integers(0, len(document.text)))
            assert nodes.offset(*nodes.place(offset)) == offset


@examples(50)
@given(documents(), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=4))
def test_marks_leave_the_text_as_it_is(document: Document, marks: list[tuple[int, int]]) -> None:
    assert "".join(text_nodes(rendered(document).html(marks))) == document.text


def test_scripts_and_references_in_the_text_are_text() -> None:
    html = a_page("<a><p>&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp; &quot;</p></a>")
    assert html == '<div><p class="lazy lazy-0">&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp; "</p></div>'


def test_line_ends_that_a_browser_would_change_are_kept() -> None:
    assert text_nodes(a_page("<a><pre>\n&#13;x&#13;\ny</pre></a>")) == ["\n\rx\r\ny"]


def test_a_table_is_one_where_it_has_rows_of_cells() -> None:
    table = "<a><table>\n<row>\n<cell>x</cell><cell/></row> </table></a>"
    assert "<table>\n<tr>\n<td>x</td><td></td></tr> </table>" in a_page(table)
    broken = a_page("<a><table>words<row><cell>x</cell></row></table></a>")
    assert "<table" not in broken
    assert "".join(text_nodes(broken)) == "wordsx"


def test_rows_of_a_head_have_headers() -> None:
    html = a_page(
        "<a><table><thead><tr><th>n</th><th/></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table></a>"
    )
    assert "<thead><tr><th>n</th><td></td></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody>" in html


def test_titles_are_headings_by_their_depth() -> None:
    xml = (
        "<article><front><article-meta><title-group><article-title>T</article-title></title-group></article-meta>"
        "</front><body><sec><title>A</title><p>x</p><sec><title>B <italic>b</italic></title></sec></sec>"
        "<fig><caption><title>F</title><p>y</p></caption></fig></body></article>"
    )
    document = read_document(xml.encode(), "d")
    page = render(document, read_profile("jats"))
    assert [(level, text) for level, text, _ in page.headings] == [(1, "T"), (2, "A"), (3, "B b")]
    number = page.headings[2].number
    assert f'<h3 id="h{number}">B <em>b</em></h3>' in page.html()
    assert '<p class="title">F</p>' in page.html()


def test_levels_of_headings_are_not_jumped_over() -> None:
    document = read_document(b"<html><body><h1>a</h1><h4>b</h4><h2>c</h2></body></html>", "d", "d.html")
    assert [heading.level for heading in rendered(document).headings] == [1, 2, 2]


def test_the_outline_of_markdown_is_without_its_signs() -> None:
    document = read_document(b"# One\n\ntext\n\n## Two ##\n\nmore\n", "d", "d.md")
    page = rendered(document)
    assert [(level, text) for level, text, _ in page.headings] == [(1, "One"), (2, "Two")]
    assert "".join(text_nodes(page.html())) == document.text


def test_a_list_with_other_things_in_it_is_none() -> None:
    assert "<ul" in a_page("<a><list> <item>x</item> <item>y</item></list></a>")
    assert "<ul" not in a_page("<a><list><head>h</head><item>x</item></list></a>")


def test_formulas_are_mathml_and_latex_without_its_preamble() -> None:
    xml = "<a><p>see <m:math><m:mfrac><m:mi>a</m:mi><m:div>b</m:div></m:mfrac></m:math></p></a>"
    assert "see <math><mfrac><mi>a</mi><mrow>b</mrow></mfrac></math></p>" in a_page(xml)
    tex = r"<a><p>so <tex-math>\usepackage{x}\begin{document}$$a^2$$\end{document}</tex-math>.</p></a>"
    assert '<span class="tex">a^2</span>' in a_page(tex)
    assert a_page("<a><p>in <math>x^2</math></p></a>").count('<span class="tex">x^2</span>') == 1


def test_marks_stand_around_words_only() -> None:
    document = read_document(b"<a><table>\n<row>\n<cell>x</cell>\n</row></table>y</a>", "d")
    html = rendered(document).html([(0, len(document.text))])
    assert html.count("<mark") == 2
    assert '<td><mark class="found" id="found">x</mark></td>' in html


def test_what_a_profile_skips_is_hidden() -> None:
    xml = "<section><para>a<indexterm>b</indexterm></para></section>"
    assert "a<span hidden>b</span>" in a_page(xml, "docbook")


def test_paragraphs_say_their_direction_where_some_run_from_right_to_left() -> None:
    assert 'dir="auto"' in a_page("<a><p>שלום</p></a>")
    assert "dir=" not in a_page("<a><p>hello</p></a>")


@pytest.mark.parametrize("depth", [190, 230, 3000])
def test_a_deep_document_keeps_its_text(depth: int) -> None:
    document = read_document(("<table>" * depth + "x" + "y</table>" * depth).encode(), "d")
    assert "".join(text_nodes(rendered(document).html())) == document.text


def test_long_parts_are_cut_into_lazy_ones() -> None:
    xml = "<a>" + "<sec><p>word word</p></sec>" * 500 + "</a>"
    html = a_page(xml)
    assert html.count('class="lazy') == 500
