"""A scheduler that is stopped, or loses all its workers: one line."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import distributed
import pytest
from dask import config
from distributed.nanny import WorkerProcess

from inexlab.errors import UsageError
from inexlab.executors import SpreadTask
from inexlab.executors import cluster as executor
from inexlab.executors.cluster import DaskCluster
from tests.executors.work import Murderous, deaths, square

untyped: Any = distributed  # as its functions are


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A cluster that may be stopped, in this process."""
    monkeypatch.setattr(executor, "CONNECT", 0.5)
    with (
        config.set({"distributed.comm.timeouts.connect": "300ms"}),
        untyped.LocalCluster(
            n_workers=1,
            threads_per_worker=2,
            processes=False,
            protocol="tcp://",
            host="127.0.0.1",
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
        ) as started,
    ):
        yield started


GONE = r"^the scheduler of tcp://.* is gone; start it again and repeat the command\.$"


def test_a_scheduler_that_was_stopped_is_one_line(cluster: Any) -> None:
    with DaskCluster(cluster.scheduler_address) as connected:
        cluster.close()
        for _ in range(50):
            if connected.client.status == "closed":
                break
            time.sleep(0.1)
        with pytest.raises(UsageError, match=GONE):
            list(connected.results([SpreadTask("a", square, (3,))]))


def test_a_scheduler_that_is_stopped_while_tasks_run_is_one_line(
    cluster: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    with DaskCluster(cluster.scheduler_address) as connected:
        tasks = [SpreadTask("a", square, (3,)), SpreadTask("b", time.sleep, (2,))]
        results = connected.results(tasks)
        assert next(results) == 9
        cluster.close()
        with pytest.raises(UsageError, match=GONE):
            list(results)
    assert "Traceback" not in capfd.readouterr().err


def test_a_worker_that_hangs_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is connected, and never says which inexlab it has."""
    monkeypatch.setattr(executor, "ANSWER", 1)
    with untyped.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address=None,
        scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
    ) as started:
        [nanny] = started.workers.values()
        os.kill(nanny.pid, signal.SIGSTOP)
        try:
            hang = r"^not all workers of tcp://.* answer within 1 s; end or restart those that hang\.$"
            with pytest.raises(UsageError, match=hang):
                DaskCluster(started.scheduler_address)
        finally:
            os.kill(nanny.pid, signal.SIGCONT)


def test_a_cluster_without_workers_is_one_line(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "_LOOK", 0.1)
    monkeypatch.setattr(executor, "NO_WORKERS", 0.3)
    with DaskCluster(cluster.scheduler_address) as connected:
        cluster.scale(0)
        with pytest.raises(UsageError, match=r"^tcp://.* has had no workers for .* s; start some and repeat"):
            list(connected.results([SpreadTask("b", time.sleep, (2,))]))
    with pytest.raises(UsageError, match=r"^the cluster at tcp://.* has no workers; start some with"):
        DaskCluster(cluster.scheduler_address)


def test_a_worker_that_dies_again_is_not_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask gives up one that is not there when it looks, though it is just being started again."""
    name = "distributed.deploy.lost-worker-timeout"
    monkeypatch.setattr(executor, "NO_WORKERS", 10)
    with config.set({name: "100ms"}):
        with DaskCluster("local:1") as started:
            killing = Murderous(started, tmp_path, times=1)
            assert list(killing.results([SpreadTask("a", square, (3,))])) == [9]
        assert config.get(name) == "100ms"
    assert deaths(tmp_path) == 1


def test_a_worker_that_is_killed_while_it_is_started_is_started_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = WorkerProcess.start
    killed: list[int] = []

    async def start_and_kill(process: Any) -> Any:
        starting = asyncio.ensure_future(start(process))
        while not killed:
            await asyncio.sleep(0.01)
            if process.process is not None and process.process.pid:
                killed.append(process.process.pid)
                os.kill(process.process.pid, signal.SIGKILL)
        return await starting

    monkeypatch.setattr(WorkerProcess, "start", start_and_kill)
    with DaskCluster("local:1") as started:
        assert list(started.results([SpreadTask("a", square, (3,))])) == [9]
    assert len(killed) == 1
