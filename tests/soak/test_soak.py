"""A small share of the trials of `make soak`, the same ones every time."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from soak.__main__ import PARTS

# the share of each; loops with checks take minutes to compile, tests of the scan read some articles, the laws
# are these tests, and so are the saves (tests/web)
SHARES = {
    "readers": 0.005,
    "scanner": 0.005,
    "queries": 0.02,
    "kills": 0.02,
    "disks": 0.1,
    "damage": 0.05,
    "replacing": 0.02,
}


def test_all_parts_are_tried_but_four() -> None:
    assert set(PARTS) - set(SHARES) == {"kernels", "articles", "laws", "saves"}


@pytest.mark.usefixtures("forks")
@pytest.mark.parametrize("part", SHARES)
def test_a_share_of_the_soak(part: str, tmp_path: Path) -> None:
    figures, failures = PARTS[part](tmp_path, random.Random(part), SHARES[part])
    assert failures == [], figures
