"""How much may come out of what is packed: a few bytes can stand for any number of them.

A file may grow 200-fold, and in memory to 4 GiB; below 16 MiB nobody asks. Text and XML shrink by five to
twenty times, so what is refused was made to be. The environment variable
`INEXLAB_ANY_SIZE`, which child processes inherit, lifts both limits.
"""

from __future__ import annotations

import os

TIMES = 200
MOST_IN_MEMORY = 1 << 32  # bytes
LARGEST_DOCUMENT = 1 << 30  # bytes, so that 32 bits count whatever is in one
_FREE = 1 << 24  # bytes
ANY_SIZE = "INEXLAB_ANY_SIZE"
ALLOW_ANY_SIZE = f"set the environment variable {ANY_SIZE}=yes"  # the command line has an option for it


class TooLargeError(Exception):
    """Something unpacked is larger than it may be."""


def need_limits(unpacked: int, packed: int | None, *, in_memory: bool = True) -> None:
    """Refuse data that unpacked to too many bytes; `packed` is None if unknown."""
    if unpacked <= _FREE or os.environ.get(ANY_SIZE):
        return
    if packed is not None and unpacked > TIMES * packed:
        raise TooLargeError(
            f"grows more than {TIMES}-fold when unpacked, which no run, judgements or documents do"
        )
    if in_memory and unpacked > MOST_IN_MEMORY:
        raise TooLargeError(f"is larger than {MOST_IN_MEMORY:,} bytes when unpacked")
