"""The same tasks give the same results, whoever runs them; wrong addresses are one line."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import inexlab
from inexlab.errors import InexlabError, UsageError
from inexlab.executors import (
    Executor,
    Processes,
    SpreadTask,
    Threads,
    WorkerLostError,
    local,
    open_executor,
    parse_cluster,
)
from inexlab.executors import cluster as dask
from inexlab.executors.executor import RETRIES, attempt
from inexlab.progress import ProgressStep, watching
from tests.examples import examples
from tests.executors.work import (
    Murderous,
    deadly_beside,
    deaths,
    fail_oddly,
    fill_the_disk,
    mistake,
    pause,
    square,
)

LUCK = r"^numbers\.txt, line 2: 13 brings bad luck\. Take another\.$"


@examples(20)
@given(st.lists(st.integers(14, 99), max_size=20), st.integers(1, 5))
def test_threads_keep_the_order_and_report_each_task_once(numbers: list[int], workers: int) -> None:
    steps: list[ProgressStep] = []
    tasks = [SpreadTask(str(number), square, (number,)) for number in numbers]
    with Threads(workers) as executor, watching(steps.append):
        found = executor.results(tasks, "squaring", "units", numbers)
        assert list(found) == [number**2 for number in numbers]
        assert list(executor.map(square, iter(numbers))) == [number**2 for number in numbers]
    assert [step.done for step in steps] == sorted({0, *(step.done for step in steps)})
    assert steps[-1] == ("squaring", sum(numbers), sum(numbers), "units")
    assert len(steps) == len(numbers) + 1


@pytest.mark.parametrize(
    "executor", [Threads(1), Threads(2), Processes(2)], ids=["one", "threads", "processes"]
)
def test_a_mistake_of_the_user_is_one_message(executor: Executor) -> None:
    with (
        executor,
        pytest.raises(InexlabError, match=LUCK),
    ):
        list(executor.results([SpreadTask("a", square, (2,)), SpreadTask("b", square, (13,))]))


def test_what_fails_is_said_as_it_is_and_not_taken_for_a_death() -> None:
    with Processes(1) as processes:
        with pytest.raises(OSError, match=r"No space left on device: 'index\.bin'"):
            list(processes.results([SpreadTask("a", fill_the_disk)]))
        with pytest.raises(RuntimeError, match="OddError: 1 and 2"):
            list(processes.results([SpreadTask("a", fail_oddly)]))


def test_of_several_mistakes_the_first_is_named_whoever_was_quicker() -> None:
    tasks = [
        SpreadTask("a", square, (2,)),
        SpreadTask("b", mistake, ("b", 1)),
        SpreadTask("c", mistake, ("c", 0)),
    ]
    with Processes(2) as processes, pytest.raises(UsageError, match=r"^b: cannot be read"):
        list(processes.results(tasks))


def test_processes_survive_three_deaths_in_a_row(tmp_path: Path) -> None:
    tasks = [SpreadTask(f"part {k}", square, (k,)) for k in range(4)]
    with Processes(2) as processes:
        killing = Murderous(processes, tmp_path, times=3, every=4)
        assert list(killing.results(tasks)) == [0, 1, 4, 9]
        assert deaths(tmp_path) == 3


def test_a_task_that_kills_again_and_again_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert RETRIES >= 3
    monkeypatch.setattr(local, "RETRIES", 1)
    with Processes(2) as processes:
        killing = Murderous(processes, tmp_path, times=2)
        with pytest.raises(
            WorkerLostError, match=r"^part 7: 2 workers died one after the other.* fewer workers\.$"
        ):
            list(killing.results([SpreadTask("part 7", square, (7,))]))
        assert deaths(tmp_path) == 2
        assert list(processes.results([SpreadTask("a", square, (3,))])) == [9]  # others are done afterwards


def test_a_death_is_counted_for_the_task_that_died_and_stops_no_other(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    innocent = SpreadTask("long", pause, (str(mark), 2))
    deadly_one = SpreadTask("part 2", deadly_beside, (str(mark), str(tmp_path / "deaths-0"), 2, 3))
    with Processes(2) as processes:
        assert list(processes.results([innocent, deadly_one])) == [None, 9]
    assert deaths(tmp_path) == 2
    assert mark.read_text() == "x"  # it was started once


def test_a_process_that_is_killed_while_it_has_nothing_to_do() -> None:
    with Processes(1) as processes:
        task = SpreadTask("a", square, (3,))
        assert list(processes.results([task])) == [9]
        (idle,) = processes._idle
        (child,) = idle._pool._processes.values()
        child.kill()
        time.sleep(0.2)
        assert list(processes.results([task])) == [9]


def test_a_process_that_is_killed_while_it_is_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That says nothing of others; in the end one message names the task."""
    submit = local._Process.submit
    killed: list[int | None] = []

    def submit_and_kill(process: local._Process, *work: Any) -> Any:
        future = submit(process, *work)
        if len(killed) < times:
            (child,) = process._pool._processes.values()
            child.kill()
            killed.append(child.pid)
        return future

    monkeypatch.setattr(local._Process, "submit", submit_and_kill)
    monkeypatch.setattr(local, "RETRIES", 2)
    task = SpreadTask("part 7", square, (3,))
    times = 2
    with Processes(1) as processes:
        assert list(processes.results([task])) == [9]
    assert len(killed) == times
    killed.clear()
    times = 3
    with Processes(1) as processes, pytest.raises(WorkerLostError, match=r"^part 7: 3 workers died"):
        list(processes.results([task]))


