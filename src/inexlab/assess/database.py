"""The database file: SQLite with a write-ahead log, in which what is committed survives a loss of power.

Any number of threads read; one at a time writes, in the order in which they came.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from inexlab.errors import InputError

T = TypeVar("T")

_APPLICATION = 0x494E4558  # "INEX", in the header of the file
_VERSION = 1
_PATIENCE = 30_000  # milliseconds that a writer waits for another process

_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE accounts (
  name TEXT PRIMARY KEY COLLATE NOCASE,
  role TEXT NOT NULL CHECK (role IN ('assessor', 'administrator')),
  password TEXT NOT NULL,
  active INTEGER NOT NULL DEFAULT 1,
  made REAL NOT NULL
);
CREATE TABLE invitations (  -- the links with which people set a password; of a link only its digest is kept
  digest TEXT PRIMARY KEY,
  name TEXT COLLATE NOCASE,  -- who is invited; NULL where they choose the name themselves
  role TEXT NOT NULL,
  expires REAL NOT NULL
);
CREATE TABLE sessions (  -- of a cookie only its digest is kept
  digest TEXT PRIMARY KEY,
  account TEXT NOT NULL COLLATE NOCASE,
  began REAL NOT NULL,
  seen REAL NOT NULL
);
CREATE TABLE attempts (account TEXT NOT NULL COLLATE NOCASE, address TEXT NOT NULL, at REAL NOT NULL);
CREATE INDEX attempts_at ON attempts (at);

CREATE TABLE pooled (  -- what is to be judged, in the order of the pool
  topic TEXT NOT NULL,
  document TEXT NOT NULL,
  place INTEGER NOT NULL,
  PRIMARY KEY (topic, document)
) WITHOUT ROWID;
CREATE TABLE assignments (
  topic TEXT NOT NULL,
  assessor TEXT NOT NULL COLLATE NOCASE,
  PRIMARY KEY (topic, assessor)
) WITHOUT ROWID;

CREATE TABLE log (  -- every judgement ever made; nothing here is ever changed
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  at REAL NOT NULL,
  author TEXT NOT NULL,  -- who did it: the assessor, or an administrator who brought it in
  assessor TEXT NOT NULL,
  topic TEXT NOT NULL,
  document TEXT NOT NULL,
  version INTEGER NOT NULL,
  save TEXT NOT NULL,
  highlights TEXT NOT NULL,
  best_entry INTEGER,
  status TEXT NOT NULL,
  seconds REAL NOT NULL,
  UNIQUE (assessor, topic, document, version),
  UNIQUE (assessor, save)
);
CREATE TRIGGER log_is_not_changed BEFORE UPDATE ON log
  BEGIN SELECT RAISE(ABORT, 'the log is not changed'); END;
CREATE TRIGGER log_is_not_cut BEFORE DELETE ON log
  BEGIN SELECT RAISE(ABORT, 'the log is not changed'); END;
CREATE TABLE judgements (  -- the newest version of each; follows from the log
  assessor TEXT NOT NULL,
  topic TEXT NOT NULL,
  document TEXT NOT NULL,
  version INTEGER NOT NULL,
  highlights TEXT NOT NULL,
  best_entry INTEGER,
  status TEXT NOT NULL,
  seconds REAL NOT NULL,
  changed REAL NOT NULL,
  PRIMARY KEY (assessor, topic, document)
) WITHOUT ROWID;
CREATE TABLE texts (  -- digests of the documents that were judged: marks are places in these texts
  document TEXT PRIMARY KEY,
  digest TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE assessors (  -- who judged and is no account: models, and people whose judgements were brought in
  label TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  version TEXT NOT NULL
) WITHOUT ROWID;
"""


@dataclass(eq=False)
class _Job:
    """Something to write, and what came of it."""

    work: Callable[[sqlite3.Connection], Any]
    result: Any = None
    error: BaseException | None = None
    done: bool = False


