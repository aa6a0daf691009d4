"""The page: its data are the scores, and nothing in them can break out of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("altair", reason="the page needs the extra `figures`")
pytest.importorskip("vl_convert", reason="the page needs the extra `figures`")

from inexlab.report.content import statistics_of
from inexlab.report.figure import NEEDS, figures
from inexlab.report.page import write_page
from inexlab.report.page.data import numbers
from inexlab.statistics.agreement import agreement
from inexlab.statistics.correlation import correlations
from inexlab.statistics.procedure import Procedure

from .campaign import SYSTEMS, TITLES, TOPICS, a_report, a_task, an_evaluation


@pytest.fixture(scope="module")
def page() -> str:
    return write_page(a_report())


def json_inside(page: str, name: str) -> Any:
    """Return the JSON of one of the page's blocks, as a browser finds it: up to the first </script."""
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


@pytest.fixture(scope="module")
def task(page: str) -> dict[str, Any]:
    (only,) = json_inside(page, "data")["tasks"]
    found: dict[str, Any] = only
    return found


def test_scores_are_those_of_the_evaluation_with_every_digit(task: dict[str, Any]) -> None:
    assert (task["systems"], task["topics"]) == (list(SYSTEMS), list(TOPICS))
    for written, scores in zip(task["measures"], an_evaluation().scores, strict=True):
        assert written["name"] == str(scores.measure)
        read = np.array([[np.nan if v is None else v for v in row] for row in written["scores"]], dtype=float)
        np.testing.assert_array_equal(read, scores.values)
        assert written["means"] == scores.totals().tolist()
    assert [m["sum"] for m in task["measures"]] == [False, False, True]
    assert [m["doubtful"] for m in task["measures"]] == [False, True, False]


def test_the_comparison_is_that_of_the_content(task: dict[str, Any]) -> None:
    expected, written = a_task().comparison, task["comparison"]
    assert expected is not None
    assert written["low"] == expected.mean_low.tolist()
    assert written["high"] == expected.mean_high.tolist()
    assert written["means"] == expected.matrix.totals().tolist()
    assert [[bit == "1" for bit in row] for row in written["better"]] == expected.better.tolist()
    assert [written["letters"][s] for s in written["order"]] == expected.letters()
    for pair in expected.pairs():
        a, b = SYSTEMS.index(pair.a), SYSTEMS.index(pair.b)
        assert written["p"][a][b] == pytest.approx(pair.p_adjusted, rel=1e-3)
    assert all(written["p"][s][s] is None for s in range(len(SYSTEMS)))
    assert (written["found"], written["hypotheses"]) == (int(expected.significant.sum()), 20)


def test_conditions_are_those_of_statistics(task: dict[str, Any]) -> None:
    content, written = a_task(), task["conditions"]
    assert written["tau"] == numbers(correlations(content.matrices))
    assert written["means"] == [m.totals().tolist() for m in content.matrices]
    agreed = agreement(content.decisions)
    for name in ("share", "recall", "precision", "f1"):
        assert written["agreement"][name] == numbers(getattr(agreed, name))


def test_curves_and_profiles(task: dict[str, Any]) -> None:
    (curve,) = task["curves"]
    assert (curve["name"], curve["axis"], curve["points"]) == ("iP", "recall", [0, 0.5, 1])
    assert curve["values"] == numbers(a_task().curves[0].values)
    assert task["profile"]["columns"] == ["run", "results", "% overlapping"]


def test_rows_without_a_choice_are_those_of_the_figures(task: dict[str, Any]) -> None:
    content = a_task()
    order = [content.matrices[0].systems[s] for s in content.comparison.order()] if content.comparison else []
    expected = {
        "topics": figures["topics"].data(content.matrices[0], titles=TITLES),
        "granularity": figures["granularity"].data(content.profiles, order=order),
        "depth": figures["depth"].data(content.profiles, order=order),
        "assessors": figures["assessors"].data(content.assessors),
        "assessor-ranking": figures["assessor-ranking"].data(content.assessors),
    }
    assert {name: made["tables"] for name, made in task["figures"].items()} == {
        name: data.tables for name, data in expected.items()
    }


