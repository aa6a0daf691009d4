"""Assessors who save as fast as they can while their server is killed: what it acknowledged is kept.

`make soak` does it a hundred times, the tests ten times; `bench/saves.py` measures the same without kills.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import signal
import sqlite3
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from inexlab.assess.store import Store, open_store
from inexlab.web.guard import Visitor
from tests.forks import Forked, Server
from tests.web.campaign import ARTICLES, Files, add_account, make_files

TEXT = "Bees"  # the beginning of the document that is judged


@dataclass
class Saver:
    """An assessor at work: every save that was answered with a version is in `acknowledged`."""

    name: str
    cookie: str
    csrf: str
    version: int = 0
    pending: dict[str, Any] | None = None  # sent, and not answered: it is sent again
    acknowledged: dict[str, tuple[int, str]] = field(default_factory=dict)  # by key: version and status
    seconds: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def work(self, address: str, stop: threading.Event, most: int = 10**9) -> None:
        """Save until told to stop, or until the server is gone."""
        parts = urlsplit(address)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
        with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(connection):
            while not stop.is_set() and most:
                self._save(connection)
                most -= 1

    def _save(self, connection: http.client.HTTPConnection) -> None:
        if self.pending is None:
            done = self.version % 2 == 1
            marks = [] if done else [{"start": 0, "end": len(TEXT), "quote": TEXT}]
            self.pending = {
                "save": str(uuid.uuid4()),
                "base": self.version,
                "highlights": marks,
                "best_entry": None,
                "status": "irrelevant" if done else "in progress",
                "seconds": 1,
            }
        body = json.dumps(self.pending)
        headers = {"Cookie": self.cookie, "X-CSRF-Token": self.csrf, "Content-Type": "application/json"}
        begin = time.perf_counter()
        connection.request("POST", "/api/judgements/1/bees", body, headers)
        answer = connection.getresponse()
        said = answer.read()
        self.seconds.append(time.perf_counter() - begin)
        if answer.status != 200:
            self.problems.append(f"{self.name}: {answer.status} {said[:200]!r}")
            raise http.client.HTTPException
        version = json.loads(said)["version"]
        if version != self.version + 1:
            self.problems.append(f"{self.name}: version {version} after {self.version}")
        self.acknowledged[self.pending["save"]] = version, self.pending["status"]
        self.version, self.pending = version, None


def prepare(folder: Path, count: int) -> tuple[Files, list[Saver]]:
    """Write a campaign whose first topic many assessors judge, and sign them in."""
    names = tuple(f"assessor{i}" for i in range(count))
    files = make_files(folder, {"1": names, "2": ()})
    assert f"<title>{TEXT}" in ARTICLES["bees"]
    store = open_store(files.db, cheap_passwords=True)
    add_account(store, "root", "administrator")
    savers = []
    for name in names:
        token = store.sessions.begin(add_account(store, name))
        savers.append(Saver(name, f"inexlab-{store.name}={token}", Visitor(token).csrf()))
    store.close()
    return files, savers


@contextlib.contextmanager
def started(server: Server, files: Files) -> Iterator[tuple[Forked, str]]:
    """Serve a campaign in a process of its own, which is killed in the end; give its address."""
    reading, out = os.pipe()
    nothing = os.open(os.devnull, os.O_RDWR)
    words = ["serve", files.index, "--pool", files.pool, "--topics", files.topics, "--db", files.db]
    folder = files.db.parent
    forked = server.start(
        "inexlab", [*map(str, words), "--port", "0"], folder, os.environ, (nothing, out, nothing)
    )
    os.close(out)
    os.close(nothing)
    with open(reading) as said:  # noqa: PTH123 - a number
        address = said.readline().strip()
        try:
            yield forked, address
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(forked.pid, signal.SIGKILL)
            forked.wait()


def lost(files: Files, savers: Sequence[Saver]) -> list[str]:
    """Return what is wrong with the record: saves that were acknowledged and are not there, or are twice."""
    with contextlib.closing(sqlite3.connect(files.db)) as rows:
        [whole] = rows.execute("PRAGMA integrity_check").fetchone()
    found = [] if whole == "ok" else [f"the database is damaged: {whole}"]
    store = open_store(files.db)
    with contextlib.closing(store.database):
        return [*found, *_lost(store, savers)]


def _lost(store: Store, savers: Sequence[Saver]) -> Iterator[str]:
    log = store.log()
    kept = {(entry.assessor, entry.save): entry for entry in log}
    if len(kept) != len(log):
        yield "a save is there twice"
    if store.replay() != store.assessments():
        yield "the newest versions do not follow from the log"
    for saver in savers:
        yield from saver.problems
        for key, (version, status) in saver.acknowledged.items():
            entry = kept.get((saver.name, key))
            if entry is None:
                yield f"version {version} of {saver.name} is lost"
            elif (entry.version, entry.status) != (version, status):
                yield f"version {version} of {saver.name} is another one"
        newest = store.assessment(saver.name, "1", "bees").version
        waiting = saver.pending is not None
        if newest not in (saver.version, saver.version + waiting):
            yield f"{saver.name} is at version {newest}, and knows of {saver.version}"


def kill_under_load(
    server: Server, folder: Path, chance: random.Random, times: int, savers: int = 6
) -> tuple[int, list[str]]:
    """Kill a server that many times while assessors save; return how many saves, and what was lost."""
    files, people = prepare(folder, savers)
    failures: list[str] = []
    for number in range(times):
        stop = threading.Event()
        with started(server, files) as (forked, address):
            threads = [threading.Thread(target=one.work, args=(address, stop)) for one in people]
            for thread in threads:
                thread.start()
            _wait_for_saves(people, _saves(people) + chance.randint(1, 40))
            time.sleep(chance.uniform(0, 0.02))  # in the middle of the next ones
            os.kill(forked.pid, signal.SIGKILL)
            for thread in threads:
                thread.join()
        failures += [f"after kill {number + 1}: {what}" for what in lost(files, people)]
    return _saves(people), failures


def _saves(people: Sequence[Saver]) -> int:
    return sum(len(one.acknowledged) for one in people)


def _wait_for_saves(people: Sequence[Saver], count: int) -> None:
    """Wait until so many saves were acknowledged, on a busy computer too."""
    deadline = time.monotonic() + 60
    while _saves(people) < count and time.monotonic() < deadline:
        time.sleep(0.002)
