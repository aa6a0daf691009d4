"""Agreement of decisions: how far one condition finds the differences that another finds.

A condition is a quantisation, a measure or a set of judgements. Ogilvie and Lalmas (2006) §3.4, Tables
3 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from inexlab.errors import UsageError
from inexlab.scores import Scores
from inexlab.statistics.comparison import Comparison
from inexlab.tables import Floats


class Difference(NamedTuple):
    """One ordered pair in two conditions: the differences of means, and who found it significant.

    `found` is a hit, a miss (by the truth only) or a false alarm (by the predictor only).
    """

    a: str
    b: str
    by_predictor: float
    by_truth: float
    found: str


@dataclass(frozen=True)
class Agreement:
    """How well each condition (row) predicts the decisions of each other (column).

    `share` is the percentage of pairs of systems each finds different; recall[r, c] = found by both /
    found by c, precision[r, c] = found by both / found by r, NaN if nothing was found. The paper
    prints a union where the intersection is meant: with a union recall could not be below 1.
    """

    conditions: tuple[str, ...]
    share: Floats
    recall: Floats
    precision: Floats
    f1: Floats
    warnings: tuple[str, ...] = ()  # of few topics, to be shown with the table


def agreement(comparisons: Sequence[Comparison], *, min_difference: float = 0.0) -> Agreement:
    """Compare the decisions of all conditions; differences below `min_difference` count as not found."""
    if len(comparisons) < 2:
        raise UsageError("there is only one condition; give at least two.")
    names = tuple(c.matrix.name for c in comparisons)
    systems = comparisons[0].matrix.systems
    if any(c.matrix.systems != systems for c in comparisons):
        raise UsageError("the conditions compare different systems.")
    found = np.array([_decisions(c, min_difference) for c in comparisons])
    counts = found.sum(axis=(1, 2)).astype(np.float64)
    both = np.einsum("rij,cij->rc", found.astype(np.int64), found.astype(np.int64)).astype(np.float64)
    recall = np.divide(both, counts[None, :], out=np.full(both.shape, np.nan), where=counts[None, :] > 0)
    precision = np.divide(both, counts[:, None], out=np.full(both.shape, np.nan), where=counts[:, None] > 0)
    sums = counts[:, None] + counts[None, :]
    defined = (counts[:, None] > 0) & (counts[None, :] > 0)
    f1 = np.divide(2 * both, sums, out=np.full(both.shape, np.nan), where=defined)
    pairs = len(systems) * (len(systems) - 1) / 2
    few = tuple(dict.fromkeys(c.few_topics for c in comparisons if c.few_topics))
    return Agreement(names, 100 * counts / pairs, recall, precision, f1, few)


def differences(predictor: Comparison, truth: Comparison, *, min_difference: float = 0.0) -> list[Difference]:
    """Return the data of the paper's Figure 1 (x: the predictor): pairs that either found different."""
    predicted, true = _decisions(predictor, min_difference), _decisions(truth, min_difference)
    means = [c.matrix.totals() for c in (predictor, truth)]
    names = predictor.matrix.systems
    kinds = {(True, True): "hit", (False, True): "miss", (True, False): "false alarm"}
    return [
        Difference(
            names[a],
            names[b],
            float(means[0][a] - means[0][b]),
            float(means[1][a] - means[1][b]),
            kinds[bool(predicted[a, b]), bool(true[a, b])],
        )
        for a, b in zip(*np.nonzero(predicted | true), strict=True)
    ]


def _decisions(
    comparison: Comparison, min_difference: float
) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Which ordered pairs were found different, by at least so much."""
    if not min_difference:
        return comparison.better
    means = comparison.matrix.totals()
    large = means[:, None] - means[None, :] >= min_difference
    decided: np.ndarray[tuple[int, int], np.dtype[np.bool_]] = comparison.better & large
    return decided


def common_topics(matrices: Sequence[Scores]) -> tuple[list[Scores], list[str]]:
    """Return the matrices on the topics that all have, and the topics left out."""
    shared = [t for t in matrices[0].topics if all(t in m.topics for m in matrices)]
    if not shared:
        raise UsageError("the conditions have no topic in common.")
    everything = {topic for m in matrices for topic in m.topics}
    kept = [
        Scores(m.systems, tuple(shared), m.values[:, [m.topics.index(t) for t in shared]], m.name)
        for m in matrices
    ]
    return kept, sorted(everything - set(shared))
