"""Documents indexed: `build_index`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from inexlab.api.answers import Answer, Table
from inexlab.api.inputs import Several, several
from inexlab.api.several import need_at_least
from inexlab.collection.documents import ID_RULES, FileFilter
from inexlab.collection.entities import dropped_notes, given_entities
from inexlab.collection.profile import read_profile
from inexlab.errors import UnknownNameError, UsageError
from inexlab.executors import Executor, open_executor
from inexlab.index.analysis.languages import AUTO, language_name
from inexlab.index.build import Settings, Summary
from inexlab.index.index import Index, open_index
from inexlab.index.indexing import (
    append_documents,
    index_documents,
    merge_all,
    remove_documents,
)
from inexlab.index.inference import inference_notes, inferred
from inexlab.index.look import Look
from inexlab.index.look import look as look_at
from inexlab.index.merge import left_alone_of
from inexlab.index.remote import is_url, local_copy, uploaded
from inexlab.index.sharded import ShardedIndex, is_sharded, size_of_shards
from inexlab.index.store import size_of
from inexlab.index.store import verify as damaged_files
from inexlab.report.tables import Cell, Grid
from inexlab.wording import counted

_NAMED = 20  # documents left out that are named one by one


@dataclass(frozen=True, eq=False, repr=False)
class IndexResult(Answer):
    """What is in an index. `index` is open for `search`; `summary` says what a build did.

    `damaged` are files that do not match their checksums, where that was asked for.
    """

    index: Index
    facts: dict[str, Cell]
    summary: Summary | None = None
    damaged: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether a file is damaged, or most documents were left out."""
        return bool(self.damaged) or (self.summary is not None and self.summary.mostly_left_out)

    def __repr__(self) -> str:
        facts = self.facts
        return f"Index({facts['index']!r}, {facts['documents']} documents, {facts['elements']} elements)"

    def grid(self, *, for_programs: bool = False) -> Grid:
        """Return one row per fact, for programs one row with all."""
        if for_programs:
            return Grid(list(self.facts), [list(self.facts.values())])
        rows = [[name, f"{fact:,}" if isinstance(fact, int) else fact] for name, fact in self.facts.items()]
        return Grid([str(cell) for cell in rows[0]], rows[1:])


@dataclass(frozen=True, eq=False, repr=False)
class LookResult(Table):
    """Which tags some documents have, and what each is taken for; `found` has an outline of one, too."""

    found: Look | None = None


