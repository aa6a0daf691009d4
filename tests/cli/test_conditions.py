"""`inexlab agreement`, and what it shares with `correlate` and `stability`: conditions, formats, mistakes."""

from __future__ import annotations

import csv
import io
import itertools

import pytest

from tests.cli.conftest import Command, Write
from tests.cli.graded_campaign import (
    GEN_STRICT,
    GRADES,
    RUNS,
    TWICE,
    UNJUDGED,
    assessments,
    rows,
    scores,
    square,
    submission,
    write_campaign,
)


@pytest.fixture(autouse=True)
def campaign(write: Write) -> None:
    write_campaign(write)


# Agreement.


def test_agreement_of_two_quantisations(call: Command) -> None:
    """gen5 finds a > b > c, three differences; strict5 finds a > b and a > c."""
    done = call("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--test", "t", "-o", "json")
    third, four_fifths = pytest.approx(2 / 3), pytest.approx(0.8)
    names = ("row", "column", "found", "recall", "precision", "F1")
    expected = [
        ("gen5", "strict5", pytest.approx(100), 1, third, four_fifths),
        ("strict5", "gen5", pytest.approx(200 / 3), third, 1, four_fifths),
    ]
    assert rows(done) == [dict(zip(names, cells, strict=True)) for cells in expected]


def test_agreement_is_laid_out_as_in_the_paper(call: Command) -> None:
    done = call("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--test", "t", "-o", "markdown")
    assert done.out == (
        "| recall | gen5 | strict5 |\n| --- | ---: | ---: |\n"
        "| gen5 – 100% | 1.00 | 1.00 |\n| strict5 – 67% | 0.67 | 1.00 |\n\n"
        "5 topics: too few for any test to say much\n\n"
        "| F1 | gen5 | strict5 |\n| --- | ---: | ---: |\n"
        "| gen5 – 100% | 1.00 | 0.80 |\n| strict5 – 67% | 0.80 | 1.00 |\n\n"
        "5 topics: too few for any test to say much\n"
    )


def test_a_table_for_each_measure_as_in_table_4(call: Command) -> None:
    asked = ("agreement", "pool", *RUNS, *TWICE, "--each", "measure", "--test", "t")
    parts = call(*asked, "-o", "markdown").out.split("\n\n")
    titles = [part.split("|")[1].strip() for part in parts if part.startswith("|")]
    assert titles == ["nxCG@1: recall", "nxCG@1: F1", "nxCG@2: recall", "nxCG@2: F1"]
    found = rows(call(*asked, "-o", "json"))
    assert [(row["group"], row["row"], row["column"]) for row in found] == [
        (measure, *pair)
        for measure in ("nxCG@1", "nxCG@2")
        for pair in itertools.permutations(("gen5", "strict5"))
    ]
    assert rows(call(*asked, "--differences", "-o", "json"))[0]["truth"] == "nxCG@1 strict5"


def test_agreement_says_which_test_it_made_and_which_topics_it_left_out(call: Command) -> None:
    done = call("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--test", "t", "--alpha", "0.01")
    assert done.notes == [
        "5 topics defined in all conditions; left out: 6",
        UNJUDGED,
        "Student's paired t-test, one-tailed, Benjamini–Yekutieli correction, level 0.01",
        "5 topics: too few for any test to say much",
    ]


