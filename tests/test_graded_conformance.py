"""The conformance cases of the graded measures that lie beside the repository."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import inexlab

CONFORMANCE = Path(__file__).resolve().parents[2] / "shared" / "conformance"
GRADED = ("inex_eval", "XCG", "Fetch & Browse")

pytestmark = pytest.mark.skipif(
    not CONFORMANCE.is_dir(), reason=f"the conformance cases are not at {CONFORMANCE}"
)


def _calls() -> list[Any]:
    """Return the calls of all cases that are judged by grades."""
    found = []
    for file in sorted(CONFORMANCE.glob("cases/*/expected.json"), key=lambda path: int(path.parent.name)):
        for call in json.loads(file.read_text())["calls"]:
            if call["name"].startswith(GRADED):
                found.append(pytest.param(file.parent, call, id=f"case {file.parent.name}, {call['name']}"))
    return found


def _same(found: float | None, expected: float | None) -> bool:
    """Compare as the checker does: within 1e-9, absolute below 1 and relative above."""
    if found is None or expected is None:
        return found is expected
    return math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9)


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
        if (run, topic, measure) not in found or not _same(found[run, topic, measure], value)
    }
    assert len(call["records"]) >= 100
    assert wrong == {}
