"""Scores of units by a model, with statistics of their kind: of all that hold a term, or of some."""

from __future__ import annotations

import numpy as np

from inexlab.index.index import GONE_THROUGH, SOUND
from inexlab.index.whole import ROOTS, HoldingQuestion, SizeQuestion, Whole
from inexlab.retrieval.candidates import Candidates
from inexlab.retrieval.model import Statistics, Weighting
from inexlab.retrieval.pruning import DocumentRows, QueryProfile
from inexlab.retrieval.terms import QueryTerms, words_of
from inexlab.retrieval.unit import Units
from inexlab.retrieval.units.elements import ElementUnits
from inexlab.tables import Floats, Ints

NO_ANSWER = -np.inf  # the score of what is not an answer


def score_units(
    units: Units,
    looked_up: QueryTerms,
    weighting: Weighting,
    documents: Ints | None = None,
    *,
    unwanted_alone: bool = False,
    demanding: bool = False,
) -> tuple[Candidates, Floats]:
    """Return every unit that holds any of the terms, with its score.

    With `unwanted_alone` also what holds no wanted term has one: how much it loses.
    """
    found, holding = units.candidates(looked_up, documents)
    statistics = statistics_of(units, looked_up, holding)
    return found, scores_of(
        found, looked_up, weighting, statistics, unwanted_alone=unwanted_alone, demanding=demanding
    )


def document_scores(
    units: ElementUnits,
    terms: QueryTerms,
    weighting: Weighting,
    documents: Ints | None,
    profile: QueryProfile,
    *,
    unwanted_alone: bool = False,
) -> Floats:
    """Return the scores of all documents, as elements among these units; those that have none, no answer.

    That is what `score_units` says, for a model that scores each unit by itself. The `profile` counts them.
    """
    index = units.index
    scores = np.full(len(index.documents), NO_ANSWER)
    if len(terms):
        rows = DocumentRows(index, terms, documents)
        profile.around += len(rows.document)
        count, roots = len(rows.document), index.document_elements[rows.document]
        index.checked[rows.document[index.checked[rows.document] != SOUND]] = GONE_THROUGH
        index.check_documents()
        length, different = (
            index.unchecked_columns[name][roots].astype(np.int32) for name in ("tokens", "terms")
        )
        itself, none = np.arange(count, dtype=np.int32), np.full(count, -1, dtype=np.int32)
        found = Candidates(roots, rows.document, rows.frequency, none, itself, length, different)
        statistics = statistics_of(units, terms)
        scores[rows.document] = scores_of(found, terms, weighting, statistics, unwanted_alone=unwanted_alone)
    return scores


def scores_of(
    found: Candidates,
    terms: QueryTerms,
    weighting: Weighting,
    statistics: Statistics,
    *,
    unwanted_alone: bool = False,
    demanding: bool = False,
) -> Floats:
    """Return the scores of some units; with `unwanted_alone` also of those that hold no wanted term."""
    if not len(found):
        return np.zeros(0)
    scores = weighting(found, statistics)
    if demanding:
        holds = found.frequency > 0
        right = holds[:, terms.wanted].all(axis=1) & ~holds[:, terms.unwanted].any(axis=1)
        scores = np.where(right & (not terms.missing), scores, NO_ANSWER)
    wanted = terms.weight > 0
    if not wanted.all() and not unwanted_alone:
        scores = np.where(found.frequency[:, wanted].any(axis=1), scores, NO_ANSWER)
    return scores


def statistics_of(units: Units, terms: QueryTerms, holding: Floats | None = None) -> Statistics:
    """Return what models need to know: of these units, or, in a shard, of those of the whole collection.

    How many units are `holding` each term may be known already.
    """
    if units.index.whole is not None:
        return statistics_of_whole(units.index.whole, units.key, terms)
    holding = units.units_with(terms) if holding is None else holding
    return Statistics(
        # where the collection has no such unit, and a term that is in none, must not divide by 0
        max(units.count, 1),
        units.mean_length or 1.0,
        units.mean_terms or 1.0,
        units.index.tokens,
        np.maximum(holding, 1.0),
        terms.frequency,
        terms.weight,
    )


def statistics_of_whole(whole: Whole, units: str, terms: QueryTerms) -> Statistics:
    """Return what models need to know of units of a whole collection, of which an index is a part."""
    count, tokens, different = whole[SizeQuestion(units)]
    holding = [whole[HoldingQuestion(units, words_of(row))] for row in terms.rows]
    least = 0.0 if units == ROOTS else 1.0
    return Statistics(
        max(count, 1),
        tokens / max(count, 1) or least,
        different / max(count, 1) or least,
        whole.tokens,
        np.maximum(np.array(holding, dtype=np.float64), least),
        terms.frequency,
        terms.weight,
    )
