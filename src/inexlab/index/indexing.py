"""Indexing what users name: files, folders and archives, in one process or several, as a new index or not."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from inexlab.collection.archives import Fetch, files_in_place, packed_tar, unpack_tar
from inexlab.collection.documents import NO_DOCUMENTS, Documents, FileFilter, LeftAlone, declared_among
from inexlab.collection.entities import Entities
from inexlab.collection.profile import (
    Profile,
    chosen_profile,
    combined_profile,
    guess_profile,
    read_profile,
)
from inexlab.collection.reader import reader_by_name, reader_of, without_extension
from inexlab.errors import InputError, UsageError, nearest_name
from inexlab.executors import Executor, Processes, SpreadTask, open_executor
from inexlab.index.assembly import BuiltPart, Counts, write_index
from inexlab.index.build import (
    READING,
    NothingToIndexError,
    Settings,
    Summary,
    build_index,
    build_part,
    profile_of,
)
from inexlab.index.index import Index, open_index
from inexlab.index.joining import JOINING
from inexlab.index.merge import left_alone_of, merge_indexes
from inexlab.index.rewrite import rewrite, settings_of
from inexlab.index.sharded import ShardedIndex, shard_folders
from inexlab.index.sharding import build_shards
from inexlab.index.store import MANIFEST, being_written, is_index, lock, need_new, unfinished, workspace
from inexlab.output import refuse_unwritable
from inexlab.progress import BYTES, report, watcher
from inexlab.tables import Ints
from inexlab.topics.equivalence import read_equivalence
from inexlab.wording import counted

Places = Sequence[str | Path]

LISTING = "listing documents"  # what is reported


def index_documents(
    places: Places,
    out: str | Path,
    settings: Settings | None = None,
    *,
    jobs: int = 1,
    shards: int = 0,
    executor: Executor | None = None,
) -> Summary:
    """Index the documents at some places.

    With `shards` the index has so many parts. An `executor` builds parts, which become one index otherwise.
    """
    need_new(Path(out))
    refuse_unwritable(out, folder=True)
    if being_written(Path(out)):
        raise UsageError(
            f"{out} is being written by another process; wait until it finishes, or choose another place."
        )
    _refuse_indexes(places)
    settings = settings or Settings()
    entities = with_files_among(places, settings.entities)
    profile = settings.profile or find_profile(places, settings)
    settings = replace(settings, profile=profile, ids=settings.ids or profile.ids, entities=entities)
    read_equivalence(profile.equivalence)  # searches of the index will need it
    notes: list[str] = []
    if executor is not None or shards:
        with contextlib.ExitStack() as started:
            spread = executor or started.enter_context(open_executor(jobs=jobs))
            summary = _in_parts(places, Path(out), settings, spread, shards)
    elif jobs > 1:
        summary = _with_jobs(places, Path(out), settings, jobs)
    else:
        documents = Documents(
            places, settings.ids, file_filter=settings.file_filter, keep_extension=settings.keep_extension
        )

        def settle(numbers: Ints) -> tuple[Iterable[str], str, Counter[LeftAlone]]:
            notes.append(documents.settle())
            return documents.settled(numbers), documents.ids, documents.left_alone

        try:
            summary = build_index(_reported(documents), Path(out), settings, settle=settle)
        except NothingToIndexError as nothing:
            raise _nothing(nothing.summary.skipped, documents) from None
        summary.skipped += _empty(documents)
    summary.notes = [note for note in dict.fromkeys((*notes, *summary.notes)) if note]
    return summary


def with_files_among(places: Places, entities: Entities) -> Entities:
    """Return entities that look into the `.ent` files among the documents when a name is not known."""
    return replace(entities, more=functools.partial(declared_among, [str(place) for place in places]))


def append_documents(
    places: Places,
    out: str | Path,
    *,
    strict: bool = False,
    jobs: int = 1,
    file_filter: FileFilter | None = None,
    entities: Entities | None = None,
) -> Summary:
    """Add documents to an index, with the settings it was built with; it is replaced when all is done.

    A document whose id is there takes the place of the old one.
    """
    with _alone(Path(out)):
        index, target = open_index(out), Path(out).resolve()
        settings = replace(
            settings_of(index),
            strict=strict,
            file_filter=file_filter or FileFilter(),
            entities=entities or Entities(),
            keep_extension=_with_extension(index),
        )
        with workspace(target) as space:
            shard = space / "new"
            summary = index_documents(places, shard, settings, jobs=jobs)
            new = open_index(shard)
            replaced = [id for id in new.documents if id in index.document_numbers]
            if replaced:
                rewrite(target, index, new)
            else:
                merge_indexes([target, shard], target, replace=True)
        done = summary_of(open_index(target), [summary])
        if replaced:
            done.notes.append(f"replaced {_listed(replaced)}.")
        return done


def remove_documents(ids: Sequence[str], out: str | Path) -> Summary:
    """Remove documents from an index, which is then as if they had never been in it."""
    with _alone(Path(out)):
        index, target = open_index(out), Path(out).resolve()
        for id in ids:
            if id not in index.document_numbers:
                nearest = nearest_name(id, index.documents)
                hint = f"; did you mean {nearest!r}?" if nearest else "."
                raise UsageError(f"{out} has no document {id!r}{hint}")
        if len(set(ids)) == len(index.documents):
            raise UsageError(f"cannot remove all documents of {out}; an index has at least one.")
        rewrite(target, index, without=frozenset(ids))
        done = summary_of(open_index(target))
        done.notes.append(f"removed {_listed(list(dict.fromkeys(ids)))}.")
        return done


def _listed(ids: Sequence[str]) -> str:
    """Return how many documents these are, and the first of them."""
    shown = ", ".join(ids[:5]) + (", …" if len(ids) > 5 else "")
    return f"{counted(len(ids), 'document')} ({shown})"


def _with_extension(index: Index) -> frozenset[str]:
    """Return the paths of documents that keep their extensions, because several of them were the same."""
    if index.profile.ids != "path":
        return frozenset()
    return frozenset(without_extension(id) for id in index.documents if reader_by_name(id) is not None)


@contextlib.contextmanager
def _alone(out: Path) -> Iterator[None]:
    """Lock an index: of two that add to it at the same time, one would undo what the other does."""
    index = open_index(out)  # which says if it is none
    if isinstance(index, ShardedIndex):
        raise index.refusal()
    with (out / MANIFEST).open("rb") as file:
        free = lock(file) is not False
        # what was locked may be replaced by now
        if not free or not os.path.samestat(os.fstat(file.fileno()), (out / MANIFEST).stat()):
            raise InputError(
                "is being added to by another process", file=str(out), fix="Wait until it finishes."
            )
        yield


def _refuse_indexes(places: Places) -> None:
    for place in places:
        if is_index(Path(place)):
            raise InputError(
                "is an index, not documents", file=str(place), fix="Indexes are for `merge=True`."
            )


def find_profile(places: Places, settings: Settings) -> Profile:
    """Return the built-in profile that fits most of the first documents, of every kind that there is."""
    guessed: dict[str, list[Profile]] = {}
    entities = Entities(settings.entities.declared, drop=True)
    for _, name, fetch in islice(Documents(places, file_filter=settings.file_filter), _LOOKED_AT):
        try:
            data = fetch()
            of_kind = guessed.setdefault(reader_of(name, data).name, [])
            of_kind.append(profile_of(data, name, entities))
        except InputError:
            continue
        if len(of_kind) >= _ALIKE and len({profile.name for profile in of_kind}) == 1:
            break
    for kind in sorted(_kinds_by_name(places, settings.file_filter) - set(guessed)):
        guessed[kind] = [guess_profile(_ROOTS, _ROOTS.get(kind, ""))]
    return combined_profile(
        [chosen_profile(profiles) for profiles in guessed.values()] or [chosen_profile(())]
    )


_LOOKED_AT, _ALIKE = 50, 5  # documents
_ROOTS = {"html": "html", "markdown": "markdown", "text": "plaintext"}


def _kinds_by_name(places: Places, file_filter: FileFilter) -> set[str]:
    """Return which kinds of documents there are, as far as names of files tell without unpacking anything."""
    kinds = set()
    for place in map(Path, places):
        if place.is_dir() or not packed_tar(place):
            for file in files_in_place(place, None):
                if not file_filter.reason_against(file.path) and (reader := reader_by_name(file.path)):
                    kinds.add(reader.name)
    return kinds


def summary_of(index: Index, builds: Iterable[Summary] = ()) -> Summary:
    """Return the summary of an index, with what its builds left out."""
    counts = {name: index.manifest[name] for name in Counts.__dataclass_fields__}
    done = list(builds)
    return Summary(
        **counts,
        tags=len(index.tags),
        terms=0 if isinstance(index, ShardedIndex) else len(index.terms),
        bytes_read=sum(build.bytes_read for build in done),
        offered=sum(build.offered for build in done),
        unreadable=sum(build.unreadable for build in done),
        skipped=[line for build in done for line in build.skipped],
        notes=[note for build in done for note in build.notes],
        languages=Counter(index.languages),
        left_alone=left_alone_of(index),
        dropped=sum((build.dropped for build in done), Counter()),
    )


def _reported(documents: Documents) -> Iterator[tuple[str, str, Fetch]]:
    """Pass documents on, and report how many of their bytes have gone by."""
    of = documents.total if watcher() is not None else 0  # it takes a look at every file
    for document in documents:
        yield document
        report(READING, documents.done, of, BYTES)


def merge_all(shards: Places, out: str | Path) -> Summary:
    """Merge indexes, or the shards of some, into a new one."""
    indexes, left_alone = shard_folders(shards)
    return summary_of(merge_indexes(indexes, Path(out), left_alone=left_alone))


def _empty(documents: Documents) -> list[str]:
    """Say of which places there was nothing."""
    return [f"{place}: {NO_DOCUMENTS}." for place in documents.empty]


def _nothing(skipped: Sequence[str], documents: Documents) -> UsageError:
    """Return the error for when there is no document that can be indexed: why is that of the first."""
    why = [*skipped, *_empty(documents)]
    more = f" ({len(why) - 1:,} more cannot be indexed either)" if len(why) > 1 else ""
    return UsageError(f"{why[0]}{more}" if why else "there is no document to index.")


def _with_jobs(places: Places, out: Path, settings: Settings, jobs: int) -> Summary:
    """Let processes index parts that follow one another, then let one of them join these."""
    with contextlib.ExitStack() as stack:
        space = stack.enter_context(workspace(out))
        unpacked = _unpack(places, space)
        listed = Documents(places, settings.ids, unpacked, settings.file_filter, settings.keep_extension)
        executor = stack.enter_context(Processes(jobs))
        ends = array("q")  # how many bytes there are up to each document
        for _ in listed:
            ends.append(listed.done)
            if len(ends) <= jobs:  # as many as will have something to do start while documents are listed
                executor.start(_build_part)
            report(LISTING, len(ends), 0, "documents")
        note = listed.settle()
        documents = Documents(places, listed.ids, unpacked, settings.file_filter, listed.keep_extension)
        profile = replace(settings.profile or read_profile("plain"), ids=listed.ids)
        settings = replace(settings, profile=profile)
        bytes_ = np.array(ends, dtype=np.int64)
        borders = pairwise(_borders(bytes_, max(1, min(jobs, len(bytes_)))))
        cut = [(first, last) for first, last in borders if last > first]
        before = np.concatenate(([0], bytes_))
        tasks = [
            SpreadTask(
                f"part {k + 1} of {len(cut)} of {out}",
                _build_part,
                (documents, first, last, int(before[first]), space / str(k), settings),
            )
            for k, (first, last) in enumerate(cut)
        ]
        sizes = [int(before[last] - before[first]) for first, last in cut]
        results = list(executor.results(tasks, READING, BYTES, sizes))
        summary = _summed([of_part for of_part, _ in results])
        summary.left_alone += listed.left_alone
        built = [(task, part) for task, (_, part) in zip(tasks, results, strict=True) if part is not None]
        if not built:
            raise _nothing(summary.skipped, listed)
        folder = stack.enter_context(unfinished(out))
        # one of the processes makes the index, as they have the compiled loops at hand
        parts = [part for _, part in built]
        again = built[0][0].arguments
        making = (folder, parts, again, settings, summary.left_alone, jobs)
        size = [sum(len(stretch.data) for part in parts for stretch in part.stretches(0))]
        [(summary.tags, summary.terms)] = executor.results(
            [SpreadTask(f"joining the parts of {out}", _join_parts, making)], JOINING, BYTES, size
        )
    summary.skipped += _empty(listed)
    summary.notes += [note] if note else []
    return summary


def _in_parts(places: Places, out: Path, settings: Settings, executor: Executor, shards: int) -> Summary:
    """Let an executor index parts that follow one another, which become one index or its shards."""
    with workspace(out) as space:
        unpacked = _unpack(places, space)
        listed = Documents(places, settings.ids, unpacked, settings.file_filter, settings.keep_extension)
        count = 0
        for count, _ in enumerate(listed, start=1):
            report(LISTING, count, 0, "documents")
        note = listed.settle()
        left_alone, empty = listed.left_alone, _empty(listed)
        documents = Documents(places, listed.ids, unpacked, settings.file_filter, listed.keep_extension)
        profile = replace(settings.profile or read_profile("plain"), ids=listed.ids)
        summaries = build_shards(
            documents,
            count,
            out,
            replace(settings, profile=profile),
            executor,
            shards=shards,
            left_alone=left_alone,
        )
    if not out.exists():
        raise _nothing([line for summary in summaries for line in summary.skipped], listed)
    summary = summary_of(open_index(out), summaries)
    summary.skipped += empty
    summary.notes += [note] if note else []
    return summary


def _borders(bytes_: Ints, jobs: int) -> list[int]:
    """Cut documents into parts of about as many bytes each; these are how many there are up to each one."""
    middles = bytes_ - np.diff(bytes_, prepend=0) / 2  # of documents: each is where most of it is
    shares = [bytes_.max(initial=0) * k / jobs for k in range(1, jobs)]
    return [0, *np.searchsorted(middles, shares).tolist(), len(bytes_)]


def _summed(builds: Sequence[Summary]) -> Summary:
    """Return what several builds did together."""
    summary = Summary()
    for build in builds:
        for name, value in vars(build).items():
            before = getattr(summary, name)
            setattr(summary, name, max(before, value) if name == "depth" else before + value)
    return summary


def _unpack(places: Places, space: Path) -> dict[str, Path]:
    """Unpack compressed tar archives, once for all processes: these begin to read in their middle."""
    copies = {}
    for number, place in enumerate(places):
        if packed_tar(place):
            copies[str(Path(place))] = copy = space / f"{number}.tar"
            unpack_tar(Path(place), copy)
    return copies


def _build_part(
    documents: Documents, first: int, last: int, before: int, out: Path, settings: Settings
) -> tuple[Summary, BuiltPart | None]:
    """Index some of the documents, in a process of its own; `before` them there are so many bytes."""
    shutil.rmtree(out, ignore_errors=True)  # of a process that was killed

    def coming() -> Iterator[tuple[str, str, Fetch]]:
        for document in islice(documents, first, last):
            yield document
            report(READING, documents.done - before, 0, BYTES)

    return build_part(coming(), out, settings)


def _join_parts(
    folder: Path,
    parts: Sequence[BuiltPart],
    first: tuple[Any, ...],
    settings: Settings,
    left_alone: Mapping[LeftAlone, int],
    threads: int,
) -> tuple[int, int]:
    """Make an index of parts, in another process; return how many tags and terms it has.

    The files of the first part are moved and added to. If a process was killed at that, there is no use in
    what it left: the first part is built again, of the arguments that it was built of.
    """
    begun = parts[0].folder.with_suffix(".joined")
    if begun.exists():
        for file in folder.iterdir():
            file.unlink()
        _build_part(*first)
    begun.touch()
    assert settings.profile is not None
    return write_index(folder, parts, settings.profile, settings.analyser, left_alone, threads)
