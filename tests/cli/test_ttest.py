"""`inexlab ttest`: Tables 6 and 7 of Cherukuri (2010), and files that are not a t-test."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

from tests.builders import TABLE_6, calm
from tests.cli.conftest import Command, Write


def fields(text: str) -> dict[str, float]:
    """The lines `label : value`."""
    return {label: float(value) for label, value in (line.split(" : ") for line in text.splitlines())}


# The published sample.


def test_table_6(call: Command, write: Write) -> None:
    """In Cherukuri (2010) s^2 is the variance, p is that of the one-tailed test."""
    done = call("ttest", write("663_664.txt", TABLE_6))
    assert done.code == 0
    assert done.out.splitlines()[:-1] == [
        "n : 7",
        "df : 6",
        "sum : 0.7216029246",
        "mean : 0.1030861321",
        "s^2 : 0.04078146071",
        "t : 1.350572418",
    ]
    assert fields(done.out)["p"] == pytest.approx(0.11277, abs=5e-6)
    assert done.notes == [
        "7 topics: too few for any test to say much",
        "third column against second column, one-tailed",
    ]


def test_table_6_to_all_printed_digits(call: Command, write: Write) -> None:
    found = json.loads(call("ttest", write("663_664.txt", TABLE_6), "-o", "json").out)
    assert found == {
        "n": 7,
        "df": 6,
        "sum": pytest.approx(0.7216029246, abs=5e-11),
        "mean": pytest.approx(0.1030861321, abs=5e-11),
        "s^2": pytest.approx(0.0407814607, abs=5e-11),
        "t": pytest.approx(1.3505724178, abs=5e-11),
        "p": pytest.approx(0.11277, abs=5e-6),
    }


@pytest.mark.parametrize("output", ["table", "json"])
def test_the_script_of_the_thesis_printed_the_sum_of_squares_and_no_p(
    output: str, call: Command, write: Write
) -> None:
    done = call("ttest", write("663_664.txt", TABLE_6), "--compat", "-o", output)
    found = json.loads(done.out) if output == "json" else fields(done.out)
    assert list(found) == ["n", "df", "sum", "mean", "s^2", "t"]
    assert found["s^2"] == pytest.approx(0.2446887643, abs=5e-11)
    assert found["t"] == pytest.approx(1.350572418, abs=5e-10)
    assert done.err == ""


def test_table_7_is_read_with_its_s2_as_the_sum_of_squares(call: Command, write: Write) -> None:
    """68 differences with the printed sum and sum of squared deviations have t = .34893.

    Half of the differences lie one deviation above the mean, half below. As a variance the printed
    15.6978612 would give t = .0426.
    """
    mean, squares = 1.39276029 / 68, 15.6978612
    step = (squares / 68) ** 0.5
    lines = [f"{topic} 0 {mean + step * (-1) ** topic!r}\n" for topic in range(68)]
    found = fields(call("ttest", write("663_664.txt", "".join(lines)), "--compat").out)
    assert (found["n"], found["df"]) == (68, 67)
    assert found["sum"] == pytest.approx(1.39276029)
    assert found["mean"] == pytest.approx(0.02048177, abs=5e-9)
    assert found["s^2"] == pytest.approx(squares)
    assert found["t"] == pytest.approx(0.3489306, abs=5e-8)
    assert fields(call("ttest", "663_664.txt").out)["p"] == pytest.approx(0.364, abs=5e-4)


# The test itself.

columns = st.lists(st.tuples(*[st.integers(0, 64).map(lambda k: k / 64)] * 2), min_size=2, max_size=20)


@settings(calm, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(pairs=columns)
def test_it_agrees_with_scipy(pairs: list[tuple[float, float]], call: Command, write: Write) -> None:
    second, third = (np.array(column) for column in zip(*pairs, strict=True))
    differences = third - second
    file = write("pairs.txt", "".join(f"{i} {x} {y}\n" for i, (x, y) in enumerate(pairs)))
    found = json.loads(call("ttest", file, "-o", "json").out)
    assert found["sum"] == pytest.approx(differences.sum())
    assert found["mean"] == pytest.approx(differences.mean())
    assert found["s^2"] == pytest.approx(differences.var(ddof=1))
    if np.ptp(differences) > 0:
        peer = stats.ttest_rel(third, second, alternative="greater")
        assert found["t"] == pytest.approx(peer.statistic, rel=1e-9, abs=1e-12)
        assert found["p"] == pytest.approx(peer.pvalue, rel=1e-9)


@pytest.mark.parametrize(
    ("third", "t", "p"), [("0.75", "inf", "0"), ("0.25", "-inf", "1"), ("0.5", "0", "1")]
)
def test_without_variance_the_sign_decides(third: str, t: str, p: str, call: Command, write: Write) -> None:
    file = write("flat.txt", "".join(f"{topic} 0.5 {third}\n" for topic in range(5)))
    done = call("ttest", file)
    assert done.out.splitlines()[-3:] == ["s^2 : 0", f"t : {t}", f"p : {p}"]
    found = json.loads(call("ttest", file, "-o", "json").out, parse_constant=pytest.fail)
    assert found["t"] == (0 if t == "0" else None)
    assert found["p"] == float(p)


def test_scores_that_no_computer_holds_exactly_have_no_variance_either(call: Command, write: Write) -> None:
    assert 0.3 - 0.1 != 0.4 - 0.2
    scores = ("0.1 0.3", "0.2 0.4")
    file = write("flat.txt", "".join(f"{topic} {scores[topic % 2]}\n" for topic in range(10)))
    assert call("ttest", file).out.splitlines()[-3:] == ["s^2 : 0", "t : inf", "p : 0"]
    assert call("ttest", file, "--compat").out.splitlines()[-2:] == ["s^2 : 0", "t : inf"]


def test_one_topic_says_nothing(call: Command, write: Write) -> None:
    done = call("ttest", write("one.txt", "1 0.25 0.75\n"))
    assert done.code == 0
    assert fields(done.out) == {"n": 1, "df": 0, "sum": 0.5, "mean": 0.5, "s^2": 0, "t": 0, "p": 1}


def test_exchanged_columns_change_the_sign(call: Command, write: Write) -> None:
    turned = "".join("\t".join(line.split()[i] for i in (0, 2, 1)) + "\n" for line in TABLE_6.splitlines())
    here, there = (
        fields(call("ttest", write(name, text)).out) for name, text in (("a.txt", TABLE_6), ("b.txt", turned))
    )
    for name in ("sum", "mean", "t"):
        assert there[name] == -here[name]
    assert there["s^2"] == here["s^2"]
    assert there["p"] == pytest.approx(1 - here["p"])


# Runs.

QRELS = "".join(f"{topic} Q0 A 50 100 0 0:50\n" for topic in (1, 2, 3))


def run(id: str, *lengths: int) -> str:
    """A run that returns the first so many characters of A."""
    return "".join(f"{topic} Q0 A 1 1.0 {id} 0 {n}\n" for topic, n in enumerate(lengths, start=1))


@pytest.fixture
def campaign(write: Write) -> tuple[str, str, str]:
    return (
        write("judgements.qrels", QRELS),
        write("one.txt", run("one", 100, 70, 60)),
        write("two.txt", run("two", 50, 70, 30)),
    )


def test_two_runs_and_the_file_they_make_give_the_same_numbers(
    campaign: tuple[str, str, str], call: Command
) -> None:
    from_runs = call("ttest", *campaign, "-m", "MAiP", "--out", "one_two.txt", "-o", "json")
    assert from_runs.code == 0
    assert from_runs.notes[-1] == "two against one, one-tailed"
    from_file = call("ttest", "one_two.txt", "-o", "json")
    assert from_file.code == 0
    assert json.loads(from_file.out) == json.loads(from_runs.out)
    assert json.loads(from_file.out)["n"] == 3
    assert json.loads(from_file.out)["sum"] > 0


def test_the_file_has_topic_and_both_scores_with_every_digit(
    campaign: tuple[str, str, str], call: Command, tmp_path: Path
) -> None:
    call("ttest", *campaign, "-m", "MAiP", "--out", "one_two.txt")
    evaluated = call("evaluate", *campaign, "-m", "MAiP", "-q", "-o", "json")
    values = {(row["run"], row["topic"]): row["value"] for row in json.loads(evaluated.out)}
    lines = [line.split("\t") for line in (tmp_path / "one_two.txt").read_text().splitlines()]
    assert lines == [[t, repr(values["one", t]), repr(values["two", t])] for t in ("1", "2", "3")]


def test_two_columns_of_a_matrix_are_compared_by_name(call: Command, write: Write) -> None:
    done = call("ttest", write("scores.csv", "topic,old,new\n1,0.25,0.5\n2,0.25,1\n"))
    assert fields(done.out)["sum"] == 1
    assert done.notes[-1] == "new against old, one-tailed"


def test_three_columns_with_a_header_and_topics_that_are_no_numbers(call: Command, write: Write) -> None:
    done = call("ttest", write("pairs.txt", "topic old new\nq301 0 0.5\nq302 1 2\n"))
    assert fields(done.out)["sum"] == 1.5
    assert done.notes[-1] == "new against old, one-tailed"


def test_two_outputs_of_inex_eval(
    campaign: tuple[str, str, str], call: Command, call_inex_eval: Command, write: Write
) -> None:
    """They hold what the runs score, with four digits; the measure is called iP[0.10] there."""
    qrels, *runs = campaign
    outputs = [write(f"{i}.out", call_inex_eval("-f", "-q", qrels, run).out) for i, run in enumerate(runs)]
    for measure, called in (("MAiP", "AiP"), ("iP@0.10", "iP[0.10]"), ("iP@0.10", "iP@0.10")):
        scored = json.loads(call("ttest", *campaign, "-m", measure, "-o", "json").out)
        done = call("ttest", *outputs, "-m", called, "-o", "json")
        assert done.notes[-1] == "two against one, one-tailed"
        assert json.loads(done.out) == pytest.approx(scored, abs=1e-3)
    several = call("ttest", *outputs)
    assert (several.code, several.out) == (2, "")
    assert "measures; choose one with -m" in several.err


def test_the_three_column_file_of_two_outputs(call: Command, write: Write, tmp_path: Path) -> None:
    for name, score in (("one", 0.25), ("two", 0.5)):
        write(f"{name}.out", f"map 1 {score}\nmap 2 0.5\nmap all 0.5\nrunid all {name}\n")
    done = call("ttest", "one.out", "two.out", "--out", "one_two.txt")
    assert (done.code, fields(done.out)["sum"]) == (0, 0.25)
    assert (tmp_path / "one_two.txt").read_text() == "1\t0.25\t0.5\n2\t0.5\t0.5\n"


# Mistakes.


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 0.5\n", "pairs.txt, line 1: is neither judgements nor scores in a known format"),
        ("1 0.5 0.5 0.5\n", "pairs.txt, line 1: is neither judgements nor scores in a known format"),
        ("1 0.5 0.5\n2 0.5\n", "pairs.txt, line 2: 2 columns, expected topic and two scores"),
        ("1 0.5 0.5\n2 0.5 0.5 0.5\n", "pairs.txt, line 2: 4 columns, expected topic and two scores"),
        ("1 0.5 0.5\n2 0.5 half\n", "pairs.txt, line 2: the score 'half' is not a number"),
        ("1 0.5 0.5\n1 0.5 0.5\n", "pairs.txt, line 2: a second score of second column on topic 1"),
        ("1 0.5 0.5\n2 0.5 inf\n", "system third column has no finite score on topic 2"),
        ("", "pairs.txt: is empty"),
        ("topic,a,b,c\n1,0.5,0.5,0.5\n", "pairs.txt holds 3 systems; a t-test compares two."),
        ("topic,a\n1,0.5\n", "pairs.txt holds 1 system; a t-test compares two."),
    ],
)
def test_a_file_that_is_no_t_test(text: str, message: str, call: Command, write: Write) -> None:
    done = call("ttest", write("pairs.txt", text))
    assert (done.code, done.out) == (2, "")
    [line] = done.notes
    assert message in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("missing.txt",), "missing.txt: no such file"),
        (("pairs.txt", "--out", "nowhere/other.txt"), "nowhere/other.txt cannot be written"),
        (("pairs.txt", "-o", "csv"), "unknown output format 'csv'. Known: table, json."),
        (
            ("judgements.qrels", "one.txt"),
            "give one three-column file, two files of scores, or judgements and two runs.",
        ),
        (("pairs.txt", "pairs.txt"), "a second score of second column on topic 2009001"),
        (("judgements.qrels", "one.txt", "two.txt", "one.txt", "-m", "MAiP"), "give one three-column file"),
        (("judgements.qrels", "one.txt", "two.txt"), "give the measure to compare by"),
        (("judgements.qrels", "one.txt", "one.txt", "-m", "MAiP"), "has the run id 'one'"),
        (("judgements.qrels", "one.txt", "two.txt", "-m", "MAiQ"), "did you mean 'MAiP'?"),
        ((), "give one three-column file, two files of scores, or judgements and two runs."),
    ],
)
@pytest.mark.usefixtures("campaign")
def test_mistakes_are_one_line(arguments: tuple[str, ...], message: str, call: Command, write: Write) -> None:
    write("pairs.txt", TABLE_6)
    done = call("ttest", *arguments)
    assert (done.code, done.out) == (2, "")
    [line] = done.notes
    assert message in line
