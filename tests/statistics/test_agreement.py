"""Agreement of decisions: Tables 3 and 4 and Figure 1 of Ogilvie and Lalmas (2006)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import UsageError
from inexlab.scores import Scores
from inexlab.statistics import Comparison, compare
from inexlab.statistics.agreement import Agreement, agreement, common_topics, differences
from tests.builders import calm

NOTHING = math.nan


def matrix(name: str, rows: Sequence[Sequence[float]], topics: Sequence[str] = ()) -> Scores:
    """Systems A, B, C … with their scores."""
    systems = tuple("ABCDEFGH"[: len(rows)])
    return Scores(systems, tuple(topics or map(str, range(len(rows[0])))), np.array(rows, float), name)


def levels(name: str, **level: float) -> Comparison:
    """A condition under which every system has the same score on all topics.

    Without variance the t-test finds every difference, however small, in its direction.
    """
    rows = np.repeat(np.array(list(level.values()), float)[:, None], 5, axis=1)
    return compare(Scores(tuple(level), tuple("12345"), rows, name), test="t", correction="none")


@st.composite
def conditions(draw: st.DrawFn) -> list[Comparison]:
    """Draw conditions that score the same systems, and what a t-test at a generous level concludes."""
    systems, topics = draw(st.integers(2, 5)), draw(st.integers(2, 8))
    row = st.lists(st.integers(0, 8).map(lambda k: k / 8), min_size=topics, max_size=topics)
    several = st.lists(st.lists(row, min_size=systems, max_size=systems), min_size=2, max_size=4)
    return [
        compare(matrix(f"condition {i}", rows), test="t", correction="none", alpha=0.3)
        for i, rows in enumerate(draw(several))
    ]


def found(comparison: Comparison) -> set[tuple[str, str]]:
    """The ordered pairs concluded: the first is better than the second."""
    return {(pair.a, pair.b) for pair in comparison.pairs() if pair.significant}


# Recall, precision, F1.


def test_a_worked_example() -> None:
    """Row finds A > B, A > C, A > D; column finds those and B > C, B > D, C > D."""
    found = agreement([levels("row", A=2, B=1, C=1, D=1), levels("column", A=4, B=3, C=2, D=1)])
    assert found.conditions == ("row", "column")
    assert found.share.tolist() == [50, 100]
    assert found.recall.tolist() == [[1, 0.5], [1, 1]]
    assert found.precision.tolist() == [[1, 1], [0.5, 1]]
    assert found.f1.tolist() == [[1, pytest.approx(2 / 3)], [pytest.approx(2 / 3), 1]]


def test_the_same_pair_in_the_other_direction_is_no_agreement() -> None:
    found = agreement([levels("row", A=2, B=1), levels("column", A=1, B=2)])
    assert found.share.tolist() == [100, 100]
    for of_two in (found.recall, found.precision, found.f1):
        assert of_two.tolist() == [[1, 0], [0, 1]]


def test_the_share_is_of_unordered_pairs() -> None:
    """A total order of four systems finds 6 of 12 ordered pairs: all there is to find."""
    found = agreement([levels("all", A=4, B=3, C=2, D=1), levels("one group", A=2, B=2, C=1, D=1)])
    assert found.share.tolist() == [100, pytest.approx(100 * 4 / 6)]


def test_where_nothing_was_found_recall_and_precision_are_undefined() -> None:
    found = agreement([levels("something", A=2, B=1), levels("nothing", A=1, B=1)])
    assert found.share.tolist() == [100, 0]
    np.testing.assert_array_equal(found.recall, [[1, NOTHING], [0, NOTHING]])
    np.testing.assert_array_equal(found.precision, [[1, 0], [NOTHING, NOTHING]])
    np.testing.assert_array_equal(found.f1, [[1, NOTHING], [NOTHING, NOTHING]])


@calm
@given(conditions())
def test_the_definitions(decided: list[Comparison]) -> None:
    result = agreement(decided)
    sets = [found(c) for c in decided]
    systems = len(decided[0].matrix.systems)
    for r, row in enumerate(sets):
        assert result.share[r] == pytest.approx(100 * len(row) / math.comb(systems, 2))
        for c, column in enumerate(sets):
            hits = len(row & column)
            recall = hits / len(column) if column else NOTHING
            precision = hits / len(row) if row else NOTHING
            assert result.recall[r, c] == pytest.approx(recall, nan_ok=True)
            assert result.precision[r, c] == pytest.approx(precision, nan_ok=True)


@calm
@given(conditions())
def test_f1_is_the_harmonic_mean_with_precision_read_from_the_transposed_cell(
    decided: list[Comparison],
) -> None:
    """As the 26 printed pairs of Tables 3 and 4 have it."""
    result = agreement(decided)
    np.testing.assert_array_equal(result.precision, result.recall.T)
    np.testing.assert_array_equal(result.f1, result.f1.T)
    for r, c in np.ndindex(result.recall.shape):
        recall, precision = float(result.recall[r, c]), float(result.recall[c, r])
        if recall + precision > 0:
            assert result.f1[r, c] == pytest.approx(2 * recall * precision / (recall + precision))
        elif recall == precision == 0:
            assert result.f1[r, c] == 0


@calm
@given(conditions())
def test_shares_and_recalls_count_the_same_hits(decided: list[Comparison]) -> None:
    """Ogilvie and Lalmas (2006): pct(column) · R(row, column) = pct(row) · R(column, row) = hits."""
    result = agreement(decided)
    for r, c in np.ndindex(result.recall.shape):
        if result.share[r] > 0 and result.share[c] > 0:
            hits = result.share[c] * result.recall[r, c]
            assert hits == pytest.approx(result.share[r] * result.recall[c, r])


# Small differences.


def test_differences_below_the_smallest_that_counts_are_not_found() -> None:
    """A > B by 1/4, B > C by 1/2, A > C by 3/4; a difference of just that size still counts."""
    decided = [levels("row", A=1, B=0.75, C=0.25), levels("column", A=1, B=0.75, C=0.25)]
    shares = {d: float(agreement(decided, min_difference=d).share[0]) for d in (0, 0.25, 0.3, 0.5, 0.75, 0.8)}
    counts = {d: round(share * 3 / 100) for d, share in shares.items()}
    assert counts == {0: 3, 0.25: 3, 0.3: 2, 0.5: 2, 0.75: 1, 0.8: 0}


def test_each_condition_has_differences_of_its_own_size() -> None:
    decided = [levels("small", A=0.25, B=0.125), levels("large", A=1, B=0.5)]
    found = agreement(decided, min_difference=0.25)
    assert found.share.tolist() == [0, 100]
    np.testing.assert_array_equal(found.recall, [[NOTHING, 0], [NOTHING, 1]])


@calm
@given(conditions(), st.sampled_from([0.0, 0.125, 0.25, 0.5]), st.sampled_from([0.125, 0.25, 1.0]))
def test_asking_for_larger_differences_finds_no_more(
    decided: list[Comparison], smallest: float, more: float
) -> None:
    few: Agreement = agreement(decided, min_difference=smallest + more)
    many: Agreement = agreement(decided, min_difference=smallest)
    assert (few.share <= many.share).all()


# Figure 1.


def test_the_data_of_the_figure() -> None:
    """A > C found by both, A > B by the predictor only, B > C by the truth only."""
    predictor, truth = levels("x", A=0.75, B=0.5, C=0.5), levels("y", A=0.5, B=0.5, C=0.125)
    assert [tuple(d) for d in differences(predictor, truth)] == [
        ("A", "B", 0.25, 0.0, "false alarm"),
        ("A", "C", 0.25, 0.375, "hit"),
        ("B", "C", 0.0, 0.375, "miss"),
    ]


def test_contrary_findings_are_a_miss_and_a_false_alarm() -> None:
    shown = differences(levels("row", A=2, B=1), levels("column", A=1, B=2))
    assert {(d.a, d.b, d.found) for d in shown} == {("A", "B", "false alarm"), ("B", "A", "miss")}


@calm
@given(conditions())
def test_the_figure_shows_what_the_table_counts(decided: list[Comparison]) -> None:
    row, column = decided[:2]
    shown = differences(row, column)
    kinds = {kind: {(d.a, d.b) for d in shown if d.found == kind} for kind in ("hit", "miss", "false alarm")}
    assert kinds["hit"] == found(row) & found(column)
    assert kinds["miss"] == found(column) - found(row)
    assert kinds["false alarm"] == found(row) - found(column)
    assert len(shown) == sum(map(len, kinds.values()))


# Few topics.


def on_topics(topics: int, *means: float) -> Comparison:
    rows = np.repeat(np.array(means)[:, None], topics, axis=1)
    names = tuple(map(str, range(topics)))
    return compare(Scores(tuple("ABC"), names, rows, str(means)), test="t", correction="none")


def test_four_topics_are_no_ground_for_agreement() -> None:
    few = agreement([on_topics(4, 3, 2, 1), on_topics(4, 3, 1, 2)])
    assert few.share.tolist() == [0, 0]
    assert np.isnan(few.f1).all()
    assert few.warnings == (on_topics(4, 3, 2, 1).few_topics,)
    assert differences(on_topics(4, 3, 2, 1), on_topics(4, 3, 1, 2)) == []
    some = agreement([on_topics(5, 3, 2, 1), on_topics(5, 3, 1, 2)])
    assert some.share.tolist() == [100, 100]
    assert some.warnings == ("5 topics: too few for any test to say much",)
    assert agreement([on_topics(10, 3, 2, 1), on_topics(10, 3, 1, 2)]).warnings == ()


# What cannot be compared.


def test_other_systems_are_refused() -> None:
    with pytest.raises(UsageError, match="different systems"):
        agreement([levels("row", A=2, B=1), levels("column", A=2, C=1)])


def test_one_condition_is_refused() -> None:
    with pytest.raises(UsageError, match="only one condition"):
        agreement([levels("row", A=2, B=1)])


# Topics.


def test_only_topics_that_all_conditions_have_are_kept() -> None:
    first = matrix("first", [[1, 2, 3, 4], [5, 6, 7, 8]], ["t1", "t2", "t3", "t4"])
    second = matrix("second", [[30, 10, 20], [70, 50, 60]], ["t3", "t9", "t2"])
    kept, left_out = common_topics([first, second])
    assert [m.topics for m in kept] == [("t2", "t3")] * 2
    assert [m.values.tolist() for m in kept] == [[[2, 3], [6, 7]], [[20, 30], [60, 70]]]
    assert [m.name for m in kept] == ["first", "second"]
    assert left_out == ["t1", "t4", "t9"]


def test_conditions_on_the_same_topics_stay_as_they_are() -> None:
    first, second = matrix("first", [[1, 2], [3, 4]]), matrix("second", [[5, 6], [7, 8]])
    kept, left_out = common_topics([first, second])
    assert [m.values.tolist() for m in kept] == [first.values.tolist(), second.values.tolist()]
    assert left_out == []


def test_no_common_topic_is_refused() -> None:
    with pytest.raises(UsageError, match="no topic in common"):
        common_topics([matrix("first", [[1]], ["t1"]), matrix("second", [[1]], ["t2"])])
