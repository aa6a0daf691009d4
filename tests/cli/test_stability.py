"""`inexlab stability`: error rates over halves of the topics, growth, and too few resamples."""

from __future__ import annotations

import numpy as np

from inexlab.scores import Scores
from inexlab.statistics.stability import stability
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
    assert done.notes == [
        "2 splits, 2 systems on 12 topics, level 0.05, seed 2006, counts pooled",
        "halves of 6 topics: too few for any test to say much",
    ]


def test_columns_are_explained_to_people(call: Command, write: Write) -> None:
    file = write("scores.csv", scores(*["1,0"] * 20))
    for extra, column in ((), "error_rate"), (("--growth",), "% significant"):
        asked = ("stability", file, "--test", "t", "--splits", "2", *extra)
        assert any(note.startswith(f"{column}: ") for note in call(*asked).notes)
        assert not any(note.startswith(f"{column}: ") for note in call(*asked, "-o", "csv").notes)


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
    asked = ("stability", file, "--test", "bootstrap", "--splits", "9", "--alpha", "0.3", "--seed")
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
    random = np.random.default_rng(5)
    table = np.round(random.normal([0.8, 0.4, 0.0], size=(14, 3)), 3)
    lines = [f"{t},{','.join(map(str, row))}" for t, row in enumerate(table.tolist(), start=11)]
    file = write("scores.csv", "\n".join(["topic,A,B,C", *lines, ""]))
    asked = ("stability", file, "--test", "t", "--correction", "none", "--alpha", "0.3", "--splits", "12")
    pooled, averaged = (call(*asked, "-o", "json", *more) for more in ([], ["--mean-of-splits"]))
    message = "12 splits, 3 systems on 14 topics, level 0.3, seed 2006"
    assert pooled.notes[0] == f"{message}, counts pooled"
    assert averaged.notes[0] == f"{message}, rates are means over splits"
    matrix = Scores(("A", "B", "C"), tuple(str(t) for t in range(11, 25)), table.T)
    for outcome, way in ((pooled, True), (averaged, False)):
        [expected] = stability(matrix, ["t"], ["none"], splits=12, alpha=0.3, pooled=way)
        assert rows(outcome) == [expected._asdict()]
    [of_counts], [of_rates] = rows(pooled), rows(averaged)
    assert of_counts["rejections"] == of_rates["rejections"] > 0
    assert of_counts["error_rate"] != of_rates["error_rate"]


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
    assert not [note for note in call(*asked, "60").notes if "would resolve it" in note]


def test_randomisation_that_is_exact_on_halves_needs_no_more_resamples(call: Command, write: Write) -> None:
    """2⁵ swaps of five topics; all ten topics, as growth takes them, have 2¹⁰."""
    file = write("scores.csv", scores(*["1,0"] * 10))
    asked = ("stability", file, "--test", "randomisation", "--correction", "by", "--resamples", "32")
    assert not [note for note in call(*asked).notes if "would resolve it" in note]
    assert "--resamples 60 would resolve it" in call(*asked, "--growth").notes[-1]


def test_ten_thousand_resamples_unless_told(call: Command, write: Write) -> None:
    file = write("scores.csv", scores(*["1,0", "0,1", "1,0", "3,1", "0,0"] * 4))
    asked = ("stability", file, "--test", "bootstrap", "--splits", "2", "-o", "json", "--alpha", "0.2")
    assert call(*asked).out == call(*asked, "--resamples", "10000").out
    level = ("--alpha", "0.0004", "--correction", "none")  # 2,500 resamples would do, 1,000 would not
    done = call("stability", file, "--test", "bootstrap", "--splits", "2", *level)
    assert not [note for note in done.notes if "would resolve it" in note]
