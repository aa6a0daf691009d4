"""What every benchmark needs: the best of several timings, and the closing line of a claim."""

from __future__ import annotations

import time
from collections.abc import Callable


def best_of(times: int, work: Callable[[], object]) -> float:
    """Return the shortest of several timings."""
    taken = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begin)
    return min(taken)


def claim(name: str, ratio: float, bar: float, passed: bool) -> bool:
    """Print the closing line of a claim."""
    print(f"{name}: ratio {ratio:.2f}, bar {bar:g}, {'PASS' if passed else 'FAIL'}")
    return passed
