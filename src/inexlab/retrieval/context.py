"""What is around a unit: filters on where results may be, and evidence from sections and articles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inexlab.collection.profile import names_tag
from inexlab.errors import UnknownNameError, UsageError
from inexlab.index.guide import Mask
from inexlab.index.index import Index
from inexlab.retrieval.around import SectionScores, article_scores, innermost_sections
from inexlab.retrieval.model import Weighting
from inexlab.retrieval.pruning import QueryProfile
from inexlab.retrieval.searching import Addition, of_documents
from inexlab.retrieval.terms import QueryTerms
from inexlab.retrieval.unit import Units
from inexlab.tables import Codes, Floats, Ints
from inexlab.topics.equivalence import Equivalence
from inexlab.topics.nexi import parse_path
from inexlab.topics.patterns import PathPattern
from inexlab.topics.query import Path


@dataclass(frozen=True)
class Filter:
    """Which results are wanted: inside any of some paths, outside all of others, in elements with some tags.

    A unit is inside an element that it is, or is in. Statistics are those of all units.
    """

    within: tuple[Path, ...] = ()
    exclude: tuple[Path, ...] = ()
    tags: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.within or self.exclude or self.tags)

    def wanted(self, units: Units, numbers: Ints, equivalence: Equivalence) -> Mask:
        """Say which of some units are wanted."""
        guide = units.index.guide
        paths = guide.path[units.elements(numbers)]
        fits = np.ones(len(guide.tag), dtype=np.bool_)
        if self.within:
            fits &= _inside(units.index, self.within, equivalence)
        if self.exclude:
            fits &= ~_inside(units.index, self.exclude, equivalence)
        if self.tags:
            fits &= np.array(
                [names_tag(guide.tags[tag], self.tags) for tag in guide.tag.tolist()], dtype=np.bool_
            )
        wanted: Mask = fits[paths]
        return wanted


def _inside(index: Index, paths: Sequence[Path], equivalence: Equivalence) -> Mask:
    """Say of each tag path whether its elements are at one of some paths, or in what is there."""
    guide = index.guide
    inside: Mask = np.any([guide.matching(PathPattern(path, equivalence)) for path in paths], axis=0)
    for path, above in enumerate(guide.above.tolist()):  # what is above comes first
        if above >= 0 and inside[above]:
            inside[path] = True
    return inside


def parse_filter(within: Sequence[str], exclude: Sequence[str], tags: str) -> Filter:
    """Return the filter of paths such as `//sec` or `/article/body`; a tag alone stands for `//tag`."""

    def paths(texts: Sequence[str]) -> tuple[Path, ...]:
        return tuple(
            parse_path(text if text.strip().startswith("/") else f"//{text.strip()}") for text in texts
        )

    named = tuple(tag.strip() for tag in tags.split(",")) if tags.strip() else ()
    if not all(named):
        raise UsageError(f"`tags={tags!r}` is not written as 'p,sec'.")
    return Filter(paths(within), paths(exclude), named)


@dataclass(frozen=True)
class Context:
    """How much the scores of the section and of the article around a unit add to its own.

    The section is the innermost element around the unit that the profile calls one. Sections and articles are
    scored by the same model, with statistics of sections and of articles.
    """

    section: float = 0.0
    article: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.section or self.article)

    def addition(
        self, units: Units, terms: QueryTerms, weighting: Weighting, profile: QueryProfile
    ) -> Addition | None:
        """Return what is added to the scores of units; None if that is nothing."""
        index, found = units.index, None
        if not len(terms):
            return None
        if self.article:
            found = of_documents(self.article * article_scores(index, terms, weighting, profile))
        if self.section and index.profile.sections:
            more = _of_sections(units, SectionScores(index, terms, weighting, profile), self.section)
            found = more if found is None else found.then(more)
        return found


def _of_sections(units: Units, sections: SectionScores, weight: float) -> Addition:
    index = units.index

    def to(unit: Ints, _document: Codes, scores: Floats) -> Floats:
        return scores + weight * sections.at(innermost_sections(index, units.elements(unit)))

    most = sections.most()
    return Addition(None if most is None else weight * most, to)


def parse_context(text: str) -> Context:
    """Return the context that `section=0.5,article=0.2` stands for.

    >>> parse_context("article=0.2")
    Context(section=0.0, article=0.2)
    """
    weights = {"section": 0.0, "article": 0.0}
    for part in text.split(",") if text.strip() else []:
        key, _, value = (piece.strip() for piece in part.partition("="))
        if key not in weights:
            raise UnknownNameError("part of the context", key, weights)
        try:
            weights[key] = float(value)
        except ValueError:
            weights[key] = math.nan
        if not (math.isfinite(weights[key]) and weights[key] >= 0):
            raise UsageError(f"`context={part.strip()!r}` is not {key}=WEIGHT, a number >= 0.")
    return Context(**weights)
