"""Building shards: the documents in parts that follow one another, each a task for an executor.

A part that is done stays until all are: who repeats a command that failed, because workers died or somebody
ended it, goes on with what is missing.

    OUT.parts/plan        what is being built: another plan begins anew; locked by who builds it
    OUT.parts/3           a shard, which appears when it is complete
    OUT.parts/3.done      what its build has to say; written last
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path

from inexlab.collection.archives import Fetch
from inexlab.collection.documents import Documents, LeftAlone
from inexlab.errors import UsageError
from inexlab.executors import Executor, SpreadTask, WorkerLostError
from inexlab.index.analysis import analysis_name
from inexlab.index.build import READING, NothingToIndexError, Settings, Summary, build_index
from inexlab.index.merge import merge_indexes
from inexlab.index.sharded import facts_of, write_manifest
from inexlab.index.store import VERSION, is_index, lock, workspace
from inexlab.output import make_durable
from inexlab.progress import report

_AHEAD = 2  # parts to a worker: one that is done early, or dies, is not waited for by all others
_PLAN = "plan"
_NAMES = re.compile(r"plan|[0-9]+(\.done)?|\.[0-9]+\..+")  # of what is in a folder of parts


def build_shards(
    documents: Documents,
    count: int,
    out: Path,
    settings: Settings,
    executor: Executor,
    *,
    shards: int = 0,
    left_alone: Counter[LeftAlone] | None = None,
) -> list[Summary]:
    """Build an index of `count` documents in parts; it has so many `shards`, or is one, merged of them.

    A part without any document that can be read is no shard. None at all is for the caller to say: nothing is
    written then.
    """
    parts = max(1, min(count, shards or _AHEAD * executor.workers))
    borders = [count * k // parts for k in range(parts + 1)]
    with _parts_folder(out, documents, borders, settings) as folder:
        tasks = [
            SpreadTask(
                f"part {k + 1} of {parts} of {out}",
                build_shard,
                (documents, borders[k], borders[k + 1], str(folder / str(k)), settings),
            )
            for k in range(parts)
        ]
        try:
            sizes = [last - first for first, last in pairwise(borders)]
            summaries: list[Summary] = list(executor.results(tasks, READING, "documents", sizes))
        except WorkerLostError as lost:
            finished = sum(_finished(folder / str(k)) is not None for k in range(parts))
            raise WorkerLostError(lost.task, lost.deaths, f" {finished} of {parts} parts are done.") from None
        found = [k for k in range(parts) if is_index(folder / str(k))]
        beyond = Counter(left_alone or {})
        for k in set(range(parts)) - set(found):  # none of its documents can be read: it cannot tell of them
            beyond += summaries[k].left_alone
        if found:
            _join(folder, [str(k) for k in found], out, beyond, executor, keep=bool(shards))
    return summaries


def _join(
    folder: Path,
    names: Sequence[str],
    out: Path,
    left_alone: Counter[LeftAlone],
    executor: Executor,
    keep: bool,
) -> None:
    """Make one index of the parts, or one that has them as shards."""
    if not keep:
        merge_indexes([folder / name for name in names], out, trusted=True, left_alone=left_alone)
        return
    tasks = [SpreadTask(f"looking at {folder / name}", facts_of, (str(folder / name),)) for name in names]
    facts = list(executor.results(tasks))
    with workspace(out) as space:
        whole = space / "index"
        whole.mkdir()
        for k, name in enumerate(names):
            (folder / name).rename(whole / str(k))
        write_manifest(whole, [str(k) for k in range(len(names))], facts, left_alone)
        make_durable(whole / "manifest.json", whole)
        whole.rename(out.resolve())
        make_durable(out.resolve().parent)


@contextlib.contextmanager
def _parts_folder(
    out: Path, documents: Documents, borders: Sequence[int], settings: Settings
) -> Iterator[Path]:
    """Give the folder for the parts, with those that an earlier command finished; it stays if workers die.

    Its plan is locked: of two commands that build the same, one would remove what the other needs.
    """
    folder = out.resolve().with_name(f"{out.resolve().name}.parts")
    plan = _plan(documents, borders, settings).encode()
    if os.path.lexists(folder) and not _is_of_parts(folder):
        raise UsageError(f"{folder} is in the way: parts of {out} are to be written there.")
    with contextlib.ExitStack() as open_files:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = open_files.enter_context((folder / _PLAN).open("a+b"))
            if lock(file) is False or not os.path.samestat(os.fstat(file.fileno()), (folder / _PLAN).stat()):
                raise UsageError(f"{out} is being written by another process; wait until it finishes.")
            file.seek(0)
            if file.read() != plan:
                _empty(folder)
                file.truncate(0)
                file.write(plan)
                file.flush()
        except (OSError, ValueError) as error:
            raise UsageError(f"{folder} cannot be written ({error}); give another place as `out=`.") from None
        try:
            yield folder
        except (WorkerLostError, KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException:
            _remove(folder)
            raise
        _remove(folder)


def _is_of_parts(folder: Path) -> bool:
    """Whether a folder holds parts of an index and nothing else, or nothing at all."""
    try:
        names = [] if folder.is_symlink() else [entry.name for entry in folder.iterdir()]
    except OSError:
        return False
    known = all(_NAMES.fullmatch(name) for name in names)
    return not folder.is_symlink() and known and (_PLAN in names or not names)


def _empty(folder: Path) -> None:
    """Remove all parts."""
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        elif entry.name != _PLAN:
            entry.unlink(missing_ok=True)


def _remove(folder: Path) -> None:
    """Remove the folder of parts; where that fails its plan stays, so that the next command can."""
    with contextlib.suppress(OSError):
        _empty(folder)
        if [entry.name for entry in folder.iterdir()] == [_PLAN]:
            shutil.rmtree(folder)


def _plan(documents: Documents, borders: Sequence[int], settings: Settings) -> str:
    """Return what tells one build from another: its documents as they are now, its parts and its settings."""
    from inexlab import __version__

    made_by = (__version__, VERSION, analysis_name())
    known = hashlib.sha256(repr((made_by, list(borders), documents.ids, documents.total)).encode())
    known.update(repr(replace(settings, entities=None)).encode())  # type: ignore[arg-type]
    known.update(repr(sorted(settings.entities.declared.items())).encode())
    known.update(repr([_changed(place) for place in documents.places]).encode())  # some are archives
    for id, name, _ in copy(documents):  # what is sent to workers has not gone through any
        known.update(f"{id}\n{name}\n{_changed(name)}\n".encode(errors="surrogateescape"))
    return known.hexdigest()


def _changed(name: str | Path) -> int:
    """Return when a file was changed; 0 for what is in an archive, and for a folder."""
    with contextlib.suppress(OSError, ValueError):
        about = os.stat(name)  # noqa: PTH116 - of millions
        return 0 if stat.S_ISDIR(about.st_mode) else about.st_mtime_ns
    return 0


def build_shard(documents: Documents, first: int, last: int, out: str, settings: Settings) -> Summary:
    """Index some of the documents, unless that was done before."""
    place = Path(out)
    done = _finished(place)
    if done is not None:
        return done
    if not (place.parent / _PLAN).exists():  # another part failed in the meantime: nobody needs this one
        return Summary()
    if place.exists():  # of a worker that died before it could say so
        shutil.rmtree(place)
    # what remembers how far it is, and what it met, is one's own: another part may be built in this process
    own = replace(settings, entities=replace(settings.entities, dropped=Counter(), notes=[]))
    try:
        summary = build_index(_reported(documents, first, last), place, own)
    except NothingToIndexError as nothing:
        summary = nothing.summary
    said = place.with_name(f".{place.name}.{os.getpid()}")
    left_alone = [[*what, often] for what, often in summary.left_alone.items()]
    said.write_text(json.dumps({**vars(summary), "left_alone": left_alone}), encoding="utf-8")
    said.replace(place.with_name(f"{place.name}.done"))
    return summary


def _reported(documents: Documents, first: int, last: int) -> Iterator[tuple[str, str, Fetch]]:
    """Pass some of the documents on, and report how many have gone by."""
    for done, document in enumerate(islice(copy(documents), first, last), start=1):
        yield document
        report(READING, done, last - first, "documents")


def _finished(place: Path) -> Summary | None:
    """Return what the build of a part said, if it is done."""
    try:
        found = json.loads(place.with_name(f"{place.name}.done").read_text(encoding="utf-8"))
        counters = {name: Counter(found[name]) for name in ("languages", "dropped")}
        left_alone = {LeftAlone(kind, reason): often for kind, reason, often in found["left_alone"]}
        summary = Summary(**{**found, **counters, "left_alone": Counter(left_alone)})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    sound = all(type(value) is type(vars(summary)[name]) for name, value in vars(Summary()).items())
    # what was moved when a command was ended is not there any more
    return summary if sound and (not summary.documents or is_index(place)) else None
