"""Indexes with one byte changed: no answer is wrong."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from tests.index.damage import answers, damaged_answers
from tests.index.test_damage import article

from inexlab.index.build import build_index
from soak._trial import Result, attempt, some


def damaged_indexes(folder: Path, chance: random.Random, share: float) -> Result:
    """Change a byte, ask, and compare with the answers of the sound index."""
    build_index(((f"d{k}", f"d{k}.xml", article(k)) for k in range(40)), folder / "index")
    sound, failures = answers(folder / "index"), list[str]()
    endings: Counter[str] = Counter()
    for number in range(some(1_000, share)):
        ended = attempt(
            lambda: damaged_answers(folder / "index", chance, sound), f"damage {number}", failures
        )
        endings[str(ended)] += 1
        if ended == "wrong":
            failures.append(f"damage {number}: a wrong answer")
    return f"{endings['refused']:,} damages refused, {endings['right']:,} without effect", failures
