"""What the pool knows: shares of unjudged and of overlapping results, by rank, and beside every table."""

from __future__ import annotations

from collections import Counter
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.measures import Evaluation, evaluate
from inexlab.policy import Policy
from inexlab.report.scores import write_scores
from inexlab.report.tables import percent
from inexlab.runs import RunBuilder
from tests.builders import a_run, calm, judged, judgement_lines, results, score
from tests.oracles import graded, ranked

JUDGED = judged("A 0:60 size=100", "B 50:40 size=100")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Unjudged@1", 0),
        ("Unjudged@2", 1 / 2),
        ("Unjudged@3", 1 / 3),
        ("Unjudged", 2 / 4),
        ("Unjudged@99", 2 / 4),
    ],
)
def test_unjudged(name: str, value: float) -> None:
    run = a_run("A[0,50)", "C[0,100)", "A[60,80)", "C[100,150)")
    assert score(name, JUDGED, run) == pytest.approx(value)


@pytest.mark.parametrize(("name", "value"), [("Overlap", 3 / 4), ("Overlap@2", 1), ("Overlap@3", 2 / 3)])
def test_overlap(name: str, value: float) -> None:
    run = a_run("A[0,50)", "A[40,60)", "B[0,10)", "A[0,10)")
    assert score(name, JUDGED, run) == pytest.approx(value)


def test_overlap_of_paths_without_a_collection() -> None:
    run = ranked("A/a[1]/s[1]", "A/a[1]", "A/a[1]/s[10]", "B/a[1]")
    assert score("Overlap", graded("A/a[1] 1 1/1"), run) == 3 / 4
    assert score("Overlap@1", graded("A/a[1] 1 1/1"), run) == 0
    assert score("Overlap@2", graded("A/a[1] 1 1/1"), run) == 1


def test_what_comes_later_or_was_cut_does_not_matter() -> None:
    run = a_run("A[0,50)", "B[0,10)", "A[40,60)", "C[0,9)", "A[0,10)")
    assert score("Overlap@2", JUDGED, run) == 0
    assert score("Overlap", JUDGED, run, limit=2) == 0
    assert score("Overlap@9", JUDGED, run, limit=2) == 0
    assert score("Overlap@3", JUDGED, run) == pytest.approx(2 / 3)
    assert score("Unjudged@3", JUDGED, run) == 0
    assert score("Unjudged", JUDGED, run, limit=3) == 0


def test_no_share_of_nothing() -> None:
    judgements = judged("1:A 0:3", "2:A 0:3")
    values = evaluate(judgements, [a_run("1:A[0,1)")], ["Unjudged", "Overlap"])
    for scores in values.scores:
        assert scores.values[0, 0] == 0
        assert isnan(scores.values[0, 1])


def test_another_topic_does_not_overlap() -> None:
    assert score("Overlap", judged("1:A 0:3", "2:A 0:3"), a_run("1:A[0,9)", "2:A[0,9)")) == 0


@calm
@given(results(), judgement_lines())
def test_shares_are_counts_by_hand(found: list[str], lines: list[str]) -> None:
    judgements = judged(*lines)
    known = {line.split()[0] for line in lines}
    evaluation = evaluate(judgements, [a_run(*found)], ["Unjudged", "Unjudged@3"])
    for t, topic in enumerate(judgements.topics):
        marks = [result[:3] not in known for result in found if result.startswith(f"{topic}:")]
        for scores, shown in zip(evaluation.scores, (marks, marks[:3]), strict=True):
            value = scores.values[0, t]
            assert value == np.mean(shown) if shown else isnan(value)


def test_a_result_that_is_nowhere_does_not_change_how_others_overlap() -> None:
    """Whether two results overlap is decided by these two."""
    builder = RunBuilder()
    builder.add("1", "A", span=(0, 9), path="/a[1]")
    builder.add("1", "A", span=(5, 12), path="/b[1]")
    builder.add("1", "A", path="/nowhere[1]")
    assert score("Overlap", JUDGED, builder.build("run")) == pytest.approx(2 / 3)
    assert score("Overlap@2", JUDGED, builder.build("run")) == 1


@calm
@given(results(), judgement_lines(), st.integers(1, 6), st.integers(0, 6))
def test_only_the_first_ranks_are_seen(found: list[str], lines: list[str], k: int, limit: int) -> None:
    """A run that ends at rank k, or at the limit, scores the same."""
    names = [f"Overlap@{k}", f"Unjudged@{k}"]
    seen: Counter[str] = Counter()
    head = []
    for result in found:
        seen[result[0]] += 1
        if seen[result[0]] <= min(k, limit or k):
            head.append(result)
    whole, short = (
        evaluate(judged(*lines), [a_run(*rows)], names, policy=Policy(limit=limit)) for rows in (found, head)
    )
    for one, other in zip(whole.scores, short.scores, strict=True):
        assert np.array_equal(one.values, other.values, equal_nan=True)


class TestBesideTables:
    """Two of five results of `some` are in the unjudged document C; all of `none` are judged."""

    some = a_run("A[0,9)", "C[0,9)", "B[0,9)", "C[9,10)", "A[20,30)", id="some")
    none = a_run("A[0,9)", id="none")

    def evaluated(self, *measures: str) -> Evaluation:
        return evaluate(JUDGED, [self.some, self.none], measures)

    @pytest.mark.parametrize(
        "measure", ["MAiP", "MAgP", "num_ret", "Article", "Unjudged", "Overlap", "HiXEvalP"]
    )
    def test_whatever_is_measured(self, measure: str) -> None:
        assert self.evaluated(measure).unjudged == {"some": 0.4, "none": 0.0}
        assert self.evaluated(measure, "MAiP").unjudged == {"some": 0.4, "none": 0.0}

    def test_of_graded_measures(self) -> None:
        judgements = graded("A/a[1] 1 1/1")
        assert evaluate(judgements, [ranked("A/a[1]", "X/a[1]")], ["MAep"]).unjudged == {"run": 0.5}

    def test_results_that_do_not_count_are_not_counted(self) -> None:
        cut = evaluate(JUDGED, [self.some], ["MAiP"], policy=Policy(limit=1))
        assert cut.unjudged == {"some": 0}

    def test_no_measure_no_share(self) -> None:
        assert self.evaluated().unjudged == {"some": 0, "none": 0}

    def test_tables_show_it_where_there_is_any(self) -> None:
        table = write_scores(self.evaluated("MAiP"), "table")
        lines = [line.split() for line in table.splitlines()]
        assert lines[0] == ["run", "MAiP", "unjudged"]
        assert {line[0]: line[-1] for line in lines[2:]} == {"some": "40%", "none": "0%"}
        assert (
            write_scores(self.evaluated("MAiP"), "markdown").splitlines()[0].split(" | ")[-1] == "unjudged |"
        )
        alone = write_scores(evaluate(JUDGED, [self.none], ["MAiP"]), "table")
        assert "unjudged" not in alone

    def test_other_forms_keep_their_columns(self) -> None:
        for output in ("json", "csv", "tsv", "latex"):
            assert "unjudged" not in write_scores(self.evaluated("MAiP"), output)
        assert "unjudged" not in write_scores(self.evaluated("MAiP"), "table", per_topic=True)

    def test_percentages(self) -> None:
        assert [percent(share) for share in (0, 0.0001, 0.009, 0.01, 0.126, 1)] == [
            *("0%", "<1%", "<1%", "1%", "13%", "100%")
        ]
