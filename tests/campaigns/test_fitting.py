"""Measures asked for in a task take what they leave open from the task's own measures."""

from __future__ import annotations

import pytest

from inexlab.campaigns import preset
from inexlab.campaigns.fitting import fit_measures
from inexlab.measures import parse


def _fit(asked: str, *own: str) -> tuple[str, dict[str, str]]:
    [measure], taken = fit_measures([parse(asked)], [parse(name) for name in own])
    return str(measure), {name: str(value) for name, value in taken.items()}


FOCUSSED = ("MAep(quant=gen5,overlap=on)", "nxCG(quant=strict5,overlap=on)@10", "MAiP")


@pytest.mark.parametrize(
    ("asked", "meant", "taken"),
    [
        ("MAep", "MAep(quant=gen,overlap=on)", {"overlap": "on"}),  # two quantisations: the default stays
        ("R", "R(quant=gen,overlap=on)", {"overlap": "on"}),  # no measure of the task's, but it has overlap
        ("MAep(overlap=off)", "MAep(quant=gen,overlap=off)", {}),
        ("nxCG(quant=strict5)@5", "nxCG(quant=strict5,overlap=on)@5", {"overlap": "on"}),
        ("MAiP", "MAiP", {}),
        ("MAgP", "MAgP(score=F,beta=1)", {}),
    ],
)
def test_what_all_measures_of_the_task_share(asked: str, meant: str, taken: dict[str, str]) -> None:
    assert _fit(asked, *FOCUSSED) == (meant, taken)


def test_measures_that_disagree_leave_the_default() -> None:
    own = ("MAep(quant=gen5,overlap=on)", "Q(quant=gen5,overlap=off)")
    assert _fit("MAep", *own) == ("MAep(quant=gen5,overlap=off)", {"quant": "gen5"})
    assert _fit("MAep") == ("MAep(quant=gen,overlap=off)", {})


def test_a_parameter_that_needs_another_comes_with_it() -> None:
    own = ("MAgP(score=BEP,n=1000)", "gP(score=BEP,n=1000)@5")
    assert _fit("gP@10", *own) == ("gP(score=BEP,n=1000)@10", {"score": "BEP", "n": "1000"})
    assert _fit("gP(score=F)@10", *own) == ("gP(score=F,beta=1)@10", {})


def test_parameters_of_one_name_but_other_choices_are_not_the_same() -> None:
    """The score of MAep (at article level) is not that of MAgP."""
    asked = "MAep(quant=gen5,overlap=on,level=article)"
    assert _fit(asked, "MAgP(score=BEP,n=500)") == (str(parse(asked)), {})


def test_a_name_that_gains_nothing_stays_as_it_was_given() -> None:
    [same], _ = fit_measures([parse("MAgP")], [parse("MAiP")])
    [other], _ = fit_measures([parse("MAgP")], [parse("MAgP(score=F,beta=0.25)")])
    assert (same.given, other.given) == ("MAgP", "MAgP(score=F,beta=0.25)")


@pytest.mark.parametrize(
    ("task", "overlap"), [("CO.Thorough", "off"), ("CO.Focussed", "on"), ("CO.FetchBrowse", "off")]
)
def test_tasks_of_2005(task: str, overlap: str) -> None:
    [measure], _ = fit_measures([parse("MAep")], preset("inex2005", task).measures)
    assert str(measure) == f"MAep(quant=gen,overlap={overlap})"
