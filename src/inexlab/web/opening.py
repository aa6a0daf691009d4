"""What the laboratory is opened with: index, pool, topics and database, which have to fit together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from inexlab.errors import InputError, UsageError
from inexlab.experiments.choices import open_manifest
from inexlab.index.collection import IndexedDocuments
from inexlab.index.index import Index
from inexlab.index.sharded import open_one_index
from inexlab.pooling import Pool, read_pool
from inexlab.pooling.making import with_spans
from inexlab.topics import Topics, read_topics
from inexlab.web.lab import Lab
from inexlab.wording import counted

if TYPE_CHECKING:
    from inexlab.assess.store import Store


def open_lab(
    index: Index | str | Path,
    *,
    pool: Pool | str | Path = "",
    topics: Topics | Sequence[str | Path] = (),
    campaign_file: str | Path = "",
    db: str | Path = "",
    secure: bool = False,
) -> Lab:
    """Open what the pages show; refuse what does not fit together."""
    opened = open_one_index(index)
    title = "inexlab"
    if str(campaign_file):
        manifest = open_manifest(str(campaign_file), pool if isinstance(pool, Pool) else str(pool) or topics)
        title, pool, topics = manifest.title, manifest.pool or "", manifest.topics
    known = _topics(topics)
    chosen = _pool(pool, opened)
    lab = Lab(opened, known, chosen, None, title, secure)
    if not str(db):
        return lab
    lab = replace(lab, store=_store(db, chosen, known, str(campaign_file)))
    check_texts(lab)
    return lab


def check_texts(lab: Lab) -> None:
    """Refuse an index with other texts than those that were judged: marks would be at other places."""
    assert lab.store is not None
    others = lab.store.other_texts(lab.digest)
    if not others:
        return
    file = str(lab.store.database.path)
    lab.store.close()
    raise InputError(
        f"document {others[0]} was judged with another text than the index {lab.index.folder} has "
        f"({counted(len(others), 'judged document')} in all)",
        file=file,
        fix="Give the index that it was judged with.",
    )


def _topics(given: Topics | Sequence[str | Path]) -> Topics | None:
    if isinstance(given, Topics):
        return given
    return read_topics(list(given)) if given else None


def _pool(given: Pool | str | Path, index: Index) -> Pool | None:
    """Return a pool with its hints as spans; one of another collection is refused."""
    if not isinstance(given, Pool):
        if not str(given):
            return None
        given = read_pool(given)
    missing = [d for d in given if d.doc not in index.document_numbers]
    if missing:
        raise InputError(
            f"document {missing[0].doc} of topic {missing[0].topic} is not in the index {index.folder} "
            f"({counted(len(missing), 'pooled document')} of {len(given)} are not)",
            file=given.file or "the pool",
            fix="Give the pool of this collection, or the index of that one.",
        )
    return with_spans(replace(given), IndexedDocuments(index))


def _store(db: str | Path, pool: Pool | None, topics: Topics | None, campaign: str) -> Store:
    """Open the database for what is to be judged."""
    from inexlab.assess.store import open_store

    if pool is None:
        where = f"{campaign} names no pool; add `pool = FILE` to it" if campaign else "give `pool=FILE`"
        raise UsageError(f"a database is for judging what a pool has, and there is none: {where}.")
    missing = [topic for topic in pool.topics if topics is None or topic not in topics]
    if missing:
        more = "" if len(missing) == 1 else f" and {len(missing) - 1} more"
        raise UsageError(
            f"the pool has topic {missing[0]}{more}, of which no text is given: give `topics=FILE` with it."
        )
    return open_store(db, pool)
