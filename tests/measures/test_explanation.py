"""Explanations: each column by hand, the number from the columns, and the same number as evaluate."""

from __future__ import annotations

from itertools import accumulate
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

import inexlab
from inexlab.errors import UnknownNameError
from inexlab.judgements import Judgements
from inexlab.measures import Explanation, evaluate, explain
from inexlab.measures.measure import definitions
from inexlab.policy import Policy
from inexlab.runs import Run
from tests.builders import AB_JUDGED, AB_RESULTS, a_run, calm, judged, judgement_lines, results
from tests.oracles import graded, ranked

OF_TEXT = (
    *("iP@0.01", "iP@0.5", "MAiP", "SpanP@2", "SpanP", "SpanR@2", "SpanR"),
    *("gP(score=F,beta=0.25)@2", "gP(score=BEP,n=500)@1", "gP(score=T2I)@5", "gR@2", "MAgP(score=F,beta=1)"),
    *("MAgP(score=BEP,n=10)", "MAgP(score=T2I)", "igP(score=F)@0.5"),
    *("HiXEvalP@2", "HiXEvalR(alpha=0.5)", "HiXEvalF", "HiXEvalMAP"),
    *("num_ret", "num_rel", "num_rel_ret", "ret_size", "rel_size", "rel_ret_size"),
    *("Article(measure=AP)", "Article(measure=P@2)", "Unjudged@2", "Unjudged", "Overlap@2", "Overlap"),
)


def ab(measure: str, **options: int) -> Explanation:
    """Take apart a score of the worked example."""
    return explain(judged(*AB_JUDGED), a_run(*AB_RESULTS), "1", measure, **options)  # type: ignore[arg-type]


def evaluated(judgements: Judgements, run: Run, measure: str, policy: Policy | None = None) -> list[float]:
    """Return the score of every topic."""
    evaluation = evaluate(judgements, [run], [measure], policy=policy, need_judged_topics=False)
    values: list[float] = evaluation.scores[0].values[0].tolist()
    return values


def numbers(made: Explanation, column: str) -> list[float]:
    """Return a column that has a number in each row."""
    cells = made.columns[column]
    found = [float(cell) for cell in cells if isinstance(cell, int | float)]
    assert len(found) == len(cells)
    return found


def same(found: float | None, expected: float) -> bool:
    """Compare exactly: the explanation has no rounding of its own."""
    return isnan(expected) if found is None or isnan(found) else found == expected


