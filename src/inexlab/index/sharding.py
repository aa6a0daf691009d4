"""Building shards: the documents in parts that follow one another, each a task for an executor.

A part that is done stays until all are: who repeats a command that failed, because workers died, a disk was
full or somebody ended it, goes on with what is missing.

    OUT.parts/plan              where parts begin and end; locked by who builds them
    OUT.parts/3-5f0c…           a shard, which appears when it is complete
    OUT.parts/3-5f0c….done      what its build has to say; written last
    OUT.parts/.joined           the index that parts are moved into; then it is moved to OUT

The name of a part says what is in it: a number, and a digest of the settings and of the documents as they
are. So a part of other documents is never taken for it, whoever builds it and however late; and two that
build the same part at the same time, as one of them was taken for dead, do no harm.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from itertools import islice
from pathlib import Path

from inexlab.collection.archives import Fetch
from inexlab.collection.documents import Documents, LeftAlone
from inexlab.errors import InexlabError, UsageError
from inexlab.executors import Executor, SpreadTask, unseen
from inexlab.index.build import READING, NothingToIndexError, Settings, Summary, build_index
from inexlab.index.merge import merge_indexes
from inexlab.index.parts import PLAN, PartsFolder, PlannedPart, digest_of, of_document, open_parts
from inexlab.index.sharded import facts_of, write_manifest
from inexlab.index.store import MANIFEST, is_index, workspace
from inexlab.output import make_durable
from inexlab.progress import report
from inexlab.signals import held_signals

_AHEAD = 2  # parts to a worker: one that is done early, or dies, is not waited for by all others
_LAG = 10.0  # seconds until a file of another machine has to be seen


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
    alone = Counter(left_alone or {})
    stop = settings.analyser.given_stop  # the words, not the name of a file that workers would have to see
    settings = settings if stop is None else replace(settings, stop_words=stop)
    with open_parts(out) as folder:
        what = digest_of(documents, settings, alone)
        parts = folder.parts(documents, count, what, shards, _AHEAD * executor.workers)
        try:
            summaries = _build(documents, parts, out, folder, settings, executor)
            found = [k for k, summary in enumerate(summaries) if summary.documents]
            for k in set(range(len(parts))) - set(found):  # no shard, so that it cannot tell of its documents
                alone += summaries[k].left_alone
            if found:
                places = [folder.place(parts[k]) for k in found]
                _join(places, out, alone, executor, folder, keep=bool(shards))
        except OSError as error:
            problem = f"{out} cannot be written ({error.strerror or error})."
            raise UsageError(f"{problem}{_kept(folder, parts)}") from None
        except InexlabError as error:
            error.args = (f"{error}{_kept(folder, parts)}",)
            raise
        except BaseException as ended:  # by a signal, say: whoever prints something adds this
            if kept := _kept(folder, parts):
                ended.add_note(kept.lstrip())
            raise
    return summaries


def _kept(folder: PartsFolder, parts: Sequence[PlannedPart]) -> str:
    """Say what need not be done again, if anything."""
    done = sum(_finished(folder.place(part)) is not None for part in parts)
    where = f"{done} of {len(parts)} parts are done, in {folder.path}"
    return f" {where}: the same command goes on from there." if done else ""


def _build(
    documents: Documents,
    parts: Sequence[PlannedPart],
    out: Path,
    folder: PartsFolder,
    settings: Settings,
    executor: Executor,
) -> list[Summary]:
    """Build all parts; return what the build of each has to say."""
    relative = not all(place.is_absolute() for place in documents.places)
    tasks = [
        SpreadTask(
            f"part {k + 1} of {len(parts)} of {out}",
            build_shard,
            (documents, part, str(folder.place(part)), settings),
            relative,
        )
        for k, part in enumerate(parts)
    ]
    results = executor.results(tasks, READING, "documents", [part.last - part.first for part in parts])
    return [_seen(folder.place(part)) for part, _ in zip(parts, results, strict=True)]


def _seen(place: Path) -> Summary:
    """Return what the build of a part said; raise if it is not here, as it was written to another disk.

    Some file systems show late what other machines have written; to list a folder hurries them.
    """
    until = time.monotonic() + _LAG
    while (summary := _finished(place)) is None:
        if time.monotonic() > until:
            raise UsageError(unseen(place.parent))
        time.sleep(0.1)
        with contextlib.suppress(OSError):
            list(place.parent.iterdir())
    return summary


def _join(
    places: Sequence[Path],
    out: Path,
    left_alone: Counter[LeftAlone],
    executor: Executor,
    folder: PartsFolder,
    keep: bool,
) -> None:
    """Make one index of the parts, or one that has them as shards."""
    if not keep:
        _need_free(out)
        merge_indexes(places, out, trusted=True, left_alone=left_alone)
        return
    tasks = [SpreadTask(f"looking at {place}", facts_of, (str(place),), relative=False) for place in places]
    facts = list(executor.results(tasks))
    with folder.joining([place.name for place in places]) as whole:
        write_manifest(whole, [str(k) for k in range(len(places))], facts, left_alone)
        make_durable(whole / MANIFEST, whole)
        with held_signals():  # parts are moved when nothing else is left to do
            _need_free(out)
            for k, place in enumerate(places):
                place.rename(whole / str(k))
            whole.rename(out.resolve())
            folder.remove()  # nobody has to be told of it any more
    make_durable(out.resolve().parent)


def _need_free(out: Path) -> None:
    """Refuse to write where something has appeared since the command began."""
    if os.path.lexists(out):
        raise UsageError(f"{out} was made by somebody else in the meantime; move it away.")


def build_shard(documents: Documents, part: PlannedPart, out: str, settings: Settings) -> Summary:
    """Index some of the documents, unless that was done before."""
    place = Path(out)
    done = _finished(place)
    if done is not None:
        return done
    if not (place.parent / PLAN).exists():  # on another disk; or another part failed, and nobody needs this
        raise UsageError(unseen(place.parent))
    # what remembers how far it is, and what it met, is one's own: another part may be built in this process
    own = replace(settings, entities=replace(settings.entities, dropped=Counter(), notes=[]))
    with workspace(place) as space:
        try:
            summary = build_index(_planned(documents, part), space / "index", own)
        except NothingToIndexError as nothing:
            summary = nothing.summary
        else:
            _publish(space / "index", place)
        left_alone = [[*what, often] for what, often in summary.left_alone.items()]
        said = space / "done"
        said.write_text(json.dumps({**vars(summary), "left_alone": left_alone}), encoding="utf-8")
        said.replace(_done(place))
    return summary


def _planned(documents: Documents, part: PlannedPart) -> Iterator[tuple[str, str, Fetch]]:
    """Yield the documents of a part; raise if they are not those of the plan."""
    found = hashlib.sha256()
    coming = islice(copy(documents), part.first, part.last)
    for done, (id, name, fetch) in enumerate(coming, start=1):
        found.update(of_document(id, name))
        yield id, name, fetch
        report(READING, done, part.last - part.first, "documents")
    if found.hexdigest() != part.documents:
        raise UsageError(
            "documents were added, removed or renamed while they were being indexed; "
            "repeat the command when that is over."
        )


def _publish(built: Path, place: Path) -> None:
    """Put a part where it belongs, unless another worker was quicker."""
    try:
        built.rename(place)
    except OSError:
        if _finished(place) is not None:
            return
        place.rename(built.with_name("before"))  # of a worker that died before it could say so
        built.rename(place)
    make_durable(place.parent)


def _done(place: Path) -> Path:
    return place.with_name(f"{place.name}.done")


def _finished(place: Path) -> Summary | None:
    """Return what the build of a part said, if it is done."""
    try:
        found = json.loads(_done(place).read_text(encoding="utf-8"))
        counters = {name: Counter(found[name]) for name in ("languages", "dropped")}
        left_alone = {LeftAlone(kind, reason): often for kind, reason, often in found["left_alone"]}
        summary = Summary(**{**found, **counters, "left_alone": Counter(left_alone)})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    sound = all(type(value) is type(vars(summary)[name]) for name, value in vars(Summary()).items())
    # what was moved when a command was ended is not there any more
    return summary if sound and (not summary.documents or is_index(place)) else None
