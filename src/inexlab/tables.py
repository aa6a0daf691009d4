"""Columns of names: how the tables of runs and judgements keep topics, documents and paths.

A run of 100,000 results names tens of thousands of documents, nearly all of them never looked at by a
person. `Names` keeps them as bytes with offsets, decodes one only when asked, and matches two columns of
names without decoding any.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, overload

import numpy as np
import numpy.typing as npt

from inexlab.accelerate import Kernel, LoopStep
from inexlab.instructions import folded_product, prefetch

Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]
Hashes = npt.NDArray[np.uint64]
Slots = npt.NDArray[np.uint32]
T = TypeVar("T")

# What hashes are made with. Nobody outside this process knows it, so nobody can write a file whose names all
# go to the same place in a table, which would take time with the square of its size. Loops are given it: what
# they take from the module itself is compiled into them, and kept on disk.
SECRET: Hashes = np.frombuffer(os.urandom(32), dtype=np.uint64)
_SOON = 16  # how many names before its turn the slot of one is fetched


class Remembering:
    """Tables that keep what was worked out of them: of judgements for all runs, of a run for all measures."""

    def once(self, work: Callable[..., T], *arguments: Any) -> T:
        """Return `work(self, …)`, done once however often it is asked for."""
        key = (work, *arguments)
        if key not in self._done:
            self._done[key] = work(self, *arguments)
        found: T = self._done[key]
        return found

    @functools.cached_property
    def _done(self) -> dict[Any, Any]:
        return {}


class Names(Sequence[str]):
    """Distinct names, numbered from 0: `data[starts[i]:ends[i]]` is the UTF-8 of name i."""

    def __init__(self, data: bytes, starts: Ints, ends: Ints, hashes: Hashes | None = None) -> None:
        self.data, self.starts, self.ends = data, starts, ends
        self._known_hashes = hashes

    @classmethod
    def of(cls, names: Iterable[str]) -> Names:
        """Make the column from distinct strings."""
        encoded = [name.encode() for name in names]
        ends = np.cumsum([len(name) for name in encoded], dtype=np.int64)
        starts = ends - np.array([len(name) for name in encoded], dtype=np.int64)
        return cls(b"".join(encoded), starts, ends)

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process without the hashes, which it would make with another secret."""
        return Names, (self.data, self.starts, self.ends)

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return self.data[self.starts[index] : self.ends[index]].decode()

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Names) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Names({list(self[:5])}{' …' if len(self) > 5 else ''}, {len(self)} in all)"

    @functools.cached_property
    def codes(self) -> dict[str, int]:
        """The number of each name."""
        return {name: code for code, name in enumerate(self)}

    def codes_in(self, other: Names) -> Codes:
        """Return for each of these names its number in `other`, or -1."""
        match = _match.for_work(40 * (len(self) + len(other)))
        if match is _match.plain:
            return np.array([other.codes.get(name, -1) for name in self], dtype=np.int32)
        ours = (self._bytes, self.starts, self.ends, self._hashes)
        return match(*ours, other._bytes, other.starts, other.ends, other._slots)

    @functools.cached_property
    def _bytes(self) -> Bytes:
        return np.frombuffer(self.data or b"\0", dtype=np.uint8)

    @functools.cached_property
    def _hashes(self) -> Hashes:
        if self._known_hashes is not None:
            return self._known_hashes
        return _hash_all.compiled(self._bytes, self.starts, self.ends, SECRET)

    @functools.cached_property
    def _slots(self) -> Slots:
        return _hash_table.compiled(self._hashes, table_size(len(self)))


def distinct(numbers: Ints) -> Ints:
    """Return the different numbers, sorted, as `np.unique` does, which first loads numpy's masked arrays.

    That takes longer than a small search does.

    >>> distinct(np.array([3, 1, 3])).tolist(), distinct(np.array([], dtype=np.int64)).tolist()
    ([1, 3], [])
    """
    ordered = np.sort(numbers)
    found: Ints = ordered[np.diff(ordered, prepend=ordered[:1] - 1) != 0]
    return found


def by_number_and_name(names: Iterable[str]) -> list[str]:
    """Return names as people sort them: the numbers in them by value, so that `q2` comes before `q10`.

    >>> by_number_and_name(["q10", "q2", "2009010", "2009009", "q02"])
    ['2009009', '2009010', 'q02', 'q2', 'q10']
    """
    return sorted(names, key=_natural_key)


def _natural_key(name: str) -> tuple[tuple[tuple[str, int, str], ...], str]:
    """Return text and number by turns, so that like is compared with like, and the name itself.

    A number is compared by how many digits it has, then by these: `int` would refuse thousands of digits.
    """
    text = re.split(r"0*([0-9]+)", name)
    pairs = zip(text[::2], [*text[1::2], ""], strict=True)
    return tuple((before, len(digits), digits) for before, digits in pairs), name