class TestText:
    """A 0:60 and B 50:40 are relevant; the results are A[0,50), C[0,100), B[0,100)."""

    def test_columns(self) -> None:
        made = ab("MAiP")
        assert made.by == "result"
        assert made.columns == {
            "rank": [1, 2, 3],
            "document": ["A", "C", "B"],
            "start": [0, 0, 0],
            "end": [50, 100, 100],
            "length": [50, 100, 100],
            "new": [50, 100, 100],
            "relevant": [50, 0, 40],
            "new relevant": [50, 0, 40],
            "read so far": [50, 150, 250],
            "relevant so far": [50, 50, 90],
            "P": [1, 50 / 150, 90 / 250],
            "R": [0.5, 0.5, 0.9],
            "score so far": [pytest.approx(51 / 101), pytest.approx(51 / 101), made.value],
        }
        # iP is 1 up to recall .5, .36 up to .9, then 0
        assert made.value == pytest.approx((51 + 40 * 0.36) / 101)
        assert made.steps == [("relevant characters of the topic", 100)]

    def test_seen_text_is_not_new(self) -> None:
        made = explain(judged(*AB_JUDGED), a_run("A[0,50)", "A[40,70)"), "1", "SpanP")
        assert made.columns["length"] == [50, 30]
        assert made.columns["new"] == [50, 20]
        assert made.columns["relevant"] == [50, 20]
        assert made.columns["new relevant"] == [50, 10]
        assert made.value == 60 / 70

    def test_documents(self) -> None:
        """Documents A, C, B; F of A is 2·1·(5/6)/(11/6), of B 2·.4·1/1.4."""
        made = ab("MAgP(score=F,beta=1)")
        assert made.by == "document"
        assert made.columns["document"] == ["A", "C", "B"]
        assert made.columns["results"] == [1, 1, 1]
        assert made.columns["returned"] == [50, 100, 100]
        assert made.columns["relevant"] == [60, 0, 40]
        assert made.columns["both"] == [50, 0, 40]
        assert made.columns["P"] == [1, 0, 0.4]
        assert made.columns["R"] == [pytest.approx(5 / 6), 0, 1]
        f = [10 / 11, 0, 4 / 7]
        assert made.columns["S"] == pytest.approx(f)
        assert made.columns["gP"] == pytest.approx([f[0], f[0] / 2, (f[0] + f[2]) / 3])
        assert made.columns["gR"] == [0.5, 0.5, 1]
        assert made.value == pytest.approx((f[0] + (f[0] + f[2]) / 3) / 2)
        assert made.steps == [("relevant documents", 2)]

    def test_results_of_one_document_are_one_row(self) -> None:
        run = a_run("A[0,10)", "B[50,60)", "A[20,60)")
        made = explain(judged(*AB_JUDGED), run, "1", "MAgP(score=F)")
        assert made.columns["document"] == ["A", "B"]
        assert made.columns["results"] == [2, 1]
        assert made.columns["both"] == [50, 10]

    def test_entry_points(self) -> None:
        made = ab("MAgP(score=BEP,n=100)")
        assert made.columns["entry"] == [0, 0, 0]
        assert (made.columns["best entry point"][0], made.columns["best entry point"][2]) == (0, 50)
        assert made.columns["S"] == [1, 0, 0.5]

    def test_first_limits_rows_and_not_the_score(self) -> None:
        made = ab("MAiP", first=1)
        assert len(made) == 1
        assert made.columns["document"] == ["A"]
        assert made.value == ab("MAiP").value
        assert len(ab("MAiP", first=99)) == 3

    def test_articles(self) -> None:
        """Of A, C and B both A and B are relevant: AP = (1 + 2/3) / 2."""
        made = ab("Article(measure=AP)")
        assert made.columns["relevant"] == ["yes", "unjudged", "yes"]
        assert made.columns["score so far"] == [0.5, 0.5, pytest.approx(5 / 6)]
        assert made.value == pytest.approx(5 / 6)
        assert made.steps == [("relevant documents", 2)]

    def test_pool(self) -> None:
        made = ab("Unjudged")
        assert made.columns["judged"] == ["yes", "no", "yes"]
        assert made.columns["overlaps"] == ["no", "no", "no"]
        assert made.columns["score so far"] == [0, 0.5, pytest.approx(1 / 3)]


