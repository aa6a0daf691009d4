"""GPX: scores of leaves, handed up the tree."""

from __future__ import annotations

import numpy as np

from inexlab.retrieval.candidates import Candidates
from inexlab.retrieval.model import Statistics, model
from inexlab.tables import Floats


@model("gpx")
def gpx(c: Candidates, s: Statistics, k: float = 5, one: float = 0.49, many: float = 0.99) -> Floats:
    """GPX: `gpx(k=5,one=0.49,many=0.99)`.

    own score = k^(m - 1) · Σ weight · tf / f, for the m query terms in the unit's own text (what is in none
                of its parts), with f the term's frequency in the collection
    score     = own score + D · Σ scores of its parts; D = one if one part has a score, else many

    Source: Geva, GPX at INEX 2005-2006; the constants are recalled, not verified.
    """
    own = c.frequency.astype(np.float64)
    inner = np.flatnonzero(c.parent >= 0)
    np.subtract.at(own, c.parent[inner], c.frequency[inner])
    weights = s.weight / np.maximum(s.frequency, 1)
    matched = np.count_nonzero(own > 0, axis=1)
    scores: Floats = np.where(matched > 0, k ** (matched - 1.0), 0.0) * (own @ weights)
    parts, sums = np.zeros(len(c), dtype=np.int64), np.zeros(len(c))
    # parts before wholes: an element comes after what it is in
    for i in np.argsort(-c.element, kind="stable").tolist():
        scores[i] += (one if parts[i] == 1 else many) * sums[i]
        up = c.parent[i]
        if up >= 0 and scores[i] != 0:
            parts[up] += 1
            sums[up] += scores[i]
    return scores
