"""The workers of a Dask cluster: one that is started here, or one whose scheduler is named.

A worker that dies makes the scheduler suspect every task that was waiting there, so no more tasks are handed
out than can run. A scheduler runs whatever code it is sent: workers that are started here listen on 127.0.0.1
alone and have no dashboard; `tls://` takes the certificates that Dask's configuration names.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import socket
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from ipaddress import ip_address
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NoReturn
from urllib.parse import urlsplit

from inexlab.errors import UsageError
from inexlab.executors.executor import (
    RETRIES,
    Executor,
    SpreadTask,
    WorkerLostError,
    attempt,
    other_version,
    own_version,
    parse_cluster,
)
from inexlab.signals import ignoring_ctrl_c_in_children

CONNECT = 10  # seconds that a scheduler has to answer
ANSWER = 60  # that its workers have to say which inexlab they have, which they may have to load first
_GRACE = 2  # more of them until Dask is not waited for any longer
NO_WORKERS = 60  # and that a cluster may be without any worker
_STARTS = 3  # how often workers are started here until that is given up
_LOOK = 5  # seconds between two looks at whether there are workers
_FOR_EVER = "1000 days"
_ENVIRONMENT = {  # of workers that are started here, also of those that are started again
    "DASK_LOGGING__DISTRIBUTED": "critical",
    **dict.fromkeys(("MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"),
}
_SET_HERE = ("PYTHONHASHSEED", "__DASK_PARENT_PID")  # by Dask, for workers, but in this process
_session = itertools.count()


class DaskCluster(Executor):
    """Runs tasks on the workers of a Dask cluster."""

    def __init__(self, cluster: str) -> None:
        wanted = parse_cluster(cluster)
        self._name = cluster
        self._local: Any = None
        self._settings = contextlib.ExitStack()  # of Dask, while workers run that were started here
        self._client: Any = None
        self._environment = {name: os.environ.get(name) for name in _SET_HERE}
        try:
            import distributed
        except ImportError:
            raise UsageError(
                f"`cluster={cluster}` takes the package distributed: pip install 'inexlab[cluster]'."
            ) from None
        self._distributed: Any = distributed
        # what goes wrong is raised; importing it gave some of its loggers levels of their own
        for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            if isinstance(wanted, int):
                self._start(wanted)
            else:
                self._connect(wanted)
            self._need_same_version()
        except BaseException:
            self.close()
            raise
        self._key = f"inexlab-{os.getpid()}-{next(_session)}"
        self._submitted = itertools.count()

    def _start(self, workers: int) -> None:
        """Start workers here, which nobody else can reach."""
        import dask

        settings = {
            "distributed.scheduler.allowed-failures": RETRIES,
            # the pages of mapped files count as memory of a worker, which would be stopped for nothing
            "distributed.worker.memory.target": False,
            "distributed.worker.memory.spill": False,
            "distributed.worker.memory.pause": False,
            "distributed.worker.memory.terminate": False,
            "distributed.admin.low-level-log-length": 0,
            # what listens for a dashboard listens without one, too: it has nothing to show
            "distributed.scheduler.http.routes": [],
            # these would be set in this process, too, and stay
            "distributed.nanny.pre-spawn-environ": {},
        }
        # After some seconds Dask looks whether a worker that died is there again. One that is just being
        # started after another death would be given up for good.
        self._settings.enter_context(dask.config.set({"distributed.deploy.lost-worker-timeout": _FOR_EVER}))
        for tries in range(1, _STARTS + 1):
            try:
                with dask.config.set(settings), ignoring_ctrl_c_in_children():
                    self._local = self._distributed.LocalCluster(
                        n_workers=workers,
                        threads_per_worker=1,
                        processes=True,
                        host="127.0.0.1",
                        dashboard_address=None,
                        scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
                        memory_limit=0,
                        silence_logs=logging.CRITICAL,
                        env=_ENVIRONMENT,
                    )
                    self._client = self._distributed.Client(self._local, set_as_default=False)
                break
            except (OSError, TimeoutError, RuntimeError) as error:
                if self._local is not None:
                    self._local.close()
                    self._local = None
                # that a worker was killed while it was started, Dask says by a RuntimeError alone
                if tries == _STARTS or not isinstance(error, RuntimeError):
                    raise UsageError(
                        f"`cluster={self._name}` cannot be started ({_first_line(error)})."
                    ) from None
        self.workers = workers

    def _connect(self, address: str) -> None:
        """Connect to a scheduler."""
        self.notes = warnings_of(address)
        security = self._certificates(address) if address.startswith("tls:") else None
        # what listens there may be anything, and so may be what Dask makes of its answer
        client, error = _in_time(
            lambda: self._distributed.Client(
                address, timeout=CONNECT, security=security, set_as_default=False
            )
        )
        if client is None:
            self._explain(address, error)
        self._client = client
        _, error = _in_time(lambda: client.wait_for_workers(1, timeout=CONNECT))
        if error:
            raise UsageError(
                f"the cluster at {address} has no workers; start some with `dask worker {address}`."
            )
        self.workers = max(1, sum(self._client.nthreads().values()))

    def _certificates(self, address: str) -> Any:
        """Return the certificates that Dask's configuration names."""
        problem = "no certificates are named"
        try:
            security = self._distributed.Security()
            if security.get_connection_args("client").get("ssl_context") is not None:
                return security
        except (OSError, ValueError, TypeError) as error:  # files that are not there, or hold something else
            problem = _first_line(error)
        raise UsageError(
            f"no connection to {address} ({problem}); Dask's configuration names the certificates "
            "(distributed.comm.tls)."
        )

    def _explain(self, address: str, error: str) -> NoReturn:
        what = "address and the certificates" if address.startswith("tls:") else "address"
        if _listens(address):
            raise UsageError(
                f"what listens at {address} is no Dask scheduler, or takes no connection ({error}); "
                f"start one with `dask scheduler`, or check the {what}."
            )
        raise UsageError(
            f"no Dask scheduler answers at {address}; start one with `dask scheduler`, or check the {what}."
        )

    def _need_same_version(self) -> None:
        """Refuse workers that do not have this inexlab."""
        here = own_version()
        with self._reaching_scheduler():
            versions = self._versions()
        if versions - {here}:
            other = ", ".join(sorted(versions - {here}))
            raise UsageError(other_version(f"the workers of {self._name} have", other, here))

    def _versions(self) -> set[str]:
        """Ask all workers which inexlab they have: one that hangs would be waited for without an end."""
        try:
            answers = self._client.sync(
                self._client.run, own_version, on_error="return", callback_timeout=ANSWER
            )
        except TimeoutError:
            raise UsageError(
                f"not all workers of {self._name} answer within {ANSWER} s; end or restart those that hang."
            ) from None
        versions = set()
        for answer in answers.values():
            if isinstance(answer, ImportError):
                versions.add("none")
            elif isinstance(answer, str):
                versions.add(answer)
            elif not isinstance(answer, OSError):  # which a worker gives that died: its tasks go to others
                raise answer
        return versions

    @property
    def client(self) -> Any:
        """Dask's client."""
        return self._client

    @property
    def address(self) -> str:
        """The address of the scheduler."""
        return str(self._client.scheduler.address)

    def completed(self, tasks: Sequence[SpreadTask]) -> Iterator[tuple[int, Any]]:
        """Run tasks; yield the number of each with its result as it is done."""
        from distributed import KilledWorker

        waiting = deque(range(len(tasks)))
        running: dict[Any, int] = {}
        done: SimpleQueue[Any] = SimpleQueue()
        deaths: Counter[int] = Counter()
        try:
            while waiting or running:
                while waiting and len(running) < self.workers:
                    number = waiting.popleft()
                    future = self._submit(tasks[number])
                    running[future] = number
                    future.add_done_callback(done.put)
                future = self._next(done)
                number = running.pop(future)
                try:
                    with self._reaching_scheduler():
                        result = future.result()
                except KilledWorker as killed:
                    deaths[number] += killed.allowed_failures + 1
                    if deaths[number] > RETRIES:
                        raise WorkerLostError(tasks[number].name, deaths[number]) from None
                    waiting.appendleft(number)
                else:
                    future.release()  # the worker need not keep it
                    yield number, result
        finally:
            if running:
                with contextlib.suppress(UsageError), self._reaching_scheduler():
                    self._client.cancel(list(running), force=True)

    @contextlib.contextmanager
    def _reaching_scheduler(self) -> Iterator[None]:
        """Turn what Dask raises if there is no scheduler any more into a message."""
        from distributed import CancelledError
        from distributed.client import ClosedClientError

        try:
            yield
        except (CancelledError, ClosedClientError, OSError):
            raise UsageError(
                f"the scheduler of {self._name} is gone; start it again and repeat the command."
            ) from None

    def _submit(self, task: SpreadTask) -> Any:
        # a key of its own: no task is taken for another one, and no argument has to be looked through
        key = f"{self._key}-{next(self._submitted)}"
        folder = str(Path.cwd()) if task.relative else ""
        arguments = (task.function, task.arguments, folder, own_version())
        with self._reaching_scheduler():
            return self._client.submit(attempt, *arguments, key=key, pure=False)

    def _next(self, done: SimpleQueue[Any]) -> Any:
        """Wait until a task is done; raise if the cluster has lost all workers for good."""
        without = 0
        while True:
            try:
                return done.get(timeout=_LOOK)
            except Empty:
                with self._reaching_scheduler():
                    without = 0 if self._client.nthreads() else without + _LOOK
                if without >= NO_WORKERS:
                    raise UsageError(
                        f"{self._name} has had no workers for {without} s; start some and repeat the command."
                    ) from None

    def close(self) -> None:
        """Let go of the cluster; end the workers that were started here."""
        client, local = self._client, self._local
        self._client = self._local = None
        if client is not None:
            if local is not None:  # one that is just being started again would complain
                with contextlib.suppress(TimeoutError):
                    client.wait_for_workers(self.workers, timeout=_LOOK)
            client.close()
        if local is not None:
            local.close()
            for name, value in self._environment.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
        self._settings.close()