def build_index(
    docs: object = (),
    out: str | Path = "",
    *,
    profile: str = "",
    language: str = "",
    stemmer: str = "",
    stopwords: str = "",
    include: Several = (),
    exclude: Several = (),
    ids: str = "",
    entities: Several = (),
    jobs: int = 1,
    shards: int = 0,
    cluster: str = "",
    strict: bool = False,
    append: bool = False,
    remove: bool = False,
    merge: bool = False,
    look: bool = False,
    info: str | Path = "",
    verify: str | Path = "",
) -> IndexResult | LookResult:
    """Index documents, to search inside them.

    This is `inexlab index`. `docs` are files, folders, zip or tar archives; with `merge`, indexes; with
    `remove`, ids of documents. `look` shows which tags there are, without an index; `info` and `verify` are
    indexes that are there. A document that cannot be read is named and left out.

    `cluster` is a Dask cluster that builds parts (`local:4` starts four workers here, or the address of a
    scheduler: `tls://HOST:PORT`, `tcp://HOST:PORT`). With `shards` the index stays in so many parts, which
    are searched as one. `out` may be a URL of any file system that fsspec knows.

    >>> import inexlab
    >>> made = inexlab.build_index("demo/articles", "demo-index")
    >>> made
    Index('demo-index', 8 documents, 565 elements)
    >>> inexlab.search(made.index, "overlap of elements", 3)
    Hits(3 results for 'overlap of elements')
    """
    given = [str(one) for one in several(docs)]
    need_at_least(1, jobs=jobs)
    need_at_least(0, shards=shards)
    settings_given = bool(profile or language or stemmer or stopwords or ids)
    which_given = bool(include or exclude or entities)
    if info and verify:
        raise UsageError("give either `info=` or `verify=`, which also describes the index.")
    modes = {"append": append, "remove": remove, "merge": merge, "look": look}
    chosen = [name for name, wanted in modes.items() if wanted]
    _check(given, str(out), chosen, bool(info or verify), settings_given, which_given)
    if info or verify:
        folder = str(info or verify)
        damaged = tuple(_damaged(folder)) if verify else ()
        if damaged:
            notes = [f"{folder}: {name} is damaged; build the index again." for name in damaged]
            raise DamagedIndexError(notes)
        index = open_index(folder)
        notes = [f"{folder}: all files match their checksums."] if verify else []
        notes += [f"note: {note}" for note in inference_notes(inferred(index), index.profile)]
        return IndexResult(index, _facts(index, folder), notes=tuple(notes))
    settings = _settings(profile, language, stemmer, stopwords, strict, ids)
    file_filter = FileFilter(tuple(several(include)), tuple(several(exclude)))
    settings = replace(settings, file_filter=file_filter, entities=given_entities(several(entities)))
    if look:
        return _looked(given, settings)
    if (shards or cluster) and chosen:
        raise UsageError(f"`shards=` and `cluster=` are for new indexes; `{chosen[0]}=True` takes neither.")
    spread: tuple[str, ...] = ()
    if cluster:
        with open_executor(cluster) as executor:
            spread = executor.notes
            summary = _make(given, str(out), settings, jobs, "", shards, executor)
    else:
        summary = _make(given, str(out), settings, jobs, "".join(chosen), shards)
    index = open_index(out)
    summary.notes += inference_notes(inferred(index), index.profile)
    said = (*spread, *_build_notes(summary))
    return IndexResult(index, _facts(index, str(out), summary), summary, notes=said)


class DamagedIndexError(UsageError):
    """Files of an index do not match their checksums; `notes` name each."""

    def __init__(self, notes: Sequence[str]) -> None:
        self.notes = tuple(notes)
        super().__init__(notes[0])


def _check(
    docs: list[str], out: str, modes: list[str], asks: bool, settings_given: bool, which_given: bool
) -> None:
    if asks:
        if docs or out or modes or settings_given or which_given:
            raise UsageError("`info=` and `verify=` take an index and no other arguments.")
        return
    if len(modes) > 1:
        raise UsageError(f"give only one of {', '.join(f'`{mode}=True`' for mode in modes)}.")
    mode = modes[0] if modes else ""
    if mode == "look":
        if not docs or out:
            raise UsageError("`look=True` takes documents and writes no index.")
        return
    if not docs or not out:
        what = "the ids of documents" if mode == "remove" else "the documents"
        raise UsageError(f"give {what}, and the index to write: `out=INDEX`.")
    if settings_given and mode:
        raise UsageError(
            "`profile=`, `language=`, `stemmer=`, `stopwords=` and `ids=` are those of the index; "
            "leave them out."
        )
    if which_given and mode in ("merge", "remove"):
        raise UsageError(
            f"`include=`, `exclude=` and `entities=` are for documents; `{mode}=True` reads none."
        )


def _settings(profile: str, language: str, stemmer: str, stop_words: str, strict: bool, ids: str) -> Settings:
    if ids and ids not in ID_RULES:
        raise UnknownNameError("rule for ids", ids, ID_RULES)
    chosen = read_profile(profile) if profile not in ("", "auto") else None
    settings = Settings(chosen, language or AUTO, stemmer or AUTO, stop_words or AUTO, strict, ids)
    settings.analyser  # noqa: B018 - raises for an unknown name before the documents are read
    return settings


