"""Executors: one way to spread work, over threads or processes here, or over the workers of a Dask cluster.

A task is a function of a module with arguments that can be sent, and a small result. The same tasks give the
same results, whoever runs them. What is large is written to files by the tasks themselves.

Who loses a worker starts its task again, three times in a row and more; in the end one message names it.
"""

from __future__ import annotations

from inexlab.executors.executor import Executor, SpreadTask, WorkerLostError, parse_cluster, unseen
from inexlab.executors.local import Processes, Threads

__all__ = [
    "Executor",
    "Processes",
    "SpreadTask",
    "Threads",
    "WorkerLostError",
    "open_executor",
    "parse_cluster",
    "unseen",
]


def open_executor(cluster: str = "", jobs: int = 1) -> Executor:
    """Return the executor that `cluster` names, for a `with`; processes here where it names none.

    `cluster` is `local:N`, which starts so many workers here, or the address of a scheduler, such as
    `tcp://10.0.0.1:8786` or `tls://10.0.0.1:8786`.
    """
    if cluster:
        parse_cluster(cluster)
        from inexlab.executors.cluster import DaskCluster

        return DaskCluster(cluster)
    return Processes(jobs) if jobs > 1 else Threads(1)
