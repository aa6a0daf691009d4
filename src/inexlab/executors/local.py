"""Threads and processes here."""

from __future__ import annotations

import os
import threading
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from inexlab.executors.executor import RETRIES, Executor, SpreadTask, WorkerLostError, attempt, unwrapped
from inexlab.signals import ignoring_ctrl_c_in_children

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

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
    """Runs tasks in processes here, which are started when the first task is, and again if one is killed."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool: ProcessPoolExecutor | None = None

    def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
        """Run tasks; yield the number of each with its result as it is done."""
        from concurrent.futures import FIRST_COMPLETED, wait
        from concurrent.futures.process import BrokenProcessPool

        waiting = deque(range(len(tasks)))
        running: dict[Future[Any], int] = {}
        deaths: Counter[int] = Counter()
        try:
            while waiting or running:
                # a death breaks the pool, so that whatever runs is lost: no more than can run is handed out
                while waiting and len(running) < self.workers:
                    number = waiting.popleft()
                    running[self._submit(tasks[number])] = number
                lost = []
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    number = running.pop(future)
                    try:
                        result = future.result()
                    except BrokenProcessPool:
                        lost.append(number)
                    else:
                        yield number, unwrapped(result)
                if lost:
                    lost += running.values()
                    running.clear()
                    self.close()
                    deaths.update(lost)
                    worst = max(lost, key=lambda number: deaths[number])
                    if deaths[worst] > RETRIES:
                        raise WorkerLostError(tasks[worst].name, deaths[worst])
                    waiting.extendleft(sorted(lost, reverse=True))
        finally:
            for future in running:
                future.cancel()

    def _submit(self, task: SpreadTask) -> Future[Any]:
        if self._pool is None:
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            # a fork would take along threads of the compiled loops
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.workers, context, initializer=end_with_parent)
        with ignoring_ctrl_c_in_children():
            return self._pool.submit(attempt, task.function, task.arguments)

    def close(self) -> None:
        """End the processes when they have done what they do."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(cancel_futures=True)


def end_with_parent() -> None:
    """End this process when the one that started it was killed."""
    import multiprocessing

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
