"""The conformance cases of the graded measures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import inexlab
from tests.conformance import CASES, same

GRADED = ("inex_eval", "XCG", "Fetch & Browse")


def _calls() -> list[Any]:
    """Return the calls of all cases that are judged by grades."""
    found = []
    for file in (case / "expected.json" for case in CASES):
        for call in json.loads(file.read_text())["calls"]:
            if call["name"].startswith(GRADED):
                found.append(pytest.param(file.parent, call, id=f"case {file.parent.name}, {call['name']}"))
    return found


def test_the_cases_are_all_there() -> None:
    assert len(_calls()) == 6 * 7


@pytest.mark.parametrize(("case", "call"), _calls())
def test_worked_case(case: Path, call: dict[str, Any]) -> None:
    evaluation = inexlab.evaluate(
        case / call["judgements"], [case / run for run in call["runs"]], call["measures"]
    )
    found = {(row.run, row.topic, row.measure): row.value for row in evaluation.rows()}
    wrong = {
        (run, topic, measure): (found.get((run, topic, measure), "missing"), value)
        for run, topic, measure, value in call["records"]
        if (run, topic, measure) not in found or not same(found[run, topic, measure], value)
    }
    assert len(call["records"]) >= 100
    assert wrong == {}
