"""`evaluate`: which topics count, what is undefined, what comes out, what may go in."""

from __future__ import annotations

import gc
import json
import weakref
from collections.abc import Iterator
from math import isnan
from pathlib import Path

import numpy as np
import pytest

from inexlab.collection import open_collection
from inexlab.errors import InputError, UsageError
from inexlab.judgements import Judgements
from inexlab.measures import Evaluation, evaluate, parse
from inexlab.measures.scoring import DEFAULT_MEASURES, ScoreRow
from inexlab.policy import Policy
from inexlab.runs import Run
from tests.builders import a_run, judged

# Topic 1 is answered perfectly, topic 2 by half, topic 3 not at all; topic 4 has nothing relevant.
JUDGED = judged("1:A 0:60", "2:B 0:40", "3:C 0:10", "4:A")
FOUND = a_run("1:A[0,60)", "2:B[0,20)", "4:A[0,10)", "9:A[0,10)", id="mine")


def _values(evaluation: Evaluation, measure: str) -> dict[str, float | None]:
    return {row.topic: row.value for row in evaluation.rows() if row.measure == measure}


# Topics.


def test_a_judged_topic_missing_from_the_run_scores_0() -> None:
    found = _values(evaluate(JUDGED, [FOUND], ["SpanR"]), "SpanR")
    assert found == {"1": 1, "2": 0.5, "3": 0, "4": None, "all": 0.5}


def test_over_run_leaves_out_topics_that_the_run_does_not_have() -> None:
    found = _values(evaluate(JUDGED, [FOUND], ["SpanR"], over="run"), "SpanR")
    assert found == {"1": 1, "2": 0.5, "3": None, "4": None, "all": 0.75}


def test_over_run_is_about_each_run_by_itself() -> None:
    other = a_run("3:C[0,5)", id="other")
    totals = evaluate(JUDGED, [FOUND, other], ["SpanR"], over="run")["SpanR"].totals()
    assert totals.tolist() == [0.75, 0.5]


def test_listed_topics_alone_count_and_unjudged_ones_of_the_list_do_not() -> None:
    found = _values(evaluate(JUDGED, [FOUND], ["SpanR"], over=["2", "3", "77"]), "SpanR")
    assert found == {"1": None, "2": 0.5, "3": 0, "4": None, "all": 0.25}


def test_topics_without_judgements_are_ignored() -> None:
    evaluation = evaluate(JUDGED, [FOUND], ["SpanR", "ret_size"])
    assert evaluation["SpanR"].topics == ("1", "2", "3", "4")
    assert evaluation["ret_size"].totals().tolist() == [90]


def test_a_topic_without_relevant_text_is_undefined_in_every_form() -> None:
    evaluation = evaluate(JUDGED, [FOUND], ["iP@0.01"])
    assert isnan(evaluation["iP@0.01"].values[0, 3])
    assert ScoreRow("mine", "4", "iP@0.01", None) in list(evaluation.rows())


def test_policy_empty_topics_zero_lets_it_into_the_mean_of_iP_but_not_of_MAgP() -> None:
    policy = Policy(empty_topics="zero")
    evaluation = evaluate(JUDGED, [FOUND], ["iP@0.01", "gR@1"], policy=policy)
    assert evaluation["iP@0.01"].totals().tolist() == [2 / 4]
    assert evaluation["gR@1"].totals().tolist() == [2 / 3]


def test_a_mean_over_undefined_topics_only_is_undefined_and_a_sum_is_0() -> None:
    evaluation = evaluate(judged("4:A"), [a_run("4:A[0,10)")], ["MAiP", "rel_size"])
    assert _values(evaluation, "MAiP") == {"4": None, "all": None}
    assert _values(evaluation, "rel_size") == {"4": 0, "all": 0}


def test_counts_are_summed_over_the_topics_that_count() -> None:
    def total(**choice: str | list[str]) -> list[float]:
        scores = evaluate(JUDGED, [FOUND], ["rel_size"], **choice)["rel_size"]  # type: ignore[arg-type]
        totals: list[float] = scores.totals().tolist()
        return totals

    assert total() == [110]
    assert total(over="run") == [100]
    assert total(over=["3"]) == [10]


@pytest.mark.parametrize("over", ["judge", "all", ""])
def test_an_unknown_word_for_the_topics_is_refused(over: str) -> None:
    with pytest.raises(UsageError, match="expected 'judged', 'run' or a list of topics"):
        evaluate(JUDGED, [FOUND], over=over)


