"""Lalmas and Tombros (2007): topics, and the official scores of each year."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from .campaign import TOPICS, Campaign
from .conftest import read_csv
from .numbers import ScoreOf, agp, maep, matrix, nxcg, precall, spans_of


@pytest.fixture(scope="module")
def folder(followed: Callable[[str], Path]) -> Path:
    return followed("lalmas-tombros-2007")


def test_table_1_counts_stages(folder: Path) -> None:
    [row] = read_csv(folder / "table1.csv")
    assert [row[stage] for stage in ("candidate", "selected", "assessed")] == ["40", "30", "30"]


def test_the_total_of_assessed_topics_is_353() -> None:
    """The paper prints 350."""
    assert sum((54, 62, 60, 63, 114)) == 353
    assert (sum((143, 120, 191, 139, 203)), sum((60, 66, 71, 87, 125))) == (796, 409)


@pytest.mark.parametrize(
    ("file", "task", "shown", "quant", "measure", "overlap"),
    [
        ("2002", "CO.Thorough", "precall(quant=strict2)", "strict2", precall, "off"),
        ("2002", "CO.Thorough", "precall(quant=gen2)", "gen2", precall, "off"),
        ("2003", "CO.Thorough", "precall(quant=strict4)", "strict4", precall, "off"),
        ("2004", "CO.Thorough", "precall(quant=sog)", "sog", precall, "off"),
        ("2005-thorough", "CO.Thorough", "MAep(quant=gen5,overlap=off)", "gen5", maep, "off"),
        ("2005-focussed", "CO.Focussed", "nxCG(quant=genLifted,overlap=on)@10", "genLifted", nxcg(10), "on"),
        ("2006-thorough", "CO.Thorough", "MAep(quant=spec6,overlap=off)", "spec6", maep, "off"),
        ("2006-focused", "CO.Focussed", "nxCG(quant=spec6,overlap=2006)@25", "spec6", nxcg(25), "2006"),
    ],
)
def test_official_scores_of_a_year(
    folder: Path,
    campaign: Campaign,
    file: str,
    task: str,
    shown: str,
    quant: str,
    measure: ScoreOf,
    overlap: str,
) -> None:
    """The scores of 2006 are from highlights and the documents, computed here from element sizes."""
    found = {
        row["run"]: float(row["value"])
        for row in read_csv(folder / f"scores-{file}.csv")
        if row["measure"] == shown
    }
    means = np.nanmean(matrix(campaign, task, quant, measure, TOPICS, overlap), axis=1)
    assert found == pytest.approx(dict(zip(campaign.runs[task], means.tolist(), strict=True)), abs=1e-9)


def test_relevant_in_context_of_2006(folder: Path, campaign: Campaign) -> None:
    found = {
        row["run"]: float(row["value"])
        for row in read_csv(folder / "scores-2006-ric.csv")
        if row["measure"] == "MAgP(score=F,beta=1)"
    }
    for run in campaign.runs["CO.FetchBrowse"]:
        spans = spans_of(campaign, folder / f"runs/CO.FetchBrowse/{run}.xml")
        expected = np.mean([agp(campaign, topic, spans[topic], 1.0) for topic in TOPICS])
        assert found[run] == pytest.approx(float(expected), abs=1e-9)


def test_another_ideal_recall_base_changes_little(folder: Path) -> None:
    [row, _] = read_csv(folder / "ideal.csv")
    assert float(row["best-first"]) > 0.5
