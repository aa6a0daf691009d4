"""iP, MAiP, SpanP and SpanR: worked examples, the published numbers, the definition, the policy."""

from __future__ import annotations

from fractions import Fraction
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.measures import evaluate
from tests.builders import a_run, ab_score, calm, judged, judgement_lines, results, score, scores

# The worked example: P = 1, 50/150, 90/250 and R = .5, .5, .9.


@pytest.mark.parametrize(
    ("level", "value"),
    [
        ("0", 1),
        ("0.01", 1),
        ("0.5", 1),
        ("0.51", 0.36),
        ("0.505", 0.36),
        ("0.9", 0.36),
        ("0.91", 0),
        ("0.901", 0),
        ("1", 0),
    ],
)
def test_interpolated_precision_of_the_worked_example(level: str, value: float) -> None:
    assert ab_score(f"iP@{level}") == value


def test_average_interpolated_precision_of_the_worked_example() -> None:
    assert ab_score("MAiP") == pytest.approx((51 + 40 * 0.36) / 101, rel=1e-15)
    assert ab_score("MAiP") == pytest.approx(0.6475247525, abs=5e-11)


def test_precision_and_recall_of_text_in_the_worked_example() -> None:
    assert [ab_score(f"SpanP@{k}") for k in (1, 2, 3)] == [1, 50 / 150, 90 / 250]
    assert [ab_score(f"SpanR@{k}") for k in (1, 2, 3)] == [0.5, 0.5, 0.9]


def test_the_example_of_SpanP() -> None:
    found, judgements = a_run("A[0,50)", "C[0,100)"), judged("A 0:60")
    assert scores(["SpanP@1", "SpanP@2"], judgements, found) == [1, 50 / 150]


class TestPublished:
    """Cherukuri (2010), Table 5: the numbers of one topic, printed with every digit.

    They determine that the first result has 4,081 characters, 4,077 of them relevant; that some later rank
    has cumulated 68,903 characters with 15,223 relevant ones; and that 6,590 characters follow in vain.
    """

    judgements = judged("A 0:4077", "B 0:11146", "D 0:245471")
    found = a_run("A[0,4081)", "E[0,10000)", "B[0,54822)", "C[0,6590)")

    def test_sizes(self) -> None:
        sizes = scores(["ret_size", "rel_size", "rel_ret_size"], self.judgements, self.found)
        assert sizes == [75493, 260694, 15223]

    @pytest.mark.parametrize(
        ("measure", "printed"),
        [
            ("iP@0", 0.9990198480764518),
            ("iP@0.01", 0.9990198480764518),
            ("iP@0.05", 0.22093377646836856),
            ("iP@0.1", 0.0),
        ],
    )
    def test_interpolated_precision_to_the_last_digit(self, measure: str, printed: float) -> None:
        assert score(measure, self.judgements, self.found) == printed

    def test_the_fractions_behind_them(self) -> None:
        values = scores(["iP@0.01", "iP@0.02", "iP@0.05", "iP@0.06"], self.judgements, self.found)
        assert values == [4077 / 4081, 15223 / 68903, 15223 / 68903, 0]

    def test_average_interpolated_precision_to_the_last_digit(self) -> None:
        assert score("MAiP", self.judgements, self.found) == 0.028532423782439392

    def test_the_official_tool_gives_the_same(self) -> None:
        measures = ["iP@0", "iP@0.01", "iP@0.05", "iP@0.1", "MAiP"]
        tool = scores(measures, self.judgements, self.found, recall_levels="floor", seen_text="again")
        assert tool == scores(measures, self.judgements, self.found)


# The definition, in fractions, over any run.


@pytest.mark.parametrize("compiled", ["never", pytest.param("always", marks=pytest.mark.compiled)])
@calm
@given(
    results(topics=("1",)),
    judgement_lines(topics=("1",), relevant=True),
    st.one_of(st.integers(0, 100).map(lambda k: Fraction(k, 100)), st.fractions(0, 1, max_denominator=1000)),
)
def test_interpolated_precision_is_the_best_precision_at_that_recall_or_beyond(
    compiled: str, found: list[str], lines: list[str], level: Fraction
) -> None:
    digits = f"{float(level):.6f}"
    run, judgements = a_run(*found), judged(*lines)
    shown, relevant, best = 0, 0, Fraction(0)
    text = {row.doc: {at for s, e in row.spans for at in range(s, e)} for row in judgements}
    total = sum(map(len, text.values()))
    seen: set[tuple[str, int]] = set()
    for result in run:
        for at in range(result.start or 0, result.end or 0):
            if (result.doc, at) not in seen:
                seen.add((result.doc, at))
                shown += 1
                relevant += at in text.get(result.doc, ())
        if shown and Fraction(relevant, total) >= Fraction(digits):
            best = max(best, Fraction(relevant, shown))
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("INEXLAB_COMPILED", compiled)
        assert score(f"iP@{digits}", judgements, run) == float(best)


@calm
@given(results(), judgement_lines(relevant=True))
def test_average_interpolated_precision_is_the_mean_of_101_levels(found: list[str], lines: list[str]) -> None:
    levels = [f"iP@{k / 100:.2f}" for k in range(101)]
    evaluation = evaluate(judged(*lines), [a_run(*found)], [*levels, "MAiP"])
    *curve, average = (matrix.totals()[0] for matrix in evaluation.scores)
    assert average == pytest.approx(sum(curve) / 101, abs=1e-12)


