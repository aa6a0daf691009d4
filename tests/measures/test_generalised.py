"""gP, gR, MAgP and igP: worked examples, document scores, ranks of documents, the policy."""

from __future__ import annotations

from fractions import Fraction
from math import isnan

import pytest
from hypothesis import given

from inexlab.measures.families.generalised import document_scores, generalised_precision
from inexlab.measures.spans import span_evidence
from inexlab.policy import Policy
from tests.builders import (
    AB_JUDGED,
    AB_RESULTS,
    a_run,
    ab_score,
    calm,
    judged,
    judgement_lines,
    results,
    score,
    scores,
)


def approx(value: float) -> object:
    """A number printed with six decimals."""
    return pytest.approx(value, abs=5.1e-7)


# The worked example: A 0:60 and B 50:40, best entry points 0 and 50; results A[0,50), C[0,100), B[0,100).


@pytest.mark.parametrize(
    ("kind", "beta", "n", "expected"),
    [
        ("F", "1", 1, [0.909091, 0, 0.571429]),
        ("F", "0.25", 1, [0.988372, 0, 0.414634]),
        ("BEP", "1", 500, [1, 0, 0.9]),
        ("BEP", "1", 1000, [1, 0, 0.95]),
    ],
)
def test_document_scores_of_the_worked_example(kind: str, beta: str, n: int, expected: list[float]) -> None:
    topic = span_evidence(a_run(*AB_RESULTS), judged(*AB_JUDGED), Policy()).topics[0]
    found = document_scores(topic, kind, Fraction(beta), n, 0).tolist()
    assert found == [approx(value) for value in expected]


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("MAgP(score=F,beta=1)", 0.701299),
        ("MAgP(score=F,beta=0.25)", 0.728020),
        ("MAgP(score=BEP,n=500)", 0.816667),
        ("MAgP(score=BEP,n=1000)", 0.825),
        ("gP(score=F,beta=1)@1", 0.909091),
        ("gP(score=F,beta=1)@2", 0.454545),
        ("gP(score=F,beta=1)@3", 0.493506),
        ("gP(score=BEP,n=500)@3", 0.633333),
        ("gR@1", 0.5),
        ("gR@2", 0.5),
        ("gR@3", 1),
        ("igP(score=F,beta=1)@0", 0.909091),
        ("igP(score=F,beta=1)@0.5", 0.909091),
        ("igP(score=F,beta=1)@0.51", 0.493506),
        ("igP(score=F,beta=1)@1", 0.493506),
    ],
)
def test_the_worked_example(measure: str, value: float) -> None:
    assert ab_score(measure) == approx(value)


def test_the_worked_example_in_fractions() -> None:
    f_of_a = 2 * 1 * Fraction(50, 60) / (1 + Fraction(50, 60))
    f_of_b = 2 * Fraction(40, 100) * 1 / (Fraction(40, 100) + 1)
    average = (f_of_a + (f_of_a + f_of_b) / 3) / 2
    assert ab_score("MAgP") == pytest.approx(float(average), rel=1e-15)


# Document scores.


def test_F_weighs_recall_by_beta() -> None:
    # 10 of the 40 returned characters are relevant, of 20: P = 1/4, R = 1/2
    found, judgements = a_run("A[0,40)"), judged("A 30:20")
    assert score("gP(beta=0)@1", judgements, found) == 0.25
    assert score("gP(beta=1)@1", judgements, found) == pytest.approx(1 / 3)
    assert score("gP(beta=2)@1", judgements, found) == pytest.approx(5 / 8 / (4 / 4 + 1 / 2))
    assert score("gP(beta=1000000)@1", judgements, found) == pytest.approx(0.5)


def test_F_counts_all_results_of_a_document_together_wherever_they_stand() -> None:
    judgements = judged("A 0:60")
    together = a_run("A[0,30)", "A[30,60)", "B[0,10)")
    apart = a_run("A[0,30)", "B[0,10)", "A[30,60)")
    assert score("gP@1", judgements, together) == 1
    assert score("gP@1", judgements, apart) == 1
    assert score("gP@2", judgements, apart) == 0.5


def test_a_result_that_misses_the_highlights_makes_recall_of_documents_and_no_score() -> None:
    found, judgements = a_run("A[60,100)"), judged("A 0:60 bep=0")
    assert scores(["gR@1", "gP@1", "gP(score=T2I)@1", "MAgP"], judgements, found) == [1, 0, 0, 0]
    assert score("gP(score=BEP)@1", judgements, found) == 0.88  # the entry point is near all the same


