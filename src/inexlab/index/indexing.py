"""Indexing what users name: files, folders and archives, in one process or several, as a new index or not."""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
import os
import threading
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from inexlab.collection.archives import files_in_place, packed_tar, unpack_tar
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
from inexlab.errors import InexlabError, InputError, UsageError, nearest_name
from inexlab.executors import Executor, open_executor
from inexlab.index.assembly import BuiltPart, Counts, write_index
from inexlab.index.build import (
    NothingToIndexError,
    Settings,
    Summary,
    build_index,
    build_part,
    profile_of,
)
from inexlab.index.index import Index, open_index
from inexlab.index.merge import left_alone_of, merge_indexes
from inexlab.index.rewrite import rewrite, settings_of
from inexlab.index.sharded import ShardedIndex, shard_folders
from inexlab.index.sharding import build_shards
from inexlab.index.store import MANIFEST, being_written, is_index, lock, need_new, unfinished, workspace
from inexlab.output import refuse_unwritable
from inexlab.signals import ignoring_ctrl_c_in_children
from inexlab.tables import Ints
from inexlab.topics.equivalence import read_equivalence
from inexlab.wording import counted

T = TypeVar("T")
Places = Sequence[str | Path]

# The part that is done, and what was done: from 0 to 1 while documents are read, then from 1 to 2 while what
# is known of their terms is joined.
Progress = Callable[[float, Summary], object]


