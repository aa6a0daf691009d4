"""Threads and processes here."""

from __future__ import annotations

import os
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from inexlab.errors import InexlabError, UsageError
from inexlab.executors.executor import RETRIES, Executor, SpreadTask, WorkerLostError, attempt, unwrapped
from inexlab.progress import Step, watching
from inexlab.signals import ignoring_ctrl_c_in_children

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

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
    """Runs tasks in processes here, which are started when the first task is, and again if one is killed.

    What a task reports is reported here, and where that is, it ends if nobody wants its result any more.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._shared: Any = None

    def start(self, function: Callable[..., Any]) -> None:
        """Start a worker for tasks that will come soon, if none is idle; it loads what the function needs."""
        from concurrent.futures.process import BrokenProcessPool

        try:
            self._submit(_load, function)
        except BrokenProcessPool:
            self._restart(f"starting {function.__name__}", 1)

    def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
        """Run tasks; yield the number of each with its result as it is done."""
        from concurrent.futures import FIRST_COMPLETED, wait
        from concurrent.futures.process import BrokenProcessPool

        waiting = deque(range(len(tasks)))
        running: dict[Future[Any], tuple[int, int]] = {}  # the number of a task, and where it shares
        deaths: Counter[int] = Counter()
        try:
            while waiting or running:
                # a death breaks the pool, so that whatever runs is lost: no more than can run is handed out
                while waiting and len(running) < self.workers:
                    place = min({*range(self.workers)} - {place for _, place in running.values()})
                    try:
                        future = self._submit_task(tasks[waiting[0]], place)
                    except BrokenProcessPool:  # one died while it had nothing to do
                        if not running:
                            deaths[waiting[0]] += 1
                            self._restart(tasks[waiting[0]].name, deaths[waiting[0]])
                        break
                    running[future] = (waiting.popleft(), place)
                lost = []
                for future in wait(running, timeout=_LOOK, return_when=FIRST_COMPLETED).done:
                    number, _ = running.pop(future)
                    try:
                        result = future.result()
                    except BrokenProcessPool:
                        lost.append(number)
                    else:
                        yield number, unwrapped(result)
                if lost:
                    lost += [number for number, _ in running.values()]
                    running.clear()
                    deaths.update(lost)
                    worst = max(lost, key=lambda number: deaths[number])
                    self._restart(tasks[worst].name, deaths[worst])
                    waiting.extendleft(sorted(lost, reverse=True))
                elif running:
                    self.tally.tell(sum(self._shared[place] for _, place in running.values()))
        finally:
            going = [future for future in running if not future.cancel()]
            if going:
                self._shared[_STOP] = 1
                wait(going)  # they may write into folders that will be removed
                self._shared[_STOP] = 0

    def _restart(self, name: str, deaths: int) -> None:
        """End what is left of a pool, so that the next task starts another; raise if that is no use."""
        started = self._shared[_STARTED]
        self.close()
        if not started:
            raise UsageError(
                "processes cannot be started from here; use one (`jobs=1`), or a script that is a file and "
                'does its work under `if __name__ == "__main__":`.'
            )
        if deaths > RETRIES:
            raise WorkerLostError(name, deaths)

    def _submit_task(self, task: SpreadTask, place: int) -> Future[Any]:
        if self._shared is not None:
            self._shared[place] = 0
        return self._submit(_run, place, self.tally.doing, task.function, task.arguments)

    def _submit(self, *work: Any) -> Future[Any]:
        if self._pool is None:
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            # a fork would take along threads of the compiled loops
            context = multiprocessing.get_context("spawn")
            # no lock: a process that is killed would keep it
            self._shared = context.RawArray("q", self.workers + 2)
            self._pool = ProcessPoolExecutor(
                self.workers, context, initializer=_share, initargs=(self._shared,)
            )
        with ignoring_ctrl_c_in_children():
            return self._pool.submit(*work)

    def close(self) -> None:
        """End the processes when they have done what they do."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(cancel_futures=True)


# What a process shares with the one that started it: how far each of its tasks is, and at the end these.
_STARTED, _STOP = -2, -1
_shared: Any = None


class _StoppedError(InexlabError):
    """Nobody wants the result any more."""


def _share(shared: Any) -> None:
    global _shared  # noqa: PLW0603 - how a process of the pool is given shared memory
    _shared = shared
    _shared[_STARTED] = 1
    end_with_parent()


def _load(_function: Callable[..., Any]) -> None:
    """Do nothing, in a process that has to be started for it, and loads the function's module."""


def _run(place: int, doing: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Run a task in a process of the pool, which shares what it reports."""

    def tell(step: Step) -> None:
        if _shared[_STOP]:
            raise _StoppedError
        if step.doing == doing:
            _shared[place] = step.done

    with watching(tell):
        return attempt(function, arguments)


def end_with_parent() -> None:
    """End this process when the one that started it was killed."""
    import multiprocessing

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
