"""Places in a document as INEX wrote them: `/article[1]/bdy[1]/sec[3]/text()[2].17`.

A step carries its number among same-named siblings; a step without one means the first. `text()[k]` is
the k-th piece of an element's own text, and a final `.n` is the point n characters into the node named
before it. `/` alone is the whole document.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

WHOLE_DOCUMENT = "/"

_STEP = re.compile(r"/([^/\[\]]+)(?:\[(\d{1,9})\])?")
_TEXT_NODE = re.compile(r"/text\(\)(?:\[(\d{1,9})\])?$")
_OFFSET = re.compile(r"(?<=[\])])\.(\d{1,15})$")


def local_name(tag: str) -> str:
    """Return a tag without its prefix.

    >>> local_name("w:p"), local_name("p")
    ('p', 'p')
    """
    return tag.rpartition(":")[2] or tag


class Place(NamedTuple):
    """A parsed path: element steps, then perhaps a text node, then perhaps a point in it."""

    steps: tuple[tuple[str, int], ...]
    text_node: int | None
    offset: int | None


@functools.lru_cache(maxsize=1 << 16)
def parse_place(path: str) -> Place | None:
    """Return the parsed path, or None if it is not one.

    >>> parse_place("/a[1]/b/text()[2].7")
    Place(steps=(('a', 1), ('b', 1)), text_node=2, offset=7)
    >>> parse_place("sec[1]") is None
    True
    """
    offset = text_node = None
    if found := _OFFSET.search(path):
        offset, path = int(found[1]), path[: found.start()]
    if found := _TEXT_NODE.search(path):
        text_node, path = int(found[1] or 1), path[: found.start()]
    if path in ("", WHOLE_DOCUMENT):
        return Place((), None, offset) if path and text_node is None else None
    steps, position = [], 0
    while position < len(path):
        found = _STEP.match(path, position)
        if found is None:
            return None
        steps.append((found[1], int(found[2] or 1)))
        position = found.end()
    return Place(tuple(steps), text_node, offset)


def spell(place: Place) -> str:
    """Return a place in its one spelling, a number at every step.

    >>> spell(parse_place("/a/b[02]/text().7")), spell(parse_place("/"))
    ('/a[1]/b[2]/text()[1].7', '/')
    """
    steps = "".join(f"/{tag}[{number}]" for tag, number in place.steps) or WHOLE_DOCUMENT
    node = "" if place.text_node is None else f"/text()[{place.text_node}]"
    return steps + node + ("" if place.offset is None else f".{place.offset}")
