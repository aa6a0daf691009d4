"""XCG, the extended cumulated gain measures of INEX 2005-2006: nxCG, MAnxCG, ep/gr, MAep, iMAep, Q and R.

Kazai and Lalmas (2005). All compare the gains of a run, rank by rank, with those of the ideal ranking
of the recall base.
"""

from __future__ import annotations

from fractions import Fraction
from math import nan
from typing import Any

import numpy as np

from inexlab.judgements.quantisation import Quantisation, parse_quantisation
from inexlab.judgements.recall_base import known_ideal
from inexlab.measures.breakdown import by_gain
from inexlab.measures.effort import Effort, at_level, effort_of
from inexlab.measures.elements import ElementTopic, element_evidence
from inexlab.measures.gains import ANCESTORS, OVERLAPS
from inexlab.measures.measure import Parameter, measure

_QUANT = Parameter("quant", Quantisation("gen"), "how grades become a value", reader=parse_quantisation)
_OVERLAP = Parameter(
    "overlap",
    "off",
    "off: elements count in full; on: only what is new; 2006: up to the ideal one's value",
    choices=OVERLAPS,
)
_ALPHA = Parameter(
    "alpha", Fraction(1), "intolerance of text seen before", when=("overlap", "on"), quiet=True, maximum=1
)
_IDEAL = Parameter(
    "ideal", "official", "construction of the ideal recall base", quiet=True, reader=known_ideal
)
_ANCESTORS = Parameter(
    "ancestors", "sum", "bound of an element above several ideal ones", choices=ANCESTORS, quiet=True
)
_DUPLICATES = Parameter(
    "duplicates",
    "zero",
    "an element returned again",
    choices=("zero", "keep"),
    when=("overlap", "off"),
    quiet=True,
)
_GAINS = (_QUANT, _OVERLAP, _ALPHA, _IDEAL, _ANCESTORS, _DUPLICATES)
_DIVISOR = Parameter(
    "divisor", "max", "what the sum is divided by", choices=("max", "recall_base"), quiet=True
)
_LEVEL = Parameter(
    "level",
    "run",
    "Fetch & Browse: rank articles, or the elements of each article",
    quiet=True,
    choices=("run", "article", "element"),
)
_SCORE = Parameter(
    "score",
    "auto",
    "value of an article: its root's, the best inside, or by quantisation",
    quiet=True,
    choices=("auto", "article", "max"),
    when=("level", "article"),
)
_CLUSTERS = Parameter(
    "clusters",
    "run",
    "articles to average over: the run's, or all relevant ones",
    quiet=True,
    choices=("run", "relevant"),
    when=("level", "element"),
)
_LEVELS_OF_BROWSING = (_LEVEL, _SCORE, _CLUSTERS)
_EFFORT = (*_GAINS, _DIVISOR, *_LEVELS_OF_BROWSING)


@measure("nxCG", element_evidence, *_GAINS, cutoff="rank", curve=range(15, 1501, 15), breakdown=by_gain)
def nxcg(topic: ElementTopic, cutoff: int, quant: Quantisation, overlap: str, **options: Any) -> float:
    """Normalised extended cumulated gain at a rank: `nxCG(quant=gen5,overlap=off)@10`.

    xCG[i]  = gain of results 1..i
    xCI[i]  = gain of the first i elements of the ideal ranking: the recall base, largest value first
    nxCG@i  = xCG[i] / xCI[i]; after the end of either list its sum stays what it is

    With overlap=off gains are the elements' values and the recall base is the full one; with overlap=on
    and 2006 gains depend on what was returned before, and the recall base is the ideal one
    (`inexlab.measures.gains`). `nxCG(…)@*` gives the official graph: every 1% of 1,500 ranks.

    Source: Kazai and Lalmas (2005), equations 4-10; Lalmas and Tombros (2007), equations 12-13.

    Example: the recall base has the values 1, .75, .5, .25, the run gains .5, 0, 1, .25, 0, .75: nxCG
    is .5, .285714, .666667, .7, .7, 1 at the ranks 1 to 6.
    """
    curve = effort_of(topic.evidence, quant, overlap, **options).normalised(topic.number)
    return float(curve[min(cutoff, len(curve)) - 1]) if len(curve) else nan


@measure("MAnxCG", element_evidence, *_GAINS, cutoff="rank", breakdown=by_gain)
def manxcg(topic: ElementTopic, cutoff: int, quant: Quantisation, overlap: str, **options: Any) -> float:
    """Mean of nxCG over the ranks up to one: `MAnxCG(quant=gen5,overlap=off)@10`.

    MAnxCG@i = (nxCG@1 + … + nxCG@i) / i

    Source: Kazai and Lalmas (2005), equation 6; called MAxCG in Lalmas and Tombros (2007), equation 14.

    Example: the recall base has the values 1, .75, .5, .25, the run gains .5, 0, 1, .25, 0, .75:
    MAnxCG@4 = .538095.
    """
    curve = effort_of(topic.evidence, quant, overlap, **options).normalised(topic.number)
    if not len(curve):
        return nan
    flat = np.full(max(0, cutoff - len(curve)), curve[-1])
    return float(np.concatenate((curve[:cutoff], flat)).mean())