def index_documents(
    places: Places,
    out: str | Path,
    settings: Settings | None = None,
    *,
    jobs: int = 1,
    shards: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
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
            summary = _in_parts(places, Path(out), settings, spread, shards, progress)
    elif jobs > 1:
        summary = _with_jobs(places, Path(out), settings, jobs, progress)
    else:
        documents = Documents(
            places, settings.ids, file_filter=settings.file_filter, keep_extension=settings.keep_extension
        )

        def settle(numbers: Ints) -> tuple[Iterable[str], str, Counter[LeftAlone]]:
            notes.append(documents.settle())
            return documents.settled(numbers), documents.ids, documents.left_alone

        try:
            callback = _Callback(documents, progress)
            summary = build_index(
                documents, Path(out), settings, callback.read, settle=settle, joining=callback.joined
            )
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
    progress: Progress | None = None,
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
            summary = index_documents(places, shard, settings, jobs=jobs, progress=progress)
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


class _Callback:
    """Tells whoever wants to know how far a build is."""

    def __init__(self, documents: Documents | None, progress: Progress | None) -> None:
        self._documents, self._progress = documents, progress
        self.summary = Summary()

    def read(self, summary: Summary) -> None:
        """Tell that one more document was read."""
        if self._progress is not None and self._documents is not None:
            self.summary = summary
            self._progress(self._documents.done / max(1, self._documents.total), summary)

    def joined(self, part: float) -> None:
        """Tell which part of the terms is joined."""
        if self._progress is not None:
            self._progress(1 + part, self.summary)


def merge_with_progress(shards: Places, out: str | Path, progress: Progress | None = None) -> Summary:
    """Merge indexes, or the shards of some, into a new one."""
    indexes, left_alone = shard_folders(shards)
    joining = _Callback(None, progress).joined
    return summary_of(merge_indexes(indexes, Path(out), left_alone=left_alone, joining=joining))


def _empty(documents: Documents) -> list[str]:
    """Say of which places there was nothing."""
    return [f"{place}: {NO_DOCUMENTS}." for place in documents.empty]


def _nothing(skipped: Sequence[str], documents: Documents) -> UsageError:
    """Return the error for when there is no document that can be indexed: why is that of the first."""
    why = [*skipped, *_empty(documents)]
    more = f" ({len(why) - 1:,} more cannot be indexed either)" if len(why) > 1 else ""
    return UsageError(f"{why[0]}{more}" if why else "there is no document to index.")


def _with_jobs(
    places: Places, out: Path, settings: Settings, jobs: int, progress: Progress | None
) -> Summary:
    """Let processes index parts that follow one another, then merge these."""
    context = multiprocessing.get_context("spawn")  # a fork would take along threads of the compiled loops
    done: Any = context.Array("q", 2 * jobs + 2)
    with contextlib.ExitStack() as stack:
        space = stack.enter_context(workspace(out))
        unpacked = _unpack(places, space)
        listed = Documents(places, settings.ids, unpacked, settings.file_filter, settings.keep_extension)
        pool = stack.enter_context(ProcessPoolExecutor(jobs, context, initializer=_share, initargs=(done,)))
        with ignoring_ctrl_c_in_children():
            for _ in range(jobs):  # they start while documents are listed
                pool.submit(_start)
        bytes_ = np.array(array("q", (listed.done for _ in listed)), dtype=np.int64)  # up to each document
        note = listed.settle()
        documents = Documents(places, listed.ids, unpacked, settings.file_filter, listed.keep_extension)
        profile = replace(settings.profile or read_profile("plain"), ids=listed.ids)
        settings = replace(settings, profile=profile)
        borders = _borders(bytes_, max(1, min(jobs, len(bytes_))))
        futures = [
            pool.submit(_build_part, documents, first, last, space / str(k), settings, k)
            for k, (first, last) in enumerate(pairwise(borders))
        ]

        def tell_documents() -> None:
            if progress is not None:
                counted = list(done)[:-2]
                so_far = Summary(documents=sum(counted[::2]), bytes_read=sum(counted[1::2]))
                progress(so_far.documents / max(1, len(bytes_)), so_far)

        def tell_terms() -> None:
            if progress is not None:
                progress(1 + done[-2] / _WHOLE, summary)

        results = _results(futures, done, tell_documents)
        summary = _summed([of_part for of_part, _ in results])
        summary.left_alone += listed.left_alone
        parts = [part for _, part in results if part is not None]
        if not parts:
            raise _nothing(summary.skipped, listed)
        folder = stack.enter_context(unfinished(out))
        # one of the processes makes the index, as they have the compiled loops at hand
        making = pool.submit(_join_parts, folder, parts, settings, summary.left_alone, jobs)
        ((summary.tags, summary.terms),) = _results([making], done, tell_terms)
    summary.skipped += _empty(listed)
    summary.notes += [note] if note else []
    return summary


def _in_parts(
    places: Places, out: Path, settings: Settings, executor: Executor, shards: int, progress: Progress | None
) -> Summary:
    """Let an executor index parts that follow one another, which become one index or its shards."""
    with workspace(out) as space:
        unpacked = _unpack(places, space)
        listed = Documents(places, settings.ids, unpacked, settings.file_filter, settings.keep_extension)
        count = sum(1 for _ in listed)
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
            progress=progress,
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


_shared: Any = None  # documents and bytes of each process, what is joined of the whole, whether to stop
_WHOLE = 1_000_000


def _start() -> None:
    """Do nothing, in a process that has to be started for it."""


def _share(done: Any) -> None:
    global _shared  # noqa: PLW0603 - how a process of the pool is given shared memory
    _shared = done
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the one that started it was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class _StoppedError(InexlabError):
    """Another part failed, or the user does not want any."""


def _build_part(
    documents: Documents, first: int, last: int, out: Path, settings: Settings, job: int
) -> tuple[Summary, BuiltPart | None] | str:
    """Index some of the documents, in a process of its own; a mistake of the user comes back as a message."""
    seen = 0

    def tell(summary: Summary) -> None:
        nonlocal seen
        seen += 1
        _shared[2 * job], _shared[2 * job + 1] = seen, summary.bytes_read
        if _shared[-1]:
            raise _StoppedError

    try:
        return build_part(islice(documents, first, last), out, settings, tell)
    except InexlabError as error:
        return str(error)


def _join_parts(
    folder: Path,
    parts: Sequence[BuiltPart],
    settings: Settings,
    left_alone: Mapping[LeftAlone, int],
    threads: int,
) -> tuple[int, int] | str:
    """Make an index of parts, in another process; return how many tags and terms it has, or a message."""

    def tell(part: float) -> None:
        _shared[-2] = int(part * _WHOLE)
        if _shared[-1]:
            raise _StoppedError

    try:
        assert settings.profile is not None
        return write_index(folder, parts, settings.profile, settings.analyser, left_alone, threads, tell)
    except InexlabError as error:
        return str(error)


def _results(futures: Sequence[Future[T | str]], done: Any, tell: Callable[[], None]) -> list[T]:
    """Wait for what processes do, and tell how far they are; if one fails, the others need not go on."""
    try:
        pending = set(futures)
        while pending:
            finished, pending = wait(pending, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in finished:
                _result(future)
            tell()
        return [_result(future) for future in futures]
    except BaseException:
        done[-1] = 1
        wait(futures)  # they write into folders that will be removed
        raise


def _result(future: Future[T | str]) -> T:
    try:
        result = future.result()
    except BrokenProcessPool:
        raise UsageError("a process was killed, perhaps because memory ran out; try fewer `jobs=`.") from None
    if isinstance(result, str):
        raise UsageError(result)
    return result