def test_the_bootstrap_with_correction_unless_told_otherwise(call: Command) -> None:
    done = call("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT)
    assert done.notes[2] == (
        "paired bootstrap test, one-tailed, Benjamini–Yekutieli correction, level 0.05, "
        "10,000 resamples, seed 2006"
    )


def test_topics_that_all_conditions_define_are_all_used(call: Command) -> None:
    done = call("agreement", "pool", *RUNS, "-m", "nxCG@1", "--vary", "quant=gen5,genLifted")
    assert done.code == 0
    assert done.notes[0] == "6 topics defined in all conditions"


def test_small_differences_do_not_count_when_told(call: Command) -> None:
    """Under gen5 a is better than b by 1/2, b than c by 1/4."""
    asked = ("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--test", "t", "-o", "json")
    shares = {
        smallest: [row["found"] for row in rows(call(*asked, "--min-difference", smallest))]
        for smallest in ("0.3", "0.6", "1.5")
    }
    two, one = pytest.approx(200 / 3), pytest.approx(100 / 3)
    assert shares == {"0.3": [two, two], "0.6": [one, two], "1.5": [0, 0]}


def test_what_is_undefined_is_null(call: Command) -> None:
    asked = ("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--test", "t", "-o", "json")
    for row in rows(call(*asked, "--min-difference", "1.5")):
        assert set(row.values()) == {row["row"], row["column"], 0, None}


def test_the_data_of_the_figure(call: Command) -> None:
    asked = ("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--test", "t", "--differences")
    found = rows(call(*asked, "-o", "json"))
    assert list(found[0]) == ["predictor", "truth", "a", "b", "by_predictor", "by_truth", "found"]
    assert [tuple(row.values()) for row in found] == [
        ("gen5", "strict5", "a", "b", 0.5, 1, "hit"),
        ("gen5", "strict5", "a", "c", 0.75, 1, "hit"),
        ("gen5", "strict5", "b", "c", 0.25, 0, "false alarm"),
        ("strict5", "gen5", "a", "b", 1, 0.5, "hit"),
        ("strict5", "gen5", "a", "c", 1, 0.75, "hit"),
        ("strict5", "gen5", "b", "c", 0, 0.25, "miss"),
    ]


def test_conditions_spelled_out_may_have_judgements_of_their_own(call: Command, write: Write) -> None:
    """The other assessor holds C for the best and A for the worst, and judged a seventh topic."""
    for topic in "123457":
        write(f"other/{topic}.xml", assessments(topic, {"C": (2, 4), "B": (1, 4), "A": (1, 2)}))
    conditions = ("--condition", "one=pool:nxCG@1", "--condition", "two=other:nxCG(quant=gen5)@1")
    done = call("agreement", *RUNS, *conditions, "--test", "t", "-o", "json")
    assert [row["row"] for row in rows(done)] == ["one", "two"]
    assert [row["found"] for row in rows(done)] == [pytest.approx(100)] * 2
    assert [row["F1"] for row in rows(done)] == [0, 0]
    assert done.notes[0] == "5 topics defined in all conditions; left out: 6, 7"


@pytest.mark.parametrize("command", ["agreement", "correlate"])
def test_topics_that_no_condition_defines_are_listed_too(command: str, call: Command) -> None:
    """Topic 6 has nothing that is relevant where strict, by either measure; means are no matter here."""
    strict = "measure=nxCG(quant=strict5)@1,nxCG(quant=strict5)@2"
    done = call(command, "pool", *RUNS, "--vary", strict, "-o", "json")
    assert done.code == 0
    assert done.notes[:2] == ["5 topics defined in all conditions; left out: 6", UNJUDGED]
    assert not any("mean" in note for note in done.notes)


def test_scores_stand_for_judgements_and_need_no_runs(call: Command, write: Write) -> None:
    """Means .9 .5 .1 and .5 .9 .1: one of three pairs is turned. Topic 9 is lacking somewhere."""
    write("one.csv", "topic,a,b,c\n" + "".join(f"{t},.9,.5,.1\n" for t in range(1, 9)) + "9,1,,1\n")
    write("two.csv", "topic,a,b,c\n" + "".join(f"{t},.5,.9,.1\n" for t in range(1, 9)))
    conditions = ("--condition", "one=one.csv:MAiP", "--condition", "two=two.csv:MAiP")
    done = call("correlate", *conditions, "-o", "json")
    assert square(done) == [[1, pytest.approx(1 / 3)], [pytest.approx(1 / 3), 1]]
    assert done.notes == ["8 topics defined in all conditions; left out: 9", "tau over 3 systems"]
    found = rows(call("agreement", *conditions, "--test", "t", "-o", "json"))
    assert [(row["row"], row["found"], row["F1"]) for row in found] == [
        ("one", pytest.approx(100), pytest.approx(2 / 3)),
        ("two", pytest.approx(100), pytest.approx(2 / 3)),
    ]


def test_of_scores_by_several_measures_the_condition_names_one(call: Command, write: Write) -> None:
    lines = [f"{run},{t},{m},{x}\n" for run, x in (("a", 1), ("b", 2)) for t in (1, 2) for m in ("u", "v")]
    write("long.csv", "run,topic,measure,value\n" + "".join(lines))
    conditions = ("--condition", "one=long.csv:u", "--condition", "two=long.csv:v")
    assert square(call("correlate", *conditions, "-o", "json")) == [[1, 1], [1, 1]]
    wrong = call("correlate", "--condition", "one=long.csv:u", "--condition", "two=long.csv:w")
    assert (wrong.code, wrong.notes) == (2, ["no scores by 'w'; choose one with -m: u, v."])


def test_scores_and_judgements_may_be_mixed(call: Command, write: Write) -> None:
    write("own.csv", "topic,a,b,c\n" + "".join(f"{t},.9,.5,.1\n" for t in range(1, 6)))
    conditions = ("--condition", "own=own.csv:MAiP", "--condition", "pool=pool:nxCG@1")
    assert square(call("correlate", *RUNS, *conditions, "-o", "json")) == [[1, 1], [1, 1]]


def test_agreement_warns_of_too_few_resamples_once(call: Command) -> None:
    """Six hypotheses, corrected by BY: .05 / (2.45 · 6), so 294 resamples."""
    asked = ("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--resamples")
    few = [note for note in call(*asked, "293").notes if "would resolve it" in note]
    assert few == [
        "293 resamples are coarser than the level (3.4e-03) of the first of 6 hypotheses; "
        "--resamples 294 would resolve it"
    ]
    assert not any("would resolve it" in note for note in call(*asked, "294").notes)


def test_conditions_keep_the_order_they_were_given_in(call: Command, write: Write) -> None:
    for topic in "12345":
        write(f"other/{topic}.xml", assessments(topic, {"C": (2, 4), "B": (1, 4), "A": (1, 2)}))
    conditions = ("one=pool:nxCG@1", "two=other:nxCG@1", "three=pool:nxCG@1")
    spelled = [word for text in conditions for word in ("--condition", text)]
    found = rows(call("correlate", *RUNS, *spelled, "-o", "json"))
    assert [list(row.values()) for row in found] == [
        ["one", 1, -1, 1],
        ["two", -1, 1, -1],
        ["three", 1, -1, 1],
    ]


# Stability of runs.


def test_stability_of_runs(call: Command) -> None:
    [row] = rows(
        call(
            "stability",
            "pool",
            *RUNS,
            "-m",
            "nxCG(quant=strict5)@1",
            "--test",
            "t",
            "--correction",
            "by",
            "--splits",
            "4",
            "-o",
            "json",
        )
    )
    # halves of five topics are too few to conclude anything
    assert (row["rejections"], row["error_rate"], row["share"]) == (0, None, 0)


# Formats.

COMMANDS = {
    "differences": ("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--test", "t", "--differences"),
    "correlate": ("correlate", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT),
    "difficulty": ("correlate", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--difficulty"),
    "stability": ("stability", "pool", *RUNS, "-m", "nxCG@1", "--test", "t", "--splits", "3"),
    "growth": ("stability", "pool", *RUNS, "-m", "nxCG@1", "--test", "t", "--growth"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_all_formats_hold_the_same_cells(command: str, call: Command) -> None:
    asked = COMMANDS[command]
    records = rows(call(*asked, "-o", "json"))
    for output, delimiter in (("csv", ","), ("tsv", "\t")):
        header, *lines = csv.reader(io.StringIO(call(*asked, "-o", output).out), delimiter=delimiter)
        assert header == list(records[0])
        assert lines == [["" if v is None else str(v) for v in row.values()] for row in records]
    shown = [[_shown(v) for v in row.values()] for row in records]
    markdown = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in call(*asked, "-o", "markdown").out.splitlines()
    ]
    assert markdown[0] == list(records[0])
    assert markdown[2:] == shown
    table = call(*asked).out
    assert table == call(*asked, "-o", "table").out
    assert [line.split() for line in table.splitlines()[2:]] == [
        [word for cell in row for word in cell.split()] for row in shown
    ]


def _shown(value: str | float | None) -> str:
    return "–" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)


# Mistakes.

BOTH = ("agreement", "correlate")


@pytest.mark.parametrize("command", BOTH)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pool", *RUNS), "give judgements, runs, -m and --vary KEY=A,B; or runs and two of --condition."),
        (("pool", *RUNS, "-m", "nxCG@1"), "give judgements, runs, -m and --vary KEY=A,B"),
        (("pool", "-m", "nxCG@1", *GEN_STRICT), "give judgements, runs, -m and --vary KEY=A,B"),
        (("pool", *RUNS, *GEN_STRICT), "give the measure to vary"),
        (("pool", *RUNS, "-m", "nxCG@1", "--vary", "quant"), "--vary quant is not KEY=A,B"),
        (("pool", *RUNS, "-m", "nxCG@1", "--vary", "quant=,"), "--vary quant=, is not KEY=A,B"),
        (("pool", *RUNS, "-m", "nxCG@1", "--vary", "quant=gen5"), "only one condition; give at least two."),
        (("pool", *RUNS, "-m", "nxCG@1", "--vary", "quant=gen5,strickt"), "unknown quantisation 'strickt'"),
        (
            ("pool", *RUNS, "-m", "nxCG@1", "--vary", "quont=gen5,strict5"),
            "unknown parameter of nxCG 'quont'",
        ),
        (("pool", *RUNS, "-m", "nxCG", *GEN_STRICT), "needs a cut-off"),
        (("pool", *RUNS, "-m", "nxCG@1(", *GEN_STRICT), "is not a measure"),
        (("pool", *RUNS, "-m", "MAepp", *GEN_STRICT), "unknown measure 'MAepp'; did you mean 'MAep'?"),
        (("nowhere", *RUNS, "-m", "nxCG@1", *GEN_STRICT), "nowhere: no such file"),
        (("pool", "a.xml", "z.xml", "-m", "nxCG@1", *GEN_STRICT), "z.xml: no such file"),
        (("pool", "a.xml", "a.xml", "-m", "nxCG@1", *GEN_STRICT), "has the run id 'a'"),
        ((*RUNS, "--condition", "one=pool:nxCG@1"), "there is only one condition; give at least two."),
        (
            (*RUNS, "--condition", "pool:nxCG@1"),
            "--condition pool:nxCG@1 is not NAME=JUDGEMENTS:MEASURE or NAME=SCORES.",
        ),
        ((*RUNS, "--condition", "one=pool"), "--condition one=pool names no measure"),
        ((*RUNS, "--condition", "=pool:nxCG@1"), "is not NAME=JUDGEMENTS:MEASURE or NAME=SCORES."),
        ((*RUNS, "--condition", "one=:nxCG@1"), "is not NAME=JUDGEMENTS:MEASURE or NAME=SCORES."),
        ((*RUNS, "--condition", "one=pool:"), "names no measure"),
        ((*RUNS, "--condition", "a=pool:nxCG@1", "-m", "MAep"), "give either --condition or -m with --vary."),
        ((*RUNS, "--condition", "a=pool:nxCG@1", *GEN_STRICT), "give either --condition or -m with --vary."),
        ((), "give judgements, runs, -m and --vary KEY=A,B; or runs and two of --condition."),
        (
            ("--condition", "one=pool:nxCG@1", "--condition", "two=five:nxCG@1"),
            "give the runs to score against pool.",
        ),
    ],
)
def test_a_mistake_is_one_line(command: str, arguments: tuple[str, ...], message: str, call: Command) -> None:
    done = call(command, *arguments)
    assert (done.code, done.out) == (2, "")
    [line] = done.notes
    assert message in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("correlate", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--average", "quont"),
            "did you mean 'quant'",
        ),
        (
            ("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--each", "quont"),
            "unknown varied parameter 'quont'; did you mean 'quant'",
        ),
        (
            ("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--each", "quant"),
            "nothing is left to compare: all that varies is set apart (quant).",
        ),
        (
            ("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--min-difference", "-0.1"),
            "--min-difference -0.1 must be >= 0.",
        ),
        (("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--resamples", "0"), "--resamples"),
        (("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--seed", "-1"), "--seed"),
        (("stability", "pool", *RUNS), "give the measure to compare by"),
        (("stability", "pool", "-m", "nxCG@1"), "give judgements and at least two runs"),
        (("stability", "pool", *RUNS, "-m", "nxCG@1", "--splits", "0"), "--splits"),
        (("stability", "few.csv"), "3 topics cannot be split; give at least 4."),
        (("stability", "enough.csv", "--test", "tt"), "unknown significance test 'tt'; did you mean 't'?"),
        (("stability", "enough.csv", "--correction", "homl"), "did you mean 'holm'?"),
        (("stability", "enough.csv", "--alpha", "5"), "alpha is 5, expected a level between 0 and 1"),
    ],
)
def test_other_mistakes_are_one_line(
    arguments: tuple[str, ...], message: str, call: Command, write: Write
) -> None:
    write("few.csv", scores(*["1,0"] * 3))
    write("enough.csv", scores(*["1,0"] * 4))
    done = call(*arguments)
    assert (done.code, done.out) == (2, "")
    [line] = done.notes
    assert message in line