@pytest.mark.parametrize(
    ("distance", "value"), [(0, 1), (1, 0.998), (250, 0.5), (499, 0.002), (500, 0), (501, 0), (5000, 0)]
)
def test_BEP_falls_linearly_with_the_distance_on_both_sides(distance: int, value: float) -> None:
    judgements = judged("A 6000:10 bep=6000")
    for x in (6000 - distance, 6000 + distance):
        found = a_run(f"A[{x},{x})")
        assert score("gP(score=BEP,n=500)@1", judgements, found) == pytest.approx(value, abs=1e-15)


def test_BEP_takes_the_first_result_of_a_document_and_gives_later_ones_no_rank() -> None:
    found = a_run("A[100,100)", "A[0,0)", "B[0,0)")
    judgements = judged("A 0:10 bep=0", "B 0:10 bep=0")
    assert score("gP(score=BEP,n=200)@1", judgements, found) == 0.5
    assert score("gP(score=BEP,n=200)@2", judgements, found) == 0.75


@pytest.mark.parametrize(
    ("found", "document"),
    [
        ("A[0,10)", "A 0:10"),  # no best entry point
        ("A?", "A 0:10 bep=0"),  # not located
        ("A[0,10)", "A bep=0"),  # not relevant
    ],
)
def test_BEP_is_0_where_there_is_no_distance(found: str, document: str) -> None:
    assert score("gP(score=BEP)@1", judged(document, "B 0:10"), a_run(found)) == 0


@pytest.mark.parametrize(("tolerance", "value"), [(0, 0), (29, 0), (30, 1), (300, 1)])
def test_T2I_forgives_as_much_irrelevant_text_as_it_tolerates(tolerance: int, value: float) -> None:
    # 20 characters in vain, then 10 new ones before the highlight
    found, judgements = a_run("A[0,20)", "A[10,40)"), judged("A 30:5")
    assert score(f"gP(score=T2I,tolerance={tolerance})@1", judgements, found) == value


def test_T2I_reads_in_the_order_of_the_run() -> None:
    judgements = judged("A 300:5")
    measure = "gP(score=T2I,tolerance=10)@1"
    assert score(measure, judgements, a_run("A[300,310)", "A[0,100)")) == 1
    assert score(measure, judgements, a_run("A[0,100)", "A[300,310)")) == 0


# Ranks and means.


def test_average_divides_by_all_relevant_documents() -> None:
    judgements = judged("A 0:10", "B 0:10", "C 0:10", "D 0:10")
    assert score("MAgP", judgements, a_run("A[0,10)")) == 0.25


def test_average_takes_precision_at_relevant_documents_only() -> None:
    judgements = judged("A 0:10", "B 0:10", "N")
    assert score("MAgP", judgements, a_run("A[0,10)", "N[0,10)", "U[0,10)", "B[0,10)")) == (1 + 2 / 4) / 2


def test_beyond_the_list_precision_divides_by_the_rank_and_recall_stays() -> None:
    found, judgements = a_run("A[0,10)", "C[0,10)"), judged("A 0:10", "B 0:10")
    assert scores(["gP@2", "gP@10", "gR@10"], judgements, found) == [0.5, 0.1, 0.5]


def test_policy_beyond_last_repeats_the_last_value_and_changes_nothing_else() -> None:
    found, judgements = a_run("A[0,10)", "C[0,10)"), judged("A 0:10", "B 0:10")
    assert scores(["gP@2", "gP@10"], judgements, found, beyond="last") == [0.5, 0.5]
    others = ["gP@1", "gP@2", "gR@10", "MAgP", "igP@0.5", "igP@1"]
    assert scores(others, judgements, found, beyond="last") == scores(others, judgements, found)


@pytest.mark.parametrize("beyond", ["rank", "last"])
@pytest.mark.parametrize("measure", ["gP@1", "gP(score=BEP)@10", "gR@10", "MAgP", "igP@0"])
def test_an_empty_list_scores_0(measure: str, beyond: str) -> None:
    assert score(measure, judged("A 0:10"), a_run(), beyond=beyond) == 0


@pytest.mark.parametrize("empty", ["undefined", "zero"])
@pytest.mark.parametrize("measure", ["gP@1", "gR@10", "MAgP(score=BEP)", "igP@0"])
def test_a_topic_without_relevant_text_has_no_score(measure: str, empty: str) -> None:
    assert isnan(score(measure, judged("A", "B"), a_run("A[0,10)"), empty_topics=empty))


