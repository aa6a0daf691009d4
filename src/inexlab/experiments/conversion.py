"""From one format to another: a run or judgements read, converted and written, with what that costs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from inexlab.collection import Collection
from inexlab.contents import Contents, contents_of, contents_of_format
from inexlab.errors import UnknownNameError, UsageError
from inexlab.experiments.experiment import OffsetUnits
from inexlab.experiments.inputs import merged, notes_of, opened
from inexlab.files import Source, files_in, read_source
from inexlab.judgements import Judgements, read_judgements, write_judgements
from inexlab.judgements.write import judgement_writers
from inexlab.output import refuse_unwritable
from inexlab.pooling.files import is_folder as is_folder_of_pool
from inexlab.pooling.files import is_pool, pool_writers, read_pool, write_pool
from inexlab.pooling.making import with_spans
from inexlab.runs import Run, read_run, write_run
from inexlab.runs.about import parse_about
from inexlab.runs.write import run_writers
from inexlab.spans import UNITS
from inexlab.wording import counted

_FIELDS = (
    "topic",
    "doc",
    "start",
    "end",
    "path",
    "until",
    "score",
    "spans",
    "bep",
    "size",
    "assessor",
    "exhaustivity",
)


def convert(
    file: Run | Judgements | str | Path,
    *,
    to: str,
    out: str | Path,
    collection: Collection | str | Path | None = None,
    input_format: str = "",
    unit: Sequence[str] = (),
    pool: Sequence[str] = (),
    assessor: Sequence[str] = (),
    merge: str = "",
    run_id: str = "",
    about: Sequence[str] = (),
) -> list[str]:
    """Write a run or judgements in another format; return what was written and what was lost, in words.

    What would have to be invented is refused: grades from highlights, offsets without documents. Offsets
    are written in characters; `unit` says what those of the file count. `-` is standard input or output. Of
    judgements by several assessors `assessor` keeps those of some, and `merge` makes one of several.
    """
    given: Run | Judgements | str | Source
    if isinstance(file, Run | Judgements):
        refuse_unwritable(out, folder=_is_folder(to))
        given, file = file, file.file or ("the run" if isinstance(file, Run) else "judgements")
    else:
        files = "-" not in (str(out), str(file)) and Path(out).exists() and Path(file).exists()
        if files and Path(out).samefile(file):
            raise UsageError(f"`out={out}` is the input itself; choose another file.")
        refuse_unwritable(out, folder=_is_folder(to))
        folder = str(file) != "-" and Path(file).is_dir()
        given = str(file) if folder else read_source(file)
        first = read_source(files_in(str(file), "file")[0]) if folder else given
        if to in list(pool_writers) or (isinstance(first, Source) and is_pool(first)):
            return _converted_pool(given, to, out, opened(collection))
    contents = _contents(file, given, to, input_format)
    if contents == "judgements" and (run_id or about):
        raise UsageError(f"`run_id=` and `about=` are for runs; {file} holds judgements.")
    for option, asked in (("pool", pool), ("assessor", assessor), ("merge", merge)):
        if contents == "runs" and asked:
            whose = "assessments" if option == "pool" else "judgements"
            raise UsageError(f"`{option}=` is for {whose}; {file} holds a run.")
    units, documents = OffsetUnits.of(unit), opened(collection)
    if contents == "runs":
        run = units.run_in_characters(read_run(given, input_format or None), documents)
        run = replace(run, id=run_id or run.id, about={**run.about, **parse_about(about)})
        notes = _written_run(run, to, out, documents)
    else:
        judged = read_judgements(
            given,
            input_format or None,
            pools=pool,
            assessor=assessor,
            apart=bool(merge),
        )
        judged = merged(units.judgements_in_characters(judged, documents), merge, documents)
        notes = _written_judgements(judged, to, out, documents)
    of_file = units.runs if contents == "runs" else units.judgements
    if of_file != "char":
        notes.append(f"offsets are turned from {UNITS[of_file]} into characters")
    return [*notes_of(documents), *notes, *_unknown_fields(given)]


def _converted_pool(given: str | Source, to: str, out: str | Path, documents: Collection | None) -> list[str]:
    """Write a pool in another format of pools."""
    pool = read_pool(given)
    if to not in list(pool_writers):
        raise UsageError(f"{pool.file} holds a pool; choose among {', '.join(pool_writers)}.")
    if documents is not None:
        pool = with_spans(pool, documents)
    lost = write_pool(pool, out, to, collection=documents)
    what = f"{counted(len(pool), 'document')} of {counted(len(pool.topics), 'topic')}"
    return [*notes_of(documents), _done(pool.file, what, to, out), *lost]


def _is_folder(to: str) -> bool:
    """Whether a format is a folder of files."""
    if is_folder_of_pool(to):
        return True
    return to in list(judgement_writers) and judgement_writers[to].write_topics is not None


def _contents(
    file: str | Path, given: Run | Judgements | str | Source, to: str, input_format: str
) -> Contents:
    """Return what the file holds, or refuse a format that is not for that."""
    names: dict[Contents, list[str]] = {"runs": list(run_writers), "judgements": list(judgement_writers)}
    possible = [contents for contents, known in names.items() if to in known]
    if not possible:
        raise UnknownNameError("format", to, dict.fromkeys([*names["runs"], *names["judgements"]]))
    found: Contents | None = "runs" if isinstance(given, Run) else "judgements"
    if isinstance(given, Source):
        found = contents_of(given)
    contents = contents_of_format(input_format) or found or possible[0]
    if contents not in possible:
        holds = "a run" if contents == "runs" else "judgements"
        raise UsageError(
            f"{file} holds {holds}, and {to} is a format of {possible[0]}; "
            f"for {holds} choose among {', '.join(names[contents])}."
        )
    return contents


def _written_run(run: Run, to: str, out: str | Path, documents: Collection | None) -> list[str]:
    """Write a run, and say what was written and lost."""
    notes = write_run(run, out, to, collection=documents)
    what = f"{counted(len(run), 'result')} of {counted(len(run.topics), 'topic')}"
    return [_done(run.file or run.id, what, to, out), *notes]


def _written_judgements(
    judged: Judgements, to: str, out: str | Path, documents: Collection | None
) -> list[str]:
    """Write judgements, and say what was odd about them, what was written and lost."""
    notes = write_judgements(judged, out, to, collection=documents)
    what = f"{counted(len(judged), 'judged document')} of {counted(len(judged.topics), 'topic')}"
    name = judged.file or "judgements"
    warnings = (f"{name}: {warning}" for warning in judged.warnings)
    return [*warnings, _done(name, what, to, out), *notes]


def _done(file: str, what: str, to: str, out: str | Path) -> str:
    return f"{file}: {what} written as {to} to {'standard output' if str(out) == '-' else out}"


def _unknown_fields(given: object) -> Iterator[str]:
    """Say which fields of JSON Lines nothing here knows; the first line tells."""
    if not isinstance(given, Source) or given.is_xml or not given.first_row[1].startswith(b"{"):
        return
    others = [name for name in json.loads(given.first_row[1]) if name not in _FIELDS]
    if others:
        yield f"not kept of JSON Lines: {', '.join(others)}"
