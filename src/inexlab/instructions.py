"""Instructions of processors that compiled loops use, and what stands for them in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Instruction

Ranges = tuple[tuple[int, int], ...]


def _lowest_bit(bits: np.uint64) -> np.uint64:
    """Return the place of the lowest bit that is set; 64 if none is."""
    number = int(bits)
    return np.uint64((number & -number).bit_length() - 1 if number else 64)


def _write_lowest_bit(_context: Any, _bits: Any) -> Any:
    from llvmlite import ir
    from numba.core import types

    def write(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.IntType(1)(0))

    return types.uint64(types.uint64), write


def _count_bits(bits: np.uint64) -> np.uint64:
    """Return how many bits are set."""
    return np.uint64(int(bits).bit_count())


def _write_count_bits(_context: Any, _bits: Any) -> Any:
    from numba.core import types

    def write(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), write


def _folded_product(left: np.uint64, right: np.uint64) -> np.uint64:
    """Return the 128 bits of a product folded into 64: one half XOR the other."""
    product = int(left) * int(right)
    return np.uint64((product & 0xFFFFFFFFFFFFFFFF) ^ (product >> 64))


def _write_folded_product(_context: Any, _left: Any, _right: Any) -> Any:
    from llvmlite import ir
    from numba.core import types

    def write(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        wide, narrow = ir.IntType(128), ir.IntType(64)
        product = builder.mul(*(builder.zext(number, wide) for number in arguments))
        upper = builder.trunc(builder.lshr(product, wide(64)), narrow)
        return builder.xor(builder.trunc(product, narrow), upper)

    return types.uint64(types.uint64, types.uint64), write


def _bytes_among(data: npt.NDArray[np.uint8], at: np.uint64, ranges: Ranges) -> np.uint64:
    """Return which of the 64 bytes from a place on are in one of some ranges, a bit for each."""
    some = data[at : at + np.uint64(64)]
    among = np.logical_or.reduce([(some >= low) & (some <= high) for low, high in ranges])
    return np.uint64(np.packbits(among, bitorder="little").view(np.uint64)[0])


def _write_bytes_among(_context: Any, data: Any, _at: Any, ranges: Any) -> Any:
    from llvmlite import ir
    from numba.core import types

    byte = ir.IntType(8)
    row = ir.VectorType(byte, 64)
    first = ir.Constant(ir.VectorType(ir.IntType(32), 64), [0] * 64)

    def everywhere(builder: Any, number: Any) -> Any:
        none = ir.Constant(row, ir.Undefined)
        one = builder.insert_element(none, builder.trunc(number, byte), ir.IntType(32)(0))
        return builder.shuffle_vector(one, none, first)

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.bitcast(builder.gep(array.data, [arguments[1]]), row.as_pointer())
        some = builder.load(place, align=1)
        among = ir.Constant(ir.VectorType(ir.IntType(1), 64), [0] * 64)
        for k in range(len(ranges)):
            low, high = (everywhere(builder, builder.extract_value(arguments[2], [k, end])) for end in (0, 1))
            above = builder.sub(some, low)  # what is less runs over
            among = builder.or_(among, builder.icmp_unsigned("<=", above, builder.sub(high, low)))
        return builder.bitcast(among, ir.IntType(64))

    return types.uint64(data, types.uint64, ranges), write


def _differences_up_to(
    left: npt.NDArray[np.float64], right: npt.NDArray[np.float64], at: np.uint64, limit: float
) -> np.uint64:
    """Return which of the 64 differences left - right from a place on are at most a limit, a bit for each."""
    some = slice(int(at), int(at) + 64)
    up_to = left[some] - right[some] <= limit
    return np.uint64(np.packbits(up_to, bitorder="little").view(np.uint64)[0])


def _write_differences_up_to(_context: Any, left: Any, right: Any, _at: Any, _limit: Any) -> Any:
    from llvmlite import ir
    from numba.core import types

    row = ir.VectorType(ir.DoubleType(), 64)
    first = ir.Constant(ir.VectorType(ir.IntType(32), 64), [0] * 64)

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows = []
        for kind, given in zip(signature.args[:2], arguments[:2], strict=True):
            data = context.make_array(kind)(context, builder, given).data
            place = builder.bitcast(builder.gep(data, [arguments[2]]), row.as_pointer())
            rows.append(builder.load(place, align=8))
        none = ir.Constant(row, ir.Undefined)
        limit = builder.insert_element(none, arguments[3], ir.IntType(32)(0))
        limits = builder.shuffle_vector(limit, none, first)
        up_to = builder.fcmp_ordered("<=", builder.fsub(*rows), limits)
        return builder.bitcast(up_to, ir.IntType(64))

    return types.uint64(left, right, types.uint64, types.float64), write


def _count_below(row: npt.NDArray[np.int32], limit: int) -> np.uint64:
    """Return how many of the first sixteen numbers of a row are less than a limit."""
    return np.uint64(np.count_nonzero(row[:15] < limit) + (row[15] < limit))


def _write_count_below(_context: Any, row: Any, _limit: Any) -> Any:
    from llvmlite import ir
    from numba.core import types

    number = ir.IntType(32)
    sixteen = ir.VectorType(number, 16)
    first = ir.Constant(ir.VectorType(number, 16), [0] * 16)

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        some = builder.load(builder.bitcast(data, sixteen.as_pointer()), align=4)
        none = ir.Constant(sixteen, ir.Undefined)
        limit = builder.insert_element(none, builder.trunc(arguments[1], number), number(0))
        below = builder.icmp_signed("<", some, builder.shuffle_vector(limit, none, first))
        count = builder.ctpop(builder.bitcast(below, ir.IntType(16)))
        return builder.zext(count, ir.IntType(64))

    return types.uint64(row, types.int64), write


def _write_word(data: npt.NDArray[np.uint8], at: np.uint64, word: np.uint32) -> None:
    """Write the four bytes of a number from a place on, the lowest first: these places have to be there."""
    for k in range(4):
        data[at + np.uint64(k)] = np.uint8((int(word) >> (8 * k)) & 255)


def _write_write_word(_context: Any, data: Any, _at: Any, _word: Any) -> Any:
    from llvmlite import ir
    from numba.core import types

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(first, [arguments[1]]), ir.IntType(32).as_pointer())
        builder.store(arguments[2], place, align=1)
        return context.get_dummy_value()

    return types.void(data, types.uint64, types.uint32), write


def _copy_row(data: npt.NDArray[np.uint8], at: np.uint64, out: npt.NDArray[np.uint8], to: np.uint64) -> None:
    """Copy the 32 bytes from a place on to another place; both have to have so many."""
    out[to + np.uint64(31)] = data[at + np.uint64(31)]
    out[to : to + np.uint64(31)] = data[at : at + np.uint64(31)]


def _write_copy_row(_context: Any, data: Any, _at: Any, out: Any, _to: Any) -> Any:
    from llvmlite import ir
    from numba.core import types

    row = ir.VectorType(ir.IntType(8), 32)

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        places = []
        for array, given, at in zip(signature.args[::2], arguments[::2], arguments[1::2], strict=True):
            first = context.make_array(array)(context, builder, given).data
            places.append(builder.bitcast(builder.gep(first, [at]), row.as_pointer()))
        builder.store(builder.load(places[0], align=1), places[1], align=1)
        return context.get_dummy_value()

    return types.void(data, types.uint64, out, types.uint64), write


def _prefetch(array: npt.NDArray[Any], index: int | np.integer[Any]) -> None:
    """Have a number of a flat array brought near, to be there when it is asked for a bit later.

    A loop over places all over memory waits for most of them, unless they are prefetched.
    """


def _write_prefetch(_context: Any, array: Any, _index: Any) -> Any:
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

    return types.void(array, types.uint64), write


bytes_among = Instruction(_bytes_among, _write_bytes_among)
copy_row = Instruction(_copy_row, _write_copy_row)
count_below = Instruction(_count_below, _write_count_below)
count_bits = Instruction(_count_bits, _write_count_bits)
differences_up_to = Instruction(_differences_up_to, _write_differences_up_to)
folded_product = Instruction(_folded_product, _write_folded_product)
lowest_bit = Instruction(_lowest_bit, _write_lowest_bit)
prefetch = Instruction(_prefetch, _write_prefetch)
write_word = Instruction(_write_word, _write_write_word)
