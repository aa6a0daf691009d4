"""The campaign, made once, and the pages: every fenced block of shell on them is run once, in its folder."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

from inexlab.cli import inex_eval as inex_eval_module
from inexlab.cli import main as inexlab_module
from tests.builders import TABLE_6
from tests.cli.conftest import put_together

from .campaign import Campaign, make_campaign

PAGES = Path(__file__).parents[2] / "docs" / "papers"


@pytest.fixture(scope="session")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """The synthetic campaign, and small files that single pages need."""
    made = make_campaign(tmp_path_factory.mktemp("papers"))
    (made.folder / "pairs.txt").write_text(TABLE_6, encoding="utf-8")
    for name, order in (("two-groups", 1), ("two-groups-reversed", -1)):
        scores = [*range(20)][::order] + [*range(20, 40)][::order]
        systems = ",".join(f"s{i}" for i in range(40))
        rows = "".join(f"{t},{','.join(str(s / 40) for s in scores)}\n" for t in range(1, 7))
        (made.folder / f"{name}.csv").write_text(f"topic,{systems}\n{rows}", encoding="utf-8")
    return made


def blocks_of_shell(page: str) -> list[list[str]]:
    """Return the commands of a page, as words."""
    commands: list[list[str]] = []
    inside = False
    for line in (PAGES / f"{page}.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            inside = line == "```sh"
        elif inside and line.strip():
            commands.append(shlex.split(line))
    return commands


def _matching(word: str) -> list[str]:
    """Return the files that a pattern matches; what matches none stays as it is."""
    return sorted(str(path) for path in Path().glob(word)) or [word] if "*" in word else [word]


def run_command(words: list[str]) -> None:
    """Run `mkdir -p FOLDER…`, `inexlab …` or `inex_eval …`, perhaps with `> FILE` behind it."""
    if words[0] == "mkdir":
        for folder in words[2:]:
            Path(folder).mkdir(parents=True, exist_ok=True)
        return
    main = {"inexlab": inexlab_module.main, "inex_eval": inex_eval_module.main}[words[0]]
    target = words[words.index(">") + 1] if ">" in words else ""
    asked = words[1 : words.index(">")] if target else words[1:]
    expanded = [name for word in asked for name in _matching(word)]
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "argv", [words[0], *expanded]),
        mock.patch.object(inexlab_module, "_needed", return_value=put_together()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as ending,
    ):
        main()
    assert ending.value.code in (0, None), f"{shlex.join(words)}\n{err.getvalue()}"
    if target:
        Path(target).write_text(out.getvalue(), encoding="utf-8")


@pytest.fixture(scope="session")
def followed(campaign: Campaign, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Follows a page to its end, once, in a copy of the campaign, and returns that folder."""
    done: dict[str, Path] = {}

    def follow(page: str) -> Path:
        if page not in done:
            folder = tmp_path_factory.mktemp(page) / "campaign"
            shutil.copytree(campaign.folder, folder)
            with contextlib.chdir(folder), mock.patch.dict(os.environ, {"COLUMNS": "160"}):
                for words in blocks_of_shell(page):
                    run_command(words)
            done[page] = folder
        return done[page]

    return follow


def read_csv(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
