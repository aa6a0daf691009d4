"""The article-level view: the worked number, what is relevant, and names of measures that cannot be used."""

from __future__ import annotations

import builtins
import pickle
from collections.abc import Mapping
from math import isnan, log2
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.errors import InputError, UnknownNameError, UsageError
from inexlab.judgements import read_judgements
from inexlab.judgements.table import JudgementsBuilder
from inexlab.measures import evaluate, parse
from inexlab.runs import read_run
from tests.builders import a_run, calm, judged, score
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
        ("XYZ", "'XYZ' is not a measure of ir_measures, such as AP, P@10 or nDCG@10"),
        ("P", r"'P' is not a measure of ir_measures, .* \(invalid param cutoff=nothing\)"),
        ("AP(rel=1,a=2)", "is not a measure of ir_measures"),
        ("P@x", "is not a measure of ir_measures"),
        ("P@-1", "is not a measure of ir_measures"),
        ("__import__('os')", "is not a measure of ir_measures"),
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


# By their own names.

GRADED = "1 0 A 3\n1 0 B 1\n1 0 C 0\n1 0 D -2\n2 0 A 0\n"
DOCUMENTS = "1 Q0 B 1 3.0 r\n1 Q0 X 2 2.0 r\n1 Q0 A 3 1.0 r\n1 Q0 D 4 0.5 r\n"


@pytest.fixture
def trec(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "qrels").write_text(GRADED)
    (tmp_path / "run").write_text(DOCUMENTS)
    return tmp_path / "qrels", tmp_path / "run"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("AP", (1 + 2 / 3) / 2),
        ("P@2", 1 / 2),
        ("P(rel=2)@3", 1 / 3),
        ("RR", 1),
        ("RR(rel=2)", 1 / 3),
        ("R@2", 1 / 2),
        ("nDCG@3", (1 + 3 / log2(4)) / (3 + 1 / log2(3))),
        ("Judged@2", 1 / 2),
    ],
)
def test_whole_documents_with_grades_need_neither_lengths_nor_a_collection(
    name: str, value: float, trec: tuple[Path, Path]
) -> None:
    evaluation = evaluate(trec[0], [trec[1]], [name])
    assert evaluation.scores[0].totals()[0] == pytest.approx(value)
    assert isnan(evaluation.scores[0].values[0, 1])  # nothing relevant to topic 2


def test_a_topic_without_a_document_of_the_grade_asked_for_is_undefined(trec: tuple[Path, Path]) -> None:
    assert isnan(evaluate(trec[0], [trec[1]], ["AP(rel=4)"]).scores[0].values[0, 0])


def test_a_topic_with_grades_below_0_alone_is_not_given_to_trec_eval(trec: tuple[Path, Path]) -> None:
    trec[0].write_text(GRADED + "3 0 A -1\n")
    values = evaluate(trec[0], [trec[1]], ["nDCG", "AP"])
    assert [isnan(scores.values[0, 2]) for scores in values.scores] == [True, True]


def test_measures_of_text_still_need_lengths(trec: tuple[Path, Path]) -> None:
    with pytest.raises(InputError, match=r"whose text is not known\. Give `collection=DIR`, or ask for mea"):
        evaluate(trec[0], [trec[1]], ["AP", "MAiP"])
    with pytest.raises(InputError, match=r"length of document X is not known\. Give `collection=DIR`, or"):
        evaluate(judged("B 0:5 size=10"), [trec[1]], ["AP", "SpanP@5"])


