"""Indexing what users name: files, folders and archives, in one process or several, as a new index or not."""

from __future__ import annotations

import contextlib
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

from inexlab.accelerate import load_compiler
from inexlab.collection.archives import Fetch, packed_tar, unpack_tar
from inexlab.collection.documents import NO_DOCUMENTS, Documents, FileFilter, LeftAlone
from inexlab.collection.entities import Entities
from inexlab.collection.profile import read_profile
from inexlab.collection.reader import reader_by_name, without_extension
from inexlab.errors import InputError, UsageError, nearest_name
from inexlab.executors import Executor, Processes, SpreadTask, open_executor
from inexlab.index.analysis.languages import indicative_words
from inexlab.index.assembly import BuiltPart, Counts, write_index
from inexlab.index.build import READING, NothingToIndexError, Settings, Summary, build_index, build_part
from inexlab.index.found_profile import Places, with_profile
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
from inexlab.wording import counted

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
    if executor is not None or shards:
        with contextlib.ExitStack() as started:
            spread = executor or started.enter_context(open_executor(jobs=jobs))
            summary = _in_parts(places, Path(out), with_profile(places, settings), spread, shards)
    elif jobs > 1:
        with Processes(jobs) as processes:
            _start(processes, places, settings)
            summary = _with_jobs(places, Path(out), with_profile(places, settings), processes)
    else:
        summary = _in_one_process(places, Path(out), with_profile(places, settings))
    summary.notes = [note for note in dict.fromkeys(summary.notes) if note]
    return summary


def _in_one_process(places: Places, out: Path, settings: Settings) -> Summary:
    """Index documents here, one after the other."""
    documents = Documents(
        places, settings.ids, file_filter=settings.file_filter, keep_extension=settings.keep_extension
    )
    notes: list[str] = []

    def settle(numbers: Ints) -> tuple[Iterable[str], str, Counter[LeftAlone]]:
        notes.append(documents.settle())
        return documents.settled(numbers), documents.ids, documents.left_alone

    try:
        summary = build_index(_reported(documents), out, settings, settle=settle)
    except NothingToIndexError as nothing:
        raise _nothing(nothing.summary.skipped, documents) from None
    summary.skipped += _empty(documents)
    summary.notes = [*notes, *summary.notes]
    return summary


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


def _start(processes: Processes, places: Places, settings: Settings) -> None:
    """Start as many processes as will have something to do, so that they are ready when documents are listed.

    Where there is much to do they load the compiler, too.
    """
    documents = Documents(places, file_filter=settings.file_filter)
    count, much = 0, False
    for _ in documents:
        count, much = min(count + 1, processes.workers), documents.done > _MUCH * processes.workers
        if much and count == processes.workers:
            break
    for _ in range(count):
        processes.start(_prepare_for_much if much else _prepare)


_MUCH = 1 << 22  # bytes of documents: loading the compiler pays for a fifth of them


def _prepare() -> None:
    """Do nothing, in a process that has loaded this module for it."""


def _prepare_for_much() -> None:
    """Load what it takes to build, in a process that will soon."""
    load_compiler()
    indicative_words()


def _with_jobs(places: Places, out: Path, settings: Settings, executor: Processes) -> Summary:
    """Let processes index parts that follow one another, then let one of them join these."""
    jobs = executor.workers
    with contextlib.ExitStack() as stack:
        space = stack.enter_context(workspace(out))
        unpacked = _unpack(places, space)
        listed = Documents(places, settings.ids, unpacked, settings.file_filter, settings.keep_extension)
        ends = array("q")  # how many bytes there are up to each document
        for _ in listed:
            ends.append(listed.done)
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
        again = [task.arguments for task, _ in built]
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
    again: Sequence[tuple[Any, ...]],
    settings: Settings,
    left_alone: Mapping[LeftAlone, int],
    threads: int,
) -> tuple[int, int]:
    """Make an index of parts, in another process; return how many tags and terms it has.

    The files of the first part are moved and added to, those of others removed when they were. If a process
    was killed at that, there is no use in what it left: parts are built again, of the arguments that they
    were built of.
    """
    begun = parts[0].folder.with_suffix(".joined")
    if begun.exists():
        for file in folder.iterdir():
            file.unlink()
        for arguments in again:
            _build_part(*arguments)
    begun.touch()
    assert settings.profile is not None
    return write_index(folder, parts, settings.profile, settings.analyser, left_alone, threads)
