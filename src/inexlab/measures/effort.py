"""Rankings against ideal ones: cumulated gain and effort-precision, for topics, articles and inside articles.

What the XCG measures read off: how much a ranking has gained at each rank, and at which rank the ideal
ranking of the recall base had gained as much. Kazai and Lalmas (2005) §3 and, for Fetch & Browse, §6.3.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import isnan, nan
from typing import Any

import numpy as np

from inexlab.accelerate import Kernel
from inexlab.judgements.quantisation import Quantisation
from inexlab.measures.elements import ElementEvidence, ElementTopic
from inexlab.measures.gains import base_of, gains
from inexlab.tables import Codes, Floats, Ints

# Sums of gains in another order differ by rounding; nobody means a recall that is missed by less than this.
_TOLERANCE = 1e-11


@dataclass(frozen=True)
class Effort:
    """Gains of some rankings (a topic's, or one article's) and of the ideal ones, as columns with borders.

    `reached` is the cumulated gain at each rank, `effort` the effort-precision there (meaningful where
    something is gained); `mean` is MAep, `q` and `r` are Sakai's measures, one per ranking, NaN without
    a recall base.
    """

    ranks_from: Ints
    gain: Floats
    reached: Floats
    effort: Floats
    ideal: Floats
    ideal_from: Ints
    mean: Floats
    q: Floats
    r: Floats

    def normalised(self, ranking: int) -> Floats:
        """Cumulated gain over that of the ideal ranking, rank by rank until both have ended.

        Empty where there is no recall base; flat after the end.
        """
        if ranking not in self._normalised:
            ideal = self.ideal[self.ideal_from[ranking] : self.ideal_from[ranking + 1]]
            reached = self.reached[self.ranks_from[ranking] : self.ranks_from[ranking + 1]]
            ranks = max(len(ideal), len(reached)) if len(ideal) else 0
            run = _stretched(reached, ranks) if len(reached) else np.zeros(ranks)
            self._normalised[ranking] = run / _stretched(np.cumsum(ideal), ranks) if ranks else np.zeros(0)
        return self._normalised[ranking]

    @functools.cached_property
    def _normalised(self) -> dict[int, Floats]:
        return {}

    def curve(self, ranking: int) -> tuple[Floats, Floats]:
        """The natural points of a ranking: gain-recall and effort-precision where something is gained."""
        if ranking not in self._curves:
            part = slice(self.ranks_from[ranking], self.ranks_from[ranking + 1])
            points = np.flatnonzero(self.gain[part])
            total = self.ideal[self.ideal_from[ranking] : self.ideal_from[ranking + 1]].sum()
            self._curves[ranking] = (self.reached[part][points] / total, self.effort[part][points])
        return self._curves[ranking]

    @functools.cached_property
    def _curves(self) -> dict[int, tuple[Floats, Floats]]:
        return {}

    def effort_at(self, ranking: int, levels: Floats) -> Floats:
        """Effort-precision at gain-recall levels, on straight lines between the natural points."""
        recall, effort = self.curve(ranking)
        if not len(recall):
            return np.zeros(len(levels))
        between = np.interp(levels, recall, effort)
        return np.where(levels <= recall[-1] + _TOLERANCE, between, 0.0)


def _stretched(sums: Floats, ranks: int) -> Floats:
    """Return the first sums, or all of them and then the last one again."""
    return np.concatenate((sums, np.full(ranks - len(sums), sums[-1]))) if ranks > len(sums) else sums[:ranks]


Score = Callable[[Effort, int], float]


def effort_of(
    evidence: ElementEvidence, quant: Quantisation, overlap: str, divisor: str = "max", **options: Any
) -> Effort:
    """Return the whole topics' rankings, computed once for all measures with these parameters."""
    key = ("effort", quant.name, overlap, divisor, *options.items())

    def work() -> Effort:
        base = base_of(evidence, quant, overlap, options.get("ideal", "official"))
        gain = gains(evidence, quant, overlap, **_floats(options))
        return _compare(evidence.results.results_from, gain, base.gains, base.gains_from, divisor)

    return evidence.once(key, work)