def test_conditions_without_a_common_topic(call: Command, write: Write) -> None:
    for name, documents in {"a": "Ax", "b": "Bx", "c": "CA"}.items():
        write(f"{name}.xml", submission(name, documents, "1234567"))
    write("other/7.xml", assessments("7", GRADES))
    done = call("agreement", *RUNS, "--condition", "one=pool:nxCG@1", "--condition", "two=other:nxCG@1")
    assert done.code == 2
    assert done.notes == ["the conditions have no topic in common."]


@pytest.mark.parametrize("average", [("quant",), ("quant", "measure")])
def test_something_must_be_left_to_compare(average: tuple[str, ...], call: Command) -> None:
    varied = TWICE if len(average) == 2 else ("-m", "nxCG@1", *GEN_STRICT)
    over = [word for key in average for word in ("--average", key)]
    done = call("correlate", "pool", *RUNS, *varied, *over)
    assert done.code == 2
    apart = ", ".join(average)
    assert done.notes[-1] == f"nothing is left to compare: all that varies is set apart ({apart})."


def test_the_installed_script_knows_the_commands(inexlab: Command) -> None:
    done = inexlab("correlate", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "-o", "csv")
    assert done.code == 0
    assert done.out.splitlines()[0] == "tau,gen5,strict5"
