"""Debian's Chromium, driven by Playwright, with the network off; and a laboratory to judge in."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, NoReturn

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType

    from tests.browser.judging import Desk
    from tests.browser.laboratory import Laboratory


def chromium() -> str | None:
    """Return where a Chromium is, if there is one."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def missing(what: str) -> NoReturn:
    """Skip a test for what is not installed; in continuous integration that is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="session")
def browser_type() -> Iterator[BrowserType]:
    """What starts browsers, for all tests of one process."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright (the extra `dev`)")
    if chromium() is None:
        missing("needs Chromium: `make chromium` (as root) installs Debian's")
    with playwright.sync_playwright() as driver:
        yield driver.chromium


@pytest.fixture(scope="session")
def browser(browser_type: BrowserType) -> Iterator[Browser]:
    """A browser for all tests of one process."""
    started = browser_type.launch(executable_path=chromium(), args=["--no-sandbox"])
    yield started
    started.close()


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laboratory]:
    """A laboratory for all tests of a file."""
    from tests.browser.laboratory import Laboratory  # for the extra `web`

    made = Laboratory(tmp_path_factory.mktemp("laboratory"))
    yield made
    made.close()


@pytest.fixture
def desk(lab: Laboratory, browser: Browser) -> Iterator[Desk]:
    """A new assessor at the judging page, which complains of nothing."""
    from tests.browser.judging import a_desk

    lab.back()  # where a test has left it away
    made = a_desk(lab, browser)
    yield made
    made.context.close()
    assert made.complaints == []
