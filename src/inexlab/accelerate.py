"""Hot loops, written once and run two ways.

A kernel is a plain function over numpy arrays in the part of Python that numba compiles. Importing numba
and loading compiled code costs about 0.7 s, more than scoring a small run takes in plain Python. So we
rent before we buy: a kernel runs as written until the work done that way would have paid for loading the
compiler, and compiled from then on. Both ways give the same numbers.

`INEXLAB_COMPILED=always` or `never` overrules this (set-up uses the first to warm the cache).
"""

from __future__ import annotations

import functools
import os
import types
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")

# Units of work (about one loop step in plain Python, 0.5 µs or more) that cost as much as loading numba.
LOADING_COST = 1_000_000

_work_done = 0


def worth_compiling(work: int) -> bool:
    """Whether `work` more units tip the balance towards compiled code."""
    global _work_done  # noqa: PLW0603 - one balance for the process, as there is one compiler to load
    choice = os.environ.get("INEXLAB_COMPILED", "auto")
    _work_done += work
    wanted = choice == "always" or (choice == "auto" and _work_done >= LOADING_COST)
    return wanted and _numba() is not None


class Kernel(Generic[P, R]):
    """A function that runs as written or compiled, as the amount of work asks for.

    A kernel may call other kernels of its module by name; compiled ones call each other compiled.
    """

    def __init__(self, plain: Callable[P, R]) -> None:
        self.plain = plain
        functools.update_wrapper(self, plain)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run as written."""
        return self.plain(*args, **kwargs)

    def for_work(self, work: int) -> Callable[P, R]:
        """Return the way to run this kernel when about `work` loop steps lie ahead."""
        return self.compiled if worth_compiling(work) else self.plain

    @functools.cached_property
    def compiled(self) -> Callable[P, R]:
        """The compiled function (the plain one where numba is not installed)."""
        numba = _numba()
        if numba is None:
            return self.plain
        source = cast(types.FunctionType, self.plain)
        called = {name: source.__globals__.get(name) for name in source.__code__.co_names}
        compiled_calls = {name: k.compiled for name, k in called.items() if isinstance(k, Kernel)}
        function = types.FunctionType(
            source.__code__, {**source.__globals__, **compiled_calls}, source.__name__
        )
        # a call passes arrays field by field, which costs more than what the smallest kernels do
        compiled: Callable[P, R] = numba.njit(cache=True, nogil=True, forceinline=True)(function)
        return compiled


class Instruction(Kernel[P, R]):
    """A kernel that is one instruction of a processor, for which Python has no word.

    Beside the plain function there is one that has the compiler write it, as numba's `intrinsic` wants it.
    """

    def __init__(self, plain: Callable[P, R], write: Callable[..., Any]) -> None:
        super().__init__(plain)
        self._write = write

    @functools.cached_property
    def compiled(self) -> Callable[P, R]:
        """The instruction (the plain function where numba is not installed)."""
        if _numba() is None:
            return self.plain
        from numba.extending import intrinsic

        instruction: Callable[P, R] = intrinsic(self._write)
        return instruction


@functools.cache
def _numba() -> Any:
    try:
        import numba
    except ImportError:  # a new Python may be out before its numba; everything still works, more slowly
        return None
    return None if getattr(numba.config, "DISABLE_JIT", 0) else numba
