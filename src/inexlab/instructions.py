"""Instructions of processors that compiled loops use, and what stands for them in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Instruction


def _lowest_bit(bits: np.uint64) -> np.uint64:
    """Return the place of the lowest bit that is set, of which there is one."""
    number = int(bits)
    return np.uint64((number & -number).bit_length() - 1)


def _write_lowest_bit(_context: Any, _bits: Any) -> Any:
    from llvmlite import ir
    from numba.core import types

    def write(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.IntType(1)(1))

    return types.uint64(types.uint64), write


def _bytes_between(data: npt.NDArray[np.uint8], at: np.uint64, low: int, high: int) -> np.uint64:
    """Return which of the 64 bytes from a place on are from `low` to `high`, a bit for each."""
    some = data[at : at + np.uint64(64)]
    return np.uint64(np.packbits((some >= low) & (some <= high), bitorder="little").view(np.uint64)[0])


def _write_bytes_between(_context: Any, data: Any, _at: Any, _low: Any, _high: Any) -> Any:
    from llvmlite import ir
    from numba.core import types

    byte = ir.IntType(8)
    row = ir.VectorType(byte, 64)

    def everywhere(builder: Any, number: Any) -> Any:
        one = builder.insert_element(
            ir.Constant(row, ir.Undefined), builder.trunc(number, byte), ir.IntType(32)(0)
        )
        return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), 64), [0] * 64))

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.bitcast(builder.gep(array.data, [arguments[1]]), row.as_pointer())
        least, most = (everywhere(builder, number) for number in arguments[2:])
        above = builder.sub(builder.load(place, align=1), least)  # what is less runs over
        return builder.bitcast(builder.icmp_unsigned("<=", above, builder.sub(most, least)), ir.IntType(64))

    return types.uint64(data, types.uint64, types.int64, types.int64), write


def _prefetch(array: npt.NDArray[Any], index: int | np.integer[Any]) -> None:
    """Have a number of a flat array brought near, to be there when it is asked for a bit later.

    A loop over places all over memory waits for most of them; said in time where it will be, it does not.
    """


def _write_prefetch(_context: Any, array: Any, index: Any) -> Any:
    from llvmlite import ir
    from numba.core import types

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        number, address = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [address, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [address], kind)
        place = builder.bitcast(builder.gep(data, [arguments[1]]), address)
        builder.call(function, [place, number(0), number(3), number(1)])  # data, to be read, and soon
        return context.get_dummy_value()

    return types.void(array, index), write


bytes_between = Instruction(_bytes_between, _write_bytes_between)
lowest_bit = Instruction(_lowest_bit, _write_lowest_bit)
prefetch = Instruction(_prefetch, _write_prefetch)
