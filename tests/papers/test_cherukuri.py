"""Cherukuri (2010): runs with three strategies against overlap, and Student's t."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from tests.builders import TABLE_6

from .campaign import TOPICS, Campaign
from .conftest import read_csv
from .numbers import Floats, agp, interpolated, spans_of


@pytest.fixture(scope="module")
def folder(followed: Callable[[str], Path]) -> Path:
    return followed("cherukuri-2010")


@pytest.fixture(scope="module")
def scores(folder: Path, campaign: Campaign) -> dict[str, dict[str, Floats]]:
    """Scores topic by topic of every run, by the folder of its task."""
    found: dict[str, dict[str, Floats]] = {}
    for task in ("focused", "thorough", "in-context"):
        for file in sorted((folder / task).glob("*.xml")):
            spans = spans_of(campaign, file)
            row = []
            for topic in TOPICS:
                results = spans.get(topic, [])
                if task == "in-context":
                    row.append(agp(campaign, topic, results, 0.25))
                else:
                    curve = interpolated(campaign, topic, results)
                    row.append(float(curve[1] if task == "focused" else curve.mean()))
            found.setdefault(task, {})[file.stem] = np.array(row)
    return found


def test_table_5_has_scores_by_topic(folder: Path, scores: dict[str, dict[str, Floats]]) -> None:
    rows = {
        row["topic"]: float(row["value"])
        for row in read_csv(folder / "table5.csv")
        if row["measure"] == "iP@0.01"
    }
    expected = dict(zip(TOPICS, scores["focused"]["section"].tolist(), strict=True))
    assert {topic: rows[topic] for topic in TOPICS} == pytest.approx(expected, abs=1e-12)
    lines = [line.split() for line in (folder / "table5.txt").read_text(encoding="utf-8").splitlines()]
    by_tool = {line[1]: float(line[2]) for line in lines if line[0] == "iP[0.01]"}
    assert {topic: by_tool[topic] for topic in TOPICS} == pytest.approx(expected, abs=1e-12)


def test_table_6_gives_t(folder: Path) -> None:
    columns = np.array([line.split()[1:] for line in TABLE_6.splitlines()], dtype=float)
    t = scipy.stats.ttest_rel(columns[:, 1], columns[:, 0]).statistic
    printed = (folder / "ttest.txt").read_text(encoding="utf-8")
    assert t == pytest.approx(1.3505724178)
    assert f"{t:.4f}"[:5] in printed


@pytest.mark.parametrize(
    ("table", "task", "baselines", "dropped"),
    [
        ("table8", "focused", ("section", "child", "correlation"), {"bm25", "bm25-flat"}),
        ("table10", "in-context", ("correlation", "child"), set()),
        ("table12", "thorough", ("all-elements", "flex"), set()),
    ],
)
def test_best_runs_are_compared_by_t(
    folder: Path,
    scores: dict[str, dict[str, Floats]],
    table: str,
    task: str,
    baselines: tuple[str, ...],
    dropped: set[str],
) -> None:
    """Of participant 78's two runs the better one is kept; of 72's all that are baselines."""
    rows = read_csv(folder / f"{table}.csv")
    pairs = {(row["a"], row["b"]): row for row in rows}
    systems = {name for pair in pairs for name in pair}
    worse = {min(dropped, key=lambda name: float(scores[task][name].mean()))} if dropped else set()
    assert systems == set(scores[task]) - worse
    for (a, b), row in pairs.items():
        assert a in baselines or b in baselines
        x, y = scores[task][a], scores[task][b]
        assert float(row["mean_a"]) == pytest.approx(float(x.mean()), abs=1e-9)
        if np.ptp(x - y) < 1e-12:
            continue  # the same results: t has no value
        known = scipy.stats.ttest_rel(x, y, alternative="greater")
        assert float(row["statistic"]) == pytest.approx(float(known.statistic), rel=1e-6, abs=1e-9)
        assert (row["significant"] == "true") == (known.pvalue < 0.05)
        mirrored = float(pairs[b, a]["statistic"])
        assert mirrored == pytest.approx(-float(row["statistic"]))  # as the thesis's values are not


@pytest.mark.parametrize("file", ["appendix-a1.txt", "appendix-a1.tex"])
def test_the_appendix_prints_t_and_its_critical_value(
    folder: Path, scores: dict[str, dict[str, Floats]], file: str
) -> None:
    text = (folder / file).read_text(encoding="utf-8").replace("$-$", "−")
    critical = scipy.stats.t.ppf(0.95, len(TOPICS) - 1)
    assert f"The critical value of t is {critical:.4f} (29 degrees of freedom" in text
    against = text[text.index("against section") :]
    base = scores["focused"]["section"]
    for name in ("gpx", "lm-dirichlet", "lm-jm"):
        t = scipy.stats.ttest_rel(scores["focused"][name], base).statistic
        [line] = [line for line in against.splitlines() if line.strip().startswith(name)]
        assert f"{t:.4f}".replace("-", "−") in line


# The thesis's own numbers.

TABLE_9 = (0.6333, 0.6141, 0.6134, 0.6060, 0.5997, 0.5592, 0.5903, 0.5853, 0.5844, 0.4973)
A9 = {"P78": 0.244, "P92": 0.542, "P5": 0.668, "P10": 0.696, "P4": 0.732}
A15 = {"P78": 1.7219, "P92": 1.6918, "P5": 1.6703, "P10": 1.326, "P4": 1.101}


def test_slips_of_the_thesis() -> None:
    falling = [a >= b for a, b in itertools.pairwise(TABLE_9)]
    assert falling.count(False) == 1
    assert TABLE_9[falling.index(False)] == 0.5592
    assert all(A9[p] > 0 and A15[p] > 0 for p in A9)  # of exchanged runs one has to be negative
    n, total, squares = 68, 1.39276029, 15.6978612
    t_of_squares = total / n / np.sqrt(squares / (n - 1) / n)
    t_of_variance = total / n / np.sqrt(squares / n)
    assert (round(t_of_squares, 4), round(t_of_variance, 4)) == (0.3489, 0.0426)
    assert scipy.stats.t.ppf(0.95, 67) == pytest.approx(1.66792, abs=5e-6)
