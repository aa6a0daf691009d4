"""Debian's Chromium, driven by Playwright, with the network off."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def chromium() -> str | None:
    """Return where a Chromium is, if there is one."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser for all tests of one process."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright (the extra `dev`)")
    found = chromium()
    if found is None:
        pytest.skip("needs Chromium: `make chromium` (as root) installs Debian's")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield started
        started.close()