class Interner:
    """Numbers names in the order in which they first appear."""

    def __init__(self) -> None:
        self.codes: dict[str, int] = {}

    def __call__(self, name: str) -> int:
        """Return the name's number."""
        return self.codes.setdefault(name, len(self.codes))

    def names(self) -> Names:
        """Return the column of all names met."""
        return Names.of(self.codes)


@LoopStep
def word_at(data: Bytes, at: Any) -> Any:
    """Return the eight bytes from a place on, all of which are there, as a number: one instruction."""
    place, word = np.uint64(at), np.uint64(0)
    for k in range(np.uint64(8)):
        word |= np.uint64(data[place + k]) << (np.uint64(8) * k)
    return word


@LoopStep
def _last_bytes(data: Bytes, begin: int, end: int) -> Any:
    """Return `data[begin:end]`, less than eight bytes, as a number: at once where the data goes on so far."""
    size = np.uint64(8) * np.uint64(end - begin)
    if begin + 8 <= len(data):
        return word_at(data, begin) & ((np.uint64(1) << size) - np.uint64(1))
    word = np.uint64(0)
    for k in range(np.uint64(end - begin)):
        word |= np.uint64(data[np.uint64(begin) + k]) << (np.uint64(8) * k)
    return word


@LoopStep
def head_of(data: Bytes, begin: int, end: int) -> Any:
    """Return the first eight bytes of `data[begin:end]` as a number, zeros behind what is shorter."""
    return word_at(data, begin) if begin + 8 <= end else _last_bytes(data, begin, end)


@LoopStep
def hash_of(data: Bytes, begin: int, end: int, secret: Hashes) -> Any:
    """Return a 64-bit hash of `data[begin:end]`, which nobody can foretell who does not know the secret.

    Eight bytes at a time are multiplied with a secret number, and the product is folded, as wyhash does. For
    any two texts only about one secret in 2^60 makes the hashes the same.
    """
    key = secret[0] ^ np.uint64(end - begin)
    at = begin
    while at + 8 <= end:
        key = folded_product(key ^ word_at(data, at), secret[1])
        at += 8
    return folded_product(key ^ _last_bytes(data, at, end), secret[2])


@LoopStep
def same_bytes(left: Bytes, left_begin: int, left_end: int, right: Bytes, begin: int, end: int) -> bool:
    """Whether `left[left_begin:left_end]` and `right[begin:end]` are the same bytes."""
    if left_end - left_begin != end - begin:
        return False
    at, other = left_begin, begin
    while other + 8 <= end:
        if word_at(left, at) != word_at(right, other):
            return False
        at, other = at + 8, other + 8
    return bool(_last_bytes(left, at, left_end) == _last_bytes(right, other, end))


def table_size(names: int) -> int:
    """Return the power of two that leaves a hash table of so many names at least half empty."""
    return 1 << max(4, (2 * names - 1).bit_length())


@Kernel
def _hash_all(data: Bytes, starts: Ints, ends: Ints, secret: Hashes) -> Hashes:
    # a place for every name
    hashes = np.empty(len(starts), dtype=np.uint64)
    for i in range(len(starts)):
        hashes[i] = hash_of(data, starts[i], ends[i], secret)
    return hashes


@Kernel
def _hash_table(hashes: Hashes, size: int) -> Slots:
    # `table_size` made room: half of the slots stay free, so a search ends; the mask keeps it in the table
    slots = np.zeros(size, dtype=np.uint32)
    mask, one = np.uint64(size - 1), np.uint64(1)
    for i in range(len(hashes)):
        slot = hashes[i] & mask
        while slots[slot]:
            slot = (slot + one) & mask
        slots[slot] = marked(hashes[i], i, mask)
    return slots


@LoopStep
def marked(key: Any, code: Any, mask: Any) -> Any:
    """Return what is in the slot of a name: 1 + its code, and in the bits above some bits of its hash.

    There are more slots than codes, so the bits of the mask are enough for one.
    """
    return ((key >> np.uint64(32)) & np.uint64(0xFFFFFFFF) & ~mask) | (np.uint64(code) + np.uint64(1))


@Kernel
def _match(
    data: Bytes,
    starts: Ints,
    ends: Ints,
    hashes: Hashes,
    table: Bytes,
    table_starts: Ints,
    table_ends: Ints,
    slots: Slots,
) -> Codes:
    # a place for every name; the search ends as in `_hash_table`
    found = np.full(len(starts), -1, dtype=np.int32)
    mask, one = np.uint64(len(slots) - 1), np.uint64(1)
    size, soon = np.uint64(len(starts)), np.uint64(_SOON)
    for i in range(size):
        if i + soon < size:
            prefetch(slots, hashes[i + soon] & mask)
        slot = hashes[i] & mask
        entry = np.uint64(slots[slot])
        while entry:
            other = (entry & mask) - one
            if entry == marked(hashes[i], other, mask) and same_bytes(
                data, starts[i], ends[i], table, table_starts[other], table_ends[other]
            ):
                found[i] = other
                break
            slot = (slot + one) & mask
            entry = np.uint64(slots[slot])
    return found