def _damaged(folder: str) -> Iterator[str]:
    """Yield the files of an index, or of its shards, that are damaged."""
    if not is_sharded(folder):
        yield from damaged_files(local_copy(folder))
        return
    index = open_index(folder)
    assert isinstance(index, ShardedIndex)
    for number, place in enumerate(index.places):
        yield from (f"{place}/{name}" for name in damaged_files(index.shard(number).folder))


def _make(
    docs: list[str],
    out: str,
    settings: Settings,
    jobs: int,
    mode: str,
    shards: int = 0,
    executor: Executor | None = None,
) -> Summary:
    if is_url(out):
        if mode in ("append", "remove"):
            raise UsageError(f"`{mode}=True` takes an index on this file system, not {out}.")
        with uploaded(out) as folder:
            return _make(docs, str(folder), settings, jobs, mode, shards, executor)
    if mode == "merge":
        return merge_all(docs, out)
    if mode == "remove":
        return remove_documents(docs, out)
    if mode == "append":
        return append_documents(
            docs,
            out,
            strict=settings.strict,
            jobs=jobs,
            file_filter=settings.file_filter,
            entities=settings.entities,
        )
    return index_documents(docs, out, settings, jobs=jobs, shards=shards, executor=executor)


def _build_notes(summary: Summary) -> Iterator[str]:
    """Say what was decided and what was left out; first of all, if that is most documents."""
    if summary.mostly_left_out:
        yield f"{summary.unreadable:,} of {summary.offered:,} documents were left out"
    yield from (f"note: {note}" for note in summary.notes)
    yield from (f"left out: {line}" for line in summary.skipped[:_NAMED])
    if len(summary.skipped) > _NAMED:
        yield f"left out: {len(summary.skipped) - _NAMED:,} more"
    yield from dropped_notes(summary.dropped)


def _facts(index: Index, folder: str, summary: Summary | None = None) -> dict[str, Cell]:
    """Return what is in an index."""
    facts: dict[str, Cell] = {
        "index": folder,
        "documents": len(index.documents),
        "elements": index.manifest["elements"],
        "units": index.units,
        "tags": len(index.tags),
        "depth": index.manifest["depth"],
        "tokens": index.tokens,
        **({"shards": len(index)} if isinstance(index, ShardedIndex) else {"terms": len(index.terms)}),
        "characters": index.manifest["characters"],
        "bytes": size_of_shards(index) if isinstance(index, ShardedIndex) else size_of(index.folder),
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
    for what, tags in inferred(index)._asdict().items():
        if tags:
            facts[f"{what} by inference"] = " ".join(sorted(tags))
    if summary is not None:
        facts["left out"] = len(summary.skipped)
    left_alone = left_alone_of(index)
    facts["ignored"] = left_alone.total()
    by_kind = [(count, *what) for what, count in left_alone.items()]
    for count, kind, reason in sorted(by_kind, key=lambda row: (-row[0], row[1:])):
        facts[f"ignored: {kind}, {reason}"] = count
    return facts


def _looked(docs: list[str], settings: Settings) -> LookResult:
    from inexlab.errors import printable

    found = look_at(docs, settings)
    rows: list[list[Cell]] = [
        [tag.tag, tag.count, tag.documents, tag.taken_for, printable(tag.example)]
        for tag in sorted(found.tags, key=lambda tag: (-tag.count, tag.tag))
    ]
    read = counted(found.documents, "document")
    read += f" of {found.total:,}" if found.total > found.documents else ""
    notes = [f"{read} looked at, profile {found.profile.name} ({found.profile.title})", *found.notes]
    notes += [f"left out: {line}" for line in found.skipped[:5]]
    if len(found.skipped) > 5:
        notes.append(f"left out: {len(found.skipped) - 5:,} more")
    notes += [
        f"ignored: {count:,} {kind} ({reason})" for (kind, reason), count in found.left_alone.most_common()
    ]
    grid = Grid(["tag", "elements", "documents", "taken for", "example"], rows)
    return LookResult("Tags", grid, notes=tuple(notes), found=found)
