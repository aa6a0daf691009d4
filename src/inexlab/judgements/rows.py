"""Some rows of judgements: those of one assessor, or of the documents of a pool."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from inexlab.judgements.elements import GradedElements
from inexlab.judgements.table import Judgements
from inexlab.tables import Ints, Names


def take_rows(judgements: Judgements, keep: npt.NDArray[np.bool_]) -> Judgements:
    """Return the rows for which `keep` is true; topics and assessors that have none of them are left out.

    Rows stay in their order, so they stay grouped by topic.
    """
    rows = np.flatnonzero(keep)
    new_row = np.cumsum(keep) - 1
    kept_topics = np.unique(judgements.topic[rows])
    spans_from, spans = parts_of(judgements.spans_from, rows)
    graded = judgements.elements
    assessors, assessor = judgements.assessors, judgements.assessor
    if assessor is not None:
        kept = [code for code in np.unique(assessor[rows]).tolist() if code >= 0]
        number = np.full(len(assessors) + 1, -1, dtype=np.int32)  # the last place is for those not named
        number[kept] = np.arange(len(kept), dtype=np.int32)
        assessors = tuple(assessors[code] for code in kept)
        assessor = number[assessor[rows]] if kept else None
    topics = [judgements.topics[code] for code in kept_topics.tolist()]
    return dataclasses.replace(
        judgements,
        topics=Names.of(topics),
        topic=np.searchsorted(kept_topics, judgements.topic[rows]).astype(np.int32),
        doc=judgements.doc[rows],
        size=judgements.size[rows],
        bep=judgements.bep[rows],
        stated=judgements.stated[rows],
        spans_from=spans_from,
        span_start=judgements.span_start[spans],
        span_end=judgements.span_end[spans],
        elements=None if graded is None else _elements(graded, rows),
        passages=tuple(p._replace(row=int(new_row[p.row])) for p in judgements.passages if keep[p.row]),
        pools={topic: judgements.pools[topic] for topic in topics if topic in judgements.pools},
        grade=None if judgements.grade is None else judgements.grade[rows],
        exhaustivity={
            int(new_row[row]): given for row, given in judgements.exhaustivity.items() if keep[row]
        },
        assessors=assessors,
        assessor=assessor,
        aspects=None if judgements.aspects is None else judgements.aspects.of_rows(keep),
    )


def parts_of(begins: Ints, rows: npt.NDArray[np.intp]) -> tuple[Ints, Ints]:
    """Return where the parts of the kept rows begin now, and which parts these are."""
    counts = np.diff(begins)[rows]
    new = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return new, (np.repeat(begins[:-1][rows] - new[:-1], counts) + np.arange(new[-1])).astype(np.int64)


def _elements(graded: GradedElements, rows: npt.NDArray[np.intp]) -> GradedElements:
    elements_from, kept = parts_of(graded.elements_from, rows)
    return GradedElements(
        graded.scale,
        graded.paths,
        elements_from,
        graded.path[kept],
        graded.exhaustivity[kept],
        graded.specificity[kept],
        graded.size[kept],
        graded.rsize[kept],
    )
