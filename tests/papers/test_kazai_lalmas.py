"""Kazai and Lalmas (2005): all tasks from one configuration, and correlations of what varies."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from tests.oracles import xcg

from .campaign import CAS_TASKS, OTHER_TASKS, PARENTS, TOPICS, WITH_CASTITLE, Campaign, Element
from .conftest import read_csv
from .numbers import Floats, ScoreOf, gains, ideal, imaep, maep, manxcg, matrix, nxcg, q, r, values
from .test_trotman_lalmas import sets_of

QUANTS = {"gen": "gen5", "strict": "strict5", "genLifted": "genLifted"}
MEASURES = {
    **{f"MAnxCG@{k}": manxcg(k) for k in (10, 25, 50)},
    **{f"nxCG@{k}": nxcg(k) for k in (10, 25, 50)},
    **{"MAep": maep, "iMAep": imaep, "Q": q, "R": r},
}
TASKS = ("CO.Focussed", "CO.Thorough", "COS.Focussed", "COS.Thorough", *CAS_TASKS)


@pytest.fixture(scope="module")
def folder(followed: Callable[[str], Path]) -> Path:
    return followed("kazai-lalmas-2005")


def scores(campaign: Campaign, task: str, quant: str, measure: str) -> Floats:
    """Return the scores of a task's runs, topic by topic."""
    if task in CAS_TASKS:
        of = {topic: values(sets_of(campaign, topic)[task], quant) for topic in PARENTS}
        return np.array(
            [
                [
                    MEASURES[measure](gains(run[t], v), ideal(v)) if len(ideal(v)) else np.nan
                    for t, v in of.items()
                ]
                for run in campaign.runs[task].values()
            ]
        )
    topics = WITH_CASTITLE if task.startswith("COS") else TOPICS
    overlap = "on" if task.endswith("Focussed") else "off"
    return matrix(campaign, task, quant, MEASURES[measure], topics, overlap)


@pytest.fixture(scope="module")
def everything(campaign: Campaign) -> dict[tuple[str, str, str], Floats]:
    """Scores by task, measure and quantisation."""
    return {
        (task, measure, quant): scores(campaign, task, official, measure)
        for task in TASKS
        for measure in MEASURES
        for quant, official in QUANTS.items()
    }


def test_one_configuration_scores_all_tasks(
    folder: Path, campaign: Campaign, everything: dict[tuple[str, str, str], Floats]
) -> None:
    found: dict[tuple[str, str], dict[str, float]] = {}
    for row in read_csv(folder / "all-tasks.csv"):
        found.setdefault((row["task"], row["measure"]), {})[row["run"]] = float(row["value"])
    assert list(dict.fromkeys(task for task, _ in found)) == ["CO.Thorough", *OTHER_TASKS]
    for (task, measure, quant), table in everything.items():
        overlap = "on" if task.endswith("Focussed") else "off"
        stem, at, cutoff = measure.partition("@")
        name = f"{stem}(quant={quant},overlap={overlap}){at}{cutoff}"
        means = np.nanmean(table, axis=1)
        expected = dict(zip(campaign.runs[task], means.tolist(), strict=True))
        assert found[task, name] == pytest.approx(expected, abs=1e-9), (task, name)
    # the other two of the ten tasks
    checked = {task for task, _, _ in everything}
    for task in ("CO.FetchBrowse", "COS.FetchBrowse"):
        topics = WITH_CASTITLE if task.startswith("COS") else TOPICS
        runs = campaign.runs[task]
        for overlap, (quant, official), measure, level in itertools.product(
            ("on", "off"), QUANTS.items(), ("MAep", "iMAep"), ("article", "element")
        ):
            of_level = on_articles if level == "article" else in_articles
            by_topic = [
                [of_level(campaign, runs[run][t], t, official, overlap, MEASURES[measure]) for t in topics]
                for run in runs
            ]
            expected = dict(zip(runs, np.nanmean(by_topic, axis=1).tolist(), strict=True))
            name = f"{measure}(quant={quant},overlap={overlap},level={level})"
            assert found[task, name] == pytest.approx(expected, abs=1e-9), (task, name)
            assert len(set(expected.values())) > 1
        checked.add(task)
    assert checked == {"CO.Thorough", *OTHER_TASKS}
    assert len(checked) == 10


