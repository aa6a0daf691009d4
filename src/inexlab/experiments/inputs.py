"""What verbs are given, made ready to work on: documents opened, judgements with graded elements."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from inexlab.collection import Collection, open_collection
from inexlab.experiments.experiment import OffsetUnits
from inexlab.judgements import Judgements
from inexlab.judgements.derive import grade_elements, locate_passages
from inexlab.judgements.elements import GradedElements
from inexlab.judgements.merging import merge, merge_rules, require_one_assessor


def is_given(judgements: Judgements | str | Path) -> bool:
    """Whether judgements are given, as they are or by a path."""
    return isinstance(judgements, Judgements) or bool(str(judgements))


def notes_of(documents: Collection | None) -> list[str]:
    """Return what was decided on opening a collection, such as that its ids are paths."""
    return [] if documents is None else list(documents.notes)


def opened(collection: Collection | str | Path | None) -> Collection | None:
    """Return a collection, opened where it is given by its path; None if there is none."""
    if isinstance(collection, str | Path):
        return open_collection(collection) if str(collection) else None
    return collection


def merged(judged: Judgements, rule: str, documents: Collection | None) -> Judgements:
    """Return judgements with one of each document, by a rule; passages by paths need the documents for it."""
    if not rule:
        return judged
    by_offset = not merge_rules[rule].whole and judged.passages and documents is not None
    return merge(locate_passages(judged, documents) if by_offset and documents else judged, rule)


def with_graded_elements(
    judged: Judgements, documents: Collection | None, unit: Sequence[str]
) -> tuple[Judgements, GradedElements]:
    """Return judgements with graded elements, and these; highlights are graded with the documents."""
    judged = OffsetUnits.of(unit).judgements_in_characters(judged, documents)
    require_one_assessor(judged)
    if judged.elements is None:
        judged = grade_elements(judged, documents)
    assert judged.elements is not None
    return judged, judged.elements
