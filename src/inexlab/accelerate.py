"""Hot loops, written once, run as plain Python or compiled.

A kernel is a plain function over numpy arrays in the part of Python that numba compiles. Importing numba
and loading compiled code costs about 0.7 s, more than scoring a small run takes in plain Python. So we
rent before we buy: a kernel runs as written until the work done that way would have paid for loading the
compiler, and compiled from then on. Both give the same numbers. A kernel that every search needs can also be
written with numpy, which is what runs until then.

`INEXLAB_COMPILED=always` or `never` overrules this (set-up uses the first to warm the cache).

Signals such as Ctrl-C are deferred while a compiled kernel runs, and handled when it is done: an exception
from a signal handler inside numba's own code crashes the process. So that they are handled soon, work
that may take long is cut into `blocks`.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import threading
import time
import types
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar, cast

from inexlab.signals import holding_signals

P = ParamSpec("P")
R = TypeVar("R")

# Units of work (about one loop step in plain Python, 0.5 µs or more) that cost as much as loading numba.
LOADING_COST = 1_000_000

_work_done = 0

# What numpy does with whole arrays takes about so little of what a loop in plain Python takes.
_WITH_NUMPY = 20

# a block of work should not take longer, so that signals are handled
LONGEST_BLOCK = 0.2  # seconds


def blocks(count: int) -> Iterator[slice]:
    """Cut the numbers up to `count` into blocks, which grow while the caller is quick.

    >>> [part.stop - part.start for part in blocks(10)]
    [1, 2, 4, 3]
    """
    at, size = 0, 1
    while at < count:
        begin = time.perf_counter()
        yield slice(at, min(at + size, count))
        at += size
        taken = time.perf_counter() - begin
        size = max(1, min(2 * size, int(size * LONGEST_BLOCK / taken)))


def worth_compiling(work: int) -> bool:
    """Whether `work` more units tip the balance towards compiled code."""
    global _work_done  # noqa: PLW0603 - one balance for the process, as there is one compiler to load
    choice = os.environ.get("INEXLAB_COMPILED", "auto")
    _work_done += work
    wanted = choice == "always" or (choice == "auto" and _work_done >= LOADING_COST)
    return wanted and _numba() is not None


def is_compiler_loaded() -> bool:
    """Whether compiled kernels take no longer than what they do."""
    asked = _loaded_numba.cache_info().currsize > 0 or os.environ.get("INEXLAB_COMPILED") == "always"
    return asked and _numba() is not None


def load_compiler() -> None:
    """Load what compiled kernels need, unless that is switched off, where much work is known to come."""
    if os.environ.get("INEXLAB_COMPILED", "auto") != "never":
        _numba()


class Kernel(Generic[P, R]):
    """A function that runs as written or compiled, as the amount of work asks for.

    A kernel may call other kernels of its module by name; compiled ones call each other compiled.
    """

    def __init__(self, plain: Callable[P, R]) -> None:
        self.plain = plain
        self.numpy: Callable[P, R] | None = None
        functools.update_wrapper(self, plain)

    def with_numpy(self, function: Callable[P, R]) -> Callable[P, R]:
        """Take a function that does the same with numpy, to be run in place of the plain one."""
        self.numpy = function
        return function

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run as written."""
        return self.plain(*args, **kwargs)

    def for_work(self, work: int) -> Callable[P, R]:
        """Return the way to run this kernel when about `work` loop steps lie ahead."""
        if self.numpy is None:
            return self.compiled if worth_compiling(work) else self.plain
        return self.compiled if worth_compiling(work // _WITH_NUMPY) else self.numpy

    @functools.cached_property
    def compiled(self) -> Callable[P, R]:
        """The compiled function (the plain one where numba is not installed), which holds signals."""
        return self.plain if _numba() is None else holding_signals(self.dispatcher)

    @functools.cached_property
    def dispatcher(self) -> Callable[P, R]:
        """What numba makes of the function: what other compiled functions call."""
        numba = _numba()
        source = cast(types.FunctionType, self.plain)
        called = {name: source.__globals__.get(name) for name in source.__code__.co_names}
        compiled_calls = {name: k.dispatcher for name, k in called.items() if isinstance(k, Kernel)}
        function = types.FunctionType(
            source.__code__, {**source.__globals__, **compiled_calls}, source.__name__
        )
        # a call passes arrays field by field, which costs more than what the smallest kernels do
        made: Callable[P, R] = numba.njit(cache=True, nogil=True, forceinline=True, **self._options)(function)
        return made

    _options: ClassVar[dict[str, bool]] = {}


class LoopStep(Kernel[P, R]):
    """A kernel that others call in their loops, and that makes no array.

    It does not count references to the arrays that it is given, which whoever calls it holds: in a loop that
    would take longer than what a step does. The compiler refuses one that makes an array.
    """

    _options: ClassVar[dict[str, bool]] = {"_nrt": False}


class Instruction(Kernel[P, R]):
    """A kernel that is one instruction of a processor, for which Python has no word.

    Beside the plain function there is one that has the compiler write it, as numba's `intrinsic` wants it.
    """

    def __init__(self, plain: Callable[P, R], write: Callable[..., Any]) -> None:
        super().__init__(plain)
        self._write = write

    @functools.cached_property
    def dispatcher(self) -> Callable[P, R]:
        """The instruction."""
        from numba.extending import intrinsic

        instruction: Callable[P, R] = intrinsic(self._write)
        return instruction


_loading = threading.Lock()


def _numba() -> Any:
    if _loaded_numba.cache_info().currsize:  # every kernel asks: a lock would take longer
        return _loaded_numba()
    with _loading:  # several threads may need it at once
        return _loaded_numba()


@functools.cache
def _loaded_numba() -> Any:
    try:
        import numba
    except ImportError:  # a new Python may be out before its numba; everything still works, more slowly
        return None
    if getattr(numba.config, "DISABLE_JIT", 0):
        return None
    with contextlib.suppress(ImportError, AttributeError):  # another numba may be made of other parts
        _load_without_linear_algebra()
    return numba


def _load_without_linear_algebra() -> None:
    """Load the part of numba that would load scipy.linalg, only to choose how it computes np.kron.

    That is a good part of what loading costs. Whatever needs linear algebra asks for it when compiled.
    """
    from numba.np import linalg

    def refuse() -> None:
        raise ImportError

    asks, linalg.ensure_blas = linalg.ensure_blas, refuse
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = asks
