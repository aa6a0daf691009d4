"""The scale of 2005-2006: exhaustivity 0, 1, 2 or ? (too small), specificity the share of highlighted text.

Kazai and Lalmas (2005), equations 1-3; Ogilvie and Lalmas (2006), Table 2. The papers announce values
in [0, 1], but gen5 reaches 2 and genLifted 3, as printed. That changes no ratio of gains; Q and R alone
feel it.
"""

from __future__ import annotations

import numpy as np

from inexlab.judgements.elements import GradedElements
from inexlab.judgements.quantisation import quantisation, times_specificity
from inexlab.tables import Floats

# Lalmas and Tombros (2007) §3.1 name the first four "etc."; the others are recalled, not verified.
LINK_TAGS_2006 = frozenset(
    (
        *("collectionlink", "wikipedialink", "outsidelink", "weblink"),
        *("unknownlink", "languagelink", "imagelink", "redirectlink"),
    )
)


@quantisation("strict5", "2005", binary=True)
def strict5(elements: GradedElements) -> Floats:
    """1 if e = 2 and s = 1, else 0."""
    return np.where(elements.exhaustivity == 2, _wholly(elements), 0.0)


@quantisation("gen5", "2005")
def gen5(elements: GradedElements) -> Floats:
    """Value e × s; too small counts as e = 0."""
    return times_specificity(elements, np.maximum(elements.exhaustivity, 0))


@quantisation("genLifted", "2005")
def gen_lifted(elements: GradedElements) -> Floats:
    """(e + 1) × s for relevant elements, so s for the too small ones; 0 for e = 0."""
    lifted = np.where(elements.exhaustivity == 0, 0, np.maximum(elements.exhaustivity, 0) + 1)
    return times_specificity(elements, lifted)


@quantisation("binExh", "2005", min_size=0)
def bin_exh(elements: GradedElements, min_size: int = 0) -> Floats:
    """Value s for every relevant element; with min_size=N only for those of at least N characters."""
    return times_specificity(elements, (elements.exhaustivity != 0) & (elements.size >= min_size))


@quantisation("binExhNoSmall", "2005")
def bin_exh_no_small(elements: GradedElements) -> Floats:
    """Value s for relevant elements that are not too small."""
    return times_specificity(elements, elements.exhaustivity > 0)


@quantisation("fullySpec", "2005", binary=True)
def fully_spec(elements: GradedElements) -> Floats:
    """1 if s = 1, whatever the exhaustivity."""
    return _wholly(elements)


@quantisation("spec6", "2005", links=("in", "out"))
def spec6(elements: GradedElements, links: str = "in") -> Floats:
    """Value s, the quantisation of 2006; links=out leaves out elements that are links."""
    if links == "in":
        return times_specificity(elements, 1)
    tags = (path.rpartition("/")[2].partition("[")[0] for path in elements.paths)
    no_link = np.array([tag not in LINK_TAGS_2006 for tag in tags], dtype=np.bool_)
    return times_specificity(elements, no_link[elements.path])


def _wholly(elements: GradedElements) -> Floats:
    """1 where all text is relevant, decided in whole characters."""
    whole: Floats = ((elements.rsize == elements.size) & (elements.size > 0)).astype(np.float64)
    return whole
