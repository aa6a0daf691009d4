"""`inexlab agreement`, `correlate` and `stability`: conditions on the command line, and what they print.

Three systems on assessments of 2005. On topics 1 to 5 article A is highly exhaustive, B and C are not,
and half of C is relevant; on topic 6 there is B alone, so that it is undefined where strict.

    first result   gen5   genLifted   strict5        nxCG@2   gen5   strict5
    A              1      1           1              A x      2/3    1
    B              1/2    2/3         0              B x      1/3    0
    C              1/4    1/3         0              C A      5/6    1
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping
from typing import Any

import pytest

from tests.cli.conftest import Command, Outcome, Write

Grades = Mapping[str, tuple[int, int]]  # document -> exhaustivity, quarters that are relevant

GRADES: Grades = {"A": (2, 4), "B": (1, 4), "C": (1, 2)}
RUNS = ("a.xml", "b.xml", "c.xml")
GEN_STRICT = ("--vary", "quant=gen5,strict5")


def assessments(topic: str, grades: Grades) -> str:
    """Assessments of one topic of 2005."""
    files = "".join(
        f'<file collection="ieee" name="{doc}"><element path="/article[1]" exhaustivity="{exhaustivity}" '
        f'size="400" rsize="{100 * quarters}"/></file>\n'
        for doc, (exhaustivity, quarters) in grades.items()
    )
    return (
        f'<assessments pool="{topic}0" topic="{topic}" version="2">\n'
        f'<inex_topic topic_id="{topic}" query_type="CO+S"/>\n{files}'
        '<file collection="ieee" name="x"/></assessments>\n'
    )


def submission(id: str, documents: str, topics: str = "123456") -> str:
    """A run of 2005 that returns the same articles on each topic."""
    results = "".join(
        f"<result><file>{doc}</file><path>/article[1]</path><rank>{rank}</rank></result>"
        for rank, doc in enumerate(documents, start=1)
    )
    return (
        f'<inex-submission participant-id="24" run-id="{id}" task="CO.Thorough" query="automatic">'
        '<topic-fields title="yes" castitle="no" description="no" narrative="no"/>'
        "<description>d</description><collections><collection>ieee</collection></collections>"
        + "".join(f'<topic topic-id="{topic}">{results}</topic>\n' for topic in topics)
        + "</inex-submission>\n"
    )


@pytest.fixture(autouse=True)
def campaign(write: Write) -> None:
    """The assessments of all six topics as `pool`, of the first five as `five`, and three runs."""
    for topic in "12345":
        for folder in ("pool", "five"):
            write(f"{folder}/{topic}.xml", assessments(topic, GRADES))
    write("pool/6.xml", assessments("6", {"B": (1, 4)}))
    for id, documents in {"a": "Ax", "b": "Bx", "c": "CA"}.items():
        write(f"{id}.xml", submission(id, documents))


def rows(done: Outcome) -> list[dict[str, Any]]:
    """The JSON printed."""
    assert done.code == 0, done.err
    found: list[dict[str, Any]] = json.loads(done.out, parse_constant=pytest.fail)
    return found


def square(done: Outcome) -> list[list[float | None]]:
    """The numbers of a table with a row and a column for each condition."""
    return [list(row.values())[1:] for row in rows(done)]


# Agreement.


def test_agreement_of_two_quantisations(call: Command) -> None:
    """gen5 finds a > b > c, three differences; strict5 finds a > b and a > c."""
    done = call("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--test", "t", "-o", "json")
    third, four_fifths = pytest.approx(2 / 3), pytest.approx(0.8)
    names = [f"{what} of {of}" for what in ("recall", "precision", "F1") for of in ("gen5", "strict5")]
    expected = [
        ("gen5", pytest.approx(100), [1, 1, 1, third, 1, four_fifths]),
        ("strict5", pytest.approx(200 / 3), [third, 1, 1, 1, four_fifths, 1]),
    ]
    assert rows(done) == [
        {"row": name, "% found": share, **dict(zip(names, cells, strict=True))}
        for name, share, cells in expected
    ]


def test_agreement_says_which_test_it_made_and_which_topics_it_left_out(call: Command) -> None:
    done = call("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--test", "t", "--alpha", "0.01")
    assert done.notes == [
        "5 topics defined in all conditions; left out: 6",
        "t test, one-tailed, by correction, level 0.01",
    ]


def test_the_bootstrap_with_correction_unless_told_otherwise(call: Command) -> None:
    done = call("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT)
    assert done.notes[1] == "bootstrap test, one-tailed, by correction, level 0.05"


def test_topics_that_all_conditions_define_are_all_used(call: Command) -> None:
    done = call("agreement", "pool", *RUNS, "-m", "nxCG@1", "--vary", "quant=gen5,genLifted")
    assert done.code == 0
    assert done.notes[0] == "6 topics defined in all conditions"


def test_small_differences_do_not_count_when_told(call: Command) -> None:
    """Under gen5 a is better than b by 1/2, b than c by 1/4."""
    asked = ("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--test", "t", "-o", "json")
    shares = {
        smallest: [row["% found"] for row in rows(call(*asked, "--min-difference", smallest))]
        for smallest in ("0.3", "0.6", "1.5")
    }
    two, one = pytest.approx(200 / 3), pytest.approx(100 / 3)
    assert shares == {"0.3": [two, two], "0.6": [one, two], "1.5": [0, 0]}


def test_what_is_undefined_is_null(call: Command) -> None:
    asked = ("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--test", "t", "-o", "json")
    for row in rows(call(*asked, "--min-difference", "1.5")):
        assert set(row.values()) == {row["row"], 0, None}


def test_the_data_of_the_figure(call: Command) -> None:
    asked = ("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--test", "t", "--differences")
    found = rows(call(*asked, "-o", "json"))
    assert list(found[0]) == ["row_condition", "column_condition", "a", "b", "row", "column", "found"]
    assert [tuple(row.values()) for row in found] == [
        ("gen5", "strict5", "a", "b", 0.5, 1, "hit"),
        ("gen5", "strict5", "a", "c", 0.75, 1, "hit"),
        ("gen5", "strict5", "b", "c", 0.25, 0, "miss"),
        ("strict5", "gen5", "a", "b", 1, 0.5, "hit"),
        ("strict5", "gen5", "a", "c", 1, 0.75, "hit"),
        ("strict5", "gen5", "b", "c", 0, 0.25, "false alarm"),
    ]


def test_conditions_spelled_out_may_have_judgements_of_their_own(call: Command, write: Write) -> None:
    """The other assessor holds C for the best and A for the worst, and judged a seventh topic."""
    for topic in "123457":
        write(f"other/{topic}.xml", assessments(topic, {"C": (2, 4), "B": (1, 4), "A": (1, 2)}))
    conditions = ("--condition", "one=pool:nxCG@1", "--condition", "two=other:nxCG(quant=gen5)@1")
    done = call("agreement", *RUNS, *conditions, "--test", "t", "-o", "json")
    assert [row["row"] for row in rows(done)] == ["one", "two"]
    assert [row["% found"] for row in rows(done)] == [pytest.approx(100)] * 2
    assert [row["F1 of two"] for row in rows(done)] == [0, 1]
    assert done.notes[0] == "5 topics defined in all conditions; left out: 6, 7"


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


# Correlation.


def test_kendall_between_quantisations(call: Command) -> None:
    """Of the three pairs one is tied under strict5: 2 / sqrt(3 · 2)."""
    done = call(
        "correlate", "pool", *RUNS, "-m", "nxCG@1", "--vary", "quant=gen5,strict5,genLifted", "-o", "json"
    )
    tied = pytest.approx(2 / math.sqrt(6))
    assert square(done) == [[1, tied, 1], [tied, 1, tied], [1, tied, 1]]
    assert [row["tau"] for row in rows(done)] == ["gen5", "strict5", "genLifted"]
    assert done.notes == ["5 topics defined in all conditions; left out: 6", "tau over 3 systems"]


@pytest.mark.parametrize(
    ("coefficient", "expected"),
    [
        ("tau", 2 / math.sqrt(6)),
        ("spearman", 1.5 / math.sqrt(2 * 1.5)),  # ranks 3 2 1 and 3 1.5 1.5
        ("pearson", 5 / math.sqrt(28)),  # (1, 1/2, 1/4) and (1, 0, 0)
    ],
)
def test_coefficients(coefficient: str, expected: float, call: Command) -> None:
    asked = ("correlate", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "-o", "json")
    found = square(call(*asked, "--coefficient", coefficient))
    assert found[0][1] == pytest.approx(expected)
    assert found[1][0] == pytest.approx(expected)


def test_tau_ap_takes_the_row_for_the_truth(call: Command) -> None:
    """By nxCG@1 a > b > c; by nxCG@2 c > a > b."""
    measures = ("--condition", "first=five:nxCG@1", "--condition", "second=five:nxCG@2")
    found = square(call("correlate", *RUNS, *measures, "-o", "json", "--coefficient", "tau-ap"))
    assert found == [[1, pytest.approx(2 * (0 + 1 / 2) / 2 - 1)], [pytest.approx(2 * (1 + 0) / 2 - 1), 1]]


def test_varied_measures_may_have_parameters(call: Command) -> None:
    """Commas inside parentheses separate parameters, not measures."""
    measures = "measure=nxCG(quant=gen5,overlap=off)@1,nxCG(quant=strict5)@2"
    found = rows(call("correlate", "pool", *RUNS, "--vary", measures, "-o", "json"))
    assert [row["tau"] for row in found] == ["nxCG(quant=gen5,overlap=off)@1", "nxCG(quant=strict5)@2"]


def test_a_varied_parameter_replaces_that_of_the_measure(call: Command) -> None:
    plain = call("correlate", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "-o", "json")
    named = call("correlate", "pool", *RUNS, "-m", "nxCG(quant=genLifted)@1", *GEN_STRICT, "-o", "json")
    assert rows(named) == rows(plain)


TWICE = ("--vary", "measure=nxCG@1,nxCG@2", *GEN_STRICT)


def test_two_varied_parameters_make_all_combinations(call: Command) -> None:
    found = rows(call("correlate", "pool", *RUNS, *TWICE, "-o", "json"))
    names = ["nxCG@1 gen5", "nxCG@1 strict5", "nxCG@2 gen5", "nxCG@2 strict5"]
    assert [row["tau"] for row in found] == names
    assert list(found[0]) == ["tau", *names]


def test_correlations_are_averaged_over_a_parameter(call: Command) -> None:
    """Under gen5 a > b > c and c > a > b: -1/3. Under strict5 a > b = c and a = c > b: 1/2."""
    done = call("correlate", "pool", *RUNS, *TWICE, "--average", "quant", "-o", "json")
    mean = pytest.approx((-1 / 3 + 1 / 2) / 2)
    assert rows(done) == [
        {"tau": "nxCG@1", "nxCG@1": 1, "nxCG@2": mean},
        {"tau": "nxCG@2", "nxCG@1": mean, "nxCG@2": 1},
    ]
    assert done.notes[1] == "tau over 3 systems, mean of 2"


def test_averaging_over_the_measure_leaves_the_quantisation(call: Command) -> None:
    """By nxCG@1 2 / sqrt(6); by nxCG@2 c > a > b and a = c > b, again one tie."""
    found = rows(call("correlate", "pool", *RUNS, *TWICE, "--average", "measure", "-o", "json"))
    assert [row["tau"] for row in found] == ["gen5", "strict5"]
    assert found[0]["strict5"] == pytest.approx(2 / math.sqrt(6))


def test_a_constant_correlates_with_nothing(call: Command, write: Write) -> None:
    for id in "abc":
        write(f"{id}.xml", submission(id, "Ax"))
    done = call("correlate", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "-o", "json")
    assert square(done) == [[None, None], [None, None]]


def test_difficulty(call: Command) -> None:
    """Means 1, 1/2, 1/4 and 1, 0, 0."""
    done = call("correlate", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--difficulty", "-o", "json")
    assert rows(done) == [
        {
            "condition": "gen5",
            "best": 1,
            "mean": pytest.approx(7 / 12),
            "deviation": pytest.approx(math.sqrt(7 / 48)),
        },
        {
            "condition": "strict5",
            "best": 1,
            "mean": pytest.approx(1 / 3),
            "deviation": pytest.approx(math.sqrt(1 / 3)),
        },
    ]


# Stability.


def scores(*rows: str) -> str:
    """A CSV matrix of the systems A and B."""
    return "topic,A,B\n" + "".join(f"{topic},{row}\n" for topic, row in enumerate(rows))


def test_stability_of_all_tests_without_and_with_correction(call: Command, write: Write) -> None:
    file = write("scores.csv", scores(*["1,0"] * 12))
    done = call("stability", file, "--splits", "2", "--resamples", "100", "-o", "json")
    found = rows(done)
    tests = {"bootstrap", "t", "wilcoxon", "sign", "randomisation"}
    assert {(row["test"], row["correction"]) for row in found} == {
        (t, c) for t in tests for c in ("none", "by")
    }
    assert len(found) == 10
    assert done.notes == ["2 splits of 12 topics, level 0.05, seed 2006"]


def test_a_difference_on_every_topic_is_stable(call: Command, write: Write) -> None:
    file = write("scores.csv", scores(*["1,0"] * 12))
    [row] = rows(
        call("stability", file, "--test", "t", "--correction", "holm", "--splits", "3", "-o", "json")
    )
    assert row == {
        "test": "t",
        "correction": "holm",
        "rejections": 3,
        "errors": 0,
        "error_rate": 0,
        "self_agreement": 1,
        "share": 100,
    }


def test_a_test_without_conclusions_has_no_error_rate(call: Command, write: Write) -> None:
    file = write("scores.csv", scores(*["1,1"] * 12))
    [row] = rows(call("stability", file, "--test", "t", "--correction", "by", "-o", "json"))
    assert (row["rejections"], row["error_rate"], row["self_agreement"]) == (0, None, None)


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
    assert (row["rejections"], row["error_rate"], row["share"]) == (8, 0, pytest.approx(200 / 3))


def test_how_findings_grow_with_topics(call: Command, write: Write) -> None:
    """The t-test finds one and the same difference on any number of topics."""
    file = write("scores.csv", scores(*["1,0"] * 12))
    asked = ("stability", file, "--test", "t", "--correction", "by", "--growth", "-o", "json")
    assert [list(row.values()) for row in rows(call(*asked))] == [
        ["t", "by", 5, 100],
        ["t", "by", 10, 100],
        ["t", "by", 12, 100],
    ]


def test_the_same_seed_prints_the_same(call: Command, write: Write) -> None:
    file = write("scores.csv", scores(*["1,0", "0,1", "1,0", "3,1", "0,0"] * 4))
    asked = ("stability", file, "--test", "bootstrap", "--splits", "3", "--resamples", "100", "--seed")
    first, again, other = (call(*asked, seed).out for seed in ("1", "1", "2"))
    assert first == again
    assert first != other


# Formats.

COMMANDS = {
    "agreement": ("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--test", "t"),
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
        (("pool", *RUNS), "give judgements, runs, -m and --vary KEY=A,B; or runs and --condition twice."),
        (("pool", *RUNS, "-m", "nxCG@1"), "give judgements, runs, -m and --vary KEY=A,B"),
        (("pool", "-m", "nxCG@1", *GEN_STRICT), "give judgements, runs, -m and --vary KEY=A,B"),
        (("pool", *RUNS, *GEN_STRICT), "name the measure to vary with -m"),
        (("pool", *RUNS, "-m", "nxCG@1", "--vary", "quant"), "--vary 'quant' is not KEY=A,B"),
        (("pool", *RUNS, "-m", "nxCG@1", "--vary", "quant=gen5"), "--vary 'quant=gen5' is not KEY=A,B"),
        (("pool", *RUNS, "-m", "nxCG@1", "--vary", "quant=gen5,"), "--vary 'quant=gen5,' is not KEY=A,B"),
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
        ((*RUNS, "--condition", "one=pool:nxCG@1"), "there is one condition only; give at least two."),
        ((*RUNS, "--condition", "pool:nxCG@1"), "--condition 'pool:nxCG@1' is not NAME=JUDGEMENTS:MEASURE."),
        ((*RUNS, "--condition", "one=pool"), "--condition 'one=pool' is not NAME=JUDGEMENTS:MEASURE."),
        ((*RUNS, "--condition", "=pool:nxCG@1"), "is not NAME=JUDGEMENTS:MEASURE."),
        ((*RUNS, "--condition", "one=:nxCG@1"), "is not NAME=JUDGEMENTS:MEASURE."),
        ((*RUNS, "--condition", "one=pool:"), "is not NAME=JUDGEMENTS:MEASURE."),
        ((*RUNS, "--condition", "a=pool:nxCG@1", "-m", "MAep"), "give either --condition or -m with --vary."),
        ((*RUNS, "--condition", "a=pool:nxCG@1", *GEN_STRICT), "give either --condition or -m with --vary."),
        ((), "Missing argument"),
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
        (("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--resamples", "0"), "--resamples"),
        (("agreement", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--seed", "-1"), "--seed"),
        (("stability", "pool", *RUNS), "name the measure to compare by"),
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
    assert done.notes[-1] == "nothing is left to compare: every varied parameter is averaged over."


def test_the_installed_script_knows_the_commands(inexlab: Command) -> None:
    done = inexlab("correlate", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "-o", "csv")
    assert done.code == 0
    assert done.out.splitlines()[0] == "tau,gen5,strict5"
