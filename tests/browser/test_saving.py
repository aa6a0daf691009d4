"""Work when the server, the session, the tab or the browser goes away: nothing lost, nothing twice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("uvicorn", reason="pages need the extra `web`")

from tests.browser.conftest import chromium
from tests.browser.judging import Desk, watched
from tests.browser.laboratory import PASSWORD, Laboratory

if TYPE_CHECKING:
    from playwright.sync_api import BrowserType, Route


def test_the_server_goes_away_and_comes_back(desk: Desk, lab: Laboratory) -> None:
    desk.open()
    desk.drag("second paragraph")
    desk.saved()
    lab.away()
    desk.drag("First item")
    desk.saved("away")
    desk.drag("Second item")
    desk.press("d")
    assert "kept in this browser" in desk.page.locator("#saved").inner_text()
    desk.press("n")  # there would be nothing to read
    desk.settled()
    assert desk.page.url.endswith("/judge/1/pools")
    lab.back()
    desk.saved()
    assert desk.said() == ["second paragraph", "First item", "Second item"]
    assert desk.assessment().status == "done"
    versions = [(entry.version, len(entry.highlights)) for entry in desk.saves()]
    assert versions == [(1, 1), (2, 2), (3, 3)]  # what changed meanwhile is one save


def test_a_tab_is_loaded_again_while_the_server_is_away(desk: Desk, lab: Laboratory) -> None:
    page = desk.open()
    lab.away()
    desk.drag("second paragraph")
    desk.saved("away")
    desk.drag("First item")
    with pytest.raises(Exception, match="ERR_CONNECTION_REFUSED"):
        page.reload()
    page.wait_for_url("chrome-error://**")
    lab.back()
    desk.open()
    desk.saved()
    assert desk.said() == ["second paragraph", "First item"]
    assert [len(entry.highlights) for entry in desk.saves()] == [1, 2]
    assert page.locator("#highlights button").count() == 2
    desk.open()  # and nothing is left to send
    desk.saved()
    assert len(desk.saves()) == 2


def test_a_browser_is_closed_and_opened_again(
    browser_type: BrowserType, lab: Laboratory, tmp_path: Path
) -> None:
    """What was kept of a document is sent from another page."""
    lab.join("ada")
    options: dict[str, Any] = {"executable_path": chromium(), "args": ["--no-sandbox"]}
    with browser_type.launch_persistent_context(tmp_path / "profile", **options) as context:
        context.add_cookies([lab.cookie("ada")])  # type: ignore[list-item]
        desk = watched(lab, "ada", context)
        desk.open()
        lab.away()
        desk.drag("second paragraph")
        desk.saved("away")
    lab.back()
    assert desk.said() == []
    with browser_type.launch_persistent_context(tmp_path / "profile", **options) as context:
        context.add_cookies([lab.cookie("ada")])  # type: ignore[list-item]
        desk = watched(lab, "ada", context)
        desk.page.goto(f"{lab.address}/topics")
        desk.page.get_by_text("is saved now: pools").wait_for()
        assert desk.said() == ["second paragraph"]
        assert len(desk.saves()) == 1
        desk.open()
        assert desk.page.get_by_role("button", name="Highlight 1: second paragraph").count() == 1


def test_an_answer_is_lost(desk: Desk) -> None:
    """The server has it, the page does not know: sent again, it is kept once."""
    desk.open()
    lost: list[str] = []

    def lose(route: Route) -> None:
        body: Any = route.request.post_data_json
        lost.append(body["save"])
        if len(lost) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    desk.page.route("**/api/judgements/**", lose)
    desk.drag("second paragraph")
    desk.saved("away")
    desk.drag("First item")
    desk.saved()
    assert lost[0] == lost[1]
    assert [(entry.version, entry.save) for entry in desk.saves()] == [(1, lost[0]), (2, lost[2])]


def test_the_later_of_two_tabs_is_told(desk: Desk) -> None:
    page = desk.open()
    other = desk.context.new_page()
    for button, left in (
        ("Keep what is here", ["First item"]),
        ("Take what was saved elsewhere", ["second paragraph"]),
        ("Keep the highlights of both", ["second paragraph", "First item"]),
    ):
        other.goto(page.url)
        other.locator("body[data-ready]").wait_for()
        desk.drag("second paragraph", page=other)
        other.locator("#highlights li").wait_for()
        other.locator("#saved[data-state=saved]").wait_for()
        desk.drag("First item")
        page.get_by_role("dialog", name="judged elsewhere").wait_for()
        assert desk.said() == ["second paragraph"]
        assert "1 highlight, 16 characters" in page.locator("#other-said").inner_text()
        page.get_by_role("button", name=button).click()
        desk.saved()
        assert desk.said() == left
        if button != "Keep what is here":
            desk.press("u")  # what was here is not lost
            desk.saved()
            assert desk.said() == ["First item"]
        desk.press("x")
        desk.saved()


def test_the_session_ends_and_somebody_signs_in_again(desk: Desk, lab: Laboratory) -> None:
    page = desk.open()
    desk.context.clear_cookies()
    desk.drag("second paragraph")
    desk.saved("signed-out")
    page.get_by_role("link", name="sign in again").click()
    page.get_by_label("Name").fill(desk.name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/judge/1/pools")
    desk.ready()
    desk.saved()
    assert desk.said() == ["second paragraph"]
    # signed in again in another tab: the page has the token of the old session
    desk.context.clear_cookies()
    desk.context.add_cookies([lab.cookie(desk.name)])  # type: ignore[list-item]
    desk.drag("First item")
    desk.saved()
    assert desk.said() == ["second paragraph", "First item"]


def test_a_save_that_is_refused_is_told(desk: Desk) -> None:
    page = desk.open()

    def spoil(route: Route) -> None:
        body: Any = route.request.post_data_json
        body["highlights"][0]["quote"] = "another text"
        route.continue_(post_data=body)

    page.route("**/api/judgements/**", spoil)
    desk.drag("second paragraph")
    desk.saved("refused")
    assert "another one than the quoted" in page.locator("#saved").inner_text()
    page.get_by_role("button", name="Load what was saved").click()
    page.wait_for_load_state()
    desk.ready()
    desk.saved()
    assert page.locator("#highlights li").count() == 0
    assert desk.saves() == []
