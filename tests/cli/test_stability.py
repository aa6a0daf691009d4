"""`inexlab stability`: error rates over halves of the topics, growth, and too few resamples."""

from __future__ import annotations

import numpy as np
import pytest

from tests.cli.conftest import Command, Write
from tests.cli.graded_campaign import rows, scores


def test_stability_of_all_tests_without_and_with_correction(call: Command, write: Write) -> None:
    file = write("scores.csv", scores(*["1,0"] * 12))
    done = call("stability", file, "--splits", "2", "--resamples", "100", "-o", "json")
    found = rows(done)
    tests = {"bootstrap", "t", "wilcoxon", "sign", "randomisation"}
    assert {(row["test"], row["correction"]) for row in found} == {
        (t, c) for t in tests for c in ("none", "by")
    }
    assert len(found) == 10
    assert done.notes == ["2 splits, 2 systems on 12 topics, level 0.05, seed 2006, counts pooled"]


def test_a_difference_on_every_topic_is_stable(call: Command, write: Write) -> None:
    file = write("scores.csv", scores(*["1,0"] * 12))
    [row] = rows(
        call("stability", file, "--test", "t", "--correction", "holm", "--splits", "3", "-o", "json")
    )
    assert row == {
        "test": "t",
        "correction": "holm",
        "rejections": 3,
        "errors": 0,
        "error_rate": 0,
        "self_agreement": 1,
        "share": 100,
    }


def test_a_test_without_conclusions_has_no_error_rate(call: Command, write: Write) -> None:
    file = write("scores.csv", scores(*["1,1"] * 12))
    [row] = rows(call("stability", file, "--test", "t", "--correction", "by", "-o", "json"))
    assert (row["rejections"], row["error_rate"], row["self_agreement"]) == (0, None, None)


def test_how_findings_grow_with_topics(call: Command, write: Write) -> None:
    """The t-test finds one and the same difference on any number of topics."""
    file = write("scores.csv", scores(*["1,0"] * 12))
    asked = ("stability", file, "--test", "t", "--correction", "by", "--growth", "-o", "json")
    assert [list(row.values()) for row in rows(call(*asked))] == [
        ["t", "by", 5, 100],
        ["t", "by", 10, 100],
        ["t", "by", 12, 100],
    ]


def test_the_same_seed_prints_the_same(call: Command, write: Write) -> None:
    file = write("scores.csv", scores(*["1,0", "0,1", "1,0", "3,1", "0,0"] * 4))
    asked = ("stability", file, "--test", "bootstrap", "--splits", "3", "--resamples", "100", "--seed")
    first, again, other = (call(*asked, seed).out for seed in ("1", "1", "2"))
    assert first == again
    assert first != other


def test_a_test_given_twice_is_run_once(call: Command, write: Write) -> None:
    file = write("scores.csv", scores(*["1,0"] * 12))
    for more in ([], ["--growth"]):
        once = call("stability", file, "--test", "bootstrap", "--resamples", "9", *more)
        assert any("would resolve it" in note for note in once.notes)
        twice = call(
            *("stability", file, "--test", "bootstrap", "--test", "bootstrap", "--resamples", "9"),
            *("--correction", "none", "--correction", "by", "--correction", "none", *more),
        )
        assert (twice.out, twice.notes) == (once.out, once.notes)


def test_rates_are_averaged_over_splits_when_told(call: Command, write: Write) -> None:
    """As worked in the tests of the statistics: A wins always, C beats B on one half of the topics only.

    k splits give three conclusions with one error, the others two without.
    """
    file = write("scores.csv", "topic,A,B,C\n1,9,1,2\n2,9,1,2\n3,9,2,1\n4,9,2,1\n")
    random = np.random.default_rng(2006)
    k = sum({int(t) for t in random.permutation(4)[:2]} in ({0, 1}, {2, 3}) for _ in range(12))
    assert 0 < k < 12
    asked = ("stability", file, "--test", "sign", "--correction", "none", "--alpha", "0.3", "--splits", "12")
    pooled, averaged = (call(*asked, "-o", "json", *more) for more in ([], ["--mean-of-splits"]))
    assert pooled.notes == ["12 splits, 3 systems on 4 topics, level 0.3, seed 2006, counts pooled"]
    assert averaged.notes == [
        "12 splits, 3 systems on 4 topics, level 0.3, seed 2006, rates are means over splits"
    ]
    [of_counts], [of_rates] = rows(pooled), rows(averaged)
    assert of_counts["rejections"] == of_rates["rejections"] == 24 + k
    assert of_counts["errors"] == of_rates["errors"] == k
    assert of_counts["error_rate"] == pytest.approx(k / (24 + k))
    assert of_rates["error_rate"] == pytest.approx(k / 3 / 12)


def test_too_few_resamples_are_warned_of_for_each_test_and_correction(call: Command, write: Write) -> None:
    """Two hypotheses, corrected by BY: .05 / (1.5 · 2), so 60 resamples; 20 without correction."""
    file = write("scores.csv", scores(*["1,0"] * 40))
    asked = ("stability", file, "--splits", "1", "--resamples")
    warned = [note for note in call(*asked, "59").notes if "would resolve it" in note]
    assert warned == [
        f"{test}, by: 59 resamples are coarser than the level (1.7e-02) of the first of 2 hypotheses; "
        "--resamples 60 would resolve it"
        for test in ("bootstrap", "randomisation")
    ]
    assert len(call(*asked, "60").notes) == 1


def test_randomisation_that_is_exact_on_halves_needs_no_more_resamples(call: Command, write: Write) -> None:
    """2⁵ swaps of five topics; all ten topics, as growth takes them, have 2¹⁰."""
    file = write("scores.csv", scores(*["1,0"] * 10))
    asked = ("stability", file, "--test", "randomisation", "--correction", "by", "--resamples", "32")
    assert len(call(*asked).notes) == 1
    assert "--resamples 60 would resolve it" in call(*asked, "--growth").notes[-1]


def test_ten_thousand_resamples_unless_told(call: Command, write: Write) -> None:
    file = write("scores.csv", scores(*["1,0", "0,1", "1,0", "3,1", "0,0"] * 4))
    asked = ("stability", file, "--test", "bootstrap", "--splits", "2", "-o", "json", "--alpha", "0.2")
    assert call(*asked).out == call(*asked, "--resamples", "10000").out
    level = ("--alpha", "0.0004", "--correction", "none")  # 2,500 resamples would do, 1,000 would not
    assert len(call("stability", file, "--test", "bootstrap", "--splits", "2", *level).notes) == 1