class TestGrades:
    """The recall base has the values 1, .75, .5, .25; the run gains .5, 0, 1, .25, 0, .75."""

    judgements = graded("A/a[1] 1 4/4", "B/a[1] 1 3/4", "C/a[1] 1 2/4", "D/a[1] 1 1/4")
    run = ranked("C/a[1]", "X/a[1]", "A/a[1]", "D/a[1]", "C/a[2]", "B/a[1]")

    def explain(self, measure: str) -> Explanation:
        return explain(self.judgements, self.run, "1", measure)

    def test_columns(self) -> None:
        made = self.explain("MAep(quant=spec6,overlap=off)")
        gains = [0.5, 0, 1, 0.25, 0, 0.75]
        assert made.columns["rank"] == [1, 2, 3, 4, 5, 6]
        assert made.columns["document"] == ["C", "X", "A", "D", "C", "B"]
        assert made.columns["path"][:2] == ["/a[1]", "/a[1]"]
        assert made.columns["e"] == [1, None, 1, 1, None, 1]
        assert made.columns["s"] == [0.5, None, 1, 0.25, None, 0.75]
        assert made.columns["value"] == made.columns["gain"] == gains
        assert made.columns["cumulated"] == [0.5, 0.5, 1.5, 1.75, 1.75, 2.5]
        assert made.columns["ideal"] == [1, 1.75, 2.25, 2.5, 2.5, 2.5]
        assert made.columns["nxCG"] == pytest.approx([0.5, 2 / 7, 2 / 3, 0.7, 0.7, 1])
        assert made.columns["gr"] == pytest.approx([0.2, 0.2, 0.6, 0.7, 0.7, 1])
        ep = made.columns["ep"]
        assert [ep[1], ep[4]] == [None, None]
        assert dict(made.steps) == {
            "elements in the recall base": 4,
            "gain of the recall base": 2.5,
            "ranks with a gain": 4,
            "sum of ep over these ranks": pytest.approx(sum(e for e in ep if isinstance(e, float))),
        }

    def test_overlap_shows_what_is_new_and_the_room(self) -> None:
        """A paragraph after its section: all its value has been seen."""
        judgements = graded("A/s[1] 1 4/4", "A/s[1]/p[1] 1 2/2")
        made = explain(judgements, ranked("A/s[1]", "A/s[1]/p[1]"), "1", "MAep(quant=spec6,overlap=on)")
        assert made.columns["value"] == [1, 1]
        assert made.columns["new value"] == [1, 0]
        assert made.columns["gain"] == [1, 0]
        assert made.columns["room"] == [1, 0]
        assert "room" not in self.explain("MAep(quant=spec6,overlap=off)").columns

    def test_articles_and_their_clusters(self) -> None:
        judgements = graded("A/a[1] 1 4/4", "A/a[1]/s[1] 1 2/2", "B/a[1] 1 1/4")
        run = ranked("B/a[1]", "A/a[1]/s[1]", "A/a[1]")
        by_article = explain(judgements, run, "1", "MAep(quant=spec6,overlap=off,level=article)")
        assert by_article.by == "document"
        assert by_article.columns["document"] == ["B", "A"]
        assert by_article.columns["results"] == [1, 2]
        assert by_article.columns["gain"] == [0.25, 1]
        assert dict(by_article.steps)["articles in the recall base"] == 2
        inside = explain(judgements, run, "1", "MAep(quant=spec6,overlap=off,level=element)")
        assert inside.columns["document"] == ["B", "A"]
        assert inside.columns["gain"] == [0.25, 2]
        assert inside.columns["ideal"] == [0.25, 2]
        assert inside.columns["MAep"] == [1, 1]

    def test_ties(self) -> None:
        """Two of two relevant elements and one other share the first rank."""
        judgements = graded("A/a[1] 3,3", "B/a[1] 3,3")
        made = explain(
            judgements, ranked("A/a[1] 7", "X/a[1] 7", "B/a[1] 7", "Y/a[1] 6"), "1", "precall(quant=strict4)"
        )
        assert made.columns["tied rank"] == [1, 1, 1, 2]
        assert made.columns["counted"] == [1, 0, 1, 0]
        assert made.columns["recall"] == [1, 1, 1, 1]
        assert made.columns["without value"] == [1, 1, 1, 2]
        assert made.steps == [("value of all relevant elements", 2)]

    def test_what_is_dropped_has_no_rank(self) -> None:
        judgements = graded("A/a[1] 3,3", "B/a[1] 3,3")
        run = ranked("X/a[1] 9", "A/a[1] 8", "A/a[1] 7", "B/a[1] 6")
        made = explain(judgements, run, "1", "precall(quant=strict4,duplicates=drop)")
        assert made.columns["counted"] == [0, 1, 0, 1]
        assert made.columns["tied rank"] == [1, 2, None, 3]
        assert made.columns["recall"] == [0, 0.5, None, 1]
        assert made.columns["without value"] == [1, 1, None, 1]
        kept = explain(judgements, run, "1", "precall(quant=strict4,duplicates=zero)")
        assert kept.columns["without value"] == [1, 1, 2, 2]


class TestTheNumberFromTheColumns:
    """What a reader can do with pencil and paper."""

    judgements = judged("A 0:60 bep=0 size=100", "B 50:40 bep=50 size=100", "D 5:10 bep=7 size=50")
    run = a_run("A[0,20)", "B[40,100)", "C[0,10)", "A[10,80)", "D[0,50)")

    def test_average_interpolated_precision(self) -> None:
        made = explain(self.judgements, self.run, "1", "MAiP")
        found, read = numbers(made, "relevant so far"), numbers(made, "read so far")
        total = dict(made.steps)["relevant characters of the topic"]
        points = [(f, f / r) for f, r in zip(found, read, strict=True)]
        best = [max((p for f, p in points if 100 * f >= k * total), default=0) for k in range(101)]
        assert made.value == pytest.approx(sum(best) / 101)

    def test_effort_precision(self) -> None:
        made = TestGrades().explain("MAep(quant=gen5,overlap=on)")
        steps = dict(made.steps)
        efforts = [e for e in made.columns["ep"] if isinstance(e, float)]
        assert sum(efforts) == pytest.approx(steps["sum of ep over these ranks"])
        divisor = max(steps["ranks with a gain"], steps["elements in the recall base"])
        assert made.value == pytest.approx(steps["sum of ep over these ranks"] / divisor)

    def test_average_generalised_precision(self) -> None:
        made = explain(self.judgements, self.run, "1", "MAgP(score=F,beta=1)")
        precision = [total / rank for rank, total in enumerate(accumulate(numbers(made, "S")), start=1)]
        chosen = [p for p, r in zip(precision, made.columns["relevant"], strict=True) if r]
        assert made.value == pytest.approx(sum(chosen) / dict(made.steps)["relevant documents"])

    @pytest.mark.parametrize("cutoff", [1, 2, 3, 6])
    def test_cumulated_gain(self, cutoff: int) -> None:
        made = TestGrades().explain(f"nxCG(quant=gen5,overlap=off)@{cutoff}")
        assert made.value == numbers(made, "cumulated")[cutoff - 1] / numbers(made, "ideal")[cutoff - 1]


