"""Trotman and Lalmas (2005): four interpretations of one set of assessments."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from .campaign import CAS_TASKS, PARENTS, Campaign, Element, Grade
from .conftest import read_csv
from .numbers import CAS_TAGS, Floats, gains, ideal, maep, values


@pytest.fixture(scope="module")
def folder(followed: Callable[[str], Path]) -> Path:
    return followed("trotman-lalmas-2005")


def tag(element: Element) -> str:
    return re.sub(r"\[\d+\]", "", element[1]).rpartition("/")[2]


def satisfies(element: Element, castitle: str) -> bool:
    """Whether an element is what a castitle of the campaign asks for."""
    target = re.sub(r"\[.*?\)\]", "", castitle)
    if target == "//bdy//*":
        return "/bdy[1]/" in element[1]
    wanted = target.rpartition("//")[2]
    return tag(element) in (CAS_TAGS if wanted == "sec" else (wanted,))


_KNOWN: dict[str, dict[str, dict[Element, Grade]]] = {}  # of the one campaign there is


def sets_of(campaign: Campaign, topic: str) -> dict[str, dict[Element, Grade]]:
    """Return the four sets of a topic."""
    if topic not in _KNOWN:
        _KNOWN[topic] = _sets_of(campaign, topic)
    return _KNOWN[topic]


def _sets_of(campaign: Campaign, topic: str) -> dict[str, dict[Element, Grade]]:
    whole = campaign.grades[topic]
    kept = {doc for doc, _ in whole}
    for child in campaign.children[topic]:
        kept &= {e[0] for e in campaign.grades[child] if satisfies(e, campaign.castitles[child])}

    def filtered(target: str, support: str) -> dict[Element, Grade]:
        return {
            e: grade
            for e, grade in whole.items()
            if (support == "V" or e[0] in kept) and (target == "V" or satisfies(e, campaign.castitles[topic]))
        }

    return {task: filtered(task[0], task[1]) for task in CAS_TASKS}


def scores(campaign: Campaign, task: str, runs: list[str]) -> Floats:
    """Return the means by MAep of all these runs against a set, on topics defined in all four."""
    of = {topic: sets_of(campaign, topic) for topic in PARENTS}
    common = [t for t in PARENTS if all(len(ideal(values(s, "gen5"))) for s in of[t].values())]
    assert len(common) == 7  # without 246, of which no document satisfies all clauses
    ranked = {id: run for of_task in campaign.runs.values() for id, run in of_task.items()}
    rows = []
    for run in runs:
        value = {t: values(of[t][task], "gen5") for t in common}
        rows.append([maep(gains(ranked[run][t], value[t]), ideal(value[t])) for t in common])
    means: Floats = np.array(rows).mean(axis=1)
    return means


def all_runs(campaign: Campaign) -> list[str]:
    return [run for task in CAS_TASKS for run in campaign.runs[task]]


def test_table_1_counts_clauses(folder: Path) -> None:
    rows = read_csv(folder / "clauses.csv")
    counts = {row["topics in"]: [int(row[c]) for c in row if "clause" in c] for row in rows}
    assert counts == {
        "topics-2003": [1, 1, 0, 0],
        "topics-2004": [0, 1, 1, 0],
        "topics/cas": [2, 6, 0, 0],
        "total": [3, 8, 1, 0],
    }


def test_table_2_names_children(folder: Path, campaign: Campaign) -> None:
    found: dict[str, list[str]] = {parent: [] for parent in PARENTS}
    for row in read_csv(folder / "families.csv"):
        if row["child of"]:
            found[row["child of"]].append(row["topic"])
    assert found == campaign.children


def test_table_3_chooses_an_assessor_by_pool(folder: Path, campaign: Campaign) -> None:
    first, second = (
        {(r["doc"], r["path"]): float(r["value"]) for r in read_csv(folder / f"set-{which}-241.csv")}
        for which in "ab"
    )
    expected = {e: v for e, v in values(campaign.grades["241"], "gen5").items() if v}
    assert first == pytest.approx(expected)
    assert second.keys() < first.keys()


@pytest.mark.parametrize(("table", "quant"), [("table4.csv", "gen5"), ("table5.csv", "strict5")])
def test_tables_4_and_5_count_relevant_elements(
    folder: Path, campaign: Campaign, table: str, quant: str
) -> None:
    expected = {
        topic: {task: len(ideal(values(grades, quant))) for task, grades in sets_of(campaign, topic).items()}
        for topic in PARENTS
    }
    found = {row["topic"]: {task: int(row[task]) for task in CAS_TASKS} for row in read_csv(folder / table)}
    assert found == expected
    if quant == "gen5":
        assert found["246"]["VSCAS"] == 0 < found["246"]["SVCAS"]


def test_table_6_correlates_the_sets(folder: Path, campaign: Campaign) -> None:
    expected = np.corrcoef([scores(campaign, task, all_runs(campaign)) for task in CAS_TASKS])
    rows = read_csv(folder / "table6.csv")
    assert [row["pearson"] for row in rows] == list(CAS_TASKS)
    found = [[float(row[task]) for task in CAS_TASKS] for row in rows]
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_figures_1_to_3_are_drawn(folder: Path) -> None:
    for number, names in ((1, ("VVCAS", "VSCAS")), (2, ("SVCAS", "SSCAS")), (3, ("VVCAS", "SSCAS"))):
        text = (folder / f"figure{number}.svg").read_text(encoding="utf-8")
        assert all(f"MAep(quant=gen5), {name}" in text for name in names)


def test_table_7_has_each_task_with_its_own_runs(folder: Path, campaign: Campaign) -> None:
    for row in read_csv(folder / "table7.csv"):
        own = list(campaign.runs[row["condition"]])
        best = np.sort(scores(campaign, row["condition"], own))[::-1][:5]
        expected = [best.mean(), best.std(ddof=1), best[0], best[-1]]
        assert int(row["systems"]) == 5
        found = [float(row[column]) for column in ("mean", "deviation", "best", "worst")]
        assert found == pytest.approx(expected, abs=1e-9)


def test_all_runs_are_scored_against_one_set(folder: Path, campaign: Campaign) -> None:
    """Over all topics with something relevant in this set, whatever the others have."""
    of = {t: values(sets_of(campaign, t)["VSCAS"], "gen5") for t in PARENTS}
    rows = {row["run"]: row for row in read_csv(folder / "all-runs-vscas.csv")}
    assert set(rows) == set(all_runs(campaign))
    for task in CAS_TASKS:
        for id, run in campaign.runs[task].items():
            mean = np.mean([maep(gains(run[t], v), ideal(v)) for t, v in of.items() if len(ideal(v))])
            assert rows[id]["submitted to"] == task
            assert float(rows[id]["value"]) == pytest.approx(float(mean), abs=1e-9)
