"""What the collection adds to judgements: grades of elements, and highlights from passages given by paths."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from inexlab.collection import Collection, Elements
from inexlab.errors import InputError
from inexlab.judgements.elements import TOO_SMALL
from inexlab.judgements.table import ElementGrade, Judgements, JudgementsBuilder, joined_highlights
from inexlab.progress import reporting
from inexlab.spans import Span, intersection, length, union
from inexlab.wording import counted


def grade_elements(judgements: Judgements, collection: Collection | None) -> Judgements:
    """Return the judgements with every element that meets a highlight graded as in 2006.

    Specificity is the highlighted share of the element's text. Exhaustivity is as the assessor gave it or, in
    documents for which nobody gave any, 2 for all elements, as X-Rai wrote it.
    """
    if collection is None:
        raise InputError(
            "holds no assessed elements, which these measures need",
            file=judgements.file or "judgements",
            fix="Give `collection=DIR` to derive them from highlights.",
        )
    if judgements.passages and not len(judgements.span_start):
        judgements = locate_passages(judgements, collection)
    builder = JudgementsBuilder()
    lost = 0
    for row, judged in enumerate(reporting(list(judgements), "grading elements", "documents")):
        stated = None if judgements.grade is None else int(judgements.grade[row])
        builder.by(judged.assessor)
        builder.add(judged.topic, judged.doc, judged.spans, size=judged.size, bep=judged.bep, grade=stated)
        elements = collection.elements(judged.doc) if judged.spans else None
        if elements is None:
            lost += bool(judged.spans)
            continue
        met = np.zeros(len(elements), dtype=np.int64)
        for start, end in judged.spans:
            met += np.clip(np.minimum(elements.end, end) - np.maximum(elements.start, start), 0, None)
        relevant = np.flatnonzero(met).tolist()
        exhaustivity = inherited(elements, relevant, judgements.exhaustivity.get(row, {}))
        for number in relevant:
            size = int(elements.end[number] - elements.start[number])
            e = exhaustivity.get(number, 2)
            grade = ElementGrade(elements.path(number), e, -1, size, int(met[number]))
            builder.add_element(judged.topic, judged.doc, grade, "2005")
    graded = builder.build(judgements.file)
    if graded.elements is None:
        raise InputError(
            "has no document in common with the collection", file=judgements.file or "judgements"
        )
    documents = counted(lost, "judged document")
    missing = (f"{documents} with highlights not in the collection, left out",) if lost else ()
    return dataclasses.replace(graded, warnings=(*judgements.warnings, *missing))


def inherited(elements: Elements, relevant: Sequence[int], given: Mapping[str, int]) -> dict[int, int]:
    """Return the exhaustivity of relevant elements, from those whose paths have one; empty where none has.

    A parent is never less exhaustive than its child (? < 1 < 2): it has the greatest value of what is given
    for itself and below. An element of which nothing is given, nor of anything below it, has that of the
    nearest element above.
    """
    if not given:
        return {}
    found: dict[int, int] = {}
    for number in reversed(relevant):  # children before their parents: they come later in the document
        known = [v for v in (given.get(elements.path(number)), found.get(number)) if v is not None]
        if not known:
            continue
        value = found[number] = max(known, key=_ORDER.index)
        parent = int(elements.parent[number])
        if parent >= 0:
            found[parent] = max(value, found.get(parent, value), key=_ORDER.index)
    for number in relevant:
        parent = int(elements.parent[number])
        if number not in found and parent in found:
            found[number] = found[parent]
    return found


_ORDER = (TOO_SMALL, 1, 2)  # from the least to the most exhaustive


def locate_passages(judgements: Judgements, collection: Collection) -> Judgements:
    """Return the judgements with passages and best entry points given by paths turned into spans.

    Those that are not in the collection are left out, with a warning.
    """
    lost: Counter[str] = Counter()
    spans: dict[int, list[Span]] = {}
    bep = judgements.bep.copy()
    size = judgements.size.copy()
    for row, start, end, _size in reporting(judgements.passages, "locating passages", "passages"):
        elements = collection.elements(judgements.docs[int(judgements.doc[row])])
        first = elements.find(start) if elements is not None else None
        last = elements.find(end) if elements is not None and end is not None else first
        if elements is None or first is None or last is None or last.end < first.start:
            lost["best entry point" if end is None else "passage"] += 1
            continue
        size[row] = elements.end[0]
        if end is None:
            bep[row] = first.start
        else:
            spans.setdefault(row, []).append(Span(first.start, last.end))
    if judgements.passages and lost.total() == len(judgements.passages):
        raise InputError(
            "marks passages, none of which is in the collection",
            file=judgements.file or "judgements",
            fix="Give the documents that were judged.",
        )
    missing = (f"{counted(count, noun)} not in the collection, left out" for noun, count in lost.items())
    merged = [union(spans.get(row, [])) for row in range(len(judgements))]
    flat = [span for of_row in merged for span in of_row]
    joined = sum(span.start < span.end for of_row in spans.values() for span in of_row) - len(flat)
    return dataclasses.replace(
        judgements,
        size=size,
        bep=bep,
        spans_from=np.cumsum([0, *map(len, merged)], dtype=np.int64),
        span_start=np.array([span.start for span in flat], dtype=np.int64),
        span_end=np.array([span.end for span in flat], dtype=np.int64),
        stated=np.array([sum(end - start for start, end in of_row) for of_row in merged], dtype=np.int64),
        passages=(),
        not_kept=(*judgements.not_kept, *joined_highlights(joined)),
        warnings=(*judgements.warnings, *missing),
    )


class Unplaced(NamedTuple):
    """What is known to be highlighted, but not where: characters, and documents with nothing else."""

    characters: int
    documents: int


def highlight_elements(judgements: Judgements, collection: Collection) -> tuple[Judgements, Unplaced]:
    """Return judgements of 2005 with the wholly highlighted elements as highlights, and what is left over.

    An element with as much highlighted as it is long is all highlighted, in whatever unit the file
    counts. Left over is what the outermost elements have highlighted, as the file counts, beyond that.
    """
    graded = judgements.elements
    if graded is None:
        raise ValueError("judgements without assessed elements have none to highlight")
    above = graded.trees[0]
    builder = JudgementsBuilder()
    characters = documents = 0
    for row, judged in enumerate(judgements):
        mine = range(int(graded.elements_from[row]), int(graded.elements_from[row + 1]))
        relevant = [e for e in mine if graded.exhaustivity[e] and graded.rsize[e]]
        elements = collection.elements(judged.doc) if relevant else None
        places = {e: elements.find(graded.paths[int(graded.path[e])]) for e in relevant} if elements else {}
        for e in relevant:
            if places.get(e) is None:
                path = graded.paths[int(graded.path[e])]
                raise InputError(
                    f"{path} of document {judged.doc} is not in the collection", file=judgements.file
                )
        spans = union(place for e, place in places.items() if place and graded.rsize[e] == graded.size[e])
        for e in relevant:
            if above[e] < 0 and (place := places[e]) is not None:
                characters += max(0, int(graded.rsize[e]) - length(intersection(spans, [place])))
        documents += bool(relevant and not spans)
        size = judged.size if elements is None else int(elements.end[0])
        builder.by(judged.assessor)
        builder.add(judged.topic, judged.doc, spans, size=size, bep=judged.bep)
    highlighted = builder.build(judgements.file)
    # a topic without judged documents is in the old table only
    return dataclasses.replace(
        judgements,
        size=highlighted.size,
        stated=highlighted.stated,
        spans_from=highlighted.spans_from,
        span_start=highlighted.span_start,
        span_end=highlighted.span_end,
    ), Unplaced(characters, documents)
