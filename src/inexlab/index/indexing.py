"""Indexing what users name: files, folders and archives, in one process or several, anew or into an index."""

from __future__ import annotations

import contextlib
import gzip
import lzma
import multiprocessing
import os
import shutil
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from inexlab.collection.documents import Documents, packed_tar, unpacked_file
from inexlab.collection.profile import Profile, read_profile
from inexlab.collection.store import NO_DOCUMENTS, cannot_unpack
from inexlab.errors import InexlabError, InputError, UsageError
from inexlab.index.build import Counts, NothingToIndexError, Settings, Summary, build_index, profile_of
from inexlab.index.index import Index, open_index
from inexlab.index.merge import merge_indexes
from inexlab.index.store import MANIFEST, is_index, lock, need_new, workspace
from inexlab.signals import deaf_children
from inexlab.topics.equivalence import read_equivalence

Places = Sequence[str | Path]
Progress = Callable[[float, Summary], object]  # the part that is done, and what was done


def index_documents(
    places: Places,
    out: str | Path,
    settings: Settings | None = None,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Summary:
    """Index the documents at some places."""
    need_new(Path(out))
    _refuse_indexes(places)
    settings = settings or Settings()
    profile = settings.profile or find_profile(places)
    settings = replace(settings, profile=profile)
    read_equivalence(profile.equivalence)  # whoever searches the index will need it
    if jobs > 1:
        return _with_jobs(places, Path(out), settings, jobs, progress)
    documents = Documents(places, profile.ids)
    try:
        summary = build_index(documents, Path(out), settings, _told(documents, progress))
    except NothingToIndexError as nothing:
        raise _nothing(nothing.summary.skipped, documents) from None
    summary.skipped += _empty(documents)
    return summary


def append_documents(
    places: Places, out: str | Path, *, strict: bool = False, jobs: int = 1, progress: Progress | None = None
) -> Summary:
    """Add documents to an index, with the settings it was built with; it is replaced when all is done."""
    with _alone(Path(out)):
        index, target = open_index(out), Path(out).resolve()
        stop = frozenset(index.manifest["stop_words"])
        settings = Settings(index.profile, index.manifest["stemmer"], stop, strict)
        for id, name, _ in Documents(places, index.profile.ids):
            if id in index.document_numbers:
                raise InputError(
                    f"has the id {id!r}, and {out} has that document already",
                    file=name,
                    fix="Name new documents only.",
                )
        with workspace(target) as space:
            shard = space / "new"
            summary = index_documents(places, shard, settings, jobs=jobs, progress=progress)
            merged = merge_indexes([target, shard], target, replace=True)
        return summary_of(merged, [summary])


@contextlib.contextmanager
def _alone(out: Path) -> Iterator[None]:
    """Lock an index: of two that add to it at the same time, one would undo what the other does."""
    open_index(out)  # which says if it is none
    with (out / MANIFEST).open("rb") as file:
        free = lock(file) is not False
        # what was locked may be replaced by now
        if not free or not os.path.samestat(os.fstat(file.fileno()), (out / MANIFEST).stat()):
            raise InputError("is being added to by another process", file=str(out), fix="Wait for its end.")
        yield


def _refuse_indexes(places: Places) -> None:
    for place in places:
        if is_index(Path(place)):
            raise InputError("is an index, not documents", file=str(place), fix="Indexes are for --merge.")


def find_profile(places: Places) -> Profile:
    """Return the built-in profile that fits the first document that can be read."""
    for _, name, fetch in Documents(places):
        try:
            return profile_of(fetch(), name)
        except InputError:
            continue
    return read_profile("plain")


def summary_of(index: Index, builds: Iterable[Summary] = ()) -> Summary:
    """Return the summary of an index, with what its builds left out."""
    counts = {name: index.manifest[name] for name in Counts.__dataclass_fields__}
    done = list(builds)
    return Summary(
        **counts,
        tags=len(index.tags),
        terms=len(index.terms),
        bytes_read=sum(build.bytes_read for build in done),
        skipped=[line for build in done for line in build.skipped],
    )


def _told(documents: Documents, progress: Progress | None) -> Callable[[Summary], object]:
    if progress is None:
        return lambda _: None
    return lambda summary: progress(documents.done / max(1, documents.total), summary)


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
    with workspace(out) as space:
        unpacked = _unpack(places, space)
        documents = Documents(places, (settings.profile or read_profile("plain")).ids, unpacked)
        count = sum(1 for _ in documents)
        jobs = max(1, min(jobs, count))
        borders = [count * k // jobs for k in range(jobs + 1)]
        done = context.Array("q", 2 * jobs + 1)
        shards = [space / str(k) for k in range(jobs)]
        with ProcessPoolExecutor(jobs, context, initializer=_share, initargs=(done,)) as pool:
            with deaf_children():
                parts = [
                    pool.submit(_build_part, documents, borders[k], borders[k + 1], shards[k], settings, k)
                    for k in range(jobs)
                ]
            try:
                _watch(parts, done, count, progress)
                summaries = [_result(part) for part in parts]
            finally:
                done[-1] = 1  # if something went wrong: the others need not go on
        shards = [shard for shard in shards if shard.exists()]
        skipped = [line for summary in summaries for line in summary.skipped]
        if not shards:
            raise _nothing(skipped, documents)
        summary = summary_of(merge_indexes(shards, out, trusted=True), summaries)
    summary.skipped += _empty(documents)
    return summary


def _unpack(places: Places, space: Path) -> dict[str, Path]:
    """Unpack compressed tar archives, once for all processes: these begin to read in their middle."""
    copies = {}
    for number, place in enumerate(places):
        if packed_tar(place):
            copies[str(Path(place))] = copy = space / f"{number}.tar"
            with Path(place).open("rb") as file, unpacked_file(file) as plain, copy.open("wb") as target:
                try:
                    shutil.copyfileobj(plain, target, 1 << 20)
                except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
                    raise cannot_unpack(Path(place), error) from None
    return copies


_shared: Any = None


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
) -> Summary | str:
    """Index some of the documents, in a process of its own; a mistake of the user comes back as a message."""
    seen = 0

    def tell(summary: Summary) -> None:
        nonlocal seen
        seen += 1
        _shared[2 * job], _shared[2 * job + 1] = seen, summary.bytes_read
        if _shared[-1]:
            raise _StoppedError

    try:
        return build_index(islice(documents, first, last), out, settings, tell)
    except NothingToIndexError as nothing:
        return nothing.summary
    except InexlabError as error:
        return str(error)


def _watch(parts: Sequence[Future[Any]], done: Any, count: int, progress: Progress | None) -> None:
    pending = set(parts)
    while pending:
        finished, pending = wait(pending, timeout=0.2 if progress else None, return_when=FIRST_COMPLETED)
        for part in finished:
            _result(part)
        if progress:
            counted = list(done)[:-1]
            summary = Summary(documents=sum(counted[::2]), bytes_read=sum(counted[1::2]))
            progress(summary.documents / max(1, count), summary)


def _result(part: Future[Summary | str]) -> Summary:
    try:
        result = part.result()
    except BrokenProcessPool:
        raise UsageError("a process was killed, perhaps for want of memory; try fewer --jobs.") from None
    if isinstance(result, str):
        raise UsageError(result)
    return result
