"""From one kind of judgement to another: highlights, graded elements, relevant documents.

Each function returns the judgements in the terms of a format and, in words with counts, what the change
costs. What the judgements do not say and the collection cannot tell is refused, not invented.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from inexlab.collection import Collection, Elements, pointer
from inexlab.errors import InputError
from inexlab.judgements.derive import grade_elements, highlight_elements, locate_passages
from inexlab.judgements.elements import GradedElements, Scale
from inexlab.judgements.table import UNGRADED, Judgements, Passage
from inexlab.judgements.write import ConvertedJudgements
from inexlab.tables import Ints
from inexlab.wording import counted

_GRADES = {"2002": "letters", "2004": "grades from 0 to 3", "2005": "sizes and highlighted sizes"}


def as_highlights(judgements: Judgements, collection: Collection | None) -> ConvertedJudgements:
    """Give the highlighted text of every judged document by offsets."""
    notes: list[str] = []
    elements = judgements.elements
    if judgements.passages:
        if collection is None:
            raise _refused(judgements, "gives highlights by paths", "Give `collection=DIR`.")
        located = locate_passages(judgements, collection)
        notes += located.warnings[len(judgements.warnings) :]
        judgements = located
    elif elements is not None and not len(judgements.span_start):
        if elements.scale != "2005":
            raise _refused(
                judgements,
                f"grades elements by {_GRADES[elements.scale]}, which do not say which text is relevant",
                f"Choose assessments-{elements.scale}, or trec-qrels for whole documents.",
            )
        if collection is None:
            raise _refused(judgements, "has graded elements and no highlights", "Give `collection=DIR`.")
        judgements, unplaced = highlight_elements(judgements, collection)
        notes.append("highlights are taken to be the wholly highlighted elements")
        if unplaced.characters:
            notes.append(
                f"{counted(unplaced.characters, 'highlighted character')} of elements highlighted in part "
                "left out, as their position is unknown, which changes scores"
            )
        if unplaced.documents:
            notes.append(
                f"{counted(unplaced.documents, 'relevant document')} left without highlights, as if not "
                "relevant"
            )
    if elements is not None:
        notes.append(f"exhaustivity and size of {counted(len(elements), 'assessed element')} not kept")
    return ConvertedJudgements(dataclasses.replace(judgements, elements=None), notes)


def as_qrels(judgements: Judgements, collection: Collection | None) -> ConvertedJudgements:
    """Give highlights with the length of every document and an entry point in every relevant one."""
    converted, notes = _with_sizes(*as_highlights(judgements, collection), collection)
    relevant = np.diff(converted.spans_from) > 0
    unknown = relevant & (converted.bep < 0)
    pointless = ~relevant & (converted.bep >= 0)
    if unknown.any():
        number = counted(int(np.count_nonzero(unknown)), "relevant document")
        notes.append(f"{number} without a best entry point: written as the start of the first highlight")
    if pointless.any():
        number = counted(int(np.count_nonzero(pointless)), "entry point")
        notes.append(f"{number} in documents without highlights left out")
    bep = converted.bep.copy()
    bep[unknown] = converted.span_start[converted.spans_from[:-1][unknown]]
    bep[pointless] = -1
    return ConvertedJudgements(dataclasses.replace(converted, bep=bep), notes)


def as_qrels_without_entry_points(
    judgements: Judgements, collection: Collection | None
) -> ConvertedJudgements:
    """Give highlights with the length of every document."""
    converted, notes = _with_sizes(*as_highlights(judgements, collection), collection)
    known = int(np.count_nonzero(converted.bep >= 0))
    if known:
        notes.append(f"{counted(known, 'best entry point')} not kept")
    return ConvertedJudgements(dataclasses.replace(converted, bep=np.full_like(converted.bep, -1)), notes)


def as_lines(judgements: Judgements, collection: Collection | None) -> ConvertedJudgements:
    """Give highlights as they are known, and exhaustivity; the stated amount of relevant text is not kept."""
    converted, notes = as_highlights(judgements, collection)
    if (elements := judgements.elements) is not None and elements.scale == "2005":
        converted = dataclasses.replace(converted, exhaustivity=_exhaustivities(elements))
        whole = f"exhaustivity and size of {counted(len(elements), 'assessed element')} not kept"
        kept = f"size of {counted(len(elements), 'assessed element')} not kept"
        notes = [kept if note == whole else note for note in notes]
    return ConvertedJudgements(*_with_topics_that_have_documents(converted, [*notes, *_claims(converted)]))


def _exhaustivities(elements: GradedElements) -> dict[int, dict[str, int]]:
    """Return by row and path how exhaustive elements are; where all have 2, as in 2006, that goes without."""
    found = {}
    for row in range(len(elements.elements_from) - 1):
        mine = slice(int(elements.elements_from[row]), int(elements.elements_from[row + 1]))
        pairs = zip(elements.path[mine].tolist(), elements.exhaustivity[mine].tolist(), strict=True)
        given = {elements.paths[path]: e for path, e in pairs if e}
        if set(given.values()) - {2}:
            found[row] = given
    return found


def as_grades(scale: Scale) -> Callable[[Judgements, Collection | None], ConvertedJudgements]:
    """Return the conversion to graded elements on the scale of 2002 or 2004, which nothing else becomes."""

    def convert(judgements: Judgements, collection: Collection | None) -> ConvertedJudgements:  # noqa: ARG001
        if judgements.elements is None or judgements.elements.scale != scale:
            found = "highlights" if judgements.elements is None else _GRADES[judgements.elements.scale]
            raise _refused(
                judgements,
                f"holds {found}, which cannot be turned into {_GRADES[scale]}",
                f"Only judgements of that kind can be written as assessments-{scale}.",
            )
        return ConvertedJudgements(judgements, [])

    return convert


def as_elements(judgements: Judgements, collection: Collection | None) -> ConvertedJudgements:
    """Give elements with exhaustivity, size and highlighted size, as in 2005."""
    converted, notes = _graded(judgements, collection)
    highlights = len(converted.span_start) or sum(p.end is not None for p in converted.passages)
    points = int(np.count_nonzero(converted.bep >= 0)) or sum(p.end is None for p in converted.passages)
    for count, noun in ((highlights, "highlight"), (points, "best entry point")):
        if count:
            notes.append(f"{counted(count, noun)} not kept, only what they make of elements")
    notes += _lengths(judgements)
    return ConvertedJudgements(dataclasses.replace(converted, passages=()), notes)


def as_passages(judgements: Judgements, collection: Collection | None) -> ConvertedJudgements:
    """Give elements as in 2005, and highlights and entry points by paths, as in 2006."""
    converted, notes = _graded(judgements, collection)
    notes += [*_claims(judgements), *_lengths(judgements)]
    if converted.passages:
        return ConvertedJudgements(converted, notes)
    if not len(converted.span_start):
        return ConvertedJudgements(converted, [*notes, "no highlights are known: only elements are written"])
    if collection is None:
        raise _refused(judgements, "gives highlights by offset", "Give `collection=DIR`.")
    passages: list[Passage] = []
    lost = 0
    for row, judged in enumerate(converted):
        points = [point for span in judged.spans for point in span]
        points += [] if judged.bep is None else [judged.bep]
        if not points:
            continue
        elements = collection.elements(judged.doc)
        if elements is None or max(points) > elements.end[0]:
            lost += 1
        else:
            passages += _pointed(row, elements, judged.spans, judged.bep)
    if lost:
        notes.append(
            f"highlights of {counted(lost, 'document')} that the collection lacks, or shorter, left out"
        )
    return ConvertedJudgements(dataclasses.replace(converted, passages=tuple(passages)), notes)


def as_documents(judgements: Judgements, collection: Collection | None) -> ConvertedJudgements:  # noqa: ARG001
    """Say what is lost when only the relevance of documents is kept."""
    elements = judgements.elements
    notes = []
    highlighted = bool(len(judgements.span_start) or judgements.passages)
    if elements is not None and not highlighted:
        notes.append(
            f"{counted(len(elements), 'assessed element')} reduced to documents: the grade is the greatest "
            "exhaustivity in a document, 1 where all that is relevant is too small"
        )
    elif highlighted and (judgements.grade is None or (judgements.grade == UNGRADED).any()):
        notes.append("highlights reduced to documents: 1 where any text is highlighted")
    return ConvertedJudgements(*_with_topics_that_have_documents(judgements, notes))


def _graded(judgements: Judgements, collection: Collection | None) -> ConvertedJudgements:
    """Return judgements with elements on the scale of 2005."""
    elements = judgements.elements
    if elements is not None:
        if elements.scale != "2005":
            raise _refused(
                judgements,
                f"grades elements by {_GRADES[elements.scale]}, without the sizes that 2005 and 2006 have",
                f"Choose assessments-{elements.scale}, or trec-qrels for whole documents.",
            )
        return ConvertedJudgements(judgements, [])
    if collection is None:
        raise _refused(judgements, "holds highlights and no assessed elements", "Give `collection=DIR`.")
    passages, pools = judgements.passages, judgements.pools
    graded = grade_elements(locate_passages(judgements, collection) if passages else judgements, collection)
    notes = [w for w in graded.warnings if w not in judgements.warnings]
    relevant = {row for row in range(len(judgements)) if judgements.relevant[row]}
    if passages or relevant - set(judgements.exhaustivity):
        notes.append("exhaustivity is not known from highlights: written as 2 for every element")
    return ConvertedJudgements(dataclasses.replace(graded, passages=passages, pools=pools), notes)


def _claims(judgements: Judgements) -> Iterator[str]:
    claims = int(np.count_nonzero(judgements.stated != judgements.relevant))
    if claims:
        yield (
            f"{counted(claims, 'document')} whose stated amount of relevant text is not what is highlighted: "
            "only the highlights are kept"
        )


def _lengths(judgements: Judgements) -> Iterator[str]:
    known = int(np.count_nonzero(judgements.size >= 0))
    if known:
        yield f"the length of {counted(known, 'judged document')} not kept"


def _pointed(
    row: int, elements: Elements, spans: Iterable[tuple[int, int]], bep: int | None
) -> Iterator[Passage]:
    if bep is not None:
        yield Passage(row, pointer(elements, bep), None)
    for start, end in spans:
        yield Passage(row, pointer(elements, start), pointer(elements, end, closing=True), end - start)


def _with_sizes(
    judgements: Judgements, notes: list[str], collection: Collection | None
) -> ConvertedJudgements:
    """Return the judgements with the length of every document, from other topics or from the collection."""
    size: Ints = judgements.size.copy()
    unknown = []
    for row in np.flatnonzero(size < 0).tolist():
        doc = judgements.docs[int(judgements.doc[row])]
        known = judgements.size_of(doc)
        if known is None and collection is not None and (elements := collection.elements(doc)) is not None:
            known = int(elements.end[0])
        if known is None:
            unknown.append(doc)
        else:
            size[row] = known
    if unknown:
        number = counted(len(unknown), "judged document")
        where = "is not in the collection" if collection is not None else "is not known"
        raise _refused(
            judgements,
            f"the length of {number} {where} (the first is {unknown[0]}), and qrels state it",
            "Give `collection=DIR`." if collection is None else "Give the whole collection.",
        )
    return ConvertedJudgements(
        *_with_topics_that_have_documents(dataclasses.replace(judgements, size=size), notes)
    )


def _with_topics_that_have_documents(
    judgements: Judgements, notes: list[str]
) -> tuple[Judgements, list[str]]:
    empty = len(judgements.topics) - len(np.unique(judgements.topic))
    if empty == len(judgements.topics):
        raise _refused(judgements, "holds no judged documents", "Choose a format of assessments.")
    if empty:
        notes = [*notes, f"{counted(empty, 'topic')} without judged documents left out"]
    return judgements, notes


def _refused(judgements: Judgements, what: str, fix: str) -> InputError:
    return InputError(what, file=judgements.file or "judgements", fix=fix)
