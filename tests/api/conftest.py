"""A folder with the built-in campaign and its index, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

import inexlab
from inexlab.api.scoring import copy_demo


@pytest.fixture(scope="session")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with `demo`, the built-in campaign, and `demo/index`."""
    folder = tmp_path_factory.mktemp("campaign")
    copy_demo(folder / "demo")
    inexlab.build_index(folder / "demo/articles", folder / "demo/index")
    return folder


@pytest.fixture
def here(campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a folder of the test's own with `demo` in it."""
    (tmp_path / "demo").symlink_to(campaign / "demo")
    monkeypatch.chdir(tmp_path)
    return tmp_path
