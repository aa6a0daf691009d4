"""Which curves belong to which measures, and their means."""

from __future__ import annotations

import pytest

from inexlab.measures import evaluate, expand, parse
from inexlab.report.curves import RANKS, averaged, curves_of
from tests.builders import AB_JUDGED, AB_RESULTS, a_run, judged


@pytest.mark.parametrize(
    ("measures", "curves"),
    [
        (["MAiP", "iP@0.01", "SpanP@5"], ["iP"]),
        (["MAgP(score=F,beta=0.25)", "gP(score=BEP)@10"], ["gP(score=F,beta=0.25)", "gP(score=BEP,n=500)"]),
        (["MAep(quant=gen5,overlap=on)"], ["ep(quant=gen5,overlap=on)", "nxCG(quant=gen5,overlap=on)"]),
        (["nxCG(quant=strict5,overlap=off)@10"], ["nxCG(quant=strict5,overlap=off)"]),
        (["precall(quant=spec6(links=out))"], ["precall(quant=spec6(links=out))"]),
        (["num_ret", "gR@5"], []),
    ],
)
def test_a_measure_has_the_curves_of_its_parameters(measures: list[str], curves: list[str]) -> None:
    assert list(curves_of([parse(name) for name in measures])) == curves


def test_there_are_no_more_curves_than_asked_for() -> None:
    measures = [parse(f"gP(score=F,beta={beta})@1") for beta in range(1, 9)]
    assert len(curves_of(measures)) == 4
    assert len(curves_of(measures, most=2)) == 2


def test_points_are_the_levels_of_the_measure_or_ranks() -> None:
    found = curves_of([parse("MAiP"), parse("gP@1")])
    assert found["iP"] == expand("iP@*")
    assert [m.cutoff for m in found["gP(score=F,beta=1)"]] == list(RANKS)


def test_a_curve_holds_what_evaluate_gives_at_each_point() -> None:
    points = curves_of([parse("MAiP"), parse("gP@1")])
    every = [m for curve in points.values() for m in curve]
    runs = [a_run(*AB_RESULTS, id="one"), a_run(*AB_RESULTS[:1], id="two")]
    scores = evaluate(judged(*AB_JUDGED), runs, every).scores
    precision, generalised = averaged(points, scores)
    assert (precision.name, precision.axis, precision.systems) == ("iP", "recall", ("one", "two"))
    assert generalised.axis == "rank"
    # one: P = 50/50 down to recall 0.5, then 90/250; two: nothing beyond recall 0.5
    assert precision.points[:3] == (0.0, 0.01, 0.02)
    assert precision.values[0, [0, 50, 51, 90, 91]].tolist() == [1.0, 1.0, 0.36, 0.36, 0.0]
    assert precision.values[1, [0, 50, 51]].tolist() == [1.0, 1.0, 0.0]
