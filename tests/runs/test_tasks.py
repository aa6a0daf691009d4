"""Tasks: the names INEX gave them, and what the validator's table allows in each."""

from __future__ import annotations

import pytest

from inexlab.errors import UnknownNameError
from inexlab.runs.tasks import TASKS, find_task, task_named

SPELLINGS = {
    "thorough": ("Thorough", "CO.Thorough", "COS.Thorough", "SSCAS", "SVCAS", "VSCAS", "VVCAS"),
    "focused": ("Focused", "focussed", "CO.Focussed", "COS.Focussed"),
    "fetch-browse": ("CO.FetchBrowse", "COS.FetchBrowse", "Fetch & Browse", "fetch and browse"),
    "relevant-in-context": ("RelevantInContext", "AllInContext", "relevant in context"),
    "best-in-context": ("BestInContext", "BEST-IN-CONTEXT"),
    "restricted-focused": ("RestrictedFocused", "Restricted Focussed"),
    "restricted-relevant-in-context": ("RestrictedRelevantInContext",),
}


@pytest.mark.parametrize("name", TASKS)
def test_every_spelling_means_the_task(name: str) -> None:
    for spelling in (name, *SPELLINGS[name]):
        assert find_task(spelling) is TASKS[name], spelling


@pytest.mark.parametrize("name", ["", "CO", "in-context", "Efficiency"])
def test_other_names_mean_nothing(name: str) -> None:
    assert find_task(name) is None
    with pytest.raises(UnknownNameError):
        task_named(name)


def test_the_table_of_rules() -> None:
    allowed = {name: (t.overlap, t.by_document, t.entry_points) for name, t in TASKS.items()}
    assert allowed == {
        "thorough": (True, False, False),
        "focused": (False, False, False),
        "fetch-browse": (True, True, False),
        "relevant-in-context": (False, True, False),
        "best-in-context": (True, True, True),
        "restricted-focused": (False, False, False),
        "restricted-relevant-in-context": (False, True, False),
    }
    assert TASKS["restricted-focused"].characters_per_topic == 1000
    assert TASKS["restricted-relevant-in-context"].characters_per_document == 500
