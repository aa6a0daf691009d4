"""The conformance cases: outputs of the official tool, and worked cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import inexlab
from inexlab.cli import inex_eval
from tests.conformance import CASES, OFFICIAL, same

GRADED = ("inex_eval", "XCG", "Fetch & Browse")


def _official_outputs() -> list[Any]:
    entries = json.loads((OFFICIAL / "index.json").read_text())
    return [
        pytest.param(entry, id=f"{' '.join(entry['flags'])} {Path(entry['run']).stem}") for entry in entries
    ]


def _calls() -> list[Any]:
    """Return the calls of all cases that score runs, by highlighting or by grades."""
    found = []
    for file in (case / "expected.json" for case in CASES):
        for call in json.loads(file.read_text())["calls"]:
            if call["judgements"] == "qrels2009.txt" or call["name"].startswith(GRADED):
                found.append(pytest.param(file.parent, call, id=f"case {file.parent.name}, {call['name']}"))
    return found


def test_the_cases_are_all_there() -> None:
    assert len(_official_outputs()) == 30
    assert len(_calls()) == 6 * (5 + 7)


@pytest.mark.parametrize("entry", _official_outputs())
def test_official_output_byte_for_byte(
    entry: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(OFFICIAL)  # so that the output names the file as the official one does
    with pytest.raises(SystemExit) as ending:
        inex_eval.main([*entry["flags"], entry["qrels"], entry["run"]])
    assert ending.value.code == entry["exit"]
    assert capsysbinary.readouterr().out == Path(entry["expected"]).read_bytes()


@pytest.mark.parametrize(("case", "call"), _calls())
def test_worked_case(case: Path, call: dict[str, Any]) -> None:
    evaluation = inexlab.evaluate(
        case / call["judgements"],
        [case / run for run in call["runs"]],
        call["measures"],
        collection=case / call["collection"] if call.get("collection") else None,
    )
    found = {(row.run, row.topic, row.measure): row.value for row in evaluation.rows()}
    wrong = {
        (run, topic, measure): (found.get((run, topic, measure), "missing"), value)
        for run, topic, measure, value in call["records"]
        if (run, topic, measure) not in found or not same(found[run, topic, measure], value)
    }
    assert len(call["records"]) >= 100
    assert wrong == {}
