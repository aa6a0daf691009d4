"""What each assessor judged, from files that name them, or by the names of files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from inexlab.collection import Collection
from inexlab.contents import contents_of
from inexlab.errors import InputError, UnknownNameError, UsageError
from inexlab.experiments.choices import Choices
from inexlab.experiments.experiment import OffsetUnits
from inexlab.files import file_stem
from inexlab.judgements import Judgements, read_judgements
from inexlab.judgements.assessor import Assessor, labels
from inexlab.judgements.derive import grade_elements, locate_passages
from inexlab.judgements.merging import choose_assessors
from inexlab.judgements.rows import take_rows
from inexlab.judgements.table import JudgementsBuilder
from inexlab.streams import open_stream


@dataclass(frozen=True, eq=False)
class JudgedSet:
    """What one assessor judged; `text` says whether it is known which text they highlighted."""

    name: str
    assessor: Assessor
    judgements: Judgements
    text: bool


def read_sets(
    given: Sequence[Judgements | str | Path], choices: Choices, documents: Collection | None
) -> list[JudgedSet]:
    """Return what each assessor judged, from one or several sets of judgements.

    Judgements that name nobody are by the file or folder they are in; of one alone, by their pools.
    """
    units, read = OffsetUnits.of(choices.unit), []
    for place, one in enumerate(given, start=1):
        file = one.file if isinstance(one, Judgements) else str(one)
        called = Path(file_stem(Path(file).name)).stem if file else f"assessor {place}"
        if isinstance(one, Judgements):
            read.append(_named(one, called) if len(given) > 1 else one)
        else:
            alone = len(given) == 1
            read.append(
                read_judgements(one, pools=choices.pool, apart=alone, unnamed="" if alone else called)
            )
    found: dict[Assessor, JudgedSet] = {}
    for judgements in read:
        judged = units.judgements_in_characters(judgements, documents)
        if choices.assessor:
            wanted = [name for name in choices.assessor if _is_in(judged, name)]
            judged = choose_assessors(judged, wanted) if wanted else _nothing_of(judged)
        for code, assessor in enumerate(judged.assessors):
            if assessor in found:
                raise UsageError(f"{assessor} is in two of the files; give each assessor once.")
            assert judged.assessor is not None
            mine = take_rows(judged, judged.assessor == code)
            found[assessor] = _with_text(assessor, mine, documents)
    _refuse_unknown([j for judgements in read for j in judgements.assessors], choices.assessor)
    names = labels(list(found))
    return [replace(one, name=name) for name, one in zip(names, found.values(), strict=True)]


def _nothing_of(judgements: Judgements) -> Judgements:
    return take_rows(judgements, np.zeros(len(judgements), dtype=bool))


def _named(judgements: Judgements, name: str) -> Judgements:
    """Return judgements whose assessor, where nobody is named, has a name."""
    if judgements.assessors:
        return judgements
    codes = np.zeros(len(judgements), dtype=np.int32)
    return replace(judgements, assessors=(Assessor("person", name),), assessor=codes)


def _is_in(judgements: Judgements, name: str) -> bool:
    try:
        return bool(len(choose_assessors(judgements, [name])))
    except (UnknownNameError, InputError):
        return False


def _refuse_unknown(known: Sequence[Assessor], asked: Sequence[str]) -> None:
    for name in asked:
        if not name.startswith("kind=") and not any(name in (a.name, str(a)) for a in known):
            raise UnknownNameError("assessor", name, labels(list(dict.fromkeys(known))))


def _with_text(assessor: Assessor, judged: Judgements, documents: Collection | None) -> JudgedSet:
    """Return a set with what the documents tell of it: where passages are, and how elements are graded."""
    if judged.passages and documents is not None:
        judged = locate_passages(judged, documents)
    text = not judged.passages and (judged.elements is None or bool(len(judged.span_start)))
    if text and judged.elements is None and documents is not None and len(judged.span_start):
        graded = grade_elements(judged, documents)
        judged = replace(judged, elements=graded.elements)
    return JudgedSet("", assessor, judged, text)


class Sizes:
    """Lengths of documents, from whoever's judgements state them, else from the documents."""

    def __init__(self, sets: Sequence[JudgedSet], documents: Collection | None) -> None:
        self._sets, self._documents = sets, documents

    def __call__(self, doc: str) -> int | None:
        """Return the length of a document."""
        for one in self._sets:
            if (size := one.judgements.size_of(doc)) is not None:
                return size
        elements = self._documents.elements(doc) if self._documents is not None else None
        return None if elements is None else int(elements.end[0])


def joined_sets(sets: Sequence[JudgedSet]) -> Judgements:
    """Return the judgements of all assessors as one table."""
    builder = JudgementsBuilder()
    for one in sets:
        builder.by(one.assessor)
        grades = one.judgements.document_grades.tolist()
        for judged, grade in zip(one.judgements, grades, strict=True):
            builder.add(judged.topic, judged.doc, judged.spans, size=judged.size, grade=grade)
    return builder.build()


def split_files(files: Sequence[str | Path]) -> tuple[list[str | Path], list[str | Path]]:
    """Return files of judgements and files of runs: a shell's wildcard may leave runs among judgements."""
    judgements: list[str | Path] = []
    runs: list[str | Path] = []
    for file in files:
        is_run = str(file) != "-" and Path(file).is_file() and contents_of(open_stream(file).head) == "runs"
        (runs if is_run else judgements).append(file)
    return judgements, runs
