"""Reading judgements: find out from the content which format they are in, and let that reader read them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from inexlab.errors import InputError, UsageError
from inexlab.files import Source, files_in, read_source
from inexlab.judgements.assessor import Assessor
from inexlab.judgements.merging import one_judgement_each
from inexlab.judgements.table import Judgements, JudgementsBuilder
from inexlab.registry import Registry


@dataclass(frozen=True)
class Selection:
    """Which assessments to keep, for formats that have pools and topics of several kinds; empty: all.

    `query_types` are the kinds of topics, for assessments that do not carry them. With `apart` judgements
    whose assessor is not named are by the pool they are of (a pool had one assessor), or by their file.
    """

    pools: frozenset[str] = frozenset()
    query_type: str = ""
    query_types: Mapping[str, str] = field(default_factory=dict, hash=False)
    apart: bool = False

    @property
    def selects(self) -> bool:
        """Whether something is selected, which only formats with pools can do."""
        return bool(self.pools or self.query_type)


@dataclass(frozen=True)
class JudgementFormat:
    """A format of judgements: how to know it by its content, and how to read a selection into a table.

    `selects` says whether it has pools to select from, `certain` that no run looks like it.
    """

    name: str
    recognises: Callable[[Source], bool]
    read: Callable[[Source, JudgementsBuilder, Selection], None]
    selects: bool = False
    certain: bool = False


judgement_formats: Registry[JudgementFormat] = Registry("judgement format", "inexlab.judgements.formats")


def read_judgements(
    path: str | Path | Source | Sequence[Path] | object,
    input_format: str | None = None,
    *,
    pools: Iterable[str] = (),
    query_type: str = "",
    query_types: Mapping[str, str] | None = None,
    assessor: Iterable[str] = (),
    merge: str = "",
    apart: bool = False,
    unnamed: str = "",
) -> Judgements:
    """Read judgements in any format: qrels of INEX or TREC, assessments of INEX 2002-2006, JSON Lines.

    A folder stands for all files in it and below, a Source for a file read before. The format is detected
    from the content unless `input_format` names it. Judgements are returned as they are; a frame, a
    dictionary {topic: {doc: grade}} or records are made such. `pools` and `query_type` keep only some of the
    assessments of 2005-2006; `query_types` are the kinds of topics, where the assessments do not say them.

    A document may be judged by several assessors: `assessor` keeps what those of these names judged, `merge`
    is a rule that makes one judgement of several (union, intersection, majority, set-a or set-b). With
    either, and with `apart`, judgements that name no assessor are by their pool or, of several files, by
    their file; `unnamed` is another name for all of them.
    """
    chosen = [assessor] if isinstance(assessor, str) else list(assessor)
    apart = apart or bool(chosen or merge)
    selection = Selection(frozenset(pools), query_type, query_types or {}, apart)
    paths = _paths(path)
    if paths is None:
        if selection.selects:
            raise UsageError("pools are chosen when judgements are read; give their file.")
        made = path if isinstance(path, Judgements) else Judgements.of(path)
        return one_judgement_each(made, chosen, merge)
    builder = JudgementsBuilder()
    files = [file for given in paths for file in sources_in(given)]
    if unnamed:
        builder.unnamed(Assessor("person", unnamed))
    for file in files:
        source = file if isinstance(file, Source) else read_source(file)
        if apart and not unnamed and len(files) > 1:
            builder.unnamed(Assessor("person", Path(source.stem).stem))
        read_into(builder, source, selection, input_format)
    name = "judgements"
    if len(paths) == 1:
        name = paths[0].name if isinstance(paths[0], Source) else str(paths[0])
    name = "standard input" if name == "-" else name
    judgements = builder.build(name)
    if not len(judgements.topics):
        fix = "Check the pools asked for." if selection.selects else "The file may be truncated."
        raise InputError("holds no judgements", file=name, fix=fix)
    return one_judgement_each(judgements, chosen, merge)


def _paths(given: object) -> list[str | Path | Source] | None:
    """Return the files that are given; None if it is something else."""
    if isinstance(given, str | Path | Source):
        return [given]
    if isinstance(given, list | tuple) and all(isinstance(one, str | Path | Source) for one in given):
        return list(given)
    return None


def read_into(
    builder: JudgementsBuilder, source: Source, selection: Selection, input_format: str | None = None
) -> None:
    """Let the reader of a file's format read it into the builder."""
    reader = judgement_formats[input_format] if input_format is not None else format_of(source)
    if selection.selects and not reader.selects:
        raise source.problem("has no pools to choose from", fix="`pool=` is for assessments of 2005-2006.")
    reader.read(source, builder, selection)


def sources_in(path: str | Path | Source) -> Sequence[str | Path | Source]:
    """Return the file itself, or all files in a folder and below it."""
    return [path] if isinstance(path, Source) else files_in(path, "assessment")


def format_of(source: Source) -> JudgementFormat:
    """Return the format that a file, or its beginning, is in."""
    known = judgement_formats.values()
    reader = next((f for f in reversed(known) if f.recognises(source)), None)  # plug-ins first
    if reader is None:
        raise source.problem(
            "is not judgements in a known format",
            line=source.first_row[0],
            fix=f"Known formats: {', '.join(f.name for f in known)}; a qrels line is "
            "`topic Q0 doc rsize docsize [bep offset:length …]`.",
        )
    return reader
