"""All that is kept of assessing: accounts, who judges what, and what they said, in one file."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from inexlab.assess import record
from inexlab.assess.accounts import Accounts, Clock, Passwords, Sessions, spell_as_accounts
from inexlab.assess.database import Database
from inexlab.assess.progress import TopicProgress, progress
from inexlab.assess.record import FINISHED, Assessment, Key, Logged, Save
from inexlab.pooling.table import Pool
from inexlab.progress import reporting
from inexlab.tables import by_number_and_name


class ToJudge(NamedTuple):
    """A document of a topic's pool, and what an assessor has said of it so far."""

    document: str
    status: str
    highlights: int
    seconds: float


class Store:
    """An open database of assessments; `name` is its own."""

    def __init__(
        self, database: Database, *, clock: Clock = time.time, cheap_passwords: bool = False
    ) -> None:
        self.database, self._clock = database, clock
        self.name = database.name
        self.accounts = Accounts(database, clock, Passwords(cheap=cheap_passwords))
        self.sessions = Sessions(database, clock)

    def now(self) -> float:
        """Return the time."""
        return self._clock()

    def close(self) -> None:
        """Let go of the file."""
        self.database.close()

    # what is to be judged, and by whom

    def adopt(self, pool: Pool) -> None:
        """Take a pool as what is to be judged; a plan that is new becomes the assignments."""
        documents = [
            (document.topic, document.doc, place)
            for topic in pool.topics
            for place, document in enumerate(pool.by_topic.get(topic, ()))
        ]
        plan = json.dumps(sorted((t, *names) for t, names in pool.assessors.items()))
        digest = hashlib.sha256(plan.encode()).hexdigest()
        with self.database.writing() as rows:
            rows.execute("DELETE FROM pooled")
            rows.executemany("INSERT INTO pooled (topic, document, place) VALUES (?, ?, ?)", documents)
            known = rows.execute("SELECT value FROM about WHERE key = 'plan'").fetchone()
            if pool.assessors and known != (digest,):
                rows.execute("INSERT OR REPLACE INTO about VALUES ('plan', ?)", (digest,))
                given = [(topic, name) for topic, names in pool.assessors.items() for name in names]
                rows.executemany("INSERT OR IGNORE INTO assignments VALUES (?, ?)", given)
                spell_as_accounts(rows)

    def assignments(self) -> dict[str, list[str]]:
        """Return who judges each topic of the pool."""
        with self.database.reading() as rows:
            topics = [topic for (topic,) in rows.execute("SELECT DISTINCT topic FROM pooled")]
            found: dict[str, list[str]] = {topic: [] for topic in by_number_and_name(topics)}
            for topic, assessor in rows.execute("SELECT topic, assessor FROM assignments ORDER BY assessor"):
                found.setdefault(topic, []).append(assessor)
        return found

    def assign(self, topic: str, assessor: str) -> None:
        """Give a topic to an assessor, by the name of their account where they have one."""
        account = self.accounts.find(assessor)
        with self.database.writing() as rows:
            name = account.name if account else assessor
            rows.execute("INSERT OR IGNORE INTO assignments VALUES (?, ?)", (topic, name))

    def unassign(self, topic: str, assessor: str) -> None:
        """Take a topic from an assessor; what they judged stays."""
        with self.database.writing() as rows:
            rows.execute("DELETE FROM assignments WHERE topic = ? AND assessor = ?", (topic, assessor))

    def may_judge(self, assessor: str, topic: str, document: str) -> bool:
        """Whether a document is in the pool of a topic that this assessor was given."""
        with self.database.reading() as rows:
            return (
                rows.execute(
                    "SELECT 1 FROM pooled JOIN assignments USING (topic) "
                    "WHERE assessor = ? AND topic = ? AND document = ?",
                    (assessor, topic, document),
                ).fetchone()
                is not None
            )

    def has_topic(self, assessor: str, topic: str) -> bool:
        """Whether an assessor was given a topic."""
        with self.database.reading() as rows:
            found = rows.execute(
                "SELECT 1 FROM assignments WHERE assessor = ? AND topic = ?", (assessor, topic)
            )
            return found.fetchone() is not None

    def progress(self, assessor: str | None = None) -> list[TopicProgress]:
        """Return how far assessors are with what they were given, topics in the order of their names."""
        with self.database.reading() as rows:
            found = progress(rows, assessor)
        order = {topic: i for i, topic in enumerate(by_number_and_name({p.topic for p in found}))}
        return sorted(found, key=lambda p: (order[p.topic], p.assessor))

    def to_judge(self, assessor: str, topic: str) -> list[ToJudge]:
        """Return the documents of a topic's pool in its order, and what an assessor said of them."""
        with self.database.reading() as rows:
            found = rows.execute(
                "SELECT p.document, coalesce(status, 'unassessed'), coalesce(highlights, '[]'), "
                "coalesce(seconds, 0) FROM pooled p LEFT JOIN judgements j "
                "ON j.assessor = ? AND j.topic = p.topic AND j.document = p.document "
                "WHERE p.topic = ? ORDER BY place",
                (assessor, topic),
            ).fetchall()
        return [
            ToJudge(document, status, len(record.spans_of(highlights)), seconds)
            for document, status, highlights, seconds in found
        ]

    def next_document(self, assessor: str, topic: str, after: str = "") -> str | None:
        """Return the next unfinished document, after one, then from the beginning; None if there is none.

        It is never the one that it comes after, which is open already.
        """
        documents = self.to_judge(assessor, topic)
        place = next((i for i, d in enumerate(documents) if d.document == after), -1)
        round_trip = [*documents[place + 1 :], *documents[: max(place, 0)]]
        return next((d.document for d in round_trip if d.status not in FINISHED), None)

    # what they said

    def assessment(self, assessor: str, topic: str, document: str) -> Assessment:
        """Return what an assessor says of a document."""
        with self.database.reading() as rows:
            return record.newest(rows, (assessor, topic, document))

    def save(self, key: Key, save: Save, *, author: str = "", digest: str = "") -> int:
        """Keep a save of a judgement and return its version; it is on the disk when this returns.

        The key of a judgement is assessor, topic and document. The save has to be `checked` before; `digest`
        is that of the text it was checked with, which has to be the same in all saves of the document.
        """

        def write(rows: sqlite3.Connection) -> int:
            if digest:
                record.check_text(rows, key[2], digest)
            return record.write(rows, key, save, author or key[0], self._clock())

        return self.database.write_together(write)

    def other_texts(self, digest_of: Callable[[str], str | None]) -> list[str]:
        """Return the documents whose texts are not, or no longer, those that were judged."""
        with self.database.reading() as rows:
            known = rows.execute("SELECT document, digest FROM texts ORDER BY document").fetchall()
        checked = reporting(known, "comparing texts with those that were judged", "documents")
        return [document for document, digest in checked if digest_of(document) != digest]

    def log(self, until: int | None = None) -> list[Logged]:
        """Return every save there was, the oldest first."""
        with self.database.reading() as rows:
            return list(record.log(rows, until))

    def replay(self, until: int | None = None) -> dict[Key, Assessment]:
        """Return all judgements as they stood after an entry of the log, or stand now, from the log alone."""
        with self.database.reading() as rows:
            return record.replay(rows, until)

    def assessments(self) -> dict[Key, Assessment]:
        """Return all judgements as they stand now."""
        with self.database.reading() as rows:
            return record.stored(rows)

    def assessors(self) -> list[str]:
        """Return the names of all who judged anything."""
        with self.database.reading() as rows:
            found = rows.execute("SELECT DISTINCT assessor FROM judgements").fetchall()
        return sorted((name for (name,) in found), key=str.lower)

    def backup(self, out: str | Path) -> None:
        """Copy all of it to a file, while it is used."""
        self.database.backup(out)


def open_store(
    path: str | Path, pool: Pool | None = None, *, clock: Clock = time.time, cheap_passwords: bool = False
) -> Store:
    """Open a database, or make a new one; the pool is what is to be judged."""
    store = Store(Database(path), clock=clock, cheap_passwords=cheap_passwords)
    if pool is not None:
        try:
            store.adopt(pool)
        except BaseException:
            store.close()
            raise
    return store
