"""Comparisons of structured queries, such as `.//yr >= 2000`: conditions on the text of elements."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.index.guide import Mask
from inexlab.index.index import Index
from inexlab.index.store import Array
from inexlab.tables import Ints
from inexlab.topics.query import Compare

# a hyphen after a word is no minus
_NUMBER = re.compile(r"(?:(?<!\w)-)?(?:\d+(?:\.\d+)?|\.\d+)")
_MEANS = {"<": (-1,), ">": (1,), "=": (0,), "<=": (-1, 0), ">=": (0, 1)}


def holds_in(
    index: Index, element: int, comparison: Compare, there: Callable[[Ints], Mask] | None = None
) -> bool:
    """Whether some element meets a comparison: those in `element` that are `there`, or `element` alone."""
    document = index.document_of(element)
    looked_at = np.array([element], dtype=np.int64)
    if there is not None:
        stop = int(index.document_elements[document + 1])
        end = _subtree_end.for_work(2 * (stop - element))(index.columns["parent"], element, stop)
        looked_at = np.arange(element, end)
        looked_at = looked_at[there(looked_at)]
    text = index.text(document) if len(looked_at) else ""
    return any(meets(text[slice(*index.span(e))], comparison) for e in looked_at.tolist())


def meets(text: str, comparison: Compare) -> bool:
    """Compare an element's text with a value: the first number in it, or, with a string, all of it.

    A string that is a number is compared as one with a text that is nothing else. Other strings are equal up
    to case and white space, and ordered by code points.
    """
    means = _MEANS[comparison.operator]
    if comparison.quoted:
        left, right = _folded(text), _folded(comparison.value)
        if _NUMBER.fullmatch(left) and _NUMBER.fullmatch(right):
            return _compare(float(left), float(right)) in means
        return _compare(left, right) in means
    found = _NUMBER.search(text)
    return found is not None and _compare(float(found[0]), float(comparison.value)) in means


def _folded(text: str) -> str:
    return " ".join(text.lower().split())


def _compare(left: str | float, right: str | float) -> int:
    return (left > right) - (left < right)  # type: ignore[operator]


@Kernel
def _subtree_end(back: Array, element: int, stop: int) -> int:
    """Return the number after the last element in an element."""
    end = element + 1
    while end < stop and back[end] != 0 and end - np.int64(back[end]) >= element:
        end += 1
    return end
