"""An evaluation in print, in every format."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given

from inexlab.measures import Evaluation, Measure, evaluate
from inexlab.report.scores import FORMATS, write_scores
from tests.builders import a_run, calm, judged, judgement_lines, results

# Topic 1 has a third of its text returned by the first run, topic 2 has nothing relevant.
EVALUATION = evaluate(
    judged("1:A 0:60", "2:A"),
    [a_run("1:A[0,20)", "2:A[0,5)", id="third"), a_run("1:A[0,60)", id="all_of_it")],
    ["SpanR", "MAgP", "num_ret"],
)


def test_json_has_one_object_per_number_and_null_where_undefined() -> None:
    rows = json.loads(write_scores(EVALUATION, "json", per_topic=True))
    assert rows[:3] == [
        {"run": "third", "topic": "1", "measure": "SpanR", "value": 20 / 60},
        {"run": "third", "topic": "1", "measure": "MAgP", "value": 0.5},
        {"run": "third", "topic": "1", "measure": "num_ret", "value": 1},
    ]
    assert {"run": "third", "topic": "2", "measure": "SpanR", "value": None} in rows
    assert len(rows) == 2 * 3 * 3
    assert all(list(row) == ["run", "topic", "measure", "value"] for row in rows)


def test_json_counts_are_whole_numbers() -> None:
    rows: list[dict[str, Any]] = json.loads(write_scores(EVALUATION, "json"))
    assert [type(row["value"]) for row in rows] == [float, float, int] * 2


def test_json_without_topics_has_the_totals_only() -> None:
    rows = json.loads(write_scores(EVALUATION, "json"))
    assert {row["topic"] for row in rows} == {"all"}
    assert len(rows) == 2 * 3


def test_json_keeps_every_name_in_any_encoding_of_the_output() -> None:
    evaluation = evaluate(judged("1:A 0:60"), [a_run("1:A[0,1)", id='Übung "1"')], ["SpanR"])
    text = write_scores(evaluation, "json")
    assert text.isascii()
    assert json.loads(text)[0]["run"] == 'Übung "1"'


@calm
@given(results(), judgement_lines())
def test_json_csv_and_tsv_hold_every_number_exactly(found: list[str], lines: list[str]) -> None:
    evaluation = evaluate(judged(*lines), [a_run(*found)], ["MAiP", "MAgP", "ret_size"])
    expected = [tuple(row) for row in evaluation.rows()]
    rows = json.loads(write_scores(evaluation, "json", per_topic=True))
    assert [tuple(row.values()) for row in rows] == expected
    for output, separator in (("csv", ","), ("tsv", "\t")):
        text = write_scores(evaluation, output, per_topic=True)
        header, *lines_read = csv.reader(io.StringIO(text), delimiter=separator)
        assert header == ["run", "topic", "measure", "value"]
        read = [(run, t, m, float(value) if value else None) for run, t, m, value in lines_read]
        assert read == expected


def test_csv_has_an_empty_field_where_undefined() -> None:
    assert write_scores(EVALUATION, "csv", per_topic=True).splitlines()[4] == "third,2,SpanR,"


def test_the_table_has_a_row_per_run_and_full_names_of_measures() -> None:
    lines = write_scores(EVALUATION, "table", width=100).splitlines()
    assert lines[0].split() == ["run", "SpanR", "MAgP(score=F,beta=1)", "num_ret"]
    assert [line.split() for line in lines[2:]] == [
        ["all_of_it", "1.0000", "1.0000", "1"],
        ["third", "0.3333", "0.5000", "2"],
    ]


def test_the_table_by_topic_has_a_row_per_run_and_topic() -> None:
    lines = write_scores(EVALUATION, "table", per_topic=True, width=100).splitlines()
    assert lines[0].split() == ["run", "topic", "SpanR", "MAgP(score=F,beta=1)", "num_ret"]
    assert [line.split() for line in lines[2:]] == [
        ["all_of_it", "1", "1.0000", "1.0000", "1"],
        ["all_of_it", "2", "–", "–", "0"],
        ["all_of_it", "all", "1.0000", "1.0000", "1"],
        ["third", "1", "0.3333", "0.5000", "1"],
        ["third", "2", "–", "–", "1"],
        ["third", "all", "0.3333", "0.5000", "2"],
    ]


def test_a_narrow_table_has_a_row_per_measure() -> None:
    lines = write_scores(EVALUATION, "table", width=43).splitlines()
    assert [line.split() for line in lines if "─" not in line] == [
        ["run", "all_of_it", "third"],
        ["SpanR", "1.0000", "0.3333"],
        ["MAgP(score=F,beta=1)", "1.0000", "0.5000"],
        ["num_ret", "1", "2"],
    ]


def test_markdown_and_latex_hold_the_same_numbers() -> None:
    assert "| third | 0.3333 | 0.5000 | 2 |\n" in write_scores(EVALUATION, "markdown")
    latex = write_scores(EVALUATION, "latex")
    assert "run & SpanR & MAgP(score=F,beta=1) & num\\_ret \\\\" in latex
    assert "third & 0.3333 & 0.5000 & 2 \\\\" in latex
    assert r"all\_of\_it & \textbf{1.0000} & \textbf{1.0000} & 1 \\" in latex  # the best means, no counts


@pytest.mark.parametrize("output", ["table", "markdown", "latex"])
def test_doubtful_measures_carry_a_question_mark_for_people(output: str) -> None:
    text = write_scores(EVALUATION, output, doubtful=_about_beta)
    assert "MAgP(score=F,beta=1)?" in text
    assert "SpanR?" not in text


@pytest.mark.parametrize("output", ["json", "csv", "tsv"])
def test_doubts_do_not_change_what_programs_read(output: str) -> None:
    assert write_scores(EVALUATION, output, doubtful=_about_beta) == write_scores(EVALUATION, output)


def _about_beta(measure: Measure) -> bool:
    return "beta" in str(measure)


@pytest.mark.parametrize("output", FORMATS)
@pytest.mark.parametrize("per_topic", [False, True])
def test_every_format_ends_its_last_line(output: str, per_topic: bool) -> None:
    text = write_scores(EVALUATION, output, per_topic=per_topic)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_an_evaluation_by_no_measure_is_an_empty_list() -> None:
    assert json.loads(write_scores(Evaluation((), ()), "json")) == []
