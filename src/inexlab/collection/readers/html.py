"""HTML as browsers read it: the canonical text is what `textContent` of the page is, without JavaScript.

turbohtml builds the tree by the algorithm of the HTML standard, so that unclosed and misplaced tags end up
where a browser puts them; `html`, `head`, `body` and `tbody` are there even where nobody wrote them. The
encoding is found as browsers find it. `script`, `style` and `template` are left out. Names of elements are in
lower case, those of MathML and SVG without prefix; a character that XML does not allow in a name becomes `_`.

By that algorithm formatting that nobody closes (`<font color=1>`) is repeated in all paragraphs behind it, so
that a small page can become a tree of any size. One that would is refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inexlab.collection.entities import Entities
from inexlab.collection.reader import Events, Reader, document_readers, possible
from inexlab.errors import InputError

if TYPE_CHECKING:
    import turbohtml

_LEFT_OUT = frozenset(("script", "style", "template"))
_HTML = re.compile(rb"(?:\s|<!--(?:(?!-->).)*+-->)*+<(?:!DOCTYPE\s+html\b|html\b)", re.DOTALL | re.IGNORECASE)
_FORMATTING = re.compile(
    rb"<(/?)(b|big|code|em|font|i|s|small|strike|strong|tt|u)(?=[\s/>])([^>]*+)>", re.IGNORECASE
)
_ALIKE = 3  # of formatting elements with the same attributes, that many are repeated
_MOST_ELEMENTS = 2_000_000
_DEEPEST = 512  # elements inside one another, as in browsers
_NOT_IN_NAMES = re.compile(r"[^\w.:\-]")
_NOT_FIRST = re.compile(r"^(?=[\d.\-])")


def read_html(data: bytes, name: str, events: Events, _entities: Entities) -> None:
    """Tell what is in an HTML page."""
    import turbohtml

    if not data.strip():
        raise InputError("is empty", file=name, fix="The file may be truncated.")
    if repeated_formatting(data) > _MOST_ELEMENTS:
        fix = "Close its formatting tags, such as font, b and i."
        raise InputError(f"may become more than {_MOST_ELEMENTS:,} elements", file=name, fix=fix)
    root = turbohtml.parse(data, positions=False).root
    if root is None:
        raise InputError("has no element", file=name)
    tag = _name(root.tag)
    events.start(tag)
    _send_language(root, events)
    open_elements = [(tag, iter(root.children))]
    while open_elements:
        tag, children = open_elements[-1]
        for child in children:
            if isinstance(child, turbohtml.Text):
                events.text(possible(child.data))
            elif isinstance(child, turbohtml.Element) and child.tag not in _LEFT_OUT:
                inner = _name(child.tag)
                events.start(inner)
                _send_language(child, events)
                open_elements.append((inner, iter(child.children)))
                break
        else:
            events.end(tag)
            open_elements.pop()


def _send_language(element: turbohtml.Element, events: Events) -> None:
    language = element.attrs.get("lang", element.attrs.get("xml:lang"))
    if isinstance(language, str):
        events.language(language)


def repeated_formatting(data: bytes) -> int:
    """Return how many elements formatting that is not closed may become, at most."""
    plain = data.replace(b"\0", b"")  # also in UTF-16
    waiting: list[tuple[bytes, bytes]] = []
    most = 0
    for end, written, attributes in _FORMATTING.findall(plain):
        tag = written.lower()
        if not end:
            if waiting.count((tag, attributes)) < _ALIKE:
                waiting.append((tag, attributes))
                most = max(most, len(waiting))
        else:
            last = next((k for k in range(len(waiting) - 1, -1, -1) if waiting[k][0] == tag), -1)
            if last >= 0:
                del waiting[last]
        if len(waiting) > _DEEPEST:
            break
    return min(most, _DEEPEST) * plain.count(b"<")


def _name(tag: str) -> str:
    """Return a tag as a name that XML and XPath can hold."""
    if tag.isascii() and tag.isalnum() and not tag[0].isdigit():
        return tag
    return _NOT_FIRST.sub("_", _NOT_IN_NAMES.sub("_", tag)) or "_"


document_readers.add(
    "html",
    Reader("html", "HTML", (".html", ".htm"), lambda head, _ending: bool(_HTML.match(head)), read_html),
)
