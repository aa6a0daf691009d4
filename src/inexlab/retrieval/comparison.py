"""Comparisons of structured queries, such as `.//yr >= 2000`: conditions on the text of elements."""

from __future__ import annotations

import re

import numpy as np

from inexlab.index.guide import Mask
from inexlab.index.index import Index
from inexlab.tables import Ints
from inexlab.topics.query import Compare

# a hyphen after a word is not a minus
_NUMBER = re.compile(r"(?:(?<!\w)-)?(?:\d+(?:\.\d+)?|\.\d+)")
_MEANS = {"<": (-1,), ">": (1,), "=": (0,), "<=": (-1, 0), ">=": (0, 1)}


def meeting(index: Index, elements: Ints, comparison: Compare) -> Mask:
    """Say which elements meet a comparison; they come in the order of the collection."""
    documents = np.searchsorted(index.document_elements, elements, side="right") - 1
    places = zip(documents.tolist(), elements.tolist(), strict=True)
    # the text of a document is unpacked once: the index keeps the last one
    met = [meets(index.text(document)[slice(*index.span(e))], comparison) for document, e in places]
    return np.array(met, dtype=np.bool_)


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
