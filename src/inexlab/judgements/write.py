"""Writing judgements: bring them into the terms of the format, say what is lost, and write file or folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from inexlab.collection import Collection, open_collection
from inexlab.judgements.assessor import labels
from inexlab.judgements.merging import require_one_assessor
from inexlab.judgements.table import Judgements
from inexlab.output import write_file, write_folder
from inexlab.registry import Registry


class ConvertedJudgements(NamedTuple):
    """Judgements in other terms, and notes on the conversion."""

    judgements: Judgements
    notes: list[str]


@dataclass(frozen=True)
class JudgementWriter:
    """A format of judgements to write.

    `convert` brings judgements into its terms and says what that costs. `write` gives the file in
    pieces, or `write_topics` a folder of files by name. `carries` is its line in the list of formats,
    `read_by` the reader that understands it. `assessors` says whether it names them, and so may hold several
    judgements of one document.
    """

    name: str
    years: str
    carries: str
    convert: Callable[[Judgements, Collection | None], ConvertedJudgements]
    write: Callable[[Judgements], Iterator[bytes]] | None = None
    write_topics: Callable[[Judgements], Iterator[tuple[str, Iterable[bytes]]]] | None = None
    read_by: str = ""
    assessors: bool = False


judgement_writers: Registry[JudgementWriter] = Registry("judgement format", "inexlab.judgements.formats")


def write_judgements(
    judgements: Judgements,
    path: str | Path,
    format: str,
    *,
    collection: Collection | str | Path | None = None,
) -> tuple[str, ...]:
    """Write judgements in a format such as qrels, assessments-2005 or jsonl; return what was lost, in words.

    Highlights become elements and paths become offsets with the help of the collection. Assessments are a
    new folder with a file for each topic; other formats are one file, `-` is standard output.
    """
    writer = judgement_writers[format]
    if not writer.assessors:
        require_one_assessor(judgements)
    if collection is not None and not isinstance(collection, Collection):
        collection = open_collection(collection)
    converted = writer.convert(judgements, collection)
    write_unchanged(converted.judgements, path, format)
    not_kept = dict.fromkeys([*judgements.not_kept, *converted.judgements.not_kept])
    if judgements.assessors and not writer.assessors:
        names = ", ".join(labels(judgements.assessors)[:5]) + (" …" if len(judgements.assessors) > 5 else "")
        not_kept[f"who judged is not kept ({names})"] = None
    return (*converted.notes, *not_kept)


def write_unchanged(judgements: Judgements, path: str | Path, format: str) -> None:
    """Write judgements that are in the terms of the format already."""
    writer = judgement_writers[format]
    if writer.write_topics is not None:
        write_folder(path, writer.write_topics(judgements))
    elif writer.write is not None:
        write_file(path, writer.write(judgements))