@pytest.mark.parametrize("over", [[], ["77", "78"]])
def test_a_list_without_a_judged_topic_is_refused(over: list[str]) -> None:
    with pytest.raises(UsageError, match="none of the listed topics is judged"):
        evaluate(JUDGED, [FOUND], over=over)


# The limit.


def test_results_beyond_1500_are_cut_before_documents_are_gathered() -> None:
    """The 1,501st result belongs to a document seen before: it must not complete that document."""
    found = a_run("A[0,30)", *(f"D{i}[0,1)" for i in range(1499)), "A[30,60)", "B[0,40)")
    judgements = judged("A 0:60", "B 0:40")
    cut = evaluate(judgements, [found], ["SpanR", "gR@2000", "num_ret", "gP(beta=0)@1", "gP@1"])
    assert [scores.totals()[0] for scores in cut.scores] == [0.3, 0.5, 1500, 1, pytest.approx(2 / 3)]
    whole = evaluate(judgements, [found], ["SpanR", "gR@2000", "num_ret", "gP@1"], policy=Policy(limit=0))
    assert [scores.totals()[0] for scores in whole.scores] == [1, 1, 1501, 1]


def test_the_limit_is_per_topic_in_file_order_and_unjudged_topics_do_not_use_it_up() -> None:
    found = a_run("9:A[0,1)", "9:A[1,2)", "1:A[0,30)", "2:B[0,20)", "1:A[30,60)", "2:B[20,40)")
    scores = evaluate(JUDGED, [found], ["SpanR"], policy=Policy(limit=1))["SpanR"]
    assert scores.values[0, :2].tolist() == [0.5, 0.5]


# Runs.


def test_the_order_of_runs_is_kept() -> None:
    runs = [a_run("1:A[0,10)", id=id) for id in ("zeta", "alpha", "mid")]
    evaluation = evaluate(JUDGED, runs, ["SpanP", "num_ret"])
    assert [scores.systems for scores in evaluation.scores] == [("zeta", "alpha", "mid")] * 2
    assert list(dict.fromkeys(row.run for row in evaluation.rows())) == ["zeta", "alpha", "mid"]


def test_each_run_is_scored_by_itself() -> None:
    others = [a_run("1:A[0,30)", id="half"), FOUND, a_run("1:B[0,30)", id="none")]
    together = evaluate(JUDGED, others, ["SpanR", "MAgP"])
    for place, run in enumerate(others):
        alone = evaluate(JUDGED, [run], ["SpanR", "MAgP"])
        for measure in ("SpanR", "MAgP"):
            np.testing.assert_array_equal(together[measure].values[place], alone[measure].values[0])


def test_runs_may_come_from_an_iterator() -> None:
    def many() -> Iterator[Run]:
        for number in range(4):
            yield a_run(f"1:A[0,{15 * number})", id=f"run{number}")

    assert evaluate(JUDGED, many(), ["SpanR"])["SpanR"].values[:, 0].tolist() == [0, 0.25, 0.5, 0.75]


@pytest.mark.parametrize("measure", ["iP@0.01", "MAiP", "SpanP@5c", "Density", "MAgP", "AP"])
def test_a_scored_run_leaves_memory_without_the_garbage_collector(measure: str) -> None:
    """A circle of references would keep the tables of many runs until the collector comes around."""
    alive: list[weakref.ref[Run]] = []

    def runs() -> Iterator[Run]:
        for name in "abcdef":
            run = a_run("1:A[0,60)", id=name)
            alive.append(weakref.ref(run))
            yield run
            del run

    gc.collect()
    gc.disable()
    try:
        evaluate(JUDGED, runs(), [measure])
        assert sum(run() is not None for run in alive) <= 1
    finally:
        gc.enable()


def test_two_runs_with_one_id_are_refused() -> None:
    twice = [a_run("1:A[0,9)", id="x", file="one.txt"), a_run("1:A[0,9)", id="x", file="two.txt")]
    with pytest.raises(InputError, match=r"two\.txt: has the run id 'x', as one\.txt\. Give each run"):
        evaluate(JUDGED, twice)


def test_a_single_run_in_place_of_a_list_is_refused(tmp_path: Path) -> None:
    for run in (FOUND, tmp_path / "run.txt", "run.txt"):
        with pytest.raises(UsageError, match="give a list of runs"):
            evaluate(JUDGED, run)  # type: ignore[arg-type]


def test_no_run_at_all_is_refused() -> None:
    with pytest.raises(UsageError, match="no run to score"):
        evaluate(JUDGED, [])


