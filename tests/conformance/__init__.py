"""Worked cases with expected values, and outputs of the official tool; README.md says what is where.

They are plain files, 6 MB of them: git packs them to less than 1 MB, anybody can look at a case, and try a
command on one, without unpacking anything.
"""

from __future__ import annotations

import math
from pathlib import Path

CONFORMANCE = Path(__file__).resolve().parent
OFFICIAL = CONFORMANCE / "official"
CASES = sorted((CONFORMANCE / "cases").iterdir(), key=lambda path: int(path.name))


def same(found: float | None, value: float | None) -> bool:
    """Compare within 1e-9, absolute below 1 and relative above."""
    if found is None or value is None:
        return found is value
    return math.isclose(found, value, rel_tol=1e-9, abs_tol=1e-9)