# Lists and texts of no length.


@pytest.mark.parametrize("measure", ["iP@0", "iP@0.005", "MAiP", "SpanP", "SpanP@5", "SpanR", "SpanR@5"])
@pytest.mark.parametrize("found", [(), ("A[7,7)",), ("A?", "X?")], ids=["no result", "no length", "nowhere"])
def test_a_run_that_shows_nothing_scores_0(measure: str, found: tuple[str, ...]) -> None:
    assert score(measure, judged("A 0:10"), a_run(*found)) == 0


@pytest.mark.parametrize("measure", ["iP@0", "iP@0.005", "MAiP", "SpanP@5", "SpanR"])
def test_a_topic_without_relevant_text_has_no_score(measure: str) -> None:
    assert isnan(score(measure, judged("A", "B"), a_run("A[0,10)")))


@pytest.mark.parametrize("measure", ["iP@0", "iP@0.005", "MAiP"])
def test_policy_empty_topics_zero_scores_it_0_in_iP_and_MAiP(measure: str) -> None:
    assert score(measure, judged("A", "B"), a_run("A[0,10)"), empty_topics="zero") == 0


@pytest.mark.parametrize("measure", ["SpanP@5", "SpanR"])
def test_policy_empty_topics_zero_leaves_other_measures_undefined(measure: str) -> None:
    assert isnan(score(measure, judged("A", "B"), a_run("A[0,10)"), empty_topics="zero"))


def test_a_result_without_new_text_keeps_its_rank() -> None:
    found, judgements = a_run("A[0,10)", "A[0,10)", "B[0,10)"), judged("A 0:10")
    assert scores(["SpanP@1", "SpanP@2", "SpanP@3"], judgements, found) == [1, 1, 0.5]


def test_a_shorter_list_counts_as_it_is() -> None:
    found, judgements = a_run("A[0,10)", "B[0,10)"), judged("A 0:10")
    assert scores(["SpanP@2", "SpanP@50", "SpanP"], judgements, found) == [0.5, 0.5, 0.5]


# The policy.


@pytest.mark.parametrize("percent", range(1, 101))
def test_recall_levels_floor_loses_exactly_the_three_levels_of_the_official_tool(percent: int) -> None:
    found, judgements = a_run(f"A[0,{percent})"), judged("A 0:100")
    measure = f"iP@{percent / 100:.2f}"
    assert score(measure, judgements, found) == 1
    lost = percent in (29, 57, 58)
    assert score(measure, judgements, found, recall_levels="floor") == (0 if lost else 1)
    levels = 1 + percent - lost
    assert score("MAiP", judgements, found, recall_levels="floor") == pytest.approx(levels / 101)


def test_recall_levels_floor_changes_neither_precision_nor_recall_at_a_rank() -> None:
    found, judgements = a_run("A[0,29)"), judged("A 0:100")
    assert scores(["SpanP@1", "SpanR@1"], judgements, found, recall_levels="floor") == [1, 0.29]


def test_denominator_full_keeps_seen_text_in_the_length_but_not_in_the_gain() -> None:
    found, judgements = a_run("A[0,50)", "A[40,60)"), judged("A 0:60")
    measures = ["SpanP@1", "SpanP@2", "iP@0", "iP@1", "SpanR@2"]
    assert scores(measures, judgements, found) == [1, 1, 1, 1, 1]
    assert scores(measures, judgements, found, denominator="full") == [1, 60 / 70, 1, 60 / 70, 1]


def test_denominator_full_holds_between_the_hundredths_too() -> None:
    found, judgements = a_run("A[0,50)", "A[40,60)"), judged("A 0:60")
    assert score("iP@0.995", judgements, found, denominator="full") == 60 / 70


def test_seen_text_again_counts_repeated_text_as_found_again() -> None:
    found, judgements = a_run("A[0,30)", "A[0,30)", "B[0,40)"), judged("A 0:60")
    assert scores(["SpanP@2", "SpanR@2"], judgements, found) == [1, 0.5]
    assert scores(["SpanP@3", "SpanR@2"], judgements, found, seen_text="again") == [0.6, 1]


def test_unlocatable_18_lowers_precision_and_not_recall() -> None:
    found, judgements = a_run("X?", "A[0,42)"), judged("A 0:42")
    assert scores(["iP@0", "SpanP", "SpanR"], judgements, found) == [1, 1, 1]
    assert scores(["iP@0", "SpanP", "SpanR"], judgements, found, unlocatable=18) == [0.7, 0.7, 1]


def test_outside_clip_does_not_charge_text_past_the_end() -> None:
    found, judgements = a_run("A[0,200)"), judged("A 0:60 size=100")
    assert score("SpanP", judgements, found) == 0.3
    assert score("SpanP", judgements, found, outside="clip") == 0.6


def test_relevant_size_stated_is_the_total_that_recall_refers_to() -> None:
    found, judgements = a_run("A[0,50)"), judged("A 0:50 stated=200")
    assert scores(["SpanR", "iP@0.25", "iP@0.26"], judgements, found) == [1, 1, 1]
    assert scores(["SpanR", "iP@0.25", "iP@0.26"], judgements, found, relevant_size="stated") == [0.25, 1, 0]


def test_more_text_than_stated_reaches_every_level() -> None:
    found, judgements = a_run("A[0,50)"), judged("A 0:50 stated=20")
    assert scores(["iP@1", "MAiP"], judgements, found, relevant_size="stated") == [1, 1]
