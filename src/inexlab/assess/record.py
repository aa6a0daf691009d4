"""The record of judgements: a log to which everything is added and in which nothing is changed.

The newest version of each judgement stands in a table of its own, which follows from the log: `replay` makes
any state of it again.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import NamedTuple

STATUSES = ("unassessed", "in progress", "done", "irrelevant")
FINISHED = ("done", "irrelevant")
_LONGEST_KEY = 100
_MOST_SECONDS = 24 * 3600

Spans = tuple[tuple[int, int], ...]
Key = tuple[str, str, str]  # assessor, topic, document


class Assessment(NamedTuple):
    """What an assessor says of a document, in its newest version; version 0 is before anything was said.

    Highlights are spans of the document's text, sorted and disjoint; `best_entry` is a place in it. `seconds`
    is how long the assessor has worked on it.
    """

    version: int = 0
    highlights: Spans = ()
    best_entry: int | None = None
    status: str = "unassessed"
    seconds: float = 0.0


class Save(NamedTuple):
    """A save: what an assessor says now, on top of the version `base`.

    `key` is made by whoever saves: the same key is the same save, however often it is sent.
    """

    key: str
    base: int
    highlights: Spans
    best_entry: int | None
    status: str
    seconds: float = 0.0


class Logged(NamedTuple):
    """An entry of the log."""

    number: int
    at: float
    author: str
    assessor: str
    topic: str
    document: str
    version: int
    save: str
    highlights: Spans
    best_entry: int | None
    status: str
    seconds: float


class OutdatedSaveError(Exception):
    """A save on top of a version that is not the newest, which is `newest`: nothing was saved."""

    def __init__(self, newest: Assessment) -> None:
        super().__init__(newest.version)
        self.newest = newest


class RefusedSaveError(Exception):
    """A save that cannot be: the message says why."""


def checked(save: Save, text: str, quotes: Sequence[str] | None = None, length: int | None = None) -> Save:
    """Return a save whose highlights are sorted, if it can be of this text; refuse it otherwise.

    `quotes` are the texts of the highlights, as whoever made them saw them.
    """
    size = len(text) if length is None else length
    if not save.key or len(save.key) > _LONGEST_KEY or not save.key.isprintable():
        raise RefusedSaveError(f"the key of a save has 1 to {_LONGEST_KEY} printable characters")
    if save.status not in STATUSES:
        raise RefusedSaveError(f"status {save.status!r} is none of {', '.join(STATUSES)}")
    if not 0 <= save.seconds <= _MOST_SECONDS:
        raise RefusedSaveError(f"{save.seconds} is not a number of seconds")
    for i, (start, end) in enumerate(save.highlights):
        if not 0 <= start < end <= size:
            raise RefusedSaveError(
                f"there is no text from {start} to {end}: the document has {size} characters"
            )
        if quotes is not None and text[start:end] != quotes[i]:
            raise RefusedSaveError(f"the text from {start} to {end} is another one than the quoted")
    highlights = tuple(sorted(save.highlights))
    for (_, end), (start, _) in itertools.pairwise(highlights):
        if start < end:
            raise RefusedSaveError(f"two highlights have the text from {start} on in common")
    if save.best_entry is not None and not 0 <= save.best_entry <= size:
        raise RefusedSaveError(f"there is no place {save.best_entry}: the document has {size} characters")
    if save.status in ("irrelevant", "unassessed") and (highlights or save.best_entry is not None):
        raise RefusedSaveError(f"a document that is {save.status} has neither highlights nor an entry point")
    return save._replace(highlights=highlights)


def check_text(rows: sqlite3.Connection, document: str, digest: str) -> None:
    """Refuse a document whose text is not the one that was judged before; remember that of a new one."""
    known = rows.execute("SELECT digest FROM texts WHERE document = ?", (document,)).fetchone()
    if known is None:
        rows.execute("INSERT INTO texts VALUES (?, ?)", (document, digest))
    elif known != (digest,):
        raise RefusedSaveError(f"the text of document {document} is not the one that was judged before")


def newest(rows: sqlite3.Connection, key: Key) -> Assessment:
    """Return the newest version of a judgement."""
    found = rows.execute(
        "SELECT version, highlights, best_entry, status, seconds FROM judgements "
        "WHERE assessor = ? AND topic = ? AND document = ?",
        key,
    ).fetchone()
    if found is None:
        return Assessment()
    version, highlights, *rest = found
    return Assessment(version, spans_of(highlights), *rest)


def spans_of(stored: str) -> Spans:
    """Return highlights as they are stored."""
    return tuple((start, end) for start, end in json.loads(stored))


def write(rows: sqlite3.Connection, key: Key, save: Save, author: str, now: float) -> int:
    """Add a save to the log and return its version; one that is there already is not added again."""
    assessor, topic, document = key
    stored = json.dumps(save.highlights, separators=(",", ":"))
    known = rows.execute(
        "SELECT version, topic, document, highlights, best_entry, status FROM log "
        "WHERE assessor = ? AND save = ?",
        (assessor, save.key),
    ).fetchone()
    if known is not None:
        if known[1:] != (topic, document, stored, save.best_entry, save.status):
            raise RefusedSaveError("another save had this key")
        return int(known[0])
    before = newest(rows, key)
    if before.version != save.base:
        raise OutdatedSaveError(before)
    version, content = save.base + 1, (stored, save.best_entry, save.status)
    rows.execute(
        "INSERT INTO log (at, author, assessor, topic, document, version, save, highlights, best_entry, "
        "status, seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (now, author, *key, version, save.key, *content, save.seconds),
    )
    _set_newest(rows, key, version, content, before.seconds + save.seconds, now)
    return version


def _set_newest(
    rows: sqlite3.Connection,
    key: Key,
    version: int,
    content: tuple[str, int | None, str],
    seconds: float,
    now: float,
) -> None:
    rows.execute(
        "INSERT OR REPLACE INTO judgements VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*key, version, *content, seconds, now),
    )


def log(rows: sqlite3.Connection, until: int | None = None) -> Iterator[Logged]:
    """Yield the log, up to an entry; the oldest first."""
    found = rows.execute(
        f"SELECT {', '.join(Logged._fields)} FROM log WHERE ? IS NULL OR number <= ? ORDER BY number",
        (until, until),
    )
    for row in found:
        entry = Logged(*row)
        yield entry._replace(highlights=spans_of(row[8]))


def replay(rows: sqlite3.Connection, until: int | None = None) -> dict[Key, Assessment]:
    """Return all judgements as they stood after an entry of the log, or stand now, from the log alone."""
    found: dict[Key, Assessment] = {}
    for entry in log(rows, until):
        key = entry.assessor, entry.topic, entry.document
        before = found.get(key, Assessment())
        found[key] = Assessment(
            entry.version, entry.highlights, entry.best_entry, entry.status, before.seconds + entry.seconds
        )
    return found


def stored(rows: sqlite3.Connection) -> dict[Key, Assessment]:
    """Return all judgements as they stand now, from the table of the newest."""
    found = rows.execute(
        "SELECT assessor, topic, document, version, highlights, best_entry, status, seconds FROM judgements"
    )
    return {
        (assessor, topic, document): Assessment(version, spans_of(highlights), *rest)
        for assessor, topic, document, version, highlights, *rest in found
    }