def test_sections_are_those_of_the_figures(page: str) -> None:
    sections = json_inside(page, "data")["sections"]
    places = [figure.on_page for figure in figures.values() if figure.on_page is not None]
    assert {section["id"] for section in sections} == {"overview", *(place.section for place in places)}
    assert [section["short"] for section in sections][:4] == ["Overview", "Ranking", "Curves", "Heat map"]


@pytest.mark.parametrize("needs", NEEDS)
def test_a_figure_without_a_section_is_shown_as_it_is(needs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a figure needs, the page has it; the chart and its rows are the figure's own."""
    kinds = {figure.needs: figure for figure in figures.values()}
    mine = replace(kinds[needs], name="mine", on_page=None, doc="Mine at a glance.\n\nAll there is.")
    monkeypatch.setitem(figures._entries, "mine", mine)
    written = json_inside(write_page(a_report()), "data")
    assert written["sections"][-1] == {
        "id": "figure-mine",
        "short": "Mine",
        "heading": "Mine at a glance",
        "how": "All there is.",
        "figure": "mine",
    }
    made = written["tasks"][0]["figures"]["mine"]
    assert any(made["tables"].values())
    assert "$schema" in made["chart"]
    assert "datasets" not in made["chart"]


def test_no_name_or_title_ends_a_script_or_becomes_markup(page: str) -> None:
    data = json_inside(page, "data")
    assert data["titles"] == TITLES
    assert data["title"] == "A & B <test>"
    assert "<title>A &amp; B &lt;test&gt;</title>" in page
    assert "alert(1)</script" not in page
    assert "<b>run" not in page


def test_the_page_refers_to_nothing_outside(page: str) -> None:
    own = page.replace(page[page.index('<script type="module">') : page.rindex('<script type="module">')], "")
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!#|\$\{|`#)[^"']""", own)
    assert "@import" not in own
    assert "url(" not in own
    assert "default-src 'none'" in page


def test_the_library_is_there_once(page: str) -> None:
    assert page.count("window.vegaEmbed=") == 1
    assert page.count("<script") == page.count("</script")


def test_charts_have_no_rows_of_their_own(page: str) -> None:
    charts = json_inside(page, "charts")
    assert {"curves over recall", "curves over rank", "agreement", "topics"} <= set(charts)
    assert "datasets" not in json.dumps(charts)
    assert '"{x}"' in json.dumps(charts["agreement"])


def test_files_and_versions_are_at_the_foot(page: str) -> None:
    data = json_inside(page, "data")
    assert data["files"] == [["judgements", "q.qrels", "ab" * 32]]
    assert data["versions"] == {"inexlab": "0"}
    assert data["testing"] == {
        "test": "Student's paired t-test",
        "samples": False,
        "correction": "Benjamini–Yekutieli correction",
        "alpha": 0.05,
        "resamples": 10_000,
        "seed": 2006,
    }


def test_one_system_makes_a_page_too() -> None:
    scores = tuple(replace(s, systems=s.systems[:1], values=s.values[:1]) for s in an_evaluation().scores)
    evaluation = replace(an_evaluation(), scores=scores)
    matrices, comparison, decisions = statistics_of(evaluation, Procedure())
    task = replace(
        a_task(),
        evaluation=evaluation,
        matrices=matrices,
        comparison=comparison,
        decisions=decisions,
        curves=(),
    )
    (written,) = json_inside(write_page(replace(a_report(), tasks=[task])), "data")["tasks"]
    assert written["comparison"] is None
    assert written["conditions"] is None


def test_numbers_keep_every_digit_and_say_nothing_where_undefined() -> None:
    assert numbers(np.array([[1.0, np.nan], [1 / 3, np.inf]])) == [[1, None], [1 / 3, None]]
