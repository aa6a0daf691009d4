"""The table of tags: their names, which a scan looks up, and what each tag is to the index."""

from __future__ import annotations

import numpy as np

from inexlab.accelerate import Kernel, LoopStep
from inexlab.index.bits import Words
from inexlab.index.characters import int64
from inexlab.index.keys import KEY_BYTES, hash_of_key, key_at
from inexlab.tables import Bytes, Codes, Hashes, hash_of, same_bytes

# what a tag is to the index
UNIT, INLINE, SKIPPED = 0, 1, 2

# The table of tags: codes by hash, -1 if there is none; of each tag the first 16 bytes, where its name
# begins in a pool, that pool, and what it is to the index; how many there are; what hashes are made with.
Tags = tuple[Codes, Words, Codes, Bytes, Bytes, Codes, Hashes]


@LoopStep
def find_tag(data: Bytes, begin: int, stop: int, tags: Tags) -> int:
    """Return the code of the tag between two bytes, -1 if there is no room for a new one.

    A new one is added as a unit of retrieval. There are four slots to a tag that there is room for, so a
    search always ends at a free one.
    """
    slots, keys, tag_from, pool, kinds, count, secret = tags
    low, high = key_at(data, begin, stop - begin)
    mask = np.uint64(len(slots) - 1)
    slot = _tag_hash(data, begin, stop, low, high, secret) & mask
    code = slots[slot]
    while code >= 0:
        if (
            keys[code, 0] == low
            and keys[code, 1] == high
            and same_bytes(data, begin, stop, pool, tag_from[code], tag_from[code + 1])
        ):
            return int64(code)
        slot = (slot + np.uint64(1)) & mask
        code = slots[slot]
    new = int64(count[0])
    place = tag_from[new]
    if new + 2 > len(tag_from) or place + stop - begin > len(pool):
        return -1
    for k in range(stop - begin):
        pool[place + k] = data[begin + k]
    keys[new, 0], keys[new, 1] = low, high
    tag_from[new + 1] = place + stop - begin
    kinds[new] = UNIT
    slots[slot] = new
    count[0] = new + 1
    return new


@LoopStep
def _tag_hash(
    data: Bytes, begin: int, stop: int, low: np.uint64, high: np.uint64, secret: Hashes
) -> np.uint64:
    """Return the hash of a tag: of its key, where that is all of it, else of all its bytes."""
    return hash_of_key(low, high, secret) if stop - begin <= KEY_BYTES else hash_of(data, begin, stop, secret)


@Kernel
def forget_tags(tags: Tags, known: int) -> None:
    """Take back the tags that were added last, on which no others depend, so that `known` stay.

    Every tag is in a slot, where the search for it ends: none but the last places of a search become free.
    """
    slots, keys, tag_from, pool, _, count, secret = tags
    mask = np.uint64(len(slots) - 1)
    for code in range(count[0] - 1, known - 1, -1):
        low, high = keys[code, 0], keys[code, 1]
        slot = _tag_hash(pool, tag_from[code], tag_from[code + 1], low, high, secret) & mask
        while slots[slot] != code:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = -1
    count[0] = known


@Kernel
def rehash_tags(tags: Tags, larger: Tags) -> None:
    """Put all tags into larger tables, which have room for twice as many, and four slots to each."""
    _, old_keys, old_from, old_pool, old_kinds, old_count, _ = tags
    slots, keys, tag_from, pool, kinds, count, secret = larger
    mask = np.uint64(len(slots) - 1)
    for code in range(old_count[0]):
        low, high, begin, stop = old_keys[code, 0], old_keys[code, 1], old_from[code], old_from[code + 1]
        slot = _tag_hash(old_pool, begin, stop, low, high, secret) & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = code
        keys[code, 0], keys[code, 1] = low, high
        tag_from[code + 1] = stop
        kinds[code] = old_kinds[code]
        for k in range(begin, stop):
            pool[k] = old_pool[k]
    count[0] = old_count[0]
