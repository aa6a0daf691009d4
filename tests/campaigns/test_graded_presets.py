"""Presets of 2002-2006: the measures that the issue of the graded measures lists, all of them, no others."""

from __future__ import annotations

import pytest

from inexlab.campaigns import campaigns, preset, tasks
from inexlab.judgements import Judgements, JudgementsBuilder
from inexlab.judgements.elements import COVERAGE, Scale
from inexlab.judgements.table import ElementGrade
from inexlab.measures import evaluate, parse
from inexlab.policy import Policy
from tests.builders import a_run

TASKS = {
    "inex2002": ["CO", "CAS"],
    "inex2003": ["CO", "SCAS", "VCAS"],
    "inex2004": ["CO", "VCAS"],
    "inex2005": [
        *("CO.Thorough", "CO.Focussed", "CO.FetchBrowse"),
        *("COS.Thorough", "COS.Focussed", "COS.FetchBrowse"),
        *("SSCAS", "SVCAS", "VSCAS", "VVCAS"),
    ],
    "inex2006": ["thorough", "focused"],
}
ALL = [(year, task) for year, names in TASKS.items() for task in names]

OF_2002 = ["precall(quant=strict2)", "precall(quant=gen2)"]
OF_2004 = ["precall(quant=strict4)", "precall(quant=gen4)", "precall(quant=sog)"]

XCG = """\
MAep(quant=Q,overlap=O) iMAep(quant=Q,overlap=O)
nxCG(quant=Q,overlap=O)@10 nxCG(quant=Q,overlap=O)@25 nxCG(quant=Q,overlap=O)@50
MAnxCG(quant=Q,overlap=O)@10 MAnxCG(quant=Q,overlap=O)@25 MAnxCG(quant=Q,overlap=O)@50
Q(quant=Q,overlap=O) R(quant=Q,overlap=O)
"""
FETCH_AND_BROWSE = """\
MAep(quant=Q,overlap=on,level=article) MAep(quant=Q,overlap=off,level=article)
MAep(quant=Q,overlap=on,level=element) MAep(quant=Q,overlap=off,level=element)
iMAep(quant=Q,overlap=on,level=article) iMAep(quant=Q,overlap=off,level=article)
iMAep(quant=Q,overlap=on,level=element) iMAep(quant=Q,overlap=off,level=element)
"""
THOROUGH_2006 = ["MAep(quant=spec6,overlap=off)", "MAep(quant=spec6(links=out),overlap=off)"]
FOCUSED_2006 = [
    "nxCG(quant=spec6,overlap=2006)@5",
    "nxCG(quant=spec6,overlap=2006)@10",
    "nxCG(quant=spec6,overlap=2006)@25",
    "nxCG(quant=spec6,overlap=2006)@50",
    "nxCG(quant=spec6(links=out),overlap=2006)@5",
    "nxCG(quant=spec6(links=out),overlap=2006)@10",
    "nxCG(quant=spec6(links=out),overlap=2006)@25",
    "nxCG(quant=spec6(links=out),overlap=2006)@50",
]


def of_2005(template: str, overlap: str = "") -> list[str]:
    written = template.replace("overlap=O", f"overlap={overlap}")
    return [
        name.replace("quant=Q", f"quant={quant}")
        for quant in ("gen5", "strict5", "genLifted")
        for name in written.split()
    ]


def measures_of(year: str, task: str) -> list[str]:
    """What the issue lists for a task."""
    if year == "inex2002":
        return OF_2002
    if year in ("inex2003", "inex2004"):
        return OF_2004
    if year == "inex2006":
        return THOROUGH_2006 if task == "thorough" else FOCUSED_2006
    if task.endswith("FetchBrowse"):
        return of_2005(FETCH_AND_BROWSE)
    return of_2005(XCG, "on" if task.endswith("Focussed") else "off")


@pytest.mark.parametrize("year", TASKS)
def test_there_is_a_preset_for_every_task_of_the_seeds(year: str) -> None:
    assert year in campaigns()
    in_context = ["relevant-in-context", "best-in-context"] if year == "inex2006" else []
    assert sorted(tasks(year)) == sorted([*TASKS[year], *in_context])


@pytest.mark.parametrize("task", ["relevant-in-context", "best-in-context"])
def test_the_tasks_in_context_of_2006_are_marked_unverified(task: str) -> None:
    """The seeds tell of the tasks, but no paper at hand defines their measures."""
    of_2006, of_2007 = preset("inex2006", task), preset("inex2007", task)
    assert all(of_2006.doubts(measure) for measure in of_2006.measures)
    assert {str(m) for m in of_2006.measures} <= {str(m) for m in of_2007.measures}


@pytest.mark.parametrize(("year", "task"), ALL)
def test_a_preset_has_exactly_the_measures_of_the_year(year: str, task: str) -> None:
    names = [str(measure) for measure in preset(year, task).measures]
    assert sorted(names) == sorted(measures_of(year, task))


def test_how_many_measures_there_are() -> None:
    counts = {task: len(preset("inex2005", task).measures) for task in TASKS["inex2005"]}
    assert counts == {task: 24 if "FetchBrowse" in task else 30 for task in TASKS["inex2005"]}


@pytest.mark.parametrize(("year", "task"), ALL)
def test_measures_are_written_in_full(year: str, task: str) -> None:
    for measure in preset(year, task).measures:
        assert measure.given == str(measure)


