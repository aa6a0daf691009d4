"""What a comparison warns of: few topics, and resamples too few for the level of the first hypothesis."""

from __future__ import annotations

import math

import pytest

from inexlab.statistics import compare
from inexlab.statistics.caveats import resolution_warnings
from inexlab.statistics.testing import Sampling
from tests.statistics.test_comparison import random_matrix


def test_few_topics_are_warned_of() -> None:
    assert compare(random_matrix(2, 10), test="t").warnings == ()
    (warning,) = compare(random_matrix(2, 9), test="t").warnings
    assert "9 topics: too few" in warning


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_resamples_coarser_than_the_corrected_level_are_warned_of(test: str) -> None:
    scores = random_matrix(4, 20)
    m, harmonic = 12, sum(1 / i for i in range(1, 13))
    enough = math.ceil(m * harmonic / 0.05)
    (warning,) = compare(scores, test=test, sampling=Sampling(enough - 1)).warnings
    assert f"{enough - 1:,} resamples are coarser" in warning
    assert compare(scores, test=test, sampling=Sampling(enough)).warnings == ()
    assert compare(scores, test=test, correction="none", sampling=Sampling(30)).warnings == ()
    (warning,) = compare(scores, test=test, correction="holm", sampling=Sampling(m * 20 - 1)).warnings
    assert "of 12 hypotheses" in warning


@pytest.mark.parametrize("test", ["sign", "t", "wilcoxon"])
def test_tests_without_resamples_are_not_warned_of_theirs(test: str) -> None:
    assert compare(random_matrix(4, 20), test=test, sampling=Sampling(5)).warnings == ()


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_without_correction_the_level_itself_must_be_resolved(test: str) -> None:
    scores = random_matrix(4, 20)
    assert compare(scores, test=test, correction="none", sampling=Sampling(20)).warnings == ()
    (warning,) = compare(scores, test=test, correction="none", sampling=Sampling(19)).warnings
    assert "19 resamples are coarser than the level (5.0e-02)" in warning
    assert "`resamples=20` would resolve it" in warning


@pytest.mark.parametrize(
    ("systems", "way_out"),
    [
        # bonferroni at 1%: 100 · 1 · systems (systems - 1) resamples
        (100, "`resamples=990000` would resolve it"),
        (101, "fewer hypotheses (`baseline=`, `best_per=`) or `test=t` would resolve it"),
    ],
)
def test_beyond_a_million_resamples_another_way_out_is_named(systems: int, way_out: str) -> None:
    found = resolution_warnings(
        random_matrix(systems, 20), ["bootstrap"], ["bonferroni"], 0.01, Sampling(10), topics=20
    )
    (warning,) = found
    assert warning.endswith(way_out)
    assert warning.startswith("bootstrap, bonferroni: 10 resamples are coarser")


def test_each_test_and_correction_has_a_warning_of_its_own() -> None:
    """Six hypotheses at 5%: 20 resamples without correction, 120 with bonferroni, 294 with by."""
    scores, tests, corrections = random_matrix(3, 20), ["t", "bootstrap"], ["none", "bonferroni", "by"]
    warned = {
        resamples: [
            warning.partition(":")[0]
            for warning in resolution_warnings(
                scores, tests, corrections, 0.05, Sampling(resamples), topics=20
            )
        ]
        for resamples in (19, 20, 120, 294)
    }
    bonferroni, by = "bootstrap, bonferroni", "bootstrap, by"
    assert warned == {19: ["bootstrap, none", bonferroni, by], 20: [bonferroni, by], 120: [by], 294: []}


def test_exact_randomisation_needs_no_resamples() -> None:
    """2⁶ swaps of six topics are enumerated with 64 resamples, and sampled with 63."""
    assert (
        resolution_warnings(random_matrix(9, 6), ["randomisation"], ["by"], 0.05, Sampling(64), topics=6)
        == []
    )
    found = resolution_warnings(random_matrix(9, 6), ["randomisation"], ["by"], 0.05, Sampling(63), topics=6)
    assert len(found) == 1
