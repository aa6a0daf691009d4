"""`inexlab index`: documents become an index, in which every element can be found."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.look import look_at
from inexlab.cli.options import OUTPUT
from inexlab.cli.terminal import progress_console, terminal_width, working
from inexlab.errors import printable

if TYPE_CHECKING:
    from inexlab.collection.documents import Choice
    from inexlab.collection.entities import Entities
    from inexlab.index.build import Settings, Summary
    from inexlab.index.indexing import Progress
    from inexlab.report.tables import Cell, Grid

_DOCS = typer.Argument(
    metavar="DOCS...",
    help="Documents (XML, HTML, Markdown, text): files, folders, zip or tar archives; with --merge, indexes; "
    "with --remove, ids of documents.",
)
_OUT = typer.Option(
    metavar="INDEX", help="Write the index there: a new folder, or with --append or --remove an index."
)
_PROFILE = typer.Option(
    metavar="NAME|FILE.toml",
    help="What tags mean: auto, a name (`inexlab profiles` lists them), or a file of one's own.",
)
_LANGUAGE = typer.Option(
    metavar="auto|CODE|none",
    help="Language of the documents, for stemmer and stop words: auto (what xml:lang or lang says, else a "
    "guess for each document), a code such as en or de, or none.",
)
_STEMMER = typer.Option(
    metavar="NAME", help="One Snowball stemmer for all languages, such as english or porter, or none."
)
_STOP_WORDS = typer.Option(
    "--stopwords",
    metavar="CODE|FILE|none",
    help="One list of words for all languages that count in phrases alone: that of a language, none, or a "
    "file (# comments).",
)
_INCLUDE = typer.Option(metavar="GLOB", help="Only files whose name, path or folder matches; repeatable.")
_EXCLUDE = typer.Option(metavar="GLOB", help="No files whose name, path or folder matches; repeatable.")
_IDS = typer.Option(
    metavar="name|path",
    help="Ids of documents: file names, or paths, without extension. By default names, or paths for all "
    "where two documents have the same name.",
)
_ENTITIES = typer.Option(
    metavar="FILE|drop",
    help="A file that declares entities (<!ENTITY …> or <entities>); drop leaves out references that "
    "nobody declares; repeatable.",
)
_JOBS = typer.Option(min=1, help="Processes to work with; a compressed tar is unpacked beside INDEX first.")
_STRICT = typer.Option("--strict", help="Stop at a document that cannot be read, instead of leaving it out.")
_APPEND = typer.Option(
    "--append",
    help="Add documents to the index --out, with its settings; those whose ids are there are replaced.",
)
_REMOVE = typer.Option("--remove", help="Remove documents, named by their ids, from the index --out.")
_MERGE = typer.Option(
    "--merge", help="Make one index of several that have the same settings, in their order."
)
_LOOK = typer.Option(
    "--look", help="Index nothing: show which tags there are, what each is taken for, and a document."
)
_INFO = typer.Option(metavar="INDEX", help="Say what is in an index.")
_VERIFY = typer.Option(metavar="INDEX", help="Check all files of an index; end with 1 if one is damaged.")

_NAMED = 20  # documents left out that are named one by one


def index(
    docs: Annotated[list[str] | None, _DOCS] = None,
    out: Annotated[str, _OUT] = "",
    profile: Annotated[str, _PROFILE] = "",
    language: Annotated[str, _LANGUAGE] = "",
    stemmer: Annotated[str, _STEMMER] = "",
    stop_words: Annotated[str, _STOP_WORDS] = "",
    include: Annotated[list[str] | None, _INCLUDE] = None,
    exclude: Annotated[list[str] | None, _EXCLUDE] = None,
    ids: Annotated[str, _IDS] = "",
    entities: Annotated[list[str] | None, _ENTITIES] = None,
    jobs: Annotated[int, _JOBS] = 1,
    strict: Annotated[bool, _STRICT] = False,
    append: Annotated[bool, _APPEND] = False,
    remove: Annotated[bool, _REMOVE] = False,
    merge: Annotated[bool, _MERGE] = False,
    look: Annotated[bool, _LOOK] = False,
    info: Annotated[str, _INFO] = "",
    verify: Annotated[str, _VERIFY] = "",
    output: Annotated[str, OUTPUT] = "table",
) -> None:
    """Index documents, to search inside them.

    XML and HTML are known by their content, whatever their extension, Markdown (.md, .markdown) and plain
    text (.txt) by their names. Every element becomes findable, but for inline mark-up, through which words
    run. The text is kept in the index, so that results can be shown without the documents. A document that
    cannot be read is named and left out; where that is most of them, the exit code is 1. By default the
    profile is the built-in one that fits the documents, stemmer and stop words are those of their languages.

    Examples (after `inexlab demo --out demo`):
    `inexlab index --look demo/articles`,
    `inexlab index demo/articles --out demo-index`,
    `inexlab index --info demo-index`,
    `inexlab index --verify demo-index`
    """
    from inexlab.errors import UsageError
    from inexlab.report.grids import known_format, write_grid

    known_format(output)
    settings_given = bool(profile or language or stemmer or stop_words or ids)
    which_given = bool(include or exclude or entities)
    if info and verify:
        raise UsageError("give either --info or --verify, which says what is in the index, too.")
    modes = {"--append": append, "--remove": remove, "--merge": merge, "--look": look}
    chosen = [name for name, given in modes.items() if given]
    _check(docs or [], out, chosen, bool(info or verify), settings_given, which_given)
    if verify:
        _verify(verify)
    failed = False
    if info or verify:
        grid = _facts(info or verify, output)
    else:
        settings = _settings(profile, language, stemmer, stop_words, strict, ids)
        settings = replace(settings, choice=_choice(include, exclude), entities=_entities(entities or []))
        if look:
            look_at(docs or [], settings, output)
            return
        summary = _make(docs or [], out, settings, jobs, "".join(chosen))
        _say(summary)
        failed = summary.mostly_left_out
        grid = _facts(out, output, summary)
    sys.stdout.write(write_grid(grid, output, terminal_width()))
    if failed:
        raise typer.Exit(1)


def _check(
    docs: list[str], out: str, modes: list[str], asks: bool, settings_given: bool, which_given: bool
) -> None:
    from inexlab.errors import UsageError

    if asks:
        if docs or out or modes or settings_given or which_given:
            raise UsageError("--info and --verify take an index, and nothing else with it.")
        return
    if len(modes) > 1:
        raise UsageError(f"give either {' or '.join(modes)}.")
    mode = modes[0] if modes else ""
    if mode == "--look":
        if not docs or out:
            raise UsageError("--look takes documents, and writes no index.")
        return
    if not docs or not out:
        what = "the ids of documents" if mode == "--remove" else "the documents"
        raise UsageError(f"name {what}, and the index to write with --out INDEX.")
    if settings_given and mode:
        raise UsageError(
            "--profile, --language, --stemmer, --stopwords and --ids are those of the index; leave them out."
        )
    if which_given and mode in ("--merge", "--remove"):
        raise UsageError(f"--include, --exclude and --entities are for documents; {mode} reads none.")


def _settings(profile: str, language: str, stemmer: str, stop_words: str, strict: bool, ids: str) -> Settings:
    from inexlab.collection.documents import ID_RULES
    from inexlab.collection.profile import read_profile
    from inexlab.errors import UnknownNameError
    from inexlab.index.analysis.languages import AUTO
    from inexlab.index.build import Settings

    if ids and ids not in ID_RULES:
        raise UnknownNameError("rule for ids", ids, ID_RULES)
    chosen = read_profile(profile) if profile not in ("", "auto") else None
    given = (chosen, language or AUTO, stemmer or AUTO, stop_words or AUTO, strict, ids)
    settings = Settings(*given)
    settings.terms  # noqa: B018 - a name that is none is told now, not after the documents were read
    return settings


def _choice(include: list[str] | None, exclude: list[str] | None) -> Choice:
    from inexlab.collection.documents import Choice

    return Choice(tuple(include or ()), tuple(exclude or ()))


def _entities(given: list[str]) -> Entities:
    from inexlab.collection.entities import Entities, combined
    from inexlab.files import read_bytes

    names = [name for name in given if name != "drop"]
    return Entities(combined([(name, read_bytes(name)) for name in names]), drop=len(names) < len(given))


def _say(summary: Summary) -> None:
    """Say what was decided and what was left out; first of all, if that is most documents."""
    lines = []
    if summary.mostly_left_out:
        lines.append(f"{summary.unreadable:,} of {summary.offered:,} documents were left out")
    lines += [f"note: {note}" for note in summary.notes]
    lines += [f"left out: {line}" for line in summary.skipped[:_NAMED]]
    if len(summary.skipped) > _NAMED:
        lines.append(f"left out: {len(summary.skipped) - _NAMED:,} more")
    if summary.dropped:
        count, names = summary.dropped.total(), summary.dropped.most_common(_NAMED)
        shown = ", ".join(f"&{name}; {times:,}" for name, times in names)
        more = ", …" if len(summary.dropped) > _NAMED else ""
        lines.append(
            f"note: {count:,} references to entities that nobody declares are left out: {shown}{more}"
        )
    for line in lines:
        print(f"inexlab: {printable(line)}", file=sys.stderr)


def _make(docs: list[str], out: str, settings: Settings, jobs: int, mode: str) -> Summary:
    from pathlib import Path

    from inexlab.index.indexing import append_documents, index_documents, remove_documents, summary_of
    from inexlab.index.merge import merge_indexes

    if mode == "--merge":
        with working(f"merging {len(docs)} indexes"):
            return summary_of(merge_indexes(docs, Path(out)))
    if mode == "--remove":
        with working(f"writing {out} again"):
            return remove_documents(docs, out)
    with _progress() as progress:
        if mode == "--append":
            return append_documents(
                docs,
                out,
                strict=settings.strict,
                jobs=jobs,
                progress=progress,
                choice=settings.choice,
                entities=settings.entities,
            )
        return index_documents(docs, out, settings, jobs=jobs, progress=progress)


@contextlib.contextmanager
def _progress() -> Iterator[Progress | None]:
    """Show how far it is, how fast, and for how long still, where somebody watches standard error."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, TimeElapsedColumn(), console=progress_console(), transient=True) as bar:
        task = bar.add_task("indexing", total=1.0)

        def tell(part: float, summary: Summary) -> None:
            elapsed = bar.tasks[0].elapsed or 0.0
            rate = summary.bytes_read / 1e6 / elapsed if elapsed else 0.0
            doing = f"{rate:,.0f} MB/s" if part < 1 else "joining parts"
            said = f"{summary.documents:,} documents, {doing}"
            bar.update(task, completed=part, description=said)

        yield tell