def _floats(options: dict[str, Any]) -> dict[str, Any]:
    return {name: float(value) if isinstance(value, Fraction) else value for name, value in options.items()}


def _compare(ranks_from: Ints, gain: Floats, ideal: Floats, ideal_from: Ints, divisor: str) -> Effort:
    compare = _follow.for_work(20 * len(gain))
    columns = compare(ranks_from, gain, ideal, ideal_from, divisor == "max", _TOLERANCE)
    return Effort(ranks_from, gain, columns[0], columns[1], ideal, ideal_from, *columns[2:])


@Kernel
def _follow(
    ranks_from: Ints, gain: Floats, ideal: Floats, ideal_from: Ints, by_points: bool, tolerance: float
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Go down each ranking along with its ideal one.

    There is a place for the gain of every rank, and in the borders one more than there are rankings; the
    ideal ranking is only looked at before its end.
    """
    rankings = len(ranks_from) - 1
    reached = np.zeros(len(gain), dtype=np.float64)
    effort = np.zeros(len(gain), dtype=np.float64)
    mean = np.full(rankings, np.nan)
    q = np.full(rankings, np.nan)
    r = np.full(rankings, np.nan)
    for ranking in range(rankings):
        first, last = ranks_from[ranking], ranks_from[ranking + 1]
        best = ideal[ideal_from[ranking] : ideal_from[ranking + 1]]
        n = len(best)
        if n == 0:
            continue
        total = 0.0  # not best.sum(): numpy adds in another order than the compiled loop
        for rank in range(n):
            total += best[rank]
        so_far, bonus, points = 0.0, 0.0, 0
        ideal_rank, ideal_before = 0, 0.0  # the ideal list reaches `so_far` at a rank after this one
        ideal_here = 0.0  # cumulated ideal gain at the same rank as the run
        sum_effort, sum_q, bonus_at_n = 0.0, 0.0, 0.0
        for i in range(first, last):
            rank = i - first + 1
            if rank <= n:
                ideal_here += best[rank - 1]
            if gain[i] > 0:
                so_far += gain[i]
                bonus += gain[i] + 1.0
                points += 1
                while ideal_rank < n and ideal_before + best[ideal_rank] < so_far - tolerance * total:
                    ideal_before += best[ideal_rank]
                    ideal_rank += 1
                i_ideal = float(n)
                if ideal_rank < n:
                    i_ideal = ideal_rank + min(1.0, (so_far - ideal_before) / best[ideal_rank])
                effort[i] = i_ideal / rank
                sum_effort += effort[i]
                sum_q += bonus / (ideal_here + rank)
            reached[i] = so_far
            if rank <= n:
                bonus_at_n = bonus
        divisor = max(n, points)
        mean[ranking] = sum_effort / (divisor if by_points else n)
        q[ranking] = sum_q / (divisor if by_points else n)
        r[ranking] = bonus_at_n / (total + n)
    return reached, effort, mean, q, r


def at_level(
    topic: ElementTopic, quant: Quantisation, overlap: str, level: str, options: dict[str, Any], score: Score
) -> float:
    """Apply `score(effort, ranking)` to the topic's ranking, that of its articles, or each article's own."""
    evidence = topic.evidence
    article_value = options.pop("score", "auto")
    clusters = options.pop("clusters", "run")
    if level == "run":
        effort = effort_of(evidence, quant, overlap, **options)
        return nan if np.isnan(effort.mean[topic.number]) else float(score(effort, topic.number))
    if level == "article":
        by_article = article_ranking(evidence, quant, article_value, options.get("divisor", "max"))
        return nan if np.isnan(by_article.mean[topic.number]) else float(score(by_article, topic.number))
    return _mean_over_clusters(topic, quant, overlap, options, clusters, score)


def article_ranking(
    evidence: ElementEvidence, quant: Quantisation, article_value: str, divisor: str
) -> Effort:
    """Rank the articles by their first result; an article is worth its root, or the best element in it."""
    resolved = quant.for_scale(evidence.elements.scale)
    best = article_value == "max" or (article_value == "auto" and resolved.kind.binary)

    def work() -> Effort:
        elements = evidence.elements
        value = resolved.values(elements)
        if not best:
            value = np.where(elements.depth[elements.path] == 1, value, 0.0)
        row = np.repeat(np.arange(len(evidence.judgements)), np.diff(elements.elements_from))
        of_row = np.zeros(len(evidence.judgements) + 1)
        np.maximum.at(of_row, row, value)
        results = evidence.results
        topic = np.repeat(np.arange(len(evidence.names)), np.diff(results.results_from))
        first = _first_appearances(results.document, topic)
        gain = np.where(results.row[first] >= 0, of_row[results.row[first]], 0.0)
        ranks_from = np.searchsorted(topic[first], np.arange(len(evidence.names) + 1)).astype(np.int64)
        rows = np.flatnonzero(of_row[:-1] > 0)
        rows = rows[np.lexsort((-of_row[rows], evidence.judgements.topic[rows]))]
        borders = np.searchsorted(evidence.judgements.topic[rows], np.arange(len(evidence.names) + 1))
        return _compare(ranks_from, gain, of_row[rows], borders.astype(np.int64), divisor)

    return evidence.once(("articles", resolved.name, best, divisor), work)


def _first_appearances(document: Any, topic: Any) -> Any:
    """Return the first result of each document in each topic, in order."""
    _, first = np.unique(topic.astype(np.int64) * (len(document) + 1) + document, return_index=True)
    return np.sort(first)


@dataclass(frozen=True)
class _Clusters:
    """The rankings inside articles: each cluster's topic, judged document (-1: none) and effort."""

    topic: Ints
    row: Codes
    effort: Effort


def _clusters(
    evidence: ElementEvidence, quant: Quantisation, overlap: str, options: dict[str, Any]
) -> _Clusters:
    key = ("clusters", quant.name, overlap, *options.items())

    def work() -> _Clusters:
        results = evidence.results
        gain = effort_of(evidence, quant, overlap, **options).gain
        base = base_of(evidence, quant, overlap, options.get("ideal", "official"))
        topic = np.repeat(np.arange(len(evidence.names)), np.diff(results.results_from))
        order = np.lexsort((results.document, topic))
        begins = np.flatnonzero(
            np.diff(results.document[order], prepend=-1) | np.diff(topic[order], prepend=-1)
        )
        row = results.row[order][begins]
        sizes = np.where(row >= 0, np.diff(base.row_gains_from)[row], 0)
        taken = [
            base.row_gains[base.row_gains_from[r] : base.row_gains_from[r + 1]]
            for r in row.tolist()
            if r >= 0
        ]
        effort = _compare(
            np.append(begins, len(order)).astype(np.int64),
            gain[order],
            np.concatenate([np.zeros(0), *taken]),
            np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            options.get("divisor", "max"),
        )
        return _Clusters(topic[order][begins], row, effort)

    return evidence.once(key, work)


def cluster_rankings(
    topic: ElementTopic, quant: Quantisation, overlap: str, options: dict[str, Any]
) -> tuple[list[int], Effort]:
    """Return the rankings inside a topic's articles, in order of first result, as places in an Effort."""
    clusters = _clusters(topic.evidence, quant, overlap, options)
    return np.flatnonzero(clusters.topic == topic.number).tolist(), clusters.effort


def _mean_over_clusters(
    topic: ElementTopic, quant: Quantisation, overlap: str, options: dict[str, Any], which: str, score: Score
) -> float:
    """Average over the articles of the run; one without anything relevant scores 0."""
    evidence = topic.evidence
    base = base_of(evidence, quant, overlap, options.get("ideal", "official"))
    if base.gains_from[topic.number] == base.gains_from[topic.number + 1]:
        return nan
    mine, effort = cluster_rankings(topic, quant, overlap, options)
    means = effort.mean[mine].tolist()
    scored = [0.0 if isnan(mean) else score(effort, c) for c, mean in zip(mine, means, strict=True)]
    count = len(scored)
    if which == "relevant":
        rows = slice(*evidence.judgements.rows_from[topic.number : topic.number + 2])
        count = int(np.count_nonzero(np.diff(base.row_gains_from)[rows]))
    return float(sum(scored) / count) if count else 0.0
