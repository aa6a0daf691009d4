"""The article-level view: the worked number, what is relevant, and names of measures that cannot be used."""

from __future__ import annotations

from math import isnan

import pytest

from inexlab.errors import UsageError
from inexlab.measures import evaluate, parse
from tests.builders import a_run, judged, score
from tests.oracles import graded, ranked

JUDGED = judged("A 0:60 size=100", "B 50:40 size=100", "C size=100")
RUN = a_run("A[0,50)", "C[0,100)", "A[60,80)", "B[0,100)")


@pytest.mark.parametrize(
    ("name", "value"),
    [("AP", (1 + 2 / 3) / 2), ("P@2", 1 / 2), ("P@4", 2 / 4), ("RR", 1), ("R@1", 1 / 2), ("Judged@3", 1)],
)
def test_the_documents_are_a_c_b(name: str, value: float) -> None:
    assert score(f"Article(measure={name})", JUDGED, RUN) == pytest.approx(value)


def test_average_precision_unless_named() -> None:
    assert parse("Article") == parse("Article(measure=AP)") == parse("Article(measure=MAP)")
    assert str(parse("Article(measure=P@10)")) == "Article(measure=P@10)"


def test_where_a_result_lies_in_its_document_does_not_matter() -> None:
    outside = a_run("A[90,100)", "C[0,1)", "B[0,10)")
    assert score("Article", JUDGED, outside) == pytest.approx(5 / 6)


def test_an_unjudged_document_is_not_relevant() -> None:
    run = a_run("X[0,9)", "A[0,9)")
    assert score("Article(measure=RR)", JUDGED, run) == 0.5
    assert score("Article(measure=Judged@2)", JUDGED, run) == 0.5
    assert evaluate(JUDGED, [run], ["Article"]).unjudged == {"run": 0.5}


def test_graded_elements_make_a_document_relevant() -> None:
    """Exhaustivity above 0, and `?`, count."""
    judgements = graded("A/a[1] 2 1/4", "B/a[1] ? 1/4", "C/a[1] 0 0/4", "D")
    run = ranked("C/a[1]", "D/a[1]", "B/a[2]", "A/a[1]")
    assert score("Article", judgements, run) == pytest.approx((1 / 3 + 2 / 4) / 2)


def test_a_topic_without_a_relevant_document_is_undefined_and_a_missing_one_scores_0() -> None:
    judgements = judged("1:A size=9", "2:A 0:3", "3:A 0:3")
    values = evaluate(judgements, [a_run("1:A[0,1)", "2:A[0,1)")], ["Article"]).scores[0].values[0]
    assert isnan(values[0])
    assert values[1:].tolist() == [1, 0]


def test_what_is_cut_is_not_seen() -> None:
    assert score("Article", JUDGED, RUN, limit=2) == 0.5


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("XYZ", "'XYZ' is no measure of ir_measures, such as AP, P@10 or nDCG@10"),
        ("P", r"'P' is no measure of ir_measures, .* \(invalid param cutoff=nothing\)"),
        ("AP(rel=1,a=2)", "is no measure of ir_measures"),
        ("P@x", "is no measure of ir_measures"),
        ("P@-1", "is no measure of ir_measures"),
        ("__import__('os')", "is no measure of ir_measures"),
        ("P@0", "the cutoff of 'P@0' is 0, expected 1 or more"),
        ("AP@0", "the cutoff of 'AP@0' is 0, expected 1 or more"),
        ("alpha_nDCG@10", "ir_measures cannot compute 'alpha_nDCG@10' with the packages that are installed"),
    ],
)
def test_measures_that_cannot_be_used(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse(f"Article(measure={name})")


@pytest.mark.parametrize("name", ["AP(rel=0)", "Accuracy"])
def test_measures_that_fail_on_the_data(name: str) -> None:
    """Accuracy divides by the number of documents that are not relevant."""
    with pytest.raises(UsageError, match=r"ir_measures cannot compute .* here"):
        score(f"Article(measure={name})", judged("A 0:60 size=100"), a_run("A[0,50)"))
