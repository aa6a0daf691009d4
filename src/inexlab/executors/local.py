"""Threads and processes here."""

from __future__ import annotations

import contextlib
import os
import threading
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from inexlab.executors.executor import RETRIES, Executor, SpreadTask, WorkerLostError, attempt
from inexlab.signals import ignoring_ctrl_c_in_children

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.connection import Connection

# what starts threads and processes is loaded when there are some to start: most commands have none


class Threads(Executor):
    """Runs tasks in threads of this process; in this thread, where there is but one."""

    def __init__(self, workers: int = 1) -> None:
        self.workers = workers

    def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
        """Run tasks; yield the number of each with its result as it is done."""
        if self.workers == 1 or len(tasks) == 1:
            for number, task in enumerate(tasks):
                yield number, task.function(*task.arguments)
            return
        from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

        with ThreadPoolExecutor(self.workers) as pool:
            waiting = deque(range(len(tasks)))
            running: dict[Future[Any], int] = {}
            try:
                while waiting or running:
                    while waiting and len(running) < self.workers:
                        number = waiting.popleft()
                        running[pool.submit(tasks[number].function, *tasks[number].arguments)] = number
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        yield running.pop(future), future.result()
            finally:
                for future in running:
                    future.cancel()


class Processes(Executor):
    """Runs tasks in processes here, which are started when there are tasks for them, and again if killed."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._idle: list[_Process] = []
        self._busy: set[_Process] = set()

    def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
        """Run tasks; yield the number of each with its result as it is done."""
        from concurrent.futures import FIRST_COMPLETED, wait
        from concurrent.futures.process import BrokenProcessPool

        waiting = deque(range(len(tasks)))
        running: dict[Future[Any], tuple[int, _Process]] = {}
        deaths: Counter[int] = Counter()
        try:
            while waiting or running:
                while waiting and len(running) < self.workers:
                    number = waiting.popleft()
                    process, future = self._submit(tasks[number])
                    running[future] = number, process
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    number, process = running.pop(future)
                    self._busy.discard(process)
                    try:
                        result = future.result()
                    except BrokenProcessPool:
                        process.end()
                        deaths[number] += 1
                        if deaths[number] > RETRIES:
                            raise WorkerLostError(tasks[number].name, deaths[number]) from None
                        waiting.appendleft(number)
                    else:
                        self._idle.append(process)
                        yield number, result
        finally:
            for _, process in running.values():  # nobody waits for what they do any more
                self._busy.discard(process)
                process.end()

    def _submit(self, task: SpreadTask) -> tuple[_Process, Future[Any]]:
        from concurrent.futures.process import BrokenProcessPool

        while True:
            process = self._idle.pop() if self._idle else _Process()
            self._busy.add(process)
            try:
                return process, process.submit(task)
            except BrokenProcessPool:  # it was killed while it had nothing to do
                self._busy.discard(process)
                process.end()

    def close(self) -> None:
        """End the processes, also those that are not done: nobody will ask for their results."""
        for process in (*self._idle, *self._busy):
            process.end()
        self._idle.clear()
        self._busy.clear()


class _Process:
    """A process here, which runs one task at a time.

    It is a pool of its own, as a death breaks a pool: so it is known whose task died, and no other is lost.
    """

    def __init__(self) -> None:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        # a fork would take along threads of the compiled loops
        context = multiprocessing.get_context("spawn")
        told, self._tell = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(1, context, initializer=end_when_told, initargs=(told,))

    def submit(self, task: SpreadTask) -> Future[Any]:
        """Start a task."""
        with ignoring_ctrl_c_in_children():
            return self._pool.submit(attempt, task.function, task.arguments)

    def end(self) -> None:
        """End the process now, whatever it does: what it writes appears when complete, or not at all."""
        with contextlib.suppress(OSError):  # it is dead
            self._tell.send_bytes(b".")
        self._tell.close()
        self._pool.shutdown(cancel_futures=True)


def end_when_told(told: Connection) -> None:
    """End this process when the one that started it says so, or was killed."""
    import multiprocessing
    from multiprocessing.connection import wait

    def watch() -> None:
        parent = multiprocessing.parent_process()
        wait([told] if parent is None else [told, parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
