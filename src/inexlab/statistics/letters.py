"""Compact letter display: letters that systems share if they are not shown to differ.

Significance is not transitive: a may differ from c though neither differs from b. So a system can carry
several letters, and two systems share a letter if and only if no difference between them was found.
"""

from __future__ import annotations

import itertools
import string

import numpy as np
import numpy.typing as npt


def letters(different: npt.NDArray[np.bool_]) -> list[str]:
    """Return the letters of each system, given which pairs differ; systems should come best first.

    Each letter is a group of systems of which no two differ. Groups are grown greedily, best systems
    first, until every pair that does not differ shares one: all groups there could be would be too many
    for a large campaign.

    >>> letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool))
    ['a', 'ab', 'b']
    """
    count = len(different)
    alike = ~(different | different.T)
    np.fill_diagonal(alike, False)
    neighbours = [_bits(row) for row in alike]  # sets of systems as bits
    uncovered = list(neighbours)
    groups: list[int] = []
    for i in range(count):
        while uncovered[i] or (not neighbours[i] and not any(group >> i & 1 for group in groups)):
            group, candidates = 1 << i, neighbours[i]
            while candidates:
                wanted = candidates & uncovered[i] or candidates
                nearest = wanted & -wanted
                group |= nearest
                candidates &= neighbours[nearest.bit_length() - 1]
            groups.append(group)
            for k in range(count):
                if group >> k & 1:
                    uncovered[k] &= ~group
    groups = _without_redundant(groups, count)
    names = list(itertools.islice(_names(), len(groups)))
    return [
        "".join(n for n, group in zip(names, groups, strict=True) if group >> i & 1) for i in range(count)
    ]


def _without_redundant(groups: list[int], count: int) -> list[int]:
    """Drop groups whose every pair of members shares another group, the smallest first."""
    shared = np.zeros((count, count), dtype=np.int64)
    members = {g: np.flatnonzero([groups[g] >> i & 1 for i in range(count)]) for g in range(len(groups))}
    for inside in members.values():
        shared[np.ix_(inside, inside)] += 1
    for g in sorted(members, key=lambda g: len(members[g])):
        block = np.ix_(members[g], members[g])
        if (shared[block] > 1).all():
            shared[block] -= 1
            groups[g] = 0
    return [group for group in groups if group]


def _bits(row: npt.NDArray[np.bool_]) -> int:
    return sum(1 << int(i) for i in np.flatnonzero(row))


def _names() -> itertools.chain[str]:
    """a, b, …, z, A, …, Z, then several letters in brackets."""
    single = string.ascii_letters
    longer = (itertools.product(single, repeat=size) for size in itertools.count(2))
    return itertools.chain(single, (f"({''.join(name)})" for names in longer for name in names))
