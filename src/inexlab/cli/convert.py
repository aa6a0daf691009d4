"""`inexlab convert`: from one format to another."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.options import POOL
from inexlab.cli.terminal import working
from inexlab.cli.units import UNIT, judgements_in_characters, run_in_characters, units_of

if TYPE_CHECKING:
    from inexlab.collection import Collection
    from inexlab.files import Source
    from inexlab.kinds import Kind

_FILE = typer.Argument(metavar="FILE", help="A run or judgements in any format; a folder of assessments.")
_TO = typer.Option("--to", metavar="FORMAT", help="Format to write; `inexlab formats` lists them.")
_OUT = typer.Option(
    metavar="PATH", help="File to write, a new folder for assessments, `-` for standard output."
)
_COLLECTION = typer.Option(
    metavar="DIR", help="Folder or archive of the documents, to turn paths into offsets and back."
)
_INPUT_FORMAT = typer.Option(metavar="NAME", help="Force a reader; `inexlab formats` lists them.")
_RUN_ID = typer.Option(metavar="NAME", help="Another id for the run.")
_ABOUT = typer.Option(
    metavar="NAME=VALUE", help="What XML says about the run: participant, task, query, …; repeatable."
)

_SAYS = (
    "participant",
    "task",
    "query",
    "description",
    "collections",
    "topic_fields",
    "topic_part",
    "submission_type",
)
_FIELDS = ("topic", "doc", "start", "end", "path", "until", "score", "spans", "bep", "size")


def convert(
    file: Annotated[str, _FILE],
    to: Annotated[str, _TO],
    out: Annotated[str, _OUT],
    collection: Annotated[str, _COLLECTION] = "",
    input_format: Annotated[str, _INPUT_FORMAT] = "",
    unit: Annotated[list[str] | None, UNIT] = None,
    pool: Annotated[list[str] | None, POOL] = None,
    run_id: Annotated[str, _RUN_ID] = "",
    about: Annotated[list[str] | None, _ABOUT] = None,
) -> None:
    """Write a run or judgements in another format, and say on standard error what was lost.

    What would have to be invented is refused: grades from highlights, offsets without documents. Offsets are
    written in characters; --unit says what those of FILE count.

    Examples (after `inexlab demo --out demo`):

    - `inexlab convert demo/runs/in-context.xml --to 2009-fol --collection demo/articles --out -`

    - `inexlab convert demo/runs/focused-chunks.jsonl --to trec --out -`

    - `inexlab convert demo/judgements.qrels --to jsonl --out -`
    """
    from inexlab.cli.collections import opened
    from inexlab.errors import UsageError
    from inexlab.files import read_source
    from inexlab.spans import UNITS

    given = file if file != "-" and Path(file).is_dir() else read_source(file)
    kind = _kind(file, given, to, input_format)
    if out != "-" and Path(out).exists() and file != "-" and Path(out).samefile(file):
        raise UsageError(f"--out {out} is the input itself; name another place.")
    if kind == "judgements" and (run_id or about):
        raise UsageError(f"--run-id and --about are for runs, and {file} holds judgements.")
    if kind == "runs" and pool:
        raise UsageError(f"--pool is for assessments, and {file} holds a run.")
    with working(f"opening {collection}"):
        documents = opened(collection)
    with working(f"converting {file}"):
        if kind == "runs":
            notes = _convert_run(given, to, out, documents, input_format, unit or [], run_id, about or [])
        else:
            notes = _convert_judgements(given, to, out, documents, input_format, unit or [], pool or [])
    of_file = units_of(unit or [], documents)[0 if kind == "runs" else 1]
    if of_file != "char":
        notes.append(f"offsets are turned from {UNITS[of_file]} into characters")
    for note in [*notes, *_other_fields(given)]:
        print(f"inexlab: {note}", file=sys.stderr)


def _kind(file: str, given: str | Source, to: str, input_format: str) -> Kind:
    """Return what the file holds, or refuse a format that is not for that."""
    from inexlab.errors import UnknownNameError, UsageError
    from inexlab.judgements.write import judgement_writers
    from inexlab.kinds import kind_of, kind_of_reader
    from inexlab.runs.write import run_writers

    names: dict[Kind, list[str]] = {"runs": list(run_writers), "judgements": list(judgement_writers)}
    possible = [kind for kind, known in names.items() if to in known]
    if not possible:
        raise UnknownNameError("format", to, dict.fromkeys([*names["runs"], *names["judgements"]]))
    found = "judgements" if isinstance(given, str) else kind_of(given)
    kind = kind_of_reader(input_format) or found or possible[0]
    if kind not in possible:
        holds = "a run" if kind == "runs" else "judgements"
        raise UsageError(
            f"{file} holds {holds}, and {to} is a format of {possible[0]}; "
            f"for {holds} choose among {', '.join(names[kind])}."
        )
    return kind


def _convert_run(
    given: str | Source,
    to: str,
    out: str,
    collection: Collection | None,
    input_format: str,
    unit: Sequence[str],
    run_id: str,
    about: Sequence[str],
) -> list[str]:
    import dataclasses

    from inexlab.runs import read_run, write_run

    run = run_in_characters(read_run(given, input_format or None), collection, unit)
    run = dataclasses.replace(run, id=run_id or run.id, about={**run.about, **said_about_the_run(about)})
    notes = write_run(run, out, to, collection=collection)
    what = f"{len(run):,} result{'' if len(run) == 1 else 's'} of {_topics(len(run.topics))}"
    return [_done(run.file, what, to, out), *notes]


def _convert_judgements(
    given: str | Source,
    to: str,
    out: str,
    collection: Collection | None,
    input_format: str,
    unit: Sequence[str],
    pools: Sequence[str],
) -> list[str]:
    from inexlab.judgements import read_judgements, write_judgements

    judged = read_judgements(given, input_format or None, pools=pools)
    judged = judgements_in_characters(judged, collection, unit)
    notes = write_judgements(judged, out, to, collection=collection)
    documents = f"{len(judged):,} judged document{'' if len(judged) == 1 else 's'}"
    what = f"{documents} of {_topics(len(judged.topics))}"
    warnings = (f"{judged.file}: {warning}" for warning in judged.warnings)
    return [*warnings, _done(judged.file, what, to, out), *notes]


def said_about_the_run(about: Sequence[str]) -> dict[str, str]:
    """Return what the option --about says of a run, by name."""
    from inexlab.errors import UnknownNameError, UsageError

    said = {}
    for setting in about:
        name, equals, value = setting.partition("=")
        if name not in _SAYS:
            raise UnknownNameError("name for --about", name, _SAYS)
        if not equals:
            raise UsageError(f"--about {setting!r} is not understood; write {name}= and a value.")
        said[name] = value.strip()
    return said


def _other_fields(given: str | Source) -> Iterator[str]:
    """Say which fields of JSON Lines nothing here knows; the first line tells."""
    import json

    if isinstance(given, str) or given.is_xml or not given.first_row[1].startswith(b"{"):
        return
    others = [name for name in json.loads(given.first_row[1]) if name not in _FIELDS]
    if others:
        yield f"not kept of JSON Lines: {', '.join(others)}"


def _topics(count: int) -> str:
    return f"{count:,} topic{'' if count == 1 else 's'}"


def _done(file: str, what: str, to: str, out: str) -> str:
    return f"{file}: {what} written as {to} to {'standard output' if out == '-' else out}"
