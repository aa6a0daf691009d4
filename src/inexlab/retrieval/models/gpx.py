"""GPX: scores of leaves, handed up the tree."""

from __future__ import annotations

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.errors import UsageError
from inexlab.retrieval.candidates import Candidates
from inexlab.retrieval.model import Statistics, model
from inexlab.tables import Codes, Floats


@model("gpx")
def gpx(c: Candidates, s: Statistics, k: float = 5, one: float = 0.49, many: float = 0.99) -> Floats:
    """GPX: `gpx(k=5,one=0.49,many=0.99)`.

    own score = k^(m - 1) · Σ weight · tf / f, over the query's terms in the unit's own text (what is in none
                of its parts), m of them wanted, with f the term's frequency in the collection
    score     = own score + D · Σ scores of its parts; D = one if one part has a score, else many

    Source: Geva, GPX at INEX 2005-2006; the constants are recalled, not verified.
    """
    if not (k > 0 and 0 <= one <= 1 and 0 <= many <= 1):
        raise UsageError(f"gpx: k must be > 0, one and many from 0 to 1, not {k:g}, {one:g} and {many:g}.")
    own = c.frequency.astype(np.float64)
    inner = np.flatnonzero(c.parent >= 0)
    np.subtract.at(own, c.parent[inner], c.frequency[inner])
    matched = np.count_nonzero(own[:, s.weight > 0], axis=1)
    sums: Floats = np.zeros(len(c))
    for t, weight in enumerate((s.weight / s.frequency).tolist()):  # whatever other candidates there are
        sums += own[:, t] * weight
    scores: Floats = k ** np.maximum(matched - 1.0, 0.0) * sums
    _hand_up.for_work(4 * len(c))(scores, c.parent, one, many)
    return scores


@Kernel
def _hand_up(scores: Floats, parent: Codes, one: float, many: float) -> None:
    """Add to every unit's own score what its parts have; a unit comes before its parts.

    `parent` is a place among the candidates, or -1: `candidates` wrote it.
    """
    parts = np.zeros(len(scores), dtype=np.int32)
    sums = np.zeros(len(scores))
    for c in range(len(scores) - 1, -1, -1):
        scores[c] += (one if parts[c] == 1 else many) * sums[c]
        if parent[c] >= 0 and scores[c] != 0:
            parts[parent[c]] += 1
            sums[parent[c]] += scores[c]
