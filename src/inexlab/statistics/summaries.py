"""Statistics that are made of sums over documents, with bootstrap intervals over topics or documents.

Every document has a row of numbers. A statistic is a function of the sums of these over all documents
(`pooled`), or a mean of one of them per document: over topics of the means of each (`macro`), or over all
pairs of topic and document (`micro`). So a resample is a product of weights with sums, however many
documents there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from inexlab.statistics.chance import share
from inexlab.statistics.testing import Sampling
from inexlab.tables import Floats, Ints

FEWEST_TOPICS = 10  # with fewer, documents are resampled
_BLOCK = 1 << 22  # weights held at a time

Sums = Mapping[str, Floats]


@dataclass(frozen=True)
class Statistic:
    """A number to report: `pooled` of all sums, or the mean of the column `mean` where `over` is 1."""

    group: str
    name: str
    pooled: Callable[[Sums], Floats] | None = None
    mean: str = ""
    over: str = ""


class Estimate(NamedTuple):
    """A statistic's value and its confidence interval; NaN where it is undefined."""

    group: str
    name: str
    average: str
    value: float
    low: float
    high: float


def estimates(
    columns: Mapping[str, Floats],
    topic: Ints,
    statistics: Sequence[Statistic],
    *,
    alpha: float = 0.05,
    sampling: Sampling | None = None,
) -> list[Estimate]:
    """Return every statistic with its interval, percentiles of resamples: of topics, if there are ten."""
    sampling = sampling or Sampling()
    names = list(columns)
    values = np.column_stack([columns[name] for name in names]) if names else np.empty((len(topic), 0))
    topics = int(topic.max(initial=-1)) + 1
    by_topic = _by_topic(values, topic, topics)
    found = _values(statistics, names, by_topic[None, :, :], np.ones((1, topics)))
    generator = np.random.default_rng(sampling.seed)
    drawn: list[Floats] = []
    units = topics if topics >= FEWEST_TOPICS else len(topic)
    for size in _blocks(sampling.resamples, max(1, units)):
        if not units:
            break
        chosen = generator.integers(0, units, size=(size, units)) + units * np.arange(size)[:, None]
        counts = np.bincount(chosen.ravel(), minlength=size * units).reshape(size, units).astype(np.float64)
        if topics >= FEWEST_TOPICS:
            drawn.append(_values(statistics, names, by_topic[None, :, :], counts))
        else:
            sums = np.stack([counts[:, topic == t] @ values[topic == t] for t in range(topics)], axis=1)
            drawn.append(_values(statistics, names, sums, np.ones((size, topics))))
    resampled = np.concatenate(drawn) if drawn else np.full((1, found.shape[1]), np.nan)
    low, high = _interval(resampled, alpha)
    return [
        Estimate(s.group, s.name, average, float(value), float(a), float(b))
        for (s, average), value, a, b in zip(_listed(statistics), found[0], low, high, strict=True)
    ]


def values_by_topic(columns: Mapping[str, Floats], topic: Ints, statistics: Sequence[Statistic]) -> Floats:
    """Return the value of each statistic (column) on each topic (row)."""
    names = list(columns)
    values = np.column_stack([columns[name] for name in names])
    sums = _by_topic(values, topic, int(topic.max(initial=-1)) + 1)
    of_topic = {name: sums[:, i] for i, name in enumerate(names)}
    return np.column_stack(
        [s.pooled(of_topic) if s.pooled else share(of_topic[s.mean], of_topic[s.over]) for s in statistics]
    )


def _by_topic(values: Floats, topic: Ints, topics: int) -> Floats:
    sums = np.zeros((topics, values.shape[1]))
    np.add.at(sums, topic, values)
    return sums


def _listed(statistics: Sequence[Statistic]) -> list[tuple[Statistic, str]]:
    """Return the statistics with the averages each is given as."""
    averages = ("macro", "micro")
    return [(s, average) for s in statistics for average in (("",) if s.pooled else averages)]


def _values(statistics: Sequence[Statistic], names: Sequence[str], sums: Floats, weights: Floats) -> Floats:
    """Return the statistics of each resample: `sums` are of each topic, `weights` how often it counts."""
    total = np.einsum("rt,rtk->rk", weights, np.broadcast_to(sums, (len(weights), *sums.shape[1:])))
    pooled = {name: total[:, i] for i, name in enumerate(names)}
    found = []
    for statistic in statistics:
        if statistic.pooled is not None:
            found.append(statistic.pooled(pooled))
            continue
        x, n = (sums[:, :, names.index(name)] for name in (statistic.mean, statistic.over))
        of_topic = share(x, n)
        counts = np.where(np.isnan(of_topic), 0.0, weights)
        found.append(share((np.nan_to_num(of_topic) * counts).sum(axis=1), counts.sum(axis=1)))
        found.append(share(pooled[statistic.mean], pooled[statistic.over]))
    return np.column_stack(found)


def _interval(resampled: Floats, alpha: float) -> tuple[Floats, Floats]:
    """Return percentiles of the resamples in which a statistic is defined; NaN where that is a minority."""
    defined = np.isfinite(resampled).mean(axis=0) > 0.5
    low, high = np.full(resampled.shape[1], np.nan), np.full(resampled.shape[1], np.nan)
    for column in np.flatnonzero(defined).tolist():
        kept = resampled[:, column][np.isfinite(resampled[:, column])]
        low[column], high[column] = np.quantile(kept, [alpha / 2, 1 - alpha / 2])
    return low, high


def _blocks(resamples: int, units: int) -> list[int]:
    """Return sizes of blocks that together are so many resamples, each small enough for memory."""
    size = max(1, _BLOCK // units)
    whole, rest = divmod(resamples, size)
    return [size] * whole + ([rest] if rest else [])