def test_lengths_come_from_the_judgements(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("1 Q0 B 1 3.0 r\n")
    evaluation = evaluate(judged("B 0:5 size=10"), [tmp_path / "run"], ["AP", "SpanP@5"])
    assert [scores.totals()[0] for scores in evaluation.scores] == [1, 0.5]


def test_ties_are_ranked_as_in_the_file_and_counted(trec: tuple[Path, Path]) -> None:
    trec[1].write_text("1 Q0 C 1 1 r\n1 Q0 A 2 1 r\n1 Q0 B 3 0 r\n2 Q0 A 1 0 r\n")
    evaluation = evaluate(trec[0], [trec[1]], ["RR"])
    assert evaluation.scores[0].totals()[0] == 0.5
    tied = "1 result with the score of the one before, ranked as in the file (trec_eval: by document id)"
    assert f"{tied}: r (1)" in evaluation.notes


def test_elements_are_graded_by_exhaustivity_and_highlights_by_1() -> None:
    judgements = graded("A/a[1] 2 1/4", "A/a[1]/b[1] 1 1/2", "B/a[1] ? 1/4", "C/a[1] 0 0/4", "D")
    assert judgements.document_grades.tolist() == [2, 1, 0, 0]
    assert JUDGED.document_grades.tolist() == [1, 1, 0]
    run = ranked("B/a[1]", "A/a[1]")
    assert score("nDCG@2", judgements, run) == pytest.approx((1 + 2 / log2(3)) / (2 + 1 / log2(3)))


def test_names_without_grades_beside_those_with() -> None:
    builder = JudgementsBuilder()
    builder.add("1", "A", grade=4)
    builder.add("1", "B", [(0, 5)])
    builder.add("1", "C")
    assert builder.build().document_grades.tolist() == [4, 1, 0]


def test_the_same_as_the_article_level_view() -> None:
    for name in ("AP", "P@2", "RR", "nDCG@3", "R@1"):
        assert score(name, JUDGED, RUN) == score(f"Article(measure={name})", JUDGED, RUN)


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("MAP", "AP"),
        ("NDCG@10", "nDCG@10"),
        (" P @ 5 ", "P@5"),
        ("P(rel=2)@5", "P(rel=2)@5"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@10"),
        ("IPrec@0.1", "IPrec@0.1"),
        ("R@10", "R@10"),
        ("R", "R(quant=gen,overlap=off)"),
        ("Q", "Q(quant=gen,overlap=off)"),
    ],
)
def test_names_are_printed_as_they_are_parsed(name: str, printed: str) -> None:
    measure = parse(name)
    assert str(measure) == printed
    assert parse(printed) == measure == pickle.loads(pickle.dumps(measure))
    assert measure.given == name


def test_counts_are_summed() -> None:
    assert parse("NumRet").definition.total == "sum"
    assert parse("AP").definition.total == "mean"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("P", "P needs a cut-off, for example P@10."),
        ("P@0", "the cutoff of 'P@0' is 0, expected 1 or more."),
        ("R(quant=gen)@5", "R takes no cut-off, so not 'R(quant=gen)@5'."),
        ("MAiP@3", "MAiP takes no cut-off, so not 'MAiP@3'."),
    ],
)
def test_names_that_cannot_be_used(name: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(name)
    assert str(caught.value) == message


def test_a_mistyped_name_of_a_measure_of_documents() -> None:
    with pytest.raises(UnknownNameError, match="unknown measure 'nDGC'; did you mean 'nDCG'"):
        parse("nDGC@10")


def test_without_the_library_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *arguments: Any, **named: Any) -> Any:
        if name == "ir_measures":
            raise ImportError
        return real(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    for name in ("AP", "R@10", "nDCG@10"):
        with pytest.raises(
            UsageError, match=r"is a measure of documents, .*: pip install inexlab\[articles\]"
        ):
            parse(name)
    with pytest.raises(UnknownNameError, match="did you mean 'nDCG'"):
        parse("nDGC@10")
    assert str(parse("MAiP")) == "MAiP"


@calm
@given(grades=st.dictionaries(st.sampled_from("ABCD"), st.integers(-1, 3), min_size=1))
def test_grades_outlive_the_file(grades: Mapping[str, int], tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("qrels") / "qrels"
    file.write_text("".join(f"1 0 {doc} {grade}\n" for doc, grade in grades.items()))
    assert read_judgements(file).document_grades.tolist() == list(grades.values())


def test_passages_and_elements_are_documents_by_first_occurrence(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("1 Q0 C 1 3.0 r /a[1]\n1 Q0 A 2 2.0 r /a[1]\n1 Q0 A 3 1.0 r /a[1]/b[1]\n")
    assert score("RR", JUDGED, read_run(tmp_path / "run")) == 0.5
    assert score("P@2", JUDGED, read_run(tmp_path / "run")) == 0.5
