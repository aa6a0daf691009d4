"""Corrections for many tests at once: adjusted p-values, to be compared with the level itself."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from inexlab.errors import UnknownNameError
from inexlab.tables import Floats


def adjust(p: Floats, method: str) -> Floats:
    """Return adjusted p-values: a hypothesis is rejected where its value is at most the level.

    `by` (Benjamini and Yekutieli) bounds the share of false discoveries under any dependence, as
    comparisons of the same systems have; `bh` (Benjamini and Hochberg) if the tests are independent;
    `holm` and `bonferroni` bound the probability of any false discovery; `none` leaves p as it is.

    Source: Ogilvie and Lalmas (2006), equations 11-12.

    >>> adjust(np.array([0.001, 0.008, 0.02, 0.04, 0.3]), "by").round(4).tolist()
    [0.0114, 0.0457, 0.0761, 0.1142, 0.685]
    """
    if method not in _METHODS:
        raise UnknownNameError("correction", method, _METHODS)
    flat = np.asarray(p, dtype=np.float64).ravel()
    return _METHODS[method](flat).reshape(np.shape(p)) if len(flat) else np.asarray(p, dtype=np.float64)


def _step_up(p: Floats, factor: float) -> Floats:
    """The smallest level at which p(i) <= i level / (factor m), or a later one passes."""
    order = np.argsort(p, kind="stable")
    scaled = p[order] * factor * len(p) / np.arange(1, len(p) + 1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(scaled[::-1])[::-1])
    return adjusted


def _holm(p: Floats) -> Floats:
    order = np.argsort(p, kind="stable")
    scaled = p[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(scaled))
    return adjusted


_METHODS: dict[str, Callable[[Floats], Floats]] = {
    "by": lambda p: _step_up(p, float((1 / np.arange(1, len(p) + 1)).sum())),
    "bh": lambda p: _step_up(p, 1.0),
    "holm": _holm,
    "bonferroni": lambda p: np.minimum(1.0, p * len(p)),
    "none": lambda p: p.copy(),
}

CORRECTIONS = tuple(_METHODS)