@calm
@given(results(), judgement_lines(), st.sampled_from(OF_TEXT))
def test_the_number_is_that_of_evaluate(found: list[str], lines: list[str], measure: str) -> None:
    """On any run and any topic, and the last score so far is the score."""
    judgements, run = judged(*lines), a_run(*found)
    for topic, expected in zip(judgements.topics, evaluated(judgements, run, measure), strict=True):
        made = explain(judgements, run, topic, measure)
        assert same(made.value, expected)
        if len(made):
            assert same(made.columns["score so far"][-1], expected)  # type: ignore[arg-type]


@calm
@given(results(topics=("1",)), judgement_lines(topics=("1",)), st.sampled_from(OF_TEXT))
def test_score_so_far_is_that_of_the_list_cut_there(found: list[str], lines: list[str], measure: str) -> None:
    """By evaluate itself, of a run that ends at the rank. Overlap counts partners further down: left out."""
    judgements, run = judged(*lines), a_run(*found)
    made = explain(judgements, run, "1", measure)
    if made.by != "result" or measure.startswith("Overlap"):
        return
    for rank, value in enumerate(made.columns["score so far"], start=1):
        [expected] = evaluated(judgements, a_run(*found[:rank]), measure)
        assert same(value, expected)  # type: ignore[arg-type]


def test_every_measure_of_the_package_has_a_breakdown() -> None:
    # a ceiling is of all lists that could be made, not of the one that was returned
    assert [d.name for d in definitions.values() if d.breakdown is None] == ["Ceiling"]


def test_the_policy_counts() -> None:
    again = explain(
        judged(*AB_JUDGED), a_run("A[0,50)", "A[0,50)"), "1", "SpanP", policy=Policy(seen_text="again")
    )
    assert again.columns["new"] == [50, 50]
    cut = explain(judged(*AB_JUDGED), a_run(*AB_RESULTS), "1", "SpanP", policy=Policy(limit=2))
    assert len(cut) == 2
    assert cut.value == 50 / 150


def test_a_topic_that_the_run_lacks_has_no_rows() -> None:
    judgements = judged(*AB_JUDGED, "2:A 0:10")
    made = explain(judgements, a_run(*AB_RESULTS), "2", "MAiP")
    assert (len(made), made.value) == (0, 0.0)
    assert made.rows() == []
    by_document = explain(judgements, a_run(*AB_RESULTS), "2", "MAgP(score=F)")
    assert (len(by_document), by_document.value) == (0, 0.0)
    by_grade = explain(graded("1:A/a[1] 1 1/1", "2:A/a[1] 1 1/1"), ranked("1:A/a[1]"), "2", "MAep")
    assert (len(by_grade), by_grade.value) == (0, 0.0)


def test_an_undefined_score_is_explained_as_undefined() -> None:
    made = explain(judged("A size=100"), a_run("A[0,10)"), "1", "MAiP")
    assert isnan(made.value)
    assert made.columns["score so far"] == [None]
    assert made.columns["R"] == [0]


def test_an_unknown_topic_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown judged topic '7'\. Known: 1"):
        explain(judged(*AB_JUDGED), a_run(*AB_RESULTS), "7", "MAiP")


def test_it_is_public() -> None:
    found = inexlab.explain(judged(*AB_JUDGED), a_run(*AB_RESULTS), "1", "MAiP")
    assert found.value == explain(judged(*AB_JUDGED), a_run(*AB_RESULTS), "1", "MAiP").value
    assert isinstance(found, inexlab.Explanation)
    assert inexlab.Explanation is Explanation