def test_a_run_without_results_scores_0_everywhere() -> None:
    totals = [scores.totals()[0] for scores in evaluate(JUDGED, [a_run()]).scores]
    assert totals == [0] * len(DEFAULT_MEASURES)


# Measures and what comes out.


def test_measures_may_be_names_or_values_and_are_found_by_either_name() -> None:
    evaluation = evaluate(JUDGED, [FOUND], ["MAgP", parse("iP@0.010")])
    assert evaluation["MAgP"] is evaluation["MAgP(score=F,beta=1)"]
    assert evaluation["iP@0.01"] is evaluation["iP@0.010"]
    with pytest.raises(KeyError):
        evaluation["gP@1"]


def test_without_a_choice_the_default_measures_are_taken() -> None:
    assert tuple(str(s.measure) for s in evaluate(JUDGED, [FOUND]).scores) == DEFAULT_MEASURES


def test_rows_come_run_by_run_topic_by_topic_measure_by_measure() -> None:
    judgements = judged("1:A 0:60", "2:A 0:60")
    runs = [a_run("1:A[0,60)", id="b"), a_run("2:A[0,30)", id="a")]
    assert list(evaluate(judgements, runs, ["SpanR", "num_ret"]).rows()) == [
        ScoreRow("b", "1", "SpanR", 1.0),
        ScoreRow("b", "1", "num_ret", 1),
        ScoreRow("b", "2", "SpanR", 0.0),
        ScoreRow("b", "2", "num_ret", 0),
        ScoreRow("b", "all", "SpanR", 0.5),
        ScoreRow("b", "all", "num_ret", 1),
        ScoreRow("a", "1", "SpanR", 0.0),
        ScoreRow("a", "1", "num_ret", 0),
        ScoreRow("a", "2", "SpanR", 0.5),
        ScoreRow("a", "2", "num_ret", 1),
        ScoreRow("a", "all", "SpanR", 0.25),
        ScoreRow("a", "all", "num_ret", 1),
    ]


def test_rows_without_topics_are_the_totals() -> None:
    evaluation = evaluate(JUDGED, [FOUND], ["SpanR", "num_ret"])
    assert list(evaluation.rows(per_topic=False)) == [
        ScoreRow("mine", "all", "SpanR", 0.5),
        ScoreRow("mine", "all", "num_ret", 3),
    ]


def test_to_pandas_holds_the_rows() -> None:
    evaluation = evaluate(JUDGED, [FOUND], ["SpanR", "num_ret"])
    frame = evaluation.to_pandas()
    assert list(frame.columns) == ["run", "topic", "measure", "value"]
    assert frame["value"].dtype == np.float64
    rows = [(row.run, row.topic, row.measure) for row in evaluation.rows()]
    assert list(frame[["run", "topic", "measure"]].itertuples(index=False, name=None)) == rows
    expected = [np.nan if row.value is None else row.value for row in evaluation.rows()]
    np.testing.assert_array_equal(frame["value"].to_numpy(), expected)
    assert len(evaluation.to_pandas(per_topic=False)) == 2


def test_to_polars_holds_the_rows() -> None:
    evaluation = evaluate(JUDGED, [FOUND], ["SpanR", "num_ret"])
    frame = evaluation.to_polars()
    assert frame.columns == ["run", "topic", "measure", "value"]
    assert frame.rows() == [tuple(row) for row in evaluation.rows()]
    assert evaluation.to_polars(per_topic=False).rows() == [
        ("mine", "all", "SpanR", 0.5),
        ("mine", "all", "num_ret", 3.0),
    ]


# Files.


@pytest.fixture
def judgement_file(tmp_path: Path) -> Path:
    """The qrels of two documents of 100 characters."""
    file = tmp_path / "judgements.qrels"
    file.write_text("1 Q0 A 60 100 0 0:60\n1 Q0 B 40 100 50 50:40\n1 Q0 N 0 100\n")
    return file


