"""Corrections for many tests at once: adjusted p-values, to be compared with the level itself.

Those of other packages come as plug-ins (entry points of the group `inexlab.statistics.corrections`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from inexlab.registry import Registry
from inexlab.tables import Floats

Adjust = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Correction:
    """A named correction; `adjust` gets the p-values of all hypotheses and gives the adjusted ones.

    `corrects` is false of the one that leaves p as it is.
    """

    name: str
    title: str
    adjust: Adjust
    corrects: bool = True

    def strictness(self, hypotheses: int) -> float:
        """Return by what the smallest of so many p-values is multiplied, where all others are large."""
        tiny = 2.0**-100  # a power of two: nothing is rounded
        p = np.ones(hypotheses)
        p[0] = tiny
        return float(self.adjust(p)[0]) / tiny


corrections: Registry[Correction] = Registry("correction", "inexlab.statistics.corrections")


def correction(name: str, title: str = "", *, corrects: bool = True) -> Callable[[Adjust], Adjust]:
    """Register the decorated function, from p-values to adjusted ones, as a correction."""

    def register(adjust: Adjust) -> Adjust:
        corrections.add(name, Correction(name, title or f"{name} correction", adjust, corrects))
        return adjust

    return register


def adjust(p: Floats, method: str) -> Floats:
    """Return adjusted p-values: a hypothesis is rejected where its value is at most the level.

    `by` (Benjamini and Yekutieli) bounds the share of false discoveries under any dependence, as
    comparisons of the same systems have; `bh` (Benjamini and Hochberg) if the tests are independent;
    `holm` and `bonferroni` bound the probability of any false discovery; `none` leaves p as it is.

    Source: Ogilvie and Lalmas (2006), equations 11-12.

    >>> adjust(np.array([0.001, 0.008, 0.02, 0.04, 0.3]), "by").round(4).tolist()
    [0.0114, 0.0457, 0.0761, 0.1142, 0.685]
    """
    chosen = corrections[method]
    flat = np.asarray(p, dtype=np.float64).ravel()
    return chosen.adjust(flat).reshape(np.shape(p)) if len(flat) else np.asarray(p, dtype=np.float64)


@correction("by", "Benjamini–Yekutieli correction")
def _benjamini_yekutieli(p: Floats) -> Floats:
    return _step_up(p, float((1 / np.arange(1, len(p) + 1)).sum()))


@correction("bh", "Benjamini–Hochberg correction")
def _benjamini_hochberg(p: Floats) -> Floats:
    return _step_up(p, 1.0)


def _step_up(p: Floats, factor: float) -> Floats:
    """The smallest level at which p(i) <= i level / (factor m), or a later one passes."""
    order = np.argsort(p, kind="stable")
    scaled = p[order] * factor * len(p) / np.arange(1, len(p) + 1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(scaled[::-1])[::-1])
    return adjusted


@correction("holm", "Holm correction")
def _holm(p: Floats) -> Floats:
    order = np.argsort(p, kind="stable")
    scaled = p[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(scaled))
    return adjusted


@correction("bonferroni", "Bonferroni correction")
def _bonferroni(p: Floats) -> Floats:
    return np.minimum(1.0, p * len(p))


@correction("none", "no correction", corrects=False)
def _uncorrected(p: Floats) -> Floats:
    return p.copy()
