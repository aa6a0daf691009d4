"""Lnu-ltu, the weighting of Smart."""

from __future__ import annotations

from math import log  # which is the same, compiled or not; that of numpy is not

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.errors import UsageError
from inexlab.retrieval.candidates import Candidates, Frequencies
from inexlab.retrieval.model import Statistics, model
from inexlab.tables import Codes, Floats


def _bound(c: Candidates, s: Statistics, slope: float = 0.2, pivot: float = 0.0) -> Floats:
    """Bound Lnu-ltu: as many different terms in a unit as make its norm the least there can be.

    A unit of L tokens has from 1 to L different terms U. Between two numbers of them the norm is at least
    (1 + ln(L / larger)) ((1 - slope) pivot + slope · smaller); longer units do not have a smaller one.
    """
    length = np.maximum(c.length, 1).astype(np.float64)
    larger = np.minimum(length[:, None], 1.25 ** np.arange(1, 101)[None, :])
    smaller = larger / 1.25
    pivot = pivot or s.mean_terms
    norm = ((1 + np.log(length[:, None] / larger)) * ((1 - slope) * pivot + slope * smaller)).min(axis=1)
    qtf = np.sign(s.weight) * (1 + np.log(np.maximum(np.abs(s.weight), 1)))
    tf = c.frequency[:, 0].astype(np.float64)
    # the query's terms are not known here; a norm of the query that is too small makes bounds too large
    ltu = float(qtf[0] * np.log(s.units / s.units_with[0]) / ((1 - slope) * pivot + slope))
    return np.where(tf > 0, ltu * (1 + np.log(np.maximum(tf, 1))) / norm, 0.0)


@model("lnu-ltu", bound=_bound)
def lnu_ltu(c: Candidates, s: Statistics, slope: float = 0.2, pivot: float = 0.0) -> Floats:
    """Smart's pivoted weighting by unique terms: `lnu-ltu(slope=0.2,pivot=0)`.

    Lnu   = (1 + ln tf) / (1 + ln mean tf) / ((1 - slope) pivot + slope · U), U different terms in the unit
    ltu   = (1 + ln qtf) ln(N / n) / ((1 - slope) pivot + slope · U_q), U_q different terms in the query
    score = Σ Lnu · ltu

    pivot=0 stands for the mean number of different terms over the collection's units.

    Source: Singhal, Buckley and Mitra (1996), as used by Cherukuri (2010) §3.2. Natural logarithms.

    Example: a unit with xml three times and retrieval once, slope .2, pivot 10: Lnu of xml is .1475565; the
    query xml, N = 100, n = 5: score .0539073.
    """
    if not (0 <= slope <= 1 and pivot >= 0):
        raise UsageError(f"lnu-ltu: slope must be from 0 to 1 and pivot >= 0, not {slope:g} and {pivot:g}.")
    pivot = pivot or s.mean_terms
    qtf = np.sign(s.weight) * (1 + np.log(np.maximum(np.abs(s.weight), 1)))
    ltu = qtf * np.log(s.units / s.units_with) / ((1 - slope) * pivot + slope * len(s.weight))
    score = _score.for_work(4 * c.frequency.size)
    return score(c.frequency, c.length, c.terms, ltu, (1 - slope) * pivot, slope)


@Kernel
def _score(
    frequency: Frequencies, length: Codes, terms: Codes, ltu: Floats, constant: float, slope: float
) -> Floats:
    # a place for every candidate, as in all columns of candidates; a weight for every term of `frequency`
    scores = np.zeros(len(length))
    for c in range(len(length)):
        norm = (1 + log(length[c] / terms[c])) * (constant + slope * terms[c])
        for t in range(len(ltu)):
            tf = frequency[c, t]
            if tf:
                scores[c] += ltu[t] * (1 + log(tf)) / norm
    return scores
