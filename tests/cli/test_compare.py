"""`inexlab compare`: tables, files and refusals of a whole comparison."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from inexlab.statistics import Pair

from .conftest import Command, Outcome, Write
from .graded_campaign import assessments, submission
from .test_bad_input import refusal

TESTS = ("bootstrap", "randomisation", "sign", "t", "wilcoxon")


def matrix_file(systems: int = 3, topics: int = 20, step: float = 0.5) -> str:
    """A CSV matrix in which each system is clearly better than the one before."""
    random = np.random.default_rng(4)
    scores = random.random((topics, systems)) + step * np.arange(systems)
    rows = [",".join([str(t + 1), *(f"{score:.4f}" for score in row)]) for t, row in enumerate(scores)]
    return "\n".join([",".join(["topic", *(f"s{i}" for i in range(systems))]), *rows, ""])


@pytest.fixture
def scores(write: Write) -> str:
    return write("scores.csv", matrix_file())


def done(outcome: Outcome) -> Outcome:
    assert outcome.code == 0, outcome.err
    assert "Warning" not in outcome.err
    return outcome


def test_the_table_has_the_best_system_first_and_then_who_beats_whom(call: Command, scores: str) -> None:
    text = done(call("compare", scores, "--test", "t", env={"COLUMNS": "120"})).out
    lines = [line.split() for line in text.splitlines() if line.strip()]
    assert " ".join(lines[0]).startswith("3 systems on 20 topics; Student's paired t-test, one-tailed,")
    assert [line[0] for line in lines[3:6]] == ["s2", "s1", "s0"]
    # mean, interval (three words), group, better, no difference, worse
    assert [line[5:] for line in lines[3:6]] == [
        ["a", "2", "0", "0"],
        ["b", "1", "0", "1"],
        ["c", "0", "0", "2"],
    ]
    assert [line[:2] for line in lines[-3:]] == [["1", "s2"], ["2", "s1"], ["3", "s0"]]
    assert [line[2:] for line in lines[-3:]] == [[">", ">"], ["<", ">"], ["<", "<"]]


def test_notes_say_what_was_done(call: Command, scores: str) -> None:
    notes = done(call("compare", scores, "--seed", "7", "--resamples", "500")).notes
    assert notes == [
        "3 systems on 20 topics; paired bootstrap test, one-tailed, Benjamini–Yekutieli correction, "
        "level 0.05, 500 resamples, seed 7",
        "3 of 6 hypotheses rejected; intervals are two-sided and not corrected",
    ]
    (what, found) = done(
        call("compare", scores, "--test", "t", "--tail", "two", "--correction", "holm")
    ).notes
    assert what == "3 systems on 20 topics; Student's paired t-test, two-tailed, Holm correction, level 0.05"
    assert found == "3 of 3 hypotheses rejected; intervals are two-sided and not corrected"
    (what, _) = done(call("compare", scores, "--test", "t", "--correction", "none")).notes
    assert what == "3 systems on 20 topics; Student's paired t-test, one-tailed, no correction, level 0.05"


@pytest.mark.parametrize("test", TESTS)
def test_json_as_the_documentation_lays_it_out(call: Command, scores: str, test: str) -> None:
    found = json.loads(done(call("compare", scores, "--test", test, "-o", "json", "--resamples", "500")).out)
    assert set(found) == {"systems", "pairs"}
    assert [system["system"] for system in found["systems"]] == ["s2", "s1", "s0"]
    for system in found["systems"]:
        assert {"system", "mean", "low", "high", "letters", "wins", "losses"} <= set(system)
        assert system["low"] <= system["mean"] <= system["high"]
    assert len(found["pairs"]) == 6
    for pair in found["pairs"]:
        assert list(pair) == [
            *("a", "b", "mean_a", "mean_b", "difference", "low", "high"),
            *("statistic", "p", "p_adjusted", "significant"),
        ]
        assert pair["significant"] is (pair["p_adjusted"] <= 0.05)
    assert {(p["a"], p["b"]) for p in found["pairs"] if p["significant"]} == {
        ("s2", "s1"),
        ("s2", "s0"),
        ("s1", "s0"),
    }


def test_json_has_no_infinity(call: Command, write: Write) -> None:
    file = write("flat.csv", "topic,a,b\n1,.5,.25\n2,.5,.25\n3,.75,.5\n")

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    found = json.loads(done(call("compare", file, "--test", "t", "-o", "json")).out, parse_constant=refuse)
    assert [(pair["statistic"], pair["p"]) for pair in found["pairs"]] == [(None, 0.0), (None, 1.0)]


@pytest.mark.parametrize(("output", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_separated_values_hold_the_pairs_of_the_json(
    call: Command, scores: str, output: str, delimiter: str
) -> None:
    text = done(call("compare", scores, "--test", "t", "-o", output)).out
    rows = list(csv.DictReader(io.StringIO(text), delimiter=delimiter))
    pairs = json.loads(call("compare", scores, "--test", "t", "-o", "json").out)["pairs"]
    assert list(rows[0]) == list(Pair._fields)
    for row, pair in zip(rows, pairs, strict=True):
        assert (row["a"], row["b"]) == (pair["a"], pair["b"])
        assert row["significant"] == str(pair["significant"]).lower()
        assert [float(row[name]) for name in Pair._fields[2:-1]] == [
            pair[name] for name in Pair._fields[2:-1]
        ]


def test_latex_and_markdown_have_both_tables(call: Command, scores: str) -> None:
    latex = done(call("compare", scores, "--test", "t", "-o", "latex")).out
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 2
    assert r"95\% interval" in latex
    assert r"1 s2 &  & \textgreater{} & \textgreater{} \\" in latex
    markdown = done(call("compare", scores, "--test", "t", "-o", "markdown")).out
    assert "| 2 s1 | < |  | > |" in markdown
    assert markdown.count("---:") == 4  # mean, and how many are worse, alike and better


def test_top_shows_the_best_but_compares_all(call: Command, scores: str) -> None:
    outcome = done(call("compare", scores, "--test", "t", "--top", "2", "-o", "markdown"))
    assert "s0" not in outcome.out
    assert outcome.notes[1].startswith("3 of 6 hypotheses rejected;")
    (best,) = [line for line in outcome.out.splitlines() if line.startswith("| s2")]
    assert [cell.strip() for cell in best.split("|")[-4:-1]] == ["2", "0", "0"]


def test_more_than_forty_systems_have_no_matrix(call: Command, write: Write) -> None:
    file = write("many.csv", matrix_file(systems=41))
    note = "the matrix of pairs is shown for up to 40 systems: see --top and CSV"
    for options, stars, message in (
        ([], False, True),
        (["-o", "markdown"], False, True),
        (["--top", "41"], False, True),
        (["--top", "99"], False, True),
        (["--top", "40"], True, False),
        (["-o", "csv"], False, False),
        (["-o", "json"], False, False),
    ):
        outcome = done(call("compare", file, "--test", "t", *options))
        assert ("row against" in outcome.out, note in outcome.notes) == (stars, message), options


def test_a_baseline_in_both_directions(call: Command, scores: str) -> None:
    found = json.loads(done(call("compare", scores, "--test", "t", "--baseline", "s1", "-o", "json")).out)
    assert {(p["a"], p["b"]) for p in found["pairs"]} == {
        ("s1", "s0"),
        ("s1", "s2"),
        ("s0", "s1"),
        ("s2", "s1"),
    }


def test_the_same_seed_prints_the_same_and_another_seed_does_not(call: Command, write: Write) -> None:
    file = write("close.csv", matrix_file(step=0.02))
    first, again, other = (
        done(call("compare", file, "--resamples", "300", "--seed", seed, "-o", "csv")).out for seed in "112"
    )
    assert first == again
    assert first != other


def test_plus_one_is_never_0(call: Command, scores: str) -> None:
    plain, never_0 = (
        json.loads(done(call("compare", scores, "--resamples", "99", "-o", "json", *more)).out)["pairs"]
        for more in ([], ["--plus-one"])
    )
    assert min(pair["p"] for pair in plain) == 0
    assert min(pair["p"] for pair in never_0) == 0.01


def test_too_few_resamples_are_warned_of(call: Command, scores: str) -> None:
    # six hypotheses, BY: .05 / (2.45 · 6), so 294 resamples
    assert "294 would resolve it" in done(call("compare", scores, "--resamples", "293")).notes[-1]
    assert len(done(call("compare", scores, "--resamples", "294")).notes) == 2


def test_too_few_resamples_are_warned_of_without_correction_too(call: Command, scores: str) -> None:
    asked = ("compare", scores, "--correction", "none", "--resamples")
    assert "--resamples 20 would resolve it" in done(call(*asked, "19")).notes[-1]
    assert len(done(call(*asked, "20")).notes) == 2


@pytest.mark.parametrize("test", TESTS)
def test_equal_scores_have_a_defined_result_and_a_warning(call: Command, write: Write, test: str) -> None:
    file = write("poor.csv", "topic,a,b\n1,0,0\n2,0,0\n3,0,0\n")
    outcome = done(call("compare", file, "--test", test, "-o", "json"))
    assert outcome.notes[-1] == (
        "3 topics: too few to conclude anything; with fewer than 5 no difference counts as shown"
    )
    assert [pair["p"] for pair in json.loads(outcome.out)["pairs"]] == [1, 1]


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(("tail", "hypotheses"), [("one", 2), ("two", 1)])
def test_one_topic_shows_nothing(call: Command, write: Write, test: str, tail: str, hypotheses: int) -> None:
    asked = ("compare", write("one.csv", "topic,a,b\n1,.5,.25\n"), "--test", test, "--tail", tail)
    outcome = done(call(*asked, "-o", "json"))
    assert outcome.notes[-1].startswith("1 topic: too few to conclude anything;")
    found = json.loads(outcome.out)
    assert [(p["low"], p["high"], p["p"], p["p_adjusted"]) for p in found["pairs"]] == [
        (None, None, 1, 1)
    ] * hypotheses
    assert [(s["mean"], s["low"], s["high"]) for s in found["systems"]] == [
        (0.5, None, None),
        (0.25, None, None),
    ]
    lines = done(call(*asked, env={"COLUMNS": "120"})).out.splitlines()
    assert [line.split()[:3] for line in lines[4:6]] == [["a", "0.5000", "–"], ["b", "0.2500", "–"]]


def test_the_script_itself_says_nothing_but_its_notes(inexlab: Command, write: Write) -> None:
    """In a process of its own, where no test turns the warnings of libraries into errors."""
    outcome = done(inexlab("compare", write("flat.csv", "topic,a,b,c\n1,1,0,0\n2,1,0,0\n"), "--test", "t"))
    assert len(outcome.notes) == 3


def test_judgements_and_runs(call: Command, write: Write) -> None:
    qrels = write("j.qrels", "".join(f"{t} Q0 A 60 100 0 0:60\n{t} Q0 B 0 100\n" for t in range(1, 7)))
    good = write("good.txt", "".join(f"{t} Q0 A 1 3.0 good 0 50\n" for t in range(1, 7)))
    bad = write("bad.txt", "".join(f"{t} Q0 B 1 3.0 bad 0 50\n" for t in range(1, 7)))
    outcome = done(call("compare", qrels, good, bad, "-m", "MAiP", "--test", "sign", "-o", "json"))
    systems = json.loads(outcome.out)["systems"]
    assert [(s["system"], s["wins"], s["losses"]) for s in systems] == [("good", 1, 0), ("bad", 0, 1)]


def test_scores_that_evaluate_wrote(call: Command, write: Write) -> None:
    qrels = write("j.qrels", "".join(f"{t} Q0 A 60 100 0 0:60\n{t} Q0 B 0 100\n" for t in range(1, 7)))
    good = write("good.txt", "".join(f"{t} Q0 A 1 3.0 good 0 50\n" for t in range(1, 7)))
    bad = write("bad.txt", "".join(f"{t} Q0 B 1 3.0 bad 0 50\n" for t in range(1, 7)))
    direct = done(call("compare", qrels, good, bad, "-m", "MAiP", "-o", "csv", "--resamples", "50")).out
    for output in ("json", "csv", "tsv"):
        written = done(call("evaluate", qrels, good, bad, "-m", "MAiP", "-q", "-o", output)).out
        file = write(f"scores.{output}", written)
        assert done(call("compare", file, "-o", "csv", "--resamples", "50")).out == direct


def test_outputs_of_inex_eval(call: Command, call_inex_eval: Command, write: Write) -> None:
    qrels = write("j.qrels", "".join(f"{t} Q0 A 60 100 0 0:60\n" for t in range(1, 7)))
    for name, length in (("long", 50), ("short", 10)):
        run = write(f"{name}.run", "".join(f"{t} Q0 A 1 3.0 {name} 0 {length}\n" for t in range(1, 7)))
        write(f"outputs/{name}.txt", call_inex_eval("-f", "-q", qrels, run).out)
    asked = ("compare", "outputs", "--test", "sign", "-o", "json", "-m")
    found = json.loads(done(call(*asked, "AiP")).out)
    assert [system["system"] for system in found["systems"]] == ["long", "short"]
    assert done(call(*asked, "iP@0.01")).out == done(call(*asked, "iP[0.01]")).out


def test_outputs_of_trec_eval_that_all_call_themselves_standard(call: Command, write: Write) -> None:
    for name, score in (("bm25", 0.5), ("dirichlet", 0.25)):
        rows = "".join(f"map  {t}  {score}\n" for t in range(301, 311))
        write(f"outputs/{name}.txt", f"# trec_eval -q\n{rows}runid all STANDARD\nmap all {score}\n")
    write("outputs/.hidden", "once upon a time\n")
    found = json.loads(done(call("compare", "outputs", "--test", "t", "-o", "json")).out)
    assert [(s["system"], s["wins"]) for s in found["systems"]] == [("bm25", 1), ("dirichlet", 0)]
    write("outputs/notes.txt", "once upon a time\n")
    assert refusal(call("compare", "outputs", "--test", "t")).startswith(
        "outputs/notes.txt, line 1: is not scores in a known format."
    )


def test_a_file_of_neither_kind_is_named(call: Command, write: Write) -> None:
    file = write("two-columns.txt", "301 0.5\n302 0.25\n")
    message = refusal(call("compare", file))
    assert (
        "two-columns.txt, line 1: is neither judgements nor scores in a known format. Known scores:"
        in message
    )


def test_common_topics(call: Command, write: Write) -> None:
    file = write("gaps.csv", "topic,a,b\n1,.5,.25\n2,.5,\n3,.75,.5\n")
    message = refusal(call("compare", file, "--test", "t"))
    assert "b has none on 2" in message
    assert "--common-topics" in message
    (left_out, what, *_) = done(call("compare", file, "--test", "sign", "--common-topics")).notes
    assert left_out == "topics without a score for every system, left out: 2"
    assert "2 systems on 2 topics" in what


def test_topics_that_nobody_has_a_score_on_are_named(call: Command, write: Write) -> None:
    file = write("gaps.csv", "topic,a,b\n1,.5,.25\n2,,\n3,.75,.5\n4,nan,\n")
    (left_out, what, *_) = done(call("compare", file, "--test", "sign")).notes
    assert left_out == "topics without a score for every system, left out: 2, 4"
    assert "2 systems on 2 topics" in what
    whole = done(call("compare", write("whole.csv", matrix_file()), "--test", "sign", "--common-topics"))
    assert "3 systems on 20 topics" in whole.notes[0]


def test_assessments_with_an_xml_declaration_are_judgements(call: Command, write: Write) -> None:
    topics = "0123456789"
    for topic in topics:
        text = assessments(topic, {"A": (2, 4), "B": (1, 4)})
        write(f"pool/{topic}.xml", f'<?xml version="1.0" encoding="utf-8"?>\n{text}')
    runs = [
        write(f"{id}.xml", submission(id, documents, topics)) for id, documents in (("a", "Ax"), ("b", "Bx"))
    ]
    asked = ("pool", *runs, "-m", "nxCG@1")
    systems = json.loads(done(call("compare", *asked, "--test", "sign", "-o", "json")).out)["systems"]
    assert [(s["system"], s["wins"], s["losses"]) for s in systems] == [("a", 1, 0), ("b", 0, 1)]
    (row,) = json.loads(
        done(call("stability", *asked, "--test", "t", "--correction", "none", "-o", "json")).out
    )
    assert (row["error_rate"], row["share"]) == (0, 100)
    assert json.loads(done(call("ttest", *asked, "-o", "json")).out)["sum"] == -5


# --- refusals: one line, exit code 2

REFUSED: dict[str, tuple[list[str], str]] = {
    "unknown baseline": (["--baseline", "s9"], "unknown baseline 's9'; did you mean 's"),
    "unknown test": (
        ["--test", "bootstrp"],
        "unknown significance test 'bootstrp'; did you mean 'bootstrap'?",
    ),
    "unknown correction": (["--correction", "holms"], "unknown correction 'holms'; did you mean 'holm'?"),
    "unknown tail": (["--tail", "both"], "unknown tail 'both'"),
    "unknown format": (["-o", "jsno"], "unknown output format 'jsno'; did you mean 'json'?"),
    "level of 0": (["--alpha", "0"], "alpha is 0, expected a level between 0 and 1"),
    "level of 5": (["--alpha", "5"], "alpha is 5, expected a level between 0 and 1"),
    "level that is not a number": (["--alpha", "nan"], "alpha is nan, expected a level between 0 and 1"),
    "no resamples": (["--resamples", "0"], "Invalid value for '--resamples'"),
    "negative seed": (["--seed", "-1"], "Invalid value for '--seed'"),
    "negative top": (["--top", "-1"], "Invalid value for '--top'"),
}


@pytest.mark.parametrize("wrong", REFUSED)
def test_what_cannot_be_done_is_said_in_one_line(call: Command, scores: str, wrong: str) -> None:
    options, message = REFUSED[wrong]
    assert message in refusal(call("compare", scores, *options))


def test_one_system(call: Command, write: Write) -> None:
    assert "only one system" in refusal(call("compare", write("one.csv", "topic,a\n1,.5\n2,.25\n")))


def test_judgements_without_a_measure_or_without_runs(call: Command, worked: tuple[str, str]) -> None:
    qrels, run = worked
    assert "give the measure" in refusal(call("compare", qrels, run))
    assert "at least two runs" in refusal(call("compare", qrels, "-m", "MAiP"))


def test_a_measure_that_the_scores_lack(call: Command, write: Write) -> None:
    rows = [{"run": r, "topic": "1", "measure": "MAiP", "value": 0.5} for r in "ab"]
    file = write("scores.json", json.dumps(rows))
    assert "no scores by 'MAiQ' (did you mean 'MAiP'?)" in refusal(call("compare", file, "-m", "MAiQ"))


def test_a_damaged_file_is_named_with_its_line(call: Command, write: Write, tmp_path: Path) -> None:
    file = write("bad.csv", "topic,a,b\n1,.5,.25\n2,.5,high\n")
    assert (tmp_path / file).exists()
    assert refusal(call("compare", file)) == "bad.csv, line 3: the score 'high' is not a number."
    assert refusal(call("compare", "none.csv")).startswith("none.csv: no such file.")


def test_every_test_has_a_page(call: Command) -> None:
    done = call("compare", "--test", "help")
    assert done.code == 0
    for name in ("bootstrap", "t", "wilcoxon", "sign", "randomisation"):
        assert f"{name}\n\n" in done.out
    assert "simulations" in done.out
