"""What an evaluation says it assumed."""

from __future__ import annotations

import pytest

from inexlab.errors import InputError
from inexlab.measures import evaluate
from inexlab.measures.scoring import Over
from inexlab.policy import OFFICIAL_TOOL, Policy
from inexlab.runs import Run
from tests.builders import a_run, judged
from tests.oracles import graded, ranked

JUDGED = judged("1:A 0:60 size=100", "2:B 0:40", "3:A")
COMPLETE = ("1:A[0,60)", "2:B[0,20)", "3:A[0,1)")


def _notes(*runs: Run, over: Over = "judged", **policy: str | int) -> tuple[str, ...]:
    chosen = Policy().with_settings(f"{name}={value}" for name, value in policy.items())
    return evaluate(JUDGED, runs, ["MAiP", "MAgP"], policy=chosen, over=over).notes


def test_a_run_without_oddities_gives_only_the_topics() -> None:
    assert _notes(a_run(*COMPLETE)) == (
        "means are over 2 of 3 judged topics",
        "1 topic without anything relevant: 3",
    )


def test_missing_topics_and_what_becomes_of_them() -> None:
    runs = (a_run("1:A[0,60)", id="part"), a_run(*COMPLETE, id="whole"))
    assert "1 run without some topics, scored 0: part (2)" in _notes(*runs)
    assert not any("scored 0" in note for note in _notes(a_run("1:A[0,60)", "2:B[0,9)", id="part")))
    over_run = _notes(*runs, over="run")
    assert "means are over the topics of each run, out of 3 judged topics" in over_run
    assert "1 run without some topics, left out: part (2, 3)" in over_run


def test_listed_topics_and_those_of_them_without_judgements() -> None:
    assert _notes(a_run("1:A[0,60)"), over=["1", "2", "88", "77"]) == (
        "means are over 2 listed topics",
        "2 listed topics without judgements left out: 77, 88",
        "1 run without some topics, scored 0: run (2)",
    )


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (("1:A[50,70)", "1:A[0,9)"), "2 results overlapping earlier ones, shared text counted once: run (2)"),
        (
            ("1:C[0,9)", "2:A[0,9)"),
            "2 results in documents without judgement for the topic, taken as not relevant: run (2)",
        ),
        (("1:A?", "2:B?"), "2 results in no known document or element, counted as 0 characters: run (2)"),
        (("1:A[99,99)", "2:B[0,0)"), "2 results of no length: run (2)"),
        (
            ("1:A[90,101)", "2:B[900,1000)", "1:A[101,110)"),  # the length of B is not known
            "2 results past the stated end of the document, taken as stated: run (2)",
        ),
        (("7:A[0,9)", "8:A[0,9)"), "topics without judgements, ignored: run (2)"),
    ],
)
def test_each_kind_of_odd_result_is_said_with_its_count(extra: tuple[str, ...], message: str) -> None:
    plain, odd = _notes(a_run(*COMPLETE)), _notes(a_run(*COMPLETE, *extra))
    assert [note for note in odd if note not in plain] == [message]


def test_results_beyond_the_limit_are_counted() -> None:
    found = a_run(*COMPLETE, "1:A[60,61)", "1:A[61,62)", "2:B[20,21)")
    assert "3 results beyond rank 1 of the topic, cut: run (3)" in _notes(found, limit=1)


def test_counts_are_added_over_runs_and_the_first_runs_are_named() -> None:
    runs = [a_run(*COMPLETE, *["1:A[0,9)"] * number, id=f"r{number}") for number in range(1, 6)]
    message = (
        "15 results overlapping earlier ones, shared text counted once: r1 (1), r2 (2), r3 (3) and 2 more"
    )
    assert message in _notes(*runs)


def test_a_finding_counts_once_however_many_measures_look_at_it() -> None:
    found = a_run(*COMPLETE, "1:A[0,9)", "1:A[9,12)")
    for measures in (["MAiP"], ["MAiP", "MAgP", "SpanP", "num_ret"]):
        notes = evaluate(JUDGED, [found], measures).notes
        assert "2 results overlapping earlier ones, shared text counted once: run (2)" in notes


def test_the_fate_of_odd_results_follows_the_policy() -> None:
    found = a_run(*COMPLETE, "1:A[0,9)", "1:A[0,9)", "1:A?", "1:A?")
    notes = _notes(found, seen_text="again", unlocatable=18)
    assert "2 results overlapping earlier ones, shared text counted again: run (2)" in notes
    assert "2 results in no known document or element, counted as 18 characters: run (2)" in notes


def test_choices_that_are_not_the_default_are_said_last() -> None:
    assert _notes(a_run(*COMPLETE), beyond="last", limit=10)[-1] == "policy: limit=10, beyond=last"
    tool = evaluate(JUDGED, [a_run(*COMPLETE)], policy=OFFICIAL_TOOL).notes[-1]
    assert tool == (
        "policy: limit=0, seen_text=again, recall_levels=floor, relevant_size=stated, empty_topics=zero, "
        "beyond=last, unlocatable=18"
    )


