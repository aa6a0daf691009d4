"""The scores of what is around units: their articles, their innermost sections, elements that a query names.

Articles and sections have statistics of their own. A model that scores each unit by itself scores no more of
them than are asked for; any other scores all.
"""

from __future__ import annotations

import functools

import numpy as np

from inexlab.collection.profile import names_tag
from inexlab.index.index import Index
from inexlab.index.tag_table import INLINE
from inexlab.retrieval.candidates import Candidates, Frequencies
from inexlab.retrieval.model import Statistics, Weighting
from inexlab.retrieval.pruning import QueryProfile
from inexlab.retrieval.scoring import NO_ANSWER, document_scores, score_units, scores_of, statistics_of
from inexlab.retrieval.searching import document_bounds
from inexlab.retrieval.terms import QueryTerms
from inexlab.retrieval.unit import Units, units_of
from inexlab.retrieval.units.elements import ElementUnits
from inexlab.tables import Floats, Ints


def _one_by_one(units: Units, weighting: Weighting) -> bool:
    """Whether a model scores each of these units by itself, in an article."""
    return weighting.model.bound is not None and isinstance(units, ElementUnits) and units.with_articles


def _scores_at(
    units: Units, terms: QueryTerms, weighting: Weighting, elements: Ints, profile: QueryProfile
) -> Floats:
    """Return the scores of some elements, 0 for those that have none and for -1, after scoring all."""
    found, scores = score_units(units, terms, weighting)
    profile.around += len(found)
    matches = scores > NO_ANSWER
    known, of_known = found.element[matches], scores[matches]
    if not len(known):
        return np.zeros(len(elements))
    place = np.minimum(np.searchsorted(known, elements), len(known) - 1)
    return np.where(known[place] == elements, of_known[place], 0.0)


def article_scores(index: Index, terms: QueryTerms, weighting: Weighting, profile: QueryProfile) -> Floats:
    """Return the score of every article, 0 for those that have none."""
    articles = units_of(index, "articles")
    if not _one_by_one(articles, weighting):
        return _scores_at(articles, terms, weighting, index.document_elements[:-1], profile)
    assert isinstance(articles, ElementUnits)
    scores = document_scores(articles, terms, weighting, None, profile)
    return np.where(scores > NO_ANSWER, scores, 0.0)


class ElementScores:
    """The scores of single elements, by a model that scores each by itself: as many as are asked for."""

    def __init__(
        self,
        units: ElementUnits,
        terms: QueryTerms,
        weighting: Weighting,
        profile: QueryProfile,
        *,
        unwanted_alone: bool = False,
    ) -> None:
        self._units, self._terms, self._weighting, self._profile = units, terms, weighting, profile
        self._unwanted_alone = unwanted_alone

    def at(self, elements: Ints) -> Floats:
        """Return the scores of some elements; those that have none, and -1, are no answer."""
        different, place = np.unique(elements, return_inverse=True)
        scores = np.full(len(different), NO_ANSWER)
        some = np.flatnonzero(different >= 0)
        if len(some) and len(self._terms):
            scores[some] = self._scores(different[some])
        return scores[place]

    def _scores(self, elements: Ints) -> Floats:
        """Count the terms in some elements by their positions, and score these."""
        index, terms = self._units.index, self._terms
        frequency = _frequencies(terms, *index.intervals(elements))
        units = index.tag_kinds[index.columns["tag"][elements]] != INLINE
        chosen = self._units.among(elements)
        holding = frequency.any(axis=1) & units & (True if chosen is None else chosen)
        scores = np.full(len(elements), NO_ANSWER)
        some = elements[holding]
        self._profile.around += len(some)
        document = self._units.documents(some)
        articles, root = np.unique(document, return_inverse=True)
        begin, end = index.document_tokens[articles], index.document_tokens[articles + 1]
        length, different = (index.columns[name][some].astype(np.int32) for name in ("tokens", "terms"))
        found = Candidates(
            some,
            document.astype(np.int32),
            frequency[holding],
            np.full(len(some), -1, dtype=np.int32),
            root.astype(np.int32),
            length,
            different,
            _frequencies(terms, begin, end),
            (end - begin).astype(np.int32),
        )
        scores[holding] = scores_of(
            found, terms, self._weighting, self._statistics, unwanted_alone=self._unwanted_alone
        )
        return scores

    @functools.cached_property
    def _statistics(self) -> Statistics:
        return statistics_of(self._units, self._terms)


def _frequencies(terms: QueryTerms, first: Ints, last: Ints) -> Frequencies:
    """Count the terms between some positions and others."""
    frequency = np.empty((len(first), len(terms)), dtype=np.int32)
    for t, positions in enumerate(terms.positions):
        frequency[:, t] = np.searchsorted(positions, last) - np.searchsorted(positions, first)
    return frequency


class SectionScores:
    """The scores of sections: elements that an index's profile calls so."""

    def __init__(self, index: Index, terms: QueryTerms, weighting: Weighting, profile: QueryProfile) -> None:
        self._terms, self._weighting, self._profile = terms, weighting, profile
        self._sections = units_of(index, f"elements:{','.join(index.profile.sections)}")

    def most(self) -> Floats | None:
        """Return what the sections of each document score at most, or 0; None if that is unknown."""
        if not _one_by_one(self._sections, self._weighting):
            return None
        bounds = document_bounds(self._sections, self._terms, self._weighting, None, QueryProfile())
        return None if bounds is None else np.maximum(bounds.bound + bounds.margin, 0.0)

    def at(self, elements: Ints) -> Floats:
        """Return the scores of some sections, 0 for those that have none and for -1."""
        if not _one_by_one(self._sections, self._weighting):
            return _scores_at(self._sections, self._terms, self._weighting, elements, self._profile)
        scores = self._single.at(elements)
        return np.where(scores > NO_ANSWER, scores, 0.0)

    @functools.cached_property
    def _single(self) -> ElementScores:
        assert isinstance(self._sections, ElementUnits)
        return ElementScores(self._sections, self._terms, self._weighting, self._profile)


def innermost_sections(index: Index, elements: Ints) -> Ints:
    """Return the innermost section around each element, which may be it; -1 where there is none."""
    steps = _climbs(index)[index.guide.path[elements]]
    back = index.columns["parent"]
    found = elements.astype(np.int64)
    for height in range(int(steps.max(initial=0))):
        higher = steps > height
        found[higher] -= back[found[higher]].astype(np.int64)
    return np.where(steps >= 0, found, -1)


def _climbs(index: Index) -> Ints:
    """Return for each tag path how far above its elements the innermost section is; -1 if there is none."""
    known: dict[str, Ints] = index.kept
    if "climbs to sections" not in known:
        guide = index.guide
        climb = np.full(len(guide.tag), -1, dtype=np.int64)
        for path, (above, tag) in enumerate(zip(guide.above.tolist(), guide.tag.tolist(), strict=True)):
            if names_tag(guide.tags[tag], index.profile.sections):
                climb[path] = 0
            elif above >= 0 and climb[above] >= 0:  # what is above comes first
                climb[path] = climb[above] + 1
        known["climbs to sections"] = climb
    return known["climbs to sections"]
