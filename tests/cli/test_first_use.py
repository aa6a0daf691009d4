"""What somebody meets who tries inexlab for the first time: files as they lie about, options as guessed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command, Outcome, Write

QRELS = "".join(f"{t} Q0 A 60 100 0 0:60\n{t} Q0 B 0 100\n" for t in range(1, 13))


@pytest.fixture(autouse=True)
def _campaign(write: Write) -> None:
    write("j.qrels", QRELS)
    for name, length in (("good", 60), ("fair", 30), ("poor", 10)):
        rows = "".join(f"{t} Q0 A 1 1.0 {name} 0 {length + t % 3}\n" for t in range(1, 13))
        write(f"runs/{name}.txt", rows)


def ok(done: Outcome) -> Outcome:
    assert done.code == 0, done.err
    return done


def test_a_folder_of_runs_stands_for_the_runs_in_it(call: Command, write: Write) -> None:
    write("runs/.hidden", "nothing")
    named = [f"runs/{name}.txt" for name in ("fair", "good", "poor")]
    for verb in (("evaluate",), ("compare", "--test", "t")):
        options = ("-m", "MAiP", "-o", "json")
        folder = ok(call(verb[0], "j.qrels", "runs", *verb[1:], *options)).out
        assert folder == ok(call(verb[0], "j.qrels", *named, *verb[1:], *options)).out


def test_two_files_with_one_run_id_can_be_told_apart(call: Command, write: Write) -> None:
    write("other/good.txt", Path("runs/fair.txt").read_text().replace("fair", "good"))
    write("better.txt", Path("runs/fair.txt").read_text().replace("fair", "good"))
    asked = ("evaluate", "j.qrels", "runs/good.txt", "-m", "MAiP", "-o", "json")
    done = call(*asked, "better.txt")
    assert (done.code, done.out) == (2, "")
    assert "--run-names file" in done.notes[-1]
    named = json.loads(ok(call(*asked, "better.txt", "--run-names", "file")).out)
    assert [row["run"] for row in named] == ["good", "better"]
    same_stem = json.loads(ok(call(*asked, "other/good.txt", "--run-names", "file")).out)
    assert [row["run"] for row in same_stem] == ["runs/good.txt", "other/good.txt"]
    assert "unknown value of --run-names 'path'" in call(*asked, "--run-names", "path").notes[-1]


def test_several_measures_are_compared_in_one_call(call: Command) -> None:
    asked = ("compare", "j.qrels", "runs", "--test", "t", "-o", "json")
    both = json.loads(ok(call(*asked, "-m", "MAiP", "-m", "SpanR@1")).out)
    measures = [table["systems"][0]["measure"] for table in both]
    assert measures == ["MAiP", "SpanR@1"]
    for table, measure in zip(both, measures, strict=True):
        alone = json.loads(ok(call(*asked, "-m", measure)).out)
        for part in ("systems", "pairs"):
            assert [{**row, "measure": measure} for row in alone[part]] == [
                {**row, "measure": measure} for row in table[part]
            ]


def test_a_baseline_of_evaluate_marks_latex_and_nothing_else(call: Command) -> None:
    done = call("evaluate", "j.qrels", "runs", "-m", "MAiP", "--baseline", "fair")
    assert (done.code, done.out) == (2, "")
    assert done.notes == ["--baseline marks a table of -o latex; to test against a run: inexlab compare."]


def test_scores_need_no_invented_measure(call: Command, write: Write) -> None:
    write("x.csv", "topic,a,b,c\n1,0.1,0.2,0.3\n2,0.2,0.3,0.4\n")
    write("y.csv", "topic,a,b,c\n1,0.3,0.2,0.1\n2,0.2,0.3,0.4\n")
    bare = ok(call("correlate", "--condition", "A=x.csv", "--condition", "B=y.csv", "-o", "json"))
    measured = ok(call("correlate", "--condition", "A=x.csv:m", "--condition", "B=y.csv:m", "-o", "json"))
    assert bare.out == measured.out


@pytest.mark.parametrize(
    "command",
    [
        ("evaluate", "j.qrels", "gone.txt"),
        ("report", "j.qrels", "gone.txt"),
        ("plot", "ranking", "j.qrels", "gone.txt", "-m", "MAiP"),
        ("ttest", "j.qrels", "gone.txt", "gone.txt", "-m", "MAiP"),
    ],
)
def test_an_out_that_cannot_be_written_fails_before_the_work(call: Command, command: tuple[str, ...]) -> None:
    """The run is not there either: had it been read first, the message would be another."""
    done = call(*command, "--out", "nowhere/out.svg")
    assert (done.code, done.out) == (2, "")
    assert "nowhere/out.svg cannot be written" in done.notes[-1]


@pytest.mark.parametrize("output", ["table", "markdown", "latex"])
def test_tables_have_the_best_run_by_the_first_measure_on_top(call: Command, output: str) -> None:
    def ranking(*measures: str) -> list[str]:
        asked = [text for measure in measures for text in ("-m", measure)]
        out = ok(call("evaluate", "j.qrels", "runs", *asked, "-o", output, "--test", "none")).out
        places = {name: out.index(name) for name in ("good", "fair", "poor")}
        return sorted(places, key=places.__getitem__)

    assert ranking("SpanR@1", "num_ret") == ["good", "fair", "poor"]
    assert ranking("num_ret", "SpanR@1") == ["fair", "good", "poor"]  # all the same: in their own order
    rows = json.loads(ok(call("evaluate", "j.qrels", "runs", "-m", "SpanR@1", "-o", "json")).out)
    assert [row["run"] for row in rows] == ["fair", "good", "poor"]
