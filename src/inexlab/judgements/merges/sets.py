"""The two sets of INEX 2004 and 2005: a topic that two assessed is the one's, or the other's."""

from __future__ import annotations

from collections.abc import Mapping

from inexlab.judgements.assessor import Assessor
from inexlab.judgements.merging import Vote, merge_rule

_ByAssessor = Mapping[Assessor | None, Mapping[str, Vote]]


@merge_rule("set-a", whole=True)
def set_a(votes: _ByAssessor) -> Mapping[str, Vote]:
    """Of each topic the judgements of the assessor who judged more of it: the official set.

    More complete is who judged more documents; of equals, who highlighted text in more of them, then who
    comes first. Trotman and Lalmas (2005), §4.4, went by visual inspection.
    """
    return _by_completeness(votes)[0]


@merge_rule("set-b", whole=True)
def set_b(votes: _ByAssessor) -> Mapping[str, Vote]:
    """Of each topic the judgements of the second most complete assessor; of one assessor, the only ones."""
    return _by_completeness(votes)[:2][-1]


def _by_completeness(votes: _ByAssessor) -> list[Mapping[str, Vote]]:
    def completeness(judged: Mapping[str, Vote]) -> tuple[int, int]:
        return len(judged), sum(bool(vote.spans or (vote.grade or 0) > 0) for vote in judged.values())

    return sorted(votes.values(), key=completeness, reverse=True) or [{}]
