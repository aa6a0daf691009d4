"""What an executor is: tasks in, results out, in the order of the tasks."""

from __future__ import annotations

import contextlib
import os
import pickle
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Self

from inexlab.errors import InexlabError, UsageError
from inexlab.progress import ProgressStep, report, watcher, watching
from inexlab.wording import counted

# Deaths of workers that a task survives: three of its own, and some that it had no part in. A scheduler
# cannot tell which of the tasks of a worker killed it, or whether that was too slow to answer.
RETRIES = 5
_LAST_PORT = 65535
_LONGEST_NAME = 254  # of a machine


class SpreadTask(NamedTuple):
    """Some work: what it is called in messages, the function that does it, and its arguments.

    `relative` says that names of files may be among these that count from the current folder.
    """

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    relative: bool = True


class WorkerLostError(UsageError):
    """The workers of a task died again and again."""

    def __init__(self, task: str, deaths: int) -> None:
        super().__init__(
            f"{task}: {counted(deaths, 'worker')} died one after the other, perhaps because memory ran out. "
            "Give each worker more memory, or take fewer workers."
        )


class TaskTally:
    """How far tasks are: `done` of those that are finished, and whatever is known of those that run."""

    def __init__(self, doing: str = "", what: str = "", sizes: Sequence[int] = ()) -> None:
        self.doing, self._what, self.sizes = doing, what, sizes
        self._done, self._told, self._of = 0, 0, sum(sizes)

    def add(self, number: int) -> None:
        """Report that a task is finished."""
        self._done += self.sizes[number]
        self.tell()

    def step(self, running: int = 0) -> ProgressStep:
        """Return how far all are, and never less than before; `running` is what those are that run."""
        self._told = max(self._told, min(self._done + running, self._of))
        return ProgressStep(self.doing, self._told, self._of, self._what)

    def tell(self, running: int = 0) -> None:
        """Report how far all are."""
        if self.doing:
            report(*self.step(running))

    @contextlib.contextmanager
    def of_task(self) -> Iterator[None]:
        """Take what a task reports in this thread, under the same name, for a share of the whole."""
        tell = watcher()
        if tell is None or not self.doing:
            yield
            return
        with watching(lambda step: tell(self.step(step.done) if step.doing == self.doing else step)):
            yield