@measure("MAep", element_evidence, *_EFFORT, breakdown=by_gain)
def maep(topic: ElementTopic, quant: Quantisation, overlap: str, level: str, **options: Any) -> float:
    """Mean average effort-precision: the official measure of the Thorough task of 2005-2006.

    ep[i] = i_ideal / i, where i_ideal is the rank at which the ideal ranking has gained as much as the
    run
            at rank i, on a straight line between ranks
    MAep  = sum of ep[i] over the ranks i where something is gained / n, the size of the recall base

    With overlap=on elements near ideal ones can outnumber these; then the sum is divided by the number
    of gaining ranks, so that MAep stays within 1 (divisor=recall_base: as printed). Fetch & Browse of
    2005: level=article ranks the articles by first result, level=element ranks each article's elements
    and averages over the articles of the run.

    Source: Kazai and Lalmas (2005), equations 11-12 and §3.3, §6.3. Trotman and Lalmas (2005) §5 calls
    it the mean average nxCG at rank 1500, a slip.

    Example: the recall base has the values 1, .75, .5, .25, the run gains .5, 0, 1, .25, 0, .75: ep is
    .5, .555556, .5, .666667 at the four gaining ranks, MAep = .555556.
    """
    return at_level(
        topic, quant, overlap, level, options, lambda effort, ranking: float(effort.mean[ranking])
    )


@measure("iMAep", element_evidence, *_EFFORT, breakdown=by_gain)
def imaep(topic: ElementTopic, quant: Quantisation, overlap: str, level: str, **options: Any) -> float:
    """Interpolated mean average effort-precision: the mean of ep over 100 levels of gain-recall.

    iMAep = (ep@0.01 + … + ep@1) / 100, with ep on straight lines between the run's natural points, the
    first point's value before it, and 0 after the last

    Source: Kazai and Lalmas (2005) §3.3; what holds before the first point is not stated there.

    Example: the recall base has the values 1, .75, .5, .25, the run gains .5, 0, 1, .25, 0, .75: the
    natural points (gr, ep) are (.2, .5) (.6, .555556) (.7, .5) (1, .666667), iMAep = .539722.
    """
    return at_level(
        topic,
        quant,
        overlap,
        level,
        options,
        lambda effort, ranking: float(effort.effort_at(ranking, _LEVELS).mean()),
    )


_LEVELS = np.arange(1, 101) / 100


@measure(
    "ep",
    element_evidence,
    *_GAINS,
    *_LEVELS_OF_BROWSING,
    cutoff="recall",
    curve=[Fraction(k, 100) for k in range(1, 101)],
    breakdown=by_gain,
)
def ep(
    topic: ElementTopic, cutoff: Fraction, quant: Quantisation, overlap: str, level: str, **options: Any
) -> float:
    """Effort-precision at a level of gain-recall: `ep(quant=gen5,overlap=off)@0.5`.

    gr[i] = xCG[i] / all gain of the recall base; ep@x is interpolated as in iMAep. `ep(…)@*` gives the
    ep/gr curve at 100 levels. Fetch & Browse has two, level=article and level=element, as in MAep.

    Source: Kazai and Lalmas (2005), equations 11-12.

    Example: the recall base has the values 1, .75, .5, .25, the run gains .5, 0, 1, .25, 0, .75: ep@0.6
    = .555556, ep@1 = .666667.
    """
    at = np.array([float(cutoff)])

    def there(effort: Effort, ranking: int) -> float:
        return nan if np.isnan(effort.mean[ranking]) else float(effort.effort_at(ranking, at)[0])

    return at_level(topic, quant, overlap, level, options, there)


@measure("Q", element_evidence, *_GAINS, _DIVISOR, breakdown=by_gain)
def q_measure(topic: ElementTopic, quant: Quantisation, overlap: str, **options: Any) -> float:
    """Sakai's Q-measure on the gains of XCG.

    Q = sum over gaining ranks j of cbg[j] / (cig[j] + j), divided by n, the size of the recall base,
    where a gain g has the bonus g + 1, cbg cumulates those of the run, and cig cumulates the plain
    gains of the ideal ranking

    As in MAep the divisor is the number of gaining ranks where that is larger (divisor=recall_base: as
    printed).

    Source: Kazai and Lalmas (2005) §3.4. The text there makes cig a bonused gain too; then even the
    ideal ranking scores below 1 (.644 for the ideal ranking of the example), so it is read as plain, as
    Sakai defined it.

    Example: the recall base has the values 1, .75, .5, .25, the run gains .5, 0, 1, .25, 0, .75: Q =
    .728035.
    """
    return float(effort_of(topic.evidence, quant, overlap, **options).q[topic.number])


@measure("R", element_evidence, *_GAINS, breakdown=by_gain)
def r_measure(topic: ElementTopic, quant: Quantisation, overlap: str, **options: Any) -> float:
    """Sakai's R-measure on the gains of XCG.

    R = cbg[n] / (cig[n] + n), with n the size of the recall base, cbg and cig as in Q

    Source: Kazai and Lalmas (2005), equation 14, which prints cbg in the denominator: with that the
    ideal ranking scores .619 in the example instead of 1, a misprint.

    Example: the recall base has the values 1, .75, .5, .25, the run gains .5, 0, 1, .25, 0, .75: R =
    .730769.
    """
    return float(effort_of(topic.evidence, quant, overlap, **options).r[topic.number])
