"""`inexlab index`: documents become an index, in which every element can be found."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from inexlab.cli.options import OUTPUT
from inexlab.cli.terminal import progress_console, terminal_width, working

if TYPE_CHECKING:
    from inexlab.index.build import Settings, Summary
    from inexlab.index.indexing import Progress
    from inexlab.report.tables import Cell, Grid

_DOCS = typer.Argument(
    metavar="DOCS...", help="XML files, folders of them, zip or tar archives; with --merge, indexes."
)
_OUT = typer.Option(metavar="INDEX", help="Write the index there: a new folder, or with --append an index.")
_PROFILE = typer.Option(
    metavar="NAME|FILE.toml",
    help="What tags mean: auto, inex-ieee, inex-wikipedia, jats, plain, tei, or a file of one's own.",
)
_STEMMER = typer.Option(metavar="NAME", help="A Snowball stemmer such as english or german, or none.")
_STOP_WORDS = typer.Option(
    "--stopwords",
    metavar="NAME|FILE",
    help="Words to leave out: english, none, or a file (# comments).",
)
_JOBS = typer.Option(min=1, help="Processes to work with; a compressed tar is unpacked beside INDEX first.")
_STRICT = typer.Option("--strict", help="Stop at a document that cannot be read, instead of leaving it out.")
_APPEND = typer.Option("--append", help="Add documents to the index --out, with its settings.")
_MERGE = typer.Option(
    "--merge", help="Make one index of several that have the same settings, in their order."
)
_INFO = typer.Option(metavar="INDEX", help="Say what is in an index.")
_VERIFY = typer.Option(metavar="INDEX", help="Check all files of an index; end with 1 if one is damaged.")

_NAMED = 20  # documents left out that are named one by one


def index(
    docs: Annotated[list[str] | None, _DOCS] = None,
    out: Annotated[str, _OUT] = "",
    profile: Annotated[str, _PROFILE] = "",
    stemmer: Annotated[str, _STEMMER] = "",
    stop_words: Annotated[str, _STOP_WORDS] = "",
    jobs: Annotated[int, _JOBS] = 1,
    strict: Annotated[bool, _STRICT] = False,
    append: Annotated[bool, _APPEND] = False,
    merge: Annotated[bool, _MERGE] = False,
    info: Annotated[str, _INFO] = "",
    verify: Annotated[str, _VERIFY] = "",
    output: Annotated[str, OUTPUT] = "table",
) -> None:
    """Index documents, to search inside them.

    Every element becomes findable, but for inline mark-up, through which words run. The text is kept in
    the index, so that results can be shown without the documents. A document that is not well-formed is
    named and left out. By default the profile is the built-in one that fits the first document, stemmer and
    stop words are English. Ids of documents are file names without extension (with folders for
    inex-ieee), and each can be there once.

    Examples (after `inexlab demo --out demo`):
    `inexlab index demo/articles --out demo-index`,
    `inexlab index --info demo-index`,
    `inexlab index --verify demo-index`
    """
    from inexlab.errors import UsageError
    from inexlab.report.grids import known_format, write_grid

    known_format(output)
    settings_given = bool(profile or stemmer or stop_words)
    if info and verify:
        raise UsageError("give either --info or --verify, which says what is in the index, too.")
    _check(docs or [], out, append, merge, bool(info or verify), settings_given)
    if verify:
        _verify(verify)
    if info or verify:
        grid = _facts(info or verify, output)
    else:
        settings = _settings(profile, stemmer, stop_words, strict)
        summary = _make(docs or [], out, settings, jobs, append, merge)
        for line in summary.skipped[:_NAMED]:
            print(f"inexlab: left out: {line}", file=sys.stderr)
        if len(summary.skipped) > _NAMED:
            print(f"inexlab: left out: {len(summary.skipped) - _NAMED:,} more", file=sys.stderr)
        grid = _facts(out, output, summary)
    sys.stdout.write(write_grid(grid, output, terminal_width()))


def _check(docs: list[str], out: str, append: bool, merge: bool, asks: bool, settings: bool) -> None:
    from inexlab.errors import UsageError

    if asks:
        if docs or out or append or merge or settings:
            raise UsageError("--info and --verify take an index, and nothing else with it.")
        return
    if not docs or not out:
        raise UsageError("name the documents, and the index to write with --out INDEX.")
    if append and merge:
        raise UsageError("give either --append or --merge.")
    if settings and (append or merge):
        raise UsageError("--profile, --stemmer and --stopwords are those of the index; leave them out.")


def _settings(profile: str, stemmer: str, stop_words: str, strict: bool) -> Settings:
    from inexlab.collection.profile import read_profile
    from inexlab.index.build import Settings

    chosen = read_profile(profile) if profile not in ("", "auto") else None
    return Settings(chosen, stemmer or "english", stop_words or "english", strict)


def _make(docs: list[str], out: str, settings: Settings, jobs: int, append: bool, merge: bool) -> Summary:
    from pathlib import Path

    from inexlab.index.indexing import append_documents, index_documents, summary_of
    from inexlab.index.merge import merge_indexes

    if merge:
        with working(f"merging {len(docs)} indexes"):
            return summary_of(merge_indexes(docs, Path(out)))
    with _progress() as progress:
        if append:
            return append_documents(docs, out, strict=settings.strict, jobs=jobs, progress=progress)
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
    from inexlab.index.index import open_index
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
        "stemmer": index.manifest["stemmer"],
        "stop words": len(index.manifest["stop_words"]),
        "version": index.manifest["version"],
    }
    if summary is not None:
        facts["left out"] = len(summary.skipped)
    if output in ("json", "csv", "tsv"):
        return Grid(list(facts), [list(facts.values())])
    rows = [[name, f"{fact:,}" if isinstance(fact, int) else fact] for name, fact in facts.items()]
    return Grid([str(cell) for cell in rows[0]], rows[1:])
