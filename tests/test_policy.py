"""The open questions and their named answers."""

from __future__ import annotations

import dataclasses

import pytest

from inexlab.errors import UnknownNameError, UsageError
from inexlab.policy import OFFICIAL_TOOL, Policy


def test_the_default_policy_is_the_readings() -> None:
    """The defaults: exact recall, unseen text only, spans as stated, 1,500 results."""
    assert Policy() == Policy(
        limit=1500,
        seen_text="skip",
        denominator="unseen",
        recall_levels="exact",
        relevant_size="highlights",
        empty_topics="undefined",
        beyond="rank",
        unlocatable=0,
        outside="stated",
    )
    assert Policy().differences() == []


def test_the_official_tool_says_where_it_differs() -> None:
    assert OFFICIAL_TOOL.differences() == [
        "limit=0",
        "seen_text=again",
        "recall_levels=floor",
        "relevant_size=stated",
        "empty_topics=zero",
        "beyond=last",
        "unlocatable=18",
    ]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ([], Policy()),
        (["beyond=last"], Policy(beyond="last")),
        (["limit=0", "unlocatable=18"], Policy(limit=0, unlocatable=18)),
        (["limit=5", "limit=7"], Policy(limit=7)),
    ],
)
def test_settings_change_the_policy(settings: list[str], expected: Policy) -> None:
    assert Policy().with_settings(settings) == expected


def test_settings_start_from_the_policy_they_are_given_to() -> None:
    assert OFFICIAL_TOOL.with_settings(["beyond=rank"]) == dataclasses.replace(OFFICIAL_TOOL, beyond="rank")


def test_differences_are_settings_that_lead_back_to_the_policy() -> None:
    assert Policy().with_settings(OFFICIAL_TOOL.differences()) == OFFICIAL_TOOL


@pytest.mark.parametrize("name", list(Policy.choices()))
def test_every_choice_says_what_it_decides_and_what_its_values_mean(name: str) -> None:
    choice = Policy.choices()[name]
    assert choice.metadata["meaning"]
    assert all(choice.metadata["values"].values())
    for value in choice.metadata["values"]:
        assert getattr(Policy().with_settings([f"{name}={value}"]), name) == value


@pytest.mark.parametrize(
    "setting",
    [
        "beyond",
        "limit",
        "limit=",
        "limit=many",
        "limit=-1",
        "limit=1.5",
        "limit=²",
        "limit=٣",
        f"limit={'9' * 5000}",
    ],
)
def test_a_setting_without_a_fitting_value_says_what_to_write(setting: str) -> None:
    name = setting.partition("=")[0]
    with pytest.raises(UsageError, match=f"write {name}= and (rank or last|a whole number)"):
        Policy().with_settings([setting])


def test_an_unknown_choice_or_value_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="unknown policy 'beyon'; did you mean 'beyond'"):
        Policy().with_settings(["beyon=last"])
    with pytest.raises(UnknownNameError, match="unknown value for policy beyond 'lst'; did you mean 'last'"):
        Policy().with_settings(["beyond=lst"])


def test_values_are_checked_however_a_policy_is_made() -> None:
    with pytest.raises(UnknownNameError, match="policy outside"):
        Policy(outside="wherever")
    with pytest.raises(UsageError, match="policy limit is -1"):
        Policy(limit=-1)