class Executor(ABC):
    """Runs tasks; use it in a `with`."""

    workers: int = 1
    notes: tuple[str, ...] = ()
    tally = TaskTally()  # of the tasks that run

    def start(self, prepare: Callable[[], object]) -> None:  # noqa: B027 - some have nothing to start
        """Start a worker for tasks that will come soon; it calls the function meanwhile."""

    @abstractmethod
    def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
        """Run tasks; yield the number of each with its result as it is done, in any order.

        A mistake of the user may be a result, too (`Failure`): it is raised in its turn, so that of several
        the first task's is, whoever was quicker.
        """

    def results(
        self, tasks: Sequence[SpreadTask], doing: str = "", what: str = "", sizes: Sequence[int] = ()
    ) -> Iterator[Any]:
        """Run tasks; yield their results in the order of the tasks.

        How far they are is reported as `doing` so much of `what`; `sizes` says how much each task is, where
        that is not one. A task may report its own share under the same name.
        """
        early: dict[int, Any] = {}
        following = 0
        self.tally = tally = TaskTally(doing, what, sizes or [1] * len(tasks))
        tally.tell()
        for number, result in self.completed(tasks):
            tally.add(number)
            early[number] = result
            while following in early:
                yield unwrapped(early.pop(following))
                following += 1

    def close(self) -> None:  # noqa: B027 - some have nothing to let go of
        """Let go of the workers."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class Failure(NamedTuple):
    """What came of a task whose input cannot be used: the message for the user.

    `system` is what the operating system said, if it did: number, text and file.
    """

    message: str
    system: tuple[Any, ...] = ()


def attempt(
    function: Callable[..., Any], arguments: tuple[Any, ...], folder: str = "", version: str = ""
) -> Any:
    """Run a task in another process: a mistake of the user comes back as a message, which can be sent.

    A worker on another machine is told the `folder` that names of files are relative to, and the `version` of
    inexlab that it has to have: it may have come later than those that were asked.
    """
    if version not in ("", own_version()):
        return Failure(other_version("a worker has", own_version(), version))
    with contextlib.ExitStack() as stack:
        try:
            if folder:
                stack.enter_context(_current_folder.set_to(folder))
        except OSError:
            return Failure(unseen(folder))
        return _attempt(function, arguments)


def own_version() -> str:
    """Return the version of inexlab that this process has."""
    import inexlab

    return inexlab.__version__


def other_version(who: str, theirs: str, ours: str) -> str:
    """Say that workers have another inexlab."""
    return f"{who} another inexlab ({theirs}) than this ({ours}); install this version there."


def unseen(folder: object) -> str:
    """Say that workers do not see a folder."""
    return f"a worker does not see the folder {folder}; workers have to share its file system."


class _CurrentFolder:
    """The current folder of this process, which is one for all threads.

    A worker may have several, and tasks of several clients: a task with another folder waits until those are
    done that run in this one.
    """

    def __init__(self) -> None:
        self._changed, self._folder, self._tasks = threading.Condition(), "", 0

    @contextlib.contextmanager
    def set_to(self, folder: str) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._tasks or self._folder == folder)
            if not self._tasks:
                os.chdir(folder)
                self._folder = folder
            self._tasks += 1
        try:
            yield
        finally:
            with self._changed:
                self._tasks -= 1
                self._changed.notify_all()


_current_folder = _CurrentFolder()


def _attempt(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    try:
        return function(*arguments)
    except InexlabError as error:
        return Failure(str(error))
    except OSError as error:  # a full disk, say: not to be taken for a connection that is lost
        return Failure(str(error), (error.errno or 0, error.strerror or str(error), error.filename))
    except Exception as error:
        sendable = _sendable(error)
        if sendable is error:
            raise
        raise sendable from None


def _sendable(error: Exception) -> Exception:
    """Return an error as it is, or by its name: one that cannot be read would look like a worker's death."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def unwrapped(result: Any) -> Any:
    """Return the result of an attempt, or raise what it says."""
    if isinstance(result, Failure) and result.system:
        raise OSError(*result.system)
    if isinstance(result, Failure):
        raise UsageError(result.message)
    return result


def parse_cluster(text: str) -> int | str:
    """Return the number of workers that `local:N` starts, or the address of a scheduler.

    >>> parse_cluster("local:4"), parse_cluster("tls://10.0.0.1:8786")
    (4, 'tls://10.0.0.1:8786')
    """
    local = re.fullmatch(r"local:0*([1-9][0-9]{0,8})", text)
    if local:
        return _allowed_here(int(local[1]))
    address = re.fullmatch(r"(?:tcp|tls)://([\w.-]+|\[[0-9a-fA-F:.]+\]):([0-9]{1,5})", text)
    if address is None or not _is_host(address[1]):
        raise UsageError(f"`cluster={text!r}` must be local:N, tcp://HOST:PORT or tls://HOST:PORT.")
    if not 1 <= int(address[2]) <= _LAST_PORT:
        raise UsageError(f"`cluster={text!r}`: ports are numbers from 1 to {_LAST_PORT}.")
    return text


def _allowed_here(workers: int) -> int:
    """Return a number of workers to be started here; refuse one that would be the end of this machine."""
    cores = os.cpu_count() or 1
    most = max(16, 4 * cores)
    if workers > most:
        raise UsageError(
            f"`cluster=local:{workers}`: at most {most} workers are started on a machine with "
            f"{counted(cores, 'core')}; one for each core does."
        )
    return workers


def _is_host(name: str) -> bool:
    """Whether something can be the name or the address of a machine."""
    from ipaddress import IPv6Address  # which only this needs

    try:
        if name.startswith("["):
            return bool(IPv6Address(name[1:-1]))
        return len(name.encode("idna")) < _LONGEST_NAME
    except ValueError:  # such as an encoding has, too
        return False
