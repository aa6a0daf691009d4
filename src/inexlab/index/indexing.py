"""Indexing what users name: files, folders and archives, in one process or several, anew or into an index."""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from inexlab.collection.documents import Documents
from inexlab.collection.profile import Profile, read_profile
from inexlab.collection.store import Fetch
from inexlab.errors import InexlabError, InputError, UsageError
from inexlab.index.build import Counts, NothingToIndexError, Settings, Summary, build_index, profile_of
from inexlab.index.index import Index, open_index
from inexlab.index.merge import merge_indexes

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
    settings = settings or Settings()
    profile = settings.profile or find_profile(places)
    settings = replace(settings, profile=profile)
    if jobs > 1:
        return _with_jobs(places, Path(out), settings, jobs, progress)
    documents = Documents(places, profile.ids)
    return build_index(documents, Path(out), settings, _told(documents, progress))


def append_documents(
    places: Places, out: str | Path, *, strict: bool = False, jobs: int = 1, progress: Progress | None = None
) -> Summary:
    """Add documents to an index, with the settings it was built with; it is replaced when all is done."""
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
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as folder:
        shard = Path(folder) / "new"
        summary = index_documents(places, shard, settings, jobs=jobs, progress=progress)
        merged = merge_indexes([target, shard], target, replace=True)
    return summary_of(merged, [summary])


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


def _with_jobs(
    places: Places, out: Path, settings: Settings, jobs: int, progress: Progress | None
) -> Summary:
    """Let processes index parts that follow one another, then merge these."""
    profile = settings.profile or read_profile("plain")
    count = sum(1 for _ in Documents(places, profile.ids))
    jobs = max(1, min(jobs, count))
    borders = [count * k // jobs for k in range(jobs + 1)]
    context = multiprocessing.get_context("spawn")  # a fork would take along threads of the compiled loops
    done = context.Array("q", 2 * jobs)
    out.resolve().parent.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.resolve().parent) as folder,
        ProcessPoolExecutor(jobs, context, initializer=_share, initargs=(done,)) as pool,
    ):
        parts = [
            pool.submit(_build_part, places, borders[k], borders[k + 1], Path(folder) / str(k), settings, k)
            for k in range(jobs)
        ]
        _watch(parts, done, count, progress)
        summaries = [_result(part) for part in parts]
        shards = [Path(folder) / str(k) for k in range(jobs) if (Path(folder) / str(k)).exists()]
        if not shards:
            lines = [line for summary in summaries for line in summary.skipped]
            raise UsageError(next(iter(lines), "there is no document to index."))
        return summary_of(merge_indexes(shards, out), summaries)


_shared: Any = None


def _share(done: Any) -> None:
    global _shared  # noqa: PLW0603 - how a process of the pool is given shared memory
    _shared = done


def _build_part(
    places: Places, first: int, last: int, out: Path, settings: Settings, job: int
) -> Summary | str:
    """Index some of the documents, in a process of its own; a mistake of the user comes back as a message."""
    profile = settings.profile or read_profile("plain")
    seen = 0

    def tell(summary: Summary) -> None:
        nonlocal seen
        seen += 1
        _shared[2 * job], _shared[2 * job + 1] = seen, summary.bytes_read

    documents: Iterator[tuple[str, str, Fetch]] = islice(Documents(places, profile.ids), first, last)
    try:
        return build_index(documents, out, settings, tell)
    except NothingToIndexError as nothing:
        return nothing.summary
    except InexlabError as error:
        return str(error)


def _watch(parts: Sequence[Future[Any]], done: Any, count: int, progress: Progress | None) -> None:
    pending = set(parts)
    while pending:
        _, pending = wait(pending, timeout=0.2 if progress else None)
        if progress:
            counted = list(done)
            summary = Summary(documents=sum(counted[::2]), bytes_read=sum(counted[1::2]))
            progress(summary.documents / max(1, count), summary)


def _result(part: Future[Summary | str]) -> Summary:
    result = part.result()
    if isinstance(result, str):
        raise UsageError(result)
    return result