def _verify(folder: str) -> None:
    from pathlib import Path

    from inexlab.index.store import verify

    with working(f"checking {folder}"):
        damaged = verify(Path(folder))
    for name in damaged:
        print(f"inexlab: {folder}: {name} is damaged; build the index again.", file=sys.stderr)
    if damaged:
        raise typer.Exit(1)
    print(f"inexlab: {folder}: all files are as they were written.", file=sys.stderr)


def _facts(folder: str, output: str, summary: Summary | None = None) -> Grid:
    """What is in an index: one row for people to read down, one object for programs."""
    from inexlab.index.analysis.languages import language_name
    from inexlab.index.index import open_index
    from inexlab.index.merge import left_alone_of
    from inexlab.index.store import size_of
    from inexlab.report.tables import Grid

    index = open_index(folder)
    size = size_of(index.folder)
    facts: dict[str, Cell] = {
        "index": folder,
        "documents": len(index.documents),
        "elements": index.manifest["elements"],
        "units": index.units,
        "tags": len(index.tags),
        "depth": index.manifest["depth"],
        "tokens": index.tokens,
        "terms": len(index.terms),
        "characters": index.manifest["characters"],
        "bytes": size,
        "profile": index.profile.name,
        "ids": index.profile.ids,
        "analysis": index.manifest["analysis"],
        "language": index.manifest["language"],
        "stemmer": index.manifest["stemmer"],
        "stop words": stop if isinstance(stop := index.manifest["stop_words"], str) else len(stop),
        "version": index.manifest["version"],
    }
    for code, count in index.languages.items():
        facts[f"words in {language_name(code)}"] = count
    if summary is not None:
        facts["left out"] = len(summary.skipped)
    left_alone = left_alone_of(index)
    facts["left alone"] = left_alone.total()
    by_kind = [(count, *what) for what, count in left_alone.items()]
    for count, kind, reason in sorted(by_kind, key=lambda row: (-row[0], row[1:])):
        facts[f"left alone: {kind}, {reason}"] = count
    if output in ("json", "csv", "tsv"):
        return Grid(list(facts), [list(facts.values())])
    rows = [[name, f"{fact:,}" if isinstance(fact, int) else fact] for name, fact in facts.items()]
    return Grid([str(cell) for cell in rows[0]], rows[1:])
