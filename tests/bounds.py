"""Loops run as written, with every index of every array checked: none negative, none beyond the end.

Plain Python takes -1 for the last place of an array, and so does compiled code, which checks nothing else.
Here both are errors, in arrays that a loop is given and in those that it makes.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest

from inexlab.accelerate import Instruction, Kernel

ran: set[str] = set()  # the kernels that have run so far, by module and name


class Checked(npt.NDArray[Any]):
    """An array that refuses places it does not have."""

    def __getitem__(self, place: Any) -> Any:
        _check(self, place)
        return super().__getitem__(place)

    def __setitem__(self, place: Any, value: Any) -> None:
        _check(self, place)
        super().__setitem__(place, value)


def _check(array: npt.NDArray[Any], place: Any) -> None:
    for axis, one in enumerate(place if isinstance(place, tuple) else (place,)):
        single = isinstance(one, int | np.integer) and not isinstance(one, bool)
        if single and not 0 <= int(one) < array.shape[axis]:
            raise IndexError(f"place {one} of {array.shape[axis]}")


class _Numpy:
    """Numpy, whose arrays are checked."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        if not callable(found) or isinstance(found, type):
            return found
        return lambda *args, **kwargs: _checked(found(*args, **kwargs))


def _like(value: Any, parts: Iterable[Any]) -> Any:
    """Return a tuple of parts, with the names that another one has for them."""
    return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)


def _checked(value: Any) -> Any:
    if isinstance(value, tuple):
        return _like(value, map(_checked, value))
    return value.view(Checked) if isinstance(value, np.ndarray) else value


def _unchecked(value: Any) -> Any:
    if isinstance(value, tuple):
        return _like(value, map(_unchecked, value))
    return value.view(np.ndarray) if isinstance(value, Checked) else value


def _run(kernel: Kernel[..., Any], *args: Any) -> Any:
    if isinstance(kernel, Instruction):  # which only reads, and not beyond an array
        return kernel.plain(*map(_unchecked, args))
    source = cast(types.FunctionType, kernel.plain)
    ran.add(f"{source.__module__}.{source.__name__}")
    inside = types.FunctionType(source.__code__, {**source.__globals__, "np": _Numpy()}, source.__name__)
    return _unchecked(inside(*map(_checked, args)))


@contextmanager
def checked_bounds() -> Iterator[None]:
    """Let all loops run as written, with every index checked."""

    def way(kernel: Kernel[..., Any], _work: int = 0) -> Callable[..., Any]:
        return lambda *args: _run(kernel, *args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "for_work", way)
        patch.setattr(Kernel, "compiled", property(way))
        patch.setattr(Kernel, "__call__", lambda kernel, *args: _run(kernel, *args))
        yield