def on_articles(
    campaign: Campaign, results: Sequence[Element], topic: str, quant: str, _overlap: str, score: ScoreOf
) -> float:
    """Return the score of the ranking of articles, by the values of articles."""
    worth: dict[str, float] = {}
    for (doc, path), value in values(campaign.grades[topic], quant).items():
        if quant == "strict5" or path.count("/") == 1:
            worth[doc] = max(value, worth.get(doc, 0.0))
    best = np.array(sorted((value for value in worth.values() if value > 0), reverse=True))
    order = dict.fromkeys(doc for doc, _ in results)
    return score(np.array([worth.get(doc, 0.0) for doc in order]), best) if len(best) else np.nan


def in_articles(
    campaign: Campaign, results: Sequence[Element], topic: str, quant: str, overlap: str, score: ScoreOf
) -> float:
    """Return the mean score of the rankings inside the articles of the run."""
    key = (tuple(results), topic, quant, overlap)
    if key not in _INSIDE:
        _INSIDE[key] = inside_articles(campaign, results, topic, quant, overlap)
    clusters = _INSIDE[key]
    if clusters is None:
        return np.nan
    scores = [score(gained, best) if len(best) else 0.0 for gained, best in clusters]
    return float(np.mean(scores)) if scores else 0.0


Clusters = list[tuple[Floats, Floats]] | None  # of each article the gains and the ideal ones
_INSIDE: dict[tuple[tuple[Element, ...], str, str, str], Clusters] = {}


def inside_articles(
    campaign: Campaign, results: Sequence[Element], topic: str, quant: str, overlap: str
) -> Clusters:
    """Return the gains inside every article of the run, beside the ideal ones; None where there are none."""
    exact = {e: xcg.value_2005(quant, *grade) for e, grade in campaign.grades[topic].items()}
    sizes = {e: size for e, (_, size, _) in campaign.grades[topic].items()}
    if overlap == "on":
        base = list(xcg.ideal_recall_base(exact))
        gained = xcg.gains_focussed(results, exact, sizes, "on") if base else []
    else:
        base = [e for e, value in exact.items() if value > 0]
        gained = [exact.get(e, Fraction(0)) for e in results]
    clusters = []
    for article in dict.fromkeys(doc for doc, _ in results if base):
        inside = [float(g) for g, (doc, _) in zip(gained, results, strict=True) if doc == article]
        best = sorted((float(exact[e]) for e in base if e[0] == article), reverse=True)
        clusters.append((np.array(inside), np.array(best)))
    return clusters if base else None


def test_one_task_of_the_configuration(folder: Path) -> None:
    alone = {(r["run"], r["measure"]): r["value"] for r in read_csv(folder / "cos-thorough.csv")}
    among = {
        (r["run"], r["measure"]): r["value"]
        for r in read_csv(folder / "all-tasks.csv")
        if r["task"] == "COS.Thorough"
    }
    assert alone == among


def mean_taus(
    everything: dict[tuple[str, str, str], Floats], names: list[str], others: list[str], place: int
) -> Floats:
    """Return the mean over tasks and `others` of tau between `names`, on the topics of all conditions."""
    squares = []
    for task, other in itertools.product(TASKS, others):
        means = []
        defined = ~np.isnan([t for (of, _, _), t in everything.items() if of == task]).any(axis=(0, 1))
        for name in names:
            key = (task, name, other) if place == 1 else (task, other, name)
            means.append(everything[key][:, defined].mean(axis=1))
        squares.append([[scipy.stats.kendalltau(a, b).statistic for b in means] for a in means])
    return np.array(np.nanmean(squares, axis=0))


@pytest.mark.parametrize("table", ["measures", "quantisations"])
def test_tables_1_and_2(folder: Path, everything: dict[tuple[str, str, str], Floats], table: str) -> None:
    rows = read_csv(folder / f"correlation-{table}.csv")
    names = [row["tau"] for row in rows]
    found = [[float(row[name]) for name in names] for row in rows]
    if table == "measures":
        assert names == list(MEASURES)
        expected = mean_taus(everything, names, list(QUANTS), 1)
    else:
        assert names == ["strict", "gen", "genLifted"]
        expected = mean_taus(everything, names, list(MEASURES), 2)
    np.testing.assert_allclose(found, expected, atol=0.011)  # ties in the last digit of a mean
    assert np.abs(np.array(found) - expected).mean() < 0.002


def test_the_graphs_are_drawn(folder: Path) -> None:
    for name in ("ep-gr", "nxcg", "fetch", "browse"):
        assert (folder / f"{name}.svg").read_text(encoding="utf-8").startswith("<svg")
