"""Random documents with the tags that pages treat in their own ways."""

from __future__ import annotations

from xml.sax.saxutils import escape

from hypothesis import strategies as st

from inexlab.collection import read_document
from inexlab.collection.document import Document

TAGS = (
    *(
        "p",
        "sec",
        "section",
        "title",
        "article-title",
        "table",
        "tgroup",
        "thead",
        "tbody",
        "row",
        "tr",
        "cell",
    ),
    *(
        "td",
        "th",
        "entry",
        "list",
        "item",
        "li",
        "ul",
        "ol",
        "label",
        "italic",
        "b",
        "sub",
        "code",
        "pre",
        "fig",
    ),
    *("caption", "math", "m:math", "m:mi", "m:mrow", "m:mtext", "m:annotation-xml", "tex-math", "br", "div"),
    *("span", "a", "h1", "h4", "front", "ref-list", "q", "dl", "dt", "dd", "indexterm", "l", "body", "html"),
    *("select", "option", "button", "form"),
)
PIECES = st.one_of(
    st.sampled_from(
        ("", " ", "\n", "\r", "a", "<script>", "&amp;", "😀", "e\u0301", "שלום", "\u0085", "\u00a0")
    ),
    st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff"), max_size=6),
)


def _joined(tag: str, parts: list[str]) -> str:
    return f"<{tag}>{''.join(parts)}</{tag}>"


def _text(text: str) -> str:
    return escape(text, {"\r": "&#13;"})


ELEMENTS = st.recursive(
    PIECES.map(_text),
    lambda inner: st.builds(_joined, st.sampled_from(TAGS), st.lists(inner, max_size=5)),
    max_leaves=25,
)


def documents() -> st.SearchStrategy[Document]:
    """Return random documents."""
    roots = st.sampled_from(("article", "a", "html", "TEI"))
    return st.builds(_joined, roots, st.lists(ELEMENTS, max_size=4)).map(_read)


def _read(xml: str) -> Document:
    whole = xml.replace(">", ' xmlns:m="m">', 1)
    return read_document(f'<?xml version="1.0"?>{whole}'.encode(), "random")
