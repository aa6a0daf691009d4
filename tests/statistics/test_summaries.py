"""Statistics made of sums: values by hand, and intervals over topics or documents."""

from __future__ import annotations

import numpy as np
import pytest

from inexlab.statistics.chance import share
from inexlab.statistics.summaries import Statistic, estimates, values_by_topic
from inexlab.statistics.testing import Sampling

MEAN = Statistic("text", "F1", mean="x", over="n")
POOLED = Statistic("text", "ratio", lambda s: share(s["x"], s["n"]))
SAMPLING = Sampling(resamples=2000, seed=1)


def test_values_by_hand() -> None:
    """Topic 0 has 1 and 0, topic 1 has 0.5: macro (0.5 + 0.5) / 2, micro 1.5 / 3."""
    columns = {"x": np.array([1.0, 0.0, 0.4]), "n": np.ones(3)}
    topic = np.array([0, 0, 1])
    macro, micro, pooled = estimates(columns, topic, [MEAN, POOLED], sampling=SAMPLING)
    assert (macro.average, micro.average, pooled.average) == ("macro", "micro", "")
    assert macro.value == pytest.approx((0.5 + 0.4) / 2)
    assert micro.value == pooled.value == pytest.approx(1.4 / 3)
    assert values_by_topic(columns, topic, [MEAN, POOLED]).tolist() == [[0.5, 0.5], [0.4, 0.4]]


def test_topics_without_a_value_are_left_out() -> None:
    columns = {"x": np.array([1.0, 0.0]), "n": np.array([1.0, 0.0])}
    macro, micro = estimates(columns, np.array([0, 1]), [MEAN], sampling=SAMPLING)
    assert (macro.value, micro.value) == (1, 1)
    nothing = estimates({"x": np.zeros(2), "n": np.zeros(2)}, np.array([0, 1]), [MEAN], sampling=SAMPLING)
    assert all(np.isnan([e.value, e.low, e.high]).all() for e in nothing)
    assert all(
        np.isnan(e.value) for e in estimates({"x": np.zeros(0), "n": np.zeros(0)}, np.zeros(0, int), [MEAN])
    )


def test_with_ten_topics_these_are_resampled() -> None:
    """All documents of a topic are alike: resampled topics vary as means of ten values of 0 or 1 do."""
    value = np.repeat([0.0, 1.0] * 5, 40)
    columns = {"x": value, "n": np.ones(400)}
    macro, _ = estimates(columns, np.repeat(np.arange(10), 40), [MEAN], sampling=SAMPLING)
    assert macro.value == 0.5
    # mean ± 1.96 · sqrt(0.25 / 10) is 0.19 to 0.81; in tenths, 0.2 to 0.8
    assert (round(macro.low, 2), round(macro.high, 2)) == (0.2, 0.8)


def test_with_fewer_topics_documents_are() -> None:
    """The same documents in two topics: 400 of them vary less."""
    columns = {"x": np.tile([0.0, 1.0], 200), "n": np.ones(400)}
    _, micro = estimates(columns, np.repeat([0, 1], 200), [MEAN], sampling=SAMPLING)
    deviation = np.sqrt(0.25 / 400)
    assert micro.low == pytest.approx(0.5 - 1.96 * deviation, abs=0.01)
    assert micro.high == pytest.approx(0.5 + 1.96 * deviation, abs=0.01)


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    """Of 200 samples of 30 topics some 92% have the known mean in their interval, as percentiles do."""
    generator = np.random.default_rng(7)
    hits = 0
    for number in range(200):
        of_topic = generator.normal(0.6, 0.1, 30)
        columns = {"x": np.repeat(of_topic, 3), "n": np.ones(90)}
        sampling = Sampling(resamples=400, seed=number)
        macro, _ = estimates(columns, np.repeat(np.arange(30), 3), [MEAN], sampling=sampling)
        hits += macro.low <= 0.6 <= macro.high
    assert 170 <= hits <= 198
