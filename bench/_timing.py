"""What every benchmark needs: the best of several timings, and the closing line of a claim."""

from __future__ import annotations

import time
from collections.abc import Callable


def best_of(times: int, work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the shortest of several timings, by the clock on the wall unless another is given."""
    taken = []
    for _ in range(times):
        begin = clock()
        work()
        taken.append(clock() - begin)
    return min(taken)


def claim(name: str, ratio: float, bar: float, passed: bool) -> bool:
    """Print the closing line of a claim."""
    print(f"{name}: ratio {ratio:.2f}, bar {bar:g}, {'PASS' if passed else 'FAIL'}")
    return passed