def test_relevant_size_stated_is_the_text_that_recall_refers_to() -> None:
    found, judgements = a_run("A[0,50)"), judged("A 0:50 stated=100")
    assert score("gP@1", judgements, found) == 1
    assert score("gP@1", judgements, found, relevant_size="stated") == pytest.approx(2 / 3)


def test_a_document_stated_to_have_nothing_relevant_is_not_relevant() -> None:
    found, judgements = a_run("A[0,50)", "B[0,50)"), judged("A 0:50 bep=0 stated=0", "B 0:50 bep=0")
    measures = ["gR@1", "gP@1", "gP(score=BEP)@1", "gP(score=T2I)@1"]
    assert scores(measures, judgements, found) == [0.5, 1, 1, 1]
    assert scores(measures, judgements, found, relevant_size="stated") == [0, 0, 0, 0]


def test_seen_text_again_and_unlocatable_weigh_on_the_documents_precision() -> None:
    judgements = judged("A 0:40")
    assert score("gP(beta=0)@1", judgements, a_run("A[0,40)", "A[20,60)")) == 40 / 60
    assert score("gP(beta=0)@1", judgements, a_run("A[0,40)", "A[20,60)"), seen_text="again") == 60 / 80
    assert score("gP(beta=0)@1", judgements, a_run("A[0,42)", "A?"), unlocatable=18) == 40 / 60


@calm
@given(results(topics=("1",)), judgement_lines(topics=("1",), relevant=True))
def test_interpolation_takes_the_best_precision_at_that_recall_or_beyond(
    found: list[str], lines: list[str]
) -> None:
    run, judgements = a_run(*found), judged(*lines)
    ranks = range(1, 1 + len({result.doc for result in run}))
    levels = ("0", "0.1", "0.3", "0.34", "0.5", "0.67", "1")
    recall = scores([f"gR@{rank}" for rank in ranks], judgements, run)
    precision = scores([f"gP@{rank}" for rank in ranks], judgements, run)
    for level, found_there in zip(levels, scores([f"igP@{x}" for x in levels], judgements, run), strict=True):
        reached = [p for r, p in zip(recall, precision, strict=True) if r >= float(level)]
        assert found_there == pytest.approx(max(reached, default=0.0), abs=1e-15)


@pytest.mark.parametrize("total", [1, 2, 3, 7, 10, 20, 29, 30])
def test_recall_levels_floor_agrees_with_exact_ones_at_the_eleven_points_of_the_official_tool(
    total: int,
) -> None:
    documents = [f"R{i}" for i in range(total)]
    judgements = judged(*(f"{doc} 0:10" for doc in documents))
    found = a_run(*(result for doc in documents for result in ("N[0,5)", f"{doc}[0,{10 + len(doc)})")))
    points = [f"igP@{k / 10}" for k in range(11)]
    assert scores(points, judgements, found, recall_levels="floor") == scores(points, judgements, found)


@pytest.mark.parametrize(
    ("level", "below"), [("0.15", "0.1"), ("0.34", "0.3"), ("0.67", "0.6"), ("0.99", "0.9")]
)
def test_recall_levels_floor_means_the_tenths_of_the_official_tool_and_no_level_between(
    level: str, below: str
) -> None:
    """floor(10 × recall) knows eleven levels; 0.15 taken for 0.1 would be a number nobody asked for."""
    documents = [f"R{i}" for i in range(20)]
    judgements = judged(*(f"{doc} 0:10" for doc in documents))
    found = a_run(*(result for doc in documents for result in (f"{doc}[0,10)", f"N{doc}[0,5)")))
    exact = score(f"igP@{level}", judgements, found)
    assert score(f"igP@{level}", judgements, found, recall_levels="floor") == exact
    assert exact < score(f"igP@{below}", judgements, found, recall_levels="floor")


def test_average_adds_up_in_the_order_of_the_ranks() -> None:
    """As the official tool does; numpy's pairwise sum differs in the last digit."""
    documents = [f"R{i}" for i in range(200)]
    judgements = judged(*(f"{doc} 0:10" for doc in documents))
    run = a_run(*(f"{doc}[0,{11 + i})" for i, doc in enumerate(documents)))
    topic = span_evidence(run, judgements, Policy()).topics[0]
    precision = generalised_precision(topic, "F", Fraction(1), 1, 0)
    total = 0.0
    for value in precision.tolist():
        total += value
    assert total / 200 != float(precision.sum()) / 200, "too few documents to tell the difference"
    assert score("MAgP", judgements, run) == total / 200
