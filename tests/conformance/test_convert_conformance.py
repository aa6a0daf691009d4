"""Converted runs and judgements score like the originals, on the conformance cases beside the repository."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import inexlab
from inexlab.api.scoring import EvaluationResult
from inexlab.policy import OFFICIAL_TOOL
from tests.conformance import CASES, CONFORMANCE


def _cases(*judgements: str) -> list[Any]:
    """Return the folder of each case with its calls for some kind of judgements."""
    found = []
    for file in (case / "expected.json" for case in CASES):
        calls = [c for c in json.loads(file.read_text())["calls"] if c["judgements"] in judgements]
        found.append(pytest.param(file.parent, calls, id=f"case {file.parent.name}"))
    return found


def everything(calls: Sequence[dict[str, Any]], folder: str) -> tuple[list[str], list[str]]:
    """Return all runs of a folder that the calls name, and all measures of all calls."""
    runs = {run: None for call in calls for run in call["runs"] if run.startswith(f"{folder}/")}
    return list(runs), list({measure: None for call in calls for measure in call["measures"]})


def converted(
    case: Path, runs: Sequence[str], format: str, folder: Path, collection: Path | None = None
) -> list[Path]:
    """Write the runs in another format, under names that keep their ids."""
    (folder / format).mkdir()
    files = []
    for name in runs:
        run = inexlab.read_run(case / name)
        files.append(folder / format / f"{run.id}.jsonl")
        inexlab.write_run(run, files[-1], format, collection=collection)
    return files


def same(left: EvaluationResult, right: EvaluationResult) -> bool:
    return list(left.rows()) == list(right.rows())


def test_the_cases_are_all_there() -> None:
    assert len(_cases("qrels2009.txt")) == 6
    for case in _cases("qrels2009.txt"):
        for folder in ("runs2009", "runs2009fol"):
            runs, measures = everything(case.values[1], folder)
            assert len(runs) >= 4
            assert len(measures) >= 15


@pytest.mark.parametrize(("case", "calls"), _cases("qrels2009.txt"))
def test_elements_score_alike_by_offset_and_back_by_path(
    case: Path, calls: list[dict[str, Any]], tmp_path: Path
) -> None:
    docs, qrels = case / "docs", case / "qrels2009.txt"
    runs, measures = everything(calls, "runs2009")
    original = inexlab.evaluate(qrels, [case / run for run in runs], measures, collection=docs)
    offsets = converted(case, runs, "2009-fol", tmp_path, docs)
    assert same(inexlab.evaluate(qrels, offsets, measures), original)
    back = converted(case, [str(file) for file in offsets], "2009", tmp_path, docs)
    assert same(inexlab.evaluate(qrels, back, measures, collection=docs), original)
    for format in ("2005", "2008", "jsonl"):
        files = converted(case, runs, format, tmp_path)
        assert same(inexlab.evaluate(qrels, files, measures, collection=docs), original)


@pytest.mark.parametrize(("case", "calls"), _cases("qrels2009.txt"))
def test_offsets_score_alike_in_other_formats(
    case: Path, calls: list[dict[str, Any]], tmp_path: Path
) -> None:
    qrels = case / "qrels2009.txt"
    runs, measures = everything(calls, "runs2009fol")
    original = inexlab.evaluate(qrels, [case / run for run in runs], measures)
    for format in ("2009-fol", "2008", "jsonl"):
        files = converted(case, runs, format, tmp_path)
        assert same(inexlab.evaluate(qrels, files, measures), original)


@pytest.mark.parametrize(("case", "calls"), _cases("qrels2009.txt"))
def test_highlights_score_alike_in_other_formats(
    case: Path, calls: list[dict[str, Any]], tmp_path: Path
) -> None:
    docs, qrels = case / "docs", case / "qrels2009.txt"
    names, measures = everything(calls, "runs2009fol")
    runs = [case / name for name in names]
    original = inexlab.evaluate(qrels, runs, measures)
    judgements = inexlab.read_judgements(qrels)
    for format in ("qrels", "jsonl", "assessments-2006"):
        inexlab.write_judgements(judgements, tmp_path / format, format, collection=docs)
        assert same(inexlab.evaluate(tmp_path / format, runs, measures, collection=docs), original)
    # and back from paths: the entry point of a document is kept, its length comes from the collection
    inexlab.write_judgements(
        inexlab.read_judgements(tmp_path / "assessments-2006"), tmp_path / "back", "qrels", collection=docs
    )
    assert (tmp_path / "back").read_bytes() == (tmp_path / "qrels").read_bytes()


@pytest.mark.parametrize(("case", "calls"), _cases("assessments2004", "assessments2005"))
def test_graded_elements_score_alike_in_other_formats(
    case: Path, calls: list[dict[str, Any]], tmp_path: Path
) -> None:
    assert len(calls) >= 6
    written = {}
    for format in ("2005", "2008", "2009", "jsonl"):
        runs, _ = everything(calls, "runs2005")
        for name, file in zip(runs, converted(case, runs, format, tmp_path), strict=True):
            written[format, name] = file
    for year in ("2004", "2005"):
        judgements = inexlab.read_judgements(case / f"assessments{year}")
        inexlab.write_judgements(judgements, tmp_path / f"assessments{year}", f"assessments-{year}")
    for call in calls:
        judgements = inexlab.read_judgements(case / call["judgements"])
        original = inexlab.evaluate(judgements, [case / run for run in call["runs"]], call["measures"])
        for format in ("2005", "2008", "2009", "jsonl"):
            files = [written[format, run] for run in call["runs"]]
            again = inexlab.evaluate(tmp_path / call["judgements"], files, call["measures"])
            assert same(again, original)


@pytest.mark.parametrize("task", ["focused", "ric", "bic"])
def test_the_official_runs_score_alike_after_a_journey_through_xml(task: str, tmp_path: Path) -> None:
    qrels = CONFORMANCE / "official" / "qrels.txt"
    originals = sorted((CONFORMANCE / "official" / "runs" / task).iterdir())
    back = []
    for file in originals:
        inexlab.write_run(inexlab.read_run(file), tmp_path / f"{file.stem}.xml", "2008")
        back.append(tmp_path / f"{file.stem}.txt")
        inexlab.write_run(inexlab.read_run(tmp_path / f"{file.stem}.xml"), back[-1], "2009-fol")
    measures = ["MAiP", "iP@0.01", "MAgP(score=F,beta=1)", "MAgP(score=BEP,n=500)", "ret_size", "num_ret"]
    original = inexlab.evaluate(qrels, originals, measures, policy=OFFICIAL_TOOL)
    assert same(inexlab.evaluate(qrels, back, measures, policy=OFFICIAL_TOOL), original)
