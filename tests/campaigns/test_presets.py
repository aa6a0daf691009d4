"""Presets: the measures and policies of each year, and what is said to be unverified about them."""

from __future__ import annotations

import pytest

from inexlab.campaigns import campaigns, preset, tasks
from inexlab.errors import UnknownNameError
from inexlab.measures import evaluate, parse
from inexlab.policy import OFFICIAL_TOOL, Policy
from tests.builders import a_run, judged

# The years of highlighted text, which all had the same tasks.
YEARS = ("inex2007", "inex2008", "inex2009", "inex2010")
TASKS = ("thorough", "focused", "relevant-in-context", "best-in-context")
ALL = [(year, task) for year in YEARS for task in TASKS]

# The years of graded elements, whose tasks changed from year to year.
GRADED_YEARS = {
    "inex2002": ("CO", "CAS"),
    "inex2003": ("CO", "SCAS", "VCAS"),
    "inex2004": ("CO", "VCAS"),
    "inex2005": (
        *("CO.Thorough", "CO.Focussed", "CO.FetchBrowse"),
        *("COS.Thorough", "COS.Focussed", "COS.FetchBrowse"),
        *("SSCAS", "SVCAS", "VSCAS", "VVCAS"),
    ),
    "inex2006": ("thorough", "focused", "relevant-in-context", "best-in-context"),
}
ALL_GRADED = [(year, task) for year, tasks_of_year in GRADED_YEARS.items() for task in tasks_of_year]
EVERY_ONE = [*ALL_GRADED, *ALL]

OFFICIAL = {
    ("inex2007", "thorough"): "MAiP",
    ("inex2007", "focused"): "iP@0.01",
    ("inex2007", "relevant-in-context"): "MAgP(score=F,beta=1)",
    ("inex2007", "best-in-context"): "MAgP(score=BEP,n=1000)",
    ("inex2008", "thorough"): "MAiP",
    ("inex2008", "focused"): "iP@0.01",
    ("inex2008", "relevant-in-context"): "MAgP(score=F,beta=1)",
    ("inex2008", "best-in-context"): "MAgP(score=BEP,n=500)",
    ("inex2009", "thorough"): "MAiP",
    ("inex2009", "focused"): "iP@0.01",
    ("inex2009", "relevant-in-context"): "MAgP(score=F,beta=0.25)",
    ("inex2009", "best-in-context"): "MAgP(score=BEP,n=500)",
    ("inex2010", "thorough"): "MAiP",
    ("inex2010", "focused"): "SpanP",
    ("inex2010", "relevant-in-context"): "MAgP(score=T2I,tolerance=300)",
    ("inex2010", "best-in-context"): "MAgP(score=BEP,n=500)",
}
COUNTS = ["num_ret", "num_rel", "num_rel_ret", "ret_size", "rel_size", "rel_ret_size"]


def test_there_is_a_preset_for_every_task_of_every_year() -> None:
    assert tuple(campaigns()) == (*GRADED_YEARS, *YEARS)
    for year in campaigns():
        assert tuple(tasks(year)) == GRADED_YEARS.get(year, TASKS)


@pytest.mark.parametrize(("year", "task"), ALL)
def test_the_official_measure_comes_first(year: str, task: str) -> None:
    assert str(preset(year, task).measures[0]) == OFFICIAL[year, task]


@pytest.mark.parametrize(("year", "task"), EVERY_ONE)
def test_measures_are_written_in_full_and_each_once(year: str, task: str) -> None:
    measures = preset(year, task).measures
    assert [measure.given for measure in measures] == [str(measure) for measure in measures]
    assert len(set(measures)) == len(measures)


@pytest.mark.parametrize(("year", "task"), ALL)
def test_the_six_counts_come_last(year: str, task: str) -> None:
    assert [str(measure) for measure in preset(year, task).measures[-6:]] == COUNTS


@pytest.mark.parametrize("year", YEARS)
@pytest.mark.parametrize("task", ["thorough", "focused"])
def test_tasks_on_a_list_of_results_have_the_points_the_official_tool_prints(year: str, task: str) -> None:
    names = [str(measure) for measure in preset(year, task).measures]
    assert {"iP@0", "iP@0.01", "iP@0.05", "iP@0.1", "MAiP"} <= set(names)


@pytest.mark.parametrize("year", YEARS)
@pytest.mark.parametrize("task", ["relevant-in-context", "best-in-context"])
def test_tasks_in_context_have_the_ranks_the_official_tool_prints(year: str, task: str) -> None:
    names = [str(measure) for measure in preset(year, task).measures]
    parameters = OFFICIAL[year, task].removeprefix("MAgP")
    ranks = (1, 2, 3, 5, 10, 25, 50)
    assert {f"gP{parameters}@{k}" for k in ranks} | {f"gR@{k}" for k in ranks} <= set(names)


@pytest.mark.parametrize("task", TASKS)
def test_2007_is_read_by_the_default_policy(task: str) -> None:
    assert preset("inex2007", task).policy == Policy()


@pytest.mark.parametrize("year", YEARS[1:])
@pytest.mark.parametrize("task", TASKS)
def test_later_years_read_as_the_official_tool_but_cut_at_1500_and_skip_seen_text(
    year: str, task: str
) -> None:
    assert preset(year, task).policy == OFFICIAL_TOOL.with_settings(["limit=1500", "seen_text=skip"])


def test_the_title_names_campaign_and_task() -> None:
    assert preset("inex2009", "focused").title == "INEX 2009 Ad Hoc track, Focused task"


# What is not verified.

