"""HiXEval: worked examples, the price of overlap, its limits."""

from __future__ import annotations

from math import isnan

import pytest

from inexlab.errors import UsageError
from inexlab.measures import parse
from tests.builders import a_run, judged, score, scores

TWICE = a_run("A[0,50)", "A[40,60)")


@pytest.mark.parametrize(("alpha", "value"), [("1", 60 / 70), ("0.5", 65 / 70), ("0", 70 / 70)])
def test_the_example_of_HiXEvalP(alpha: str, value: float) -> None:
    assert score(f"HiXEvalP(alpha={alpha})@2", judged("A 0:60"), TWICE) == value


@pytest.mark.parametrize(("alpha", "value"), [("1", 60 / 100), ("0", 70 / 100)])
def test_the_example_of_HiXEvalR(alpha: str, value: float) -> None:
    assert score(f"HiXEvalR(alpha={alpha})@2", judged("A 0:60", "B 50:40"), TWICE) == value


def test_the_example_of_HiXEvalF() -> None:
    found, judgements = a_run("A[0,50)"), judged("A 0:60", "B 50:40")
    assert scores(["HiXEvalP@1", "HiXEvalR@1"], judgements, found) == [1, 0.5]
    assert score("HiXEvalF@1", judgements, found) == pytest.approx(2 / 3, rel=1e-15)


def test_the_example_of_HiXEvalMAP() -> None:
    found, judgements = a_run("A[0,50)", "C[0,100)", "A[40,60)"), judged("A 0:60")
    assert score("HiXEvalMAP(alpha=1)", judgements, found) == pytest.approx((1 + 60 / 170) / 2, rel=1e-15)
    assert score("HiXEvalMAP(alpha=1)", judgements, found) == pytest.approx(0.676471, abs=5e-7)


def test_MAP_leaves_out_ranks_that_repeat_what_was_found() -> None:
    found, judgements = a_run("A[0,60)", "A[0,60)"), judged("A 0:60")
    assert score("HiXEvalMAP(alpha=1)", judgements, found) == 1
    assert score("HiXEvalMAP(alpha=0.5)", judgements, found) == (1 + 90 / 120) / 2


def test_recall_can_exceed_1_where_repeated_text_counts() -> None:
    found, judgements = a_run("A[0,60)", "A[0,60)"), judged("A 0:60")
    assert score("HiXEvalR(alpha=0)", judgements, found) == 2
    assert score("HiXEvalR(alpha=1)", judgements, found) == 1


def test_without_a_cutoff_the_whole_list_counts() -> None:
    found, judgements = a_run("A[0,50)", "C[0,50)"), judged("A 0:100")
    assert scores(["HiXEvalP@1", "HiXEvalP@9", "HiXEvalP"], judgements, found) == [1, 0.5, 0.5]


def test_precision_with_alpha_1_is_SpanP_with_the_full_denominator() -> None:
    found = a_run("A[0,50)", "B[10,70)", "A[40,60)", "C[0,9)")
    judgements = judged("A 0:60", "B 50:40")
    for k in (1, 2, 3, 4):
        full = score(f"SpanP@{k}", judgements, found, denominator="full")
        assert score(f"HiXEvalP(alpha=1)@{k}", judgements, found) == full


MEASURES = ["HiXEvalP@5", "HiXEvalR", "HiXEvalF@5", "HiXEvalMAP"]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("found", [(), ("A[7,7)",), ("X[0,9)",)], ids=["empty", "no length", "not relevant"])
def test_a_run_that_finds_nothing_scores_0(measure: str, found: tuple[str, ...]) -> None:
    assert score(measure, judged("A 0:10"), a_run(*found)) == 0


@pytest.mark.parametrize("measure", MEASURES)
def test_a_topic_without_relevant_text_has_no_score(measure: str) -> None:
    assert isnan(score(measure, judged("A"), a_run("A[0,10)")))


@pytest.mark.parametrize("name", ["HiXEvalP", "HiXEvalR", "HiXEvalF", "HiXEvalMAP"])
def test_an_alpha_above_1_is_refused_before_anything_is_scored(name: str) -> None:
    with pytest.raises(
        UsageError, match=rf"alpha=1\.5 of {name} is not a number of at least 0 and at most 1"
    ):
        parse(f"{name}(alpha=1.5)")
    assert str(parse(f"{name}(alpha=1)")) == f"{name}(alpha=1)"
