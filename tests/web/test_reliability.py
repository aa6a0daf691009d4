"""The server killed at any moment, and many assessors at once: nothing that was acknowledged is lost."""

from __future__ import annotations

import random
import threading
from pathlib import Path

from tests.forks import Server
from tests.web.load import kill_under_load, lost, prepare, started


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(forks: Server, tmp_path: Path) -> None:
    saved, failures = kill_under_load(forks, tmp_path, random.Random(2026), 10)
    assert failures == []
    assert saved > 100


def test_the_check_would_notice_a_lost_save(tmp_path: Path) -> None:
    files, [saver] = prepare(tmp_path, 1)
    assert lost(files, [saver]) == []
    saver.acknowledged["key"], saver.version = (1, "done"), 1
    assert lost(files, [saver]) == [
        "version 1 of assessor0 is lost",
        "assessor0 is at version 0, and knows of 1",
    ]


def test_fifty_assessors_save_at_once_and_nothing_is_lost(forks: Server, tmp_path: Path) -> None:
    files, savers = prepare(tmp_path, 50)
    with started(forks, files) as (_, address):
        stop = threading.Event()
        threads = [threading.Thread(target=saver.work, args=(address, stop, 4)) for saver in savers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert lost(files, savers) == []
    assert [saver.version for saver in savers] == [4] * 50