def test_processes_end_at_once_when_nobody_wants_their_results(tmp_path: Path) -> None:
    before = time.monotonic()
    mark = tmp_path / "mark"
    tasks = [SpreadTask("a", square, (3,)), SpreadTask("b", pause, (str(mark), 60))]
    with Processes(2) as processes:
        results = processes.results(tasks)
        assert next(results) == 9
    assert time.monotonic() - before < 30


@pytest.mark.parametrize(
    "wrong",
    [
        "local",
        "local:0",
        "local:-1",
        "local:x",
        "tcp://",
        "tcp://host",
        "http://h:1",
        "h:8786",
        "tcp://a b:1",
        "tcp://[:::]:1",
        "tcp://a..b:80",
        "tcp://[1.2.3.4]:80",
        f"tcp://{'x' * 64}:80",
        "tcp://host:١",
    ],
)
def test_wrong_addresses_are_refused(wrong: str) -> None:
    with pytest.raises(UsageError, match=r"must be local:N, tcp://HOST:PORT or tls://HOST:PORT\.$"):
        open_executor(wrong)


@pytest.mark.parametrize("port", [0, 65536, 99999])
def test_ports_that_there_are_not_are_refused(port: int) -> None:
    with pytest.raises(UsageError, match=r"ports are numbers from 1 to 65535\.$"):
        open_executor(f"tcp://host:{port}")


def test_more_workers_than_a_machine_has_room_for_are_refused() -> None:
    message = r"^`cluster=local:99999`: at most \d+ workers are started on a machine with \d+ cores?;"
    with pytest.raises(UsageError, match=message):
        open_executor("local:99999")


def test_addresses() -> None:
    assert parse_cluster("local:12") == 12
    for address in ("tcp://127.0.0.1:8786", "tls://node-3.example.org:8786", "tcp://[::1]:8786"):
        assert parse_cluster(address) == address


def test_no_scheduler_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "CONNECT", 0.2)
    with pytest.raises(UsageError, match=r"^no Dask scheduler answers at tcp://127.0.0.1:9; start one with"):
        open_executor("tcp://127.0.0.1:9")


LISTENERS = {
    "http": """
import http.server
class Quiet(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_arguments): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
print(server.server_address[1], flush=True)
server.serve_forever()
""",
    "garbage": """
import socket
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
taken = []
while True:
    taken.append(server.accept()[0])
    taken[-1].sendall(b"\\xff" * 4096)
""",
    "silence": """
import socket, time
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
time.sleep(600)
""",
}


@pytest.mark.parametrize("listener", LISTENERS)
def test_what_is_no_scheduler_is_one_line_in_time(listener: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "CONNECT", 0.5)
    monkeypatch.setattr(dask, "_GRACE", 0.5)
    command = [sys.executable, "-c", LISTENERS[listener]]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        try:
            assert server.stdout is not None
            address = f"tcp://127.0.0.1:{int(server.stdout.readline())}"
            before = time.monotonic()
            with pytest.raises(
                UsageError, match=rf"^what listens at {address} is no Dask scheduler, or .*\.$"
            ):
                open_executor(address)
            assert time.monotonic() - before < 15
        finally:
            server.kill()


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"takes the package distributed: pip install 'inexlab"):
        open_executor("local:2")


@pytest.mark.parametrize(
    ("address", "warned"),
    [
        ("tcp://127.0.0.1:1", False),
        ("tcp://[::1]:1", False),
        ("tcp://localhost:1", False),
        ("tls://10.0.0.1:1", False),
        ("tcp://10.0.0.1:1", True),
        ("tcp://node:1", True),
    ],
)
def test_open_networks_are_warned_of(address: str, warned: bool) -> None:
    assert bool(dask.warnings_of(address)) is warned


def test_tasks_of_one_worker_read_in_their_own_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The current folder is one for all threads of a process: tasks of other folders have to wait."""
    monkeypatch.chdir(tmp_path)  # and back in the end
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        (folder / "name").write_text(folder.name)

    def read() -> set[str]:
        found = set()
        for _ in range(5):
            found.add(Path("name").read_text())
            time.sleep(0.001)
        return found

    wanted = [folder for _ in range(10) for folder in folders]
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda folder: attempt(read, (), str(folder)), wanted)
        assert list(found) == [{folder.name} for folder in wanted]
    lost = attempt(read, (), str(tmp_path / "three"))
    assert lost.message.startswith(f"a worker does not see the folder {tmp_path / 'three'}")
    assert attempt(read, (), str(folders[0])) == {"one"}  # nobody waits for a task that never was


def test_a_worker_of_another_version_that_comes_later_is_refused() -> None:
    lost = attempt(square, (3,), version="0.0.other")
    assert lost.message.startswith(
        f"a worker has another inexlab ({inexlab.__version__}) than this (0.0.other);"
    )
    assert attempt(square, (3,), version=inexlab.__version__) == 9