def warnings_of(address: str) -> tuple[str, ...]:
    """Return what there is to say of the security of a scheduler's address."""
    if address.startswith("tls:") or _is_loopback(urlsplit(address).hostname or ""):
        return ()
    return (
        f"warning: {address} is neither encrypted nor guarded: whoever reaches it can run code on its "
        "workers. Use tls:// beyond a network that you trust.",
    )


def _in_time(function: Callable[[], Any]) -> tuple[Any, str]:
    """Return what a function of Dask returns, and why it did not: Dask's own limits do not always hold."""
    done: SimpleQueue[tuple[Any, str]] = SimpleQueue()

    def call() -> None:
        try:
            done.put((function(), ""))
        except BaseException as error:  # a cancelled task has one that is none of the usual
            done.put((None, _first_line(error)))

    # nobody waits for this thread when the program ends
    threading.Thread(target=call, daemon=True).start()
    try:
        return done.get(timeout=CONNECT + _GRACE)
    except Empty:
        return None, f"no answer within {CONNECT + _GRACE} s"


def _listens(address: str) -> bool:
    """Whether anything takes connections at an address."""
    place = urlsplit(address)
    try:
        with socket.create_connection((place.hostname, place.port), _GRACE):
            return True
    except OSError:
        return False


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0].rstrip(".")
