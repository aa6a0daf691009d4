"""Presets: the official measures, parameters and policy of a campaign's task, read from a data file.

Each `inexYEAR.toml` in this folder says what its year did. Values that no paper at hand confirms, or that
rest on one of several readings of a paper, are listed there under `unverified`, and whatever prints numbers
says so.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from inexlab.errors import UnknownNameError
from inexlab.measures import Measure, parse
from inexlab.policy import OFFICIAL_TOOL, Policy

_POLICIES = {"default": Policy(), "official tool": OFFICIAL_TOOL}


@dataclass(frozen=True)
class Preset:
    """The measures (the official one first) and the policy of one task of one campaign.

    `unverified` maps a part of a measure's name, from the beginning of a word on, to what is not known about
    it; a policy setting can stand there too. `structured` tasks are averaged over the topics with a
    structured query.
    """

    campaign: str
    task: str
    title: str
    measures: tuple[Measure, ...]
    policy: Policy
    unverified: Mapping[str, str]
    structured: bool = False

    def doubts(self, measure: Measure) -> list[str]:
        """Return what is not verified about one of the measures."""
        return [why for part, why in self.unverified.items() if _concerns(part, measure)]

    def notes(self, measures: Iterable[Measure] | None = None) -> list[str]:
        """Return one sentence per doubt: about all measures or only those given, and about all else."""
        asked = self.measures if measures is None else list(measures)
        return [
            f"{self.campaign} {self.task}, unverified: {part}: {why}"
            for part, why in self.unverified.items()
            if any(_concerns(part, m) for m in asked) or not any(_concerns(part, m) for m in self.measures)
        ]


def _concerns(part: str, measure: Measure) -> bool:
    """Whether a part of a name is in a measure's, not in the middle of a word: `MAep` is not in `iMAep`."""
    return re.search(rf"(?<!\w){re.escape(part)}", str(measure)) is not None


def campaigns() -> list[str]:
    """Return the names of the campaigns there are presets for."""
    found = (file.name for file in files(__package__).iterdir())
    return sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml"))


def tasks(campaign: str) -> list[str]:
    """Return the names of a campaign's tasks."""
    return list(_data(campaign)["tasks"])


def preset(campaign: str, task: str) -> Preset:
    """Return the preset of a campaign's task, for example `preset("inex2009", "focused")`."""
    data = _data(campaign)
    if task not in data["tasks"]:
        raise UnknownNameError(f"task of {campaign}", task, data["tasks"])
    chosen = data["tasks"][task]
    policy = _POLICIES[data["policy"]].with_settings(data.get("settings", []))
    return Preset(
        campaign,
        task,
        f"{data['title']}, {chosen['title']}",
        tuple(parse(name) for name in chosen["measures"]),
        policy,
        {**data.get("unverified", {}), **chosen.get("unverified", {})},
        chosen.get("topics", "") == "castitle",
    )


def _data(campaign: str) -> dict[str, Any]:
    if campaign not in campaigns():
        raise UnknownNameError("campaign", campaign, campaigns())
    return tomllib.loads(files(__package__).joinpath(f"{campaign}.toml").read_text(encoding="utf-8"))
