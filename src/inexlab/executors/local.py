"""Threads and processes here."""

from __future__ import annotations

import contextlib
import os
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from inexlab.errors import UsageError
from inexlab.executors.executor import RETRIES, Executor, SpreadTask, WorkerLostError, attempt
from inexlab.progress import ProgressStep, watching
from inexlab.signals import ignoring_ctrl_c_in_children

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

T = TypeVar("T")
R = TypeVar("R")

_LOOK = 0.2  # seconds between two looks at how far processes are

# what starts threads and processes is loaded when there are some to start: most commands have none


class Threads(Executor):
    """Runs tasks in threads of this process; in this thread, where there is but one."""

    def __init__(self, workers: int = 1) -> None:
        self.workers = workers

    def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
        """Run tasks; yield the number of each with its result as it is done."""
        if self.workers == 1 or len(tasks) == 1:
            for number, task in enumerate(tasks):
                with self.tally.of_task():
                    result = task.function(*task.arguments)
                yield number, result
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

    def map(self, function: Callable[[T], R], things: Iterable[T]) -> Generator[R, None, None]:
        """Yield what threads make of things, in the order of the things; errors come in their turn.

        Things are taken, and worked on, shortly before their results are asked for: there is never more than
        one beyond those that threads work on. Even a single thread is one of its own, ahead of the caller.
        """
        from concurrent.futures import ThreadPoolExecutor

        pool = ThreadPoolExecutor(self.workers)
        coming: deque[Future[R]] = deque()
        try:
            for thing in things:
                coming.append(pool.submit(function, thing))
                if len(coming) > self.workers:
                    yield coming.popleft().result()
            while coming:
                yield coming.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


class Processes(Executor):
    """Runs tasks in processes here, which are started when there are tasks for them, and again if killed.

    What a task reports is reported here.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._idle: list[_Process] = []
        self._busy: set[_Process] = set()

    def start(self, prepare: Callable[[], object]) -> None:
        """Start a process for tasks that will come soon; it calls the function meanwhile."""
        process = _Process()
        process.submit(prepare)
        self._idle.append(process)

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
                for future in wait(running, _LOOK, FIRST_COMPLETED).done:
                    number, process = running.pop(future)
                    self._busy.discard(process)
                    try:
                        result = future.result()
                    except BrokenProcessPool:
                        process.end()
                        process.need_started()
                        deaths[number] += 1
                        if deaths[number] > RETRIES:
                            raise WorkerLostError(tasks[number].name, deaths[number]) from None
                        waiting.appendleft(number)
                    else:
                        self._idle.append(process)
                        yield number, result
                self.tally.tell(sum(process.done for _, process in running.values()))
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
                return process, process.run(task, self.tally.doing)
            except BrokenProcessPool:  # it was killed while it had nothing to do
                self._busy.discard(process)
                process.end()
                process.need_started()

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
        self._shared = context.RawArray("q", 2)  # without a lock: a process that is killed would keep it
        self._children: list[BaseProcess] = []
        self._pool = ProcessPoolExecutor(1, context, initializer=_begin, initargs=(told, self._shared))

    @property
    def done(self) -> int:
        """What its task has reported last."""
        return int(self._shared[_DONE])

    def run(self, task: SpreadTask, doing: str) -> Future[Any]:
        """Start a task; what it reports of `doing` is shared."""
        self._shared[_DONE] = 0
        return self.submit(_run, doing, task.function, task.arguments)

    def submit(self, *work: Any) -> Future[Any]:
        """Start some work."""
        with ignoring_ctrl_c_in_children():
            future = self._pool.submit(*work)
            self._children = list(self._pool._processes.values())
            return future

    def need_started(self) -> None:
        """Raise if the process, which is dead, never was ready to work: no other would be, either.

        One that was killed while it was started says nothing of others.
        """
        killed = any((child.exitcode or 0) < 0 for child in self._children)
        if not self._shared[_STARTED] and not killed:
            raise UsageError(
                "processes cannot be started from here; use one (`jobs=1`), or a script that is a file and "
                'does its work under `if __name__ == "__main__":`.'
            )

    def end(self) -> None:
        """End the process now, whatever it does: what it writes appears when complete, or not at all."""
        with contextlib.suppress(OSError):  # it is dead
            self._tell.send_bytes(b".")
        self._tell.close()
        self._pool.shutdown(cancel_futures=True)


_DONE, _STARTED = 0, 1  # what a process shares with the one that started it
_shared: Any = None


def _begin(told: Connection, shared: Any) -> None:
    global _shared  # noqa: PLW0603 - how a process of a pool is given shared memory
    _shared = shared
    _shared[_STARTED] = 1
    end_when_told(told)


def _run(doing: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Run a task in another process, which shares how far it is."""

    def tell(step: ProgressStep) -> None:
        if step.doing == doing:
            _shared[_DONE] = step.done

    with watching(tell):
        return attempt(function, arguments)


def end_when_told(told: Connection) -> None:
    """End this process when the one that started it says so, or was killed."""
    import multiprocessing
    from multiprocessing.connection import wait

    def watch() -> None:
        parent = multiprocessing.parent_process()
        wait([told] if parent is None else [told, parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
