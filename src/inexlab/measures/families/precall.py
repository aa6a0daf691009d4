"""precall, the measure of INEX 2002-2004 (inex_eval): expected precision at recall, with ties."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, nan

import numpy as np

from inexlab.judgements.quantisation import Quantisation, parse_quantisation
from inexlab.measures.breakdown import Breakdown, by_tied_rank
from inexlab.measures.elements import ElementEvidence, ElementTopic, element_evidence
from inexlab.measures.measure import Parameter, measure
from inexlab.measures.results import Mask
from inexlab.tables import Floats, Ints

_QUANT = Parameter("quant", Quantisation("gen"), "how grades become a value", reader=parse_quantisation)
_NNR = Parameter(
    "nnr",
    "whole",
    "expected non-relevant elements taken from a tied rank",
    choices=("whole", "count", "mass", "mass+1"),
    quiet=True,
)
_POINTS = Parameter("points", 100, "recall levels averaged over", quiet=True, minimum=1)
_DUPLICATES = Parameter(
    "duplicates", "zero", "an element returned again", choices=("zero", "drop", "keep"), quiet=True
)
_TOLERANCE = 1e-11  # sums of values in another order differ by rounding


def _breakdown(
    topic: ElementTopic,
    quant: Quantisation,
    duplicates: str,
    **_parameters: object,
) -> Breakdown:
    """Take a topic's score apart by result."""
    evidence = topic.evidence
    value = quant.for_scale(evidence.elements.scale).values(evidence.elements)
    gain, rank, dropped = _tied_ranks(evidence, topic, value, duplicates)
    return by_tied_rank(topic, value, gain, rank, dropped, _total(topic, value))


@measure(
    "precall",
    element_evidence,
    _QUANT,
    _NNR,
    _POINTS,
    _DUPLICATES,
    cutoff="optional recall",
    curve=[Fraction(k, 100) for k in range(1, 101)],
    breakdown=_breakdown,
)
def precall(
    topic: ElementTopic, cutoff: Fraction | None, quant: Quantisation, nnr: str, points: int, duplicates: str
) -> float:
    """Expected precision over 100 recall levels, or at one: `precall(quant=gen4)`, `precall(quant=gen4)@0.1`.

    n    = sum of the values of all relevant elements
    r    = the first rank at which the values returned reach x n; results with one rsv form one rank
    left = x n - values returned before rank r
    NNR  = elements without value before rank r + expected number of them taken from rank r
    P(x) = x n / (x n + NNR), and 0 where recall x is never reached

    From a rank with c relevant elements of values that add up to m, and b without value, k = ⌈left c /
    m⌉ relevant ones are still wanted, and the expected number of others met is k b / (c + 1), exact for
    binary values (nnr=whole). Rivals: nnr=count is left b / (c + 1), mass is left b / m, mass+1 is left
    b / (m + 1).

    The first 1,500 results of the run count (of INEX runs, in file order). An element returned again has
    no value (duplicates=zero). No overlap is handled. `precall(…)@*` gives the curve at 100 levels,
    points=11 averages over 11.

    Source: Ogilvie and Lalmas (2006) §2.6.1. Equation 5 there divides by r, the number of the rank, a
    misprint: what a tied rank costs cannot depend on how many ranks precede it.

    Example: one rank of two relevant and two other elements, n = 2: P(.5) = 1 / (1 + 1 × 2/3) = .6.
    """
    evidence = topic.evidence
    quant = quant.for_scale(evidence.elements.scale)
    value = quant.values(evidence.elements)
    total = _total(topic, value)
    if not total:
        return nan
    levels = [float(cutoff)] if cutoff is not None else [(k + 1) / points for k in range(points)]
    if cutoff is None and points == 11:
        levels = [k / 10 for k in range(11)]
    mass, relevant, others = _ranks(evidence, topic, value, duplicates)
    before = np.concatenate(([0.0], np.cumsum(mass)))
    others_before = np.concatenate(([0], np.cumsum(others)))
    precision = 0.0
    for x in levels:
        wanted = x * total
        # at recall 0 the formula is 0 / 0; taken as its limit: 1 if the first element met is relevant, else 0
        rank = int(np.searchsorted(before[1:], max(wanted - _TOLERANCE * total, _TOLERANCE * total)))
        if rank == len(mass):
            continue
        left = max(0.0, wanted - before[rank])
        met = others_before[rank] + _expected(
            nnr, left, float(mass[rank]), int(relevant[rank]), int(others[rank])
        )
        if x == 0:
            precision += others_before[rank] + others[rank] == 0
        else:
            precision += wanted / (wanted + met)
    return float(precision / len(levels))


def _ranks(
    evidence: ElementEvidence, topic: ElementTopic, value: Floats, duplicates: str
) -> tuple[Floats, Ints, Ints]:
    """Return of each rank (results of equal rsv) the sum of values, and how many have a value or none."""
    gain, rank, dropped = _tied_ranks(evidence, topic, value, duplicates)
    gain, rank = gain[~dropped], rank[~dropped]
    count = int(rank.max()) + 1 if len(rank) else 0
    return (
        np.bincount(rank, weights=gain, minlength=count).astype(np.float64),
        np.bincount(rank[gain > 0], minlength=count),
        np.bincount(rank[gain <= 0], minlength=count),
    )


def _tied_ranks(
    evidence: ElementEvidence, topic: ElementTopic, value: Floats, duplicates: str
) -> tuple[Floats, Ints, Mask]:
    """Return of each result its value as counted, the number of its rank, and whether it is left out."""
    part = slice(*evidence.results.results_from[topic.number : topic.number + 2])
    element, score = evidence.element[part], evidence.score[part]
    dropped = np.zeros(len(element), dtype=np.bool_)
    gain = np.where(element >= 0, value[element], 0.0) if len(value) else np.zeros(len(element))
    if duplicates != "keep":
        unknown = element < 0  # these have no value to lose, but may be dropped: by document and place
        document = np.where(unknown, evidence.results.document[part], -1)
        own = evidence.place[part] if duplicates == "drop" else np.arange(len(element))
        place = np.stack((element, document, np.where(unknown, own, -1)))
        _, first = np.unique(place, axis=1, return_index=True)
        again = np.setdiff1d(np.arange(len(element)), first)
        gain[again] = 0.0
        dropped[again] = duplicates == "drop"
    if np.isnan(score).any():  # without all scores every result is a rank of its own, in the order of the run
        score = -np.arange(len(score), dtype=np.float64)
    rank = np.zeros(len(score), dtype=np.int64)
    rank[~dropped] = np.unique(-score[~dropped], return_inverse=True)[1]
    return gain, rank, dropped


def _total(topic: ElementTopic, value: Floats) -> float:
    """Return the sum of the values of the topic's relevant elements."""
    rows = topic.evidence.judgements.rows_from[topic.number : topic.number + 2]
    return float(value[slice(*topic.evidence.elements.elements_from[rows])].sum())


def _expected(nnr: str, left: float, mass: float, relevant: int, others: int) -> float:
    """Return the expected number of elements without value met while taking `left` from a tied rank."""
    if not mass:
        return 0.0
    if nnr == "whole":
        return ceil(left * relevant / mass - _TOLERANCE) * others / (relevant + 1)
    return left * others / {"count": relevant + 1, "mass": mass, "mass+1": mass + 1}[nnr]