RECALLED = {
    ("inex2007", "thorough"): {"policy", "MAiP"},
    ("inex2007", "focused"): {"policy"},
    ("inex2007", "relevant-in-context"): {"policy", "beta=1"},
    ("inex2007", "best-in-context"): {"policy", "n=1000"},
    ("inex2008", "thorough"): {"MAiP"},
    ("inex2008", "focused"): set(),
    ("inex2008", "relevant-in-context"): {"beta=1"},
    ("inex2008", "best-in-context"): {"n=500"},
    ("inex2009", "thorough"): set(),
    ("inex2009", "focused"): set(),
    ("inex2009", "relevant-in-context"): {"beta=0.25"},
    ("inex2009", "best-in-context"): {"n=500"},
    ("inex2010", "thorough"): {"MAiP"},
    ("inex2010", "focused"): {"SpanP"},
    ("inex2010", "relevant-in-context"): {"score=T2I", "beta=0.25"},
    ("inex2010", "best-in-context"): {"n=500"},
}


@pytest.mark.parametrize(("year", "task"), ALL)
def test_what_no_paper_confirms_is_listed_and_said(year: str, task: str) -> None:
    chosen = preset(year, task)
    assert set(chosen.unverified) == RECALLED[year, task] | {"topics averaged over"}
    notes = chosen.notes()
    assert len(notes) == len(chosen.unverified)
    for part, note in zip(chosen.unverified, notes, strict=True):
        assert note.startswith(f"{year} {task}, unverified: {part}: ")


@pytest.mark.parametrize(("year", "task"), ALL)
def test_every_doubt_about_a_parameter_is_about_some_measure_of_the_preset(year: str, task: str) -> None:
    chosen = preset(year, task)
    for part in RECALLED[year, task] - {"policy"}:
        assert any(part in str(measure) for measure in chosen.measures), part


def test_a_doubt_is_raised_by_the_measures_it_is_about_and_by_no_others() -> None:
    chosen = preset("inex2010", "relevant-in-context")
    assert len(chosen.doubts(parse("MAgP(score=T2I,tolerance=300)"))) == 1
    assert len(chosen.doubts(parse("MAgP(score=F,beta=0.25)"))) == 1
    assert chosen.doubts(parse("gR@10")) == []
    assert chosen.doubts(parse("num_ret")) == []


# Mistakes, and use.


def test_an_unknown_campaign_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="unknown campaign 'inex2019'; did you mean 'inex2010'"):
        preset("inex2019", "focused")


def test_an_unknown_task_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="unknown task of inex2009 'focussed'; did you mean 'focused'"):
        preset("inex2009", "focussed")


@pytest.mark.parametrize(("year", "task"), ALL)
def test_a_preset_scores_a_perfect_run_1_by_its_official_measure(year: str, task: str) -> None:
    chosen = preset(year, task)
    judgements = judged("A 0:60 bep=0", "B 50:40 bep=50")
    found = a_run("A[0,60)", "B[50,90)")
    evaluation = evaluate(judgements, [found], chosen.measures, policy=chosen.policy)
    assert len(evaluation.scores) == len(chosen.measures)
    assert evaluation.scores[0].totals()[0] == pytest.approx(1, abs=1e-12)


# The years of graded elements.

METRICS_2005 = {
    "nxCG@10",
    "nxCG@25",
    "nxCG@50",
    "MAnxCG@10",
    "MAnxCG@25",
    "MAnxCG@50",
    "MAep",
    "iMAep",
    "Q",
    "R",
}


def _bare(name: str) -> str:
    """A measure's name without its parameters, `nxCG(quant=gen5,overlap=off)@10` as `nxCG@10`."""
    return name.partition("(")[0] + name.rpartition(")")[2]


@pytest.mark.parametrize("task", GRADED_YEARS["inex2005"])
def test_2005_measures_what_the_configurations_of_the_official_tool_list(task: str) -> None:
    """The metrics, overlap and quantisations of every task of EvalJ."""
    measures = preset("inex2005", task).measures
    overlaps = {measure.parameters["overlap"] for measure in measures}
    fetch = task.endswith("FetchBrowse")
    assert overlaps == ({"on", "off"} if fetch else {"on"} if task.endswith("Focussed") else {"off"})
    assert {str(measure.parameters["quant"]) for measure in measures} == {"gen5", "strict5", "genLifted"}
    assert {_bare(str(measure)) for measure in measures} == ({"MAep", "iMAep"} if fetch else METRICS_2005)
    levels = {measure.parameters["level"] for measure in measures if "level" in measure.parameters}
    assert levels == ({"article", "element"} if fetch else {"run"})
    many = len(overlaps) * 3 * (4 if fetch else len(METRICS_2005))
    assert len(measures) == many


@pytest.mark.parametrize(("year", "task"), ALL_GRADED)
def test_graded_years_quantise_on_the_scale_of_their_year(year: str, task: str) -> None:
    scale = {"inex2002": "2002", "inex2003": "2004", "inex2004": "2004"}.get(year, "2005")
    for measure in preset(year, task).measures:
        assert measure.for_scale(scale) == measure


@pytest.mark.parametrize(("year", "task"), ALL_GRADED)
def test_graded_years_are_read_by_the_default_policy(year: str, task: str) -> None:
    assert preset(year, task).policy == Policy()


@pytest.mark.parametrize(("year", "task"), ALL_GRADED)
def test_every_doubt_about_a_graded_year_is_about_some_measure_and_said(year: str, task: str) -> None:
    chosen = preset(year, task)
    assert chosen.unverified
    for part, note in zip(chosen.unverified, chosen.notes(), strict=True):
        assert any(part in str(measure) for measure in chosen.measures), part
        assert note.startswith(f"{year} {task}, unverified: {part}: ")
