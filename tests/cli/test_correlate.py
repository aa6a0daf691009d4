"""`inexlab correlate`: rankings of systems under several conditions, and how hard each is."""

from __future__ import annotations

import math

import pytest

from tests.cli.conftest import Command, Write
from tests.cli.graded_campaign import (
    GEN_STRICT,
    RUNS,
    TWICE,
    UNJUDGED,
    rows,
    square,
    submission,
    write_campaign,
)


@pytest.fixture(autouse=True)
def campaign(write: Write) -> None:
    write_campaign(write)


def test_kendall_between_quantisations(call: Command) -> None:
    """Of the three pairs one is tied under strict5: 2 / sqrt(3 · 2)."""
    done = call(
        "correlate", "pool", *RUNS, "-m", "nxCG@1", "--vary", "quant=gen5,strict5,genLifted", "-o", "json"
    )
    tied = pytest.approx(2 / math.sqrt(6))
    assert square(done) == [[1, tied, 1], [tied, 1, tied], [1, tied, 1]]
    assert [row["tau"] for row in rows(done)] == ["gen5", "strict5", "genLifted"]
    assert done.notes == ["5 topics defined in all conditions; left out: 6", UNJUDGED, "tau over 3 systems"]


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
    assert done.notes[-1] == "tau over 3 systems, mean of 2"


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
    assert list(rows(done)[0]) == ["condition", "systems", "mean", "deviation", "best", "worst"]
    assert [tuple(row.values()) for row in rows(done)] == [
        ("gen5", 3, pytest.approx(7 / 12), pytest.approx(math.sqrt(7 / 48)), 1, 0.25),
        ("strict5", 3, pytest.approx(1 / 3), pytest.approx(math.sqrt(1 / 3)), 1, 0),
    ]


def test_difficulty_of_a_single_quantisation(call: Command) -> None:
    asked = ("correlate", "pool", *RUNS, "-m", "nxCG@1", "--difficulty", "-o", "json")
    [one] = rows(call(*asked, "--vary", "quant=gen5"))
    assert one == rows(call(*asked, *GEN_STRICT, "--topics-of", "own"))[0]


def test_difficulty_over_the_best_systems(call: Command) -> None:
    """The best two of each condition: 1, 1/2 and 1, 0."""
    asked = ("correlate", "pool", *RUNS, "-m", "nxCG@1", *GEN_STRICT, "--difficulty", "-o", "json", "--top")
    half = pytest.approx(math.sqrt(1 / 2))
    assert [tuple(row.values()) for row in rows(call(*asked, "2"))] == [
        ("gen5", 2, 0.75, pytest.approx(math.sqrt(1 / 8)), 1, 0.5),
        ("strict5", 2, 0.5, half, 1, 0),
    ]
    assert [tuple(row.values()) for row in rows(call(*asked, "1"))] == [
        ("gen5", 1, 1, None, 1, 1),
        ("strict5", 1, 1, None, 1, 1),
    ]
    assert rows(call(*asked, "0")) == rows(call(*asked, "3")) == rows(call(*asked, "99"))
    assert call(*asked, "-1").code == 2