def test_files_are_read_and_score_as_tables_do(tmp_path: Path, judgement_file: Path) -> None:
    offsets = tmp_path / "offsets.txt"
    offsets.write_text("1 Q0 A 1 9 mine 0 50\n1 Q0 C 2 8 mine 0 100\n1 Q0 B 3 7 mine 0 100\n")
    lines = tmp_path / "lines.jsonl"
    spans = [("A", 0, 50), ("C", 0, 100), ("B", 0, 100)]
    rows = [{"topic": "1", "doc": doc, "start": start, "end": end} for doc, start, end in spans]
    lines.write_text("\n".join(json.dumps(row) for row in rows))
    evaluation = evaluate(str(judgement_file), [offsets, str(lines)], ["MAiP", "MAgP(score=BEP)"])
    table = evaluate(
        judged("A 0:60 bep=0", "B 50:40 bep=50"), [a_run("A[0,50)", "C[0,100)", "B[0,100)")], ["MAiP"]
    )
    assert evaluation["MAiP"].systems == ("mine", "lines")
    assert evaluation["MAiP"].totals().tolist() == [table["MAiP"].totals()[0]] * 2
    assert evaluation["MAgP(score=BEP)"].totals().tolist() == pytest.approx([0.816667] * 2, abs=5e-7)


def test_whole_documents_take_their_length_from_the_judgements(tmp_path: Path, judgement_file: Path) -> None:
    file = tmp_path / "trec.txt"
    file.write_text("1 Q0 A 1 9 mine\n1 Q0 N 2 8 mine\n1 Q0 B 3 7 mine\n")
    evaluation = evaluate(judgement_file, [file], ["ret_size", "SpanP@1", "SpanP"])
    assert [scores.totals()[0] for scores in evaluation.scores] == [300, 0.6, 100 / 300]


def test_a_whole_document_of_unknown_length_asks_for_the_collection(
    tmp_path: Path, judgement_file: Path
) -> None:
    file = tmp_path / "trec.txt"
    file.write_text("1 Q0 C 1 9 mine\n")
    with pytest.raises(InputError, match=r"the length of document C is not known\. Give `collection=DIR`"):
        evaluate(judgement_file, [file])


def test_paths_are_located_in_the_collection(tmp_path: Path) -> None:
    (tmp_path / "A.xml").write_text("<a>0123456789<p>relevant</p><p>not</p></a>")
    found = a_run("A/a[1]/p[1]", "A/a[1]/p[2]", "A/a[1]/p[3]", "Z/a[1]")
    judgements = judged("A 10:8 bep=10")
    for collection in (tmp_path, str(tmp_path), open_collection(tmp_path)):
        evaluation = evaluate(judgements, [found], ["ret_size", "SpanP@1", "SpanP"], collection=collection)
        assert [scores.totals()[0] for scores in evaluation.scores] == [11, 1, 8 / 11]


def test_paths_without_a_collection_ask_for_it() -> None:
    with pytest.raises(InputError, match=r"paths such as /a\[1\].*Give `collection=DIR`"):
        evaluate(judged("A 10:8"), [a_run("A/a[1]")])


def test_an_unreadable_run_among_several_is_named(tmp_path: Path, judgement_file: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.txt"):
        evaluate(judgement_file, [a_run("A[0,1)"), tmp_path / "nowhere.txt"])


def test_judgements_of_no_topic_score_nothing() -> None:
    empty: Judgements = judged()
    evaluation = evaluate(empty, [a_run("A[0,1)")], ["MAiP", "num_ret"])
    assert list(evaluation.rows()) == [
        ScoreRow("run", "all", "MAiP", None),
        ScoreRow("run", "all", "num_ret", 0),
    ]


# Sums.


def test_means_add_up_topics_in_order() -> None:
    """As the official tool does; numpy's pairwise sum differs in the last digit."""
    ids = [f"{number:03}" for number in range(300)]
    judgements = judged(*(f"{id}:A 0:{number + 7}" for number, id in enumerate(ids)))
    found = a_run(*(f"{id}:A[0,3)" for id in ids), id="one")
    scores = evaluate(judgements, [found, a_run(*(f"{id}:A[0,5)" for id in ids), id="two")], ["SpanR"])[
        "SpanR"
    ]
    expected = []
    for row in scores.values.tolist():
        total = 0.0
        for value in row:
            total += value
        expected.append(total / 300)
    assert scores.totals().tolist() == expected
    assert scores.totals()[0] != scores.values[0].sum() / 300, "too few topics to tell the difference"


def test_curves_may_be_asked_for() -> None:
    evaluation = evaluate(JUDGED, [FOUND], ["MAiP", "iP@*"])
    assert len(evaluation.scores) == 102
    levels = [evaluation[f"iP@{k / 100:g}"].values[0, 1] for k in range(101)]
    assert levels == [1] * 51 + [0] * 50  # half of the text of topic 2, and nothing else
    assert sum(levels) / 101 == evaluation["MAiP"].values[0, 1]
