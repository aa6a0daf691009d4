"""How much work a loop does, counted in lines of Python that it runs: the same number every time."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

from inexlab.accelerate import Kernel


def lines_run(work: Callable[[], object], *kernels: Kernel[..., Any]) -> int:
    """Return how many lines of some kernels run, as written, while `work` is done."""
    codes = {kernel.plain.__code__ for kernel in kernels if isinstance(kernel.plain, types.FunctionType)}
    count = 0

    def trace(frame: types.FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        if frame.f_code not in codes:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    assert count, "none of these ran"
    return count
