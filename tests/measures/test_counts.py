"""The six counts: documents and characters, worked examples, published sums, the policy."""

from __future__ import annotations

import pytest

from inexlab.measures import evaluate
from tests.builders import a_run, ab_score, judged, score, scores

COUNTS = ["num_ret", "num_rel", "num_rel_ret", "ret_size", "rel_size", "rel_ret_size"]


@pytest.mark.parametrize(("measure", "value"), list(zip(COUNTS, [3, 2, 2, 250, 100, 90], strict=True)))
def test_the_worked_example(measure: str, value: int) -> None:
    assert ab_score(measure) == value


def test_num_rel_leaves_out_documents_judged_without_highlights() -> None:
    assert score("num_rel", judged("A 0:60", "B 50:40", "D"), a_run()) == 2


def test_num_rel_ret_counts_a_relevant_document_even_if_the_highlights_are_missed() -> None:
    found = a_run("A[0,50)", "C[0,100)", "B[0,10)")
    assert score("num_rel_ret", judged("A 0:60", "B 50:40"), found) == 2
    assert score("rel_ret_size", judged("A 0:60", "B 50:40"), found) == 50


def test_ret_size_counts_distinct_characters() -> None:
    found, judgements = a_run("A[0,50)", "A[40,60)"), judged("A 0:60")
    assert scores(["num_ret", "ret_size", "rel_ret_size"], judgements, found) == [1, 60, 60]
    assert scores(["num_ret", "ret_size", "rel_ret_size"], judgements, found, seen_text="again") == [
        1,
        70,
        70,
    ]


@pytest.mark.parametrize(
    ("rsize", "lengths"),
    [
        (4213, [4213]),
        (24903, [542, 1871, 2506, 19984]),
        (23232, [2085, 21147]),
        (16901, [2150, 14751]),
        (22899, [11553, 11346]),
    ],
)
def test_the_published_passages_add_up_to_the_stated_amount(rsize: int, lengths: list[int]) -> None:
    """Cherukuri (2010), Table 3: five lines of the qrels of INEX 2009."""
    starts = [10 + sum(lengths[:i]) + 100 * i for i in range(len(lengths))]
    passages = " ".join(f"{start}:{length}" for start, length in zip(starts, lengths, strict=True))
    judgements = judged(f"A {passages} stated={rsize}")
    assert judgements.warnings == ()
    assert score("rel_size", judgements, a_run()) == rsize
    assert score("rel_size", judgements, a_run(), relevant_size="stated") == rsize


def test_relevant_size_stated_changes_what_is_relevant_and_not_what_is_returned() -> None:
    found, judgements = a_run("A[0,50)", "B[0,10)"), judged("A 0:60 stated=75", "B 0:10 stated=0")
    assert scores(COUNTS, judgements, found) == [2, 2, 2, 60, 70, 60]
    assert scores(COUNTS, judgements, found, relevant_size="stated") == [2, 1, 1, 60, 75, 60]


def test_overlapping_highlights_count_once_and_a_warning_says_so() -> None:
    judgements = judged("A 0:60 50:40", "B 0:10 0:10")
    assert score("rel_size", judgements, a_run()) == 100
    assert judgements.warnings == (
        "2 judged documents with overlapping highlights, each character counted once",
    )


def test_unlocatable_results_occupy_a_rank_and_no_text() -> None:
    found, judgements = a_run("A?", "X?"), judged("A 0:60")
    assert scores(["num_ret", "num_rel_ret", "ret_size"], judgements, found) == [2, 1, 0]
    assert scores(["num_ret", "num_rel_ret", "ret_size"], judgements, found, unlocatable=18) == [2, 1, 36]


def test_counts_are_summed_over_topics_as_whole_numbers() -> None:
    judgements = judged("1:A 0:60", "2:A 0:10", "2:B 0:5", "3:A")
    found = a_run("1:A[0,50)", "2:B[0,7)", "3:A[0,100)")
    rows = {(row.topic, row.measure): row.value for row in evaluate(judgements, [found], COUNTS).rows()}
    for measure, by_topic in {
        "num_ret": [1, 1, 1],
        "num_rel": [1, 2, 0],
        "num_rel_ret": [1, 1, 0],
        "ret_size": [50, 7, 100],
        "rel_size": [60, 15, 0],
        "rel_ret_size": [50, 5, 0],
    }.items():
        assert [rows[topic, measure] for topic in ("1", "2", "3")] == by_topic
        assert rows["all", measure] == sum(by_topic)
        assert type(rows["all", measure]) is int
