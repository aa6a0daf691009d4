"""Ogilvie and Lalmas (2006): quantisations, error rates of tests, agreement."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from .campaign import TOPICS, Campaign
from .conftest import read_csv, run_command
from .numbers import Floats, benjamini_yekutieli, defined, maep, matrix, nxcg, precall, values

OF_2004 = ("strict4", "gen4", "sog", "anyrel")
OF_2005 = ("strict5", "fullySpec", "gen5", "genLifted", "binExh")


@pytest.fixture(scope="module")
def folder(followed: Callable[[str], Path]) -> Path:
    return followed("ogilvie-lalmas-2006")


@pytest.mark.parametrize("quant", [*OF_2004, *OF_2005])
def test_quantisations_are_those_of_tables_1_and_2(folder: Path, campaign: Campaign, quant: str) -> None:
    written = {
        (r["topic"], r["doc"], r["path"]): float(r["value"]) for r in read_csv(folder / f"quant-{quant}.csv")
    }
    expected = {
        (topic, *element): value
        for topic in TOPICS
        for element, value in values(campaign.grades[topic], quant).items()
        if value
    }
    assert written == pytest.approx(expected)
    assert len(expected) > 100


def better_by_t(scores: Floats) -> Floats:
    """Return p of every row being better than every column."""
    apart = scores[:, None] - scores[None, :]
    deviation = apart.std(axis=2, ddof=1)
    alike = deviation < 1e-12
    t = apart.mean(axis=2) / (np.where(alike, 1, deviation) / np.sqrt(apart.shape[2]))
    p: Floats = np.where(alike, 1, scipy.stats.t.sf(t, apart.shape[2] - 1))
    return p


def rejected(scores: Floats, test: str) -> set[tuple[int, int]]:
    """Return the ordered pairs that a test finds, after the correction of Benjamini and Yekutieli."""
    pairs = list(itertools.permutations(range(len(scores)), 2))
    if test == "t":
        known = better_by_t(scores)
        p = [known[pair] for pair in pairs]
    else:
        drawn = np.random.default_rng(1).integers(0, scores.shape[1], (10_000, scores.shape[1]))
        means = scores[:, drawn].mean(axis=2)
        p = [(means[a] - means[b] <= 1e-12).mean() for a, b in pairs]
    return {pair for pair, found in zip(pairs, benjamini_yekutieli(np.array(p)), strict=True) if found}


def agreement(first: set[tuple[int, int]], second: set[tuple[int, int]]) -> tuple[float, float, float]:
    both = len(first & second)
    recall, precision = both / len(second), both / len(first)
    return recall, precision, 2 * recall * precision / (recall + precision)


@pytest.mark.parametrize("test", ["t", "bootstrap"])
@pytest.mark.parametrize("table", ["3", "4"])
def test_agreement_of_quantisations(folder: Path, campaign: Campaign, table: str, test: str) -> None:
    """By t to every digit; by bootstrap, with other resamples, as far as these go."""
    quants = OF_2004 if table == "3" else OF_2005
    measures = {"": precall} if table == "3" else {"nxCG@25": nxcg(25), "MAep": maep}
    found = {
        (name, quant): rejected(defined(matrix(campaign, "CO.Thorough", quant, measure, TOPICS)), test)
        for name, measure in measures.items()
        for quant in quants
    }
    name = f"table{table}.csv"
    if test == "t":
        varied = f"--vary quant={','.join(quants)} --topics-of own --test t -o csv".split()
        of = ["assessments-2004", "runs/CO.Thorough", "-m", "precall"]
        if table == "4":
            of = ["official/CO+S", "runs/CO.Thorough", "--vary", "measure=nxCG@25,MAep", "--each", "measure"]
        name = f"table{table}-t.csv"
        with contextlib.chdir(folder):
            run_command(["inexlab", "agreement", *of, *varied, ">", name])
    rows = read_csv(folder / name)
    assert len(rows) == len(measures) * len(quants) * (len(quants) - 1)
    pairs = 24 * 23 / 2
    near = 1e-9 if test == "t" else 0.06
    for row in rows:
        group = row.get("group", "")
        first, second = found[group, row["row"]], found[group, row["column"]]
        assert float(row["found"]) == pytest.approx(100 * len(first) / pairs, abs=100 * near)
        shown = [float(row[column]) for column in ("recall", "precision", "F1")]
        assert shown == pytest.approx(agreement(first, second), abs=near)
    assert len({round(float(row["F1"]), 3) for row in rows}) > 3


def test_error_rates(folder: Path, campaign: Campaign) -> None:
    """50 other splits of the topics give about the same rates by t."""
    scores = matrix(campaign, "CO.Thorough", "gen5", maep, TOPICS)
    chance = np.random.default_rng(3)
    rejections = errors = 0
    for _ in range(50):
        order = chance.permutation(scores.shape[1])
        first, second = scores[:, order[:15]], scores[:, order[15:]]
        better = better_by_t(first) < 0.05
        apart = second.mean(axis=1)[:, None] - second.mean(axis=1)[None, :]
        rejections += int(better.sum())
        errors += int((better & (apart <= 0)).sum())
    rows = {(r["test"], r["correction"]): r for r in read_csv(folder / "error-rates-gen5.csv")}
    assert set(rows) == set(itertools.product(["bootstrap", "t", "wilcoxon", "sign"], ["none", "by"]))
    t = rows["t", "none"]
    assert int(t["rejections"]) == pytest.approx(rejections, rel=0.04)
    assert float(t["error_rate"]) == pytest.approx(errors / rejections, abs=0.006)
    for row in rows.values():
        assert float(row["error_rate"]) == pytest.approx(int(row["errors"]) / int(row["rejections"]))
    assert int(rows["t", "by"]["rejections"]) < int(t["rejections"])
    assert len(read_csv(folder / "error-rates-strict5.csv")) == 8


def test_figure_1_shows_the_pairs(folder: Path, campaign: Campaign) -> None:
    """Differences on both axes are those of the means; each is a hit, a miss or a false alarm."""
    for name in ("figure1ab.svg", "figure1cd.svg"):
        assert (folder / name).read_text(encoding="utf-8").startswith("<svg")
    systems = list(campaign.runs["CO.Thorough"])
    means = {
        quant: matrix(campaign, "CO.Thorough", quant, maep, TOPICS).mean(axis=1)
        for quant in ("gen5", "genLifted")
    }
    rows = read_csv(folder / "figure1ab.csv")
    assert {row["found"] for row in rows} <= {"hit", "miss", "false alarm"}
    for row in rows[:200]:
        a, b = systems.index(row["a"]), systems.index(row["b"])
        x, y = (float(means[row[which]][a] - means[row[which]][b]) for which in ("predictor", "truth"))
        assert [float(row["by_predictor"]), float(row["by_truth"])] == pytest.approx([x, y], abs=1e-12)


def test_rank_correlation_of_two_groups(folder: Path) -> None:
    """The paper's rho .5 and tau .026 hold for 20 systems in each group; for 10 they are .5038 and .0526."""
    for m, rho, tau in ((20, 0.5009, 0.0256), (10, 0.5038, 0.0526)):
        first = [*range(m), *range(m, 2 * m)]
        second = [*range(m)][::-1] + [*range(m, 2 * m)][::-1]
        assert scipy.stats.spearmanr(first, second).statistic == pytest.approx(rho, abs=5e-5)
        assert scipy.stats.kendalltau(first, second).statistic == pytest.approx(tau, abs=5e-5)
    [row, _] = read_csv(folder / "rho.csv")
    assert float(row["second"]) == pytest.approx(0.5009, abs=5e-5)
    [row, _] = read_csv(folder / "tau.csv")
    assert float(row["second"]) == pytest.approx(0.0256, abs=5e-5)
