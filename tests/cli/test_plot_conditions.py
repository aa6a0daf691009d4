"""`inexlab plot agreement` and `correlation` over whatever varies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("altair", reason="figures need the extra `figures`")

from inexlab.experiments import Choices
from inexlab.report.drawing import Sketch
from inexlab.statistics.procedure import Procedure

from .conftest import Command, Write
from .graded_campaign import RUNS, write_campaign

CAMPAIGN = """
[judgements]
all = "pool"
five = "five"

[tasks.wide]
measures = ["nxCG(quant=gen5)@1"]
runs = ["a.xml", "b.xml", "c.xml"]

[tasks.narrow]
judgements = "five"
measures = ["nxCG(quant=strict5)@1"]
runs = ["a.xml", "b.xml", "c.xml"]

[tasks.other]
measures = ["nxCG(quant=gen5)@1"]
runs = ["a.xml", "b.xml"]
"""
CONFIG = """
TASK: CO.Thorough
METRICS: nxCG
ALPHA: 1.0
OVERLAP: off
QUANT_FUNCTIONS: gen, strict
DCV: 1
ASSESSMENTS_DIR: pool
QUERY_TYPE: CO+S
SUBMISSIONRUNS_DIR: runs
"""


@pytest.fixture(autouse=True)
def campaign(call: Command, write: Write) -> None:  # noqa: ARG001 (in the folder of the test)
    write_campaign(write)
    write("campaign.toml", CAMPAIGN)


def systems(kind: str, *files: str, choices: Choices | None = None, **more: Any) -> list[dict[str, Any]]:
    """The rows of a figure, with the names of its axes in each."""
    sketch = Sketch(files, choices or Choices(), Procedure("t", "none"), **more)
    chart = sketch.draw(kind).chart
    found = chart.to_dict()["datasets"]
    rows: list[dict[str, Any]] = found["systems" if kind == "correlation" else "pairs"]
    return rows


def test_two_quantisations_are_set_against_each_other() -> None:
    """gen5: A 1, B 1/2, C 1/4; strict5: A 1, B and C 0."""
    found = systems(
        "correlation", "pool", *RUNS, choices=Choices(measure=["nxCG@1"]), vary=["quant=gen5,strict5"]
    )
    assert [(row["system"], row["x"], row["y"]) for row in found] == [
        ("a", 1, 1),
        ("b", 0.5, 0),
        ("c", 0.25, 0),
    ]


def test_two_sets_of_judgements_are_set_against_each_other() -> None:
    """Without the quantisation the sixth topic, where b is perfect, would make b 7/12 in the first."""
    asked = ["x=pool:nxCG(quant=gen5)@1", "y=five:nxCG(quant=strict5)@1"]
    found = systems("correlation", *RUNS, spelled_out=asked)
    assert [(row["x"], row["y"]) for row in found] == [(1, 1), (0.5, 0), (0.25, 0)]
    own = systems("correlation", *RUNS, spelled_out=asked, topics_of="own")
    assert [row["x"] for row in own] == pytest.approx([5 / 6, 3.5 / 6, 1.25 / 6])


def test_two_tasks_of_a_campaign_are_set_against_each_other(call: Command) -> None:
    choices = Choices(campaign_file="campaign.toml")
    found = systems("correlation", choices=choices, vary=["task=narrow,wide"])
    assert [(row["x"], row["y"]) for row in found] == [(1, 1), (0, 0.5), (0, 0.25)]
    assert (
        call(
            *("plot", "correlation", "--campaign-file", "campaign.toml", "--vary", "task=narrow,wide"),
            *("--out", "f.html"),
        ).code
        == 0
    )
    page = Path("f.html").read_text(encoding="utf-8")
    assert "nxCG(quant=strict5,overlap=off)@1, narrow" in page
    assert "nxCG(quant=gen5,overlap=off)@1, wide" in page


def test_two_tests_are_set_against_each_other() -> None:
    """On five topics t finds all three differences; the sign test's smallest p is 1/32, too much for .02."""
    sketch = Sketch(
        ["five", *RUNS], Choices(measure=["nxCG@1"]), Procedure("t", "none", 0.02), vary=["test=t,sign"]
    )
    chart = sketch.draw("agreement").chart
    pairs = chart.to_dict()["datasets"]["pairs"]
    assert [(row["a"], row["b"], row["found"]) for row in pairs] == [
        ("a", "b", "false alarm"),
        ("a", "c", "false alarm"),
        ("b", "c", "false alarm"),
    ]


def test_a_configuration_of_one_task_varies_its_measures(call: Command, write: Write) -> None:
    for run in RUNS:
        write(f"runs/{run}", Path(run).read_text(encoding="utf-8"))
    write("evalj.prop", CONFIG)
    assert (
        call(
            *("plot", "correlation", "--config", "evalj.prop", "--out", "f.svg"),
            *("-m", "nxCG@1", "--vary", "quant=gen,strict"),
        ).code
        == 0
    )
    assert "quant=strict" in Path("f.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["correlation", "--campaign-file", "campaign.toml"],
            "these are 3: wide nxCG(quant=gen5,overlap=off)@1, narrow nxCG(quant=strict5",
        ),
        (
            ["correlation", "--campaign-file", "campaign.toml", "--vary", "task=wide,other"],
            "the two conditions score different systems.",
        ),
        (
            ["correlation", "--campaign-file", "campaign.toml", "--vary", "task=wide,narow"],
            "unknown task of campaign.toml 'narow'; did you mean 'narrow'?",
        ),
        (
            ["ranking", "pool", *RUNS, "-m", "nxCG@1", "--vary", "quant=gen5,strict5"],
            "--vary and --condition are for figures of two conditions: agreement, correlation.",
        ),
    ],
)
def test_what_cannot_be_drawn_is_said(call: Command, arguments: list[str], message: str) -> None:
    done = call("plot", *arguments, "--test", "t", "--out", "f.svg")
    assert done.code == 2
    assert message in done.notes[-1]


def test_tests_vary_in_agreement_and_not_in_correlations(call: Command) -> None:
    asked = ("five", *RUNS, "-m", "nxCG@1", "--vary", "test=t,sign")
    done = call("agreement", *asked, "--correction", "none", "--alpha", "0.02", "-o", "csv")
    assert done.out.splitlines()[1] == "t,sign,100.0,,0.0,"
    refused = call("correlate", *asked)
    assert refused.code == 2
    assert refused.notes == ["test changes no score: see `inexlab agreement`."]
