"""From spans to notations: the element that is a span or contains it, and the point before a character."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from inexlab.collection.document import Elements


def smallest_element(elements: Elements, start: int, end: int) -> int:
    """Return the smallest element that contains a span, the outermost where several have the same text.

    An empty span stands for the character that follows it. What reaches beyond the text is in the root.

    >>> from inexlab.collection import read_document
    >>> e = read_document(b"<a>x<b><c>yz</c></b><d>w</d></a>", "d").elements
    >>> [e.path(smallest_element(e, *span)) for span in [(1, 3), (2, 3), (2, 4), (1, 1), (4, 4)]]
    ['/a[1]/b[1]', '/a[1]/b[1]', '/a[1]', '/a[1]/b[1]', '/a[1]']
    """
    containing = np.flatnonzero((elements.start <= start) & (elements.end >= max(end, start + 1)))
    if not len(containing):
        return 0
    number = int(containing[-1])  # elements that share a character are nested, in document order
    while (parent := int(elements.parent[number])) >= 0 and (
        elements.start[parent] == elements.start[number] and elements.end[parent] == elements.end[number]
    ):
        number = parent
    return number


def pointer(elements: Elements, offset: int, *, closing: bool = False) -> str:
    """Return the point before a character as `path/text()[k].n`; a closing one stays with the text before it.

    >>> from inexlab.collection import read_document
    >>> e = read_document(b"<a>x<b>yz</b>w</a>", "d").elements
    >>> pointer(e, 1), pointer(e, 1, closing=True), pointer(e, 3, closing=True), pointer(e, 4)
    ('/a[1]/b[1]/text()[1].0', '/a[1]/text()[1].1', '/a[1]/b[1]/text()[1].2', '/a[1]/text()[2].1')
    """
    length = int(elements.end[0])
    if not length:
        return elements.path(0)
    # the character whose text node the point is given in
    character = min(max(offset - closing, 0), length - 1)
    number = int(np.flatnonzero((elements.start <= character) & (elements.end > character))[-1])
    runs = elements.text_runs(number)
    k = bisect_right(runs, (character, length + 1)) - 1
    return f"{elements.path(number)}/text()[{k + 1}].{offset - runs[k].start}"
