"""BM25."""

from __future__ import annotations

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.errors import UsageError
from inexlab.retrieval.candidates import Candidates, Frequencies
from inexlab.retrieval.model import Statistics, model
from inexlab.tables import Codes, Floats


@model("bm25", bound=True)
def bm25(c: Candidates, s: Statistics, k1: float = 1.2, b: float = 0.75) -> Floats:
    """BM25 over units of retrieval: `bm25(k1=1.2,b=0.75)`.

    idf   = ln(1 + (N - n + 0.5) / (n + 0.5)), N units of which n hold the term
    score = Σ weight · idf · tf / (tf + k1 (1 - b + b · length / mean length))

    Source: Robertson et al. (1994), in the form of Lucene.
    """
    if not (k1 >= 0 and 0 <= b <= 1):
        raise UsageError(f"bm25: k1 must be >= 0 and b from 0 to 1, not {k1:g} and {b:g}.")
    idf = np.log1p((s.units - s.units_with + 0.5) / (s.units_with + 0.5))
    scores = np.zeros(len(c.length))  # which a kernel that made them would take longer to hand over
    score = _score.for_work(2 * c.frequency.size)
    score(c.frequency, c.length, idf * s.weight, k1 * (1 - b), k1 * b / s.mean_length, scores)
    return scores


@Kernel
def _score(
    frequency: Frequencies, length: Codes, weight: Floats, constant: float, slope: float, scores: Floats
) -> None:
    # a place for every candidate, as in all columns of candidates; a weight for every term of `frequency`
    for c in range(len(length)):
        norm = constant + slope * length[c]
        for t in range(len(weight)):
            tf = frequency[c, t]
            if tf:
                scores[c] += weight[t] * (tf / (tf + norm))


@_score.with_numpy
def _score_all(
    frequency: Frequencies, length: Codes, weight: Floats, constant: float, slope: float, scores: Floats
) -> None:
    norm = constant + slope * length
    for t in range(len(weight)):
        held = np.flatnonzero(frequency[:, t])
        tf = frequency[held, t]
        scores[held] += weight[t] * (tf / (tf + norm[held]))