class Database:
    """An open database; `name` is its own, made when the file was."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._idle: list[sqlite3.Connection] = []
        self._lock, self._writing = threading.Lock(), threading.Lock()
        self._all: list[sqlite3.Connection] = []
        self._waiting: list[_Job] = []
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))  # for nobody else's eyes
            self._writer = self._connect()
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            self.close()
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise InputError(
                f"cannot be used as a database ({reason})", file=str(path), fix="Give another file."
            ) from None
        with self.reading() as connection:
            [self.name] = connection.execute("SELECT value FROM about WHERE key = 'name'").fetchone()

    def _connect(self) -> sqlite3.Connection:
        made = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        self._all.append(made)
        made.execute(f"PRAGMA busy_timeout = {_PATIENCE}")
        made.execute("PRAGMA synchronous = FULL")
        made.execute("PRAGMA foreign_keys = ON")
        return made

    def _prepare(self) -> None:
        """Make the tables of a new file; refuse a file of something else."""
        with self.writing() as connection:
            [tables] = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            [application] = connection.execute("PRAGMA application_id").fetchone()
            [version] = connection.execute("PRAGMA user_version").fetchone()
            if not tables:
                for statement in _statements(_SCHEMA):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                connection.execute(f"PRAGMA user_version = {_VERSION}")
                connection.execute("INSERT INTO about VALUES ('name', ?)", (secrets.token_hex(4),))
            elif application != _APPLICATION:
                raise sqlite3.DatabaseError("it belongs to another program")
            elif version != _VERSION:
                raise sqlite3.DatabaseError(f"it is of version {version}, and this is {_VERSION}")
        self._writer.execute("PRAGMA journal_mode = WAL")

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection to read with; all that is read is of one moment."""
        with self._lock:
            connection = self._idle.pop() if self._idle else self._connect()
        try:
            connection.execute("BEGIN")
            yield connection
        finally:
            connection.execute("ROLLBACK")
            with self._lock:
                self._idle.append(connection)

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection that writes; all of it is done, and on the disk, at the end, or nothing is."""
        with self._writing:
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
            except BaseException:
                self._writer.execute("ROLLBACK")
                raise
            self._writer.execute("COMMIT")

    def write_together(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do some writing together with what others wait to write, and return its result.

        To bring something to the disk takes the same time for one as for many. Whoever comes first does what
        has gathered; all of them go on when it is on the disk. Work that fails is undone alone.
        """
        job = _Job(work)
        with self._lock:
            self._waiting.append(job)
        with self._writing:
            if not job.done:
                with self._lock:
                    jobs, self._waiting = self._waiting, []
                self._do(jobs)
        if job.error is not None:
            raise job.error
        return cast(T, job.result)

    def _do(self, jobs: list[_Job]) -> None:
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            for job in jobs:
                self._writer.execute("SAVEPOINT job")
                try:
                    job.result = job.work(self._writer)
                except Exception as error:
                    job.error = error
                    self._writer.execute("ROLLBACK TO job")
                self._writer.execute("RELEASE job")
            self._writer.execute("COMMIT")
        except BaseException as error:
            for job in jobs:  # nothing is on the disk, so nobody is told that it is
                job.error = error
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
        finally:
            for job in jobs:
                job.done = True

    def backup(self, out: str | Path) -> None:
        """Copy the database to a file, whole, while others go on writing."""
        target = Path(out)
        if target.exists() and target.samefile(self.path):
            raise InputError("is the database itself", file=str(out), fix="Choose another file.")
        part = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")
        try:
            os.close(os.open(part, os.O_CREAT | os.O_RDWR | os.O_EXCL, 0o600))
            with contextlib.closing(sqlite3.connect(part)) as copy:
                with self._lock:
                    source = self._idle.pop() if self._idle else self._connect()
                try:
                    source.backup(copy, pages=-1)
                finally:
                    with self._lock:
                        self._idle.append(source)
                copy.execute("PRAGMA journal_mode = DELETE")  # one file, without others beside it
            with part.open("rb+") as written:
                os.fsync(written.fileno())
            part.replace(target)
        except (OSError, sqlite3.Error) as error:
            raise InputError(
                f"cannot be written ({getattr(error, 'strerror', None) or error})", file=str(out)
            ) from None
        finally:
            part.unlink(missing_ok=True)

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            while self._all:
                self._all.pop().close()
            self._idle.clear()


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of a script, of which `executescript` would commit each."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
