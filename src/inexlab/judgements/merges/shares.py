"""Text that at least one, more than half, or all of the assessors of a document highlighted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from inexlab.judgements.assessor import Assessor
from inexlab.judgements.merging import Vote, merge_rule
from inexlab.spans import covered_by

_ByAssessor = Mapping[Assessor | None, Mapping[str, Vote]]


@merge_rule("union")
def union(votes: _ByAssessor) -> Mapping[str, Vote]:
    """Text that any assessor highlighted; the greatest grade."""
    return _at_least(votes, lambda _assessors: 1)


@merge_rule("intersection")
def intersection(votes: _ByAssessor) -> Mapping[str, Vote]:
    """Text that all who judged the document highlighted; the smallest grade."""
    return _at_least(votes, lambda assessors: assessors)


@merge_rule("majority")
def majority(votes: _ByAssessor) -> Mapping[str, Vote]:
    """Text that more than half of those who judged the document highlighted; the grade most reach at least.

    Of two assessors both have to agree.
    """
    return _at_least(votes, lambda assessors: assessors // 2 + 1)


def _at_least(votes: _ByAssessor, needed: Callable[[int], int]) -> dict[str, Vote]:
    documents: dict[str, list[Vote]] = {}
    for of_one in votes.values():
        for doc, vote in of_one.items():
            documents.setdefault(doc, []).append(vote)
    return {doc: _merged(of_doc, needed(len(of_doc))) for doc, of_doc in documents.items()}


def _merged(votes: Sequence[Vote], needed: int) -> Vote:
    """Return one vote of several; its entry point is the first one given in the document, if text is left."""
    if len(votes) == 1:
        return votes[0]
    spans = tuple(covered_by([vote.spans for vote in votes], needed))
    points = [vote.bep for vote in votes if vote.bep is not None]
    grades = sorted((vote.grade for vote in votes if vote.grade is not None), reverse=True)
    return Vote(
        votes[0].row,
        spans,
        min(points) if points and spans else None,
        grades[needed - 1] if len(grades) == len(votes) else None,
    )