@pytest.mark.parametrize(
    ("year", "task", "official"),
    [
        ("inex2002", "CO", "precall(quant=strict2)"),
        ("inex2004", "VCAS", "precall(quant=strict4)"),
        ("inex2005", "COS.Thorough", "MAep(quant=gen5,overlap=off)"),
        ("inex2005", "CO.Focussed", "MAep(quant=gen5,overlap=on)"),
        ("inex2005", "VVCAS", "MAep(quant=gen5,overlap=off)"),
        ("inex2006", "thorough", "MAep(quant=spec6,overlap=off)"),
        ("inex2006", "focused", "nxCG(quant=spec6,overlap=2006)@5"),
    ],
)
def test_the_official_measure_comes_first(year: str, task: str, official: str) -> None:
    assert str(preset(year, task).measures[0]) == official


@pytest.mark.parametrize(("year", "task"), ALL)
def test_the_policy_is_our_own(year: str, task: str) -> None:
    assert preset(year, task).policy == Policy()


@pytest.mark.parametrize(
    ("year", "task", "title"),
    [
        ("inex2003", "SCAS", "INEX 2003, strict content-and-structure task"),
        ("inex2005", "CO.FetchBrowse", "INEX 2005 Ad Hoc track, content-only, Fetch & Browse task"),
        ("inex2006", "focused", "INEX 2006 Ad Hoc track, Focused task"),
    ],
)
def test_the_title_names_campaign_and_task(year: str, task: str, title: str) -> None:
    assert preset(year, task).title == title


# What is not verified.


@pytest.mark.parametrize(
    ("year", "part"),
    [("inex2002", "strict2"), ("inex2002", "gen2"), ("inex2003", "precall"), ("inex2004", "precall"),
     ("inex2006", "links=out")],
)  # fmt: skip
def test_what_is_recalled_is_said(year: str, part: str) -> None:
    for task in TASKS[year]:
        chosen = preset(year, task)
        (note,) = [note for note in chosen.notes() if note.startswith(f"{year} {task}, unverified: {part}: ")]
        assert note.endswith(chosen.unverified[part])
        doubtful = [
            measure for measure in chosen.measures if chosen.unverified[part] in chosen.doubts(measure)
        ]
        assert doubtful == [measure for measure in chosen.measures if part in str(measure)]
        assert doubtful


def test_what_the_paper_of_2005_states_is_not_doubted() -> None:
    chosen = preset("inex2005", "COS.Thorough")
    assert chosen.doubts(parse("MAep(quant=gen5,overlap=off)")) == []


@pytest.mark.parametrize(
    ("task", "measure", "doubts"),
    [
        ("CO.Thorough", "nxCG(quant=gen5,overlap=off)@10", 0),
        ("CO.Thorough", "iMAep(quant=gen5,overlap=off)", 1),
        ("CO.Thorough", "Q(quant=gen5,overlap=off)", 1),
        ("VVCAS", "Q(quant=strict5,overlap=off)", 0),
        ("VVCAS", "R(quant=genLifted,overlap=off)", 1),
        ("COS.Focussed", "nxCG(quant=gen5,overlap=on)@10", 1),
        ("COS.Focussed", "MAep(quant=strict5,overlap=on)", 2),
        ("COS.Focussed", "iMAep(quant=strict5,overlap=on)", 2),
        ("CO.Focussed", "Q(quant=genLifted,overlap=on)", 3),
        ("CO.FetchBrowse", "MAep(quant=gen5,overlap=off,level=article)", 1),
        ("CO.FetchBrowse", "iMAep(quant=gen5,overlap=on,level=element)", 3),
    ],
)
def test_what_rests_on_our_reading_is_marked(task: str, measure: str, doubts: int) -> None:
    chosen = preset("inex2005", task)
    asked = parse(measure)
    assert asked in chosen.measures
    assert len(chosen.doubts(asked)) == doubts
    assert len(chosen.notes([asked])) == doubts
    assert len(chosen.notes()) == len(chosen.unverified)


# Use.


def one_relevant_article(scale: Scale, grade: ElementGrade) -> Judgements:
    builder = JudgementsBuilder()
    for doc in ("A", "B"):
        builder.add("1", doc)
    assert builder.add_element("1", "A", grade, scale) is None
    return builder.build()


JUDGEMENTS = {
    "inex2002": one_relevant_article("2002", ElementGrade("/article[1]", 3, COVERAGE.index("E"), 0, 0)),
    "inex2003": one_relevant_article("2004", ElementGrade("/article[1]", 3, 3, 0, 0)),
    "inex2004": one_relevant_article("2004", ElementGrade("/article[1]", 3, 3, 0, 0)),
    "inex2005": one_relevant_article("2005", ElementGrade("/article[1]", 2, -1, 50, 50)),
    "inex2006": one_relevant_article("2005", ElementGrade("/article[1]", 2, -1, 50, 50)),
}


@pytest.mark.parametrize(("year", "task"), ALL)
def test_a_preset_scores_a_perfect_run_1_and_a_useless_one_0(year: str, task: str) -> None:
    chosen = preset(year, task)
    perfect, useless = (
        a_run("A/article[1]", id="perfect"),
        a_run("B/article[1]", "C/article[1]", id="useless"),
    )
    found = evaluate(JUDGEMENTS[year], [perfect, useless], chosen.measures, policy=chosen.policy)
    for scores in found.scores:
        assert scores.totals().tolist() == pytest.approx([1, 0], abs=1e-12), str(scores.measure)
