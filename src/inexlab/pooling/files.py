"""Pools in and out: formats known by their content, and writers by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from inexlab.collection import Collection
from inexlab.errors import InputError
from inexlab.files import Source, files_in, read_source
from inexlab.output import write_file, write_folder
from inexlab.pooling.table import Pool, PooledDocument
from inexlab.registry import Registry


class PoolBuilder:
    """Collects the documents of pools, from one file or several."""

    def __init__(self) -> None:
        self._documents: dict[tuple[str, str], PooledDocument] = {}
        self._assessors: dict[str, tuple[str, ...]] = {}

    def add(self, document: PooledDocument) -> bool:
        """Add a document; return whether it is a new one."""
        known = len(self._documents)
        self._documents.setdefault((document.topic, document.doc), document)
        return len(self._documents) > known

    def assign(self, topic: str, assessors: Iterable[str]) -> bool:
        """Say who is to judge a topic; return False if that was said otherwise before."""
        given = tuple(assessors)
        return self._assessors.setdefault(topic, given) == given

    def build(self, file: str) -> Pool:
        """Return the pool."""
        if not self._documents:
            raise InputError(
                "holds no documents to judge", file=file, fix="Check that it was written to the end."
            )
        return Pool(tuple(self._documents.values()), self._assessors, file=file)


@dataclass(frozen=True)
class PoolFormat:
    """A format of pools: how to know it by its content, and how to read it."""

    name: str
    recognises: Callable[[Source], bool]
    read: Callable[[Source, PoolBuilder], None]


WriteTopics = Callable[[Pool, Collection | None, list[str]], Iterator[tuple[str, Iterable[bytes]]]]


@dataclass(frozen=True)
class PoolWriter:
    """A format of pools to write: as one file, or as a folder with a file for each topic.

    Both append what is lost, in words, to the list that they are given.
    """

    name: str
    carries: str
    write: Callable[[Pool, list[str]], Iterator[bytes]] | None = None
    write_topics: (
        Callable[[Pool, Collection | None, list[str]], Iterator[tuple[str, Iterable[bytes]]]] | None
    ) = None


pool_formats: Registry[PoolFormat] = Registry("pool format", "inexlab.pooling.formats")
pool_writers: Registry[PoolWriter] = Registry("pool format", "inexlab.pooling.formats")


def is_pool(source: Source) -> bool:
    """Whether a file holds a pool, not a run or judgements."""
    return any(known.recognises(source) for known in pool_formats.values())


def read_pool(path: str | Path | Source) -> Pool:
    """Read a pool: JSON Lines, or X-Rai's XML in a file or in a folder with a file for each topic."""
    builder = PoolBuilder()
    for file in [path] if isinstance(path, Source) else files_in(path, "pool"):
        source = file if isinstance(file, Source) else read_source(file)
        known = pool_formats.values()
        reader = next((f for f in reversed(known) if f.recognises(source)), None)
        if reader is None:
            raise source.problem(
                "is not a pool in a known format",
                line=source.first_row[0],
                fix=f"Known formats: {', '.join(f.name for f in known)}.",
            )
        reader.read(source, builder)
    return builder.build(path.name if isinstance(path, Source) else str(path))


def write_pool(
    pool: Pool, path: str | Path, format: str = "pool-jsonl", *, collection: Collection | None = None
) -> tuple[str, ...]:
    """Write a pool as `pool-jsonl` (a file) or `pool-xrai` (a folder); return what was lost, in words."""
    writer = pool_writers[format]
    lost: list[str] = []
    if writer.write_topics is not None:
        write_folder(path, writer.write_topics(pool, collection, lost))
    elif writer.write is not None:
        write_file(path, writer.write(pool, lost))
    return tuple(lost)


def is_folder(format: str) -> bool:
    """Whether a format of pools is a folder of files."""
    return format in pool_writers and pool_writers[format].write_topics is not None