def test_warnings_about_the_judgements_come_first_with_their_file() -> None:
    odd = "0:60 50:40 size=80 stated=60"
    judgements = judged(f"A {odd}", f"B {odd}", file="my.qrels")
    assert evaluate(judgements, [a_run("A[0,9)")]).notes[:3] == (
        "my.qrels: 2 judged documents with overlapping highlights, each character counted once",
        "my.qrels: 2 judged documents with highlights beyond the stated end of the document, "
        "counted as stated",
        "my.qrels: 2 judged documents whose highlights do not add up to the stated amount of relevant text",
    )


def test_topics_that_only_some_measures_leave_undefined_are_said_with_those_measures() -> None:
    notes = _notes(a_run(*COMPLETE), empty_topics="zero")
    assert "1 topic without anything relevant for MAgP(score=F,beta=1): 3" in notes
    assert not any(note.startswith("1 topic without anything relevant:") for note in notes)


def test_counts_have_nothing_to_say_about_topics_without_anything_relevant() -> None:
    assert evaluate(JUDGED, [a_run(*COMPLETE)], ["num_ret", "rel_size"]).notes == (
        "counts are over 3 judged topics",
    )


def test_means_are_counted_measure_by_measure() -> None:
    """Topic 3 has nothing relevant, topic 4 nothing that is relevant in the strict sense."""
    judgements = graded("1:A/a[1] 2 4/4", "2:A/a[1] 2 4/4", "3:A/a[1] 0 0/4", "4:A/a[1] 1 1/4")
    run = ranked("1:A/a[1]", "2:A/a[1]", "3:A/a[1]", "4:A/a[1]")
    names = ["MAep(quant=gen5,overlap=off)", "MAep(quant=strict5,overlap=off)"]
    evaluation = evaluate(judgements, [run], names)
    assert evaluation.averaged_over() == {names[0]: [3], names[1]: [2]}
    assert evaluation.notes[:3] == (
        f"means are over 3 of 4 judged topics ({names[0]}), 2 of them ({names[1]})",
        f"1 topic without anything relevant for {names[0]}: 3",
        f"2 topics without anything relevant for {names[1]}: 3, 4",
    )


def test_a_topic_that_a_run_lacks_is_scored_0_only_where_it_has_a_score() -> None:
    runs = (a_run("1:A[0,60)", id="part"), a_run(*COMPLETE, id="whole"))
    evaluation = evaluate(JUDGED, runs, ["MAiP", "Overlap"])
    assert evaluation.averaged_over() == {"MAiP": [2, 2], "Overlap": [1, 3]}
    assert evaluation.notes[:4] == (
        "means are over 2 of 3 judged topics (MAiP), 1 to 3 of them (Overlap)",
        "1 run without some topics, scored 0 by MAiP: part (2)",
        "1 run without some topics, left out by Overlap: part (2, 3)",
        "1 topic without anything relevant for MAiP: 3",
    )


def test_a_measure_that_needs_only_results_does_not_call_a_topic_irrelevant() -> None:
    notes = evaluate(JUDGED, [a_run("1:A[0,60)", "3:A[0,1)")], ["Overlap"]).notes
    assert notes == (
        "means are over 2 of 3 judged topics",
        "1 run without some topics, left out: run (2)",
    )


def test_a_run_without_a_judged_topic_is_refused() -> None:
    judgements = judged(*(f"q{n}:A 0:60 size=100" for n in (10, 9, 2, 1)), file="my.qrels")
    with pytest.raises(InputError) as caught:
        evaluate(judgements, [a_run("10:A[0,5)", "9:A[0,5)", file="my.run")], ["MAiP"])
    assert str(caught.value) == (
        "my.run: has no judged topic: its topics are 9, 10; those of my.qrels are q1, q2, q9 and 1 more. "
        "Give the judgements of its topics."
    )


def test_a_topic_left_out_of_the_mean_is_not_called_one_without_anything_relevant() -> None:
    only_one = a_run("1:A[0,60)")
    assert _notes(only_one, over="run") == (
        "means are over the topics of each run, out of 3 judged topics",
        "1 run without some topics, left out: run (2, 3)",
    )
    assert not any("anything relevant" in note for note in _notes(only_one, over=["1", "2"]))


def test_one_of_each_is_said_in_the_singular() -> None:
    judgements = judged("A 0:60 50:40 size=80 stated=60", file="my.qrels")
    assert [
        note for note in evaluate(judgements, [a_run("A[0,9)")]).notes if note.startswith("my.qrels")
    ] == [
        "my.qrels: 1 judged document with overlapping highlights, each character counted once",
        "my.qrels: 1 judged document with highlights beyond the stated end of the document, "
        "counted as stated",
        "my.qrels: 1 judged document whose highlights do not add up to the stated amount of relevant text",
    ]


def test_results_past_the_end_that_are_cut() -> None:
    """What lies outside altogether has no length then."""
    notes = _notes(a_run(*COMPLETE, "1:A[90,101)", "1:A[100,110)"), outside="clip")
    assert "2 results past the stated end of the document, cut there: run (2)" in notes
    assert "1 result of no length: run (1)" in notes
