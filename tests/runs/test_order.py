"""The order of results: by rows in INEX runs, by score in TREC files and JSON Lines, and always said."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexlab.judgements import read_judgements
from inexlab.measures import evaluate, explain
from inexlab.policy import Policy
from inexlab.runs import Run, RunBuilder, read_run
from inexlab.runs.order import by_score, moves, order_notes, ranked_rows
from inexlab.runs.strict import write_rows
from tests.builders import calm, judged

MOVED = "ranked by score, not in the order of the file"
JUDGED = judged("A 0:10 size=10", "B size=10", "C 0:10 size=10")


def jsonl(folder: Path, *rows: tuple[str, float | None], name: str = "run.jsonl") -> Path:
    """Write whole documents of 10 characters with their scores, None for a row without one."""
    lines = []
    for doc, score in rows:
        row = {"topic": "1", "doc": doc, "start": 0, "end": 10, "score": score}
        lines.append(json.dumps({key: value for key, value in row.items() if value is not None}))
    (folder / name).write_text("\n".join(lines) + "\n")
    return folder / name


def text(folder: Path, *rows: str) -> Path:
    (folder / "run.txt").write_text("".join(f"{row}\n" for row in rows))
    return folder / "run.txt"


def documents(run: Run) -> list[str]:
    return [result.doc for result in run]


def test_json_lines_with_scores_are_ranked_by_score(tmp_path: Path) -> None:
    run = read_run(jsonl(tmp_path, ("A", 0.25), ("B", 0.5), ("C", 0.5), ("D", 2)))
    assert documents(run) == ["D", "B", "C", "A"]
    assert run.place is not None
    assert run.place.tolist() == [3, 1, 2, 0]
    assert order_notes(run) == [f"2 results in 1 topic {MOVED}"]


def test_json_lines_without_scores_are_ranked_by_rows(tmp_path: Path) -> None:
    run = read_run(jsonl(tmp_path, ("B", None), ("A", None)))
    assert (documents(run), order_notes(run)) == (["B", "A"], [])


def test_results_without_a_score_come_last_and_are_counted(tmp_path: Path) -> None:
    run = read_run(jsonl(tmp_path, ("A", None), ("B", 0.5), ("C", None), ("D", 0.75)))
    assert documents(run) == ["D", "B", "A", "C"]
    assert order_notes(run) == [f"3 results in 1 topic {MOVED}", "2 results without a score, ranked last"]


def test_six_columns_are_ranked_by_score_whatever_the_rank_says(tmp_path: Path) -> None:
    run = read_run(text(tmp_path, "1 Q0 A 1 0.1 t", "2 Q0 A 1 9 t", "1 Q0 B 2 nan t", "1 Q0 C 3 0.3 t"))
    assert [(r.topic, r.rank, r.doc) for r in run] == [
        ("1", 1, "C"),
        ("2", 1, "A"),
        ("1", 2, "A"),
        ("1", 3, "B"),
    ]
    assert order_notes(run) == [f"3 results in 1 topic {MOVED}", "1 result without a score, ranked last"]


@pytest.mark.parametrize("place", [" /a[1]", " 0", " 0 10"])
def test_inex_text_runs_are_ranked_by_rows(place: str, tmp_path: Path) -> None:
    run = read_run(text(tmp_path, f"1 Q0 A 1 0.1 t{place}", f"1 Q0 B 2 0.5 t{place}"))
    assert (documents(run), order_notes(run)) == (["A", "B"], [])


def test_inex_xml_runs_are_ranked_by_rows(tmp_path: Path) -> None:
    results = "".join(
        f"<result><file>{doc}</file><path>/a[1]</path><rsv>{rsv}</rsv></result>"
        for doc, rsv in (("A", 0.1), ("B", 0.5))
    )
    file = tmp_path / "run.xml"
    file.write_text(f'<inex-submission run-id="r"><topic topic-id="1">{results}</topic></inex-submission>')
    run = read_run(file)
    assert (documents(run), order_notes(run)) == (["A", "B"], [])


def test_a_long_file_is_ranked_as_a_short_one(tmp_path: Path) -> None:
    """The compiled reader, and a shuffle of 5,000 results in 7 topics."""
    generator = np.random.default_rng(52)
    rows = [f"{i % 7} Q0 d{i} 1 {s} t" for i, s in enumerate(generator.integers(0, 300, 5000).tolist())]
    run = read_run(text(tmp_path, *rows))
    for topic in "0123456":
        mine = [row.split() for row in rows if row.startswith(topic)]
        ranked = sorted(mine, key=lambda columns: -int(columns[4]))  # stable
        assert [r.doc for r in run if r.topic == topic] == [columns[2] for columns in ranked]


# What the measures see.


def test_a_shuffled_file_of_json_lines_scores_as_the_sorted_one(tmp_path: Path) -> None:
    rows = [("A", 0.9), ("B", 0.8), ("C", 0.7)]
    ranked = jsonl(tmp_path, *rows, name="ranked.jsonl")
    shuffled = jsonl(tmp_path, *(rows[i] for i in (1, 2, 0)), name="shuffled.jsonl")
    evaluation = evaluate(JUDGED, [ranked, shuffled], ["MAiP", "SpanP@1"])
    assert evaluation["SpanP@1"].totals().tolist() == [1, 1]
    assert len(set(evaluation["MAiP"].totals().tolist())) == 1
    assert f"3 results in 1 topic {MOVED}: shuffled (3)" in evaluation.notes
    assert not any("ranked (" in note for note in evaluation.notes if MOVED in note)


def test_the_order_of_the_file_can_be_asked_for(tmp_path: Path) -> None:
    file = jsonl(tmp_path, ("B", 0.5), ("A", 0.75))
    evaluation = evaluate(JUDGED, [file], ["SpanP@1"], policy=Policy(order="file"))
    assert evaluation["SpanP@1"].totals().tolist() == [0]
    assert "policy: order=file" in evaluation.notes
    assert not any(MOVED in note for note in evaluation.notes)


def test_the_order_of_scores_can_be_asked_for(tmp_path: Path) -> None:
    file = text(tmp_path, "1 Q0 B 1 0.1 t 0 10", "1 Q0 A 2 0.5 t 0 10", "2 Q0 A 2 0.5 t 0 10")
    assert evaluate(JUDGED, [file], ["SpanP@1"])["SpanP@1"].totals().tolist() == [0]
    evaluation = evaluate(JUDGED, [file], ["SpanP@1"], policy=Policy(order="score"))
    assert evaluation["SpanP@1"].totals().tolist() == [1]
    assert f"2 results in 1 topic {MOVED}: t (2)" in evaluation.notes


def test_the_limit_is_applied_to_the_ranking(tmp_path: Path) -> None:
    file = jsonl(tmp_path, ("B", 0.5), ("A", 0.75))
    evaluation = evaluate(JUDGED, [file], ["SpanP", "num_ret"], policy=Policy(limit=1))
    assert [scores.totals().tolist() for scores in evaluation.scores] == [[1], [1]]
    assert "1 result beyond rank 1 of the topic, cut: run (1)" in evaluation.notes


def test_an_explanation_follows_the_ranking(tmp_path: Path) -> None:
    file = jsonl(tmp_path, ("B", 0.5), ("A", 0.75))
    assert explain(JUDGED, file, "1", "SpanP").columns["document"] == ["A", "B"]
    by_file = explain(JUDGED, file, "1", "SpanP", policy=Policy(order="file"))
    assert by_file.columns["document"] == ["B", "A"]


def test_precall_cuts_inex_runs_by_rows_and_ranks_by_score(tmp_path: Path) -> None:
    """The first result in file order is kept, though the second has the higher score."""
    assessments = tmp_path / "assessments.xml"
    assessments.write_text(
        '<assessments topic="1"><file name="A"><path>/a[1]</path>'
        '<element path="/a[1]" exhaustiveness="3" specificity="3"/></file></assessments>'
    )
    judgements = read_judgements(assessments)
    rows = text(tmp_path, "1 Q0 B 1 0.1 t /a[1]", "1 Q0 A 2 0.5 t /a[1]")
    by_rows = evaluate(judgements, [rows], ["precall(quant=strict4)"], policy=Policy(limit=1))
    assert by_rows.scores[0].totals().tolist() == [0]
    by_score = evaluate(judgements, [rows], ["precall(quant=strict4)"], policy=Policy(limit=1, order="score"))
    assert by_score.scores[0].totals().tolist() == [1]


# Laws.


@calm
@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from([0.0, 0.5, 1.0, math.nan])), max_size=12))
def test_ranking_is_a_stable_sort_of_each_topic(rows: list[tuple[int, float]]) -> None:
    builder = RunBuilder()
    for place, (number, score) in enumerate(rows):
        builder.add(str(number), f"d{place}", score)
    made = builder.build("run")
    run = by_score(made)
    for topic in {str(number) for number, _ in rows}:
        numbered = [(i, score) for i, (t, score) in enumerate(rows) if str(t) == topic]
        ranked = sorted(numbered, key=lambda row: (math.isnan(row[1]), 0 if math.isnan(row[1]) else -row[1]))
        assert [r.doc for r in run if r.topic == topic] == [f"d{i}" for i, _ in ranked]
    assert [r.topic for r in run] == [r.topic for r in made]
    back = ranked_rows(run, "file")
    order = np.arange(len(run)) if back is None else back
    assert [run.docs[int(run.doc[i])] for i in order] == [r.doc for r in made]
    moved = moves(run, np.argsort(run.topic, kind="stable"), "score")
    assert (moved.results == 0) == (run.place is None)


def test_a_strict_run_has_the_lines_of_the_run_it_is_made_from(tmp_path: Path) -> None:
    file = jsonl(tmp_path, ("A", 0.25), ("B", 0.5), ("C", 0.75))
    lines = file.read_text().splitlines(keepends=True)
    write_rows(read_run(file), np.array([0, 2]), str(file), tmp_path / "strict.jsonl")  # C and A
    assert (tmp_path / "strict.jsonl").read_text() == lines[0] + lines[2]
